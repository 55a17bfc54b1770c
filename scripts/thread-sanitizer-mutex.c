// Tells the thread sanitizer of Swift's Mutex, for scripts/check-threads, which loads this before all other libraries.
//
// A mutex that is free is taken by an atomic operation that is compiled into the caller, and the sanitizer sees it. For
// one that is held the caller waits inside Swift's library, which isn't instrumented: what the mutex guards would be
// reported as a race. So the two functions that wait and wake are put before the library's, and say what they mean.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// Weak: programs without the sanitizer are started from tests too.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
// Synchronization._MutexHandle._lockSlow(UInt32) and ._unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void unlock(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF void *mutex) {
  SWIFT void (*library)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK);
  library(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock(SELF void *mutex) {
  SWIFT void (*library)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(mutex);
  library(mutex);
}
