/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include "diagram/flatten/map.h"
#include "diagram/flatten/private.h"
#include "diagram/graph/diagram.h"

/* Flattens as heddle_snapshot_flatten () does, always into another document than @self, and also returns
 * where everything comes from. @map holds pointers into @self. */
HeddleSnapshot *heddle_snapshot_flatten_mapped (HeddleSnapshot *self, const HeddleDiagram *diagram,
    GHashTable *overrides, HeddleFlatMap **map, const char **call, GError **error);

/* Returns @diagram with the one call expanded. Returns NULL with an error if that cannot be done. */
HeddleDiagram *heddle_flatten_call (
    const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const char *call, GError **error);
/* Returns @diagram with what it calls in the place of its calls, but for boxes and for scans that would be
 * written out step by step: those stay calls of what is scanned, and their parameters are those of that. The
 * caller owns it; NULL comes with an error as of heddle_snapshot_flatten (). */
HeddleDiagram *heddle_flatten_keep_scans (
    const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, GHashTable *overrides, GError **error);
/* Returns a document whose first diagram is @diagram with what it calls in the place of its calls, with its
 * schedule; @self where there are none. The axes, values and operations of @diagram keep their ids; what
 * comes from a call has ids and names that begin with those of the call and of its first result: the
 * parameter W of what makes Z is "Z.W". Where a call is repeated, what is made the second time is in "Z.2",
 * and parameters have the times as their first axis unless they are shared. A scan is written out likewise, one
 * step after the other, each of which reads its place of what is along the axis; the states are joined. An input of the callee is what
 * it is given, read under other axes where one of the caller's stands for two of the callee's. Calls of
 * boxes stay, and so do the boxes. @overrides (axis name to gint64, or NULL) are sizes that take the place
 * of the diagram's own, since a repetition may depend on them. NULL comes with %HEDDLE_DIAGRAM_ERROR_TYPE,
 * _SIZE, _INVALID (a definition that calls itself), _LIMIT (more than 200,000 operations, 10,000 steps of a
 * scan, or 64 definitions deep) or _UNSUPPORTED (a scan along an axis whose size is not known yet); @call, which is optional, is then the call of @diagram where it shows, or NULL. */
HeddleSnapshot *heddle_snapshot_flatten (HeddleSnapshot *self, const HeddleDiagram *diagram,
    GHashTable *overrides, const char **call, GError **error);
