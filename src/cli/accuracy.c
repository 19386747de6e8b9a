/* SPDX-License-Identifier: MIT */
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "cli/command.h"
#include "cli/json.h"
#include "cli/options.h"
#include "codegen/plan/tiles.h"
#include "derive/cost/clock-describe.h"
#include "derive/cost/clock-part.h"
#include "derive/cost/clock.h"
#include "derive/cost/published.h"
#include "derive/cost/time-part.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/machine/sustained.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/problem.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "files/base/json.h"
#include "files/equations/document.h"

/* The ratios within which a prediction counts as right; for a kernel of our own, of whatever form, the ratio
 * is larger. */
#define WITHIN 1.15
#define WITHIN_OWN 1.25
#define WITHIN_TWICE 2.

/* A published point beside what the clock says of it. */
typedef struct
{
  const HeddlePublished *point;
  double parts[HEDDLE_TIME_N_PARTS]; /* of a kernel of our own, which is derived and not described */
  const char *bound;
  double busy;
  HeddleClockDescription description;
  HeddleClockTime time;
  double predicted, ratio;
} Row;

/* The accuracy for some of the rows. */
typedef struct
{
  guint n, within, within_own, within_twice;
  double worst; /* the ratio that is farthest from 1, in either direction */
} Share;

static void
row_free (Row *row)
{
  heddle_clock_description_clear (&row->description);
  g_free (row);
}

static double
off_by (double ratio)
{
  return ratio < 1. ? 1. / ratio : ratio;
}

static void
count (Share *share, const Row *row)
{
  share->n++;
  share->within += off_by (row->ratio) <= WITHIN ? 1 : 0;
  share->within_own += off_by (row->ratio) <= WITHIN_OWN ? 1 : 0;
  share->within_twice += off_by (row->ratio) <= WITHIN_TWICE ? 1 : 0;
  if (share->worst == 0. || off_by (row->ratio) > off_by (share->worst))
    share->worst = row->ratio;
}

static gboolean
is_own (const HeddlePublished *point)
{
  return point->kind == HEDDLE_PUBLISHED_KERNEL;
}

static void
take_times (Row *row, const HeddleDerivation *derivation, const HeddleMachine *machine)
{
  double longest = -1.;

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      for (guint k = 0; k < HEDDLE_TIME_N_PARTS; k++)
        row->parts[k] += kernel->parts[k];
      row->bound = kernel->expected_s > longest ? kernel->bound : row->bound;
      row->busy = kernel->waves;
      longest = MAX (longest, kernel->expected_s);
    }
  /* A launch between two events takes longer than one of many in a stream. */
  if (row->point->start == HEDDLE_CLOCK_ALONE)
    row->parts[HEDDLE_TIME_LAUNCH] += heddle_clock_rate (machine, HEDDLE_SUSTAINED_ALONE)
                                      - heddle_clock_rate (machine, HEDDLE_SUSTAINED_LAUNCH);
  for (guint k = 0; k < HEDDLE_TIME_N_PARTS; k++)
    row->time.seconds += row->parts[k];
}

/* Derives the kernel of the equations, with the labels that it was measured with, and prices it as `heddle
 * derive` does. */
static gboolean
price_own (Row *row, const HeddleMachine *machine, GError **error)
{
  const HeddlePublished *point = row->point;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (HeddleSnapshot) snapshot = heddle_equations_read (point->equations, -1, point->series, problems);
  const HeddleDiagram *diagram = snapshot != NULL ? heddle_snapshot_get_diagram (snapshot, NULL) : NULL;
  g_autoptr (HeddleSizes) sizes = diagram != NULL ? heddle_sizes_new (diagram, NULL, error) : NULL;
  const HeddleDeriveOptions options = { .machine = machine,
    .dtype = point->type,
    .objective = HEDDLE_OBJECTIVE_TIME,
    .stages = 1,
    .product_shares = heddle_plan_product_shares };
  HeddleSchedule *schedule = sizes != NULL ? heddle_schedule_fuse (diagram, NULL, "all", error) : NULL;
  HeddleDerivation *derivation = NULL;
  gboolean good = schedule != NULL;

  if (diagram == NULL)
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE, "%s",
        problems->len > 0 ? ((const HeddleProblem *) g_ptr_array_index (problems, 0))->message : "?");
  for (char **label = point->labels; good && *label != NULL; label++)
    good = heddle_schedule_add_label_text (schedule, diagram, machine, *label, error);
  if (good)
    derivation = heddle_derive (diagram, schedule, sizes, &options, NULL, error);
  if (derivation != NULL)
    take_times (row, derivation, machine);
  g_clear_pointer (&derivation, heddle_derivation_free);
  g_clear_pointer (&schedule, heddle_schedule_free);
  return row->time.seconds > 0.;
}

