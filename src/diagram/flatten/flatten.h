/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/document.h"
#include "diagram/flatten/map.h"
#include "diagram/flatten/private.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Flattens as heddle_snapshot_flatten () does, and also returns where everything comes from. @map holds
 * pointers into @self. */
HeddleSnapshot *heddle_snapshot_flatten_mapped (HeddleSnapshot *self, const HeddleDiagram *diagram,
    GHashTable *overrides, HeddleFlatMap **map, const char **call, GError **error);

/* Returns @diagram with the one call expanded. Returns NULL with an error if that cannot be done. */
HeddleDiagram *heddle_flatten_call (
    const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const char *call, GError **error);
/* Returns @diagram with the operations of what it calls in the place of its calls. */
HeddleSnapshot *heddle_snapshot_flatten (HeddleSnapshot *self, const HeddleDiagram *diagram,
    GHashTable *overrides, const char **call, GError **error);

G_END_DECLS
