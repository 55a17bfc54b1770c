// Counts how often memory is asked for, in the program that this is part of.
#ifndef KIANO_ALLOCATIONS_H
#define KIANO_ALLOCATIONS_H

#pragma clang assume_nonnull begin

typedef struct {
  /// By our code, which asks through Swift's runtime or in C of its own.
  long own;
  /// By the libraries that we call, for themselves.
  long libraries;
} kiano_allocations;

/// How often memory was asked for since the program began; zeros where it can't be counted.
kiano_allocations kiano_allocations_count(void);

#pragma clang assume_nonnull end
#endif
