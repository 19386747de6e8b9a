/* SPDX-License-Identifier: MIT */

/* This file evaluates contractions. A product of several arrays is computed two at a time, the cheapest pair
 * first, so that what is summed early is not multiplied with everything. */

#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/evaluate/contract.h"
#include "diagram/evaluate/line.h"
#include "diagram/evaluate/forms.h"
#include "diagram/evaluate/reduce.h"
#include "diagram/evaluate/tile.h"
#include "diagram/evaluate/walk.h"
#include "diagram/graph/diagram.h"

#include <math.h>

/* The number of rows or columns below which copying is not worth its cost. */
#define LEAST_SIDE 4

/* --- two factors --------------------------------------------------------------------- */

/* Returns the number of points of the axes that @with has and @without has not. */
static gint64
points_of (const HeddleProduct *self, guint with, guint without)
{
  gint64 n = 1;

  for (guint i = 0; i < self->axes->len; i++)
    {
      const char *axis = heddle_ids_index (self->axes, i);

      if (heddle_ids_contain (self->factors[with].axes, axis)
          && !heddle_ids_contain (self->factors[without].axes, axis))
        n *= heddle_sizes_get (self->evaluation->sizes, axis);
    }
  return n;
}

/* Runs the product by tiles, or along one axis where a factor's side is too short for tiles. FALSE means
 * cancelled, with @error set. */
static gboolean
product_run (HeddleProduct *self, GError **error)
{
  if (points_of (self, 0, 1) < LEAST_SIDE || points_of (self, 1, 0) < LEAST_SIDE)
    return heddle_product_run_lines (self, error);
  return heddle_product_run_tiles (self, error);
}

/* --- several ------------------------------------------------------------------------- */

typedef struct
{
  HeddleRun *run;
  GArray *factors; /* of HeddleFactor */
  GPtrArray *made; /* of HeddleArray: what some of them are in */
} Contraction;

static HeddleFactor *
factor (const Contraction *self, guint i)
{
  return &g_array_index (self->factors, HeddleFactor, i);
}

static void
clear_factor (gpointer data)
{
  g_array_unref (((HeddleFactor *) data)->axes);
}

static void
add_factor (Contraction *self, GArray *axes, const double *data)
{
  HeddleFactor added = { axes, data };

  g_array_append_val (self->factors, added);
}

/* Returns an array of zeros that lives as long as the contraction. */
static double *
make_array (Contraction *self, const GArray *axes, GError **error)
{
  g_autofree gint64 *shape = g_new (gint64, axes->len);
  HeddleArray *array;

  for (guint i = 0; i < axes->len; i++)
    shape[i] = heddle_sizes_get (self->run->evaluation->sizes, heddle_ids_index (axes, i));
  array = heddle_array_new (HEDDLE_DTYPE_F64, axes->len, shape, error);
  if (array != NULL)
    g_ptr_array_add (self->made, array);
  return array != NULL ? array->data : NULL;
}

/* Returns whether the result, or a factor other than @a and @b, has the axis. */
static gboolean
is_wanted (const Contraction *self, const char *axis, guint a, guint b)
{
  if (heddle_ids_contain (self->run->value->axes, axis))
    return TRUE;
  for (guint i = 0; i < self->factors->len; i++)
    if (i != a && i != b && heddle_ids_contain (factor (self, i)->axes, axis))
      return TRUE;
  return FALSE;
}

/* Sorts the axes of a pair into those that stay and those to be summed now. */
static void
split_axes (const Contraction *self, guint a, guint b, GArray *kept, GArray *core)
{
  const guint pair[] = { a, b };

  for (guint i = 0; i < 2; i++)
    for (guint j = 0; j < factor (self, pair[i])->axes->len; j++)
      {
        const char *axis = heddle_ids_index (factor (self, pair[i])->axes, j);

        if (!heddle_ids_contain (kept, axis) && !heddle_ids_contain (core, axis))
          heddle_ids_append (is_wanted (self, axis, a, b) ? kept : core, axis);
      }
}

/* Joins the factors @a and @b into one, which becomes the last. */
static gboolean
join (Contraction *self, guint a, guint b, GError **error)
{
  g_autoptr (GArray) kept = heddle_ids_new ();
  g_autoptr (GArray) core = heddle_ids_new ();
  HeddleProduct product
      = { self->run->evaluation, { *factor (self, a), *factor (self, b) }, kept, core, NULL };

  split_axes (self, a, b, kept, core);
  product.out = make_array (self, kept, error);
  if (product.out == NULL || !product_run (&product, error))
    return FALSE;
  g_array_remove_index (self->factors, MAX (a, b));
  g_array_remove_index (self->factors, MIN (a, b));
  add_factor (self, g_steal_pointer (&kept), product.out);
  return TRUE;
}

/* Computes the cost of joining two factors: the number of products, and the number of elements made. */
static void
price (const Contraction *self, guint a, guint b, double *products, double *elements)
{
  const HeddleSizes *sizes = self->run->evaluation->sizes;
  g_autoptr (GArray) kept = heddle_ids_new ();
  g_autoptr (GArray) core = heddle_ids_new ();

  split_axes (self, a, b, kept, core);
  *elements = (double) heddle_axes_points (sizes, kept);
  *products = *elements * (double) heddle_axes_points (sizes, core);
}

