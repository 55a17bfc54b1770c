// How far the neighbours of items lie from them, for devices with many narrow lanes: the sums that distance.cl's head
// defines, bit for bit, in kernels that run one after the other for a batch of rows, a row to each worker:
//
//   distances      the squared distances of each row to all items: whole numbers; ABSENT to itself and to a hole
//   nearest        adds up list 0: those within the threshold are sorted, in local memory where they fit
//   surroundings   adds up the list of a layout: each lane puts rings of the grid in order
//   add_sums       once after the last batch: adds the workers' sums up in the first one's
//
//   items      uchar4 [dimensions / 4][n]          dimensions rounded up to a multiple of 4, with zeros
//   rows, layouts, steps, ring_ends, cells, places as in distance.cl
//   blocks     int    [workers][n + 1]             distances; the last one is a hole's
//   lists      int    [workers][n]                 scratch: what is in order
//   sums       ulong  [workers][lists][limit]      zero before the first batch
//   totals     ulong  [workers][GROUP]             likewise
//
// Work group (GROUP): a group has one row, but for `distances`, whose range is (n + 1, rows), and `add_sums`, whose is
// (sums). No barrier stands under a condition, and no kernel holds many: PoCL copies what follows one, and compiling
// took minutes where all was one kernel.
//
//   -DGROUP   lanes of a work group, a power of two

#define ABSENT 0x7fffffff
#define LOCAL_LIST 2048

// As in distance.cl.
inline uint scaled_root(float x, float scale) {
  const float half_x = x * 0.5f;
  float y = as_float(0x5f3759df - (as_int(x) >> 1));
  for (int i = 0; i < 3; i++) y = y * fma(-(half_x * y), y, 1.5f);
  const float root = x * y;
  return (uint)(int)(fma(fma(-root, root, x), y * 0.5f, root) * scale);
}

// Batcher's merging network.
#define DEFINE_SORT(NAME, SPACE, FENCE)                                    \
  inline void NAME(SPACE int *v, int count, int lane) {                    \
    for (int p = 1; p < count; p *= 2)                                     \
      for (int k = p; k >= 1; k /= 2) {                                    \
        barrier(FENCE);                                                    \
        const int start = k & (p - 1);                                     \
        for (int t = lane;; t += GROUP) {                                  \
          const int i = start + (t & ~(k - 1)) * 2 + (t & (k - 1));        \
          if (i + k >= count) break;                                       \
          const int a = v[i], b = v[i + k];                                \
          if ((i ^ (i + k)) < 2 * p && a > b) {                            \
            v[i] = b;                                                      \
            v[i + k] = a;                                                  \
          }                                                                \
        }                                                                  \
      }                                                                    \
    barrier(FENCE);                                                        \
  }
DEFINE_SORT(sort_global, global, CLK_GLOBAL_MEM_FENCE)
DEFINE_SORT(sort_local, local, CLK_LOCAL_MEM_FENCE)

// What at least `sample_rank` of a sample lie within; where that is 0, what all do.
inline int threshold(global const int *block, int n, int sample_step, int sample_rank, int lane, local int *counter) {
  int low = sample_rank > 0 ? 0 : ABSENT - 1, high = sample_rank > 0 ? 1 << 23 : ABSENT - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (lane == 0) *counter = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int count = 0;
    for (int j = lane * sample_step; j < n; j += GROUP * sample_step) count += block[j] <= middle;
    atomic_add(counter, count);
    barrier(CLK_LOCAL_MEM_FENCE);
    const int enough = *counter >= sample_rank;
    low = enough ? low : middle + 1;
    high = enough ? middle : high;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return high;
}

