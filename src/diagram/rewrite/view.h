/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

/* Makes the operation read the source of a transpose or broadcast that is one of its operands. FALSE means
 * that no operand is one that can be removed. */
gboolean heddle_rewrite_absorb_views (HeddleDiagram *diagram, const char *operation_id);
/* Computes the operation without the axes along which its operands are all the same, and broadcasts the
 * result. FALSE means that there is no such axis. */
gboolean heddle_rewrite_slide_broadcast (HeddleDiagram *diagram, const char *operation_id);
/* Makes the read of a product the product of reads. FALSE means that the operation is none, or that the
 * read cannot move. */
gboolean heddle_rewrite_slide_read (HeddleDiagram *diagram, const char *operation_id);
