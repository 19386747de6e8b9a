/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/widgets/format.h"
#include "app/derivation/level-fill.h"
#include "app/editor/flat.h"
#include "app/editor/level-totals.h"
#include "app/editor/preview.h"
#include "app/editor/shared-derivation.h"
#include "app/editor/target.h"
#include "derive/report/forecast.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

static gboolean
counts_values (HeddleEditor *editor)
{
  return heddle_machine_is_abstract (heddle_editor_get_machine (editor));
}

static double
count (HeddleEditor *editor, HeddleAmount amount)
{
  return counts_values (editor) ? amount.values : amount.bytes;
}

static double
add_values (HeddleEditor *editor, const GArray *values, GHashTable *seen)
{
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (editor);
  const HeddleSizes *sizes = heddle_editor_get_flat_sizes (editor);
  HeddleDtype dtype = heddle_editor_get_dtype (editor);
  double sum = 0;

  for (guint i = 0; sizes != NULL && i < values->len; i++)
    {
      const char *id = heddle_ids_index (values, i);
      const HeddleValue *value = heddle_diagram_get_value (diagram, id);

      if (value != NULL && g_hash_table_add (seen, (gpointer) id))
        sum += (double) heddle_sizes_elements (sizes, value)
               * (counts_values (editor) ? 1
                                         : heddle_dtype_bytes (heddle_diagram_dtype (diagram, id, dtype)));
    }
  return sum;
}

/* Arrays that the schedule keeps at a level. */
static double
find_kept (HeddleEditor *editor, const char *level)
{
  const HeddleSchedule *schedule = heddle_editor_get_shown_schedule (editor);
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) values = heddle_ids_new ();

  for (guint i = 0; schedule != NULL && i < schedule->residency->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (schedule->residency, i);

      if (g_str_equal (place->level, level))
        heddle_ids_append (values, place->value);
    }
  return add_values (editor, values, seen);
}

static gboolean
has_regions (HeddleEditor *editor)
{
  const HeddleSchedule *schedule = heddle_editor_get_shown_schedule (editor);

  return schedule != NULL && schedule->regions->len > 0;
}

/* The tensor cores hold next to nothing, so that their fill is how busy they are. */
HeddleLevelFill
heddle_level_fill_tensor (HeddleEditor *editor)
{
  const HeddleSharedDerivation *derivation = heddle_editor_share_derivation (editor);
  const HeddleMachine *machine = heddle_editor_get_machine (editor);
  double roof = machine != NULL ? machine->tensor_flops[heddle_editor_get_dtype (editor)] : 0;
  HeddleLevelFill fill = { .part = 0 };

  if (derivation != NULL && has_regions (editor))
    {
      const HeddleForecast *forecast = &derivation->forecast;

      if (heddle_forecast_is_timed (forecast))
        fill.part = heddle_forecast_unit (forecast, "tensor") / forecast->seconds;
    }
  if (!has_regions (editor))
    fill.used = g_strdup (""); /* how each equation uses them by itself is told in the prediction */
  else
    fill.used = fill.part > 0 ? g_strdup_printf (_ ("%.0f %% busy"), 100 * fill.part) : g_strdup (_ ("idle"));
  fill.capacity = roof > 0 ? g_strdup_printf (_ ("%.0f TFLOP/s"), roof / 1e12) : g_strdup ("");
  return fill;
}

/* Returns what a cache, or a memory above the global one, is said to keep. */
static HeddleLevelFill
find_keeping (HeddleEditor *editor, const HeddleLevel *level)
{
  const double kept = find_kept (editor, level->name), capacity = level->capacity_bytes;
  g_autofree char *amount = heddle_format_memory (kept, counts_values (editor));
  g_autofree char *of = heddle_format_bytes (capacity);
  HeddleLevelFill fill = { .part = capacity > 0 ? kept / capacity : 0 };

  fill.used = kept > 0       ? g_strdup_printf (_ ("%s kept"), amount)
              : level->cache ? g_strdup (_ ("priced, not labelled"))
                             : g_strdup (_ ("nothing kept"));
  fill.capacity = capacity > 0 ? g_strdup_printf (_ ("of %s"), of) : g_strdup ("");
  return fill;
}