// The distance to what is a step away, ABSENT where nothing is.
inline int neighbour(global const int *block, global const int *cells, int2 step, int x, int y, int columns, int rows,
                     int torus) {
  x += step.x;
  y += step.y;
  if (torus) {
    x += x < 0 ? columns : x >= columns ? -columns : 0;
    y += y < 0 ? rows : y >= rows ? -rows : 0;
  } else if (x < 0 || x >= columns || y < 0 || y >= rows) {
    return ABSENT;
  }
  return block[cells[(size_t)y * columns + x]];
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void distances(global const uchar4 *items, global const int *rows, global int *blocks, int first_row, int n,
               int dimensions) {
  const int j = get_global_id(0), row = get_global_id(1);
  if (j > n) return;
  const int own = rows[first_row + row];
  int square = 0;
  for (int d = 0; d < dimensions / 4 && j < n; d++) {
    const int4 difference = convert_int4(items[(size_t)d * n + own]) - convert_int4(items[(size_t)d * n + j]);
    square += difference.x * difference.x + difference.y * difference.y + difference.z * difference.z +
              difference.w * difference.w;
  }
  blocks[(size_t)row * (n + 1) + j] = j == own || j == n ? ABSENT : square;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void nearest(global const int *blocks, global int *lists, global ulong *all_sums, global ulong *totals, int n,
             int list_count, int limit, int sample_step, int sample_rank, float scale) {
  local int counter;
  local int local_list[LOCAL_LIST];
  const int lane = get_local_id(0), worker = get_group_id(0);
  global const int *block = blocks + (size_t)worker * (n + 1);
  global int *list = lists + (size_t)worker * n;
  global ulong *sums = all_sums + (size_t)worker * list_count * limit;
  ulong total = 0;
  for (int j = lane; j < n; j += GROUP) total += block[j] == ABSENT ? 0 : scaled_root((float)block[j], scale);
  totals[get_global_id(0)] += total;

  int bound = threshold(block, n, sample_step, sample_rank, lane, &counter);
  int length = 0;
  while (length < limit) {
    if (lane == 0) counter = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    // In any order: it is sorted next.
    for (int j = lane; j < n; j += GROUP)
      if (block[j] <= bound) list[atomic_inc(&counter)] = block[j];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    length = counter;
    bound = ABSENT - 1;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  const int in_local = length <= LOCAL_LIST;
  for (int k = lane; in_local && k < length; k += GROUP) local_list[k] = list[k];
  sort_local(local_list, in_local ? length : 0, lane);
  sort_global(list, in_local ? 0 : length, lane);
  for (int k = lane; k < limit; k += GROUP)
    sums[k] += scaled_root((float)(in_local ? local_list[k] : list[k]), scale);
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void surroundings(global const int *rows_of_batch, global const int *layouts, global const int2 *all_steps,
                  global const int *all_ring_ends, global const int *all_cells, global const int *places,
                  global const int *blocks, global int *lists, global ulong *all_sums, int first_row, int n,
                  int list_count, int number, int limit, float scale) {
  local int counts[GROUP];
  const int lane = get_local_id(0), worker = get_group_id(0);
  global const int *block = blocks + (size_t)worker * (n + 1);
  global int *list = lists + (size_t)worker * n;
  global ulong *sums = all_sums + ((size_t)worker * list_count + number) * limit;
  global const int *layout = layouts + (number - 1) * 8;
  const int columns = layout[0], rows = layout[1], torus = layout[2], rings = layout[5];
  global const int2 *steps = all_steps + layout[3];
  global const int *ring_ends = all_ring_ends + layout[4];
  global const int *cells = all_cells + layout[6];
  const int place = places[(size_t)(number - 1) * n + rows_of_batch[first_row + worker]];
  const int y = place / columns;
  const int x = place - y * columns;
  int length = 0;
  for (int first = 0; first < rings && length < limit; first += GROUP) {
    const int ring = first + lane;
    const int begin = ring > 0 && ring < rings ? ring_ends[ring - 1] : 0;
    const int end = ring < rings ? ring_ends[ring] : 0;
    // Once to count, and once more to write in order.
    int count = 0;
    for (int step = begin; step < end; step++)
      count += neighbour(block, cells, steps[step], x, y, columns, rows, torus) != ABSENT;
    counts[lane] = count;
    barrier(CLK_LOCAL_MEM_FENCE);
    int start = length;
    for (int i = 0; i < lane; i++) start += counts[i];
    for (int i = 0; i < GROUP; i++) length += counts[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    int next = start;
    for (int step = begin; step < end; step++) {
      const int value = neighbour(block, cells, steps[step], x, y, columns, rows, torus);
      if (value == ABSENT) continue;
      int k = next++;
      for (; k > start && list[k - 1] > value; k--) list[k] = list[k - 1];
      list[k] = value;
    }
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (int k = lane; k < limit; k += GROUP) sums[k] += scaled_root((float)list[k], scale);
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void add_sums(global ulong *sums, int count, int workers) {
  const int k = get_global_id(0);
  if (k >= count) return;
  ulong sum = sums[k];
  for (int worker = 1; worker < workers; worker++) sum += sums[(size_t)worker * count + k];
  sums[k] = sum;
}
