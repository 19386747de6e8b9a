/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* Flattens as heddle_snapshot_flatten () does, but for scans that would be written out step by step: each of
 * them stays a call, of a definition of its own that is flat too and stands in the document after @diagram.
 * All that a step reads is among its operands, parameters last, and all axes but that of the scan are those of
 * what the definition takes; the axis leads in what is read at a place and in the results. A linear scan becomes
 * a recurrence as ever. The caller owns the document; NULL comes with an error, as there. */
HeddleSnapshot *heddle_snapshot_flatten_steps (
    HeddleSnapshot *self, const HeddleDiagram *diagram, GHashTable *overrides, GError **error);
