#include "weights.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char network[] __attribute__((aligned(64))) = {
#embed "mobilenet_v2_0.5_128.safetensors"
};
const unsigned char *const kiano_network_weights = network;
const size_t kiano_network_weights_count = sizeof network;

static const unsigned char projection[] __attribute__((aligned(64))) = {
#embed "pca64.safetensors"
};
const unsigned char *const kiano_projection_weights = projection;
const size_t kiano_projection_weights_count = sizeof projection;
