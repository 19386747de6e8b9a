/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/evaluate/contract-private.h"
#include "diagram/evaluate/private.h"

G_BEGIN_DECLS

/* Runs the product by tiles, or along one axis where a factor's side is too short for tiles. FALSE means
 * cancelled, with @error set. */
gboolean heddle_product_run (HeddleProduct *self, GError **error);
gboolean heddle_run_contract (HeddleRun *self, GError **error); /* leaving out what is outside */

G_END_DECLS
