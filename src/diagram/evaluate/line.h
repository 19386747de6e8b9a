/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/evaluate/contract-private.h"

/* Adds the product line by line along one axis, shared among threads. FALSE means cancelled, with @error
 * set. */
gboolean heddle_product_run_lines (HeddleProduct *self, GError **error);
