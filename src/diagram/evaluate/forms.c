/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>
#include "diagram/analysis/sizes.h"
#include "diagram/evaluate/forms.h"
#include "diagram/evaluate/walk.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/parse.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"
#include "diagram/analysis/reindex.h"
#include "diagram/base/error.h"
#include "diagram/evaluate/batch.h"
#include "diagram/evaluate/operation.h"
#include "diagram/evaluate/reindex.h"
#include "diagram/expression/tree.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* This file evaluates what is neither pointwise nor a reduction: arrays one after the other, state machines
 * along an axis, the places of the largest elements. */

/* Returns a walk over @axes with cursors into the operands, the result and the marks in @taken, in this
 * order. */
static HeddleWalk *
walk_all (const HeddleRun *self, const GArray *axes, const GPtrArray *taken)
{
  HeddleWalk *walk = heddle_walk_new (self->evaluation->sizes, axes);

  for (guint i = 0; i < self->operand_values->len; i++)
    heddle_walk_add_cursor (walk, heddle_run_operand_axes (self, i));
  heddle_walk_add_cursor (walk, self->value->axes);
  for (guint i = 0; taken != NULL && i < taken->len; i++)
    heddle_walk_add_cursor (walk, ((HeddleOutside *) g_ptr_array_index (taken, i))->axes);
  return walk;
}

static GArray *
axes_without (const GArray *axes, const char *axis)
{
  GArray *rest = heddle_ids_copy (axes);
  int at = heddle_ids_find (rest, axis);

  if (at >= 0)
    g_array_remove_index (rest, (guint) at);
  return rest;
}

/* --- concatenation ------------------------------------------------------------------------ */

/* Returns the place along the core axis at which operand @operand of a CONCAT begins. */
static gint64
run_concat_start (const HeddleRun *self, guint operand)
{
  gint64 start = 0;

  for (guint i = 0; i < operand; i++)
    start += heddle_sizes_get (self->evaluation->sizes,
        heddle_concat_own_axis (self->value, g_ptr_array_index (self->operand_values, i)));
  return start;
}

/* Returns the strides in an array with @axes along those of the operand; along the axis that the operand
 * alone has it is that of the result's core axis. */
static gint64 *
strides_within (const HeddleRun *self, guint operand, const GArray *axes)
{
  const HeddleValue *value = g_ptr_array_index (self->operand_values, operand);
  const char *own = heddle_concat_own_axis (self->value, value);
  gint64 *strides = g_new (gint64, MAX (value->axes->len, 1));

  for (guint i = 0; i < value->axes->len; i++)
    {
      const char *axis = heddle_ids_index (value->axes, i);

      strides[i] = heddle_axes_stride (
          self->evaluation->sizes, axes, axis == own ? heddle_ids_index (self->operation->axes, 0) : axis);
    }
  return strides;
}

static gint64
offset_at (const HeddleWalk *walk, const gint64 *strides)
{
  gint64 offset = 0;

  for (guint i = 0; i < walk->axes->len; i++)
    offset += walk->index[i] * strides[i];
  return offset;
}

gboolean
heddle_run_concat (HeddleRun *self, GError **error)
{
  const char *along = heddle_ids_index (self->operation->axes, 0);
  gint64 stride = heddle_axes_stride (self->evaluation->sizes, self->value->axes, along);

  for (guint i = 0; i < self->operand_values->len; i++)
    {
      g_autoptr (HeddleWalk) walk
          = heddle_walk_new (self->evaluation->sizes, heddle_run_operand_axes (self, i));
      g_autofree gint64 *strides = strides_within (self, i, self->value->axes);
      double *out = self->result->data + run_concat_start (self, i) * stride;
      const double *in = self->data[i];

      if (g_cancellable_set_error_if_cancelled (self->evaluation->cancellable, error))
        return FALSE;
      for (gboolean more = heddle_walk_start (walk, NULL); more; more = heddle_walk_next (walk))
        out[offset_at (walk, strides)] = *in++;
    }
  return TRUE;
}

static HeddleOutside *outside_new (
    const HeddleSizes *sizes, const GArray *read_axes, const GArray *axes, GError **error);

