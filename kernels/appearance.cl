// The appearance vector: layout, colours and edges of a picture in 50 bytes, in integers, so that every device gives the
// same bits. What each byte is: Sources/Features/Appearance/AppearanceVector.swift, where the sources are named too.
//
//   block mean (linear light) -> Oklab;   per cell of 4x4 blocks: sums of L, a, b, windows of 2x2 blocks by kind of edge,
//   masses of the joint histogram
//   bytes 0..<12:  the mean of a channel in a quarter of the picture, 40 / 2^20 of L, 321 / 2^20 of a and b, + offset
//   bytes 12..<30: 255 sqrt(mass / 2^26), rounded
//   bytes 30..<50: 7 / 4 of the number of windows of a kind in a quarter of the picture
//
// in two kernels: the cells, and the bytes, which need all cells.
//
// Buffers:
//
//   pictures [n][size][size][3] uchar   RGB
//   linear   [256] int                         0...65535, the linear value of a byte of sRGB
//   cells    [pictures][64][32] int            L, a, b, | vertical, horizontal, 45, 135 degrees, nondirectional,
//                                              | dark, middling, light: grey and five hues each | unused
//   bytes    [pictures][byteStride] uchar      the appearance vector starts at firstByte of each row
//
//   picture = 8x8 cells     cell = 4x4 blocks, 3x3 windows     block = size / 32 pixels squared
//
// Work group: GROUP cells, then GROUP bytes, of one picture; GROUP divides 64. A work item is one cell or byte: enough
// of them for a GPU at 32 pictures, and each with enough to do for a CPU.
//
//   GROUP  work items of a group

#define CELLS 64
#define CELL_VALUES 32
#define BLOCKS 32
#define EDGE_KINDS 5
#define FIRST_EDGE 3
#define HUES 5
#define COLOURS (1 + HUES)
#define COLOUR_BINS (3 * COLOURS)
#define FIRST_COLOUR 8
#define LAYOUT_BYTES 12
#define FIRST_EDGE_BYTE (LAYOUT_BYTES + COLOUR_BINS)
#define APPEARANCE_BYTES 50
#define EDGE_THRESHOLD 100000
#define WHITE (1625 << 10)