static char *
describe_held (HeddleEditor *editor, double held, double moved)
{
  g_autofree char *there = heddle_format_memory (held, counts_values (editor));
  g_autofree char *in = heddle_format_memory (moved, counts_values (editor));

  if (held <= 0)
    return g_strdup (_ ("empty"));
  return moved > 0 ? g_strdup_printf (_ ("%s, %s moved"), there, in) : g_steal_pointer (&there);
}

/* Global memory holds arrays whatever is labelled; what is below holds nothing before that. */
static HeddleLevelFill
find_memory (HeddleEditor *editor, const HeddleLevel *level, const HeddleSharedDerivation *derivation)
{
  double capacity = level->capacity_bytes > 0 ? level->capacity_bytes : level->total_bytes, held = 0,
         moved = 0;
  g_autofree char *of = heddle_format_memory (capacity, counts_values (editor));
  HeddleLevelFill fill;

  if (derivation != NULL && level->parent < 0)
    held = count (editor, derivation->totals->stored);
  else if (derivation != NULL && has_regions (editor))
    {
      const HeddleLevelTotal *total = heddle_level_totals_find (derivation->totals, level->name);

      held = total != NULL ? count (editor, total->held) : 0;
      moved = total != NULL ? count (editor, total->moved) : 0;
    }
  fill.part = capacity > 0 ? held / capacity : 0;
  fill.used = describe_held (editor, held, moved);
  fill.capacity = capacity > 0 ? g_strdup_printf (_ ("of %s"), of) : g_strdup ("");
  return fill;
}

HeddleLevelFill
heddle_level_fill (HeddleEditor *editor, const HeddleLevel *level)
{
  const HeddleSharedDerivation *derivation = heddle_editor_share_derivation (editor);

  if (level->cache || level->above >= 0)
    return find_keeping (editor, level);
  return find_memory (editor, level, derivation);
}

void
heddle_level_fill_clear (HeddleLevelFill *self)
{
  g_clear_pointer (&self->used, g_free);
  g_clear_pointer (&self->capacity, g_free);
}

/* --- in words --- */

static const char *
sentence_of (const char *level)
{
  static const struct
  {
    const char *level, *sentence;
  } sentences[] = {
    { "gmem", N_ ("Global memory is large and slow; all arrays begin and end there.") },
    { "l2",
        N_ ("The L2 cache stands between global memory and all processors and keeps what was read lately.") },
    { "smem", N_ ("Shared memory is small and fast; a block of threads keeps its tiles there.") },
    { "registers", N_ ("Registers hold the numbers of one thread; nothing is faster.") },
    { "tensor",
        N_ ("The tensor cores multiply small matrices; they take no label, and hold what is in registers.") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (sentences); i++)
    if (g_str_equal (sentences[i].level, level))
      return _ (sentences[i].sentence);
  return _ ("This level stands above the memory of one GPU; what is kept there comes over a link.");
}

/* Returns how full it is, with its share of the whole. */
static char *
describe_fill (HeddleLevelFill fill)
{
  char *text = fill.part > 0
                   ? g_strdup_printf (_ ("%s %s = %.0f %%"), fill.used, fill.capacity, 100 * fill.part)
                   : g_strdup_printf ("%s %s", fill.used, fill.capacity);

  heddle_level_fill_clear (&fill);
  return g_strstrip (text);
}

char *
heddle_level_explain (HeddleEditor *editor, const char *level)
{
  const HeddleMachine *machine = heddle_editor_get_machine (editor);
  const int i = machine != NULL ? heddle_machine_find_level (machine, level) : -1;
  const HeddleLevel *found = i >= 0 ? g_ptr_array_index (machine->levels, i) : NULL;
  g_autofree char *rate
      = found != NULL && found->bandwidth > 0 ? heddle_format_rate (found->bandwidth) : NULL;
  g_autofree char *fill = NULL;

  if (g_str_equal (level, "tensor"))
    fill = describe_fill (heddle_level_fill_tensor (editor));
  else if (found != NULL)
    fill = describe_fill (heddle_level_fill (editor, found));
  else
    return g_strdup (sentence_of (level));
  if (rate != NULL)
    return g_strdup_printf (_ ("%s\nHere: %s\ntime = bytes moved / %s"), sentence_of (level), fill, rate);
  return g_strdup_printf (_ ("%s\nHere: %s"), sentence_of (level), fill);
}
