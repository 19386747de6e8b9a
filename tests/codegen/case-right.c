/* SPDX-License-Identifier: MIT */
#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/verify/plan.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"

/* Kernels interpreted at sizes of all kinds. */

/* The most terms that an operation goes through, unless the base has it go through more: an interpreter does some ten million in a second. */
#define MOST_WORK 2.5e6

char *
case_describe_sizes (const HeddleDiagram *diagram, const HeddleSizes *sizes)
{
  g_autoptr (GString) at = g_string_new (NULL);

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);

      g_string_append_printf (
          at, "%s%s=%" G_GINT64_FORMAT, i > 0 ? " " : "", axis->name, heddle_sizes_get (sizes, axis->id));
    }
  return g_strdup (at->str);
}

void
case_assert_right (const HeddlePlan *plan, const HeddleSizes *sizes, guint64 seed)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) results = heddle_plan_verify (plan, sizes, HEDDLE_VERIFY_CPU, seed, NULL, &error);
  g_autofree char *at = case_describe_sizes (plan->diagram, sizes);

  if (results == NULL)
    g_error ("%s: %s", at, error->message);
  g_assert_cmpuint (results->len, ==, plan->derivation->kernels->len);
  for (guint i = 0; i < results->len; i++)
    {
      const HeddleVerification *result = g_ptr_array_index (results, i);

      if (!result->passed)
        g_error ("%s at %s: %s", result->kernel, at, result->detail);
      g_assert_cmpfloat (result->relative_error, <=, result->tolerance);
      g_test_message ("%s at %s: %.3g, %s", result->kernel, at, result->relative_error, result->detail);
    }
}

static const HeddleKernelText *
text_of (const HeddlePlan *plan, guint i)
{
  return g_ptr_array_index (plan->texts, i);
}

static gboolean
is_no_size (const HeddleExpr *node, gpointer data)
{
  return heddle_expr_get_kind (node) != HEDDLE_EXPR_SIZE;
}

/* A constant of a kernel, or worked out from others. */
static gboolean
is_fixed (const HeddlePlan *plan, const char *axis)
{
  const HeddleAxis *own = heddle_diagram_get_axis (plan->diagram, axis);
  gboolean fixed = own != NULL && own->size != NULL && !heddle_expr_walk (own->size, is_no_size, NULL);

  for (guint i = 0; i < plan->texts->len; i++)
    fixed |= heddle_ids_contain (text_of (plan, i)->fixed_axes, axis);
  return fixed;
}

/* Whether the axis is read as another whose size is a constant. */
static gboolean
has_fixed_partner (const HeddlePlan *plan, const char *axis)
{
  for (guint t = 0; t < plan->texts->len; t++)
    {
      const GArray *pairs = text_of (plan, t)->equal_axes;

      for (guint i = 0; i < pairs->len; i++)
        if (heddle_ids_index (pairs, i) == axis && is_fixed (plan, heddle_ids_index (pairs, i ^ 1)))
          return TRUE;
    }
  return FALSE;
}

/* The axes whose sizes are arguments, and no others' sizes are worked out from. */
static GArray *
free_axes (const HeddlePlan *plan)
{
  GArray *axes = heddle_ids_new ();

  for (guint t = 0; t < plan->texts->len; t++)
    for (guint i = 0; i < text_of (plan, t)->parameters->len; i++)
      {
        const HeddleKernelParameter *parameter = g_ptr_array_index (text_of (plan, t)->parameters, i);

        /* programs have axes of their own, which go with those of the diagram */
        if (parameter->axis != NULL && heddle_diagram_get_axis (plan->diagram, parameter->axis) != NULL
            && !heddle_ids_contain (axes, parameter->axis) && !is_fixed (plan, parameter->axis)
            && !has_fixed_partner (plan, parameter->axis))
          heddle_ids_append (axes, parameter->axis);
      }
  return axes;
}

