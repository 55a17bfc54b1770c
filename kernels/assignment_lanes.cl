// The swaps of one pass for devices whose lanes work in step: what assignment computes, one work group for each group of
// cells and one lane for each cell.
//
// The problem, the layouts of all buffers, the order of all decisions and so the result are those of assignment.cl; only
// who does what differs. In local memory:
//
//   vectors    float [GROUP][CHUNK]          a slice of the items' dimensions
//   costs      int   [GROUP][GROUP + 1]      items by cells; the odd stride keeps columns in different banks
//   item, owner, previous, potential         int [GROUP]
//   first_cell                               int [GROUP]    the lowest cell that an item costs least
//   free                                     int [GROUP]    1 for cells that take part: inside, and not pinned
//
// Lane b keeps in registers what belongs to cell b: its target's slice, its products with all items, the length of the
// shortest path to it. A row's minimum is found by one lane for each item, the nearest cell by a tree over the lanes.
//
// Work group (GROUP, 1, 1), the lanes of one group; the global range is (GROUP * groups of the largest block,
// block_columns, block_rows). All branches around barriers depend on values that every lane of the group has alike.
//
//   -DGROUP   16, 32 or 64: cells in a group
//   -DCHUNK   4, 8 or 16: as in box_filter
//   -DPINS    1 if some cells are pinned, 0 if none is

#define LANE_BITS (GROUP == 16 ? 4 : GROUP == 32 ? 5 : 6)
#define UNREACHED 0x7fffffff

