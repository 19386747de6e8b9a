/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"

/* Describes the first GPU by what its driver reports: its memories, processors and clock, and what follows
 * from those. Rates are those of the architecture at the clock, until they are measured. @driver (out)
 * receives "CUDA 13.0". Fails with %HEDDLE_CODEGEN_ERROR_MISSING without a driver or a GPU. */
HeddleMachine *heddle_gpu_describe (char **driver, gsize *free_bytes, GError **error);
