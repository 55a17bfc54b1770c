#include "kernels.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char activations[] = {
#embed "activations.cl"
};

static const unsigned char appearance[] = {
#embed "appearance.cl"
};

static const unsigned char assignment[] = {
#embed "pairs.cl" suffix(,)
#embed "assignment.cl"
};

static const unsigned char assignment_lanes[] = {
#embed "assignment_lanes.cl"
};

static const unsigned char box_filter[] = {
#embed "box_filter.cl"
};

static const unsigned char box_sums[] = {
#embed "box_sums.cl"
};

static const unsigned char convolution_1x1[] = {
#embed "activations.cl" suffix(,)
#embed "convolution_1x1.cl"
};

static const unsigned char cross_filter[] = {
#embed "cross_filter.cl"
};

static const unsigned char depthwise_3x3[] = {
#embed "activations.cl" suffix(,)
#embed "depthwise_3x3.cl"
};

static const unsigned char distance[] = {
#embed "pairs.cl" suffix(,)
#embed "distance.cl"
};

static const unsigned char distance_lanes[] = {
#embed "distance_lanes.cl"
};

static const unsigned char neighbours[] = {
#embed "neighbours.cl"
};

static const unsigned char pairs[] = {
#embed "pairs.cl"
};

static const unsigned char peak[] = {
#embed "peak.cl"
};

static const unsigned char pool[] = {
#embed "activations.cl" suffix(,)
#embed "pool.cl"
};

static const unsigned char project[] = {
#embed "project.cl"
};

static const unsigned char search[] = {
#embed "pairs.cl" suffix(,)
#embed "search.cl"
};

static const unsigned char search_lanes[] = {
#embed "search_lanes.cl"
};

static const unsigned char stem[] = {
#embed "activations.cl" suffix(,)
#embed "stem.cl"
};

static const unsigned char whole_network[] = {
#embed "whole_network.cl"
};

#define KERNEL(name) {#name, name, sizeof name}
static const kiano_kernel_source sources[] = {
    KERNEL(activations),
    KERNEL(appearance),
    KERNEL(assignment),
    KERNEL(assignment_lanes),
    KERNEL(box_filter),
    KERNEL(box_sums),
    KERNEL(convolution_1x1),
    KERNEL(cross_filter),
    KERNEL(depthwise_3x3),
    KERNEL(distance),
    KERNEL(distance_lanes),
    KERNEL(neighbours),
    KERNEL(pairs),
    KERNEL(peak),
    KERNEL(pool),
    KERNEL(project),
    KERNEL(search),
    KERNEL(search_lanes),
    KERNEL(stem),
    KERNEL(whole_network),
};
const kiano_kernel_source *const kiano_kernel_sources = sources;
const size_t kiano_kernel_sources_count = sizeof sources / sizeof sources[0];
