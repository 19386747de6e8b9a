/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"
#include "diagram/base/dtype.h"

/* Names, sizes, types and functions are changed here, each in one undo step. Where one fails and @error is
 * NULL the editor says why in a message. */

/* Gives the object @id another name, as one undo step. Returns FALSE with @error where the name is not valid
 * or is taken. */
gboolean heddle_edits_rename (HeddleEditor *editor, const char *id, const char *name, GError **error);
/* Sets the text of a note, a block or a bundle. */
gboolean heddle_edits_set_text (HeddleEditor *editor, const char *id, const char *text, GError **error);
/* Gives @axis a size, a number or an expression as it is typed; NULL or "" unsets it. Returns FALSE with
 * @error where the text is no size. */
gboolean heddle_edits_set_size (HeddleEditor *editor, const char *axis, const char *size, GError **error);
/* Stores @value as @dtype; UNSET leaves it open. Returns FALSE where that fails; the editor then says why in
 * a message. */
gboolean heddle_edits_set_dtype (HeddleEditor *editor, const char *value, HeddleDtype dtype);
/* Sets the function of a map, over $0, $1 and so on, as it is typed. Returns FALSE with @error where the
 * text is no function of its operands. */
gboolean heddle_edits_set_body (
    HeddleEditor *editor, const char *operation, const char *text, GError **error);
/* Applies what is typed into the label of a map: "S = $0
 *
 * 2" names its result too, "S" only does that, and "$0
 *
 * 2" is its function alone. One step. */
gboolean heddle_edits_apply_function (
    HeddleEditor *editor, const char *operation, const char *text, GError **error);
/* Applies what is typed into a label: "x", "x = 4096", "\\bar x = ", of an array "Q" or "Q[y=4096, k=128]".
 * Renames and resizes in one step. */
gboolean heddle_edits_apply_label (HeddleEditor *editor, const char *id, const char *text, GError **error);
