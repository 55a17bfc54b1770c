// The narrowest filter of the map: for each cell the mean of the vectors in it and in the four cells beside it.
//
//   m(x, y, d) = floor((16 S + floor(c / 2)) / c)        16 times the mean, rounded, as in box_filter
//   S = sum of the vectors in the cross, c = how many items it holds, 1 ... 5
//
// On an open grid the cross ends at the edges; on a torus narrower than three cells a neighbour counts once. A cross
// without an item gives `fallback`. The layouts are box_filter's:
//
//   items      uchar  [chunks][n + 1][CHUNK]     the last row of each chunk is zero: the vector of a hole
//   cells      int    [rows][columns]            the item in each cell, n where it is a hole
//   fallback   ushort [chunks][CHUNK]
//   filtered   ushort [chunks][rows][columns][CHUNK]
//
// One work item filters `run` cells of a row, in one chunk of dimensions; the global range is (chunks, rows, runs in a
// row). Work group (1, 1, 1): work items share nothing. Processors take whole rows, devices with many lanes single cells.
//
//   -DCHUNK   4, 8 or 16: lanes of a vector

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
typedef PASTE(uchar, CHUNK) item_vector;
typedef PASTE(ushort, CHUNK) mean_vector;
#define TO_MEAN PASTE(convert_ushort, CHUNK)

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void cross_filter(global const item_vector *all_items, global const int *cells, global const mean_vector *fallback,
                  global mean_vector *all_filtered, int n, int columns, int rows, int torus, int run) {
  const int chunk = get_global_id(0);
  const int y = get_global_id(1);
  global const item_vector *items = all_items + (size_t)chunk * (n + 1);
  global const int *row = cells + (size_t)y * columns;
  // A neighbour that isn't there, or that another direction already reaches, is a hole.
  const int above_y = y > 0 ? y - 1 : torus && rows > 2 ? rows - 1 : -1;
  const int below_y = y + 1 < rows ? y + 1 : torus && rows > 2 ? 0 : -1;
  global const int *above = cells + (size_t)max(above_y, 0) * columns;
  global const int *below = cells + (size_t)max(below_y, 0) * columns;
  global mean_vector *out = all_filtered + ((size_t)chunk * rows + y) * columns;

  const int start = get_global_id(2) * run, end = min(start + run, columns);
  for (int x = start; x < end; x++) {
    const int before = x > 0 ? x - 1 : torus && columns > 2 ? columns - 1 : -1;
    const int after = x + 1 < columns ? x + 1 : torus && columns > 2 ? 0 : -1;
    const int a = row[x];
    const int b = before < 0 ? n : row[before];
    const int c = after < 0 ? n : row[after];
    const int d = above_y < 0 ? n : above[x];
    const int e = below_y < 0 ? n : below[x];
    const int count = (a != n) + (b != n) + (c != n) + (d != n) + (e != n);
    // The sum is at most 5 * 255; 16 times that fits a ushort. So does the product of the quotient with the count.
    const mean_vector sum =
        TO_MEAN(items[a]) + TO_MEAN(items[b]) + TO_MEAN(items[c]) + TO_MEAN(items[d]) + TO_MEAN(items[e]);
    const mean_vector numerator = (sum << (ushort)4) + (ushort)(count >> 1);
    // floor(v / count) by 2^16 / count, rounded up, which gives one too much at times; the product with the count tells.
    const ushort divisor = (ushort)max(count, 1);
    const mean_vector quotient =
        count <= 1 ? numerator : mul_hi(numerator, (mean_vector)((ushort)((65535 + divisor) / divisor)));
    const mean_vector mean = select(quotient, quotient - (ushort)1, quotient * divisor > numerator);
    out[x] = count == 0 ? fallback[chunk] : mean;
  }
}