/* Returns a mark of an operand, where that lies in the result; all else is inside. */
static HeddleOutside *
run_concat_mark (HeddleRun *self, guint operand, const HeddleOutside *outside, GError **error)
{
  const HeddleValue *value = g_ptr_array_index (self->operand_values, operand);
  const char *own = heddle_concat_own_axis (self->value, value);
  const char *along = heddle_ids_index (self->operation->axes, 0);
  g_autoptr (GArray) read_axes = heddle_ids_copy (outside->read_axes);
  g_autoptr (HeddleWalk) walk = heddle_walk_new (self->evaluation->sizes, value->axes);
  g_autofree gint64 *strides = strides_within (self, operand, self->value->axes);
  gint64 start = run_concat_start (self, operand)
                 * heddle_axes_stride (self->evaluation->sizes, self->value->axes, along);
  HeddleOutside *mark;

  for (guint i = 0; i < read_axes->len; i++)
    if (heddle_ids_index (read_axes, i) == own)
      heddle_ids_index (read_axes, i) = along;
  mark = outside_new (self->evaluation->sizes, read_axes, self->value->axes, error);
  if (mark == NULL)
    return NULL;
  heddle_walk_add_cursor (walk, outside->axes);
  for (gboolean more = heddle_walk_start (walk, NULL); more; more = heddle_walk_next (walk))
    mark->inside[start + offset_at (walk, strides)] = outside->inside[heddle_walk_offset (walk, 0)];
  return mark;
}

/* --- state machines -------------------------------------------------------------------------- */

typedef struct
{
  HeddleRun *run;
  const GPtrArray *taken;
  HeddleExprProgram *factor, *term;
  HeddleWalk *walk; /* along the axis */
} Scan;

static gboolean
is_inside (const HeddleRun *run, const HeddleWalk *walk, const GPtrArray *taken)
{
  for (guint i = 0; i < taken->len; i++)
    {
      const HeddleOutside *outside = g_ptr_array_index (taken, i);

      if (!outside->inside[heddle_walk_offset (walk, run->operand_values->len + 1 + i)])
        return FALSE;
    }
  return TRUE;
}

static double
value_of (const Scan *self, const HeddleExprProgram *program)
{
  double slots[HEDDLE_SCAN_OPERANDS] = { 0. };

  for (guint i = 0; i < heddle_expr_program_get_n_slots (program); i++)
    {
      guint operand = heddle_expr_get_operand (heddle_expr_program_get_slot (program, i));

      slots[i] = self->run->data[operand][heddle_walk_offset (self->walk, operand)];
    }
  return heddle_expr_program_run (program, slots);
}

/* Scans along the axis; what is outside leaves the state as it is. */
static void
run_along (const Scan *self, const gint64 *offsets)
{
  guint cursor = self->run->operand_values->len;
  double state = 0.;

  for (gboolean more = heddle_walk_start (self->walk, offsets); more; more = heddle_walk_next (self->walk))
    {
      if (is_inside (self->run, self->walk, self->taken))
        state = value_of (self, self->factor) * state + value_of (self, self->term);
      self->run->result->data[heddle_walk_offset (self->walk, cursor)] = state;
    }
}

gboolean
heddle_run_scan (HeddleRun *self, GError **error)
{
  g_autoptr (GPtrArray) taken = heddle_run_taken_outsides (self);
  g_autoptr (GArray) across = axes_without (self->value->axes, heddle_ids_index (self->operation->axes, 0));
  g_autoptr (HeddleWalk) outer = walk_all (self, across, taken);
  g_autoptr (HeddleWalk) inner = walk_all (self, self->operation->axes, taken);
  g_autoptr (HeddleExpr) factor = heddle_expr_literal (self->operation->kind->scan.factor);
  g_autoptr (HeddleExpr) term = heddle_expr_literal (self->operation->kind->scan.term);
  g_autoptr (HeddleExprProgram) factor_program = heddle_expr_compile (factor);
  g_autoptr (HeddleExprProgram) term_program = heddle_expr_compile (term);
  Scan scan = { self, taken, factor_program, term_program, inner };

  for (gboolean more = heddle_walk_start (outer, NULL); more; more = heddle_walk_next (outer))
    {
      if (g_cancellable_set_error_if_cancelled (self->evaluation->cancellable, error))
        return FALSE;
      run_along (&scan, (const gint64 *) outer->offsets->data);
    }
  return TRUE;
}

