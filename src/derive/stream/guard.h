/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/stream/stream.h"

G_BEGIN_DECLS

void heddle_stream_plan_find_masks (HeddleStreamPlan *plan);

G_END_DECLS
