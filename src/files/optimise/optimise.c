/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "codegen/compile/compile.h"
#include "codegen/module/compile-all.h"
#include "codegen/plan/plan.h"
#include "codegen/verify/plan.h"
#include "derive/derivation/derive.h"
#include "derive/kernel/search-cache.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/region/pieces.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/snapshot.h"
#include "diagram/expression/expr.h"
#include "diagram/flatten/flatten.h"
#include "files/base/files.h"
#include "files/equations/write.h"
#include "files/optimise/assemble.h"
#include "files/optimise/baseline.h"
#include "files/optimise/compare.h"
#include "files/optimise/cost.h"
#include "files/optimise/optimise.h"
#include "files/optimise/result-cache.h"
#include "files/optimise/search.h"
#include "files/optimise/unfuse.h"

typedef struct
{
  HeddleOptimised *made;
  HeddleOptimiseOptions options;
  GPtrArray *pieces; /* of HeddlePiece */
  HeddleSearchCache *search_cache; /* of the searches of all */
  HeddleOptimiseProgress progress;
  gpointer data;
  GCancellable *cancellable;
} Job;

static void
refusal_free (gpointer data)
{
  HeddleOptimiseRefusal *self = data;

  g_free (self->first);
  g_free (self->second);
  g_free (self->reason);
  g_free (self);
}

static void
piece_free (gpointer data)
{
  HeddleOptimisedPiece *self = data;

  g_clear_pointer (&self->before, heddle_diagram_free);
  g_clear_pointer (&self->plan, heddle_plan_free);
  g_clear_pointer (&self->apart, heddle_plan_free);
  g_clear_pointer (&self->steps, g_ptr_array_unref);
  g_clear_pointer (&self->refusals, g_ptr_array_unref);
  g_clear_pointer (&self->unfused, g_ptr_array_unref);
  g_free (self->fallback);
  g_free (self->verification);
  g_free (self);
}

void
heddle_optimised_free (HeddleOptimised *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->plan, heddle_plan_free);
  g_clear_pointer (&self->schedule, heddle_schedule_free);
  g_clear_pointer (&self->result, heddle_diagram_free);
  g_clear_pointer (&self->pieces, g_ptr_array_unref);
  g_clear_pointer (&self->machine, heddle_machine_free);
  g_clear_pointer (&self->sizes, heddle_sizes_unref);
  g_clear_pointer (&self->original, heddle_diagram_free);
  g_free (self->compared_at);
  g_free (self->not_compared);
  g_free (self);
}

static void
report_progress (const Job *self, double fraction, const char *what)
{
  if (self->progress != NULL)
    self->progress (fraction, what, self->data);
}

/* --- one piece ---------------------------------------------------------------------- */

static gboolean
verify (const Job *self, HeddleOptimisedPiece *piece, GError **error)
{
  if (piece->verification != NULL)
    return TRUE;
  piece->verification = self->options.no_verify ? g_strdup ("NOT VERIFIED: verification was switched off")
                                                : heddle_plan_verify_line (piece->plan, self->options.seed,
                                                    self->cancellable, error);
  return piece->verification != NULL;
}

/* Returns whether the kernels compile. Those that were verified were compiled; others are compiled now, if
 * there is a compiler. */
static gboolean
compiles (const Job *self, const HeddleOptimisedPiece *piece, GError **error)
{
  HeddleGpuKernels kernels = { piece->plan, piece->plan->texts, NULL };
  gboolean good;

  if (g_str_has_prefix (piece->verification, "verified") || !heddle_compile_is_available (NULL))
    return TRUE;
  good = heddle_gpu_kernels_compile (&kernels, self->cancellable, error);
  g_clear_pointer (&kernels.cubins, g_ptr_array_unref);
  return good;
}

/* Returns the share of a piece in the steps that are left for it and those after it. */
static guint64
share_of (const Job *self, guint i)
{
  guint64 searched = heddle_search_cache_get_searched (self->search_cache);

  return (self->options.most_steps - MIN (searched, self->options.most_steps)) / (self->pieces->len - i);
}

