/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/edit/edit.h"

G_BEGIN_DECLS

/* Edits that may fail half-way work on a copy and put it in place at the end. */

/* Puts @draft (taken) in place of the diagram, which stays the same object; what stands on things that are gone goes. */
void heddle_edit_accept (HeddleSnapshot *snapshot, HeddleDiagram *diagram, HeddleDiagram *draft);
/* %FALSE with %HEDDLE_DIAGRAM_ERROR_TYPE: @draft has an error that @diagram does not have. */
gboolean heddle_edit_verify (const HeddleDiagram *diagram, const HeddleDiagram *draft, GError **error);

/* An error of this room, from a sentence. Always %FALSE. */
gboolean heddle_edit_fail (GError **error, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);

/* A HeddleExprSymbol: the name of an axis stands for its size; @data is the diagram. */
HeddleExpr *heddle_edit_size_symbol (const char *name, gpointer diagram);
/* Parses @text with it; error: what is wrong, for a person. */
HeddleExpr *heddle_edit_parse (const HeddleDiagram *diagram, const char *text, GError **error);
/* An operation that is not @chosen (ids) and lies between those that are, or NULL. */
const HeddleOperation *heddle_edit_find_hole (const HeddleDiagram *diagram, GHashTable *chosen);
/* Replaces @from by @into in a list of ids where it occurs. */
void heddle_edit_replace_id (GArray *ids, const char *from, const char *into);
/* The unnamed result of a new operation over @axes. */
const char *heddle_edit_add_result (HeddleDiagram *diagram, const GArray *axes);
/* The axes of the operands, each once, in order of appearance. */
GArray *heddle_edit_operand_axes (const HeddleDiagram *diagram, const GArray *operands);

G_END_DECLS
