/* SPDX-License-Identifier: MIT */
/* Stands in for NCCL's header where that is not installed: what generated code calls of it, as NVIDIA's NCCL 2 documents it. */
#pragma once

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

  typedef struct ncclComm *ncclComm_t;
  typedef enum
  {
    ncclSuccess = 0
  } ncclResult_t;
  typedef enum
  {
    ncclSum = 0,
    ncclProd = 1,
    ncclMax = 2,
    ncclMin = 3,
    ncclAvg = 4
  } ncclRedOp_t;
  typedef enum
  {
    ncclInt8 = 0,
    ncclHalf = 6,
    ncclFloat = 7,
    ncclDouble = 8,
    ncclBfloat16 = 9
  } ncclDataType_t;

  const char *ncclGetErrorString (ncclResult_t result);
  ncclResult_t ncclCommUserRank (const ncclComm_t comm, int *rank);
  ncclResult_t ncclAllReduce (const void *from, void *to, size_t count, ncclDataType_t type, ncclRedOp_t op,
      ncclComm_t comm, cudaStream_t stream);
  ncclResult_t ncclAllGather (
      const void *from, void *to, size_t count, ncclDataType_t type, ncclComm_t comm, cudaStream_t stream);
  ncclResult_t ncclReduceScatter (const void *from, void *to, size_t count, ncclDataType_t type,
      ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream);
  ncclResult_t ncclSend (
      const void *from, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream);
  ncclResult_t ncclRecv (
      void *to, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream);
  ncclResult_t ncclGroupStart (void);
  ncclResult_t ncclGroupEnd (void);

#ifdef __cplusplus
}
#endif
