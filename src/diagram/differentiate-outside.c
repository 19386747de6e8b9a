/* SPDX-License-Identifier: MIT */
#include "diagram/differentiate-private.h"
#include "diagram/polynomial.h"
#include "diagram/reindex.h"

#include <math.h>

void
heddle_read_mark_free (HeddleReadMark *self)
{
  g_array_unref (self->read_axes);
  g_free (self->condition);
  g_clear_pointer (&self->inside, heddle_expr_unref);
  g_free (self);
}

const HeddleReadMark *
heddle_reverse_taken (const HeddleReverse *self, const char *operand, const GArray *core)
{
  const HeddleReadMark *mark = g_hash_table_lookup (self->marks, operand);

  for (guint i = 0; mark != NULL && i < core->len; i++)
    if (heddle_ids_contain (mark->read_axes, heddle_ids_index (core, i)))
      return mark;
  return NULL;
}

/* --- where indices go ----------------------------------------------------------------- */

typedef struct
{
  double low, high;
} Range;

static Range
range_of_product (Range a, Range b)
{
  double corners[] = { a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high };
  Range range = { corners[0], corners[0] };

  for (guint i = 0; i < G_N_ELEMENTS (corners); i++)
    {
      if (isnan (corners[i]))
        return (Range){ -INFINITY, INFINITY };
      range.low = MIN (range.low, corners[i]);
      range.high = MAX (range.high, corners[i]);
    }
  return range;
}

/* The values of an index over all points; all numbers where that is not seen. */
static Range
range_of (const HeddleReverse *self, const HeddleExpr *expr)
{
  HeddleExprKind kind = heddle_expr_get_kind (expr);
  guint n = heddle_expr_get_n_children (expr);
  Range a = { 0., 0. }, b = { 0., 0. };

  if (n > 0)
    a = range_of (self, heddle_expr_get_child (expr, 0));
  if (n > 1)
    b = range_of (self, heddle_expr_get_child (expr, 1));
  if (kind == HEDDLE_EXPR_NUMBER)
    a.low = a.high = heddle_expr_get_number (expr);
  else if (kind == HEDDLE_EXPR_SIZE)
    a.low = a.high = (double) heddle_sizes_get (self->sizes, heddle_expr_get_symbol (expr));
  else if (kind == HEDDLE_EXPR_INDEX)
    a.high = (double) heddle_sizes_get (self->sizes, heddle_expr_get_symbol (expr)) - 1.;
  else if (kind == HEDDLE_EXPR_ADD)
    a = (Range){ a.low + b.low, a.high + b.high };
  else if (kind == HEDDLE_EXPR_SUB)
    a = (Range){ a.low - b.high, a.high - b.low };
  else if (kind == HEDDLE_EXPR_NEG)
    a = (Range){ -a.high, -a.low };
  else if (kind == HEDDLE_EXPR_MUL)
    a = range_of_product (a, b);
  else if (kind == HEDDLE_EXPR_DIV && b.low == b.high && b.low != 0.)
    a = range_of_product (a, (Range){ 1. / b.low, 1. / b.low });
  else if (kind == HEDDLE_EXPR_MOD && b.low == b.high && b.low > 0. && heddle_expr_is_whole (expr))
    a = (Range){ 0., b.low - 1. };
  else if (kind == HEDDLE_EXPR_FLOOR)
    a = (Range){ floor (a.low), floor (a.high) };
  else
    a = (Range){ -INFINITY, INFINITY };
  return a;
}

static gboolean
may_be_outside (const HeddleReverse *self, const HeddleExpr *index, const char *axis)
{
  Range range = { 0., 0. };

  if (heddle_expr_get_kind (index) == HEDDLE_EXPR_INDEX)
    return FALSE; /* the two axes are of one size */
  if (heddle_expr_get_kind (index) == HEDDLE_EXPR_ARGUMENT)
    return FALSE; /* the numbers of a gather are taken to be inside */
  if (self->sizes == NULL)
    return TRUE;
  range = range_of (self, index);
  return !(range.low >= 0. && floor (range.high) < (double) heddle_sizes_get (self->sizes, axis));
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(char *const *) a, *(char *const *) b);
}

char *
heddle_reverse_read_condition (const HeddleReverse *self, const HeddleOperation *operation)
{
  const GArray *axes = heddle_reverse_value (self, heddle_ids_index (operation->operands, 0))->axes;
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < operation->indices->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (operation->indices, i);
      g_autofree char *text = heddle_expr_to_string (index, NULL, NULL);

      if (may_be_outside (self, index, heddle_ids_index (axes, i)))
        g_ptr_array_add (texts, g_strconcat (text, " in ", heddle_ids_index (axes, i), NULL));
    }
  for (guint i = 1; texts->len > 0 && i < operation->operands->len; i++)
    g_ptr_array_add (texts, g_strdup_printf ("$%u %s", i, heddle_ids_index (operation->operands, i)));
  g_ptr_array_sort (texts, compare_texts);
  g_ptr_array_add (texts, NULL);
  return g_strjoinv (", ", (char **) texts->pdata);
}

/* --- marks --------------------------------------------------------------------------- */

static void
add_axes (GArray *axes, const GArray *more)
{
  g_autoptr (GArray) rest = heddle_axes_minus (more, axes);

  g_array_append_vals (axes, rest->data, rest->len);
}

