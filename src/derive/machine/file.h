/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"

G_BEGIN_DECLS

HeddleMachine *heddle_machine_load_file (const char *path, GError **error);

G_END_DECLS
