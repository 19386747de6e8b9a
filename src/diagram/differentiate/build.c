/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/base/dtype.h"
#include "diagram/base/error.h"
#include "diagram/differentiate/build.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/name.h"
#include "diagram/graph/operation-table.h"
#include "diagram/analysis/reindex.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/texts.h"
#include "diagram/evaluate/forms.h"
#include "diagram/expression/print.h"
#include "diagram/expression/polynomial.h"
#include "diagram/expression/tidy.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* --- small things -------------------------------------------------------------------- */

GArray *
heddle_axes_minus (const GArray *axes, const GArray *others)
{
  GArray *rest = heddle_ids_new ();

  for (guint i = 0; i < axes->len; i++)
    if (!heddle_ids_contain (others, heddle_ids_index (axes, i)))
      heddle_ids_append (rest, heddle_ids_index (axes, i));
  return rest;
}

/* Returns the ids of the axes of all @values (ids of the backward diagram), each once in order of
 * appearance, as a new array. */
static GArray *
axes_union (const HeddleReverse *self, const GArray *values)
{
  GArray *axes = heddle_ids_new ();

  for (guint i = 0; i < values->len; i++)
    {
      g_autoptr (GArray) more
          = heddle_axes_minus (heddle_reverse_value (self, heddle_ids_index (values, i))->axes, axes);

      g_array_append_vals (axes, more->data, more->len);
    }
  return axes;
}

const HeddleValue *
heddle_reverse_value (const HeddleReverse *self, const char *id)
{
  return heddle_diagram_get_value (self->backward, id);
}

gboolean
heddle_reverse_is_active (const HeddleReverse *self, const char *value_id)
{
  return g_hash_table_contains (self->active, value_id);
}

/* Sets the error of the differentiation, unless one is set; @format has one %s, for the value. */
void
heddle_reverse_fail (HeddleReverse *self, const char *value_id, const char *format)
{
  g_autofree char *label = heddle_diagram_value_label (self->backward, value_id);
  g_auto (GStrv) parts = g_strsplit (format, "%s", 2);
  g_autofree char *message = g_strjoinv (label, parts);

  if (self->error == NULL)
    self->error = g_error_new_literal (HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_UNSUPPORTED, message);
}

/* --- names --------------------------------------------------------------------------- */

char *
heddle_cotangent_name (const char *name)
{
  char *plain;

  g_return_val_if_fail (name != NULL, NULL);

  plain = g_strconcat ("d", name, NULL);
  if (heddle_name_is_valid (plain, NULL))
    return plain;
  g_free (plain);
  return g_strdup_printf ("d_{%s}", name);
}

char *
heddle_reverse_take_name (HeddleReverse *self, const char *name)
{
  char *taken = heddle_cotangent_name (name);

  while (g_hash_table_contains (self->names, taken))
    {
      char *longer = g_strconcat (taken, "'", NULL);

      g_free (taken);
      taken = longer;
    }
  g_hash_table_add (self->names, g_strdup (taken));
  return taken;
}

/* --- operations ---------------------------------------------------------------------- */

static HeddleOperation *
add_operation (
    HeddleReverse *self, const char *kind, const GArray *axes, const GArray *operands, const GArray *core)
{
  const HeddleValue *value = heddle_diagram_add_value (
      self->backward, NULL, NULL, HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_UNSET, axes);

  return heddle_diagram_add_operation (
      self->backward, NULL, heddle_operation_kind (kind), operands, value->id, core, -1);
}

/* The operands that a body uses, each once, and the body in terms of them. */
typedef struct
{
  const GArray *operands;
  GArray *used;
} Compaction;

static HeddleExpr *
compact_argument (const HeddleExpr *leaf, gpointer data)
{
  Compaction *self = data;
  const char *id;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_ARGUMENT)
    return NULL;
  id = heddle_ids_index (self->operands, heddle_expr_get_operand (leaf));
  if (!heddle_ids_contain (self->used, id))
    heddle_ids_append (self->used, id);
  return heddle_expr_argument ((guint) heddle_ids_find (self->used, id));
}

