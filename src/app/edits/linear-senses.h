/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor/editor.h"

/* Returns the senses of a linear layer that is put on the wire of @axis of @value (ids), of HeddleSense: to where another layer leads
 * the same wire, back to where a layer before it came from, to a new axis, to heads, to each other axis of features. The first one is
 * the most likely. The caller owns the array. */
GPtrArray *heddle_senses_of_linear (HeddleEditor *editor, const char *value, const char *axis);
