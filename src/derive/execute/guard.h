/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/execute/private.h"
#include "derive/program/loop-program.h"

G_BEGIN_DECLS

/* Whether the step of a band at hand runs. */
gboolean heddle_executor_is_needed (HeddleExecutor *self, const HeddleNode *band);

G_END_DECLS
