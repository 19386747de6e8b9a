/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/execute/private.h"
#include "derive/program/loop-program.h"

/* Returns whether the current step of @band runs: the guard holds somewhere in it, or there is none. */
gboolean heddle_executor_is_needed (HeddleExecutor *self, const HeddleNode *band);
