/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"

G_BEGIN_DECLS

/* What its driver says of the first GPU: its memories, processors and clock, and what follows from those. Rates are what the architecture has by
 * the clock, until they are measured. @driver: (out): "CUDA 13.0". %HEDDLE_CODEGEN_ERROR_MISSING without a driver or a GPU. */
HeddleMachine *heddle_gpu_describe (char **driver, gsize *free_bytes, GError **error);

G_END_DECLS
