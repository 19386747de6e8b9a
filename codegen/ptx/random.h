/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/ptx/machine.h"

/* Returns the next 64 bits of the run's random sequence (SplitMix64), which the seed of the launch fixes. */
guint64 ptx_random (PtxRun *run);
