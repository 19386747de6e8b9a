/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "codegen/base/codegen.h"
#include "codegen/gpu/describe.h"
#include "codegen/plan/plan.h"
#include "codegen/verify/bench.h"
#include "derive/machine/find.h"
#include "derive/machine/write.h"
#include "diagram/base/dtype.h"
#include "files/base/files.h"
#include "files/measure/measure.h"
#include "files/measure/private.h"
#include "files/measure/probes.h"

/* The number of sets of arrays: with several sets of so many bytes, none finds anything of its own in the L2;
 * in place there is one set. */
#define SETS 2

static void
measurement_free (HeddleMeasurement *self)
{
  g_free (self->formula);
  g_free (self->failure);
  g_free (self);
}

void
heddle_measured_free (HeddleMeasured *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->machine, heddle_machine_free);
  g_ptr_array_unref (self->rows);
  g_free (self->driver);
  g_free (self->text);
  g_free (self);
}

char *
heddle_measured_own_path (const HeddleMeasured *self)
{
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "heddle", "hardware", NULL);
  g_autofree char *name = g_strconcat (self->machine->name, ".machine", NULL);

  g_mkdir_with_parents (folder, 0700);
  return g_build_filename (folder, name, NULL);
}

/* --- one rate -------------------------------------------------------------------------- */

static gboolean
check_memory (const HeddlePlan *plan, gsize free_bytes, GError **error)
{
  gsize bytes = SETS * heddle_probe_bytes (plan);

  if (bytes <= free_bytes)
    return TRUE;
  g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_LIMIT,
      _ ("measuring takes %" PRIu64 " bytes of the GPU’s memory, and %" PRIu64
         " are free: stop what else runs there"),
      (guint64) bytes, (guint64) free_bytes);
  return FALSE;
}

/* Checks that a product used the unit that is measured: one by plain arithmetic says nothing of the tensor
 * cores. */
static gboolean
check_unit (const HeddleProbe *probe, const HeddlePlan *plan, GError **error)
{
  for (guint i = 0; g_str_has_prefix (probe->id, "tensor") && i < plan->texts->len; i++)
    if (((const HeddleKernelText *) g_ptr_array_index (plan->texts, i))->family == HEDDLE_FAMILY_GENERAL)
      {
        g_set_error_literal (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
            _ ("its kernels do not use the tensor cores of this GPU"));
        return FALSE;
      }
  return TRUE;
}

/* Returns whether the error stops everything, and not only this rate. */
static gboolean
is_fatal (const GError *error)
{
  return g_error_matches (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_MISSING)
         || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || error->domain == HEDDLE_FILES_ERROR;
}

static gboolean
time_probe (const HeddleProbe *probe, const HeddleMachine *machine, guint launches, gsize free_bytes,
    HeddleMeasurement *row, GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddlePlan) plan = heddle_probe_plan (probe, machine, cancellable, error);
  g_autoptr (HeddleBench) bench = NULL;

  if (plan == NULL || !check_unit (probe, plan, error) || !check_memory (plan, free_bytes, error))
    return FALSE;
  bench = probe->in_place ? heddle_plan_bench_in_place (plan, launches, cancellable, error)
                          : heddle_plan_bench (plan, launches, cancellable, error);
  if (bench == NULL)
    return FALSE;
  row->amount = probe->amount (plan, probe->size (machine));
  row->seconds = bench->total.median_s;
  row->rate = row->seconds > 0. ? row->amount / row->seconds : 0.;
  return TRUE;
}

static gboolean
measure_probe (HeddleMeasured *self, const HeddleProbe *probe, guint launches, gsize free_bytes,
    const HeddleMachine *described, GCancellable *cancellable, GError **error)
{
  HeddleMeasurement *row = g_new0 (HeddleMeasurement, 1);
  g_autoptr (GError) reason = NULL;

  row->id = probe->id;
  row->title = _ (probe->title);
  row->unit = probe->unit;
  row->formula = g_strdup_printf ("%s, n = %" PRId64, probe->formula, probe->size (described));
  row->expected = probe->get (described);
  g_ptr_array_add (self->rows, row);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (time_probe (probe, described, launches, free_bytes, row, cancellable, &reason) && row->rate > 0.)
    {
      probe->set (self->machine, row->rate);
      return TRUE;
    }
  if (reason != NULL && is_fatal (reason))
    {
      g_propagate_error (error, g_steal_pointer (&reason));
      return FALSE;
    }
  row->failure = g_strdup (reason != NULL ? reason->message : _ ("its launches took no time"));
  return TRUE;
}

