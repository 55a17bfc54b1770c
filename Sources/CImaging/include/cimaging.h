// What Imaging needs of C: a loop in the forms that processors have, and calls that don't reach Swift.
#ifndef KIANO_CIMAGING_H
#define KIANO_CIMAGING_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Sets or increases `count` sums by a row's bytes times `weight`. The sums are the same bit for bit on all processors.
void kiano_add_row(float *sums, const uint8_t *row, size_t count, float weight, _Bool is_first);

/// Makes memory that processes can share, whose size none of them can change; returns a descriptor that isn't
/// inherited, or -1 with errno.
int kiano_shared_memory_create(size_t count);

/// How many processors this process is bound to, or 0 where that can't be told.
int kiano_processor_count(void);

#pragma clang assume_nonnull end
#endif
