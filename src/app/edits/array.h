/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"

/* Returns whether @text is that of an array, such as "Q[y=4096, k=128]" or "param W[k, f]". */
gboolean heddle_edits_is_array (const char *text);
/* Adds the array that @text describes as an input ("param W[k, f]": as a parameter) and selects it. An axis
 * of a name that is there is that axis. Returns FALSE with @error where the text is wrong or the name is
 * taken. */
gboolean heddle_edits_add_array (HeddleEditor *editor, const char *text, GError **error);
/* Calls a @value and its axes so, and gives them the sizes that are told. An axis of a name that is there is that one from then on. */
gboolean heddle_edits_call_array (HeddleEditor *editor, const char *value, const char *text, GError **error);
/* The same of one with two axes of its own, under the first names that are free. */
gboolean heddle_edits_add_new_array (HeddleEditor *editor, GError **error);

/* Returns whether @text names one or several axes with their sizes, "h=8, k=64": at least one size, or two
 * axes. */
gboolean heddle_edits_are_axes (const char *text);
/* Sums @value over @axis with new weights that lead into the axes of @text, as heddle_edits_are_axes () has them, as one undo step, and
 * selects the contraction. An axis that is there already is taken, and keeps its size where none is said. Returns FALSE with @error. */
gboolean heddle_edits_add_linear_typed (
    HeddleEditor *editor, const char *value, const char *axis, const char *text, GError **error);
