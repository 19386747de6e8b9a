/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"
#include "diagram/base/dtype.h"

G_BEGIN_DECLS

gboolean heddle_edits_rename (HeddleEditor *editor, const char *id, const char *name, GError **error);
/* Of a note, a block or a bundle. */
gboolean heddle_edits_set_text (HeddleEditor *editor, const char *id, const char *text, GError **error);
gboolean heddle_edits_set_size (HeddleEditor *editor, const char *axis, const char *size, GError **error);
gboolean heddle_edits_set_dtype (HeddleEditor *editor, const char *value, HeddleDtype dtype);
gboolean heddle_edits_set_body (
    HeddleEditor *editor, const char *operation, const char *text, GError **error);
/* What is typed into the label of a map: "S = $0 * 2" names what it makes too, "S" only does that, and "$0 * 2" is its function alone. One step. */
gboolean heddle_edits_apply_function (
    HeddleEditor *editor, const char *operation, const char *text, GError **error);
/* What is typed into a label: "x", "x = 4096", "\\bar x = ", of an array "Q" or "Q[y=4096, k=128]". Renames and resizes in one step. */
gboolean heddle_edits_apply_label (HeddleEditor *editor, const char *id, const char *text, GError **error);

G_END_DECLS
