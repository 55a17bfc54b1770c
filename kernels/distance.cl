// How far the neighbours of items lie from them: sums, over rows, of the distance to the kth neighbour, k = 0 ..< limit,
// once with the neighbours in the order of their distance (list 0), and once for each layout with the neighbours in the
// order of the grid, ring by ring, those of a ring in the order of their distance (lists 1, 2, ...).
//
//   d2(a, b)   = |a|^2 + |b|^2 - 2 a.b                  no part of it passes 2 * 128 * 255^2 < 2^24
//   d(a, b)    = floor(scale root(d2))                  root: the float nearest to the square root, scale a power of two
//   sums[i][k] = sum over rows of d(row, its kth neighbour in list i)
//   total      = sum over rows and all items of d
//
// `scale` is such that d < 2^28: the sum of 16 of them fits 32 bits. So a distance is wrong by less than 2^-24 of itself
// and 2^-27 of the largest one, and sums of whole numbers are the same in any order, on any device.
//
// One work item takes 16 rows at a time, one in each lane, through all stages, so that what it writes is still in its
// cache when it reads it. The 16 rows' distances to item j are the vector j of a block:
//
//                  rows of the block
//                +-------------------+
//     items j    |  int16            |     d2 as the bits of a float: they have the order of the numbers
//                |  ...              |     n: not there (a hole, beyond an edge), infinite; so is a row's own item
//                +-------------------+
//
// Sorting is done by networks, whose steps are minima and maxima of vectors. If only some
// neighbours are wanted, those within a threshold are sorted, which a sample of the items tells: it leaves a few more
// than `limit` in most rows, and where it leaves less, all are sorted. So the threshold has no part in the result.
//
//   items      uint  [n8][pairs]           two dimensions in each; n8: n rounded up to a multiple of 8, with zeros
//   squares    int   [n8]                  |x|^2
//   rows       int   [row_count]           items, from `first_row` on
//   layouts    int   [layout_count][8]     columns, rows, whether it is a torus, where its steps begin, where its ring
//                                          ends begin, how many rings there are, where its cells begin, 0
//   steps      int2  [...]                 ways to other cells, shortest first
//   ring_ends  int   [...]                 counted from the layout's first step: where steps of the next length begin
//   cells      int   [...]                 the item in each cell, n where it is a hole
//   places     int   [layout_count][n]     the cell of each item
//   blocks     int16 [workers][n8 + 8]     scratch: distances
//   lists      int16 [workers][n16]        scratch: what is sorted; n16: n rounded up to a multiple of 16
//   sums       ulong [workers][1 + layout_count][limit]
//   totals     ulong [workers]
//
// Work group (1): nothing is shared. The global range is (workers); each takes every workers-th block of 16 rows.
// sample_step: every how many items make the sample; sample_rank: how many of it the threshold lets pass; 0 for no
// threshold.

#define MAXIMUM_PAIRS 64
// No circle of a grid of 2^31 cells holds more: that takes a number with over 512 representations as a sum of squares.
#define MAXIMUM_RING 512
#define INFINITE 0x7f800000
#define ITEMS_AT_ONCE 8

// floor(scale sqrt(x)), for the float nearest to the root: Newton's steps from a first guess by the exponent, then one
// with the remainder. Only operations that are rounded alike everywhere.
inline uint16 scaled_root(float16 x, float scale) {
  const float16 half_x = x * 0.5f;
  float16 y = as_float16(0x5f3759df - (as_int16(x) >> 1));
  for (int i = 0; i < 3; i++) y = y * fma(-(half_x * y), y, (float16)(1.5f));
  const float16 root = x * y;
  return as_uint16(convert_int16(fma(fma(-root, root, x), y * 0.5f, root) * scale));
}

// Spelled out, not v.hi: oclgrind 21.10 takes swizzles of one vector for uninitialised.
#define HIGH_HALF(v) (uint8)(v.s8, v.s9, v.sa, v.sb, v.sc, v.sd, v.se, v.sf)

inline uint sum_of_lanes(uint16 v) {
  const uint8 a = v.lo + HIGH_HALF(v);
  const uint4 b = a.lo + (uint4)(a.s4, a.s5, a.s6, a.s7);
  return b.s0 + b.s1 + b.s2 + b.s3;
}

