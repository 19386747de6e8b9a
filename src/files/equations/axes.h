/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/private.h"
#include "files/equations/reader.h"

/* Remembers where the axis or value @id stands in the text. @declared says that it is an axis of a
 * declaration, whose size may be given later. */
void heddle_eq_set_place (
    HeddleEqReader *self, const char *id, HeddleEqLine *line, guint column, gboolean declared);
/* Adds the axes of all statements to the diagram with their sizes. They go first, since a size may be in terms of
 * axes that come later. */
void heddle_eq_read_axes (HeddleEqReader *self);
/* Adds the axes that the reads and the operations of an expression name for the first time. */
void heddle_eq_add_indices (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqNode *node);
/* Checks, for each read in an expression, that indices which rename an axis fit its size. FALSE means that errors
 * were reported. */
gboolean heddle_eq_check_renames (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqNode *node);
