/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor.h"

G_BEGIN_DECLS

/**
 * HeddleLevelHalf: where an axis is dropped: one kind of label at one level. While an axis is held over it everything is a preview of
 * the drop; sizes are offered below, each a target of its own. A click labels the selected axis.
 */
#define HEDDLE_TYPE_LEVEL_HALF (heddle_level_half_get_type ())
G_DECLARE_FINAL_TYPE (HeddleLevelHalf, heddle_level_half, HEDDLE, LEVEL_HALF, GtkButton)

/* @sizes: the box that the sizes are shown in. */
GtkWidget *heddle_level_half_new (
    HeddleEditor *editor, const char *level, HeddleLabelKind kind, GtkBox *sizes);
/* Tries a label as if the axis were held over the half; FALSE: refused, and the editor has the refusal. */
gboolean heddle_level_half_hover (HeddleLevelHalf *self, const char *axis, gint64 size);
/* What the drop does: the tried label becomes an undo step. */
gboolean heddle_level_half_drop (HeddleLevelHalf *self, const char *axis, gint64 size);
void heddle_level_half_leave (HeddleLevelHalf *self);

G_END_DECLS
