/* SPDX-License-Identifier: MIT */
#include "derive/stream/factor-parts.h"
#include "diagram/expression/tree.h"

gboolean
heddle_expr_is_same_everywhere (const HeddleExpr *expr)
{
  return !heddle_expr_uses (expr, HEDDLE_EXPR_ARGUMENT, NULL)
         && !heddle_expr_uses (expr, HEDDLE_EXPR_INDEX, NULL);
}

/* --- factors: NULL stands for 1 ----------------------------------------------------------- */

HeddleExpr *
heddle_factor_multiply (HeddleExpr *a, HeddleExpr *b)
{
  if (a == NULL || heddle_expr_is_number (a, 1.))
    return b != NULL ? heddle_expr_ref (b) : NULL;
  if (b == NULL || heddle_expr_is_number (b, 1.))
    return heddle_expr_ref (a);
  return heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_ref (a), heddle_expr_ref (b));
}

HeddleExpr *
heddle_factor_divide (HeddleExpr *a, HeddleExpr *b)
{
  if (b == NULL || heddle_expr_is_number (b, 1.))
    return a != NULL ? heddle_expr_ref (a) : NULL;
  return heddle_expr_binary (
      HEDDLE_EXPR_DIV, a != NULL ? heddle_expr_ref (a) : heddle_expr_number (1.), heddle_expr_ref (b));
}

HeddleExpr *
heddle_factor_apply (HeddleExpr *factor, HeddleExpr *value)
{
  if (heddle_expr_get_kind (factor) == HEDDLE_EXPR_DIV)
    {
      g_autoptr (HeddleExpr) top = heddle_factor_apply (heddle_expr_get_child (factor, 0), value);

      return heddle_factor_divide (top, heddle_expr_get_child (factor, 1));
    }
  if (heddle_expr_get_kind (factor) == HEDDLE_EXPR_WHERE
      && heddle_expr_is_number (heddle_expr_get_child (factor, 1), 0.))
    return heddle_expr_where (heddle_expr_ref (heddle_expr_get_child (factor, 0)), heddle_expr_number (0.),
        heddle_factor_apply (heddle_expr_get_child (factor, 2), value));
  if (heddle_expr_is_number (factor, 1.))
    return heddle_expr_ref (value);
  return heddle_factor_multiply (value, factor);
}

static gboolean
factors_equal (const HeddleExpr *a, const HeddleExpr *b)
{
  return a == b || (a != NULL && b != NULL && heddle_expr_equal (a, b));
}

/* --- running factors ---------------------------------------------------------------------- */

static void
running_clear (HeddleRunning *running)
{
  g_clear_pointer (&running->exponent, heddle_expr_unref);
}

void
heddle_part_add_running (HeddleSummand *self, guint state, HeddleExpr *exponent)
{
  HeddleRunning running = { state, heddle_expr_ref (exponent) };

  if (self->running == NULL)
    {
      self->running = g_array_new (FALSE, FALSE, sizeof (HeddleRunning));
      g_array_set_clear_func (self->running, (GDestroyNotify) running_clear);
    }
  g_array_append_val (self->running, running);
}

void
heddle_part_join_running (HeddleSummand *self, const HeddleSummand *other)
{
  for (guint i = 0; other->running != NULL && i < other->running->len; i++)
    {
      const HeddleRunning *running = &g_array_index (other->running, HeddleRunning, i);

      heddle_part_add_running (self, running->state, running->exponent);
    }
}

static gboolean
running_equal (const HeddleSummand *a, const HeddleSummand *b)
{
  guint n = a->running != NULL ? a->running->len : 0;

  if (n != (b->running != NULL ? b->running->len : 0))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const HeddleRunning *x = &g_array_index (a->running, HeddleRunning, i);
      const HeddleRunning *y = &g_array_index (b->running, HeddleRunning, i);

      if (x->state != y->state || !heddle_expr_equal (x->exponent, y->exponent))
        return FALSE;
    }
  return TRUE;
}

/* --- parts -------------------------------------------------------------------------------- */

HeddleSummand *
heddle_part_new (HeddleExpr *kept, HeddleExpr *deferred)
{
  HeddleSummand *self = g_new0 (HeddleSummand, 1);

  self->kept = kept;
  self->deferred = deferred;
  return self;
}

HeddleSummand *
heddle_part_copy (const HeddleSummand *part)
{
  HeddleSummand *self = heddle_part_new (
      heddle_expr_ref (part->kept), part->deferred != NULL ? heddle_expr_ref (part->deferred) : NULL);

  heddle_part_join_running (self, part);
  return self;
}

/* Frees the part and gives its expressions back. */
static void
part_free (HeddleSummand *self)
{
  g_clear_pointer (&self->kept, heddle_expr_unref);
  g_clear_pointer (&self->deferred, heddle_expr_unref);
  g_clear_pointer (&self->running, g_array_unref);
  g_free (self);
}

gboolean
heddle_part_is_plain (const HeddleSummand *self)
{
  return self->deferred == NULL && self->running == NULL;
}

GPtrArray *
heddle_parts_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) part_free);
}

int
heddle_parts_find_alike (const GPtrArray *parts, const HeddleSummand *part)
{
  for (guint i = 0; i < parts->len; i++)
    {
      const HeddleSummand *other = g_ptr_array_index (parts, i);

      if (factors_equal (other->deferred, part->deferred) && running_equal (other, part))
        return (int) i;
    }
  return -1;
}

/* Negates a part. The sign goes with the deferred factor if only a number is kept. */
void
heddle_part_negate (HeddleSummand *part)
{
  HeddleExpr **signed_part = &part->kept;

  if (part->deferred != NULL && heddle_expr_get_kind (part->kept) == HEDDLE_EXPR_NUMBER)
    signed_part = &part->deferred;
  *signed_part = heddle_expr_unary (HEDDLE_EXPR_NEG, *signed_part);
}

static HeddleExpr *
add_kept (HeddleExpr *a, HeddleExpr *b)
{
  if (!heddle_expr_equal (a, b))
    return heddle_expr_binary (HEDDLE_EXPR_ADD, a, b);
  heddle_expr_unref (b);
  return heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_number (2.), a);
}

static void
join (GPtrArray *parts, HeddleSummand *part, gboolean add)
{
  int i = heddle_parts_find_alike (parts, part);
  HeddleSummand *alike = i >= 0 ? g_ptr_array_index (parts, (guint) i) : NULL;

  if (alike != NULL && add)
    alike->kept = add_kept (alike->kept, g_steal_pointer (&part->kept));
  else if (alike != NULL)
    alike->kept = heddle_expr_binary (HEDDLE_EXPR_SUB, alike->kept, g_steal_pointer (&part->kept));
  else if (!add)
    heddle_part_negate (part);
  if (alike == NULL)
    g_ptr_array_add (parts, part);
  else
    part_free (part);
}

void
heddle_parts_add (GPtrArray *parts, HeddleSummand *part)
{
  join (parts, part, TRUE);
}

void
heddle_parts_subtract (GPtrArray *parts, HeddleSummand *part)
{
  join (parts, part, FALSE);
}
