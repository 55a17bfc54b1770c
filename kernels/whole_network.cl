// The whole network for one picture after the other, as processors like it: a work item takes a picture through all of
// its layers, so that activations stay in the caches of its core, cores wait for each other at the end of a batch only,
// and a batch is one launch. What each layer computes, its own kernel's head says: stem.cl, convolution_1x1.cl,
// depthwise_3x3.cl, pool.cl.
//
// Buffers; vectors are of 16 floats, channels padded with zeros to whole ones:
//
//   x         [pictures][size][size][3] uchar   RGB
//   scaling   [6] float                         scale of R, G, B, shift of R, G, B
//   weights   vectors                           of all layers, each as its own kernel has them
//   bias      vectors                           of all layers
//   layers    [lastLayer + 1] struct layer      what to compute; first vectors of weights and bias included
//   scratch   [groups][scratchVectors]          for each work group: bufferCount buffers of activations,
//                                               [outputSize][outputSize][channels], and zeros
//   y         as `wanted` says                  MEAN: [pictures][outputs], the mean of layer number `lastLayer` over all
//                                               pixels; ALL: [pictures][outputSize][outputSize][outputs], all that it
//                                               gives; NOTHING, to measure layers
//   next      [1]                               the first picture that nobody has begun with; `begin` sets it to 0
//
//   core 0    picture 0: layer 0, 1, 2 ... 51 | picture 2: layer 0, 1 ...       next: 4
//   core 1    picture 1: layer 0, 1, 2 ... 51    | picture 3: layer 0 ...
//
// Work group: one work item; as many groups as the device has compute units, each with scratch memory of its own. They
// take pictures from `next`, so that one which is slowed down by other work takes fewer.
//
// Sums are kept in registers, in tiles of ROWS pixels by VECTORS vectors of outputs: for each input, a tile reads
// VECTORS vectors of weights and ROWS numbers of x.
//
//   ROWS     pixels of a tile, here and in the first layer, at most 16: 8 where there are 32 registers of 16 floats, 6 where there are fewer
//   VECTORS  vectors of outputs of a tile: 2 or 1, likewise
//   COLUMNS  outputs of a row that the depthwise convolution computes together: 4

#define NOTHING 0
#define MEAN 1
#define ALL 2

struct layer {
  int operation;  // 0: the first layer, 1: 1x1, 2: depthwise 3x3
  int inputs, inputVectors, outputVectors;
  int inputSize, outputSize, stride, before;
  int isClamped;
  int input, output, residual;  // buffers; -1: no residual
  int firstWeight, firstBias;
};

typedef global const float16 *vectors;

static inline float16 bounded(float16 x, float low, float high) {
  x = x < low ? (float16)low : x;
  return x > high ? (float16)high : x;
}

// Defines the product of a tile of `rows` pixels by `count` vectors of outputs. As functions of their own, since loops
// are unrolled only where the text says how long they are.
#define MULTIPLY_TILE(name, rows, count)                                                                              \
  static inline void name(                                                                                            \
      global const float *x, vectors weights, vectors bias, vectors residual, global float16 *y, int inputs,          \
      int inputStride, int outputVectors, float low, float high) {                                                    \
    float16 sum[rows][count];                                                                                         \
    _Pragma("unroll") for (int r = 0; r < rows; ++r)                                                                  \
      _Pragma("unroll") for (int v = 0; v < count; ++v) sum[r][v] = bias[v];                                          \
    for (int k = 0; k < inputs; ++k) {                                                                                \
      float16 weight[count];                                                                                          \
      _Pragma("unroll") for (int v = 0; v < count; ++v) weight[v] = weights[v * inputs + k];                          \
      _Pragma("unroll") for (int r = 0; r < rows; ++r) {                                                              \
        const float value = x[r * inputStride + k];                                                                   \
        _Pragma("unroll") for (int v = 0; v < count; ++v) sum[r][v] += value * weight[v];                             \
      }                                                                                                               \
    }                                                                                                                 \
    _Pragma("unroll") for (int r = 0; r < rows; ++r)                                                                  \
      _Pragma("unroll") for (int v = 0; v < count; ++v) {                                                             \
        float16 result = bounded(sum[r][v], low, high);                                                               \
        if (residual) result += residual[r * outputVectors + v];                                                      \
        y[r * outputVectors + v] = result;                                                                            \
      }                                                                                                               \
  }

MULTIPLY_TILE(multiply_tile, ROWS, VECTORS)
MULTIPLY_TILE(multiply_column, ROWS, 1)
MULTIPLY_TILE(multiply_one, 1, 1)

