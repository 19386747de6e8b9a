/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/execute/point-private.h"
#include "derive/execute/private.h"

G_BEGIN_DECLS

/* SCAN and SELECT */
void heddle_point_scan (const HeddlePoint *point, const HeddleRange *ranges);
void heddle_point_select (const HeddlePoint *point, const HeddleRange *ranges);

G_END_DECLS
