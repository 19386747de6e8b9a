/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor/editor.h"

#define HEDDLE_TYPE_BATCH_PICKER (heddle_batch_picker_get_type ())
G_DECLARE_FINAL_TYPE (HeddleBatchPicker, heddle_batch_picker, HEDDLE, BATCH_PICKER, GtkBox)

/* A button that says for how many heads and batches the diagram is computed ("h = 32"), and opens where that is chosen. */
GtkWidget *heddle_batch_picker_new (HeddleEditor *editor);
/* Shows what the diagram has now. */
void heddle_batch_picker_update (HeddleBatchPicker *self);
