// The swaps of one pass: inside groups of GROUP cells the items move to where the filtered map fits them best.
//
// A pass cuts the grid into blocks; in each block a seeded bijection puts the cells in a random order, and GROUP of them
// at a time are solved as a linear assignment problem, independent of all others. For item a and cell b
//
//   value(a, b) = |m_b|^2 - 2 (16 x_a) . m_b            |16 x_a - m_b|^2 less a constant of the item
//   C(a, b)     = (value(a, b) - min_b value(a, b)) >> shift;  a hole costs 0 everywhere
//
// |m_b|^2 is at most 128 * 4080^2 < 2^31, and so is the size of value.
//
// The problem is solved by shortest augmenting paths (Jonker & Volgenant 1987): a cell's potential begins as the least it
// costs an item, and each cell in order takes the lowest item that it costs so little, if no cell has it yet; then each
// item left over, in order, is assigned along the shortest path of reduced costs; of equal lengths the lowest cell wins.
// Potentials lie in -max C ... max C while a cell is free, so lengths stay below 3 max C; `shift` is such that
// 3 max C GROUP < 2^31, since a cell's number rides in a length's low bits.
//
//   items0 ... 3      uchar  [n + 1][slice]                      row n, the hole's, is zero
//   filtered0 ... 3   ushort [slice / CHUNK][cell_count][CHUNK]  from box_filter
//
// The dimensions, a multiple of CHUNK, lie in up to four slices, since a device's largest buffer may be a quarter of its
// memory: the first `slice` of them in items0 and filtered0, the next in items1 and filtered1.
//
//   cells      int    [rows][columns]                 the item in each cell, n for a hole; permuted in place
//   pinned     uchar  [rows][columns]                 if PINS: 1 where a cell keeps what it has and stays out of its group
//   blocks     int    [...]                           from `schedule` on: block_columns starts, block_columns widths,
//                                                     block_rows starts, block_rows heights; a block that passes the
//                                                     edge goes on at the opposite one
//
// One work item solves one group; the global range is (groups of the largest block, block_columns, block_rows). A row of
// the cost matrix is GROUP int lanes, one for each cell:
//
//                 cells b of the group
//               +--------------------+
//     items a   |  int16  |  int16   |  GROUP = 32: two vectors
//               |  ...    |  ...     |
//               +--------------------+
//
// Work group (1, 1, 1): nothing is shared. The last group of a block may hold fewer cells; its other lanes stay out.
//
//   -DGROUP   16, 32 or 64: cells in a group
//   -DCHUNK   4, 8 or 16: as in box_filter
//   -DPINS    1 if some cells are pinned, 0 if none is

#define VECTORS (GROUP / 16)
// A loop over the vectors of a row. Unrolled, so that they are kept in registers.
#define FOR_VECTORS(t) _Pragma("unroll") for (int t = 0; t < VECTORS; t++)
#define LANE_BITS (GROUP == 16 ? 4 : GROUP == 32 ? 5 : 6)
#define MAXIMUM_PAIRS 64
#define UNREACHED 0x7fffffff

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define VLOAD PASTE(vload, CHUNK)
#define TO_SHORTS PASTE(convert_ushort, CHUNK)
#if CHUNK == 16
#define PAIRS 8
#elif CHUNK == 8
#define PAIRS 4
#else
#define PAIRS 2
#endif
#define AS_PAIRS PASTE(as_uint, PAIRS)
#define STORE_PAIRS PASTE(vstore, PAIRS)

// A 32-bit mix (Wellons's lowbias32): each bit of x changes about half of the result's.
#define MIX(x)      \
  x ^= x >> 16;     \
  x *= 0x7feb352du; \
  x ^= x >> 15;     \
  x *= 0x846ca68bu; \
  x ^= x >> 16

inline uint mix(uint x) {
  MIX(x);
  return x;
}

