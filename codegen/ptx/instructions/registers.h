/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/machine.h"

/* Checks for every block of the run that what its warpgroups ask for by setmaxnreg is consistent. Returns
 * FALSE, with the error of the run set, where it is not. */
gboolean ptx_registers_check (PtxRun *run);
