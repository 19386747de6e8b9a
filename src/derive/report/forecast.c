/* SPDX-License-Identifier: MIT */

#include "derive/cost/level-cost.h"
#include "derive/report/forecast.h"

const char *const heddle_forecast_units[HEDDLE_N_UNITS]
    = { "l2", "tensor", "smem", "special", "fp32", "dram" };

static void
add_times (HeddleForecast *self, const HeddleKernel *kernel)
{
  const double seconds[HEDDLE_N_UNITS] = { kernel->l2_s, kernel->plain ? 0. : kernel->tensor_s,
    kernel->smem_s, kernel->special_s, kernel->fp32_s, kernel->dram_s };

  for (guint i = 0; i < HEDDLE_N_UNITS; i++)
    self->unit_s[i] += seconds[i];
  self->serial_s += kernel->serial_s;
  self->groups += kernel->groups;
  for (guint i = 0; i < HEDDLE_TIME_N_PARTS; i++)
    self->parts[i] += kernel->parts[i];
  self->efficiency += kernel->waves * kernel->expected_s;
}

/* Records the level that is fullest in proportion, if one is too full. */
static void
add_needs (HeddleForecast *self, const HeddleKernel *kernel)
{
  for (guint i = 0; !kernel->fits && i < kernel->levels->len; i++)
    {
      const HeddleLevelCost *cost = g_ptr_array_index (kernel->levels, i);
      double capacity = cost->capacity_bytes,
             held = self->in_values ? cost->memory_elements : cost->memory_bytes;

      if (capacity <= 0 || held <= capacity
          || (self->full_level != NULL && held / capacity <= self->needs / self->capacity))
        continue;
      self->full_level = g_intern_string (cost->level);
      self->needs = held;
      self->capacity = capacity;
    }
  self->fits &= kernel->fits;
}

HeddleForecast
heddle_forecast (const HeddleDerivation *derivation, const HeddleMachine *machine)
{
  HeddleForecast self = { .n_kernels = derivation->kernels->len,
    .seconds = derivation->expected_s,
    .values = derivation->transfer_elements,
    .bytes = derivation->transfer_bytes,
    .flops = derivation->flops,
    .point = heddle_roofline_point (derivation),
    .legal = !derivation->illegal,
    .fits = TRUE,
    .in_values = heddle_machine_is_abstract (machine) };
  double slowest = -1;

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      add_times (&self, kernel);
      add_needs (&self, kernel);
      if (kernel->expected_s > slowest)
        self.bound = kernel->bound;
      slowest = MAX (slowest, kernel->expected_s);
    }
  if (derivation->sharding != NULL && derivation->sharding->seconds > slowest)
    self.bound = "links";
  self.efficiency = self.seconds > 0 ? self.efficiency / self.seconds : 0;
  return self;
}

gboolean
heddle_forecast_is_timed (const HeddleForecast *self)
{
  return self->legal && self->fits && self->seconds > 0;
}

/* A gain has to be this large to be worth a word. */
#define WORTHWHILE .99

gboolean
heddle_forecast_is_better (const HeddleForecast *self, const HeddleForecast *than)
{
  if (!self->legal || !self->fits)
    return FALSE;
  if (!than->legal || !than->fits)
    return TRUE;
  return self->seconds > 0 ? self->seconds < WORTHWHILE * than->seconds
                           : self->values < WORTHWHILE * than->values;
}

HeddleTimePart
heddle_forecast_limit (const HeddleForecast *self)
{
  HeddleTimePart largest = HEDDLE_TIME_LONGEST;

  for (guint i = 0; i < HEDDLE_TIME_N_PARTS; i++)
    if (self->parts[i] > self->parts[largest])
      largest = (HeddleTimePart) i;
  return largest;
}

double
heddle_forecast_unit (const HeddleForecast *self, const char *unit)
{
  for (guint i = 0; i < HEDDLE_N_UNITS; i++)
    if (g_str_equal (heddle_forecast_units[i], unit))
      return self->unit_s[i];
  return 0;
}