inline uint16 mix16(uint16 x) {
  MIX(x);
  return x;
}

// Spelled out, not v.hi: oclgrind 21.10 takes swizzles of one vector for uninitialised.
#define HIGH_HALF(v) (int8)(v.s8, v.s9, v.sa, v.sb, v.sc, v.sd, v.se, v.sf)

inline int smallest_lane(int16 v) {
  const int8 a = min(v.lo, HIGH_HALF(v));
  const int4 b = min(a.lo, (int4)(a.s4, a.s5, a.s6, a.s7));
  return min(min(b.s0, b.s1), min(b.s2, b.s3));
}

// The seeded bijection of 0 ..< count: a Feistel network of four rounds on the next power of two, walked on until it
// lands inside. Lanes whose input isn't below `count` keep it.
inline uint16 shuffled(uint16 x, uint count, uint key) {
  const uint bits = count <= 1 ? 0 : 32 - clz(count - 1);
  const uint low_bits = (bits + 1) / 2;
  const uint low_mask = (1u << low_bits) - 1, high_mask = (1u << (bits - low_bits)) - 1;
  int16 walking = x < count;
  while (any(walking)) {
    uint16 high = x >> low_bits, low = x & low_mask;
    high ^= mix16(low + key) & high_mask;
    low ^= mix16(high + (key ^ 0x9e3779b9u)) & low_mask;
    high ^= mix16(low + (key ^ 0x85ebca6bu)) & high_mask;
    low ^= mix16(high + (key ^ 0xc2b2ae35u)) & low_mask;
    x = select(x, high << low_bits | low, walking);
    walking &= x >= count;
  }
  return x;
}

// x / divisor for x below 2^24: the float quotient, put right where it is off by one.
inline int16 quotient(int16 x, int divisor) {
  const int16 estimate = convert_int16(convert_float16(x) * (1.0f / (float)divisor));
  const int16 remainder = x - estimate * divisor;
  return estimate + (remainder < 0) - (remainder >= divisor);
}

// One of four exchanges of a 16 x 16 transposition: lanes whose number has the bit set go one way, the others the
// other. Swizzles, so that any compiler turns them into shuffles.
#define LOW1(a, b) (uint16)( \
    a.s0, b.s0, a.s2, b.s2, a.s4, b.s4, a.s6, b.s6, a.s8, b.s8, a.sa, b.sa, a.sc, b.sc, a.se, b.se)
#define HIGH1(a, b) (uint16)( \
    a.s1, b.s1, a.s3, b.s3, a.s5, b.s5, a.s7, b.s7, a.s9, b.s9, a.sb, b.sb, a.sd, b.sd, a.sf, b.sf)
#define LOW2(a, b) (uint16)( \
    a.s0, a.s1, b.s0, b.s1, a.s4, a.s5, b.s4, b.s5, a.s8, a.s9, b.s8, b.s9, a.sc, a.sd, b.sc, b.sd)
#define HIGH2(a, b) (uint16)( \
    a.s2, a.s3, b.s2, b.s3, a.s6, a.s7, b.s6, b.s7, a.sa, a.sb, b.sa, b.sb, a.se, a.sf, b.se, b.sf)
#define LOW4(a, b) (uint16)( \
    a.s0, a.s1, a.s2, a.s3, b.s0, b.s1, b.s2, b.s3, a.s8, a.s9, a.sa, a.sb, b.s8, b.s9, b.sa, b.sb)
#define HIGH4(a, b) (uint16)( \
    a.s4, a.s5, a.s6, a.s7, b.s4, b.s5, b.s6, b.s7, a.sc, a.sd, a.se, a.sf, b.sc, b.sd, b.se, b.sf)
#define LOW8(a, b) (uint16)( \
    a.s0, a.s1, a.s2, a.s3, a.s4, a.s5, a.s6, a.s7, b.s0, b.s1, b.s2, b.s3, b.s4, b.s5, b.s6, b.s7)