/* Returns a map with the same body and operands that the current rule has already made; NULL if there is
 * none. */
static const HeddleOperation *
find_map (const HeddleReverse *self, const GArray *axes, const HeddleExpr *body, const GArray *operands)
{
  for (guint i = self->first; i < self->backward->operations->len; i++)
    {
      const HeddleOperation *made = g_ptr_array_index (self->backward->operations, i);

      if (made->body != NULL && heddle_expr_equal (made->body, body)
          && heddle_ids_equal (made->operands, operands)
          && heddle_ids_equal (heddle_reverse_value (self, made->result)->axes, axes))
        return made;
    }
  return NULL;
}

const char *
heddle_reverse_map (HeddleReverse *self, const GArray *axes, HeddleExpr *body, const GArray *operands)
{
  g_autoptr (GArray) used = heddle_ids_new ();
  g_autoptr (HeddleExpr) raw = body;
  Compaction compaction = { operands, used };
  g_autoptr (HeddleExpr) compact = heddle_expr_substitute (raw, compact_argument, &compaction);
  const HeddleOperation *made = find_map (self, axes, compact, used);
  HeddleOperation *operation;

  if (made != NULL)
    {
      g_hash_table_add (self->shared, (gpointer) made->result);
      return made->result;
    }
  operation = add_operation (self, "map", axes, used, NULL);
  operation->body = heddle_expr_ref (compact);
  heddle_reverse_mark (self, operation);
  return operation->result;
}

const char *
heddle_reverse_reindex (HeddleReverse *self, const GArray *axes, const char *operand, GPtrArray *indices)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  HeddleOperation *operation;

  heddle_ids_append (operands, operand);
  operation = add_operation (self, "reindex", axes, operands, NULL);
  g_clear_pointer (&operation->indices, g_ptr_array_unref);
  operation->indices = g_ptr_array_ref (indices);
  heddle_reverse_mark (self, operation);
  return operation->result;
}

const char *
heddle_reverse_scan (
    HeddleReverse *self, const char *kind, const GArray *axes, const GArray *operands, const GArray *core)
{
  HeddleOperation *operation = add_operation (self, kind, axes, operands, core);

  heddle_reverse_mark (self, operation);
  return operation->result;
}

void
heddle_reverse_fail_outside (HeddleReverse *self, const char *value_id)
{
  heddle_reverse_fail (self, value_id,
      _ ("%s stands for reads outside an array, which a reduction leaves out; its derivative is only "
         "understood "
         "where such reads are reduced at once, or are 0 and summed"));
}

/* Fails if a sum would leave out terms that count. */
static void
check_exact (HeddleReverse *self, const GArray *operands, const GArray *core)
{
  for (guint i = 0; i < operands->len; i++)
    {
      const HeddleReadMark *mark = heddle_reverse_taken (self, heddle_ids_index (operands, i), core);

      if (mark != NULL && !mark->vanishes)
        heddle_reverse_fail_outside (self, heddle_ids_index (operands, i));
    }
}

const char *
heddle_reverse_reduce (HeddleReverse *self, const char *kind, const GArray *axes, const char *operand,
    const GArray *core, gboolean exact)
{
  g_autoptr (GArray) operands = heddle_ids_new ();
  g_autoptr (GArray) rest = heddle_axes_minus (axes, core);
  HeddleOperation *operation;

  heddle_ids_append (operands, operand);
  operation = add_operation (self, kind, rest, operands, core);
  if (exact)
    check_exact (self, operands, core);
  heddle_reverse_mark (self, operation);
  return operation->result;
}

/* Adds a product that sums nothing, as the map that equations read it as, and returns its result. */
static const char *
multiply (HeddleReverse *self, const GArray *axes, const GArray *operands)
{
  HeddleExpr *product = heddle_expr_argument (0);

  for (guint i = 1; i < operands->len; i++)
    product = heddle_expr_binary (HEDDLE_EXPR_MUL, product, heddle_expr_argument (i));
  return heddle_reverse_map (self, axes, product, operands);
}

