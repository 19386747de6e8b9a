/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/typeset/typeset.h"

/* A formula is read once from left to right, and each piece is set as it is read; what is not known is set as it stands,
 * so that no text is an error. */

/* Sets the next atom: a character, a command or a group, with its scripts. Characters may stay in the run at hand, which
 * heddle_typeset_flush () sets. */
void heddle_typeset_atom (HeddleTypesetter *self, HeddleTypeLine *line);
