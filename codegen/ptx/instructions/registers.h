/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/machine.h"

G_BEGIN_DECLS

gboolean ptx_registers_check (PtxRun *run);

G_END_DECLS