/* --- the places of the largest ------------------------------------------------------------------ */

typedef struct
{
  double value;
  gint64 place;
} Candidate;

static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  const Candidate *x = a, *y = b;

  if (x->value != y->value && !isnan (x->value) && !isnan (y->value))
    return x->value > y->value ? -1 : 1;
  if (isnan (x->value) != isnan (y->value))
    return isnan (x->value) ? 1 : -1;
  return (x->place > y->place) - (x->place < y->place);
}

/* Collects the elements that are inside, the largest first; of equal ones, the one with the lower place
 * first. */
static void
collect_candidates (HeddleRun *self, HeddleWalk *walk, const GPtrArray *taken, GArray *candidates)
{
  gint64 place = 0;

  g_array_set_size (candidates, 0);
  do
    {
      Candidate candidate = { self->data[0][heddle_walk_offset (walk, 0)], place++ };

      if (is_inside (self, walk, taken))
        g_array_append_val (candidates, candidate);
    }
  while (heddle_walk_next (walk));
  g_array_sort (candidates, compare_candidates);
}

gboolean
heddle_run_select (HeddleRun *self, GError **error)
{
  const HeddleSizes *sizes = self->evaluation->sizes;
  const char *from = heddle_ids_index (self->operation->axes, 0),
             *rank = heddle_ids_index (self->operation->axes, 1);
  g_autoptr (GPtrArray) taken = heddle_run_taken_outsides (self);
  g_autoptr (GArray) across = axes_without (self->value->axes, rank);
  g_autoptr (GArray) core = heddle_ids_new ();
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  g_autoptr (HeddleWalk) outer = walk_all (self, across, taken);
  g_autoptr (HeddleWalk) inner = NULL;
  gint64 stride = heddle_axes_stride (sizes, self->value->axes, rank), n = heddle_sizes_get (sizes, rank);

  heddle_ids_append (core, from);
  inner = walk_all (self, core, taken);
  for (gboolean more = heddle_walk_start (outer, NULL); more; more = heddle_walk_next (outer))
    {
      double *out = self->result->data + heddle_walk_offset (outer, self->operand_values->len);

      if (g_cancellable_set_error_if_cancelled (self->evaluation->cancellable, error))
        return FALSE;
      heddle_walk_start (inner, (const gint64 *) outer->offsets->data);
      collect_candidates (self, inner, taken, candidates);
      for (gint64 i = 0; i < n; i++) /* a place outside where there are no more */
        out[i * stride] = i < candidates->len ? (double) g_array_index (candidates, Candidate, i).place : -1.;
    }
  return TRUE;
}

/* Adds a reference, from one thread only, and returns @self. */
static HeddleOutside *
outside_ref (HeddleOutside *self)
{
  self->ref_count++;
  return self;
}

void
heddle_outside_unref (HeddleOutside *self)
{
  if (--self->ref_count > 0)
    return;
  g_array_unref (self->read_axes);
  g_array_unref (self->axes);
  g_free (self->inside);
  g_free (self);
}

/* Returns a new mark that has everything inside. */
static HeddleOutside *
outside_new (const HeddleSizes *sizes, const GArray *read_axes, const GArray *axes, GError **error)
{
  g_autoptr (HeddleWalk) walk = heddle_walk_new (sizes, axes);
  guint8 *inside = g_try_malloc (MAX (walk->n_points, 1));
  HeddleOutside *self;

  if (inside == NULL)
    {
      g_set_error_literal (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_LIMIT,
          _ ("a mask of reads outside does not fit in memory"));
      return NULL;
    }
  memset (inside, TRUE, walk->n_points);
  self = g_new0 (HeddleOutside, 1);
  self->ref_count = 1;
  self->read_axes = heddle_ids_copy (read_axes);
  self->axes = heddle_ids_copy (axes);
  self->inside = inside;
  return self;
}

