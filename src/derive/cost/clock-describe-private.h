/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* An instruction mma.sync.m16n8k16 does so many operations, by the 32 threads of a warp. */
#define HEDDLE_MMA_FLOPS 4096.
#define HEDDLE_MMA_THREADS 32.