const char *
heddle_reverse_contract (HeddleReverse *self, const GArray *axes, const GArray *operands, gboolean exact)
{
  g_autoptr (GArray) all = axes_union (self, operands);
  g_autoptr (GArray) core = heddle_axes_minus (all, axes);
  g_autoptr (GArray) surplus = heddle_axes_minus (axes, all);
  g_autoptr (GArray) rest = heddle_axes_minus (axes, surplus);
  g_autoptr (GArray) narrow = heddle_ids_new ();
  HeddleOperation *operation;

  if (core->len == 0)
    return multiply (self, axes, operands);
  operation = add_operation (self, "contract", rest, operands, core);
  if (exact)
    check_exact (self, operands, core);
  heddle_reverse_mark (self, operation);
  if (surplus->len == 0)
    return operation->result;
  heddle_ids_append (narrow, operation->result);
  return heddle_reverse_map (self, axes, heddle_expr_argument (0), narrow);
}

/* --- cotangents ---------------------------------------------------------------------- */

void
heddle_reverse_contribute (HeddleReverse *self, const char *value_id, const char *cotangent, gboolean fresh)
{
  GArray *list = g_hash_table_lookup (self->contributions, value_id);

  if (list == NULL)
    {
      list = heddle_ids_new ();
      g_hash_table_insert (self->contributions, (gpointer) value_id, list);
    }
  heddle_ids_append (list, cotangent);
  if (fresh && !g_hash_table_contains (self->fresh, cotangent))
    g_hash_table_insert (self->fresh, (gpointer) cotangent, (gpointer) value_id);
}

/* Returns the sum of all cotangents that come back to a value that is read several times. */
static const char *
add_up (HeddleReverse *self, const char *value_id, const GArray *list)
{
  HeddleExpr *sum = heddle_expr_argument (0);

  for (guint i = 1; i < list->len; i++)
    sum = heddle_expr_binary (HEDDLE_EXPR_ADD, sum, heddle_expr_argument (i));
  return heddle_reverse_map (self, heddle_reverse_value (self, value_id)->axes, sum, list);
}

const char *
heddle_reverse_total (HeddleReverse *self, const char *value_id)
{
  GArray *list = g_hash_table_lookup (self->contributions, value_id);
  const char *name = heddle_reverse_value (self, value_id)->name;
  const char *total;

  self->first = self->backward->operations->len;
  if (list == NULL)
    return NULL;
  total = list->len == 1 ? heddle_ids_index (list, 0) : add_up (self, value_id, list);
  if (list->len > 1)
    g_hash_table_insert (self->fresh, (gpointer) total, (gpointer) value_id);
  if (name != NULL && heddle_reverse_is_own (self, value_id, total))
    heddle_diagram_edit_value (self->backward, total)->name = heddle_reverse_take_name (self, name);
  return total;
}

gboolean
heddle_reverse_is_own (const HeddleReverse *self, const char *value_id, const char *cotangent)
{
  return g_hash_table_lookup (self->fresh, cotangent) == value_id
         && !g_hash_table_contains (self->shared, cotangent)
         && heddle_ids_equal (
             heddle_reverse_value (self, cotangent)->axes, heddle_reverse_value (self, value_id)->axes);
}

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

/* Returns the range of an index over all points; all numbers if it is not known. */
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
  g_ptr_array_sort (texts, heddle_texts_compare);
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

static gboolean
same_axes (const GArray *a, const GArray *b)
{
  g_autoptr (GArray) rest = heddle_axes_minus (a, b);

  return rest->len == 0 && a->len == b->len;
}

/* Joins the predicates of two reads that reductions take together: what either has outside is left out. Takes
 * @inside. */
