/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/machine.h"

G_BEGIN_DECLS

HeddleLevel *heddle_level_new (const char *name);
void heddle_level_free (HeddleLevel *self);

G_END_DECLS
