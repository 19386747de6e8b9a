/* SPDX-License-Identifier: MIT */
#include "derive/region/inputs.h"
#include "derive/region/guarded.h"
#include "derive/region/marks.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include "derive/index/range.h"
#include "diagram/analysis/reindex.h"

#include <string.h>

/* A value at the point, in the condition of a mark. No stage or option is called so. */
#define VALUE "value "

/* This file marks what of a value is read outside its array: see inside.c. */

/* --- marks ------------------------------------------------------------------------------------------- */

static void
mark_free (HeddleMark *self)
{
  g_array_unref (self->read_axes);
  g_clear_pointer (&self->inside, heddle_expr_unref);
  g_free (self);
}

/* Returns a new mark of a read outside over @read_axes. Takes @inside; @origin is the value that is read
 * outside, or NULL. */
static HeddleMark *
mark_new (const GArray *read_axes, HeddleExpr *inside, const char *origin)
{
  HeddleMark *self = g_new0 (HeddleMark, 1);

  self->read_axes = heddle_ids_copy (read_axes);
  self->inside = inside;
  self->origin = origin;
  self->zero = origin != NULL;
  return self;
}

static HeddleExpr *
ref_or_null (HeddleExpr *expr)
{
  return expr != NULL ? heddle_expr_ref (expr) : NULL;
}

/* Adds a copy of @mark without its origin to @marks, with @zero for whether what is outside is 0. */
static void
marks_add_copy (GPtrArray *marks, const HeddleMark *mark, gboolean zero)
{
  HeddleMark *copy = mark_new (mark->read_axes, ref_or_null (mark->inside), NULL);

  copy->zero = zero;
  g_ptr_array_add (marks, copy);
}

static HeddleExpr *
expr_of_value (const char *value)
{
  g_autofree char *name = g_strconcat (VALUE, value, NULL);

  return heddle_expr_variable (g_intern_string (name));
}

const char *
heddle_expr_of_value (const HeddleExpr *leaf)
{
  const char *name
      = heddle_expr_get_kind (leaf) == HEDDLE_EXPR_VARIABLE ? heddle_expr_get_symbol (leaf) : NULL;

  return name != NULL && g_str_has_prefix (name, VALUE) ? g_intern_string (name + strlen (VALUE)) : NULL;
}

/* Returns a new expression that stands for an operand of @data, an operation, as a value at the point; it is
 * a callback of heddle_expr_substitute (). */
static HeddleExpr *
mark_name_operand (const HeddleExpr *leaf, gpointer data)
{
  const HeddleOperation *operation = data;

  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_ARGUMENT
             ? expr_of_value (heddle_ids_index (operation->operands, heddle_expr_get_operand (leaf)))
             : NULL;
}

HeddleExpr *
heddle_expr_both (HeddleExpr *a, HeddleExpr *b)
{
  if (a == NULL || b == NULL)
    return a != NULL ? a : b;
  return heddle_expr_binary (HEDDLE_EXPR_AND, a, b);
}

static gboolean
visit_values (const HeddleExpr *node, gpointer found)
{
  *(gboolean *) found = *(gboolean *) found || heddle_expr_of_value (node) != NULL;
  return TRUE;
}

/* Returns whether the mark goes on beyond the operation that reads it at once. */
static gboolean
mark_goes_on (const HeddleMark *mark)
{
  gboolean values = FALSE;

  if (mark->inside != NULL)
    heddle_expr_walk (mark->inside, visit_values, &values);
  return !values;
}

/* --- maps: a choice between two reads is outside only where the one chosen is --- */

/* Returns the condition that what @body reads of argument @operand is inside, which it is where @inside
 * holds; NULL if it reads none of it. */