// The squared distances of a block, and the sum of all distances.
inline ulong fill_block(global const uint *items, global const int *squares, const uint16 *row, int16 row_square,
                        int16 inactive, int n, int pairs, float scale, global int16 *block) {
  ulong total = 0;
  for (int j = 0; j < n; j += ITEMS_AT_ONCE) {
    global const uint *tile = items + (size_t)j * pairs;
    int16 products[ITEMS_AT_ONCE];
    #pragma unroll
    for (int i = 0; i < ITEMS_AT_ONCE; i++) products[i] = 0;
    for (int p = 0; p < pairs; p++) {
      const uint16 a = row[p];
      #pragma unroll
      for (int i = 0; i < ITEMS_AT_ONCE; i++) {
        const uint16 b = tile[(size_t)i * pairs + p];
        products[i] += PRODUCT(a, b);
      }
    }
    uint16 sum = 0;
    #pragma unroll
    for (int i = 0; i < ITEMS_AT_ONCE; i++) {
      const float16 square = convert_float16(row_square + squares[j + i] - products[i] * 2);
      block[j + i] = as_int16(square);
      const uint16 root = scaled_root(square, scale);
      if (j + i < n) sum += root & as_uint16(~inactive);
    }
    const ulong8 wide = convert_ulong8(sum.lo) + convert_ulong8(HIGH_HALF(sum));
    total += wide.s0 + wide.s1 + wide.s2 + wide.s3 + wide.s4 + wide.s5 + wide.s6 + wide.s7;
  }
  return total;
}

#define ORDER(a, b)                  \
  {                                  \
    const int16 smaller = min(a, b); \
    b = max(a, b);                   \
    a = smaller;                     \
  }

// The network's steps in a run of 16 vectors: partners mirrored in runs of 2 p, or k apart.
#define MIRRORED(p)        \
  for (int i = 0; i < 16; i++) \
    if ((i & p) == 0) ORDER(r[i], r[i ^ (2 * p - 1)])
#define APART(k)           \
  for (int i = 0; i < 16; i++) \
    if ((i & k) == 0) ORDER(r[i], r[i + k])

#define FOR_EACH_RUN(v, count, STEPS)            \
  for (int run = 0; run < count; run += 16) {    \
    int16 r[16];                                 \
    for (int i = 0; i < 16; i++) r[i] = v[run + i]; \
    STEPS                                        \
    for (int i = 0; i < 16; i++) v[run + i] = r[i]; \
  }

// Sorts each lane by itself, by Batcher's bitonic network with mirrored merging, in which the smaller one always goes
// to the front: so what lies beyond `count`, a multiple of 16, would be infinite and stay. Steps are taken two, or four
// at the end, at a time, since they wait for memory.
inline void sort_list(global int16 *v, int count) {
  const int16 infinite = INFINITE;
  FOR_EACH_RUN(v, count,
    MIRRORED(1) MIRRORED(2) APART(1) MIRRORED(4) APART(2) APART(1) MIRRORED(8) APART(4) APART(2) APART(1))
  for (int p = 16; p < count; p *= 2) {
    for (int base = 0; base + p < count; base += 2 * p)
      for (int i = 0; i < p / 2; i++) {
        const int at_a = base + i, at_b = at_a + p / 2;
        const int at_d = base + 2 * p - 1 - i, at_c = at_d - p / 2;
        int16 a = v[at_a], b = v[at_b];
        int16 c = at_c < count ? v[at_c] : infinite, d = at_d < count ? v[at_d] : infinite;
        ORDER(a, d)
        ORDER(b, c)
        ORDER(a, b)
        ORDER(c, d)
        v[at_a] = a;
        v[at_b] = b;
        if (at_c < count) v[at_c] = c;
        if (at_d < count) v[at_d] = d;
      }
    int k = p / 4;
    for (; k >= 32; k /= 4)
      for (int base = 0; base + k / 2 < count; base += 2 * k)
        for (int i = base; i < min(base + k / 2, count - k / 2); i++) {
          const int at_c = i + k, at_d = at_c + k / 2;
          int16 a = v[i], b = v[i + k / 2];
          int16 c = at_c < count ? v[at_c] : infinite, d = at_d < count ? v[at_d] : infinite;
          ORDER(a, c)
          ORDER(b, d)
          ORDER(a, b)
          ORDER(c, d)
          v[i] = a;
          v[i + k / 2] = b;
          if (at_c < count) v[at_c] = c;
          if (at_d < count) v[at_d] = d;
        }
    if (k == 16)
      for (int base = 0; base + k < count; base += 2 * k)
        for (int i = base; i < base + k; i++) ORDER(v[i], v[i + k])
    FOR_EACH_RUN(v, count, APART(8) APART(4) APART(2) APART(1))
  }
}

