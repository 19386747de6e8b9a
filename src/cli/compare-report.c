/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>

#include <glib/gi18n.h>

#include "cli/compare-report.h"
#include "cli/derivation.h"
#include "cli/derive-json.h"
#include "cli/derive-report.h"
#include "cli/json.h"
#include "derive/cost/level-cost.h"
#include "derive/cost/report.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/report/comparison.h"
#include "derive/suggest/codesign.h"
#include "diagram/base/dtype.h"
#include "files/base/json.h"

static const char *
dtype_text (const HeddleComparison *self)
{
  return self->dtype != HEDDLE_DTYPE_UNSET ? heddle_dtype_to_string (self->dtype) : _ ("declared");
}

/* --- JSON ---------------------------------------------------------------------------- */

static void
kernels_json (JsonBuilder *json, const HeddleComparison *self)
{
  heddle_json_begin_array (json, "kernels");
  for (guint i = 0; i < self->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (self->derivation->kernels, i);
      const HeddleLevelCost *level = g_ptr_array_index (kernel->levels, 0);
      g_autofree char *tiles = heddle_comparison_tiles (self, kernel);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "kernel", kernel->title);
      heddle_json_text (json, "tiles", tiles);
      heddle_json_double (json, "expected_s", kernel->expected_s);
      heddle_json_text (json, "bound", kernel->bound);
      heddle_json_int (json, "transfer_bytes", level->transfer_bytes);
      heddle_json_int (json, "memory_bytes", level->memory_bytes);
      heddle_json_double (json, "occupancy", heddle_level_cost_workers (level, self->machine));
      heddle_json_double (json, "waves", kernel->waves);
      heddle_json_bool (json, "fits", kernel->fits);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
crossings_json (JsonBuilder *json, const HeddleComparison *self)
{
  heddle_json_begin_array (json, "crossings");
  for (guint i = 0; i < self->crossings->len; i++)
    {
      const HeddleCrossing *crossing = &g_array_index (self->crossings, HeddleCrossing, i);

      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "figure", heddle_machine_figure_name (crossing->figure));
      heddle_json_double (json, "now", crossing->now);
      heddle_json_double (json, "at", crossing->at);
      heddle_json_double (json, "factor", crossing->factor);
      heddle_json_text (json, "bound", crossing->bound);
      heddle_json_double (json, "expected_s", crossing->expected_s);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
}

static void
comparison_json (JsonBuilder *json, const HeddleComparison *self)
{
  const HeddleDerivation *derivation = self->derivation;
  HeddleComparisonSummary sum = heddle_comparison_summarise (self);

  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "gpu", self->machine->name);
  heddle_json_text (json, "dtype",
      heddle_dtype_to_string (self->dtype != HEDDLE_DTYPE_UNSET ? self->dtype : self->declared));
  heddle_json_bool (json, "dtype_as_declared", self->dtype == HEDDLE_DTYPE_UNSET);
  heddle_json_bool (json, "comparison_only", self->machine->comparison_only);
  heddle_json_double (json, "expected_s", derivation->expected_s);
  heddle_json_double (json, "overlapped_s", derivation->overlapped_s);
  heddle_json_double (json, "serial_s", sum.serial_s);
  heddle_json_text (json, "bound", heddle_derivation_bound (derivation));
  heddle_json_double (json, "flops", derivation->flops);
  heddle_json_int (json, "transfer_elements", derivation->transfer_elements);
  heddle_json_int (json, "transfer_bytes", derivation->transfer_bytes);
  heddle_json_int (json, "memory_bytes", sum.held);
  heddle_json_double (json, "occupancy", sum.workers);
  heddle_json_bool (json, "fits", sum.fits);
  heddle_json_int (json, "gpus", derivation->sharding != NULL ? derivation->sharding->gpus : 1);
  heddle_json_double (
      json, "sent_bytes", derivation->sharding != NULL ? derivation->sharding->sent_bytes : 0.);
  heddle_json_double (json, "links_s", derivation->sharding != NULL ? derivation->sharding->seconds : 0.);
  heddle_derived_values_json (json, "written_out", self->diagram, self->written_out);
  kernels_json (json, self);
  crossings_json (json, self);
  heddle_json_bool (json, "crossings_searched", !self->uncrossed);
  json_builder_end_object (json);
}

void
heddle_comparisons_print_json (GPtrArray *comparisons, const HeddleInput *input)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();

  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "diagram", input->diagram->name);
  heddle_json_begin_array (json, "comparisons");
  for (guint i = 0; i < comparisons->len; i++)
    comparison_json (json, g_ptr_array_index (comparisons, i));
  json_builder_end_array (json);
  json_builder_end_object (json);
  heddle_json_print (json);
}

/* --- the table ----------------------------------------------------------------------- */

