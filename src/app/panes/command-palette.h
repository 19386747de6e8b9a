/* SPDX-License-Identifier: MIT */
#pragma once

#include <adwaita.h>

/* HeddleCommandPalette has all that a window's menu has, by name: type a part of it, Enter does it. */
#define HEDDLE_TYPE_COMMAND_PALETTE (heddle_command_palette_get_type ())
G_DECLARE_FINAL_TYPE (HeddleCommandPalette, heddle_command_palette, HEDDLE, COMMAND_PALETTE, GtkWindow)

/* Opens the palette with every item of @menu that has an action, those of submenus too. */
void heddle_command_palette_open (GtkWindow *window, GMenuModel *menu);
