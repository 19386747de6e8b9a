/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor/editor.h"
#include "diagram/document/schedule.h"

/* HeddleSizeRow offers the sizes that a label could have in a level's card while an axis is held over it:
 * each is a target of its own, and those that do not fit are dimmed. It emits "tried" (gint64 size) while
 * one is held over, "chosen" when dropped or clicked, "left". */
#define HEDDLE_TYPE_SIZE_ROW (heddle_size_row_get_type ())
G_DECLARE_FINAL_TYPE (HeddleSizeRow, heddle_size_row, HEDDLE, SIZE_ROW, GtkBox)

/* Returns a new row (floating) for labels at @level, a name that is copied; it holds @editor. */
GtkWidget *heddle_size_row_new (HeddleEditor *editor, const char *level);
/* Shows the sizes that @axis could have as a label of @kind, with @chosen marked. Whether each one fits is
 * found out in later turns of the main loop. */
void heddle_size_row_offer (HeddleSizeRow *self, const char *axis, HeddleLabelKind kind, gint64 chosen);
/* Marks the button of the size @chosen; no button is marked where the size is not offered. */
void heddle_size_row_mark (HeddleSizeRow *self, gint64 chosen);
/* Hides the row, which then offers nothing; its buttons stay until others are offered. */
void heddle_size_row_clear (HeddleSizeRow *self);
/* Gives what is offered; FALSE means that nothing is. */
gboolean heddle_size_row_get_offer (HeddleSizeRow *self, const char **axis, HeddleLabelKind *kind);
