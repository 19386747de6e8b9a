/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/stream/factor-choice.h"
#include "derive/stream/factor-parts.h"
#include "derive/stream/factor-private.h"
#include "derive/stream/factor.h"
#include "derive/stream/stream.h"
#include "diagram/expression/expr.h"

/* where (predicate, 0, x) and where (predicate, x, 0): a factor of 0 or 1. The guard goes where its predicate is known. */
static GPtrArray *
factor_guard (HeddleStreamPlan *plan, HeddleExpr *body, gboolean zero_first)
{
  HeddleExpr *predicate = heddle_expr_get_child (body, 0);
  HeddleReads reads = heddle_stream_plan_reads (plan, predicate);
  GPtrArray *parts;

  if ((reads & HEDDLE_READS_TAINTED) != 0
      || ((reads & HEDDLE_READS_CHUNKS) != 0 && (reads & HEDDLE_READS_REDUCED) != 0)
      || (parts = heddle_factor (plan, heddle_expr_get_child (body, zero_first ? 2 : 1))) == NULL)
    return NULL;
  for (guint i = 0; i < parts->len; i++)
    {
      HeddleSummand *part = g_ptr_array_index (parts, i);
      HeddleExpr **guarded = (reads & HEDDLE_READS_REDUCED) != 0 ? &part->deferred : &part->kept;
      HeddleExpr *zero = heddle_expr_number (0.);
      HeddleExpr *rest = *guarded != NULL ? *guarded : heddle_expr_number (1.);

      *guarded = zero_first ? heddle_expr_where (heddle_expr_ref (predicate), zero, rest)
                            : heddle_expr_where (heddle_expr_ref (predicate), rest, zero);
    }
  return parts;
}

/* A choice, by what is known chunk by chunk, of two things: where they have the same factors, of what is kept. */
static GPtrArray *
choose (HeddleExpr *predicate, const GPtrArray *a, const GPtrArray *b)
{
  GPtrArray *parts = heddle_parts_new ();
  g_autoptr (GPtrArray) rest = heddle_parts_new ();

  for (guint i = 0; i < b->len; i++)
    g_ptr_array_add (rest, heddle_part_copy (g_ptr_array_index (b, i)));
  for (guint i = 0; i < a->len; i++)
    {
      HeddleSummand *part = heddle_part_copy (g_ptr_array_index (a, i));
      int alike = heddle_parts_find_alike (rest, part);
      HeddleExpr *other = alike >= 0
                              ? heddle_expr_ref (((HeddleSummand *) g_ptr_array_index (rest, alike))->kept)
                              : heddle_expr_number (0.);

      part->kept = heddle_expr_where (heddle_expr_ref (predicate), part->kept, other);
      g_ptr_array_add (parts, part);
      if (alike >= 0)
        g_ptr_array_remove_index (rest, (guint) alike);
    }
  for (guint i = 0; i < rest->len; i++)
    {
      HeddleSummand *part = heddle_part_copy (g_ptr_array_index (rest, i));

      part->kept = heddle_expr_where (heddle_expr_ref (predicate), heddle_expr_number (0.), part->kept);
      g_ptr_array_add (parts, part);
    }
  return parts;
}

GPtrArray *
heddle_factor_choice (HeddleStreamPlan *plan, HeddleExpr *body)
{
  HeddleExpr *predicate = heddle_expr_get_child (body, 0);
  g_autoptr (GPtrArray) a = NULL, b = NULL;

  if (heddle_expr_is_number (heddle_expr_get_child (body, 1), 0.))
    return factor_guard (plan, body, TRUE);
  if (heddle_expr_is_number (heddle_expr_get_child (body, 2), 0.))
    return factor_guard (plan, body, FALSE);
  if ((heddle_stream_plan_reads (plan, predicate) & (HEDDLE_READS_TAINTED | HEDDLE_READS_REDUCED)) != 0
      || (a = heddle_factor (plan, heddle_expr_get_child (body, 1))) == NULL
      || (b = heddle_factor (plan, heddle_expr_get_child (body, 2))) == NULL
      || a->len + b->len > HEDDLE_MAX_PARTS)
    return NULL;
  return choose (predicate, a, b);
}