static void
join_predicates (HeddleReadMark *mark, const GArray *axes, const char *condition, HeddleExpr *inside)
{
  gboolean together = mark->inside != NULL && inside != NULL && same_axes (mark->read_axes, axes);
  g_autofree char *before = mark->condition;
  gboolean swap = strcmp (before, condition) > 0;

  if (together)
    {
      mark->inside = heddle_expr_binary (HEDDLE_EXPR_AND, mark->inside, inside);
      mark->condition = g_strconcat (swap ? condition : before, " and ", swap ? before : condition, NULL);
      return;
    }
  mark->condition = g_strdup ("");
  g_clear_pointer (&mark->inside, heddle_expr_unref);
  g_clear_pointer (&inside, heddle_expr_unref);
}

/* Joins a mark (its axes and predicate stolen) into that of the value. */
static void
add_mark (HeddleReverse *self, const char *value, GArray *axes, const char *condition, const char *read,
    gboolean direct, gboolean vanishes, HeddleExpr *inside)
{
  HeddleReadMark *mark = g_hash_table_lookup (self->marks, value);
  gboolean same = mark != NULL && *condition != '\0' && g_str_equal (mark->condition, condition);

  if (mark == NULL)
    {
      mark = g_new0 (HeddleReadMark, 1);
      *mark = (HeddleReadMark){ axes, g_strdup (condition), read, direct, vanishes, inside };
      g_hash_table_insert (self->marks, (gpointer) value, mark);
      return;
    }
  /* Of operands that are outside at the same points one that makes 0 is enough. */
  mark->vanishes = same ? mark->vanishes || vanishes : mark->vanishes && vanishes;
  if (!same)
    join_predicates (mark, axes, condition, inside);
  else if (inside == NULL)
    g_clear_pointer (&mark->inside, heddle_expr_unref);
  else
    heddle_expr_unref (inside);
  add_axes (mark->read_axes, axes);
  g_array_unref (axes);
  mark->direct &= direct;
  mark->read = mark->read == read ? read : NULL;
}

/* Returns the axes of the result that a read uses for the operand's axes @of (for any if that is NULL). */
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

/* Returns the predicate that all indices of a read are inside; NULL if it is a gather. */
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

static HeddleExpr *
index_of_read (const HeddleExpr *leaf, gpointer data)
{
  const HeddleOperation *read = ((gpointer *) data)[0];
  const GArray *axes = ((gpointer *) data)[1];
  int at = heddle_expr_get_kind (leaf) == HEDDLE_EXPR_INDEX
               ? heddle_ids_find (axes, heddle_expr_get_symbol (leaf))
               : -1;

  return at >= 0 ? heddle_expr_ref (g_ptr_array_index (read->indices, at)) : NULL;
}

/* Returns the predicate that what a read takes from a value is inside, or that the read itself is outside;
 * NULL if it is not known. */
static HeddleExpr *
inside_before (const HeddleReverse *self, const HeddleOperation *operation, const HeddleReadMark *before)
{
  const GArray *axes = heddle_reverse_value (self, heddle_ids_index (operation->operands, 0))->axes;
  gpointer data[] = { (gpointer) operation, (gpointer) axes };
  HeddleExpr *inside, *within;

  if (before->inside == NULL || operation->operands->len > 1)
    return NULL;
  inside = heddle_expr_substitute (before->inside, index_of_read, data);
  within = inside_of_read (self, operation);
  return within == NULL ? inside
                        : heddle_expr_binary (HEDDLE_EXPR_OR,
                            heddle_expr_node (HEDDLE_EXPR_NOT, (HeddleExpr *[]){ within }, 1), inside);
}

/* Returns the text of a predicate that is not a read's own; "" if it is not known. */
static char *
predicate_text (const HeddleExpr *inside)
{
  g_autofree char *text = inside != NULL ? heddle_expr_to_string (inside, NULL, NULL) : NULL;

  return text != NULL ? g_strconcat ("where ", text, NULL) : g_strdup ("");
}

