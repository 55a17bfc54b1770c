// The product of vectors of 16-bit numbers, two in each lane. kernels.c puts this before assignment.cl, distance.cl and
// search.cl.
//
//   PRODUCT(a, b)  a . b: in each of 16 lanes the sum of two products, which must be below 2^31

#if defined(__AVX512BW__)
// One instruction, which LLVM doesn't find by itself.
typedef short native_pairs __attribute__((vector_size(64)));
#define PRODUCT(a, b) \
  as_int16(__builtin_ia32_pmaddwd512(__builtin_astype(a, native_pairs), __builtin_astype(b, native_pairs)))
#else
#define PRODUCT(a, b) as_int16(((a) & 0xffff) * ((b) & 0xffff) + ((a) >> 16) * ((b) >> 16))
#endif
