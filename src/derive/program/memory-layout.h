/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/loop-program.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* How many bytes of shared memory a kernel of the general family takes for all buffers (each at its full tile, in its dtype, 16-byte aligned;
 * buffers of one slot and one width share it), and where in it buffer @i begins. The one layout that search and generated code use. */
gint64 heddle_loop_program_shared_bytes (const HeddleLoopProgram *self, const HeddleSizes *sizes);
gint64 heddle_loop_program_buffer_offset (const HeddleLoopProgram *self, const HeddleSizes *sizes, guint i);

G_END_DECLS
