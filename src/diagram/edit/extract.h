/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Returns the operations @ids of @diagram as a document of their own. */
HeddleSnapshot *heddle_snapshot_extract (
    const HeddleSnapshot *self, const HeddleDiagram *diagram, const GArray *ids);

G_END_DECLS
