/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor/editor.h"
#include "diagram/document/schedule.h"

/* HeddlePlaceChip is an array that is kept at a level, in the level's card: Delete removes it from there, a
 * click asks. */
#define HEDDLE_TYPE_PLACE_CHIP (heddle_place_chip_get_type ())
G_DECLARE_FINAL_TYPE (HeddlePlaceChip, heddle_place_chip, HEDDLE, PLACE_CHIP, GtkBox)

/* Returns a new chip (floating) for the array kept by @place, whose words are copied; it holds @editor. */
GtkWidget *heddle_place_chip_new (HeddleEditor *editor, const HeddleResidency *place);
/* Returns whether the chip stands for the same array, reader and level as @place. */
gboolean heddle_place_chip_is_for (HeddlePlaceChip *self, const HeddleResidency *place);