static gboolean
find_kernels (const Job *self, guint i, const char *text, GError **error)
{
  HeddleOptimisedPiece *piece = g_ptr_array_index (self->made->pieces, i);
  gboolean kept = !self->options.no_cache;

  if (kept && heddle_piece_load (piece, text, &self->options))
    return TRUE;
  if (!heddle_piece_search (
          piece, &self->options, share_of (self, i), self->search_cache, self->cancellable, error))
    return FALSE;
  heddle_piece_explain (piece, self->cancellable);
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

static gboolean
was_cancelled (const GError *error)
{
  return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Verifies and compiles the kernels of a piece, and takes those apart that are bad. Returns FALSE if what is bad
 * cannot be taken apart, or was before. */
static gboolean
take_bad_apart (const Job *self, HeddleOptimisedPiece *piece, GError **error)
{
  for (;;)
    {
      g_autoptr (GError) why = NULL;

      if (verify (self, piece, &why) && compiles (self, piece, &why))
        {
          if (piece->unfused->len > 0)
            {
              g_ptr_array_set_size (piece->refusals, 0);
              heddle_piece_explain (piece, self->cancellable);
            }
          return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
        }
      if (was_cancelled (why) || !heddle_piece_unfuse (piece, &self->options, self->cancellable))
        {
          g_propagate_error (error, g_steal_pointer (&why));
          return FALSE;
        }
    }
}

static gboolean
fuse_piece (const Job *self, guint i, const char *text, GError **error)
{
  HeddleOptimisedPiece *piece = g_ptr_array_index (self->made->pieces, i);
  g_autofree char *looking
      = g_strdup_printf (_ ("Part %u of %u: looking for kernels"), i + 1, self->pieces->len),
      *checking = g_strdup_printf (_ ("Part %u of %u: verifying kernels"), i + 1, self->pieces->len);
  double share = 0.9 / self->pieces->len;

  report_progress (self, i * share, looking);
  if (!find_kernels (self, i, text, error))
    return FALSE;
  report_progress (self, (i + 0.5) * share, checking);
  if (!take_bad_apart (self, piece, error))
    return FALSE;
  if (!self->options.no_cache && !self->options.no_verify && piece->unfused->len == 0
      && piece->searched == piece->ways) /* else the search may go on another time */
    heddle_piece_store (piece, text, &self->options);
  return TRUE;
}

/* Returns the first line of a compiler's messages, which says what is wrong. */
static char *
first_line (const char *text)
{
  return g_strchomp (g_strndup (text, strcspn (text, "\n")));
}

/* Gives the piece a kernel for each named value, for the reason @why. */
static gboolean
leave_apart (const Job *self, HeddleOptimisedPiece *piece, const GError *why, GError **error)
{
  HeddleSchedule *schedule = heddle_plan_get_schedule (piece->apart);

  g_clear_pointer (&piece->plan, heddle_plan_free);
  g_clear_pointer (&piece->verification, g_free);
  g_ptr_array_set_size (piece->steps, 0);
  g_ptr_array_set_size (piece->refusals, 0);
  g_ptr_array_set_size (piece->unfused, 0);
  piece->remembered = FALSE;
  g_free (piece->fallback);
  piece->fallback = first_line (why->message);
  piece->plan = heddle_plan_new_given (piece->apart->whole, schedule, self->options.gpu, piece->apart->dtype,
      self->options.family, NULL, self->cancellable, error);
  heddle_schedule_free (schedule);
  return piece->plan != NULL && verify (self, piece, error) && compiles (self, piece, error);
}

static HeddleOptimisedPiece *
piece_new (const HeddlePiece *from)
{
  HeddleOptimisedPiece *piece = g_new0 (HeddleOptimisedPiece, 1);

  piece->times = from->times->len;
  piece->before = heddle_piece_name_parts (from->diagram);
  piece->steps = g_ptr_array_new_with_free_func (g_free);
  piece->refusals = g_ptr_array_new_with_free_func (refusal_free);
  piece->unfused = g_ptr_array_new_with_free_func (heddle_optimise_unfused_free);
  return piece;
}

/* Returns the key of a piece in the cache: its equations and sizes, with names by their order. */
static char *
key_of (const HeddlePiece *piece)
{
  const HeddleDiagram *diagram = piece->canonical;
  GString *key = g_string_new (NULL);
  g_autofree char *equations = heddle_equations_write (diagram);

  for (guint i = 0; i < diagram->axes->len; i++)
    g_string_append_printf (key, "%s=%" G_GINT64_FORMAT "\n",
        ((const HeddleAxis *) g_ptr_array_index (diagram->axes, i))->name,
        g_array_index (piece->sizes, gint64, i));
  for (guint i = 0; i < diagram->outputs->len; i++)
    g_string_append_printf (
        key, "out %s\n", heddle_diagram_get_value (diagram, heddle_ids_index (diagram->outputs, i))->name);
  g_string_append (key, equations);
  return g_string_free (key, FALSE);
}

static gboolean
do_piece (const Job *self, guint i, GError **error)
{
  const HeddlePiece *from = g_ptr_array_index (self->pieces, i);
  HeddleOptimisedPiece *piece = piece_new (from);
  g_autofree char *key = key_of (from);
  g_autoptr (GError) why = NULL, why_not = NULL;

  g_ptr_array_add (self->made->pieces, piece);
  piece->apart = heddle_plan_new_apart (piece->before, NULL, self->options.gpu, self->options.dtype,
      self->options.family, NULL, self->cancellable, error);
  if (piece->apart == NULL)
    return FALSE;
  if (fuse_piece (self, i, key, &why) || (!was_cancelled (why) && leave_apart (self, piece, why, &why_not)))
    return TRUE;
  if (why_not != NULL && !was_cancelled (why_not))
    g_prefix_error (&why_not, _ ("part %u of %u has no kernels: %s; unfused: "), i + 1, self->pieces->len,
        piece->fallback);
  g_propagate_error (error, why_not != NULL ? g_steal_pointer (&why_not) : g_steal_pointer (&why));
  return FALSE;
}

/* --- all ---------------------------------------------------------------------------- */

/* Makes the sizes that were asked for the diagram's own. */
static void
keep_sizes (HeddleDiagram *diagram, GHashTable *overrides)
{
  GHashTableIter iter;
  gpointer name, size;

  if (overrides == NULL)
    return;
  g_hash_table_iter_init (&iter, overrides);
  while (g_hash_table_iter_next (&iter, &name, &size))
    {
      const HeddleAxis *axis = heddle_diagram_find_axis (diagram, name);
      HeddleAxis *own = axis != NULL ? heddle_diagram_edit_axis (diagram, axis->id) : NULL;

      if (own == NULL)
        continue;
      g_clear_pointer (&own->size, heddle_expr_unref);
      own->size = heddle_expr_number ((double) *(gint64 *) size);
    }
}

/* Completes the options: what is not asked for is as the file says, else as usual. */
static void
settle (HeddleOptimiseOptions *options, const HeddleSchedule *schedule)
{
  if (options->gpu == NULL)
    options->gpu = schedule != NULL && schedule->gpu != NULL ? schedule->gpu : "h100-sxm";
  if (options->dtype == HEDDLE_DTYPE_UNSET)
    options->dtype
        = schedule != NULL && schedule->dtype != HEDDLE_DTYPE_UNSET ? schedule->dtype : HEDDLE_DTYPE_F16;
}

HeddleDiagram *
heddle_optimise_flatten (HeddleSnapshot *snapshot, HeddleOptimiseOptions *options, GError **error)
{
  HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, options->diagram), *made;
  g_autoptr (HeddleSnapshot) flat = NULL;

  if (diagram == NULL)
    {
      g_set_error (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_FORMAT, _ ("there is no diagram “%s”"),
          options->diagram != NULL ? options->diagram : "");
      return NULL;
    }
  settle (options, heddle_snapshot_find_schedule (snapshot, diagram));
  flat = heddle_snapshot_flatten (snapshot, diagram, options->sizes, NULL, error);
  if (flat == NULL)
    return NULL;
  made = heddle_diagram_copy (heddle_snapshot_get_diagram_by_id (flat, diagram->id));
  keep_sizes (made, options->sizes);
  return made;
}

static gboolean
begin (Job *self, HeddleSnapshot *snapshot, GError **error)
{
  self->made->original = heddle_optimise_flatten (snapshot, &self->options, error);
  return self->made->original != NULL && heddle_derive_check_work (self->made->original, error)
         && heddle_derive_check_count (self->made->original, error);
}

static gboolean
find_machine (Job *self, GError **error)
{
  HeddleMachine *machine = heddle_machine_find (self->options.gpu, 0, error);

  self->made->machine = machine;
  if (machine == NULL)
    return FALSE;
  self->options.gpu = heddle_machine_reference (machine);
  if (!heddle_machine_is_abstract (machine))
    return TRUE;
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE,
      _ ("“%s” is an abstract machine: kernels are made for a GPU such as h100-sxm"), machine->name);
  return FALSE;
}

