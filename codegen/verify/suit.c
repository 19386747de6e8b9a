/* SPDX-License-Identifier: MIT */
#include "codegen/verify/reads.h"
#include "codegen/verify/suit.h"
#include "diagram/analysis/sizes.h"

/* This file finds which sizes the kernels of a plan can run at. */

/* Returns whether the kernels take the axis at any size, and it is not computed from others'. */
static gboolean
is_free (const HeddlePlan *plan, const char *axis)
{
  const HeddleAxis *own = heddle_diagram_get_axis (plan->diagram, axis);

  return own != NULL && !heddle_axis_depends (own) && !heddle_verify_is_constant (plan, axis);
}

gboolean
heddle_verify_agree (const HeddlePlan *plan, GHashTable *small)
{
  gboolean changed = FALSE;

  for (guint t = 0; t < plan->texts->len; t++)
    {
      const HeddleKernelText *text = g_ptr_array_index (plan->texts, t);

      for (guint i = 0; i < text->equal_axes->len; i++)
        {
          const char *one = heddle_ids_index (text->equal_axes, i);
          const char *other = heddle_ids_index (text->equal_axes, i ^ 1);
          const gint64 *a = g_hash_table_lookup (small, one), *b = g_hash_table_lookup (small, other);
          gint64 size = b ? *b : heddle_sizes_get (plan->sizes, other);
          gboolean follows = a != NULL && b == NULL && is_free (plan, other);

          if (a == NULL || (*a >= size && !follows))
            continue;
          if (follows)
            size = *a;
          g_hash_table_insert (small, (gpointer) (follows ? other : one), g_memdup2 (&size, sizeof size));
          changed = TRUE;
        }
    }
  return changed;
}

HeddleSizes *
heddle_verify_complete_sizes (const HeddlePlan *plan, GHashTable *small)
{
  const HeddleDiagram *diagram = plan->diagram;
  g_autoptr (GHashTable) overrides = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      const gint64 *size = g_hash_table_lookup (small, axis->id);
      gint64 own = size ? *size : heddle_sizes_get (plan->sizes, axis->id);

      if (size != NULL || !heddle_axis_depends (axis))
        g_hash_table_insert (overrides, axis->name, g_memdup2 (&own, sizeof own));
    }
  return heddle_sizes_new (diagram, overrides, NULL);
}

gboolean
heddle_verify_suits (const HeddlePlan *plan, const HeddleSizes *sizes)
{
  const HeddleDiagram *diagram = plan->diagram;

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);

      if (heddle_verify_is_constant (plan, axis->id)
          && heddle_sizes_get (sizes, axis->id) != heddle_sizes_get (plan->sizes, axis->id))
        return FALSE;
    }
  return TRUE;
}

/* Finds the axis and those that must be as long as it is, directly or not. */
static void
find_together (const HeddlePlan *plan, GHashTable *small, const char *axis, GArray *together)
{
  if (heddle_ids_contain (together, axis) || g_hash_table_lookup (small, axis) == NULL)
    return;
  heddle_ids_append (together, axis);
  for (guint t = 0; t < plan->texts->len; t++)
    {
      const GArray *pairs = ((const HeddleKernelText *) g_ptr_array_index (plan->texts, t))->equal_axes;

      for (guint i = 0; i < pairs->len; i++)
        if (heddle_ids_index (pairs, i) == axis)
          find_together (plan, small, heddle_ids_index (pairs, i ^ 1), together);
    }
}

void
heddle_verify_keep_what_suits (const HeddlePlan *plan, GHashTable *small)
{
  const HeddleDiagram *diagram = plan->diagram;
  g_autoptr (GHashTable) kept = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const char *axis = ((const HeddleAxis *) g_ptr_array_index (diagram->axes, i))->id;
      g_autoptr (GArray) together = heddle_ids_new ();
      g_autoptr (HeddleSizes) sizes = NULL;

      if (g_hash_table_contains (kept, axis) || g_hash_table_lookup (small, axis) == NULL)
        continue;
      find_together (plan, small, axis, together);
      for (guint k = 0; k < together->len; k++)
        g_hash_table_insert (kept, (gpointer) heddle_ids_index (together, k),
            g_hash_table_lookup (small, heddle_ids_index (together, k)));
      sizes = heddle_verify_complete_sizes (plan, kept);
      if (sizes != NULL && heddle_verify_suits (plan, sizes))
        continue;
      for (guint k = 0; k < together->len; k++)
        {
          g_hash_table_remove (kept, heddle_ids_index (together, k));
          g_hash_table_remove (small, heddle_ids_index (together, k));
        }
    }
}