// Panels of VECTORS outputs one after the other, so that their weights stay in the first cache. The last tile of a panel
// overlaps the one before it.
static void convolution_1x1(
    struct layer layer, global const float *x, vectors weights, vectors bias, vectors residual, global float16 *y) {
  const int pixels = layer.outputSize * layer.outputSize;
  const int inputs = layer.inputs, stride = layer.inputVectors * 16, count = layer.outputVectors;
  const float low = layer.isClamped ? 0.0f : -INFINITY, high = layer.isClamped ? 6.0f : INFINITY;
  const int step = pixels < ROWS ? 1 : ROWS;
  for (int v = 0; v < count;) {
    const int isTile = step == ROWS && v + VECTORS <= count;
    for (int p = 0; p < pixels; p += step) {
      const int first = min(p, pixels - step);
      global const float *from = x + first * stride;
      vectors w = weights + v * inputs, r = residual ? residual + first * count + v : 0;
      global float16 *to = y + first * count + v;
      if (isTile)
        multiply_tile(from, w, bias + v, r, to, inputs, stride, count, low, high);
      else if (step == ROWS)
        multiply_column(from, w, bias + v, r, to, inputs, stride, count, low, high);
      else
        multiply_one(from, w, bias + v, r, to, inputs, stride, count, low, high);
    }
    v += isTile ? VECTORS : 1;
  }
}

// One vector of a row of outputs, from three rows of the input.
static __attribute__((always_inline)) void slide(
    vectors above, vectors middle, vectors below, const float16 *weights, float16 bias, global float16 *y, int size,
    int outputSize, int before, int vectorCount, float low, float high, const int stride) {
  for (int first = 0; first < outputSize; first += COLUMNS) {
    float16 sum[COLUMNS];
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) sum[c] = bias;
#pragma unroll
    for (int j = 0; j < (COLUMNS - 1) * stride + 3; ++j) {
      const int column = first * stride - before + j;
      if (column < 0 || column >= size) continue;
      const float16 a = above[column * vectorCount], m = middle[column * vectorCount], b = below[column * vectorCount];
#pragma unroll
      for (int c = 0; c < COLUMNS; ++c) {
        const int tap = j - c * stride;
        if (tap < 0 || tap > 2) continue;
        sum[c] += a * weights[tap];
        sum[c] += m * weights[3 + tap];
        sum[c] += b * weights[6 + tap];
      }
    }
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c)
      if (first + c < outputSize) y[(first + c) * vectorCount] = bounded(sum[c], low, high);
  }
}

static void depthwise_3x3(
    struct layer layer, vectors x, vectors weights, vectors bias, vectors zeros, global float16 *y) {
  const int count = layer.outputVectors, size = layer.inputSize;
  const float low = layer.isClamped ? 0.0f : -INFINITY, high = layer.isClamped ? 6.0f : INFINITY;
  for (int v = 0; v < count; ++v) {
    float16 weight[9];
#pragma unroll
    for (int tap = 0; tap < 9; ++tap) weight[tap] = weights[v * 9 + tap];
    for (int r = 0; r < layer.outputSize; ++r) {
      const int top = r * layer.stride - layer.before;
      vectors above = top < 0 ? zeros : x + top * size * count + v;
      vectors middle = top + 1 >= size ? zeros : x + (top + 1) * size * count + v;
      vectors below = top + 2 >= size ? zeros : x + (top + 2) * size * count + v;
      global float16 *row = y + r * layer.outputSize * count + v;
      if (layer.stride == 1)
        slide(
            above, middle, below, weight, bias[v], row, size, layer.outputSize, layer.before, count, low, high, 1);
      else
        slide(
            above, middle, below, weight, bias[v], row, size, layer.outputSize, layer.before, count, low, high, 2);
    }
  }
}