#define HIGH8(a, b) (uint16)( \
    a.s8, a.s9, a.sa, a.sb, a.sc, a.sd, a.se, a.sf, b.s8, b.s9, b.sa, b.sb, b.sc, b.sd, b.se, b.sf)

#define EXCHANGE(h)                                      \
  for (int i = 0; i < 16; i++)                           \
    if ((i & h) == 0) {                                  \
      const uint16 a = rows[i], b = rows[i + h];        \
      rows[i] = LOW##h(a, b);                            \
      rows[i + h] = HIGH##h(a, b);                       \
    }

// Asks for the cache line at p before it is needed.
#if defined(__x86_64__)
#define PREFETCH(p) __builtin_prefetch((const void *)(size_t)(p))
#else
#define PREFETCH(p)
#endif

// One of the four buffers of this name.
#define SLICE(name, number) \
  ((number) == 0 ? name##0 : (number) == 1 ? name##1 : (number) == 2 ? name##2 : name##3)

// The chunk of the filtered map that dimension d begins.
#define CHUNK_AT(d) \
  ((global const uint *)(SLICE(filtered, (d) / slice) + (size_t)((d) - (d) / slice * slice) * cell_count))

// The filtered map of the group's cells, turned so that each pair of dimensions is a vector of cells: out[pair][cell].
inline void gather_targets(global const ushort *filtered0, global const ushort *filtered1,
                           global const ushort *filtered2, global const ushort *filtered3, const int *cell, int slice,
                           int dimensions, size_t cell_count, uint16 *out) {
  for (int t = 0; t < VECTORS; t++) {
#if CHUNK == 16
    for (int d = 0; d < dimensions; d += 32) {
      global const uint *chunk = CHUNK_AT(d);
      // Where the chunks are odd, the last one stands for the one after it, whose pairs aren't used.
      const int after = min(d + 16, dimensions - 16);
      global const uint *next = CHUNK_AT(after);
      uint16 rows[16];
      // Not by (uint16)(a, b), on which oclgrind 21.10 crashes.
      #pragma unroll
      for (int i = 0; i < 16; i++) {
        vstore8(vload8(cell[t * 16 + i], chunk), 0, (uint *)&rows[i]);
        vstore8(vload8(cell[t * 16 + i], next), 1, (uint *)&rows[i]);
      }
      EXCHANGE(1)
      EXCHANGE(2)
      EXCHANGE(4)
      EXCHANGE(8)
      for (int i = 0; i < 16; i++) out[(d / 2 + i) * VECTORS + t] = rows[i];
    }
#else
    for (int i = 0; i < 16; i++) {
      global const uint *pairs = (global const uint *)filtered0 + (size_t)cell[t * 16 + i] * PAIRS;
      for (int p = 0; p < PAIRS; p++) ((uint *)&out[p * VECTORS + t])[i] = pairs[p];
    }
#endif
  }
}

// How many items share the loads of the targets: as many sums as a processor's registers hold.
#define ITEMS_AT_ONCE (16 / VECTORS)

// The cost matrix of the group. Rows from `count` on, up to a multiple of ITEMS_AT_ONCE, are filled and not used.
inline void fill_costs(const uint16 *targets, const uint *vectors, const int *item, int hole, int count,
                       int dimensions, int shift, const int16 *outside, int16 *costs) {
  int16 squares[VECTORS];
  FOR_VECTORS(t) squares[t] = 0;
  for (int p = 0; p < dimensions / 2; p++)
    FOR_VECTORS(t) squares[t] += PRODUCT(targets[p * VECTORS + t], targets[p * VECTORS + t]);

  for (int a = 0; a < count; a += ITEMS_AT_ONCE) {
    int16 products[ITEMS_AT_ONCE][VECTORS];
    #pragma unroll
    for (int i = 0; i < ITEMS_AT_ONCE; i++)
      FOR_VECTORS(t) products[i][t] = 0;
    for (int p = 0; p < dimensions / 2; p++) {
      const uint *column = vectors + a * MAXIMUM_PAIRS + p;
      uint16 m[VECTORS];
      FOR_VECTORS(t) m[t] = targets[p * VECTORS + t];
      #pragma unroll
      for (int i = 0; i < ITEMS_AT_ONCE; i++) {
        const uint16 x = column[i * MAXIMUM_PAIRS];
        FOR_VECTORS(t) products[i][t] += PRODUCT(x, m[t]);
      }
    }
    #pragma unroll
    for (int i = 0; i < ITEMS_AT_ONCE; i++) {
      int16 values[VECTORS];
      int16 least = UNREACHED;
      FOR_VECTORS(t) {
        values[t] = as_int16(as_uint16(squares[t]) - (as_uint16(products[i][t]) << 5));
        least = min(least, select(values[t], (int16)(UNREACHED), outside[t]));
      }
      const int minimum = smallest_lane(least);
      FOR_VECTORS(t)
        costs[(a + i) * VECTORS + t] = item[a + i] == hole ? (int16)(0) : (values[t] - minimum) >> shift;
    }
  }
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void assignment(global const uchar *items0, global const uchar *items1, global const uchar *items2,
                global const uchar *items3, global const ushort *filtered0, global const ushort *filtered1,
                global const ushort *filtered2, global const ushort *filtered3, global int *cells,
                global const uchar *pinned, global const int *blocks, int schedule, int hole, int columns, int rows,
                int slice, int dimensions, int shift, uint key) {
  const int block_x = get_global_id(1), block_y = get_global_id(2);
  const int block_columns = get_global_size(1), block_rows = get_global_size(2);
  blocks += schedule;
  const int left = blocks[block_x], width = blocks[block_columns + block_x];
  const int top = blocks[2 * block_columns + block_y], height = blocks[2 * block_columns + block_rows + block_y];
  const int first = get_global_id(0) * GROUP;
  const int count = min(GROUP, width * height - first);
  if (count <= 1) return;

  // Which cells, and what they hold.
  int cell[GROUP], item[GROUP];
  int16 outside[VECTORS], lane[VECTORS];
  const uint block_key = mix(key + (uint)(block_y * block_columns + block_x) * 0x9e3779b9u);
  for (int t = 0; t < VECTORS; t++) {
    lane[t] = (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) + t * 16;
    outside[t] = lane[t] >= count;
    // Lanes outside repeat the first cell: they are read, and never written.
    const int16 position =
        as_int16(shuffled(as_uint16(select(lane[t] + first, (int16)(first), outside[t])), width * height, block_key));
    int16 y = quotient(position, width);
    int16 x = position - y * width + left;
    y += top;
    x -= select((int16)(0), (int16)(columns), x >= columns);
    y -= select((int16)(0), (int16)(rows), y >= rows);
    vstore16(y * columns + x, t, cell);
  }
  for (int i = 0; i < GROUP; i++) item[i] = cells[cell[i]];
#if PINS
  int is_pinned[GROUP];
  for (int i = 0; i < GROUP; i++) is_pinned[i] = pinned[cell[i]];
  for (int t = 0; t < VECTORS; t++) outside[t] |= vload16(t, is_pinned) != 0;
#endif

  // On a large map the items' vectors lie anywhere in memory: they arrive while the targets are gathered.
  for (int i = 0; i < GROUP; i++) PREFETCH(items0 + (size_t)item[i] * slice);
  uint16 targets[MAXIMUM_PAIRS * VECTORS];
  uint vectors[GROUP * MAXIMUM_PAIRS];
  int16 costs[GROUP * VECTORS];
  gather_targets(filtered0, filtered1, filtered2, filtered3, cell, slice, dimensions, (size_t)columns * rows, targets);
  for (int first = 0; first < dimensions; first += slice) {
    const int width = min(slice, dimensions - first);
    global const uchar *items = SLICE(items, first / slice);
    for (int i = 0; i < GROUP; i++) {
      global const uchar *vector = items + (size_t)item[i] * slice;
      uint *row = vectors + i * MAXIMUM_PAIRS + first / 2;
      for (int d = 0; d < width; d += CHUNK) STORE_PAIRS(AS_PAIRS(TO_SHORTS(VLOAD(0, vector + d))), 0, row + d / 2);
    }
  }
  fill_costs(targets, vectors, item, hole, count, dimensions, shift, outside, costs);

  // A cell's potential begins as the least that it costs an item, and the item that it costs least gets it, the lowest of
  // equal ones, unless a lower cell has got that item.
  int owner[GROUP];  // the item in a cell, by its place in the group; -1 while the cell is free
  int16 potential[VECTORS], least[VECTORS];
  for (int t = 0; t < VECTORS; t++) least[t] = UNREACHED;
  for (int a = 0; a < count; a++) {
#if PINS
    if (is_pinned[a]) continue;
#endif
    for (int t = 0; t < VECTORS; t++) least[t] = min(least[t], costs[a * VECTORS + t] << LANE_BITS | a);
  }
  for (int t = 0; t < VECTORS; t++) {
    potential[t] = least[t] >> LANE_BITS;
    vstore16(select(least[t] & (GROUP - 1), (int16)(-1), outside[t]), t, owner);
  }
  ulong placed = 0;
  for (int b = 0; b < count; b++) {
#if PINS
    if (is_pinned[b]) continue;
#endif
    const ulong item_bit = 1ul << owner[b];
    owner[b] = placed & item_bit ? -1 : owner[b];
    placed |= item_bit;
  }
  int waiting[GROUP];
  int waiting_count = 0;
  for (int a = 0; a < count; a++) {
#if PINS
    if (is_pinned[a]) continue;
#endif
    waiting[waiting_count] = a;
    waiting_count += !(placed >> a & 1);
  }

  int potential_of[GROUP];
  FOR_VECTORS(t) vstore16(potential[t], t, potential_of);
  for (int w = 0; w < waiting_count; w++) {
    int16 length[VECTORS], previous[VECTORS], done[VECTORS];
    FOR_VECTORS(t) {
      length[t] = UNREACHED;
      previous[t] = -1;
      done[t] = outside[t];
    }
    int a = waiting[w], b = -1, base = 0, shortest;
    for (;;) {
      int16 least = UNREACHED;
      FOR_VECTORS(t) {
        const int16 through = costs[a * VECTORS + t] - potential[t] + base;
        const int16 better = (through < length[t]) & ~done[t];
        length[t] = select(length[t], through, better);
        previous[t] = select(previous[t], (int16)(b), better);
        least = min(least, select(length[t] << LANE_BITS | lane[t], (int16)(UNREACHED), done[t]));
      }
      const int best = smallest_lane(least);
      b = best & (GROUP - 1);
      shortest = best >> LANE_BITS;
      if (owner[b] < 0) break;
      FOR_VECTORS(t) done[t] |= lane[t] == b;
      a = owner[b];
      base = shortest - (((int *)costs)[a * GROUP + b] - potential_of[b]);
    }
    int previous_of[GROUP];
    FOR_VECTORS(t) {
      potential[t] += select((int16)(0), length[t] - shortest, done[t] & ~outside[t]);
      vstore16(potential[t], t, potential_of);
      vstore16(previous[t], t, previous_of);
    }
    while (b >= 0) {
      const int before = previous_of[b];
      owner[b] = before < 0 ? waiting[w] : owner[before];
      b = before;
    }
  }

  for (int i = 0; i < count; i++) {
#if PINS
    if (is_pinned[i]) continue;
#endif
    cells[cell[i]] = item[owner[i]];
  }
}
