/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtksourceview/gtksource.h>

#include "app/editor/editor.h"

/* The text of the equations is completed: words that were begun, and the word for one that is not known. */

#define HEDDLE_TYPE_EQUATION_COMPLETION (heddle_equation_completion_get_type ())
G_DECLARE_FINAL_TYPE (
    HeddleEquationCompletion, heddle_equation_completion, HEDDLE, EQUATION_COMPLETION, GObject)

/* Returns a provider for the completion of a view: the names in its text, those of the diagram, and the
 * functions. */
HeddleEquationCompletion *heddle_equation_completion_new (void);
/* The editor whose diagram says what a name stands for; %NULL: none does. */
void heddle_equation_completion_set_editor (HeddleEquationCompletion *self, HeddleEditor *editor);
/* Returns what a word stands for, newly allocated: the type of an array, the size of an axis, "function"; %NULL: nobody knows. */
char *heddle_equation_completion_describe (HeddleEquationCompletion *self, const char *word);
/* Returns the words that begin with @prefix, whatever its case, other than @prefix itself: names in @text, then functions; of
 * char *, owned by the caller. */
GPtrArray *heddle_equation_completion_find (const char *text, const char *prefix);
/* Returns the name in @text, other than @word, or the function that was most likely meant by it, newly allocated; %NULL: none. */
char *heddle_equation_completion_guess (const char *text, const char *word);
