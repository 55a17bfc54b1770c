// The low-pass filter of the map: for each cell and dimension the mean of the vectors in a square window around it.
//
//   m(x, y, d) = floor((16 S + floor(c / 2)) / c)        16 times the mean, rounded: a fixed point of 4 bits
//   S = sum of the vectors in the window, c = how many items it holds
//
// The window is 2 radius + 1 cells wide and high; where the torus is smaller than that, it is the whole ring once; on an
// open grid it ends at the edges. A window without an item gives `fallback`. All of it is exact integer arithmetic: S
// stays below 2^32 up to 16.8 million items in a window.
//
// Layouts, CHUNK being the dimensions that one work item handles:
//
//   items      uchar  [chunks][n + 1][CHUNK]     the last row of each chunk is zero: the vector of a hole
//   cells      int    [rows][columns]            the item in each cell, n where it is a hole
//   fallback   ushort [chunks][CHUNK]
//   sums       uint   [strips][chunks][columns][CHUNK]     scratch: column sums
//   counts     uint   [strips][chunks][columns]            scratch: items in the column, if HOLES
//   filtered   ushort [chunks][rows][columns][CHUNK]
//
// One work item filters one chunk of dimensions in one strip of rows, as a running sum of column sums:
//
//        . . . . . . .        sums[x] = column x of the window's rows: one row enters, one leaves per row
//        . +-------+ .        S       = sum of sums[x - radius ... x + radius]: one enters, one leaves per cell
//        . |   m   | .
//        . +-------+ .        so a cell costs four vector additions whatever the radius.
//
// Work group (1, 1): work items share nothing. It suits processors, whose vectors are as wide as CHUNK.
//
//   -DCHUNK   4, 8 or 16: lanes of a vector
//   -DHOLES   1 if some cells may be empty, 0 if none is: the window's area is then its count

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define VLOAD PASTE(vload, CHUNK)
#define VSTORE PASTE(vstore, CHUNK)
#define UINTV PASTE(uint, CHUNK)
#define INTV PASTE(int, CHUNK)
#define TO_UINTV PASTE(convert_uint, CHUNK)
#define TO_FLOATV PASTE(convert_float, CHUNK)
#define TO_USHORTV PASTE(convert_ushort, CHUNK)
#define AS_INTV PASTE(as_int, CHUNK)
#define AS_UINTV PASTE(as_uint, CHUNK)

// 16 sum / count, rounded. The float quotient is off by one at most; the remainder, which is small and so survives the
// wrap of 16 sum, tells by how much.
inline UINTV rounded_mean(UINTV sum, uint count) {
  UINTV quotient = TO_UINTV(TO_FLOATV(sum) * (16.0f / (float)count));
  INTV remainder = AS_INTV((sum << 4) + (count >> 1) - quotient * count);
  return quotient + AS_UINTV(remainder < 0) - AS_UINTV(remainder >= (INTV)(int)count);
}

// Adds (sign +1) or takes away (-1) one row of cells from the column sums.
inline void accumulate_row(global const uchar *items, global const int *row, global uint *sums, global uint *counts,
                           int n, int columns, int sign) {
  for (int x = 0; x < columns; x++) {
    UINTV item = TO_UINTV(VLOAD(row[x], items));
    VSTORE(VLOAD(x, sums) + (sign > 0 ? item : (UINTV)(0) - item), x, sums);
#if HOLES
    counts[x] += row[x] == n ? 0 : sign;
#endif
  }
}

