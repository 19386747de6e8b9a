/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/build-private.h"
#include "derive/program/loop-program-private.h"

/* The tree of loops around the statements of a program being built, and questions about the labels it is
 * built from. */

/* Puts the loops around the statements, and adds the levels above theirs that arrays go through. */
void heddle_builder_assemble (HeddleBuilder *self);
