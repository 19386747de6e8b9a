/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* An instruction mma.sync.m16n8k16 does so many operations, by the 32 threads of a warp. */
#define HEDDLE_MMA_FLOPS 4096.
#define HEDDLE_MMA_THREADS 32.

G_END_DECLS
