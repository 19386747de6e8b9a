/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/kernel/search-private.h"
#include "derive/program/loop-program-private.h"

/* Finds the least time over all classes of tiles by branch and bound, where @stream is the axis that
 * streams, or NULL. */
void heddle_search_by_time (HeddleSearch *self, const HeddleTiling *given, const char *stream);
