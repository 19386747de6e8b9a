/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* Replaces the diagram by the first one of @read, and definitions by those of the same names that were read
 * with it; things that are still there by name keep their ids. Where @diagram is the first of the document,
 * other definitions go. */
void heddle_edit_replace_document (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const HeddleSnapshot *read);
/* Sets how often a call is repeated (NULL: once), in terms of axis names, and whether with the same
 * parameters each time. FALSE comes with %HEDDLE_DIAGRAM_ERROR_TYPE where the definition makes other types
 * than it takes. */
gboolean heddle_edit_set_repeat (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *call,
    const char *repeat, gboolean shared, GError **error);
