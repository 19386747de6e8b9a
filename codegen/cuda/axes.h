/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* Returns the C type in which elements of a dtype are held; %NULL if this family has none. */
const char *heddle_cuda_type (HeddleDtype dtype);
/* Returns whether the dtype is a type of the prelude, and the sections that load and store it. */
gboolean heddle_cuda_packed (HeddleDtype dtype, const char **load, const char **store);
/* Returns whether the axis streams within its groups. */
gboolean heddle_cuda_axis_is_split (const HeddleLoopProgram *program, const char *axis);
/* Returns whether blocks with the last tiles of the grouped axis @axis have more steps to do than those with
 * the first. Such an axis is the slowest of the grid, and its tiles come backwards, so that the longest
 * blocks start first. */
gboolean heddle_cuda_axis_lengthens (const HeddleLoopProgram *program, const char *axis);
/* Returns whether the axis' size is an argument of the kernel: it is grouped or streamed, and no buffer holds
 * it whole. */
gboolean heddle_cuda_axis_at_run_time (const HeddleLoopProgram *program, const char *axis);
/* Returns the axes that the program uses, in the order of its arrays, which does not depend on the
 * diagram. */
GArray *heddle_cuda_axes (const HeddleDiagram *diagram, const HeddleLoopProgram *program);
/* Returns those of these axes whose sizes are arguments of the kernel. */
GArray *heddle_cuda_run_time_axes (const HeddleDiagram *diagram, const HeddleLoopProgram *program);
/* Returns whether the axis' size is a constant of the kernel: it is used, and is no argument. */
gboolean heddle_cuda_axis_is_fixed (const HeddleLoopProgram *program, const char *axis);
