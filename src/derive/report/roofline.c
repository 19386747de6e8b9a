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

double
heddle_roofline_level_rate (const HeddleMachine *machine, const HeddleLevel *level)
{
  const HeddleSustained *rates = machine->sustained;

  if (level->cache)
    return MAX (level->bandwidth, rates[HEDDLE_SUSTAINED_L2].value);
  if (g_str_equal (level->name, "gmem"))
    return MAX (level->bandwidth, rates[HEDDLE_SUSTAINED_DRAM].value);
  return level->bandwidth;
}

/* Adds the tensor cores' ceiling, of the operands of @kernel where they are faster on these than on @dtype. */
static void
add_tensor_roof (
    GPtrArray *roofs, const HeddleMachine *machine, HeddleDtype dtype, const HeddleKernel *kernel)
{
  gboolean own = kernel != NULL && kernel->tensor_peak > machine->tensor_flops[dtype];
  guint n = roofs->len;

  add_roof (roofs, "tensor", TRUE, own ? kernel->tensor_peak : machine->tensor_flops[dtype]);
  if (roofs->len > n)
    ((HeddleRoof *) roofs->pdata[n])->dtype = own ? kernel->tensor_dtype : dtype;
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
        add_roof (roofs, level->name, FALSE, heddle_roofline_level_rate (machine, level));
    }
  add_tensor_roof (roofs, machine, dtype, kernel);
  add_roof (roofs, "special", TRUE, special_ceiling (machine, kernel));
  add_roof (roofs, "fp32", TRUE, machine->fp32_flops);
  return roofs;
}

/* A crossing is the bytes that cross one memory, with the time that they take at the rate that the memory
 * sustains. */
typedef struct
{
  const char *memory;
  double bytes, seconds;
} Crossing;

#define N_CROSSINGS 3

/* Adds what the kernel moves to @sums, of N_CROSSINGS: from the top of the memories down. */
static void
add_crossings (Crossing *sums, const HeddleKernel *kernel)
{
  const Crossing own[N_CROSSINGS] = { { "gmem", kernel->dram_bytes, kernel->dram_s },
    { "l2", kernel->l2_bytes, kernel->l2_s }, { "smem", kernel->smem_bytes, kernel->smem_s } };

  for (guint i = 0; i < N_CROSSINGS; i++)
    {
      sums[i].memory = own[i].memory;
      sums[i].bytes += own[i].bytes;
      sums[i].seconds += own[i].seconds;
    }
}

static HeddleRooflinePoint
point_of (const Crossing *sums, double flops, double seconds)
{
  const Crossing *longest = &sums[0];

  for (guint i = 1; i < N_CROSSINGS; i++)
    longest = sums[i].seconds > longest->seconds ? &sums[i] : longest;
  if (!(flops > 0. && seconds > 0. && longest->seconds > 0.))
    return (HeddleRooflinePoint){ 0 };
  return (HeddleRooflinePoint){ flops / longest->bytes, flops / seconds, g_intern_string (longest->memory) };
}

HeddleRooflinePoint
heddle_roofline_kernel_point (const HeddleKernel *kernel)
{
  Crossing sums[N_CROSSINGS] = { 0 };

  g_return_val_if_fail (kernel != NULL, ((HeddleRooflinePoint){ 0 }));

  add_crossings (sums, kernel);
  return point_of (sums, kernel->flops, kernel->expected_s);
}

HeddleRooflinePoint
heddle_roofline_point (const HeddleDerivation *derivation)
{
  Crossing sums[N_CROSSINGS] = { 0 };

  g_return_val_if_fail (derivation != NULL, ((HeddleRooflinePoint){ 0 }));

  for (guint i = 0; i < derivation->kernels->len; i++)
    add_crossings (sums, g_ptr_array_index (derivation->kernels, i));
  return point_of (sums, derivation->flops, derivation->expected_s);
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
      self != NULL && self->bytes > 0. && self->median_s > 0., ((HeddleRooflinePoint){ 0 }));

  return (HeddleRooflinePoint){ self->flops / self->bytes, self->flops / self->median_s, self->memory };
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
  HeddleRooflinePoint point = { 0 };

  if (traffic->len > 0)
    point = heddle_roofline_point (derivation);
  for (guint i = 0; i < traffic->len; i++)
    {
      const HeddleLinkTraffic *sum = &g_array_index (traffic, HeddleLinkTraffic, i);
      HeddleRoof *roof;

      if (sum->seconds <= 0. || point.intensity <= 0.)
        continue;
      roof = g_new0 (HeddleRoof, 1);
      roof->name = g_strdup (((const HeddleLink *) g_ptr_array_index (machine->links, sum->link))->name);
      roof->rate = derivation->flops / point.intensity / sum->seconds;
      g_ptr_array_add (roofs, roof);
    }
}
