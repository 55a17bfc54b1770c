// The low-pass filter of the map for devices with many narrow lanes: what box_filter computes, in two kernels.
//
//   row_sums      for each cell and dimension the sum of the window's part in the cell's row, and its count of items
//   column_means  from those the sum over the window's rows, and floor((16 S + floor(c / 2)) / c), as in box_filter
//
// Each work item runs along one row, or one column, of one dimension as a running sum. Neighbouring work items have
// neighbouring dimensions, so that they read and write side by side:
//
//   items      uchar  [n + 1][slice]                the last vector is zero: a hole's
//   cells      int    [rows][columns]               the item in each cell, n where it is a hole
//   sums       uint   [rows][columns][dimensions]   scratch
//   counts     uint   [rows][columns]               items in the window's part in the row
//   fallback   ushort [slice]
//   filtered   ushort [slice / CHUNK][rows][columns][CHUNK]
//
// Of the `slice` dimensions of the buffers those from `first_dimension` on are filtered, as many as the sums have room for. The
// global range is (dimensions, rows) and (dimensions, columns). Work group (CHUNK, 1): dimensions are a multiple of it,
// and the driver may run several groups side by side.
//
//   -DCHUNK   4, 8 or 16: as in box_filter

// The window around `position`, not yet wrapped: where a ring is smaller than it, the ring once.
inline int window_first(int position, int length, int radius, int torus) {
  return torus ? (2 * radius + 1 >= length ? 0 : position - radius) : max(position - radius, 0);
}

inline int window_last(int position, int length, int radius, int torus) {
  return torus ? (2 * radius + 1 >= length ? length - 1 : position + radius) : min(position + radius, length - 1);
}

inline int wrapped(int position, int length) {
  return position < 0 ? position + length : position >= length ? position - length : position;
}

kernel __attribute__((reqd_work_group_size(CHUNK, 1, 1)))
void row_sums(global const uchar *items, global const int *cells, global uint *sums, global uint *counts,
              int n, int columns, int rows, int radius, int torus, int slice, int first_dimension) {
  const int d = get_global_id(0), y = get_global_id(1);
  const int dimensions = get_global_size(0);
  items += first_dimension + d;
  global const int *row = cells + (size_t)y * columns;
  uint sum = 0, count = 0;
  int first = window_first(0, columns, radius, torus), last = first - 1;
  for (int x = 0; x < columns; x++) {
    const int new_first = window_first(x, columns, radius, torus);
    const int new_last = window_last(x, columns, radius, torus);
    for (; last < new_last; last++) {
      const int item = row[wrapped(last + 1, columns)];
      sum += items[(size_t)item * slice];
      count += item != n;
    }
    for (; first < new_first; first++) {
      const int item = row[wrapped(first, columns)];
      sum -= items[(size_t)item * slice];
      count -= item != n;
    }
    const size_t cell = (size_t)y * columns + x;
    sums[cell * dimensions + d] = sum;
    if (d == 0) counts[cell] = count;
  }
}

kernel __attribute__((reqd_work_group_size(CHUNK, 1, 1)))
void column_means(global const uint *sums, global const uint *counts, global const ushort *fallback,
                  global ushort *filtered, int columns, int rows, int radius, int torus, int first_dimension) {
  const int d = get_global_id(0), x = get_global_id(1);
  const int dimensions = get_global_size(0);
  // The work groups are the chunks.
  const size_t chunk = first_dimension / CHUNK + get_group_id(0);
  global ushort *out = filtered + chunk * rows * columns * CHUNK + get_local_id(0);
  uint sum = 0, count = 0;
  int first = window_first(0, rows, radius, torus), last = first - 1;
  for (int y = 0; y < rows; y++) {
    const int new_first = window_first(y, rows, radius, torus);
    const int new_last = window_last(y, rows, radius, torus);
    for (; last < new_last; last++) {
      const size_t cell = (size_t)wrapped(last + 1, rows) * columns + x;
      sum += sums[cell * dimensions + d];
      count += counts[cell];
    }
    for (; first < new_first; first++) {
      const size_t cell = (size_t)wrapped(first, rows) * columns + x;
      sum -= sums[cell * dimensions + d];
      count -= counts[cell];
    }
    ushort mean = fallback[first_dimension + d];
    if (count != 0) {
      // As in box_filter: the float quotient is off by one at most, and the remainder tells by how much.
      uint quotient = (uint)(int)((float)sum * (16.0f / (float)count));
      const int remainder = (int)((sum << 4) + (count >> 1) - quotient * count);
      quotient = remainder < 0 ? quotient - 1 : remainder >= (int)count ? quotient + 1 : quotient;
      mean = (ushort)quotient;
    }
    out[((size_t)y * columns + x) * CHUNK] = mean;
  }
}
