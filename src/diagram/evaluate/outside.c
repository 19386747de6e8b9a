/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/analysis/reindex.h"
#include "diagram/base/error.h"
#include "diagram/evaluate/batch.h"
#include "diagram/evaluate/forms.h"
#include "diagram/evaluate/operation.h"
#include "diagram/evaluate/outside.h"
#include "diagram/evaluate/private.h"
#include "diagram/evaluate/reindex.h"
#include "diagram/evaluate/walk.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

#include <glib/gi18n-lib.h>
#include <string.h>

HeddleOutside *
heddle_outside_ref (HeddleOutside *self)
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

HeddleOutside *
heddle_outside_new (const HeddleSizes *sizes, const GArray *read_axes, const GArray *axes, GError **error)
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

/* What is made of terms some of which are outside is outside, where the reduction was over none of the read's axes. */
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
    return heddle_outside_ref (outside);

  reduced = heddle_outside_new (self->evaluation->sizes, outside->read_axes, rest, error);
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

/* The mark's bytes at the points of the batch, as numbers. */
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
    chosen = heddle_outside_new (self->evaluation->sizes, outside->read_axes, self->value->axes, error);
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
        g_ptr_array_add (list, heddle_outside_ref (outside));
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

/* The result's axes that the read's index along @operand_axis uses (NULL: along any). */
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

/* Adds the mark of the read itself (@before NULL), or that of what is read, carried to the places where it is read; none where
 * nothing is outside. */
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

  if (reader == NULL || (mark = heddle_outside_new (self->evaluation->sizes, read_axes, axes, error)) == NULL)
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
        g_ptr_array_add (list, heddle_outside_ref (outside));
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
  HeddleOutside *passed = heddle_run_concat_mark (self, operand, outside, error);

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