static HeddleExpr *
inside_of_body (HeddleExpr *body, guint operand, HeddleExpr *inside)
{
  gboolean chooses = heddle_expr_get_kind (body) == HEDDLE_EXPR_WHERE;
  HeddleExpr *parts[3] = { NULL };

  if (heddle_expr_get_kind (body) == HEDDLE_EXPR_ARGUMENT)
    return heddle_expr_get_operand (body) == operand ? heddle_expr_ref (inside) : NULL;
  for (guint i = 0; i < heddle_expr_get_n_children (body); i++)
    parts[i] = inside_of_body (heddle_expr_get_child (body, i), operand, inside);
  if (chooses && (parts[1] != NULL || parts[2] != NULL))
    {
      for (guint i = 1; i < 3; i++)
        parts[i] = parts[i] != NULL ? parts[i] : heddle_expr_number (1.);
      parts[1] = heddle_expr_where (heddle_expr_ref (heddle_expr_get_child (body, 0)), parts[1], parts[2]);
      parts[2] = NULL;
    }
  return heddle_expr_both (heddle_expr_both (parts[0], parts[1]), parts[2]);
}

/* Returns whether @body is 0 where argument @operand is. */
static gboolean
is_zero_with (const HeddleExpr *body, guint operand)
{
  const HeddleExpr *a = heddle_expr_get_n_children (body) > 0 ? heddle_expr_get_child (body, 0) : NULL;
  const HeddleExpr *b = heddle_expr_get_n_children (body) > 1 ? heddle_expr_get_child (body, 1) : NULL;

  switch (heddle_expr_get_kind (body))
    {
    case HEDDLE_EXPR_NUMBER:
      return heddle_expr_get_number (body) == 0.;
    case HEDDLE_EXPR_ARGUMENT:
      return heddle_expr_get_operand (body) == operand;
    case HEDDLE_EXPR_NEG:
      return is_zero_with (a, operand);
    case HEDDLE_EXPR_MUL:
      return is_zero_with (a, operand) || is_zero_with (b, operand);
    case HEDDLE_EXPR_WHERE:
      return is_zero_with (b, operand) && is_zero_with (heddle_expr_get_child (body, 2), operand);
    default:
      return FALSE;
    }
}

static void
mark_map (HeddleRegionBuilder *builder, const HeddleOperation *operation, GPtrArray *marks)
{
  g_autoptr (HeddleExpr) body = heddle_expr_uses (operation->body, HEDDLE_EXPR_WHERE, NULL)
                                    ? heddle_expr_ref (operation->body)
                                    : NULL;

  for (guint k = 0; k < operation->operands->len; k++)
    {
      const GPtrArray *read
          = heddle_region_builder_get_marks (builder, heddle_ids_index (operation->operands, k));

      for (guint i = 0; i < read->len; i++)
        {
          const HeddleMark *mark = g_ptr_array_index (read, i);
          g_autoptr (HeddleExpr) inside = NULL;

          if (!mark_goes_on (mark))
            continue;
          if (body == NULL || mark->inside == NULL)
            {
              marks_add_copy (marks, mark, mark->zero && is_zero_with (operation->body, k));
              continue;
            }
          inside = inside_of_body (body, k, mark->inside);
          if (inside == NULL)
            continue;
          g_ptr_array_add (
              marks, mark_new (mark->read_axes,
                         heddle_expr_substitute (inside, mark_name_operand, (gpointer) operation), NULL));
          ((HeddleMark *) g_ptr_array_index (marks, marks->len - 1))->zero
              = mark->zero && is_zero_with (operation->body, k);
        }
    }
}

/* --- all else --- */

gboolean
heddle_ids_meet (const GArray *a, const GArray *b)
{
  for (guint i = 0; i < a->len; i++)
    if (heddle_ids_contain (b, heddle_ids_index (a, i)))
      return TRUE;
  return FALSE;
}

typedef struct
{
  const HeddleRegionBuilder *builder;
  const GArray *axes;
  gboolean varies;
} Variation;