static void
mark_read (HeddleReverse *self, const HeddleOperation *operation)
{
  const HeddleReadMark *before = g_hash_table_lookup (self->marks, heddle_ids_index (operation->operands, 0));
  g_autofree char *condition = heddle_reverse_read_condition (self, operation);

  if (*condition != '\0')
    add_mark (self, operation->result, axes_of_read (self, operation, NULL), condition,
        g_intern_string (condition), TRUE, TRUE, inside_of_read (self, operation));
  if (before != NULL)
    {
      HeddleExpr *inside = inside_before (self, operation, before);
      g_autofree char *text = predicate_text (inside);

      add_mark (self, operation->result, axes_of_read (self, operation, before->read_axes), text, NULL,
          before->direct, before->vanishes, inside);
    }
}

/* --- passing on ----------------------------------------------------------------------- */

static HeddleExpr *
replace_inside (const HeddleExpr *leaf, gpointer inside)
{
  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_VARIABLE ? heddle_expr_ref (inside) : NULL;
}

/* Returns whether the result of heddle_map_inside() is outside wherever the operand is. */
static gboolean
goes_with_operand (const HeddleExpr *inside)
{
  HeddleExprKind kind = heddle_expr_get_kind (inside);

  if (kind == HEDDLE_EXPR_AND)
    return goes_with_operand (heddle_expr_get_child (inside, 0))
           || goes_with_operand (heddle_expr_get_child (inside, 1));
  if (kind == HEDDLE_EXPR_WHERE)
    return goes_with_operand (heddle_expr_get_child (inside, 1))
           && goes_with_operand (heddle_expr_get_child (inside, 2));
  return kind == HEDDLE_EXPR_VARIABLE;
}

/* Returns the same predicate with as few choices as it needs. */
static HeddleExpr *
plain_choice (const HeddleExpr *inside)
{
  HeddleExprKind kind = heddle_expr_get_kind (inside);
  guint n = heddle_expr_get_n_children (inside);
  HeddleExpr *children[3];

  if (goes_with_operand (inside))
    return heddle_expr_variable ("inside");
  if (kind != HEDDLE_EXPR_AND && kind != HEDDLE_EXPR_WHERE)
    return heddle_expr_ref ((HeddleExpr *) inside);
  for (guint i = 0; i < n; i++)
    {
      HeddleExpr *child = heddle_expr_get_child (inside, i);
      children[i] = kind == HEDDLE_EXPR_WHERE && i == 0 ? heddle_expr_ref (child) : plain_choice (child);
    }
  return heddle_expr_node (kind, children, n);
}

/* Returns whether the predicate is where (p, p, 1): what is chosen is read only where it is inside. */
static gboolean
is_guarded (const HeddleExpr *inside)
{
  const HeddleExpr *other
      = heddle_expr_get_kind (inside) == HEDDLE_EXPR_WHERE ? heddle_expr_get_child (inside, 2) : NULL;

  return other != NULL && heddle_expr_get_kind (other) == HEDDLE_EXPR_NUMBER
         && heddle_expr_get_number (other) == 1.
         && heddle_expr_equal (heddle_expr_get_child (inside, 0), heddle_expr_get_child (inside, 1));
}

static gboolean
uses_values (const HeddleExpr *expr)
{
  if (heddle_expr_get_kind (expr) == HEDDLE_EXPR_ARGUMENT)
    return TRUE;
  for (guint i = 0; i < heddle_expr_get_n_children (expr); i++)
    if (uses_values (heddle_expr_get_child (expr, i)))
      return TRUE;
  return FALSE;
}

/* Marks the result of a map. A choice by indices may choose whether something outside is read; for a choice
 * by values this is not known here. */
