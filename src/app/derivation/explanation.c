/* SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include <glib/gi18n.h>

#include "app/derivation/explanation.h"
#include "app/widgets/format.h"
#include "app/derivation/suggestion.h"
#include "app/editor/derive.h"
#include "app/editor/flat.h"
#include "app/editor/preview.h"
#include "app/editor/target.h"
#include "codegen/plan/suggest.h"
#include "derive/cost/level-cost.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/refusal.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/machine.h"
#include "derive/report/chains.h"
#include "derive/report/forecast.h"
#include "derive/report/layouts.h"
#include "diagram/graph/diagram.h"

/* Above this a level has no room for a larger tile worth having. */
#define NEARLY_FULL .8
/* Below this some of the machine waits for the last wave. */
#define GOOD_WAVES .9

static void
add_bound (GString *text, const HeddleKernel *kernel)
{
  g_autofree char *time = heddle_format_seconds (kernel->expected_s);

  g_string_append_printf (text, _ ("%s: %s takes longest, with %.0f FLOP per byte moved."), time,
      heddle_format_unit (kernel->bound), kernel->intensity);
}

static void
add_capacity (GString *text, const HeddleKernel *kernel, const HeddleMachine *machine)
{
  for (guint i = 0; i < kernel->levels->len; i++)
    {
      const HeddleLevelCost *cost = g_ptr_array_index (kernel->levels, i);
      double held = heddle_machine_is_abstract (machine) ? cost->memory_elements : cost->memory_bytes;
      double fill = cost->capacity_bytes > 0 ? held / cost->capacity_bytes : 0;
      g_autofree char *level = g_ascii_strup (cost->level, -1);

      if (fill <= 0)
        continue;
      g_string_append_c (text, ' ');
      g_string_append_printf (text,
          fill > NEARLY_FULL ? _ ("%s is %.0f %% full: hardly a larger tile fits.")
                             : _ ("%s is %.0f %% full: larger tiles would fit, and move less."),
          level, 100 * fill);
    }
}

static void
add_waves (GString *text, const HeddleKernel *kernel, const HeddleMachine *machine)
{
  if (machine->sms == 0 || kernel->waves >= GOOD_WAVES || kernel->waves <= 0)
    return;
  g_string_append_c (text, ' ');
  g_string_append_printf (text,
      _ ("%" PRId64 " groups on %u SMs keep %.0f %% of them at work: smaller tiles, or several heads "
         "at once, would use the rest."),
      kernel->groups, machine->sms, 100 * kernel->waves);
}

static void
add_ridge (GString *text, const HeddleKernel *kernel)
{
  if (kernel->ridge_tile <= 0)
    return;
  g_string_append_c (text, ' ');
  g_string_append_printf (text,
      _ ("Without reuse in L2, tiles of %" PRId64 " would make transfers from GMEM and tensor cores equal."),
      kernel->ridge_tile);
}

/* Returns whether the labels of a kernel are those that are suggested for it. */
static gboolean
is_suggested (const HeddleKernel *kernel, const HeddleKernel *suggested)
{
  gboolean same = suggested != NULL && suggested->labels->len == kernel->labels->len;

  for (guint i = 0; same && i < kernel->labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (kernel->labels, i);

      same = FALSE;
      for (guint k = 0; k < suggested->labels->len && !same; k++)
        {
          const HeddleLabel *other = g_ptr_array_index (suggested->labels, k);

          same = other->axis == label->axis && g_str_equal (other->level, label->level)
                 && other->kind == label->kind && other->size == label->size;
        }
    }
  return same;
}

/* Of the best labels the search says why they are no larger; of others there is what the levels have left. */
static void
add_limit (
    GString *text, const HeddleKernel *kernel, const HeddleKernel *suggested, const HeddleMachine *machine)
{
  if (is_suggested (kernel, suggested) && suggested->binding != NULL)
    {
      g_string_append_c (text, ' ');
      g_string_append_printf (text, _ ("These labels are the best. Their limit: %s."), suggested->binding);
    }
  else
    add_capacity (text, kernel, machine);
}

