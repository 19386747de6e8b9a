/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/clock-part.h"

#include <glib/gi18n-lib.h>

const char *
heddle_clock_part_title (HeddleClockPart part)
{
  static const char *const titles[HEDDLE_CLOCK_N_PARTS] = { N_ ("tensor cores"), N_ ("special functions"),
    N_ ("f32 arithmetic"), N_ ("instructions"), N_ ("shared memory"), N_ ("barriers"), N_ ("L2"), N_ ("DRAM"),
    N_ ("latency"), N_ ("idle SMs"), N_ ("beginnings and ends of blocks"), N_ ("launch") };

  g_return_val_if_fail (part < HEDDLE_CLOCK_N_PARTS, NULL);

  return _ (titles[part]);
}

static char *
unit_sentence (const HeddleClockTime *time, HeddleClockPart part)
{
  double micro = time->parts[part] * 1e6, alone = time->alone[part] * 1e6;

  if (part == time->order[0])
    return g_strdup_printf (
        _ ("With nothing else to do, %s would take %.4g µs."), heddle_clock_part_title (part), alone);
  return g_strdup_printf (_ ("Besides, %s would take %.4g µs; %.4g µs of it are not hidden."),
      heddle_clock_part_title (part), alone, micro);
}

char *
heddle_clock_part_sentence (const HeddleClockTime *time, HeddleClockPart part)
{
  double micro;

  g_return_val_if_fail (time != NULL && part < HEDDLE_CLOCK_N_PARTS, NULL);

  micro = time->parts[part] * 1e6;
  if (part == HEDDLE_CLOCK_IDLE)
    return g_strdup_printf (_ ("SMs have no block for %.3g %% of the time (%.3g waves); that adds %.4g µs."),
        100. * (1. - time->busy), time->waves, micro);
  if (part == HEDDLE_CLOCK_BLOCKS)
    return g_strdup_printf (
        _ ("First loads, last stores and the work of blocks outside their steps add %.4g µs."), micro);
  if (part == HEDDLE_CLOCK_LAUNCH)
    return g_strdup_printf (_ ("Starting the kernel takes %.4g µs."), micro);
  return unit_sentence (time, part);
}