static void
print_row (const HeddleComparison *self)
{
  const HeddleDerivation *derivation = self->derivation;
  const HeddleKernel *first = g_ptr_array_index (derivation->kernels, 0);
  g_autofree char *tiles = heddle_comparison_tiles (self, first);
  HeddleComparisonSummary sum = heddle_comparison_summarise (self);

  g_print ("%-14s %-8s %11.4g %-8s %7u %15" PRId64 " %9" PRId64 " %5.2f  %s%s\n", self->machine->name,
      dtype_text (self), derivation->expected_s * 1e6, heddle_derivation_bound (derivation),
      derivation->kernels->len, derivation->transfer_bytes, sum.held, sum.workers, tiles,
      sum.fits ? "" : _ (" (does not fit)"));
  for (guint i = 1; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);
      g_autofree char *more = heddle_comparison_tiles (self, kernel);

      g_print ("%86s%s\n", "", *more != '\0' ? more : "-");
    }
  if (derivation->sharding != NULL)
    g_print (_ ("  of each of %u GPUs, which sends %.15g bytes to the others: %.4g µs of the time\n"),
        derivation->sharding->gpus, derivation->sharding->sent_bytes, derivation->sharding->seconds * 1e6);
  heddle_derived_print_written_out (self->diagram, self->written_out);
}

static const char *
figure_words (HeddleMachineFigure figure)
{
  static const char *const words[] = {
    [HEDDLE_FIGURE_CAPACITY] = N_ ("memory of a group, bytes"),
    [HEDDLE_FIGURE_DRAM] = N_ ("DRAM, TB/s"),
    [HEDDLE_FIGURE_CACHE] = N_ ("cache, TB/s"),
    [HEDDLE_FIGURE_TENSOR] = N_ ("tensor cores, TFLOP/s"),
    [HEDDLE_FIGURE_SPECIAL] = N_ ("special functions, T/s"),
    [HEDDLE_FIGURE_FP32] = N_ ("fp32, TFLOP/s"),
  };

  return _ (words[figure]);
}

static void
print_crossing (const HeddleCrossing *crossing)
{
  gboolean bytes = crossing->figure == HEDDLE_FIGURE_CAPACITY;
  double unit = bytes ? 1. : 1e-12;

  g_print (bytes ? _ ("  %-26s %9.0f to %9.0f (times %.4g): bound by %s, %.4g µs\n")
                 : _ ("  %-26s %9.4g to %9.4g (times %.4g): bound by %s, %.4g µs\n"),
      figure_words (crossing->figure), crossing->now * unit, crossing->at * unit, crossing->factor,
      crossing->bound, crossing->expected_s * 1e6);
}

static gboolean
is_crossed (const HeddleComparison *self, HeddleMachineFigure figure)
{
  for (guint i = 0; i < self->crossings->len; i++)
    if (g_array_index (self->crossings, HeddleCrossing, i).figure == figure)
      return TRUE;
  return FALSE;
}

static void
print_crossings (const HeddleComparison *self)
{
  const char *bound = heddle_derivation_bound (self->derivation);

  if (*bound == '\0')
    return;
  if (!heddle_comparison_summarise (self).fits)
    {
      g_print (_ ("\n%s, %s: no legal labels fit, so its bound is not known\n"), self->machine->title,
          dtype_text (self));
      return;
    }
  if (self->uncrossed)
    {
      g_print (_ ("\n%s, %s, is bound by %s. With %u kernels, no search is made for what would move it\n"),
          self->machine->title, dtype_text (self), bound, self->derivation->kernels->len);
      return;
    }
  g_print (_ ("\n%s, %s, is bound by %s. What would move the bound:\n"), self->machine->title,
      dtype_text (self), bound);
  for (guint i = 0; i < self->crossings->len; i++)
    print_crossing (&g_array_index (self->crossings, HeddleCrossing, i));
  for (guint i = 0; i < HEDDLE_N_FIGURES; i++)
    if (!is_crossed (self, (HeddleMachineFigure) i)
        && heddle_machine_get_figure (self->machine, (HeddleMachineFigure) i, HEDDLE_DTYPE_F16) > 0.)
      g_print (_ ("  %-26s nothing between 1/64 and 64 times its value\n"),
          figure_words ((HeddleMachineFigure) i));
}

/* Prints, for two types on one machine, whether the other type would move the bound. */
static void
print_dtypes (GPtrArray *comparisons, const HeddleComparison *self)
{
  for (guint i = 0; i < comparisons->len; i++)
    {
      const HeddleComparison *other = g_ptr_array_index (comparisons, i);
      const char *bound = heddle_derivation_bound (other->derivation);

      if (other == self || !g_str_equal (other->machine->name, self->machine->name) || *bound == '\0')
        continue;
      g_print (g_str_equal (bound, heddle_derivation_bound (self->derivation))
                   ? _ ("  %s instead: still bound by %s, %.4g times the time\n")
                   : _ ("  %s instead: bound by %s, %.4g times the time\n"),
          dtype_text (other), bound, other->derivation->expected_s / self->derivation->expected_s);
    }
}

void
heddle_comparisons_print_table (GPtrArray *comparisons, const HeddleInput *input)
{
  g_print ("%s\n", input->diagram->name);
  g_print ("%-14s %-8s %11s %-8s %7s %15s %9s %5s  %s\n", _ ("GPU"), _ ("type"), _ ("time, µs"), _ ("bound"),
      _ ("kernels"), _ ("H, bytes"), _ ("M, bytes"), _ ("occ."), _ ("tiles"));
  for (guint i = 0; i < comparisons->len; i++)
    print_row (g_ptr_array_index (comparisons, i));
  for (guint i = 0; i < comparisons->len; i++)
    {
      print_crossings (g_ptr_array_index (comparisons, i));
      print_dtypes (comparisons, g_ptr_array_index (comparisons, i));
    }
}
