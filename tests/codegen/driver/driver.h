/* SPDX-License-Identifier: MIT */
#pragma once

/* As much of the interface of NVIDIA's driver (cuda.h) as Heddle and what it exports call. */

#include "codegen/ptx/ptx.h"

/* By the numbers of cuda.h. */
enum
{
  DONE = 0,
  WRONG_VALUE = 1,
  NO_MEMORY = 2,
  NO_DEVICE = 100,
  WRONG_IMAGE = 200,
  NOT_FOUND = 500,
  LAUNCH_FAILED = 719,
};

/* Of 64 bytes behind the number of the attribute: blocks of a cluster along x, y, z. */
typedef struct
{
  int id, space;
  unsigned values[16];
} LaunchAttribute;

typedef struct
{
  unsigned grid[3], block[3];
  unsigned shared_bytes;
  void *stream;
  const LaunchAttribute *attributes;
  unsigned n_attributes;
} LaunchConfig;

int cuInit (unsigned flags);
int cuGetExportTable (const void **table, const void *id);
int cuGetErrorString (int status, const char **text);
int cuDeviceGetCount (int *count);
int cuDeviceGet (int *device, int ordinal);
int cuDeviceGetName (char *name, int length, int device);
int cuDeviceGetAttribute (int *value, int attribute, int device);
int cuDriverGetVersion (int *version);
int cuMemGetInfo_v2 (size_t *free_bytes, size_t *bytes);
int cuDevicePrimaryCtxRetain (void **context, int device);
int cuDevicePrimaryCtxRelease_v2 (int device);
int cuCtxSetCurrent (void *context);
int cuCtxSynchronize (void);
int cuMemAlloc_v2 (guint64 *address, size_t bytes);
int cuMemFree_v2 (guint64 address);
int cuMemcpyHtoD_v2 (guint64 address, const void *data, size_t bytes);
int cuMemcpyDtoH_v2 (void *data, guint64 address, size_t bytes);
int cuMemsetD8_v2 (guint64 address, unsigned char byte, size_t bytes);
int cuModuleLoadData (void **module, const void *image);
int cuModuleUnload (void *module);
int cuModuleGetFunction (void **function, void *module, const char *name);
int cuFuncSetAttribute (void *function, int attribute, int value);
int cuLaunchKernel (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
    unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **arguments, void **extra);
int cuLaunchKernelEx (const LaunchConfig *config, void *function, void **arguments, void **extra);
int cuEventCreate (void **event, unsigned flags);
int cuEventRecord (void *event, void *stream);
int cuEventElapsedTime (float *milliseconds, void *first, void *second);
int cuEventDestroy_v2 (void *event);
int cuCtxPushCurrent_v2 (void *context);
int cuCtxPopCurrent_v2 (void **context);
int cuTensorMapEncodeTiled (void *bytes, int type, guint32 rank, void *array, const guint64 *sizes,
    const guint64 *strides, const guint32 *box, const guint32 *steps, int interleave, int swizzle,
    int promotion, int fill);