static gboolean
visit_variation (const HeddleExpr *leaf, gpointer data)
{
  Variation *self = data;
  const char *value = heddle_expr_of_value (leaf);

  if (heddle_expr_get_kind (leaf) == HEDDLE_EXPR_INDEX)
    self->varies = self->varies || heddle_ids_contain (self->axes, heddle_expr_get_symbol (leaf));
  if (value != NULL)
    self->varies = self->varies
                   || heddle_ids_meet (heddle_region_builder_value_axes (self->builder, value), self->axes);
  return TRUE;
}

/* Marks a result whose terms are all outside together; where only some are, this is not seen. */
static void
mark_reduced (HeddleRegionBuilder *builder, const HeddleOperation *operation, GPtrArray *marks)
{
  gboolean joins = operation->kind->form == HEDDLE_FORM_CONCAT;

  for (guint k = 0; k < operation->operands->len; k++)
    {
      const GPtrArray *read
          = heddle_region_builder_get_marks (builder, heddle_ids_index (operation->operands, k));

      for (guint i = 0; i < read->len; i++)
        {
          const HeddleMark *mark = g_ptr_array_index (read, i);
          Variation variation = { builder, operation->axes, joins };

          if (!mark_goes_on (mark) || (heddle_ids_meet (mark->read_axes, operation->axes) && !joins))
            continue;
          if (mark->inside != NULL)
            heddle_expr_walk (mark->inside, visit_variation, &variation);
          g_ptr_array_add (marks,
              mark_new (
                  joins ? heddle_region_builder_value_axes (builder, operation->result) : mark->read_axes,
                  variation.varies ? NULL : ref_or_null (mark->inside), NULL));
        }
    }
}

static void region_builder_mark_reindex (
    HeddleRegionBuilder *builder, const HeddleOperation *operation, GPtrArray *marks);

const GPtrArray *
heddle_region_builder_get_marks (HeddleRegionBuilder *builder, const char *value)
{
  GPtrArray *marks = g_hash_table_lookup (builder->marks, value);
  const HeddleOperation *producer = heddle_diagram_get_producer (builder->region->diagram, value);

  if (marks != NULL)
    return marks;
  marks = g_ptr_array_new_with_free_func ((GDestroyNotify) mark_free);
  g_hash_table_insert (builder->marks, (gpointer) value, marks);
  if (producer == NULL || builder->sizes == NULL
      || !heddle_diagram_follows_read (builder->region->diagram, value))
    return marks;
  if (producer->kind->form == HEDDLE_FORM_REINDEX)
    region_builder_mark_reindex (builder, producer, marks);
  else if (producer->kind->form == HEDDLE_FORM_MAP)
    mark_map (builder, producer, marks);
  else
    mark_reduced (builder, producer, marks);
  return marks;
}

/* This part marks what an operation reads at indices of its own: with the marks of what it reads, moved, and
 * with its own. */

/* Returns the axes of the result along which the indices along @operand_axis (NULL: along any) vary. */
static GArray *
axes_of_read (
    const HeddleRegionBuilder *builder, const HeddleOperation *operation, const GArray *operand_axes)
{
  const HeddleDiagram *diagram = builder->region->diagram;
  const GArray *result = heddle_region_builder_value_axes (builder, operation->result);
  const GArray *source
      = heddle_region_builder_value_axes (builder, heddle_ids_index (operation->operands, 0));
  GArray *axes = heddle_ids_new ();

  for (guint k = 0; k < result->len; k++)
    for (guint i = 0; i < operation->indices->len; i++)
      if ((operand_axes == NULL || heddle_ids_contain (operand_axes, heddle_ids_index (source, i)))
          && heddle_reindex_varies (diagram, operation, i, heddle_ids_index (result, k)))
        heddle_ids_append_once (axes, heddle_ids_index (result, k));
  return axes;
}

