/* SPDX-License-Identifier: MIT */
#include "codegen/base/monoid.h"

static const HeddleDeviceMonoid table[] = {
  [HEDDLE_MONOID_SUM] = { HEDDLE_MONOID_SUM, "+", NULL, NULL, "sum_along_row", "sum along row" },
  [HEDDLE_MONOID_PROD] = { HEDDLE_MONOID_PROD, "*", NULL, NULL, "prod_along_row", "prod along row" },
  [HEDDLE_MONOID_MAX] = { HEDDLE_MONOID_MAX, NULL, "maximum", "largest", "max_along_row", "max along row" },
  [HEDDLE_MONOID_MIN] = { HEDDLE_MONOID_MIN, NULL, "minimum", "smallest", "min_along_row", "min along row" },
};

const HeddleDeviceMonoid *
heddle_device_monoid (HeddleMonoid monoid)
{
  g_return_val_if_fail ((guint) monoid < G_N_ELEMENTS (table), NULL);

  return &table[monoid];
}
