// The OpenCL 1.2 entry points that the program uses, looked up at run time.
//
// The ICD loader is opened with dlopen instead of being linked, so that the program starts, explains itself and sorts
// in plain Swift on machines that have no OpenCL at all.
#ifndef KIANO_OPENCL_LOADER_H
#define KIANO_OPENCL_LOADER_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

// X(name): one line for each function of the API that is called.
#define KIANO_OPENCL_FUNCTIONS(X) \
  X(GetPlatformIDs)               \
  X(GetPlatformInfo)              \
  X(GetDeviceIDs)                 \
  X(GetDeviceInfo)                \
  X(CreateContext)                \
  X(ReleaseContext)               \
  X(CreateCommandQueue)           \
  X(ReleaseCommandQueue)          \
  X(CreateBuffer)                 \
  X(ReleaseMemObject)             \
  X(EnqueueReadBuffer)            \
  X(EnqueueWriteBuffer)           \
  X(CreateProgramWithSource)      \
  X(CreateProgramWithBinary)      \
  X(BuildProgram)                 \
  X(GetProgramInfo)               \
  X(GetProgramBuildInfo)          \
  X(ReleaseProgram)               \
  X(CreateKernel)                 \
  X(ReleaseKernel)                \
  X(SetKernelArg)                 \
  X(GetKernelWorkGroupInfo)       \
  X(EnqueueNDRangeKernel)         \
  X(EnqueueMarkerWithWaitList)    \
  X(SetEventCallback)             \
  X(ReleaseEvent)                 \
  X(Flush)                        \
  X(Finish)

#define KIANO_DECLARE(name) __typeof__(&cl##name) _Nonnull name;
/// One pointer for each function; all are set once `kiano_opencl_load` has returned NULL.
typedef struct {
  KIANO_OPENCL_FUNCTIONS(KIANO_DECLARE)
} kiano_opencl_functions;
#undef KIANO_DECLARE

/// Opens `library` (a file name for dlopen) and fills `functions`.
/// Returns NULL, or the reason in words; the text belongs to the caller, who frees it.
char *_Nullable kiano_opencl_load(const char *_Nonnull library, kiano_opencl_functions *_Nonnull functions);

/// Opens `library`, which stays open, and says where it lies.
/// Returns the path, or NULL and in `reason` why it can't be opened; both texts belong to the caller, who frees them.
char *_Nullable kiano_library_path(const char *_Nonnull library, char *_Nullable *_Nonnull reason);

#endif