/* Returns 0 <= i and i < size of each index that may leave where the read is taken; NULL if none does. */
static HeddleExpr *
inside_of_read (const HeddleRegionBuilder *builder, const HeddleOperation *operation)
{
  const GArray *axes = heddle_region_builder_value_axes (builder, heddle_ids_index (operation->operands, 0));
  HeddleExpr *inside = NULL;

  for (guint i = 0; i < operation->indices->len; i++)
    {
      g_autoptr (HeddleExpr) index = NULL;

      if (!heddle_index_may_leave (builder->region->diagram, builder->sizes, operation, i))
        continue;
      index = heddle_expr_substitute (
          g_ptr_array_index (operation->indices, i), mark_name_operand, (gpointer) operation);
      inside = heddle_expr_both (
          inside, heddle_expr_binary (HEDDLE_EXPR_LE, heddle_expr_number (0.), heddle_expr_ref (index)));
      inside = heddle_expr_both (inside, heddle_expr_binary (HEDDLE_EXPR_LT, heddle_expr_ref (index),
                                             heddle_expr_size (heddle_ids_index (axes, i))));
    }
  if (inside != NULL && heddle_read_is_guarded (builder->region->diagram, builder->sizes, operation))
    g_clear_pointer (&inside, heddle_expr_unref);
  return inside;
}

typedef struct
{
  const HeddleOperation *operation;
  const GArray *axes; /* of what is read */
} Move;

static HeddleExpr *
move_leaf (const HeddleExpr *leaf, gpointer data)
{
  Move *self = data;
  int at = heddle_expr_get_kind (leaf) == HEDDLE_EXPR_INDEX
               ? heddle_ids_find (self->axes, heddle_expr_get_symbol (leaf))
               : -1;

  if (at < 0)
    return NULL;
  return heddle_expr_substitute (g_ptr_array_index (self->operation->indices, (guint) at), mark_name_operand,
      (gpointer) self->operation);
}

/* Returns the mark of what is outside already, where it is read; what the read itself leaves has the read's
 * own mark. */
static HeddleMark *
moved (const HeddleRegionBuilder *builder, const HeddleOperation *operation, const HeddleMark *mark,
    HeddleExpr *own)
{
  g_autoptr (GArray) axes = axes_of_read (builder, operation, mark->read_axes);
  Move move
      = { operation, heddle_region_builder_value_axes (builder, heddle_ids_index (operation->operands, 0)) };
  HeddleExpr *inside = mark->inside != NULL ? heddle_expr_substitute (mark->inside, move_leaf, &move) : NULL;
  HeddleMark *result;

  if (inside != NULL && own != NULL)
    inside = heddle_expr_binary (
        HEDDLE_EXPR_OR, heddle_expr_unary (HEDDLE_EXPR_NOT, heddle_expr_ref (own)), inside);
  result = mark_new (axes, inside, NULL);
  result->zero = mark->zero;
  return result;
}

/* Adds to @marks, an array of HeddleMark, what a REINDEX reads outside its operand. */
static void
region_builder_mark_reindex (HeddleRegionBuilder *builder, const HeddleOperation *operation, GPtrArray *marks)
{
  g_autoptr (HeddleExpr) own = inside_of_read (builder, operation);

  if (own != NULL)
    {
      g_autoptr (GArray) axes = axes_of_read (builder, operation, NULL);

      g_ptr_array_add (marks, mark_new (axes, heddle_expr_ref (own), operation->result));
    }
  for (guint k = 0; k < operation->operands->len; k++)
    {
      const GPtrArray *read
          = heddle_region_builder_get_marks (builder, heddle_ids_index (operation->operands, k));

      for (guint i = 0; i < read->len; i++)
        {
          const HeddleMark *mark = g_ptr_array_index (read, i);

          if (mark_goes_on (mark) && k > 0)
            marks_add_copy (marks, mark, FALSE);
          else if (mark_goes_on (mark))
            g_ptr_array_add (marks, moved (builder, operation, mark, own));
        }
    }
}
