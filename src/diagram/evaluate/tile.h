/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/evaluate/contract-private.h"

/* Runs a product tile by tile. Returns FALSE with an error if it cannot go on. */
gboolean heddle_product_run_tiles (HeddleProduct *self, GError **error);
