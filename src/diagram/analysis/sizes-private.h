/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/graph/diagram.h"

#define HEDDLE_MAX_SIZE ((gint64) 1 << 40)

/* Receives each axis whose own size is wrong; axes that merely depend on such a one are not reported
 * again. */
typedef void (*HeddleSizesReport) (const char *axis_id, const char *message, gpointer data);

/* Receives each pair of axes of which a reindexing reads one under the name of the other. */
typedef void (*HeddleSizesRename) (
    const HeddleOperation *operation, const HeddleAxis *read, const HeddleAxis *as, gpointer data);
