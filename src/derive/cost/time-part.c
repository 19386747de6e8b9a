/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/time-part.h"

#include <glib/gi18n-lib.h>

const char *
heddle_time_part_name (HeddleTimePart part)
{
  static const char *const names[HEDDLE_TIME_N_PARTS]
      = { "longest", "exposed", "copies", "threads", "clock", "idle", "blocks", "merging", "launch" };

  g_return_val_if_fail (part < HEDDLE_TIME_N_PARTS, NULL);

  return names[part];
}

static const char *
unit_title (const char *unit)
{
  static const struct
  {
    const char *unit, *title;
  } titles[] = { { "tensor", N_ ("tensor cores") }, { "special", N_ ("special functions") },
    { "fp32", N_ ("f32 arithmetic") }, { "dram", N_ ("DRAM") }, { "l2", N_ ("L2") },
    { "smem", N_ ("shared memory") }, { "above", N_ ("links above global memory") } };

  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    if (g_strcmp0 (unit, titles[i].unit) == 0)
      return _ (titles[i].title);
  return unit;
}

char *
heddle_time_part_sentence (
    const double parts[HEDDLE_TIME_N_PARTS], HeddleTimePart part, const char *unit, double busy)
{
  double micro;

  g_return_val_if_fail (parts != NULL && part < HEDDLE_TIME_N_PARTS && unit != NULL, NULL);

  micro = parts[part] * 1e6;
  if (part == HEDDLE_TIME_LONGEST)
    return g_strdup_printf (_ ("With nothing else to do, %s would take %.4g µs."), unit_title (unit), micro);
  if (part == HEDDLE_TIME_EXPOSED)
    return g_strdup_printf (
        _ ("Work between two contractions is not hidden by them and adds %.4g µs."), micro);
  if (part == HEDDLE_TIME_COPIES)
    return g_strdup_printf (_ ("Threads copy data that does not lie in whole pieces of 16 bytes element by "
                               "element; that adds %.4g µs."),
        micro);
  if (part == HEDDLE_TIME_THREADS)
    return g_strdup_printf (
        _ ("Threads compute indices and wait for what they read; that adds %.4g µs."), micro);
  if (part == HEDDLE_TIME_CLOCK)
    return g_strdup_printf (
        _ ("Busy tensor cores draw so much power that the clock is lowered; that adds %.4g µs."), micro);
  if (part == HEDDLE_TIME_IDLE)
    return g_strdup_printf (
        _ ("Over all waves %.3g %% of the SMs have no group; that adds %.4g µs."), 100. * (1. - busy), micro);
  if (part == HEDDLE_TIME_MERGING)
    return g_strdup_printf (_ ("A second kernel merges the parts of the split axis in %.4g µs."), micro);
  if (part == HEDDLE_TIME_BLOCKS)
    return g_strdup_printf (
        _ ("Blocks wait for their first copy and end with stores; that adds %.4g µs."), micro);
  return g_strdup_printf (_ ("Starting kernels takes %.4g µs."), micro);
}