/* Returns a row; NULL with @error if it is a kernel of our own that cannot be derived. */
static Row *
row_new (const HeddlePublished *point, const HeddleMachine *machine, GError **error)
{
  Row *row = g_new0 (Row, 1);

  row->point = point;
  if (is_own (point) && !price_own (row, machine, error))
    g_clear_pointer (&row, row_free);
  if (row == NULL)
    return NULL;
  if (is_own (point))
    row->predicted = row->time.seconds;
  else
    {
      heddle_clock_describe (point, machine, &row->description);
      heddle_clock (&row->description.kernel, machine, &row->time);
      row->predicted = heddle_clock_in_unit (point, &row->description, row->time.seconds);
    }
  row->ratio = row->predicted / point->value;
  return row;
}

static gboolean
is_asked_for (const HeddlePublished *point, const char *only)
{
  return only == NULL || strstr (point->series, only) != NULL || strstr (point->kernel, only) != NULL
         || strstr (point->file, only) != NULL || g_str_equal (point->gpu, only)
         || g_str_equal (heddle_published_kind_name (point->kind), only);
}

/* Returns the machine of a point, which is kept in @machines; NULL after printing the error if it is not
 * known. */
static const HeddleMachine *
machine_of (GHashTable *machines, const HeddlePublished *point)
{
  const HeddleMachine *known = g_hash_table_lookup (machines, point->gpu);
  g_autoptr (GError) error = NULL;
  HeddleMachine *machine;

  if (known != NULL)
    return known;
  machine = heddle_machine_find (point->gpu, 0, &error);
  if (machine == NULL)
    g_printerr (_ ("error: %s: [%s]: %s\n"), point->file, point->series, error->message);
  else
    g_hash_table_insert (machines, point->gpu, machine);
  return machine;
}

/* Returns the rows of all points (transfer full); NULL after printing the error if a GPU is not known. */
static GPtrArray *
compare (GPtrArray *points, const char *only)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) row_free);
  g_autoptr (GHashTable) machines
      = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) heddle_machine_free);

  for (guint i = 0; i < points->len; i++)
    {
      const HeddlePublished *point = g_ptr_array_index (points, i);
      const HeddleMachine *machine = is_asked_for (point, only) ? machine_of (machines, point) : NULL;

      g_autoptr (GError) error = NULL;
      Row *row = machine != NULL ? row_new (point, machine, &error) : NULL;

      if (error != NULL)
        g_printerr (_ ("error: %s: [%s]: %s\n"), point->file, point->series, error->message);
      if (row != NULL)
        g_ptr_array_add (rows, row);
      else if (is_asked_for (point, only))
        return NULL;
    }
  return g_steal_pointer (&rows);
}

/* --- telling ------------------------------------------------------------------------------ */

static char *
sizes_text (const HeddlePublished *point)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < point->sizes->len; i++)
    {
      const HeddlePublishedSize *size = &g_array_index (point->sizes, HeddlePublishedSize, i);

      g_string_append_printf (text, "%s%s=%.10g", i > 0 ? " " : "", size->name, size->value);
    }
  return g_string_free (text, FALSE);
}

static void
print_own_parts (const Row *row)
{
  for (guint i = 0; i < HEDDLE_TIME_N_PARTS; i++)
    {
      g_autofree char *sentence = heddle_time_part_sentence (row->parts, i, row->bound, row->busy);

      if (row->parts[i] > 0.)
        g_print ("     %12.4g µs  %s\n", row->parts[i] * 1e6, sentence);
    }
}

