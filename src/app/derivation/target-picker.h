/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "app/editor/editor.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"

/* Which GPU and data type a kernel is derived for. */
#define HEDDLE_TYPE_TARGET_PICKER (heddle_target_picker_get_type ())
G_DECLARE_FINAL_TYPE (HeddleTargetPicker, heddle_target_picker, HEDDLE, TARGET_PICKER, GtkBox)

/* Returns a new picker (floating) of the document's target; a choice is an undo step of @editor. */
GtkWidget *heddle_target_picker_new (HeddleEditor *editor);
/* One that leaves the document as it is, begun with the machine of that name and the data types as declared: "chosen" is emitted when
 * another is. */
GtkWidget *heddle_target_picker_new_free (HeddleEditor *editor, const char *machine);
/* Shows the document's target. */
void heddle_target_picker_update (HeddleTargetPicker *self);
/* Returns what is picked; the data type is UNSET where each array has what it declares. */
const HeddleMachine *heddle_target_picker_get_machine (HeddleTargetPicker *self);
/* Returns the data type picked for arrays that declare none, or UNSET where each array has what it declares. */
HeddleDtype heddle_target_picker_get_dtype (HeddleTargetPicker *self);
