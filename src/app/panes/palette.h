/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"

/* HeddlePalette shows all that can be put on a wire, by group, each with its glyph: to be dragged onto the
 * canvas, or pressed to go after the selection. */
#define HEDDLE_TYPE_PALETTE (heddle_palette_get_type ())
G_DECLARE_FINAL_TYPE (HeddlePalette, heddle_palette, HEDDLE, PALETTE, GtkBox)

/* Has entries added to the diagram of @editor, which the palette holds; NULL: to none. */
void heddle_palette_set_editor (HeddlePalette *self, HeddleEditor *editor);