/* Adds a kernel; @suggested (nullable) is the same with the best labels. */
static void
add_kernel (
    GString *text, const HeddleKernel *kernel, const HeddleKernel *suggested, const HeddleMachine *machine)
{
  if (kernel->opaque_reason != NULL)
    g_string_append_printf (
        text, _ ("No kernel %s: it is priced as what it reads and writes once."), kernel->opaque_reason);
  else if (kernel->refusals->len > 0)
    g_string_append (text, ((HeddleRefusal *) g_ptr_array_index (kernel->refusals, 0))->reason);
  else if (!kernel->fits)
    g_string_append (text,
        _ ("A tile needs more than the level holds. Group or stream one more axis, or make tiles smaller."));
  else if (kernel->expected_s > 0)
    {
      add_bound (text, kernel);
      add_limit (text, kernel, suggested, machine);
      add_waves (text, kernel, machine);
      add_ridge (text, kernel);
    }
  else
    add_capacity (text, kernel, machine);
}

/* A sum over products of three arrays or more could be products of two. */
static void
add_chain (GString *text, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  const HeddleOperation *chain = heddle_kernel_find_chain (diagram, kernel);
  g_autofree char *name = chain != NULL ? heddle_diagram_value_label (diagram, chain->result) : NULL;

  if (chain != NULL)
    g_string_append_printf (text,
        _ (" %s sums over products of %u arrays. Rewritten as products of two, it takes fewer "
           "multiplications."),
        name, chain->operands->len);
}

static void
add_kernels (GString *text, const HeddleDiagram *diagram, const HeddleDerivation *derivation,
    const HeddleDerivation *suggested, const HeddleMachine *machine)
{
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);
      g_autofree char *layouts = heddle_derivation_layout_text (derivation, diagram, kernel);

      if (text->len > 0)
        g_string_append (text, "\n\n");
      if (derivation->kernels->len > 1)
        g_string_append_printf (text, "%s\n", kernel->title);
      add_kernel (text, kernel,
          suggested != NULL && suggested->kernels->len == derivation->kernels->len
              ? g_ptr_array_index (suggested->kernels, i)
              : NULL,
          machine);
      add_chain (text, heddle_derivation_diagram (derivation, diagram), kernel);
      if (layouts != NULL)
        g_string_append_printf (text,
            _ (" Its results lie in memory as %s, in the order in which other kernels read them."), layouts);
    }
}

/* Adds what the panes show as long as nothing is fused or labelled: a kernel for each equation, at its
 * best. */
static void
add_start (GString *text, HeddleEditor *editor, const HeddleSchedule *alone)
{
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (editor);
  HeddleSizes *sizes = heddle_editor_get_flat_sizes (editor);
  g_autoptr (HeddleDerivation) derivation = NULL;
  HeddleDeriveOptions options;

  g_string_append (text,
      _ ("Nothing is fused or labelled yet: each equation is a kernel of its own, with its best labels."));
  heddle_editor_get_derive_options (editor, &options);
  if (alone != NULL && sizes != NULL && heddle_editor_is_quick (editor))
    derivation = heddle_derive (diagram, alone, sizes, &options, NULL, NULL);
  if (derivation != NULL)
    add_kernels (text, diagram, derivation, NULL, options.machine);
}

/* Returns the derivation of what is fused, with the best labels; %NULL means that it takes longer than a
 * person waits for an explanation. */
static HeddleDerivation *
find_suggested (HeddleEditor *editor, const HeddleSchedule *schedule)
{
  HeddleSizes *sizes = heddle_editor_get_flat_sizes (editor);
  HeddleSchedule *bare;
  HeddleDerivation *suggested;
  HeddleDeriveOptions options;

  if (sizes == NULL || !heddle_editor_is_quick (editor))
    return NULL;
  heddle_editor_get_derive_options (editor, &options);
  options.objective = HEDDLE_OBJECTIVE_TIME;
  bare = heddle_schedule_strip (schedule);
  suggested
      = heddle_plan_suggest (heddle_editor_get_flat_diagram (editor), bare, sizes, &options, NULL, NULL);
  heddle_schedule_free (bare);
  return suggested;
}

