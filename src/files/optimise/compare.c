/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "codegen/base/codegen.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/evaluate/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/optimise/compare.h"

/* The original and the result give the same: both are evaluated in f64, at sizes at which that takes no time. */

/* The number of products and sums of the original up to which it is evaluated. */
#define MOST_WORK 2e7
/* The tolerance for the outputs, in f64. */
#define TOLERANCE 1e-9

/* Notes the axes in computed indices: they keep their sizes, since what is read would not exist otherwise. */
static gboolean
note_index (const HeddleExpr *node, gpointer data)
{
  if (heddle_expr_get_kind (node) == HEDDLE_EXPR_INDEX)
    g_hash_table_add (data, (gpointer) heddle_expr_get_symbol (node));
  return TRUE;
}

static void
find_fixed (const HeddleDiagram *diagram, GHashTable *fixed)
{
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      const HeddleValue *base = NULL;

      if (operation->indices != NULL && operation->operands->len > 0)
        base = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0));
      for (guint k = 0; base != NULL && k < operation->indices->len; k++)
        {
          const HeddleExpr *index = g_ptr_array_index (operation->indices, k);

          if (heddle_expr_get_kind (index) == HEDDLE_EXPR_INDEX)
            continue;
          g_hash_table_add (fixed, (gpointer) heddle_ids_index (base->axes, k));
          heddle_expr_walk (index, note_index, fixed);
        }
      for (guint k = 0; operation->kind->form == HEDDLE_FORM_CONCAT && k < operation->axes->len; k++)
        g_hash_table_add (fixed, (gpointer) heddle_ids_index (operation->axes, k));
    }
}

/* Returns the axes (ids) that may be shorter than they are. */
static GHashTable *
find_free (const HeddleDiagram *diagram)
{
  g_autoptr (GHashTable) fixed = g_hash_table_new (NULL, NULL);
  GHashTable *self = g_hash_table_new (NULL, NULL);

  find_fixed (diagram, fixed);
  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);

      if (!heddle_axis_depends (axis) && !g_hash_table_contains (fixed, axis->id))
        g_hash_table_add (self, (gpointer) axis->id);
    }
  return self;
}

static double
work_of (const HeddleDiagram *diagram, const HeddleSizes *sizes)
{
  double all = 0;

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      double work
          = (double) heddle_sizes_elements (sizes, heddle_diagram_get_value (diagram, operation->result));

      for (guint k = 0; k < operation->axes->len; k++)
        work *= (double) heddle_sizes_get (sizes, heddle_ids_index (operation->axes, k));
      all += work;
    }
  return all;
}

static char *
describe (const HeddleDiagram *diagram, const HeddleSizes *sizes)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);

      g_string_append_printf (
          text, "%s%s=%" G_GINT64_FORMAT, i > 0 ? " " : "", axis->name, heddle_sizes_get (sizes, axis->id));
    }
  return g_string_free (text, FALSE);
}

/* Returns ||a - b|| / ||a||; where an element of one is infinite or NaN, the other's must be the same. */
static double
difference_of (const HeddleArray *a, const HeddleArray *b)
{
  double apart = 0, norm = 0;

  for (gint64 i = 0; i < a->n_elements; i++)
    {
      if (!isfinite (a->data[i]) || !isfinite (b->data[i]))
        {
          if (!(a->data[i] == b->data[i] || (isnan (a->data[i]) && isnan (b->data[i]))))
            return INFINITY;
          continue;
        }
      apart += (a->data[i] - b->data[i]) * (a->data[i] - b->data[i]);
      norm += a->data[i] * a->data[i];
    }
  return norm > 0 ? sqrt (apart / norm) : sqrt (apart);
}

/* Returns the sizes of the original's axes, and those of axes that rewrites made. */
static HeddleSizes *
sizes_of_result (const HeddleOptimised *self, const HeddleSizes *sizes, GError **error)
{
  g_autoptr (GHashTable) overrides = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  for (guint i = 0; i < self->original->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->original->axes, i);
      gint64 size = heddle_sizes_get (sizes, axis->id);

      if (!heddle_axis_depends (axis))
        g_hash_table_insert (overrides, axis->name, g_memdup2 (&size, sizeof size));
    }
  return heddle_sizes_new (self->result, overrides, error);
}

/* Returns the sizes in which the axes in @shorter (ids) have at most @most elements; NULL if they contradict
 * one another in the original or in the result. */
static HeddleSizes *
sizes_of (const HeddleOptimised *self, GHashTable *shorter, gint64 most)
{
  g_autoptr (GHashTable) overrides = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (HeddleSizes) sizes = NULL, of_result = NULL;

  for (guint i = 0; i < self->original->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->original->axes, i);
      gint64 size = heddle_sizes_get (self->sizes, axis->id);

      if (heddle_axis_depends (axis))
        continue;
      if (g_hash_table_contains (shorter, axis->id))
        size = MIN (size, most);
      g_hash_table_insert (overrides, axis->name, g_memdup2 (&size, sizeof size));
    }
  sizes = heddle_sizes_new (self->original, overrides, NULL);
  of_result = sizes != NULL ? sizes_of_result (self, sizes, NULL) : NULL;
  return of_result != NULL ? g_steal_pointer (&sizes) : NULL;
}

