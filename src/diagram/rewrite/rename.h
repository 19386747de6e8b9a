/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

/* Moves the renaming of an operand's axis behind the operation, which works along the first name. FALSE
 * means that no operand is renamed so. */
gboolean heddle_rewrite_slide_rename (HeddleDiagram *diagram, const char *operation_id);