static void
forget_result (HeddleOptimised *made)
{
  g_clear_pointer (&made->plan, heddle_plan_free);
  g_clear_pointer (&made->schedule, heddle_schedule_free);
  g_clear_pointer (&made->result, heddle_diagram_free);
  g_clear_pointer (&made->compared_at, g_free);
  g_clear_pointer (&made->not_compared, g_free);
  made->difference = 0;
}

static gboolean
put_together (Job *self, GError **error)
{
  report_progress (self, 0.9, _ ("Putting the kernels together"));
  if (!heddle_optimised_assemble (self->made, self->pieces, &self->options, self->cancellable, error))
    return FALSE;
  report_progress (self, 0.95, _ ("Comparing the result with the original"));
  return heddle_optimised_compare (self->made, self->options.seed, self->cancellable, error);
}

/* Gives each piece that was changed a kernel for each named value: pieces that verify one by one can be wrong
 * together. */
static gboolean
leave_all_apart (Job *self, const GError *why, GError **error)
{
  forget_result (self->made);
  for (guint i = 0; i < self->made->pieces->len; i++)
    {
      HeddleOptimisedPiece *piece = g_ptr_array_index (self->made->pieces, i);

      if (piece->fallback == NULL && !leave_apart (self, piece, why, error))
        return FALSE;
    }
  return put_together (self, error);
}

