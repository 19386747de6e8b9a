/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/kernel.h"
#include "derive/program/loop-program.h"

/* Returns the axis of a reduction whose terms the lanes of a warp share; %NULL if one thread goes through all
 * terms of its point. */
const char *heddle_cuda_lane_axis (HeddleCudaKernel *self, const HeddleNode *node);
/* Joins the lanes' acc. */
void heddle_cuda_join_lanes (HeddleCudaKernel *self, const HeddleNode *node);
