/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/evaluate/private.h"
#include "diagram/graph/diagram.h"

/* Checks that this machine's memory has room for the arrays before the first of them is made. Fails with
 * %HEDDLE_DIAGRAM_ERROR_LIMIT. */
gboolean heddle_evaluate_check_memory (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, HeddleHeld held, GError **error);
