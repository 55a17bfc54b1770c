// `search` for GPUs: which vectors of a library are nearer to queries than a limit. search.cl says what is computed and
// how the buffers are laid out, here with TILE = 1.
//
// Work group (GROUP): a work item keeps one item in registers while all queries go by, which all of a group read at the
// same time. The global range covers the items from first_block on.
//
//   -DGROUP   work items of a group

#ifndef GROUP
#define GROUP 64
#endif
#define CONTENT 16
#define APPEARANCE 13
#define ROWS 31
#define STRIDE 60
#define SQUARES 58

// The products of the four bytes of x with those in two numbers of two.
inline int dot4(uint x, uint even, uint odd) {
  return (x & 255) * (even & 0xffff) + (x >> 16 & 255) * (even >> 16) + (x >> 8 & 255) * (odd & 0xffff)
         + (x >> 24) * (odd >> 16);
}

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void search(global const uint *blocks, global const uint *queries, global const ulong *limits,
                   global uint *count, global uint4 *found, uint content_factor, uint appearance_factor,
                   int first_block, int block_count, int run, int item_count, int query_count, int diagonal,
                   uint capacity) {
  const int item = first_block * 16 + (int)get_global_id(0);
  if (item >= item_count || item >= (first_block + block_count) * 16) return;
  global const uint *column = blocks + (size_t)(item >> 4) * (ROWS * 16) + (item & 15);
  uint x[ROWS];
  #pragma unroll
  for (int r = 0; r < ROWS; r++) x[r] = column[r * 16];
  for (int q = 0; q < query_count; q++) {
    global const uint *query = queries + (size_t)q * STRIDE;
    int content = 0, appearance = 0;
    #pragma unroll
    for (int r = 0; r < CONTENT; r++) content += dot4(x[r], query[2 * r], query[2 * r + 1]);
    #pragma unroll
    for (int r = CONTENT; r < CONTENT + APPEARANCE; r++) appearance += dot4(x[r], query[2 * r], query[2 * r + 1]);
    content = (int)x[CONTENT + APPEARANCE] + (int)query[SQUARES] - 2 * content;
    appearance = (int)x[CONTENT + APPEARANCE + 1] + (int)query[SQUARES + 1] - 2 * appearance;
    const ulong key = (ulong)content_factor * (uint)content + (ulong)appearance_factor * (uint)appearance;
    if (key < limits[q] && item > q + diagonal) {
      const uint place = atomic_inc(count);
      if (place < capacity) found[place] = (uint4)(q, item, (uint)key, (uint)(key >> 32));
    }
  }
}
