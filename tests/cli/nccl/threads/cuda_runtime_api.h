/* SPDX-License-Identifier: MIT */
/* Stands in for CUDA's runtime where GPUs are threads and their memory is the host's. */
#pragma once

#include <stddef.h>

typedef struct CUstream_st *cudaStream_t;
typedef enum
{
  cudaSuccess = 0
} cudaError_t;
typedef enum
{
  cudaMemcpyDeviceToDevice = 3
} cudaMemcpyKind;

#ifdef __cplusplus
extern "C"
{
#endif

  cudaError_t cudaMemcpy2DAsync (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
      size_t height, cudaMemcpyKind kind, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