static gboolean
join_cheapest (Contraction *self, GError **error)
{
  double least_products = INFINITY, least_elements = INFINITY;
  guint a = 0, b = 1;

  for (guint i = 0; i < self->factors->len; i++)
    for (guint j = i + 1; j < self->factors->len; j++)
      {
        double products, elements;

        price (self, i, j, &products, &elements);
        if (products > least_products || (products == least_products && elements >= least_elements))
          continue;
        least_products = products;
        least_elements = elements;
        a = i;
        b = j;
      }
  return join (self, a, b, error);
}

/* Sums over the axes that only one factor has, before factors are joined. */
static gboolean
sum_alone (Contraction *self, GError **error)
{
  static const double one = 1.;

  for (guint i = self->factors->len; i-- > 0;)
    {
      gboolean lone = FALSE;

      for (guint j = 0; j < factor (self, i)->axes->len; j++)
        lone |= !is_wanted (self, heddle_ids_index (factor (self, i)->axes, j), i, i);
      if (!lone)
        continue;
      add_factor (self, heddle_ids_new (), &one);
      if (!join (self, i, self->factors->len - 1, error))
        return FALSE;
    }
  return TRUE;
}

/* --- what is left out ---------------------------------------------------------------- */

static gboolean
is_finite (const HeddleRun *self, guint i)
{
  gint64 n = heddle_axes_points (self->evaluation->sizes, heddle_run_operand_axes (self, i));

  for (gint64 j = 0; j < n; j++)
    if (!isfinite (self->data[i][j]))
      return FALSE;
  return TRUE;
}

/* Returns whether terms outside may be set to 0: that is the same as leaving them out if all factors are
 * finite. */
static gboolean
can_mask (const HeddleRun *self)
{
  for (guint i = 0; i < self->operand_values->len; i++)
    if (!is_finite (self, i))
      return FALSE;
  return TRUE;
}

static void
mask (const HeddleRun *self, const GArray *axes, const HeddleOutside *outside, double *data)
{
  g_autoptr (HeddleWalk) walk = heddle_walk_new (self->evaluation->sizes, axes);

  heddle_walk_add_cursor (walk, outside->axes);
  for (gboolean more = heddle_walk_start (walk, NULL); more; more = heddle_walk_next (walk), data++)
    if (!outside->inside[heddle_walk_offset (walk, 0)])
      *data = 0.;
}

/* Returns the operand's data, 0 where one of the marks that are taken says that it is outside. Returns NULL
 * if there is no memory. */
static const double *
masked (Contraction *self, guint i, const GPtrArray *taken, GError **error)
{
  const HeddleRun *run = self->run;
  const GArray *axes = heddle_run_operand_axes (run, i);
  GPtrArray *marks = heddle_run_get_outsides (run, i);
  double *copy = NULL;

  for (guint j = 0; marks != NULL && j < marks->len; j++)
    {
      const HeddleOutside *outside = g_ptr_array_index (marks, j);

      if (!g_ptr_array_find ((GPtrArray *) taken, outside, NULL))
        continue;
      if (copy == NULL)
        {
          copy = make_array (self, axes, error);
          if (copy == NULL)
            return NULL;
          for (gint64 k = heddle_axes_points (run->evaluation->sizes, axes); k-- > 0;)
            copy[k] = run->data[i][k];
        }
      mask (run, axes, outside, copy);
    }
  return copy != NULL ? copy : run->data[i];
}

/* --- all of it ----------------------------------------------------------------------- */

static gboolean
is_summed_already (const Contraction *self, const char *axis)
{
  if (heddle_ids_contain (factor (self, 0)->axes, axis) || heddle_ids_contain (factor (self, 1)->axes, axis))
    return FALSE;
  for (guint i = 0; i < self->run->operand_values->len; i++)
    if (heddle_ids_contain (heddle_run_operand_axes (self->run, i), axis))
      return TRUE;
  return FALSE;
}

/* Joins the last two factors into the result. */
static gboolean
finish (Contraction *self, GError **error)
{
  HeddleRun *run = self->run;
  g_autoptr (GArray) core = heddle_ids_new ();
  HeddleProduct last = { run->evaluation, { *factor (self, 0), *factor (self, 1) }, run->value->axes, core,
    run->result->data };

  for (guint i = 0; i < run->operation->axes->len; i++)
    if (!is_summed_already (self, heddle_ids_index (run->operation->axes, i)))
      heddle_ids_append (core, heddle_ids_index (run->operation->axes, i));
  return product_run (&last, error);
}

static gboolean
contract (Contraction *self, const GPtrArray *taken, GError **error)
{
  HeddleRun *run = self->run;

  for (guint i = 0; i < run->operand_values->len; i++)
    {
      const double *data = masked (self, i, taken, error);

      if (data == NULL)
        return FALSE;
      add_factor (self, heddle_ids_copy (heddle_run_operand_axes (run, i)), data);
    }
  if (!sum_alone (self, error))
    return FALSE;
  while (self->factors->len > 2)
    if (!join_cheapest (self, error))
      return FALSE;
  return finish (self, error);
}

gboolean
heddle_run_contract (HeddleRun *self, GError **error)
{
  g_autoptr (GPtrArray) taken = heddle_run_taken_outsides (self);
  g_autoptr (GArray) factors = g_array_new (FALSE, FALSE, sizeof (HeddleFactor));
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_array_unref);
  Contraction contraction = { self, factors, made };

  g_array_set_clear_func (factors, clear_factor);
  if (taken->len > 0 && !can_mask (self))
    return heddle_run_reduce (self, error);
  return contract (&contraction, taken, error);
}
