#include "weights.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

const unsigned char kiano_network_weights[] __attribute__((aligned(64))) = {
#embed "mobilenet_v2_0.5_128.safetensors"
};
const size_t kiano_network_weights_count = sizeof kiano_network_weights;

const unsigned char kiano_projection_weights[] __attribute__((aligned(64))) = {
#embed "pca64.safetensors"
};
const size_t kiano_projection_weights_count = sizeof kiano_projection_weights;