static void
mark_map (HeddleReverse *self, const HeddleOperation *operation, guint i, const HeddleReadMark *mark)
{
  gboolean vanishes = mark->vanishes && heddle_expr_vanishes_with (operation->body, i);
  g_autoptr (HeddleExpr) whole = heddle_map_inside (operation->body, i);
  g_autoptr (HeddleExpr) choice = whole != NULL ? plain_choice (whole) : NULL;
  GArray *axes = heddle_ids_copy (mark->read_axes);
  HeddleExpr *inside = mark->inside != NULL ? heddle_expr_ref (mark->inside) : NULL;
  g_autofree char *text = g_strdup (mark->condition);

  if (choice != NULL && heddle_expr_get_kind (choice) != HEDDLE_EXPR_VARIABLE)
    {
      if (inside != NULL)
        {
          g_autoptr (HeddleExpr) of_operand = inside;

          inside = heddle_expr_substitute (choice, replace_inside, of_operand);
        }
      g_clear_pointer (&text, g_free);
      if (inside != NULL && uses_values (inside))
        g_clear_pointer (&inside, heddle_expr_unref);
      text = predicate_text (inside);
    }
  if (choice == NULL || (inside != NULL && is_guarded (inside)))
    {
      g_array_unref (axes);
      g_clear_pointer (&inside, heddle_expr_unref);
      return;
    }
  add_mark (self, operation->result, axes, text, mark->read, FALSE, vanishes, inside);
}

static gboolean
varies_along (const HeddleExpr *inside, const GArray *axes)
{
  for (guint i = 0; inside != NULL && i < axes->len; i++)
    if (heddle_expr_uses (inside, HEDDLE_EXPR_INDEX, heddle_ids_index (axes, i)))
      return TRUE;
  return FALSE;
}

/* Marks the result of an operation over axes that the reduction does not take; what is outside only at some
 * of their points is not known here. */
static void
mark_rest (HeddleReverse *self, const HeddleOperation *operation, const HeddleReadMark *mark)
{
  HeddleOperationForm form = operation->kind->form;
  gboolean adds = form == HEDDLE_FORM_CONTRACT
                  || (form == HEDDLE_FORM_REDUCE && operation->kind->derivative[0].name == NULL
                      && operation->kind->stages[1].name == NULL);
  gboolean known = form != HEDDLE_FORM_CONCAT && !varies_along (mark->inside, operation->axes);

  add_mark (self, operation->result, heddle_ids_copy (mark->read_axes), known ? mark->condition : "",
      known ? mark->read : NULL, FALSE, adds && known && mark->vanishes,
      known && mark->inside != NULL && *mark->condition != '\0' ? heddle_expr_ref (mark->inside) : NULL);
}

static HeddleExpr *
nothing_read (const HeddleExpr *leaf, gpointer operand)
{
  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_ARGUMENT
                 && heddle_expr_get_operand (leaf) == GPOINTER_TO_UINT (operand)
             ? heddle_expr_number (0.)
             : NULL;
}

HeddleExpr *
heddle_reverse_say_outside (
    const HeddleReverse *self, HeddleExpr *body, const GArray *operands, const GArray *core)
{
  HeddleExpr *said = heddle_expr_ref (body);

  for (guint i = 0; i < operands->len; i++)
    {
      const HeddleReadMark *mark = heddle_reverse_taken (self, heddle_ids_index (operands, i), core);
      HeddleExpr *without;

      if (mark == NULL || !mark->vanishes || mark->inside == NULL || !heddle_expr_uses_argument (said, i)
          || heddle_expr_vanishes_with (said, i))
        continue;
      without = heddle_expr_substitute (said, nothing_read, GUINT_TO_POINTER (i));
      said = heddle_expr_where (heddle_expr_ref (mark->inside), said, without);
    }
  return said;
}

void
heddle_reverse_mark (HeddleReverse *self, const HeddleOperation *operation)
{
  if (operation->kind->form == HEDDLE_FORM_REINDEX)
    {
      mark_read (self, operation);
      return;
    }
  for (guint i = 0; i < operation->operands->len; i++)
    {
      const char *operand = heddle_ids_index (operation->operands, i);
      const HeddleReadMark *mark = g_hash_table_lookup (self->marks, operand);

      if (mark == NULL || heddle_reverse_taken (self, operand, operation->axes) != NULL)
        continue;
      if (operation->kind->form == HEDDLE_FORM_MAP)
        mark_map (self, operation, i, mark);
      else
        mark_rest (self, operation, mark);
    }
}
