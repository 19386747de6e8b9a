/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"

/* An editor derives for a target: a machine and a data type. */

/* Reads the GPU and the data type of the settings, which hold where a schedule names none. */
void heddle_editor_read_defaults (HeddleEditor *self);
/* Machine and data type as the schedule, else the settings, have them. */
void heddle_editor_update_target (HeddleEditor *self);
/* --- target --- kept in the document's schedule, so that setting them is an undo step */
GPtrArray *heddle_editor_get_machines (HeddleEditor *self); /* of HeddleMachine: all that can be chosen */
/* Their files were written since: what is derived goes by what they say now. */
void heddle_editor_reload_machines (HeddleEditor *self);
/* Returns the machine that is derived for, owned by the editor. */
const HeddleMachine *heddle_editor_get_machine (HeddleEditor *self);
/* Derives for the machine called @name, as an undo step, and keeps it in the settings; nothing happens where
 * there is no such machine or it is the present one. */
void heddle_editor_set_machine (HeddleEditor *self, const char *name);
/* Returns the data type of arrays that declare none. */
HeddleDtype heddle_editor_get_dtype (HeddleEditor *self);
/* Sets the data type of arrays that declare none, as an undo step, and keeps it in the settings. */
void heddle_editor_set_dtype (HeddleEditor *self, HeddleDtype dtype);
