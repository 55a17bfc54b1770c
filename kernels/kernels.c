#include "kernels.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char box_filter[] = {
#embed "box_filter.cl"
};

#define KERNEL(name) {#name, name, sizeof name}
const kiano_kernel_source kiano_kernel_sources[] = {
    KERNEL(box_filter),
};
const size_t kiano_kernel_sources_count = sizeof kiano_kernel_sources / sizeof kiano_kernel_sources[0];
