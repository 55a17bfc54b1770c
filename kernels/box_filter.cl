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
// Every vector is aligned to its size, since each layout begins a buffer and CHUNK elements are a vector.
//
// Work group (1, 1): work items share nothing. It suits processors, whose vectors are as wide as CHUNK.
//
//   -DCHUNK   4, 8 or 16: lanes of a vector
//   -DHOLES   1 if some cells may be empty, 0 if none is: the window's area is then its count

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
typedef PASTE(uchar, CHUNK) item_vector;
typedef PASTE(ushort, CHUNK) mean_vector;
typedef PASTE(uint, CHUNK) sum_vector;
typedef PASTE(int, CHUNK) signed_vector;
#define TO_SUM PASTE(convert_uint, CHUNK)
#define TO_FLOAT PASTE(convert_float, CHUNK)
#define TO_MEAN PASTE(convert_ushort, CHUNK)
#define AS_SIGNED PASTE(as_int, CHUNK)
#define AS_SUM PASTE(as_uint, CHUNK)

// 16 sum / count, rounded. The float quotient is off by one at most; the remainder, which is small and so survives the
// wrap of 16 sum, tells by how much.
inline mean_vector rounded_mean(sum_vector sum, uint count, float reciprocal) {
  const sum_vector quotient = AS_SUM(PASTE(convert_int, CHUNK)(TO_FLOAT(sum) * reciprocal));
  const signed_vector remainder = AS_SIGNED((sum << 4) + (count >> 1) - quotient * count);
  return TO_MEAN(quotient + AS_SUM(remainder < 0) - AS_SUM(remainder >= (signed_vector)((int)count)));
}

// Rows of cells enter and leave the column sums.
inline void add_row(global const item_vector *items, global const int *row, global sum_vector *sums,
                    global uint *counts, int n, int columns) {
  for (int x = 0; x < columns; x++) {
    sums[x] += TO_SUM(items[row[x]]);
#if HOLES
    counts[x] += row[x] != n;
#endif
  }
}

inline void remove_row(global const item_vector *items, global const int *row, global sum_vector *sums,
                       global uint *counts, int n, int columns) {
  for (int x = 0; x < columns; x++) {
    sums[x] -= TO_SUM(items[row[x]]);
#if HOLES
    counts[x] -= row[x] != n;
#endif
  }
}

inline void replace_row(global const item_vector *items, global const int *entering, global const int *leaving,
                        global sum_vector *sums, global uint *counts, int n, int columns) {
  for (int x = 0; x < columns; x++) {
    sums[x] += TO_SUM(items[entering[x]]) - TO_SUM(items[leaving[x]]);
#if HOLES
    counts[x] += (entering[x] != n) - (leaving[x] != n);
#endif
  }
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void box_filter(global const item_vector *all_items, global const int *cells, global const mean_vector *fallback,
                global sum_vector *all_sums, global uint *all_counts, global mean_vector *all_filtered,
                int n, int columns, int rows, int radius, int torus, int strip_rows) {
  const int chunk = get_global_id(0);
  const int strip = get_global_id(1);
  const int chunks = get_global_size(0);
  const int first = strip * strip_rows;
  const int end = min(first + strip_rows, rows);
  if (first >= end) return;
  global const item_vector *items = all_items + (size_t)chunk * (n + 1);
  global sum_vector *sums = all_sums + (size_t)(strip * chunks + chunk) * columns;
  global uint *counts = all_counts + (size_t)(strip * chunks + chunk) * columns;
  global mean_vector *filtered = all_filtered + (size_t)chunk * rows * columns;
  const mean_vector nothing = fallback[chunk];

  // Whether the window holds every row, every column.
  const int all_rows = torus && 2 * radius + 1 >= rows;
  const int all_columns = torus && 2 * radius + 1 >= columns;
  for (int x = 0; x < columns; x++) {
    sums[x] = (sum_vector)(0);
#if HOLES
    counts[x] = 0;
#endif
  }
  const int top = all_rows ? 0 : torus ? first - radius : max(first - radius, 0);
  const int bottom = all_rows ? rows - 1 : torus ? first + radius : min(first + radius, rows - 1);
  for (int y = top; y <= bottom; y++) {
    const int wrapped = y < 0 ? y + rows : y >= rows ? y - rows : y;
    add_row(items, cells + (size_t)wrapped * columns, sums, counts, n, columns);
  }

  // From `last_entering` on no new column enters on an open grid, and on a torus it comes from the other edge; before
  // `first_leaving` none leaves, or it goes from the other edge. Between those, steps of the window are all alike.
  const int last_entering = all_columns ? columns : clamp(columns - radius, 1, columns);
  const int first_leaving = all_columns ? columns : clamp(radius + 1, 1, columns);
  const int bounds[4] = {1, min(last_entering, first_leaving), max(last_entering, first_leaving), columns};

  for (int y = first; y < end; y++) {
    if (y > first && !all_rows) {
      const int entering = y + radius, leaving = y - radius - 1;
      global const int *entering_row = cells + (size_t)(entering >= rows ? entering - rows : entering) * columns;
      global const int *leaving_row = cells + (size_t)(leaving < 0 ? leaving + rows : leaving) * columns;
      const int enters = torus || entering < rows, leaves = torus || leaving >= 0;
      if (enters && leaves)
        replace_row(items, entering_row, leaving_row, sums, counts, n, columns);
      else if (enters)
        add_row(items, entering_row, sums, counts, n, columns);
      else if (leaves)
        remove_row(items, leaving_row, sums, counts, n, columns);
    }

    // The window of the first cell.
    sum_vector sum = (sum_vector)(0);
    uint count = 0;
    const uint height = all_rows ? rows : torus ? 2 * radius + 1 : min(y + radius, rows - 1) - max(y - radius, 0) + 1;
    const int left = torus && !all_columns ? -radius : 0;
    const int right = all_columns ? columns - 1 : torus ? radius : min(radius, columns - 1);
    for (int x = left; x <= right; x++) {
      const int wrapped = x < 0 ? x + columns : x;
      sum += sums[wrapped];
#if HOLES
      count += counts[wrapped];
#else
      count += height;
#endif
    }
    global mean_vector *row = filtered + (size_t)y * columns;
    float reciprocal = 16.0f / (float)count;
    row[0] = count == 0 ? nothing : rounded_mean(sum, count, reciprocal);

    for (int segment = 0; segment < 3; segment++) {
      const int from = bounds[segment], to = bounds[segment + 1];
      const int enters = !all_columns && (torus || from < last_entering);
      const int leaves = !all_columns && (torus || from >= first_leaving);
      const int entering = radius - (from >= last_entering ? columns : 0);
      const int leaving = -radius - 1 + (from < first_leaving ? columns : 0);
      for (int x = from; x < to; x++) {
        if (enters) sum += sums[x + entering];
        if (leaves) sum -= sums[x + leaving];
#if HOLES
        if (enters) count += counts[x + entering];
        if (leaves) count -= counts[x + leaving];
        reciprocal = 16.0f / (float)count;
#else
        if (enters != leaves) {
          count += enters ? height : -height;
          reciprocal = 16.0f / (float)count;
        }
#endif
        row[x] = count == 0 ? nothing : rounded_mean(sum, count, reciprocal);
      }
    }
  }
}
