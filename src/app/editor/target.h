/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"
#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"

G_BEGIN_DECLS

void heddle_editor_read_defaults (HeddleEditor *self);
/* Machine and data type as the schedule, else the settings, have them. */
void heddle_editor_update_target (HeddleEditor *self);
/* --- target --- kept in the document's schedule, so that setting them is an undo step */
GPtrArray *heddle_editor_get_machines (HeddleEditor *self); /* of HeddleMachine: all that can be chosen */
/* Their files were written since: what is derived goes by what they say now. */
void heddle_editor_reload_machines (HeddleEditor *self);
const HeddleMachine *heddle_editor_get_machine (HeddleEditor *self);
void heddle_editor_set_machine (HeddleEditor *self, const char *name);
HeddleDtype heddle_editor_get_dtype (HeddleEditor *self);
void heddle_editor_set_dtype (HeddleEditor *self, HeddleDtype dtype);

G_END_DECLS