// The same for the few vectors of a ring, by Batcher's odd-even merging, which has fewer steps.
inline void sort_ring(int16 *v, int count) {
  for (int p = 1; p < count; p *= 2)
    for (int k = p; k >= 1; k /= 2)
      for (int j = k & (p - 1); j + k < count; j += 2 * k) {
        // Whether j and j + k are in the same run of 2 p is the same for all of these.
        if ((j ^ (j + k)) >= 2 * p) continue;
        const int end = j + min(k, count - j - k);
        for (int i = j; i < end; i++) ORDER(v[i], v[i + k])
      }
}

// What at least `sample_rank` of a sample lie within, in each lane.
inline int16 threshold(global const int16 *block, int n, int sample_step, int sample_rank) {
  int16 low = 0x3f800000, high = 0x4b800000;
  for (int i = 0; i < 15; i++) {
    const int16 middle = low + ((high - low) >> 1);
    int16 count = 0;
    for (int j = 0; j < n; j += sample_step) count -= block[j] <= middle;
    const int16 enough = count >= sample_rank;
    high = select(high, middle, enough);
    low = select(middle, low, enough);
  }
  return high;
}

// Copies what lies within `limits` to the front of each lane's list, and fills the shorter lanes with infinite ones.
// Returns the length of the longest, rounded up to a multiple of 16.
inline int collect(global const int16 *block, int n, int16 limits, int *counts, global int16 *list) {
  for (int i = 0; i < 16; i++) counts[i] = 0;
  int limit[16];
  vstore16(limits, 0, limit);
  global int *out = (global int *)list;
  for (int j = 0; j < n; j++) {
    if (!any(block[j] <= limits)) continue;
    global const int *in = (global const int *)(block + j);
    // No branches, since they can't be foretold: what isn't wanted is written over.
    for (int i = 0; i < 16; i++) {
      out[(size_t)counts[i] * 16 + i] = in[i];
      counts[i] += in[i] <= limit[i];
    }
  }
  int longest = 0;
  for (int i = 0; i < 16; i++) longest = max(longest, counts[i]);
  longest = (longest + 15) / 16 * 16;
  for (int i = 0; i < 16; i++)
    for (int k = counts[i]; k < longest; k++) out[(size_t)k * 16 + i] = INFINITE;
  return longest;
}

// List 0: the nearest neighbours.
inline void add_nearest(global const int16 *block, int n, int limit, int16 inactive, float scale, int sample_step,
                        int sample_rank, global int16 *list, global ulong *sums) {
  int counts[16];
  int length;
  int enough = 0;
  if (sample_rank > 0) {
    length = collect(block, n, threshold(block, n, sample_step, sample_rank), counts, list);
    enough = 1;
    for (int i = 0; i < 16; i++) enough &= counts[i] >= limit;
  }
  if (!enough) length = collect(block, n, (int16)(INFINITE - 1), counts, list);
  sort_list(list, length);
  for (int k = 0; k < limit; k++)
    sums[k] += sum_of_lanes(scaled_root(as_float16(list[k]), scale) & as_uint16(~inactive));
}

