/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "diagram/graph/diagram.h"

/* The layout of shared memory for kernels of the general family: each buffer at its full tile, in its dtype,
 * aligned to 16 bytes; buffers of one slot and one width share memory. Search and generated code use this
 * layout alone. */

/* Returns how many bytes of shared memory a kernel of the general family takes for all buffers of the
 * program. */
gint64 heddle_loop_program_shared_bytes (const HeddleLoopProgram *self, const HeddleSizes *sizes);
/* Returns the byte at which buffer @i begins in shared memory, a multiple of 16. */
gint64 heddle_loop_program_buffer_offset (const HeddleLoopProgram *self, const HeddleSizes *sizes, guint i);
