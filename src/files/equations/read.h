/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "files/equations/reader.h"
#include "files/equations/private.h"

/* Makes a diagram of the reader's statements: axes first, then statements in order, outputs last. Errors are
 * reported with their places. */
void heddle_eq_read_meaning (HeddleEqReader *self);

/* Returns whether the tokens of a line are the beginning of a definition: `def` and a name. */
gboolean heddle_eq_begins_definition (const GArray *tokens);
/* The functions below read definitions. */
/* Learns the name that a line defines within @within (or NULL), so that a definition may be called above the
 * place where it stands. Returns its full name, which the arena owns; NULL means that the line begins
 * none. */
const char *heddle_eq_note_definition (
    HeddleEqDocument *self, const HeddleEqLine *line, GArray *tokens, const char *within);
/* Reads the first line of a definition within @parent (or NULL) and returns it; the document owns it. One that is
 * wrong is there all the same, and its lines are passed over. @above and @trailing are its comments. */
HeddleEqDefinition *heddle_eq_add_definition (HeddleEqDocument *self, HeddleEqDefinition *parent,
    HeddleEqLine *line, const GArray *tokens, const char *above, const char *trailing);
/* Frees a definition with its reader; its diagram belongs to the snapshot. */
void heddle_eq_definition_free (HeddleEqDefinition *self);
/* Reads the statements of a definition into its diagram unless that was begun before; `broken` says afterwards
 * whether errors were reported. */
void heddle_eq_read_definition (HeddleEqDefinition *self);
