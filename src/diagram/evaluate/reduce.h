/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/evaluate/private.h"

gboolean heddle_run_reduce (HeddleRun *self, GError **error); /* any form with stages; the same */
