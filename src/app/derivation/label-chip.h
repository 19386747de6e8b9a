/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor/editor.h"
#include "diagram/document/schedule.h"

/* HeddleLabelChip is a label at a level, "g_y = 128". Scrolling over it, Up and Down change its size; a
 * click opens the size as a number and a way to remove the label, and so does Delete. All changes of one
 * gesture are one undo step. */
#define HEDDLE_TYPE_LABEL_CHIP (heddle_label_chip_get_type ())
G_DECLARE_FINAL_TYPE (HeddleLabelChip, heddle_label_chip, HEDDLE, LABEL_CHIP, GtkBox)

/* Returns what the label of @axis at @level says, and into how many parts it cuts the axis; newly allocated. NULL: there is no such label
 * in the schedule shown. */
char *heddle_label_explain (HeddleEditor *editor, const char *axis, const char *level, HeddleLabelKind kind);
/* Returns a new chip (floating) for @label, whose words are copied; it holds @editor. */
GtkWidget *heddle_label_chip_new (HeddleEditor *editor, const HeddleLabel *label);
/* Returns whether it stands for this label, perhaps at another size. */
gboolean heddle_label_chip_is_for (HeddleLabelChip *self, const HeddleLabel *label);
/* Shows the size of @label, and whether it is inactive; it has to be a label that the chip is for. */
void heddle_label_chip_update (HeddleLabelChip *self, const HeddleLabel *label);
