/* SPDX-License-Identifier: MIT */
#pragma once

#include "nccl.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C"
{
#endif

  /* What one rank does; 0: it went well. */
  typedef int (*RankFunction) (int rank, ncclComm_t comm);
  /* Does it on @n ranks at the same time. */
  int run_ranks (int n, RankFunction what);

#ifdef __cplusplus
}
#endif