static gboolean
axes_meet (const GArray *a, const GArray *b)
{
  for (guint i = 0; i < a->len; i++)
    if (heddle_ids_contain (b, heddle_ids_index (a, i)))
      return TRUE;
  return FALSE;
}

static GPtrArray *
list_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_outside_unref);
}

/* --- looking ------------------------------------------------------------------------- */

GPtrArray *
heddle_run_get_outsides (const HeddleRun *self, guint i)
{
  const HeddleValue *operand = g_ptr_array_index (self->operand_values, i);

  return g_hash_table_lookup (self->evaluation->outsides, operand->id);
}

/* Calls @visit with each different mark of any operand. */
static gboolean
visit_outsides (HeddleRun *self, gboolean (*visit) (HeddleRun *, guint, HeddleOutside *, gpointer, GError **),
    gpointer data, GError **error)
{
  for (guint i = 0; i < self->operand_values->len; i++)
    {
      GPtrArray *outsides = heddle_run_get_outsides (self, i);

      for (guint j = 0; outsides != NULL && j < outsides->len; j++)
        if (!visit (self, i, g_ptr_array_index (outsides, j), data, error))
          return FALSE;
    }
  return TRUE;
}

static gboolean
collect_taken (HeddleRun *self, guint operand, HeddleOutside *outside, gpointer list, GError **error)
{
  if (axes_meet (outside->read_axes, self->operation->axes) && !g_ptr_array_find (list, outside, NULL))
    g_ptr_array_add (list, outside);
  return TRUE;
}

GPtrArray *
heddle_run_taken_outsides (const HeddleRun *self)
{
  GPtrArray *taken = g_ptr_array_new ();

  visit_outsides ((HeddleRun *) self, collect_taken, taken, NULL);
  return taken;
}

/* --- passing on ---------------------------------------------------------------------- */

/* Returns the mark of a result: what is made of terms some of which are outside is outside, where the
 * reduction was over none of the read's axes. */
static HeddleOutside *
outside_reduce (HeddleRun *self, HeddleOutside *outside, GError **error)
{
  g_autoptr (GArray) rest = heddle_ids_new ();
  g_autoptr (HeddleWalk) walk = NULL;
  g_autoptr (HeddleOutside) reduced = NULL;

  for (guint i = 0; i < outside->axes->len; i++)
    if (!heddle_ids_contain (self->operation->axes, heddle_ids_index (outside->axes, i)))
      heddle_ids_append (rest, heddle_ids_index (outside->axes, i));
  if (rest->len == outside->axes->len)
    return outside_ref (outside);

  reduced = outside_new (self->evaluation->sizes, outside->read_axes, rest, error);
  if (reduced == NULL)
    return NULL;
  walk = heddle_walk_new (self->evaluation->sizes, outside->axes);
  heddle_walk_add_cursor (walk, outside->axes);
  heddle_walk_add_cursor (walk, rest);
  for (gboolean more = heddle_walk_start (walk, NULL); more; more = heddle_walk_next (walk))
    reduced->inside[heddle_walk_offset (walk, 1)] &= outside->inside[heddle_walk_offset (walk, 0)];
  return g_steal_pointer (&reduced);
}

static gboolean
pass_through_reduction (HeddleRun *self, guint operand, HeddleOutside *outside, gpointer list, GError **error)
{
  HeddleOutside *passed;

  if (axes_meet (outside->read_axes, self->operation->axes))
    return TRUE;
  passed = outside_reduce (self, outside, error);
  if (passed != NULL)
    g_ptr_array_add (list, passed);
  return passed != NULL;
}

/* --- maps: a choice between two reads is outside only where the one chosen is ---------- */