// One row enters the column sums and one leaves.
inline void slide_row(global const uchar *items, global const int *entering, global const int *leaving,
                      global uint *sums, global uint *counts, int n, int columns) {
  for (int x = 0; x < columns; x++) {
    UINTV in = TO_UINTV(VLOAD(entering[x], items));
    UINTV out = TO_UINTV(VLOAD(leaving[x], items));
    VSTORE(VLOAD(x, sums) + in - out, x, sums);
#if HOLES
    counts[x] += (entering[x] != n) - (leaving[x] != n);
#endif
  }
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void box_filter(global const uchar *all_items, global const int *cells, global const ushort *fallback,
                global uint *all_sums, global uint *all_counts, global ushort *all_filtered,
                int n, int columns, int rows, int radius, int torus, int strip_rows) {
  const int chunk = get_global_id(0);
  const int strip = get_global_id(1);
  const int chunks = get_global_size(0);
  global const uchar *items = all_items + (size_t)chunk * (n + 1) * CHUNK;
  global uint *sums = all_sums + (size_t)(strip * chunks + chunk) * columns * CHUNK;
  global uint *counts = all_counts + (size_t)(strip * chunks + chunk) * columns;
  global ushort *filtered = all_filtered + (size_t)chunk * rows * columns * CHUNK;
  const UINTV nothing = TO_UINTV(VLOAD(chunk, fallback));

  const int first = strip * strip_rows;
  const int end = min(first + strip_rows, rows);
  if (first >= end) return;
  // Whether the window holds every row, every column.
  const int all_rows = torus && 2 * radius + 1 >= rows;
  const int all_columns = torus && 2 * radius + 1 >= columns;

  for (int x = 0; x < columns; x++) {
    VSTORE((UINTV)(0), x, sums);
#if HOLES
    counts[x] = 0;
#endif
  }
  const int top = all_rows ? 0 : torus ? first - radius : max(first - radius, 0);
  const int bottom = all_rows ? rows - 1 : torus ? first + radius : min(first + radius, rows - 1);
  for (int y = top; y <= bottom; y++) {
    const int wrapped = y < 0 ? y + rows : y >= rows ? y - rows : y;
    accumulate_row(items, cells + (size_t)wrapped * columns, sums, counts, n, columns, 1);
  }

  for (int y = first; y < end; y++) {
    if (y > first && !all_rows) {
      const int entering = y + radius, leaving = y - radius - 1;
      if (torus) {
        slide_row(items, cells + (size_t)(entering >= rows ? entering - rows : entering) * columns,
                  cells + (size_t)(leaving < 0 ? leaving + rows : leaving) * columns, sums, counts, n, columns);
      } else {
        if (entering < rows)
          accumulate_row(items, cells + (size_t)entering * columns, sums, counts, n, columns, 1);
        if (leaving >= 0)
          accumulate_row(items, cells + (size_t)leaving * columns, sums, counts, n, columns, -1);
      }
    }

    UINTV sum = (UINTV)(0);
    uint count = 0;
    const int left = all_columns ? 0 : torus ? -radius : 0;
    const int right = all_columns ? columns - 1 : torus ? radius : min(radius, columns - 1);
    for (int x = left; x <= right; x++) {
      const int wrapped = x < 0 ? x + columns : x;
      sum += VLOAD(wrapped, sums);
#if HOLES
      count += counts[wrapped];
#endif
    }
#if !HOLES
    const uint height = all_rows ? rows : torus ? 2 * radius + 1 : min(y + radius, rows - 1) - max(y - radius, 0) + 1;
    count = height * (all_columns ? columns : 2 * radius + 1);
#endif

    for (int x = 0; x < columns; x++) {
      if (x > 0 && !all_columns) {
        int entering = x + radius, leaving = x - radius - 1;
        if (torus) {
          entering -= entering >= columns ? columns : 0;
          leaving += leaving < 0 ? columns : 0;
        }
        if (entering < columns) {
          sum += VLOAD(entering, sums);
#if HOLES
          count += counts[entering];
#endif
        }
        if (leaving >= 0) {
          sum -= VLOAD(leaving, sums);
#if HOLES
          count -= counts[leaving];
#endif
        }
      }
#if !HOLES
      if (!torus) count = height * (min(x + radius, columns - 1) - max(x - radius, 0) + 1);
#endif
      const UINTV mean = count == 0 ? nothing : rounded_mean(sum, count);
      VSTORE(TO_USHORTV(mean), (size_t)y * columns + x, filtered);
    }
  }
}
