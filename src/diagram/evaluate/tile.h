/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/evaluate/contract-private.h"

G_BEGIN_DECLS

/* The two ways to do it: tile by tile, and along one axis. */
gboolean heddle_product_run_tiles (HeddleProduct *self, GError **error);

G_END_DECLS
