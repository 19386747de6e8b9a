/* SPDX-License-Identifier: MIT */
#include "codegen/base/monoid.h"
#include "codegen/cuda/joins.h"

static const struct
{
  const char *section, *name;
} joins[] = {
  [HEDDLE_MONOID_SUM] = { "row sum", "Sum" },
  [HEDDLE_MONOID_PROD] = { "row prod", "Product" },
  [HEDDLE_MONOID_MAX] = { "row max", "Largest" },
  [HEDDLE_MONOID_MIN] = { "row min", "Smallest" },
};

const char *
heddle_cuda_join_name (HeddleMonoid monoid)
{
  return joins[monoid].name;
}

void
heddle_cuda_join_use (HeddleCudaKernel *self, HeddleMonoid monoid)
{
  const HeddleDeviceMonoid *row = heddle_device_monoid (monoid);

  g_hash_table_add (self->sections, (gpointer) joins[monoid].section);
  if (row->instruction != NULL)
    g_hash_table_add (self->sections, (gpointer) row->instruction);
}
