/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor.h"

G_BEGIN_DECLS

/* Which GPU and data type a kernel is derived for. */
#define HEDDLE_TYPE_TARGET_PICKER (heddle_target_picker_get_type ())
G_DECLARE_FINAL_TYPE (HeddleTargetPicker, heddle_target_picker, HEDDLE, TARGET_PICKER, GtkBox)

GtkWidget *heddle_target_picker_new (HeddleEditor *editor);
void heddle_target_picker_update (HeddleTargetPicker *self);

G_END_DECLS
