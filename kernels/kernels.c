#include "kernels.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char box_filter[] = {
#embed "box_filter.cl"
};

static const unsigned char assignment[] = {
#embed "assignment.cl"
};

#define KERNEL(name) {#name, name, sizeof name}
static const kiano_kernel_source sources[] = {
    KERNEL(assignment),
    KERNEL(box_filter),
};
const kiano_kernel_source *const kiano_kernel_sources = sources;
const size_t kiano_kernel_sources_count = sizeof sources / sizeof sources[0];
