/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"

/* Deletes objects (operations, values, axes, annotations, blocks, bundles); a value that is made goes with
 * what makes it. It heals wires where the types allow (a softmax or a same-shape map is bridged), else
 * deletes what depends on them. Returns how many objects went; 0 with an error. */
guint heddle_edit_delete (
    HeddleSnapshot *snapshot, HeddleDiagram *diagram, const GArray *ids, GError **error);