// The scaled picture with a border of zeros, [size + 2][size + 2][3].
static void scale(global const uchar *x, global const float *scaling, int size, global float *scaled) {
  const int stride = (size + 2) * 3;
  const float3 f = vload3(0, scaling), s = vload3(1, scaling);
  const float16 factors[3] = {
      (float16)(f.xyz, f.xyz, f.xyz, f.xyz, f.xyz, f.x), (float16)(f.yzx, f.yzx, f.yzx, f.yzx, f.yzx, f.y),
      (float16)(f.zxy, f.zxy, f.zxy, f.zxy, f.zxy, f.z)};
  const float16 shifts[3] = {
      (float16)(s.xyz, s.xyz, s.xyz, s.xyz, s.xyz, s.x), (float16)(s.yzx, s.yzx, s.yzx, s.yzx, s.yzx, s.y),
      (float16)(s.zxy, s.zxy, s.zxy, s.zxy, s.zxy, s.z)};
  for (int i = 0; i < stride; ++i) scaled[i] = scaled[(size + 1) * stride + i] = 0;
  for (int r = 0; r < size; ++r) {
    global const uchar *from = x + r * size * 3;
    global float *to = scaled + (r + 1) * stride + 3;
    vstore3((float3)0, 0, to - 3);
    vstore3((float3)0, 0, to + size * 3);
    int i = 0;
    // Sixteen pixels are three vectors.
    for (; i + 48 <= size * 3; i += 48) {
      vstore16(convert_float16(vload16(0, from + i)) * factors[0] + shifts[0], 0, to + i);
      vstore16(convert_float16(vload16(0, from + i + 16)) * factors[1] + shifts[1], 0, to + i + 16);
      vstore16(convert_float16(vload16(0, from + i + 32)) * factors[2] + shifts[2], 0, to + i + 32);
    }
    for (; i < size * 3; ++i) to[i] = from[i] * scaling[i % 3] + scaling[3 + i % 3];
  }
}

// The first layer, from the scaled picture; rows of outputs are at least ROWS long.
static void stem(struct layer layer, global const float *scaled, vectors weights, vectors bias, global float16 *y) {
  const int stride = (layer.inputSize + 2) * 3, size = layer.outputSize;
  for (int v = 0; v < layer.outputVectors; ++v)
    for (int r = 0; r < size; ++r)
      for (int c = 0; c < size; c += ROWS) {
        const int first = min(c, size - ROWS);
        global const float *corner = scaled + (r * 2 + 1 - layer.before) * stride + (first * 2 + 1 - layer.before) * 3;
        float16 sum[ROWS];
#pragma unroll
        for (int p = 0; p < ROWS; ++p) sum[p] = bias[v];
        for (int i = 0; i < 3; ++i)
          for (int jk = 0; jk < 9; ++jk) {
            const float16 weight = weights[v * 27 + i * 9 + jk];
#pragma unroll
            for (int p = 0; p < ROWS; ++p) sum[p] += corner[i * stride + p * 6 + jk] * weight;
          }
#pragma unroll
        for (int p = 0; p < ROWS; ++p)
          y[(r * size + first + p) * layer.outputVectors + v] = bounded(sum[p], 0.0f, 6.0f);
      }
}

static void pool(vectors x, int pixels, int count, global float16 *y) {
  for (int v = 0; v < count; ++v) {
    float16 sum = 0;
    for (int p = 0; p < pixels; ++p) sum += x[p * count + v];
    y[v] = sum / (float)pixels;
  }
}

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void begin(global int *next) {
  *next = 0;
}

__attribute__((reqd_work_group_size(1, 1, 1)))
kernel void whole_network(
    global const uchar *x, global const float *scaling, vectors weights, vectors bias,
    global const struct layer *layers, global float16 *scratch, global float16 *y, global int *next, int pictures,
    int size, int firstLayer, int lastLayer, int bufferVectors, int bufferCount, int scratchVectors, int wanted) {
  global float16 *buffers = scratch + (size_t)get_group_id(0) * scratchVectors;
  global float16 *zeros = buffers + bufferVectors * bufferCount;
  for (int v = bufferVectors * bufferCount; v < scratchVectors; ++v) buffers[v] = 0;

  for (int picture = atomic_inc(next); picture < pictures; picture = atomic_inc(next)) {
    struct layer layer;
    for (int number = firstLayer; number <= lastLayer; ++number) {
      layer = layers[number];
      global float16 *input = buffers + layer.input * bufferVectors, *output = buffers + layer.output * bufferVectors;
      vectors w = weights + layer.firstWeight, b = bias + layer.firstBias;
      if (layer.operation == 0) {
        scale(x + (size_t)picture * size * size * 3, scaling, size, (global float *)input);
        stem(layer, (global float *)input, w, b, output);
      } else if (layer.operation == 1) {
        vectors residual = layer.residual < 0 ? 0 : buffers + layer.residual * bufferVectors;
        convolution_1x1(layer, (global float *)input, w, b, residual, output);
      } else {
        depthwise_3x3(layer, input, w, b, zeros, output);
      }
    }
    vectors last = buffers + layer.output * bufferVectors;
    const int pixels = layer.outputSize * layer.outputSize, count = layer.outputVectors;
    if (wanted == MEAN) pool(last, pixels, count, y + (size_t)picture * count);
    if (wanted == ALL)
      for (int v = 0; v < pixels * count; ++v) y[(size_t)picture * pixels * count + v] = last[v];
  }
}