/* The most terms that an operation goes through. */
static double
work_of (const HeddleDiagram *diagram, const HeddleSizes *sizes)
{
  double most = 0;

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      const GArray *axes = heddle_diagram_get_value (diagram, operation->result)->axes;
      double work = 1;

      for (guint k = 0; k < axes->len; k++)
        work *= (double) heddle_sizes_get (sizes, heddle_ids_index (axes, k));
      for (guint k = 0; k < operation->axes->len; k++)
        if (!heddle_ids_contain (axes, heddle_ids_index (operation->axes, k)))
          work *= (double) heddle_sizes_get (sizes, heddle_ids_index (operation->axes, k));
      most = MAX (most, work);
    }
  return most;
}

/* The axes that are read as one another have one size: those of @from that @axis goes with are set, too. */
static void
set_size (const HeddlePlan *plan, GHashTable *sizes, const char *axis, gint64 size)
{
  const HeddleAxis *own = heddle_diagram_get_axis (plan->diagram, axis);

  if (own == NULL)
    return;
  if (g_hash_table_lookup (sizes, own->name) != NULL
      && *(gint64 *) g_hash_table_lookup (sizes, own->name) == size)
    return;
  g_hash_table_insert (sizes, g_strdup (own->name), g_memdup2 (&size, sizeof size));
  for (guint t = 0; t < plan->texts->len; t++)
    {
      const GArray *pairs = text_of (plan, t)->equal_axes;

      for (guint i = 0; i < pairs->len; i++)
        if (heddle_ids_index (pairs, i) == axis)
          set_size (plan, sizes, heddle_ids_index (pairs, i ^ 1), size);
    }
}

/* Whether the sizes that are constants of the kernels are as in @base: some are worked out from arguments. */
static gboolean
keeps_constants (const HeddlePlan *plan, const HeddleSizes *base, const HeddleSizes *sizes)
{
  for (guint i = 0; i < plan->diagram->axes->len; i++)
    {
      const char *axis = ((const HeddleAxis *) g_ptr_array_index (plan->diagram->axes, i))->id;

      if (is_fixed (plan, axis) && heddle_sizes_get (sizes, axis) != heddle_sizes_get (base, axis))
        return FALSE;
    }
  return TRUE;
}

HeddleSizes *
case_sizes_at (const HeddlePlan *plan, const HeddleSizes *base, gint64 size, guint draw)
{
  g_autoptr (GArray) axes = free_axes (plan);
  const double most = MAX (MOST_WORK, work_of (plan->diagram, base));
  g_autoptr (GHashTable) table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  HeddleSizes *sizes;

  for (guint i = 0; i < plan->diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (plan->diagram->axes, i);
      gint64 own = heddle_sizes_get (base, axis->id);

      if (axis->size == NULL || heddle_expr_walk (axis->size, is_no_size, NULL))
        g_hash_table_insert (table, g_strdup (axis->name), g_memdup2 (&own, sizeof own));
    }
  sizes = heddle_sizes_new (plan->diagram, table, NULL);
  g_assert_nonnull (sizes);
  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, (draw * axes->len / 3 + i) % axes->len);
      gint64 before = heddle_sizes_get (sizes, axis);
      HeddleSizes *next;

      set_size (plan, table, axis, size);
      next = heddle_sizes_new (plan->diagram, table, NULL);
      if (next != NULL && work_of (plan->diagram, next) <= most && keeps_constants (plan, base, next))
        {
          heddle_sizes_unref (sizes);
          sizes = next;
          continue;
        }
      g_clear_pointer (&next, heddle_sizes_unref);
      set_size (plan, table, axis, before);
    }
  return sizes;
}

void
case_assert_right_throughout (const HeddlePlan *plan, const HeddleSizes *base)
{
  static const gint64 lengths[] = { 1, 7, 63, 64, 65, 129 };

  for (guint s = 0; s < G_N_ELEMENTS (lengths); s++)
    for (guint64 seed = 1; seed <= 3; seed++)
      {
        g_autoptr (HeddleSizes) sizes = case_sizes_at (plan, base, lengths[s], (guint) seed - 1);

        case_assert_right (plan, sizes, seed);
      }
}
