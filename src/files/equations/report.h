/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/problem.h"
#include "files/equations/private.h"

/* Puts the place into a problem that was found elsewhere: file, line, column and, unless it is long, the
 * line's text. */
void heddle_eq_place (const HeddleEqLine *line, guint column, HeddleProblem *problem);
/* Reports an error at a @column of @line, in characters from 1; after HEDDLE_EQ_MAX_ERRORS they are only
 * counted. */
void heddle_eq_error (HeddleEqLine *line, guint column, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Reports a warning at a @column of @line, in characters from 1; it does not keep the text from being read. */
void heddle_eq_warning (HeddleEqLine *line, guint column, const char *format, ...) G_GNUC_PRINTF (3, 4);
