/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/stream/stream.h"

/* Finds the conditions under which steps of the stream change nothing, from the masks in what the loop
 * computes, and notes them in the plan as `needed`. */
void heddle_stream_plan_find_masks (HeddleStreamPlan *plan);