// The other lists: the neighbours on a grid.
inline void add_surroundings(global const int16 *block, int n, int limit, int16 inactive, float scale,
                             global const int *layout, global const int2 *steps, global const int *ring_ends,
                             global const int *cells, int16 place, global ulong *sums) {
  const int columns = layout[0], rows = layout[1], torus = layout[2], rings = layout[5];
  steps += layout[3];
  ring_ends += layout[4];
  cells += layout[6];
  int own_x[16], own_y[16];
  int place_of[16];
  vstore16(place, 0, place_of);
  for (int i = 0; i < 16; i++) {
    own_y[i] = place_of[i] / columns;
    own_x[i] = place_of[i] - own_y[i] * columns;
  }
  const int16 x = vload16(0, own_x), y = vload16(0, own_y);
  const int16 lane = (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  global const int *distances = (global const int *)block;
  int16 ring[MAXIMUM_RING];
  // How many neighbours each lane has had. While they are the same, lanes are added up as vectors.
  int counts[16];
  for (int i = 0; i < 16; i++) counts[i] = 0;
  int alike = 1, least = 0;
  for (int r = 0, step = 0; r < rings && least < limit; r++) {
    const int end = ring_ends[r];
    const int size = end - step;
    int16 absent = 0;
    for (int i = 0; i < size; i++, step++) {
      const int2 way = steps[step];
      int16 cell_x = x + way.x, cell_y = y + way.y;
      int16 outside = 0;
      if (torus) {
        cell_x += select((int16)(0), (int16)(columns), cell_x < 0) - select((int16)(0), (int16)(columns), cell_x >= columns);
        cell_y += select((int16)(0), (int16)(rows), cell_y < 0) - select((int16)(0), (int16)(rows), cell_y >= rows);
      } else {
        outside = (cell_x < 0) | (cell_x >= columns) | (cell_y < 0) | (cell_y >= rows);
      }
      int item[16];
      vstore16(select(cell_y * columns + cell_x, place, outside), 0, item);
      for (int l = 0; l < 16; l++) item[l] = cells[item[l]];
      // A row's own item is infinite, as a hole is.
      int16 values;
      for (int l = 0; l < 16; l++) ((int *)&values)[l] = distances[(size_t)item[l] * 16 + l];
      absent |= values == INFINITE;
      ring[i] = values;
    }
    sort_ring(ring, size);
    if (alike && !any(absent)) {
      for (int k = 0; k < size && least + k < limit; k++)
        sums[least + k] += sum_of_lanes(scaled_root(as_float16(ring[k]), scale) & as_uint16(~inactive));
      for (int l = 0; l < 16; l++) counts[l] += size;
      least += size;
    } else {
      alike = 0;
      int first[16];
      for (int l = 0; l < 16; l++) first[l] = counts[l];
      for (int k = 0; k < size; k++) {
        uint roots[16];
        int there[16];
        const int16 present = ring[k] != INFINITE;
        vstore16(scaled_root(as_float16(select((int16)(0), ring[k], present)), scale) & as_uint16(~inactive), 0, roots);
        vstore16(present, 0, there);
        for (int l = 0; l < 16; l++) {
          if (there[l] && first[l] + k < limit) sums[first[l] + k] += roots[l];
          counts[l] -= there[l];
        }
      }
      least = counts[0];
      for (int l = 1; l < 16; l++) least = min(least, counts[l]);
    }
  }
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void distance_sums(global const uint *items, global const int *squares, global const int *rows,
                   global const int *layouts, global const int2 *steps, global const int *ring_ends,
                   global const int *cells, global const int *places, global int16 *all_blocks,
                   global int16 *all_lists, global ulong *all_sums, global ulong *totals, int first_row, int row_count,
                   int n, int pairs, int layout_count, int limit, int sample_step, int sample_rank, float scale) {
  const int worker = get_global_id(0), workers = get_global_size(0);
  const int n8 = (n + 7) / 8 * 8;
  global int16 *block = all_blocks + (size_t)worker * (n8 + 8);
  global int16 *list = all_lists + (size_t)worker * ((n + 15) / 16 * 16);
  global ulong *sums = all_sums + (size_t)worker * (1 + layout_count) * limit;
  for (int k = 0; k < (1 + layout_count) * limit; k++) sums[k] = 0;
  ulong total = 0;
  for (int first = worker * 16; first < row_count; first += workers * 16) {
    // Lanes beyond the last row repeat it, and don't count.
    int item[16], outside[16];
    for (int i = 0; i < 16; i++) {
      outside[i] = first + i < row_count ? 0 : -1;
      item[i] = rows[first_row + min(first + i, row_count - 1)];
    }
    const int16 inactive = vload16(0, outside);
    uint16 row[MAXIMUM_PAIRS];
    for (int i = 0; i < 16; i++)
      for (int p = 0; p < pairs; p++) ((uint *)&row[p])[i] = items[(size_t)item[i] * pairs + p];
    int16 row_square = 0;
    for (int p = 0; p < pairs; p++) row_square += PRODUCT(row[p], row[p]);
    total += fill_block(items, squares, row, row_square, inactive, n, pairs, scale, block);
    block[n] = INFINITE;
    for (int i = 0; i < 16; i++) ((global int *)(block + item[i]))[i] = INFINITE;

    add_nearest(block, n, limit, inactive, scale, sample_step, sample_rank, list, sums);
    for (int t = 0; t < layout_count; t++) {
      int place[16];
      for (int i = 0; i < 16; i++) place[i] = places[(size_t)t * n + item[i]];
      add_surroundings(block, n, limit, inactive, scale, layouts + t * 8, steps, ring_ends, cells, vload16(0, place),
                       sums + (size_t)(t + 1) * limit);
    }
  }
  totals[worker] = total;
}
