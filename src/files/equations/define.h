/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/private.h"
#include "files/equations/reader.h"

G_BEGIN_DECLS

gboolean heddle_eq_begins_definition (const GArray *tokens);
/* definitions */
/* Learns the name that a line defines within @within (or NULL), if it is the first of a definition; its full name, or NULL. */
const char *heddle_eq_note_definition (
    HeddleEqDocument *self, const HeddleEqLine *line, GArray *tokens, const char *within);
/* The first line of a definition within @parent (or NULL); one that is wrong is there all the same, and its lines are passed over. @above,
 * @trailing: comments */
HeddleEqDefinition *heddle_eq_add_definition (HeddleEqDocument *self, HeddleEqDefinition *parent,
    HeddleEqLine *line, const GArray *tokens, const char *above, const char *trailing);
void heddle_eq_definition_free (HeddleEqDefinition *self);
void heddle_eq_read_definition (HeddleEqDefinition *self);
/* Reads those that an expression calls, if that has not been done. %FALSE: one of them cannot be called. */
gboolean heddle_eq_need_definitions (HeddleEqReader *self, HeddleEqLine *line, const HeddleEqNode *node);

G_END_DECLS
