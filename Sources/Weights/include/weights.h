#ifndef KIANO_WEIGHTS_H
#define KIANO_WEIGHTS_H

#include <stddef.h>

/// The network weights that the program carries: a .safetensors file, byte for byte.
extern const unsigned char *const kiano_network_weights;
extern const size_t kiano_network_weights_count;

/// The PCA basis that belongs to those weights: a .safetensors file, byte for byte.
extern const unsigned char *const kiano_projection_weights;
extern const size_t kiano_projection_weights_count;

#endif