HeddleExpr *
heddle_map_inside (HeddleExpr *body, guint operand)
{
  gboolean is_where = heddle_expr_get_kind (body) == HEDDLE_EXPR_WHERE;
  HeddleExpr *parts[3] = { NULL };
  HeddleExpr *all;

  if (heddle_expr_get_kind (body) == HEDDLE_EXPR_ARGUMENT)
    return heddle_expr_get_operand (body) == operand ? heddle_expr_variable ("inside") : NULL;
  for (guint i = 0; i < heddle_expr_get_n_children (body); i++)
    parts[i] = heddle_map_inside (heddle_expr_get_child (body, i), operand);
  if (is_where && (parts[1] != NULL || parts[2] != NULL))
    {
      for (guint i = 1; i < 3; i++)
        parts[i] = parts[i] != NULL ? parts[i] : heddle_expr_number (1.);
      parts[1] = heddle_expr_where (heddle_expr_ref (heddle_expr_get_child (body, 0)), parts[1], parts[2]);
      parts[2] = NULL;
    }
  all = parts[0];
  for (guint i = 1; i < 3; i++)
    if (parts[i] != NULL)
      all = all == NULL ? parts[i] : heddle_expr_binary (HEDDLE_EXPR_AND, all, parts[i]);
  return all;
}

/* Writes the mark's bytes at the points of the batch as numbers. */
static void
gather_inside (const HeddleBatch *batch, guint cursor, const guint8 *inside, double *out)
{
  gint64 stride = heddle_walk_last_stride (batch->walk, cursor);

  for (guint run = 0; run < batch->n_runs; run++)
    for (guint i = 0; i < batch->lengths[run]; i++)
      *out++ = inside[heddle_batch_offset (batch, run, cursor) + i * stride];
}

static HeddleOutside *
outside_choose (HeddleRun *self, const HeddleExpr *condition, HeddleOutside *outside, GError **error)
{
  static const char *const names[] = { "inside", NULL };
  double inside[HEDDLE_BATCH];
  const double *variables[] = { inside };
  g_autoptr (HeddleBatch) batch = heddle_run_batch (self, self->value->axes);
  guint cursor = heddle_batch_add_cursor (batch, outside->axes);
  HeddleBinding binding = { batch, self->operand_values->len, self->data, names, variables };
  g_autoptr (HeddleBound) bound = heddle_bound_new (condition, &binding, error);
  g_autoptr (HeddleOutside) chosen = NULL;
  gint64 n = batch->walk->n_points;

  if (bound != NULL)
    chosen = outside_new (self->evaluation->sizes, outside->read_axes, self->value->axes, error);
  if (chosen == NULL)
    return NULL;
  for (gint64 at = 0; at < n; at += batch->n_points)
    {
      heddle_batch_take (batch, n - at);
      gather_inside (batch, cursor, outside->inside, inside);
      const double *values = heddle_bound_run (bound, batch->n_points);
      for (guint i = 0; i < batch->n_points; i++)
        chosen->inside[at + i] = values[i] != 0.;
    }
  return g_steal_pointer (&chosen);
}

static gboolean
pass_through_map (HeddleRun *self, guint operand, HeddleOutside *outside, gpointer list, GError **error)
{
  g_autoptr (HeddleExpr) condition = NULL;
  HeddleOutside *passed;

  if (!heddle_expr_uses (self->operation->body, HEDDLE_EXPR_WHERE, NULL))
    {
      if (!g_ptr_array_find (list, outside, NULL))
        g_ptr_array_add (list, outside_ref (outside));
      return TRUE;
    }
  condition = heddle_map_inside (self->operation->body, operand);
  if (condition == NULL)
    return TRUE;
  passed = outside_choose (self, condition, outside, error);
  if (passed != NULL)
    g_ptr_array_add (list, passed);
  return passed != NULL;
}

/* --- reindexing: the source of marks --------------------------------------------------- */

/* Returns the axes of the result that the read's index along @operand_axis (if NULL, along any axis) uses. */
static GArray *
axes_of_read (const HeddleRun *self, const char *operand_axis)
{
  const HeddleValue *operand = g_ptr_array_index (self->operand_values, 0);
  GArray *axes = heddle_ids_new ();

  for (guint i = 0; i < self->value->axes->len; i++)
    {
      const char *axis = heddle_ids_index (self->value->axes, i);
      gboolean used = FALSE;

      for (guint j = 0; j < MIN (self->operation->indices->len, operand->axes->len); j++)
        used |= (operand_axis == NULL || heddle_ids_index (operand->axes, j) == operand_axis)
                && heddle_reindex_varies (self->evaluation->diagram, self->operation, j, axis);
      if (used)
        heddle_ids_append (axes, axis);
    }
  return axes;
}

