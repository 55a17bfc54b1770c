// How activations are kept in memory. kernels.c puts this before the kernels of the network's layers, stem.cl,
// convolution_1x1.cl, depthwise_3x3.cl and pool.cl; sums are of floats in any case.
//
//   STORED                        an activation in memory: float, or half where HALF is 1
//   LOAD(pointer, index)          LANES activations, the vector number `index` of the buffer
//   LOAD_ONE(pointer, index)      one
//   STORE(value, pointer, index)  writes LANES of them, halves rounded to the nearest
//   VECTOR                        LANES floats; PARTS of them are a tile of 16
//
//   LANES  channels per work item
//   HALF   1 to keep activations as halves, which are read and written in half the time; any OpenCL device can

#define JOIN(a, b) a##b
#define JOIN_THREE(a, b, c) a##b##c
#define VECTOR_OF(lanes) JOIN(float, lanes)
#define VECTOR VECTOR_OF(LANES)
#define PARTS (16 / LANES)

#if HALF
#define STORED half
#define LOAD_OF(lanes) JOIN(vload_half, lanes)
#define STORE_OF(lanes) JOIN_THREE(vstore_half, lanes, _rte)
#define LOAD(pointer, index) LOAD_OF(LANES)(index, pointer)
#define LOAD_ONE(pointer, index) vload_half(index, pointer)
#define STORE(value, pointer, index) STORE_OF(LANES)(value, index, pointer)
#else
#define STORED float
#define LOAD(pointer, index) ((global const VECTOR *)(pointer))[index]
#define LOAD_ONE(pointer, index) (pointer)[index]
#define STORE(value, pointer, index) ((global VECTOR *)(pointer))[index] = (value)
#endif