// Cube roots rounded down, bit by bit (Hacker's Delight, 11-2).
// With ?: rather than masks, since oclgrind 21.10 extends a vector of true to ones instead of minus ones.
int16 cube_root(uint16 rest) {
  uint16 root = 0;
#pragma unroll
  for (int shift = 30; shift >= 0; shift -= 3) {
    root <<= 1;
    const uint16 step = (3 * root * (root + 1) + 1) << shift;
    root = rest >= step ? root + 1 : root;
    rest = rest >= step ? rest - step : rest;
  }
  return as_int16(root);
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

// Adds 2^16 to the masses of a colour, divided among two lightnesses, grey and hue, and two hues.
void add_colour(int *masses, int lightness, int a, int b) {
  const int half_white = WHITE / 2;
  const int light = clamp(lightness, 0, WHITE);
  const int level = light >= half_white ? 1 : 0;
  const int lighter = ((light - level * half_white) << 8) / half_white;
  const int a_size = abs(a), b_size = abs(b);
  const int chroma = max(a_size, b_size) + (3 * min(a_size, b_size) >> 3);
  const int coloured = clamp((chroma - 16640) >> 9, 0, 256);
  // The angle in the taxicab metric, 2,048 for each quarter turn; then 2,048 for each hue.
  const int quarter = b >= 0 ? (a >= 0 ? 0 : 1) : (a < 0 ? 2 : 3);
  const int along = (quarter & 1) == 0 ? b_size : a_size;
  const int angle = (quarter << 11) + (along << 11) / max(a_size + b_size, 1);
  const int position = angle * 5 / 4;
  const int hue = position >> 11;
  const int bin = hue == HUES ? 0 : hue;
  const int following = bin + 1 == HUES ? 0 : bin + 1;
  const int next = coloured * ((position & 2047) >> 3) >> 8;
  for (int step = 0; step < 2; ++step) {
    const int share = step == 0 ? 256 - lighter : lighter;
    int *first = masses + (level + step) * COLOURS;
    first[0] += share * (256 - coloured);
    first[1 + bin] += share * (coloured - next);
    first[1 + following] += share * next;
  }
}

// The square root of up to 2^26 rounded down, bit by bit (Hacker's Delight, 11-1).
uint square_root(uint rest) {
  uint root = 0;
  for (uint bit = 1u << 26; bit != 0; bit >>= 2) {
    const uint step = root + bit;
    root >>= 1;
    if (rest >= step) {
      rest -= step;
      root += bit;
    }
  }
  return root;
}

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void appearance_cells(global const uchar *pictures, global const int *linear, global int *cells, int size) {
  const uint cell = get_global_id(0);
  const int picture = get_global_id(1);
  global const uchar *input = pictures + (size_t)picture * size * size * 3;

  // The 16 blocks of the cell are the lanes of vectors: sums of linear colours, scaled to the 16 pixels that a block has
  // at 128 x 128.
  uint red[16], green[16], blue[16];
  for (uint block = 0; block < 16; ++block) {
    const int row = cell / 8 * 4 + block / 4, column = cell % 8 * 4 + block % 4;
    const int top = row * size / BLOCKS, bottom = (row + 1) * size / BLOCKS;
    const int left = column * size / BLOCKS, right = (column + 1) * size / BLOCKS;
    uint redSum = 0, greenSum = 0, blueSum = 0;
    for (int y = top; y < bottom; ++y) {
      for (int x = left; x < right; ++x) {
        global const uchar *pixel = input + (y * size + x) * 3;
        redSum += linear[pixel[0]];
        greenSum += linear[pixel[1]];
        blueSum += linear[pixel[2]];
      }
    }
    const uint pixels = (bottom - top) * (right - left);
    red[block] = redSum * 16 / pixels;
    green[block] = greenSum * 16 / pixels;
    blue[block] = blueSum * 16 / pixels;
  }
  const uint16 r = vload16(0, red), g = vload16(0, green), b = vload16(0, blue);
  const int16 l = cube_root(1688 * r + 2197 * g + 211 * b);
  const int16 m = cube_root(868 * r + 2788 * g + 440 * b);
  const int16 s = cube_root(362 * r + 1154 * g + 2580 * b);
  int colours[3][16];
  vstore16(215 * l + 813 * m - 4 * s, 0, colours[0]);
  vstore16(2026 * l - 2487 * m + 461 * s, 0, colours[1]);
  vstore16(27 * l + 801 * m - 828 * s, 0, colours[2]);

  // One more than there are kinds, for windows without an edge.
  int edges[EDGE_KINDS + 1] = {0};
  for (uint window = 0; window < 9; ++window) {
    const uint corner = window + window / 3;
    const int *lightness = colours[0] + corner;
    ++edges[edge_kind(lightness[0], lightness[1], lightness[4], lightness[5])];
  }
  int masses[COLOUR_BINS] = {0};
  for (int block = 0; block < 16; ++block) {
    add_colour(masses, colours[0][block], colours[1][block], colours[2][block]);
  }
  global int *output = cells + (picture * CELLS + cell) * CELL_VALUES;
  for (int channel = 0; channel < 3; ++channel) {
    int sum = 0;
    for (int block = 0; block < 16; ++block) sum += colours[channel][block];
    output[channel] = sum;
  }
  for (int kind = 0; kind < EDGE_KINDS; ++kind) output[FIRST_EDGE + kind] = edges[kind];
  for (int bin = 0; bin < COLOUR_BINS; ++bin) output[FIRST_COLOUR + bin] = masses[bin];
}

// The sum of one value over the 16 cells of a quarter.
int quarter_sum(global const int *cells, uint quarter, uint value) {
  int sum = 0;
  for (uint cell = 0; cell < 16; ++cell) {
    const uint row = quarter / 2 * 4 + cell / 4, column = (quarter & 1) * 4 + (cell & 3);
    sum += cells[(row * 8 + column) * CELL_VALUES + value];
  }
  return sum;
}

__attribute__((reqd_work_group_size(GROUP, 1, 1)))
kernel void appearance_bytes(global const int *cells, global uchar *bytes, int byteStride, int firstByte) {
  const uint index = get_global_id(0);
  const int picture = get_global_id(1);
  if (index >= APPEARANCE_BYTES) return;

  global const int *input = cells + picture * CELLS * CELL_VALUES;
  int value = 0;
  if (index < LAYOUT_BYTES) {
    const uint channel = index / 4;
    const int mean = quarter_sum(input, index & 3, channel) >> 8;
    value = ((mean * (channel == 0 ? 40 : 321) + (1 << 19)) >> 20) + (channel == 0 ? 96 : 128);
  } else if (index < FIRST_EDGE_BYTE) {
    uint mass = 0;
    for (int cell = 0; cell < CELLS; ++cell) mass += input[cell * CELL_VALUES + FIRST_COLOUR + index - LAYOUT_BYTES];
    value = (255 * square_root(mass) + (1 << 12)) >> 13;
  } else {
    const uint quarter = (index - FIRST_EDGE_BYTE) / EDGE_KINDS;
    const uint kind = index - FIRST_EDGE_BYTE - quarter * EDGE_KINDS;
    value = quarter_sum(input, quarter, FIRST_EDGE + kind) * 7 >> 2;
  }
  bytes[picture * byteStride + firstByte + index] = convert_uchar_sat(value);
}
