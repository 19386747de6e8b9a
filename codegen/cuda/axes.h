/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* The C type elements of a dtype are held in; %NULL: none in this family. */
const char *heddle_cuda_type (HeddleDtype dtype);
/* Whether it is a type of the prelude: the sections that load and store it. */
gboolean heddle_cuda_packed (HeddleDtype dtype, const char **load, const char **store);
/* Whether the axis streams within its groups. */
gboolean heddle_cuda_axis_is_split (const HeddleLoopProgram *program, const char *axis);
/* Returns whether blocks with the last tiles of the grouped axis @axis have more steps to do than those with the first. Such an axis is the slowest of
 * the grid, and its tiles come backwards, so that the longest blocks start first. */
gboolean heddle_cuda_axis_lengthens (const HeddleLoopProgram *program, const char *axis);
/* Whether the axis' size is an argument of the kernel: it is grouped or streamed, and no buffer holds it whole. */
gboolean heddle_cuda_axis_at_run_time (const HeddleLoopProgram *program, const char *axis);
/* The axes that the program has to do with, in the order of its arrays: no order of the diagram's own. */
GArray *heddle_cuda_axes (const HeddleDiagram *diagram, const HeddleLoopProgram *program);
/* Those of them whose sizes are arguments of the kernel. */
GArray *heddle_cuda_run_time_axes (const HeddleDiagram *diagram, const HeddleLoopProgram *program);
/* Whether the axis' size is a constant of the kernel: it is used, and not given at run time. */
gboolean heddle_cuda_axis_is_fixed (const HeddleLoopProgram *program, const char *axis);

G_END_DECLS