/* Joins a mark (its axes and predicate stolen) into that of the value. */
static void
add_mark (HeddleReverse *self, const char *value, GArray *axes, const char *condition, gboolean direct,
    gboolean vanishes, HeddleExpr *inside)
{
  HeddleReadMark *mark = g_hash_table_lookup (self->marks, value);

  if (mark == NULL)
    {
      mark = g_new0 (HeddleReadMark, 1);
      *mark = (HeddleReadMark){ axes, g_strdup (condition), direct, vanishes, inside };
      g_hash_table_insert (self->marks, (gpointer) value, mark);
      return;
    }
  add_axes (mark->read_axes, axes);
  g_array_unref (axes);
  /* Of operands that are outside at the same points one that makes 0 is enough. */
  mark->vanishes = *condition != '\0' && g_str_equal (mark->condition, condition)
                       ? mark->vanishes || vanishes
                       : mark->vanishes && vanishes;
  if (!g_str_equal (mark->condition, condition))
    *mark->condition = '\0';
  if (*mark->condition == '\0' || inside == NULL)
    g_clear_pointer (&mark->inside, heddle_expr_unref);
  g_clear_pointer (&inside, heddle_expr_unref);
  mark->direct &= direct;
}

/* The result's axes that a read uses for the operand's axes @of (NULL: for any). */
static GArray *
axes_of_read (const HeddleReverse *self, const HeddleOperation *operation, const GArray *of)
{
  const GArray *axes = heddle_reverse_value (self, heddle_ids_index (operation->operands, 0))->axes;
  const GArray *result = heddle_reverse_value (self, operation->result)->axes;
  GArray *used = heddle_ids_new ();

  for (guint i = 0; i < operation->indices->len; i++)
    for (guint j = 0; j < result->len; j++)
      {
        const char *axis = heddle_ids_index (result, j);

        if ((of == NULL || heddle_ids_contain (of, heddle_ids_index (axes, i)))
            && heddle_reindex_varies (self->backward, operation, i, axis) && !heddle_ids_contain (used, axis))
          heddle_ids_append (used, axis);
      }
  return used;
}

/* Where all indices of a read are inside. NULL: it is a gather. */
static HeddleExpr *
inside_of_read (const HeddleReverse *self, const HeddleOperation *operation)
{
  const GArray *axes = heddle_reverse_value (self, heddle_ids_index (operation->operands, 0))->axes;
  HeddleExpr *all = NULL;

  for (guint i = 0; operation->operands->len == 1 && i < operation->indices->len; i++)
    {
      HeddleExpr *index = g_ptr_array_index (operation->indices, i), *within;

      if (!may_be_outside (self, index, heddle_ids_index (axes, i)))
        continue;
      within = heddle_expr_binary (HEDDLE_EXPR_AND,
          heddle_expr_binary (HEDDLE_EXPR_GE, heddle_expr_ref (index), heddle_expr_number (0.)),
          heddle_expr_binary (
              HEDDLE_EXPR_LT, heddle_expr_ref (index), heddle_expr_size (heddle_ids_index (axes, i))));
      all = all != NULL ? heddle_expr_binary (HEDDLE_EXPR_AND, all, within) : within;
    }
  return all;
}

static void
mark_read (HeddleReverse *self, const HeddleOperation *operation)
{
  const HeddleReadMark *before = g_hash_table_lookup (self->marks, heddle_ids_index (operation->operands, 0));
  g_autofree char *condition = heddle_reverse_read_condition (self, operation);

  if (*condition != '\0')
    add_mark (self, operation->result, axes_of_read (self, operation, NULL), condition, TRUE, TRUE,
        inside_of_read (self, operation));
  if (before != NULL)
    add_mark (self, operation->result, axes_of_read (self, operation, before->read_axes), "", before->direct,
        before->vanishes, NULL);
}

/* A choice may choose what is outside or not. */
static HeddleExpr *
carried_inside (const HeddleOperation *operation, const HeddleReadMark *mark)
{
  if (mark->inside == NULL || *mark->condition == '\0'
      || (operation->body != NULL && heddle_expr_uses (operation->body, HEDDLE_EXPR_WHERE, NULL)))
    return NULL;
  return heddle_expr_ref (mark->inside);
}

void
heddle_reverse_mark (HeddleReverse *self, const HeddleOperation *operation)
{
  HeddleOperationForm form = operation->kind->form;

  if (form == HEDDLE_FORM_REINDEX)
    {
      mark_read (self, operation);
      return;
    }
  for (guint i = 0; i < operation->operands->len; i++)
    {
      const char *operand = heddle_ids_index (operation->operands, i);
      const HeddleReadMark *mark = g_hash_table_lookup (self->marks, operand);
      gboolean vanishes = form == HEDDLE_FORM_CONTRACT
                          || (form == HEDDLE_FORM_REDUCE && operation->kind->derivative[0].name == NULL
                              && operation->kind->stages[1].name == NULL);

      if (mark == NULL || heddle_reverse_taken (self, operand, operation->axes) != NULL)
        continue;
      if (form == HEDDLE_FORM_MAP)
        vanishes = heddle_expr_vanishes_with (operation->body, i);
      add_mark (self, operation->result, heddle_ids_copy (mark->read_axes), mark->condition, FALSE,
          vanishes && mark->vanishes, carried_inside (operation, mark));
    }
}