/* --- the machine ----------------------------------------------------------------------- */

/* Takes over the rates of other data types, and what is above global memory. */
static void
take_over (HeddleMachine *self, const HeddleMachine *like, GHashTable *comments)
{
  for (guint i = 0; i < HEDDLE_N_DTYPES; i++)
    if (self->tensor_flops[i] == 0. && like->tensor_flops[i] > 0.)
      {
        self->tensor_flops[i] = like->tensor_flops[i];
        g_hash_table_insert (comments,
            g_strdup_printf ("Tensor/%s", heddle_dtype_to_string ((HeddleDtype) i)),
            g_strdup_printf (" Not measured: of %s", like->name));
      }
  if (self->fp64_flops == 0. && like->fp64_flops > 0.)
    {
      self->fp64_flops = like->fp64_flops;
      g_hash_table_insert (
          comments, g_strdup ("Machine/FP64"), g_strdup_printf (" Not measured: of %s", like->name));
    }
  heddle_machine_take_above (self, like);
}

static void
add_row_comment (const HeddleMeasurement *row, const char *key, GHashTable *comments)
{
  char *comment;

  if (row->failure != NULL)
    {
      g_autofree char *failure = g_strdelimit (g_strdup (row->failure), "\r\n", ' ');

      comment = g_strdup_printf (" Not measured, from the driver's figures: %s", failure);
    }
  else
    comment = g_strdup_printf (
        " Measured: %s in %.6g s = %.6g %s/s", row->formula, row->seconds, row->rate, row->unit);
  g_hash_table_insert (comments, g_strdup (key), comment);
}

/* Writes the text of the machine file, with how each rate was obtained. */
static void
write_text (HeddleMeasured *self, const HeddleMachine *like)
{
  g_autoptr (GHashTable) comments = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  guint n;
  const HeddleProbe *probes = heddle_probes (&n);

  g_hash_table_insert (comments, g_strdup (""),
      g_strdup_printf (" %s as heddle measure found it. Rates are what kernels made from diagrams reach: the "
                       "amount of a launch\n by its median time.",
          self->machine->title));
  for (guint i = 0; i < self->rows->len && i < n; i++)
    add_row_comment (g_ptr_array_index (self->rows, i), probes[i].key, comments);
  if (like != NULL)
    take_over (self->machine, like, comments);
  self->text = heddle_machine_write (self->machine, comments);
}

static void
mark_measured (HeddleMeasured *self, const char *name)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *date = g_date_time_format (now, "%Y-%m-%d");
  HeddleMachine *machine = self->machine;

  if (name != NULL)
    {
      g_free (machine->name);
      machine->name = g_strdup (name);
    }
  machine->measured = g_strdup_printf ("%s, %s, driver of %s", date, machine->title, self->driver);
}

HeddleMeasured *
heddle_measure (const HeddleMeasureOptions *options, HeddleMeasureProgress progress, gpointer data,
    GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleMeasured) self = g_new0 (HeddleMeasured, 1);
  g_autoptr (HeddleMachine) like = NULL, described = NULL;
  gsize free_bytes = 0;
  guint n;
  const HeddleProbe *probes = heddle_probes (&n);

  self->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) measurement_free);
  if (options->like != NULL && (like = heddle_machine_find (options->like, 0, error)) == NULL)
    return NULL;
  described = heddle_gpu_describe (&self->driver, &free_bytes, error);
  if (described == NULL)
    return NULL;
  self->machine = heddle_machine_copy (described);
  for (guint i = 0; i < n; i++)
    {
      if (progress != NULL)
        progress ((double) i / n, _ (probes[i].title), data);
      if (!measure_probe (self, &probes[i], options->launches, free_bytes, described, cancellable, error))
        return NULL;
    }
  mark_measured (self, options->name);
  write_text (self, like);
  return g_steal_pointer (&self);
}
