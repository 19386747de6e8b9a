/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/execute/point-private.h"
#include "derive/execute/private.h"

/* The two forms of a COMPUTE that go through points in order. Both leave their results in the memory of the
 * statement's buffers. */

G_BEGIN_DECLS

/* Runs a SCAN at the points of @ranges, one state for each point of the other axes, and writes every state. */
void heddle_point_scan (const HeddlePoint *point, const HeddleRange *ranges);
/* Runs a SELECT: goes through the points of @ranges in order and keeps the largest values with their places,
 * as many as the buffer holds. A point whose place is negative is passed over. */
void heddle_point_select (const HeddlePoint *point, const HeddleRange *ranges);

G_END_DECLS
