// The appearance vector: layout of colour and edges of a picture in 50 bytes, in integers, so that every device gives
// the same bits. What each byte is: Sources/Features/Appearance/AppearanceVector.swift, where the sources are named too.
//
//   block mean (linear light) -> Oklab;   per cell of 4x4 blocks: sums of L, a, b, windows of 2x2 blocks by kind of edge
//   bytes 0..<30:  ((sum over cells of (cell sum >> 8) basis) >> 8) weight / 2^16, rounded, + offset
//   bytes 30..<50: 7 / 2 of the number of windows of a kind in a quarter of the picture
//
// in two kernels: the cells, and the bytes, which need all cells.
//
// Buffers:
//
//   x        [pictures][size][size][3] uchar   RGB
//   linear   [256] int                         0...65535, the linear value of a byte of sRGB
//   cells    [pictures][64][8] int             L, a, b, vertical, horizontal, 45, 135 degrees, nondirectional
//   basis    [10][64] int                      the cosine basis in seven bits
//   weights  [30] int, offsets [30] int
//   bytes    [pictures][byteStride] uchar      the appearance vector starts at firstByte of each row
//
//   picture = 8x8 cells     cell = 4x4 blocks, 3x3 windows     block = size / 32 pixels squared
//
// Work group: GROUP cells, then GROUP bytes, of one picture; GROUP divides 64. A work item is one cell or byte: enough
// of them for a GPU at 32 pictures, and each with enough to do for a CPU.
//
//   GROUP  work items of a group

#define CELLS 64
#define CELL_VALUES 8
#define BLOCKS 32
#define FREQUENCIES 10
#define LAYOUT_BYTES 30
#define EDGE_KINDS 5
#define APPEARANCE_BYTES 50
#define EDGE_THRESHOLD 100000

// The cube root rounded down, bit by bit (Hacker's Delight, 11-2).
int cube_root(uint rest) {
  uint root = 0;
  for (int shift = 30; shift >= 0; shift -= 3) {
    root <<= 1;
    const uint step = (3 * root * (root + 1) + 1) << shift;
    if (rest >= step) {
      rest -= step;
      root += 1;
    }
  }
  return (int)root;
}

// L, a, b of a linear colour whose channels are 0...16 * 65535.
int3 oklab(uint3 rgb) {
  const int l = cube_root(1688 * rgb.x + 2197 * rgb.y + 211 * rgb.z);
  const int m = cube_root(868 * rgb.x + 2788 * rgb.y + 440 * rgb.z);
  const int s = cube_root(362 * rgb.x + 1154 * rgb.y + 2580 * rgb.z);
  return (int3)(215 * l + 813 * m - 4 * s, 2026 * l - 2487 * m + 461 * s, 27 * l + 801 * m - 828 * s);
}

int3 mean_colour(global const uchar *picture, global const int *linear, int size, int row, int column) {
  const int top = row * size / BLOCKS, bottom = (row + 1) * size / BLOCKS;
  const int left = column * size / BLOCKS, right = (column + 1) * size / BLOCKS;
  uint3 sum = 0;
  for (int y = top; y < bottom; ++y) {
    for (int x = left; x < right; ++x) {
      global const uchar *pixel = picture + (y * size + x) * 3;
      sum += (uint3)(linear[pixel[0]], linear[pixel[1]], linear[pixel[2]]);
    }
  }
  return oklab(sum * 16 / (uint)((bottom - top) * (right - left)));
}

// The kind with the strongest response, the first of equals; EDGE_KINDS where all are weak.
int edge_kind(int topLeft, int topRight, int bottomLeft, int bottomRight) {
  const int responses[EDGE_KINDS] = {
      (int)abs(topLeft - topRight + bottomLeft - bottomRight),
      (int)abs(topLeft + topRight - bottomLeft - bottomRight),
      (int)(181 * abs(topLeft - bottomRight)) >> 7,
      (int)(181 * abs(topRight - bottomLeft)) >> 7,
      2 * (int)abs(topLeft - topRight - bottomLeft + bottomRight),
  };
  int strongest = 0;
  for (int kind = 1; kind < EDGE_KINDS; ++kind) {
    if (responses[kind] > responses[strongest]) strongest = kind;
  }
  return responses[strongest] > EDGE_THRESHOLD ? strongest : EDGE_KINDS;
}

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void appearance_cells(global const uchar *x, global const int *linear, global int *cells, int size) {
  const int cell = get_global_id(0);
  const int picture = get_global_id(1);
  global const uchar *input = x + (size_t)picture * size * size * 3;

  int lightness[16];
  int3 sum = 0;
  for (int block = 0; block < 16; ++block) {
    const int3 colour = mean_colour(input, linear, size, cell / 8 * 4 + block / 4, cell % 8 * 4 + block % 4);
    lightness[block] = colour.x;
    sum += colour;
  }
  // One more than there are kinds, for windows without an edge.
  int edges[EDGE_KINDS + 1] = {0};
  for (int window = 0; window < 9; ++window) {
    const int corner = window / 3 * 4 + window % 3;
    ++edges[edge_kind(lightness[corner], lightness[corner + 1], lightness[corner + 4], lightness[corner + 5])];
  }
  global int *output = cells + (picture * CELLS + cell) * CELL_VALUES;
  output[0] = sum.x;
  output[1] = sum.y;
  output[2] = sum.z;
  for (int kind = 0; kind < EDGE_KINDS; ++kind) output[3 + kind] = edges[kind];
}

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void appearance_bytes(
    global const int *cells, global const int *basis, global const int *weights, global const int *offsets,
    global uchar *bytes, int byteStride, int firstByte) {
  const int index = get_global_id(0);
  const int picture = get_global_id(1);
  if (index >= APPEARANCE_BYTES) return;

  global const int *input = cells + picture * CELLS * CELL_VALUES;
  int value = 0;
  if (index < LAYOUT_BYTES) {
    const int channel = index / FREQUENCIES, frequency = index % FREQUENCIES;
    for (int cell = 0; cell < CELLS; ++cell) {
      value += (input[cell * CELL_VALUES + channel] >> 8) * basis[frequency * CELLS + cell];
    }
    value = (((value >> 8) * weights[index] + (1 << 15)) >> 16) + offsets[index];
  } else {
    const int quarter = (index - LAYOUT_BYTES) / EDGE_KINDS, kind = (index - LAYOUT_BYTES) % EDGE_KINDS;
    for (int cell = 0; cell < 16; ++cell) {
      const int row = quarter / 2 * 4 + cell / 4, column = quarter % 2 * 4 + cell % 4;
      value += input[(row * 8 + column) * CELL_VALUES + 3 + kind];
    }
    value = (value * 7) >> 1;
  }
  bytes[picture * byteStride + firstByte + index] = convert_uchar_sat(value);
}
