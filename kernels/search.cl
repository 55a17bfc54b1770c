// Which vectors of a library are nearer to queries than a limit: each with its key, appended to one list.
//
//   key(x, y) = content_factor d(content of x and y) + appearance_factor d(appearance of x and y)     below 2^53
//   d(x, y)   = |x - y|^2 = |x|^2 + |y|^2 - 2 x.y
//
// Nearly all vectors are beyond the limit, which a key in floating point tells, wrong by less than 2^-21 of itself; only
// where that is in doubt the whole number is computed.
//
//   blocks   uint [block_count / TILE][31][TILE][16]   16 items in a block, four bytes of each in one number. The blocks
//                                                     of a tile are row by row beside each other:
//
//                      16 items     16 items
//                   +------------+------------+
//        0 ... 15   |  content   |            |   64 bytes
//       16 ... 28   | appearance |            |   50 bytes, two zeros
//             29    |   |x|^2    |            |   of content
//             30    |   |x|^2    |            |   of appearance
//                   +------------+------------+
//
//            items from `item_count` on are zero; blocks come in multiples of TILE
//   queries  uint  [query_count][60]      29 times bytes 0 and 2, then bytes 1 and 3 of four, 16 bits for each; |y|^2 of
//                                         content and of appearance
//   limits   ulong [query_count]          a key must be below; 0 for queries that only fill up the last QUERIES
//   count    uint  [1]                    how many were found; beginning with 0, and rising beyond `capacity`
//   found    uint4 [capacity]             query, item, key's lower and upper half; in any order
//
// Only items beyond query + `diagonal` count: so each pair of a library that is compared with itself comes once.
//
// Work group (1): nothing is shared. The global range is (work items); each takes `run` blocks, TILE at a time, so that
// these are in the first cache while all queries, QUERIES at a time, go by: a tile of TILE x QUERIES vectors of sums is
// in registers.
//
//   -DTILE      blocks at a time
//   -DQUERIES   queries at a time, by which query_count can be divided

#ifndef TILE
#define TILE 4
#endif
#ifndef QUERIES
#define QUERIES 1
#endif
#define CONTENT 16
#define APPEARANCE 13
#define ROWS 31
#define STRIDE 60
#define SQUARES 58

// Spelled out, not v.hi: oclgrind 21.10 takes swizzles of one vector for uninitialised.
#define HIGH_HALF(v) (int8)(v.s8, v.s9, v.sa, v.sb, v.sc, v.sd, v.se, v.sf)

inline int any_lane(int16 v) {
  const int8 a = v.lo | HIGH_HALF(v);
  const int4 b = a.lo | (int4)(a.s4, a.s5, a.s6, a.s7);
  return (b.s0 | b.s1 | b.s2 | b.s3) != 0;
}

// Appends those of 16 items that are below the limit.
inline void append(int16 content, int16 appearance, ulong limit, uint content_factor, uint appearance_factor, int query,
                   int first_item, int item_count, int diagonal, uint capacity, global uint *count,
                   global uint4 *found) {
  int c[16], a[16];
  vstore16(content, 0, c);
  vstore16(appearance, 0, a);
  for (int lane = 0; lane < 16; lane++) {
    const int item = first_item + lane;
    const ulong key = (ulong)content_factor * (uint)c[lane] + (ulong)appearance_factor * (uint)a[lane];
    if (key < limit && item < item_count && item > query + diagonal) {
      const uint place = atomic_inc(count);
      if (place < capacity) found[place] = (uint4)(query, item, (uint)key, (uint)(key >> 32));
    }
  }
}

// With one query the blocks come and go faster than processors foresee: from so many bytes ahead they are asked for.
#if QUERIES == 1 && defined(__AVX512BW__)
#define FETCH(p) __builtin_prefetch((const void *)((size_t)(p) + 8192));
#else
#define FETCH(p)
#endif

// Adds the products of row r of the tile and of the queries.
#define ADD_PRODUCTS(r)                                                               \
  {                                                                                   \
    uint16 even[TILE], odd[TILE];                                                     \
    _Pragma("unroll") for (int t = 0; t < TILE; t++) {                                \
      const uint16 x = vload16(r * TILE + t, tile);                                   \
      FETCH(tile + (r * TILE + t) * 16)                                               \
      even[t] = x & 0xff00ff;                                                         \
      odd[t] = x >> 8 & 0xff00ff;                                                     \
    }                                                                                 \
    _Pragma("unroll") for (int i = 0; i < QUERIES; i++) {                             \
      const uint16 a = query[i * STRIDE + 2 * r], b = query[i * STRIDE + 2 * r + 1];  \
      _Pragma("unroll") for (int t = 0; t < TILE; t++)                                \
        sums[i * TILE + t] += PRODUCT(even[t], a) + PRODUCT(odd[t], b);               \
    }                                                                                 \
  }

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void search(global const uint *blocks, global const uint *queries, global const ulong *limits,
                   global uint *count, global uint4 *found, uint content_factor, uint appearance_factor,
                   int first_block, int block_count, int run, int item_count, int query_count, int diagonal,
                   uint capacity) {
  const int first = first_block + (int)get_group_id(0) * run;
  const int end = min(first + run, first_block + block_count);
  const float content_weight = content_factor, appearance_weight = appearance_factor;
  for (int b = first; b < end; b += TILE) {
    global const uint *tile = blocks + (size_t)b * (ROWS * 16);
    for (int q = 0; q < query_count; q += QUERIES) {
      global const uint *query = queries + (size_t)q * STRIDE;
      int16 sums[QUERIES * TILE], content[QUERIES * TILE];
      #pragma unroll
      for (int i = 0; i < QUERIES * TILE; i++) sums[i] = 0;
      for (int r = 0; r < CONTENT; r++) ADD_PRODUCTS(r)
      #pragma unroll
      for (int i = 0; i < QUERIES * TILE; i++) {
        const int16 squares = as_int16(vload16((CONTENT + APPEARANCE) * TILE + i % TILE, tile));
        content[i] = squares + (int)query[i / TILE * STRIDE + SQUARES] - sums[i] * 2;
        sums[i] = 0;
      }
      for (int r = CONTENT; r < CONTENT + APPEARANCE; r++) ADD_PRODUCTS(r)
      #pragma unroll
      for (int i = 0; i < QUERIES; i++) {
        const ulong limit = limits[q + i];
        const float bound = (float)limit * 1.000001f;
        int16 appearance[TILE];
        int16 isNear = 0;
        #pragma unroll
        for (int t = 0; t < TILE; t++) {
          const int16 squares = as_int16(vload16((CONTENT + APPEARANCE + 1) * TILE + t, tile));
          appearance[t] = squares + (int)query[i * STRIDE + SQUARES + 1] - sums[i * TILE + t] * 2;
          const float16 far = convert_float16(content[i * TILE + t]) * content_weight
                              + convert_float16(appearance[t]) * appearance_weight;
          isNear |= far <= bound;
        }
        if (any_lane(isNear))
          for (int t = 0; t < TILE; t++)
            append(content[i * TILE + t], appearance[t], limit, content_factor, appearance_factor, q + i,
                   (b + t) * 16, item_count, diagonal, capacity, count, found);
      }
    }
  }
}
