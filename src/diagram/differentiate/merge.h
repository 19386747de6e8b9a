/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/differentiate/private.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* The cotangent of what a REINDEX reads, where that merges or splits axes and every point is read once; NULL: it is not so. */
const char *heddle_reverse_unmerge (
    HeddleReverse *self, const HeddleOperation *operation, const char *cotangent);

G_END_DECLS
