/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include <glib.h>
#include "app/editor/editor.h"

/* HeddleEquationBar shows the diagram as text, both ways. What is typed is read after a short pause; text
 * that means something becomes one undo step, text that does not stays, its errors underlined. Changes made
 * elsewhere rewrite the text. The signal "read" says that it became known whether the text matches the
 * diagram. The property "expanded" says whether the text is shown, not its statements in one line. */
#define HEDDLE_TYPE_EQUATION_BAR (heddle_equation_bar_get_type ())
G_DECLARE_FINAL_TYPE (HeddleEquationBar, heddle_equation_bar, HEDDLE, EQUATION_BAR, GtkWidget)

/* Shows the equations of the diagram of @editor, which the bar holds; NULL: of none. What was typed and not
 * read is left unread. */
void heddle_equation_bar_set_editor (HeddleEquationBar *self, HeddleEditor *editor);
/* Reads what was typed now, without waiting for the pause. FALSE: the text has errors. */
gboolean heddle_equation_bar_flush (HeddleEquationBar *self);
/* Puts the name or function that was most likely meant in the place of the first word that is not known. FALSE: there is no such
 * word, or nothing like it. */
gboolean heddle_equation_bar_fix (HeddleEquationBar *self);
/* Returns whether the text has been read and means the diagram. */
gboolean heddle_equation_bar_matches (HeddleEquationBar *self);
/* Returns the buffer that the text is in, owned by the bar. */
GtkTextBuffer *heddle_equation_bar_get_buffer (HeddleEquationBar *self);

/* Returns the whole text in the bar, newly allocated. */
char *heddle_equation_bar_dup_text (HeddleEquationBar *self);
/* Shows one line instead of the text. */
void heddle_equation_bar_set_collapsed (HeddleEquationBar *self, gboolean collapsed);
/* Shows what is said of the equations, @text, which may be NULL. */
void heddle_equation_bar_show_state (HeddleEquationBar *self, gboolean valid, const char *text);

/* Puts the diagram's own text back. */
void heddle_equation_bar_revert (HeddleEquationBar *self);
