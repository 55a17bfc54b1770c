// How far items in cells that share a side lie from each other: the sum of their distances, and how many such pairs there
// are.
//
//   sum   = sum over pairs of floor(scale root(d2))     root and scale as in distance.cl: whole numbers below 2^28
//   d2    = sum over dimensions of (a - b)^2            at most 128 * 255^2 < 2^24
//
// On a torus a side of one or two cells has no pair across its edge. Holes have no part in it.
//
//   items   uchar16 [n][chunks]          dimensions filled up with zeros to whole chunks of 16
//   cells   int     [rows][columns]      the item in each cell, `hole` where there is none
//   sums    ulong   [runs]
//   pairs   int     [runs]
//
// One work item takes the pairs to the right and below of RUN cells; the global range is (runs). Work group (1): nothing
// is shared.
//
//   -DRUN   cells of a work item

// As in distance.cl.
inline uint scaled_root(float x, float scale) {
  const float half_x = x * 0.5f;
  float y = as_float(0x5f3759df - (as_int(x) >> 1));
  for (int i = 0; i < 3; i++) y = y * fma(-(half_x * y), y, 1.5f);
  const float root = x * y;
  return (uint)(int)(fma(fma(-root, root, x), y * 0.5f, root) * scale);
}

inline int squared_distance(global const uchar16 *a, global const uchar16 *b, int chunks) {
  int16 sums = 0;
  for (int c = 0; c < chunks; c++) {
    const int16 difference = convert_int16(a[c]) - convert_int16(b[c]);
    sums += difference * difference;
  }
  int lanes[16];
  vstore16(sums, 0, lanes);
  int sum = 0;
  for (int i = 0; i < 16; i++) sum += lanes[i];
  return sum;
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void neighbours(global const uchar16 *items, global const int *cells, global ulong *sums, global int *pairs, int hole,
                int columns, int rows, int torus, int chunks, float scale) {
  const size_t run = get_global_id(0);
  const size_t cell_count = (size_t)columns * rows;
  const size_t end = min((run + 1) * RUN, cell_count);
  ulong sum = 0;
  int count = 0;
  for (size_t cell = run * RUN; cell < end; cell++) {
    const int y = (int)(cell / columns);
    const int x = (int)(cell - (size_t)y * columns);
    // A neighbour that isn't there is the cell itself.
    const size_t across = x + 1 < columns ? cell + 1 : torus && columns > 2 ? cell + 1 - columns : cell;
    const size_t down = y + 1 < rows ? cell + columns : torus && rows > 2 ? (size_t)x : cell;
    const int item = cells[cell];
    const int beside = across == cell ? hole : cells[across], below = down == cell ? hole : cells[down];
    global const uchar16 *vector = items + (size_t)item * chunks;
    if (item == hole) continue;
    if (beside != hole) {
      sum += scaled_root((float)squared_distance(vector, items + (size_t)beside * chunks, chunks), scale);
      count++;
    }
    if (below != hole) {
      sum += scaled_root((float)squared_distance(vector, items + (size_t)below * chunks, chunks), scale);
      count++;
    }
  }
  sums[run] = sum;
  pairs[run] = count;
}