/* Adds the mark of the read itself (@before NULL), or that of what is read, carried to the places where it is
 * read; none where nothing is outside. */
static gboolean
add_mark_of_read (
    HeddleRun *self, const GArray *read_axes, const HeddleOutside *before, GPtrArray *list, GError **error)
{
  g_autoptr (GArray) axes = axes_of_read (self, NULL);
  g_autoptr (HeddleBatch) batch = heddle_run_batch (self, axes);
  g_autofree gint64 *strides = heddle_run_operand_strides (self, before != NULL ? before->axes : axes);
  g_autoptr (HeddleReader) reader = heddle_reader_new (self, batch, strides, error);
  g_autoptr (HeddleOutside) mark = NULL;
  gint64 n = batch->walk->n_points;
  gboolean any = FALSE;

  if (reader == NULL || (mark = outside_new (self->evaluation->sizes, read_axes, axes, error)) == NULL)
    return FALSE;
  for (gint64 at = 0; at < n; at += batch->n_points)
    {
      heddle_batch_take (batch, n - at);
      const gint64 *offsets = heddle_reader_locate (reader);
      for (guint i = 0; i < batch->n_points; i++)
        {
          mark->inside[at + i]
              = before == NULL ? offsets[i] >= 0 : offsets[i] < 0 || before->inside[offsets[i]];
          any |= !mark->inside[at + i];
        }
    }
  if (any)
    g_ptr_array_add (list, g_steal_pointer (&mark));
  return TRUE;
}

static gboolean
pass_through_read (HeddleRun *self, guint operand, HeddleOutside *outside, gpointer list, GError **error)
{
  g_autoptr (GArray) read_axes = heddle_ids_new ();

  if (operand > 0) /* an index that is itself read outside */
    {
      if (!g_ptr_array_find (list, outside, NULL))
        g_ptr_array_add (list, outside_ref (outside));
      return TRUE;
    }
  for (guint i = 0; i < outside->read_axes->len; i++)
    {
      g_autoptr (GArray) axes = axes_of_read (self, heddle_ids_index (outside->read_axes, i));

      for (guint j = 0; j < axes->len; j++)
        if (!heddle_ids_contain (read_axes, heddle_ids_index (axes, j)))
          heddle_ids_append (read_axes, heddle_ids_index (axes, j));
    }
  return add_mark_of_read (self, read_axes, outside, list, error);
}

static gboolean
mark_read (HeddleRun *self, GPtrArray *list, GError **error)
{
  g_autoptr (GArray) axes = axes_of_read (self, NULL);

  return add_mark_of_read (self, axes, NULL, list, error)
         && visit_outsides (self, pass_through_read, list, error);
}

static gboolean
pass_through_concat (HeddleRun *self, guint operand, HeddleOutside *outside, gpointer list, GError **error)
{
  HeddleOutside *passed = run_concat_mark (self, operand, outside, error);

  if (passed != NULL)
    g_ptr_array_add (list, passed);
  return passed != NULL;
}

gboolean
heddle_run_mark (HeddleRun *self, GError **error)
{
  g_autoptr (GPtrArray) list = list_new ();
  gboolean done = FALSE;

  switch (self->operation->kind->form)
    {
    case HEDDLE_FORM_MAP:
      done = visit_outsides (self, pass_through_map, list, error);
      break;
    case HEDDLE_FORM_CONTRACT:
    case HEDDLE_FORM_REDUCE:
    case HEDDLE_FORM_NORMALISE:
      done = visit_outsides (self, pass_through_reduction, list, error);
      break;
    case HEDDLE_FORM_REINDEX:
      done = mark_read (self, list, error);
      break;
    case HEDDLE_FORM_CONCAT:
      done = visit_outsides (self, pass_through_concat, list, error);
      break;
    case HEDDLE_FORM_SCAN:
    case HEDDLE_FORM_SELECT:
      done = visit_outsides (self, pass_through_reduction, list, error);
      break;
    case HEDDLE_FORM_CALL:
      g_assert_not_reached ();
    }
  if (done && list->len > 0)
    g_hash_table_insert (self->evaluation->outsides, (gpointer) self->value->id, g_steal_pointer (&list));
  return done;
}
