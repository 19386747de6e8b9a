/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "derive/derivation/derive.h"
#include "derive/report/roofline.h"

/* Frees the roof with its name. */
static void
roof_free (HeddleRoof *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->name);
  g_free (self);
}

static void
add_roof (GPtrArray *roofs, const char *name, gboolean ceiling, double rate)
{
  HeddleRoof *roof;

  if (!(rate > 0.))
    return;
  roof = g_new0 (HeddleRoof, 1);
  roof->name = g_strdup (name);
  roof->ceiling = ceiling;
  roof->rate = rate;
  g_ptr_array_add (roofs, roof);
}

/* Returns the FLOP/s at which the special-function units are busy all the time, for a kernel that needs so
 * many for its FLOPs. */
static double
special_ceiling (const HeddleMachine *machine, const HeddleKernel *kernel)
{
  if (kernel == NULL || kernel->special_ops == 0.)
    return 0.;
  return machine->special_per_clock * machine->sms * machine->clock * kernel->flops / kernel->special_ops;
}

GPtrArray *
heddle_roofline_roofs (const HeddleMachine *machine, HeddleDtype dtype, const HeddleKernel *kernel)
{
  GPtrArray *roofs = g_ptr_array_new_with_free_func ((GDestroyNotify) roof_free);

  g_return_val_if_fail (machine != NULL && dtype < HEDDLE_N_DTYPES, roofs);

  for (guint i = 0; i < machine->levels->len; i++)
    {
      const HeddleLevel *level = g_ptr_array_index (machine->levels, i);

      if (level->above < 0)
        add_roof (roofs, level->name, FALSE, level->bandwidth);
    }
  add_roof (roofs, "tensor", TRUE, machine->tensor_flops[dtype]);
  add_roof (roofs, "special", TRUE, special_ceiling (machine, kernel));
  add_roof (roofs, "fp32", TRUE, machine->fp32_flops);
  return roofs;
}

HeddleRooflinePoint
heddle_roofline_point (const HeddleDerivation *derivation)
{
  HeddleRooflinePoint point = { 0., 0. };

  g_return_val_if_fail (derivation != NULL, point);

  if (derivation->transfer_bytes > 0)
    point.intensity = derivation->flops / (double) derivation->transfer_bytes;
  if (derivation->expected_s > 0.)
    point.flops_per_s = derivation->flops / derivation->expected_s;
  return point;
}

void
heddle_bench_result_free (HeddleBenchResult *self)
{
  if (self == NULL)
    return;
  g_free (self->diagram);
  g_free (self->machine);
  g_free (self->gpu);
  g_free (self->date);
  g_free (self->path);
  g_free (self);
}

HeddleRooflinePoint
heddle_bench_result_point (const HeddleBenchResult *self)
{
  g_return_val_if_fail (
      self != NULL && self->bytes > 0. && self->median_s > 0., ((HeddleRooflinePoint){ 0., 0. }));

  return (HeddleRooflinePoint){ self->flops / self->bytes, self->flops / self->median_s };
}

char *
heddle_bench_result_day (const HeddleBenchResult *self)
{
  return g_strndup (self->date, strcspn (self->date, "T"));
}

void
heddle_roofline_add_links (GPtrArray *roofs, const HeddleDerivation *derivation, const HeddleMachine *machine)
{
  g_autoptr (GArray) traffic = heddle_sharding_traffic (derivation != NULL ? derivation->sharding : NULL);

  for (guint i = 0; i < traffic->len; i++)
    {
      const HeddleLinkTraffic *sum = &g_array_index (traffic, HeddleLinkTraffic, i);
      HeddleRoof *roof;

      if (sum->seconds <= 0.)
        continue;
      roof = g_new0 (HeddleRoof, 1);
      roof->name = g_strdup (((const HeddleLink *) g_ptr_array_index (machine->links, sum->link))->name);
      roof->rate = (double) derivation->transfer_bytes / sum->seconds;
      g_ptr_array_add (roofs, roof);
    }
}