static void
print_row (const Row *row, gboolean parts)
{
  const HeddlePublished *point = row->point;
  g_autofree char *sizes = sizes_text (point);

  g_print ("%-12s %-24s %-56s %10.5g %10.5g %-8s %5.2f %s%s\n", point->gpu, point->series, sizes,
      point->value, row->predicted, heddle_published_unit_name (point->unit), row->ratio,
      off_by (row->ratio) <= WITHIN ? " " : "*", point->held_out ? _ (" held out") : "");
  if (parts && is_own (point))
    print_own_parts (row);
  for (guint i = 0; parts && !is_own (point) && i < HEDDLE_CLOCK_N_PARTS; i++)
    {
      HeddleClockPart part = row->time.order[i];
      g_autofree char *sentence = heddle_clock_part_sentence (&row->time, part);

      if (row->time.parts[part] > 0.)
        g_print ("    %s%12.4g µs  %s\n", part == row->time.bound ? ">" : " ", row->time.parts[part] * 1e6,
            sentence);
    }
}

static void
print_share (const char *title, const Share *share)
{
  if (share->n > 0)
    g_print (_ ("%-12s %3u of %3u within 15 %% (%.1f %%), worst ratio %.2f\n"), title, share->within,
        share->n, 100. * share->within / share->n, share->worst);
}

static void
print_own_share (const char *title, const Share *share)
{
  if (share->n > 0)
    g_print (_ ("%-12s %3u of %3u within 25 %% (%.1f %%), %u within twice, worst ratio %.2f\n"), title,
        share->within_own, share->n, 100. * share->within_own / share->n, share->within_twice, share->worst);
}

/* Counts a row. Kernels of our own are counted apart: statements about published ones do not include them. */
static void
count_row (const Row *row, Share *all, Share *held_out, Share *own, Share *own_held_out)
{
  count (is_own (row->point) ? own : all, row);
  if (row->point->held_out)
    count (is_own (row->point) ? own_held_out : held_out, row);
}

static void
print_table (GPtrArray *rows, gboolean parts)
{
  Share kinds[HEDDLE_PUBLISHED_N_KINDS] = { 0 }, all = { 0 }, held_out = { 0 }, own = { 0 },
        own_held_out = { 0 };

  g_print ("%-12s %-24s %-56s %10s %10s\n", _ ("GPU"), _ ("kernel"), _ ("sizes"), _ ("published"),
      _ ("predicted"));
  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = g_ptr_array_index (rows, i);

      print_row (row, parts);
      count (&kinds[row->point->kind], row);
      count_row (row, &all, &held_out, &own, &own_held_out);
    }
  g_print ("\n");
  print_own_share (_ ("our own, held out"), &own_held_out);
  print_own_share (_ ("our own"), &own);
  for (guint i = 0; i < HEDDLE_PUBLISHED_KERNEL; i++)
    print_share (heddle_published_kind_name ((HeddlePublishedKind) i), &kinds[i]);
  print_share (_ ("held out"), &held_out);
  print_share (_ ("all"), &all);
}

