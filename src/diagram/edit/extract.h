/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* Returns a new document of the operations among @ids of @diagram, with what they call; what they read from
 * elsewhere are its inputs, and ids stay. NULL means that there is no operation among them. */
HeddleSnapshot *heddle_snapshot_extract (
    const HeddleSnapshot *self, const HeddleDiagram *diagram, const GArray *ids);
