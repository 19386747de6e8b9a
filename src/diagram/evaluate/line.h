/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/evaluate/contract-private.h"

G_BEGIN_DECLS

gboolean heddle_product_run_lines (HeddleProduct *self, GError **error);

G_END_DECLS