static void
row_json (JsonBuilder *json, const Row *row)
{
  const HeddlePublished *point = row->point;

  heddle_json_begin_object (json, NULL);
  heddle_json_text (json, "file", point->file);
  heddle_json_text (json, "series", point->series);
  heddle_json_text (json, "source", point->title);
  heddle_json_text (json, "address", point->address);
  heddle_json_text (json, "gpu", point->gpu);
  heddle_json_text (json, "kind", heddle_published_kind_name (point->kind));
  heddle_json_text (json, "form", point->form != NULL ? point->form->name : "derived");
  for (guint i = 0; i < point->sizes->len; i++)
    {
      const HeddlePublishedSize *size = &g_array_index (point->sizes, HeddlePublishedSize, i);

      heddle_json_double (json, size->name, size->value);
    }
  heddle_json_bool (json, "held_out", point->held_out);
  heddle_json_text (json, "unit", heddle_published_unit_name (point->unit));
  heddle_json_double (json, "published", point->value);
  heddle_json_double (json, "predicted", row->predicted);
  heddle_json_double (json, "ratio", row->ratio);
  heddle_json_double (json, "expected_s", row->time.seconds);
  heddle_json_text (json, "bound", is_own (point) ? row->bound : heddle_clock_part_title (row->time.bound));
  heddle_json_begin_array (json, "parts");
  for (guint i = 0; i < (is_own (point) ? (guint) HEDDLE_TIME_N_PARTS : (guint) HEDDLE_CLOCK_N_PARTS); i++)
    {
      heddle_json_begin_object (json, NULL);
      heddle_json_text (json, "title",
          is_own (point) ? heddle_time_part_name (i) : heddle_clock_part_title (row->time.order[i]));
      heddle_json_double (json, "s", is_own (point) ? row->parts[i] : row->time.parts[row->time.order[i]]);
      json_builder_end_object (json);
    }
  json_builder_end_array (json);
  json_builder_end_object (json);
}

static void
share_json (JsonBuilder *json, const char *name, const Share *share)
{
  heddle_json_begin_object (json, name);
  heddle_json_int (json, "points", share->n);
  heddle_json_int (json, "within_15_percent", share->within);
  heddle_json_int (json, "within_25_percent", share->within_own);
  heddle_json_int (json, "within_twice", share->within_twice);
  heddle_json_double (json, "worst_ratio", share->worst);
  json_builder_end_object (json);
}

static void
print_json (GPtrArray *rows)
{
  g_autoptr (JsonBuilder) json = json_builder_new ();
  Share all = { 0 }, held_out = { 0 }, own = { 0 }, own_held_out = { 0 };

  heddle_json_begin_object (json, NULL);
  heddle_json_begin_array (json, "points");
  for (guint i = 0; i < rows->len; i++)
    {
      const Row *row = g_ptr_array_index (rows, i);

      row_json (json, row);
      count_row (row, &all, &held_out, &own, &own_held_out);
    }
  json_builder_end_array (json);
  share_json (json, "all", &all);
  share_json (json, "held_out", &held_out);
  share_json (json, "own", &own);
  share_json (json, "own_held_out", &own_held_out);
  json_builder_end_object (json);
  heddle_json_print (json);
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (HeddleOptions) options = { NULL };
  g_autofree char *only = NULL;
  gboolean parts = FALSE;
  const GOptionEntry own[] = {
    { "only", 0, 0, G_OPTION_ARG_STRING, &only, N_ ("Only the points of a GPU, a kind, a kernel or a file"),
        N_ ("TEXT") },
    { "parts", 0, 0, G_OPTION_ARG_NONE, &parts, N_ ("Show the parts of each predicted time"), NULL },
    { NULL, 0, 0, 0, NULL, NULL, NULL },
  };
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) points = NULL;
  g_autoptr (GPtrArray) rows = NULL;
  HeddleExit status;

  if (!heddle_options_parse (&options, NULL, heddle_command_accuracy.summary, own, argc, argv, &status))
    return status;
  if (options.files != NULL)
    return heddle_options_misused (&options, _ ("no file is needed"));
  points = heddle_published_load (problems);
  for (guint i = 0; i < problems->len; i++)
    g_printerr (_ ("error: %s\n"), (const char *) g_ptr_array_index (problems, i));
  rows = compare (points, only);
  if (rows == NULL)
    return HEDDLE_EXIT_WRONG;
  if (only != NULL && rows->len == 0)
    return heddle_options_misused (&options, _ ("--only %s: there is no such point"), only);
  if (options.json)
    print_json (rows);
  else
    print_table (rows, parts);
  return problems->len > 0 ? HEDDLE_EXIT_WRONG : HEDDLE_EXIT_DONE;
}

const HeddleCommand heddle_command_accuracy = {
  .name = "accuracy",
  .summary = N_ ("Hold predicted times against published measurements"),
  .run = run,
};
