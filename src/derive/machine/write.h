/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/machine/machine.h"

/* Returns the text of a machine file, newly allocated; heddle_machine_load_file () reads the same machine
 * from it, with rates to six digits. @comments, which may be NULL, maps "group/key", or "" for the head, to
 * comment lines without their mark. */
char *heddle_machine_write (const HeddleMachine *self, GHashTable *comments);