char *
heddle_explanation_new (HeddleEditor *editor, const HeddleSchedule *alone)
{
  HeddleDerivation *derivation = heddle_editor_get_shown_derivation (editor);
  const HeddleSchedule *schedule = heddle_editor_get_shown_schedule (editor);
  const HeddleMachine *machine = heddle_editor_get_machine (editor);
  g_autoptr (GString) text = g_string_new (NULL);
  const char *why = NULL;

  if (derivation == NULL || machine == NULL)
    {
      heddle_editor_get_derivation (editor, &why);
      return g_strdup (why ? why : _ ("There is nothing to derive yet."));
    }
  if (schedule == NULL || schedule->regions->len == 0)
    add_start (text, editor, alone);
  else
    {
      g_autoptr (HeddleDerivation) suggested = find_suggested (editor, schedule);

      add_kernels (text, heddle_editor_get_flat_diagram (editor), derivation, suggested, machine);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
describe_forecast (const HeddleForecast *forecast)
{
  g_autofree char *amount = NULL;

  if (!forecast->fits)
    return g_strdup (_ ("does not fit"));
  if (!heddle_forecast_is_timed (forecast))
    {
      amount = heddle_format_count (forecast->values);
      return g_strdup_printf (_ ("%s values moved"), amount);
    }
  amount = heddle_format_seconds (forecast->seconds);
  return g_strdup_printf (_ ("%s, %s-bound"), amount, heddle_format_unit (forecast->bound));
}

static char *
describe_price (HeddleEditor *editor, HeddleOutlook *outlook)
{
  HeddleDerivation *derivation = heddle_editor_get_shown_derivation (editor);
  const HeddleSchedule *schedule = heddle_editor_get_shown_schedule (editor);
  const HeddleForecast *start = heddle_outlook_get_start (outlook);
  const char *why = NULL;

  if (derivation != NULL && derivation->illegal)
    return g_strdup (_ ("not legal"));
  if (derivation != NULL && schedule != NULL && schedule->regions->len > 0)
    {
      const HeddleForecast forecast = heddle_editor_forecast (editor, derivation);

      return describe_forecast (&forecast);
    }
  if (derivation != NULL && start != NULL)
    return describe_forecast (start);
  if (derivation == NULL)
    heddle_editor_get_derivation (editor, &why);
  return g_strdup (why != NULL ? why : _ ("Deriving…"));
}

/* Adds " · SMEM group q 128, stream x 64", or nothing where the level has no label. Kernels that have the
 * same label are said once. */
static void
add_level (GString *text, HeddleEditor *editor, const HeddleSchedule *schedule, const HeddleLevel *level)
{
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (editor);
  g_autoptr (GHashTable) said = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      for (guint j = 0; j < region->labels->len; j++)
        {
          const HeddleLabel *label = g_ptr_array_index (region->labels, j);
          const HeddleAxis *axis = heddle_diagram_get_axis (diagram, label->axis);
          char *words = NULL;

          if (axis == NULL || label->inactive != NULL || !g_str_equal (label->level, level->name))
            continue;
          words = g_strdup_printf ("%s %s %" G_GINT64_FORMAT,
              label->kind == HEDDLE_LABEL_GROUP ? _ ("group") : _ ("stream"), axis->name, label->size);
          if (g_hash_table_size (said) == 0)
            g_string_append_printf (text, "  ·  %s %s", heddle_format_place (level->title), words);
          else if (!g_hash_table_contains (said, words))
            g_string_append_printf (text, ", %s", words);
          g_hash_table_add (said, words);
        }
    }
}

char *
heddle_explanation_new_headline (HeddleEditor *editor, HeddleOutlook *outlook)
{
  g_autofree char *price = describe_price (editor, outlook);
  const HeddleMachine *machine = heddle_editor_get_machine (editor);
  const HeddleSchedule *schedule = heddle_editor_get_shown_schedule (editor);
  GString *text = g_string_new (price);

  for (guint i = 0; machine != NULL && schedule != NULL && i < machine->levels->len; i++)
    add_level (text, editor, schedule, g_ptr_array_index (machine->levels, i));
  return g_string_free (text, FALSE);
}
