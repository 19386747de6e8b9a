/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"
#include "derive/report/roofline.h"

G_BEGIN_DECLS

/* What was measured on a GPU, in this window or told by a file: emits "measured". @measurement: taken */
void heddle_editor_add_measurement (HeddleEditor *self, HeddleBenchResult *measurement);
/* Those of the machine and data type at hand, of HeddleBenchResult, the newest last: transfer container. */
GPtrArray *heddle_editor_get_measured (HeddleEditor *self);
/* All of them: transfer none. */
const GPtrArray *heddle_editor_peek_measurements (HeddleEditor *self);

G_END_DECLS
