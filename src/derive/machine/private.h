/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/machine/machine.h"

G_BEGIN_DECLS

HeddleLevel *heddle_level_new (const char *name);
void heddle_level_free (HeddleLevel *self);
HeddleLink *heddle_link_new (const char *name);
/* Without levels and links. */
HeddleMachine *heddle_machine_new (void);
/* Takes what is above global memory from another machine: memories and links. */
void heddle_machine_take_above (HeddleMachine *self, const HeddleMachine *from);

G_END_DECLS
