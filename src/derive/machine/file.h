/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"

/* Reads one machine from a key file of at most 64 KiB. Returns it newly allocated, or %NULL with
 * %HEDDLE_DERIVE_ERROR_MACHINE, whose message names file, line, group and key. */
HeddleMachine *heddle_machine_load_file (const char *path, GError **error);
