/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/derivation/size-row.h"
#include "app/editor/editor.h"
#include "diagram/document/schedule.h"

/* This datum of an editor is the widget of the strip whose drop is being tried: one pointer carries one
 * axis. */
#define HEDDLE_LEVEL_TRYING "heddle-level-trying"

/* HeddleLevelHalf is where an axis is dropped: one kind of label at one level. While an axis is held over
 * it everything is a preview of the drop; sizes are offered below, each a target of its own. A click labels
 * the selected axis. */
#define HEDDLE_TYPE_LEVEL_HALF (heddle_level_half_get_type ())
G_DECLARE_FINAL_TYPE (HeddleLevelHalf, heddle_level_half, HEDDLE, LEVEL_HALF, GtkButton)

/* Returns a new half; @sizes is where the sizes are offered. */
GtkWidget *heddle_level_half_new (
    HeddleEditor *editor, const char *level, HeddleLabelKind kind, HeddleSizeRow *sizes);
/* Does the drop: the tried label becomes an undo step. */
gboolean heddle_level_half_drop (HeddleLevelHalf *self, const char *axis, gint64 size);
/* An axis is being carried (NULL: no longer): whether it may be dropped here shows. */
void heddle_level_half_set_carried (HeddleLevelHalf *self, const char *axis);