inline uint mix(uint x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

inline uint shuffled(uint x, uint count, uint key) {
  const uint bits = count <= 1 ? 0 : 32 - clz(count - 1);
  const uint low_bits = (bits + 1) / 2;
  const uint low_mask = (1u << low_bits) - 1, high_mask = (1u << (bits - low_bits)) - 1;
  do {
    uint high = x >> low_bits, low = x & low_mask;
    high ^= mix(low + key) & high_mask;
    low ^= mix(high + (key ^ 0x9e3779b9u)) & low_mask;
    high ^= mix(low + (key ^ 0x85ebca6bu)) & high_mask;
    low ^= mix(high + (key ^ 0xc2b2ae35u)) & low_mask;
    x = high << low_bits | low;
  } while (x >= count);
  return x;
}

// The smallest value of all lanes, in every lane.
inline int least_of_lanes(int value, int lane, local int *scratch) {
  scratch[lane] = value;
  for (int reach = GROUP / 2; reach > 0; reach /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < reach) scratch[lane] = min(scratch[lane], scratch[lane + reach]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int result = scratch[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return result;
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void assignment_lanes(global const uchar *items0, global const uchar *items1, global const uchar *items2,
                      global const uchar *items3, global const ushort *filtered0, global const ushort *filtered1,
                      global const ushort *filtered2, global const ushort *filtered3, global int *cells,
                      global const uchar *pinned, global const int *blocks, int schedule, int hole, int columns,
                      int rows, int slice, int dimensions, int shift, uint key) {
  local float vectors[GROUP][CHUNK];
  local int costs[GROUP][GROUP + 1];
  local int free[GROUP], item[GROUP], owner[GROUP], previous[GROUP], potential[GROUP], first_cell[GROUP], scratch[GROUP];

  const int lane = get_local_id(0);
  const int block_x = get_global_id(1), block_y = get_global_id(2);
  const int block_columns = get_global_size(1), block_rows = get_global_size(2);
  blocks += schedule;
  const int left = blocks[block_x], width = blocks[block_columns + block_x];
  const int top = blocks[2 * block_columns + block_y], height = blocks[2 * block_columns + block_rows + block_y];
  const int first = get_group_id(0) * GROUP;
  const int count = min(GROUP, width * height - first);
  if (count <= 1) return;

  // Lanes outside stand at the first cell and hold nothing.
  int inside = lane < count;
  const uint block_key = mix(key + (uint)(block_y * block_columns + block_x) * 0x9e3779b9u);
  const int position = shuffled(inside ? first + lane : first, width * height, block_key);
  const int x = (left + position % width) % columns, y = (top + position / width) % rows;
  const int cell = y * columns + x;
#if PINS
  inside = inside && !pinned[cell];
#endif
  free[lane] = inside;
  item[lane] = lane < count ? cells[cell] : hole;
  barrier(CLK_LOCAL_MEM_FENCE);

  // Costs: |m|^2 - 32 x.m, less the least of the item, shifted.
  const size_t cell_count = (size_t)columns * rows;
  int products[GROUP];
  for (int a = 0; a < GROUP; a++) products[a] = 0;
  int square = 0;
  for (int d = 0; d < dimensions; d += CHUNK) {
    const int number = d / slice;
    const int within = d - number * slice;
    global const uchar *items = number == 0 ? items0 : number == 1 ? items1 : number == 2 ? items2 : items3;
    global const ushort *filtered =
        number == 0 ? filtered0 : number == 1 ? filtered1 : number == 2 ? filtered2 : filtered3;
    float target[CHUNK];
    for (int e = 0; e < CHUNK; e++) {
      target[e] = (float)filtered[(size_t)within * cell_count + (size_t)cell * CHUNK + e];
      square += (int)(target[e] * target[e]);
      vectors[lane][e] = (float)items[(size_t)item[lane] * slice + within + e];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int a = 0; a < GROUP; a++) {
      float sum = 0.0f;
      for (int e = 0; e < CHUNK; e++) sum = fma(vectors[a][e], target[e], sum);
      products[a] += (int)sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int a = 0; a < GROUP; a++) costs[a][lane] = (int)((uint)square - ((uint)products[a] << 5));
  barrier(CLK_LOCAL_MEM_FENCE);
  int least = UNREACHED;
  for (int b = 0; b < count; b++)
    if (free[b]) least = min(least, costs[lane][b]);
  for (int b = 0; b < count; b++) costs[lane][b] = item[lane] == hole ? 0 : (costs[lane][b] - least) >> shift;
  owner[lane] = -1;
  first_cell[lane] = UNREACHED;
  barrier(CLK_LOCAL_MEM_FENCE);

  // A cell's potential begins as the least that it costs an item, and each cell in order takes that item if no cell has
  // it yet; the items left over are bits of `waiting`.
  int nearest = UNREACHED;
  for (int a = 0; a < count; a++)
    if (free[a]) nearest = min(nearest, costs[a][lane] << LANE_BITS | a);
  const int wanted = nearest & (GROUP - 1);
  potential[lane] = nearest >> LANE_BITS;
  if (inside) atomic_min(&first_cell[wanted], lane);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (inside && first_cell[wanted] == lane) owner[lane] = wanted;
  ulong waiting = 0;
  for (int a = 0; a < count; a++) waiting |= (ulong)(free[a] && first_cell[a] == UNREACHED) << a;
  barrier(CLK_LOCAL_MEM_FENCE);

  // The others follow the shortest path of reduced costs to a free cell.
  for (int start = 0; start < count; start++) {
    if (!(waiting >> start & 1)) continue;
    int length = UNREACHED, done = !inside, in_tree = 0;
    int a = start, b = -1, base = 0, shortest = 0;
    previous[lane] = -1;
    for (;;) {
      const int through = costs[a][lane] - potential[lane] + base;
      if (!done && through < length) {
        length = through;
        previous[lane] = b;
      }
      const int best = least_of_lanes(done ? UNREACHED : length << LANE_BITS | lane, lane, scratch);
      b = best & (GROUP - 1);
      shortest = best >> LANE_BITS;
      if (owner[b] < 0) break;
      if (lane == b) done = in_tree = 1;
      a = owner[b];
      base = shortest - (costs[a][b] - potential[b]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in_tree) potential[lane] += length - shortest;
    if (lane == 0) {
      while (b >= 0) {
        const int before = previous[b];
        owner[b] = before < 0 ? start : owner[before];
        b = before;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (inside) cells[cell] = item[owner[lane]];
}
