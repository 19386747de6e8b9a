/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/differentiate/private.h"
#include "diagram/graph/diagram.h"

/* Returns the cotangent of what a REINDEX reads if it merges or splits axes and reads every point once; else
 * NULL. */
const char *heddle_reverse_unmerge (
    HeddleReverse *self, const HeddleOperation *operation, const char *cotangent);
