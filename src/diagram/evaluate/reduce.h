/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/evaluate/private.h"

G_BEGIN_DECLS

gboolean heddle_run_reduce (HeddleRun *self, GError **error); /* any form with stages; the same */

G_END_DECLS
