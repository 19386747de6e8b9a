/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/private.h"
#include "files/equations/reader.h"

G_BEGIN_DECLS

void heddle_eq_set_place (
    HeddleEqReader *self, const char *id, HeddleEqLine *line, guint column, gboolean declared);
/* what axes there are and how large they are */
void heddle_eq_read_axes (HeddleEqReader *self);
/* Adds the axes that the reads of an expression name for the first time. */
void heddle_eq_add_indices (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqNode *node);
gboolean heddle_eq_check_renames (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqNode *node);

G_END_DECLS
