/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"

/* Colours the lines @first to @last (from 0) of @buffer by what the words are in the editor's diagram, and marks the axes and values
 * selected. A long text is coloured where it is seen. */
void heddle_equation_highlight (
    GtkTextBuffer *buffer, HeddleEditor *editor, gboolean dark, int first, int last);
/* Returns the end of the name that @text begins with, as the grammar of equations has it; @text: it begins with none. */
const char *heddle_equation_skip_name (const char *text);
/* Underlines the word at @line and @column (from 1). */
void heddle_equation_mark_error (GtkTextBuffer *buffer, guint line, guint column);
/* Takes all underlines of errors out of @buffer. */
void heddle_equation_clear_errors (GtkTextBuffer *buffer);
