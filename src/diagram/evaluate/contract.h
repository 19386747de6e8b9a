/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/evaluate/contract-private.h"
#include "diagram/evaluate/private.h"

gboolean heddle_run_contract (HeddleRun *self, GError **error); /* leaving out what is outside */