static gboolean
finish (Job *self, GError **error)
{
  g_autoptr (GError) why = NULL;

  if (put_together (self, &why))
    return TRUE;
  if (!was_cancelled (why))
    return leave_all_apart (self, why, error);
  g_propagate_error (error, g_steal_pointer (&why));
  return FALSE;
}

/* Prices what PyTorch would run. What no kernel can be made of as it would stays without a price. */
static gboolean
find_baseline (const Job *self, HeddleBaseline how, HeddleOptimisedCost *cost, GError **error)
{
  HeddleSchedule *schedule = NULL;
  g_autoptr (HeddleDiagram) diagram = heddle_baseline_new (self->made->original, how, &schedule);
  g_autoptr (GError) why = NULL;
  g_autoptr (HeddlePlan) plan = heddle_plan_new_apart (diagram, schedule, self->options.gpu,
      self->options.dtype, self->options.family, self->search_cache, self->cancellable, &why);

  if (plan != NULL)
    *cost = heddle_optimised_baseline_cost (plan);
  else
    *cost = (HeddleOptimisedCost){ .kernels = schedule->regions->len, .expected_s = NAN };
  heddle_schedule_free (schedule);
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

static gboolean
find_baselines (Job *self, GError **error)
{
  return find_baseline (self, HEDDLE_BASELINE_EAGER, &self->made->eager, error)
         && find_baseline (self, HEDDLE_BASELINE_INDUCTOR, &self->made->inductor, error);
}

static gboolean
run (Job *self, HeddleSnapshot *snapshot, GError **error)
{
  HeddleOptimised *made = self->made;

  report_progress (self, 0, _ ("Reading the model"));
  if (!begin (self, snapshot, error) || !find_machine (self, error)
      || (made->sizes = heddle_sizes_new (made->original, NULL, error)) == NULL)
    return FALSE;
  self->pieces = heddle_pieces_new (made->original, made->sizes);
  for (guint i = 0; i < self->pieces->len; i++)
    if (!do_piece (self, i, error))
      return FALSE;
  if (!finish (self, error))
    return FALSE;
  heddle_optimised_add_cost (made);
  return find_baselines (self, error);
}

HeddleOptimised *
heddle_optimise (HeddleSnapshot *snapshot, const HeddleOptimiseOptions *options,
    HeddleOptimiseProgress progress, gpointer data, GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleOptimised) made = g_new0 (HeddleOptimised, 1);
  Job self = { made, *options, NULL, heddle_search_cache_new (), progress, data, cancellable };
  gboolean good;

  g_return_val_if_fail (snapshot != NULL && options != NULL, NULL);

  made->pieces = g_ptr_array_new_with_free_func (piece_free);
  if (self.options.seed == 0)
    self.options.seed = 1;
  if (self.options.most_steps == 0)
    self.options.most_steps = HEDDLE_OPTIMISE_STEPS;
  good = run (&self, snapshot, error);
  g_clear_pointer (&self.pieces, g_ptr_array_unref);
  g_clear_pointer (&self.search_cache, heddle_search_cache_unref);
  return good ? g_steal_pointer (&made) : NULL;
}