/* Adds the axes of @shorter that have @size elements, all or number @i of the diagram alone, to @kept if they then
 * agree with those that are there. */
static void
keep_some (
    const HeddleOptimised *self, GHashTable *shorter, GHashTable *kept, guint i, gboolean all, gint64 most)
{
  const HeddleAxis *own = g_ptr_array_index (self->original->axes, i);
  g_autoptr (GPtrArray) added = g_ptr_array_new ();
  g_autoptr (HeddleSizes) sizes = NULL;

  for (guint k = all ? 0 : i; k < (all ? self->original->axes->len : i + 1); k++)
    {
      const char *axis = ((const HeddleAxis *) g_ptr_array_index (self->original->axes, k))->id;

      if (g_hash_table_contains (shorter, axis)
          && heddle_sizes_get (self->sizes, axis) == heddle_sizes_get (self->sizes, own->id)
          && g_hash_table_add (kept, (gpointer) axis))
        g_ptr_array_add (added, (gpointer) axis);
    }
  sizes = sizes_of (self, kept, most);
  for (guint k = 0; sizes == NULL && k < added->len; k++)
    g_hash_table_remove (kept, g_ptr_array_index (added, k));
}

/* Returns those of @shorter that do not contradict one another: what is joined along an axis that keeps its length
 * keeps its own. Axes of one length are taken together first, since what is read as another axis is as long. */
static GHashTable *
keep_consistent (const HeddleOptimised *self, GHashTable *shorter, gint64 most)
{
  GHashTable *kept = g_hash_table_new (NULL, NULL);

  for (int all = TRUE; all >= FALSE; all--)
    for (guint i = 0; i < self->original->axes->len; i++)
      {
        const char *axis = ((const HeddleAxis *) g_ptr_array_index (self->original->axes, i))->id;

        if (g_hash_table_contains (shorter, axis) && !g_hash_table_contains (kept, axis))
          keep_some (self, shorter, kept, i, all, most);
      }
  return kept;
}

/* The length below which no axis is made shorter. */
#define LEAST 4

/* Returns the largest sizes that are quick; those of the original if nothing can be shorter. */
static HeddleSizes *
choose_sizes (const HeddleOptimised *self)
{
  g_autoptr (GHashTable) shorter = find_free (self->original);

  if (work_of (self->original, self->sizes) <= MOST_WORK)
    return heddle_sizes_ref (self->sizes);
  for (gint64 most = 64;; most /= 2)
    {
      g_autoptr (HeddleSizes) sizes = sizes_of (self, shorter, most);

      if (sizes == NULL)
        {
          GHashTable *kept = keep_consistent (self, shorter, most);

          g_hash_table_unref (shorter);
          shorter = kept;
          sizes = sizes_of (self, shorter, most);
        }
      if (sizes == NULL)
        return heddle_sizes_ref (self->sizes);
      if (most <= LEAST || work_of (self->original, sizes) <= MOST_WORK)
        return g_steal_pointer (&sizes);
    }
}

/* Returns the largest difference of the outputs; a negative number with the error if one of the two cannot be
 * evaluated. */
static double
find_difference (const HeddleOptimised *self, const HeddleSizes *sizes, guint64 seed,
    GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleSizes) result_sizes = sizes_of_result (self, sizes, error);
  g_autoptr (GArray) wanted = heddle_diagram_get_outputs (self->original);
  g_autoptr (GHashTable) inputs
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) heddle_array_unref);
  g_autoptr (GHashTable) one = NULL, two = NULL;
  double difference = 0;

  if (result_sizes == NULL || !heddle_evaluate_fill_inputs (self->original, sizes, inputs, seed, error))
    return -1;
  one = heddle_evaluate_wanted (
      self->original, sizes, inputs, wanted, HEDDLE_PRECISION_F64, cancellable, error);
  two = one != NULL ? heddle_evaluate_wanted (
            self->result, result_sizes, inputs, wanted, HEDDLE_PRECISION_F64, cancellable, error)
                    : NULL;
  for (guint i = 0; two != NULL && i < wanted->len; i++)
    {
      const char *id = heddle_ids_index (wanted, i);

      difference
          = MAX (difference, difference_of (g_hash_table_lookup (one, id), g_hash_table_lookup (two, id)));
    }
  return two != NULL ? difference : -1;
}

gboolean
heddle_optimised_compare (HeddleOptimised *self, guint64 seed, GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleSizes) sizes = choose_sizes (self);
  g_autoptr (GError) why = NULL;

  self->difference = find_difference (self, sizes, seed, cancellable, &why);
  if (self->difference < 0 && g_error_matches (why, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  if (self->difference < 0)
    {
      self->difference = NAN;
      self->not_compared = g_strdup (why->message);
      return TRUE;
    }
  self->compared_at = describe (self->original, sizes);
  if (self->difference <= TOLERANCE)
    return TRUE;
  g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_VERIFY,
      _ ("the result is not the original: their outputs differ by %.3g at %s"), self->difference,
      self->compared_at);
  return FALSE;
}
