/* SPDX-License-Identifier: MIT */

/* This file moves reads: what is read at chosen indices of a product or a map is computed where it is read,
 * whoever else reads it, as a product of reads or a map of reads. */

#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include "diagram/rewrite/read.h"
#include "diagram/rewrite/tools.h"

/* The axes that a read goes along: those in its indices, and those of the whole numbers it reads at. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleOperation *read;
  GArray *axes;
} Along;

static gboolean
see_leaf (const HeddleExpr *node, gpointer data)
{
  Along *self = data;

  if (heddle_expr_get_kind (node) == HEDDLE_EXPR_INDEX
      && !heddle_ids_contain (self->axes, heddle_expr_get_symbol (node)))
    heddle_ids_append (self->axes, heddle_expr_get_symbol (node));
  if (heddle_expr_get_kind (node) == HEDDLE_EXPR_ARGUMENT)
    heddle_rewrite_unite (
        self->axes, heddle_rewrite_axes_of (self->diagram,
                        heddle_ids_index (self->read->operands, heddle_expr_get_operand (node))));
  return TRUE;
}

/* Returns the index of the factor's axis @axis: as the product is read there, or the axis itself where it is
 * summed. Transfer full. */
static HeddleExpr *
index_of (const HeddleOperation *read, const GArray *product_axes, const char *axis)
{
  int at = heddle_ids_find (product_axes, axis);

  return at >= 0 ? heddle_expr_ref (g_ptr_array_index (read->indices, at)) : heddle_expr_index (axis);
}

static gboolean
is_read_elsewhere (const HeddleOperation *read, const GArray *product_axes, const GArray *axes)
{
  for (guint i = 0; i < axes->len; i++)
    {
      g_autoptr (HeddleExpr) index = index_of (read, product_axes, heddle_ids_index (axes, i));

      if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX
          || heddle_expr_get_symbol (index) != heddle_ids_index (axes, i))
        return TRUE;
    }
  return FALSE;
}

/* Returns the factor where the product is read; it is made before the read. */
static const char *
read_factor (HeddleDiagram *diagram, const char *read_id, const GArray *product_axes, const char *factor)
{
  const HeddleOperation *read = heddle_diagram_get_operation (diagram, read_id);
  g_autoptr (GArray) axes = heddle_ids_copy (heddle_rewrite_axes_of (diagram, factor));
  g_autoptr (GArray) operands = heddle_ids_copy (read->operands), along = heddle_ids_new ();
  GPtrArray *indices;
  Along seen = { diagram, read, along };
  HeddleOperation *made;

  if (!is_read_elsewhere (read, product_axes, axes))
    return factor;
  indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  for (guint i = 0; i < axes->len; i++)
    {
      HeddleExpr *index = index_of (read, product_axes, heddle_ids_index (axes, i));

      g_ptr_array_add (indices, index);
      heddle_expr_walk (index, see_leaf, &seen);
    }
  heddle_ids_index (operands, 0) = factor;
  made = heddle_rewrite_add (diagram, read_id, "reindex", operands, along, NULL);
  g_clear_pointer (&made->indices, g_ptr_array_unref);
  made->indices = indices;
  return made->result;
}

/* Returns whether every axis of the result is in an index, and none of them is summed. */
static gboolean
can_read (const HeddleDiagram *diagram, const HeddleOperation *read, const HeddleOperation *product)
{
  const GArray *axes = heddle_rewrite_axes_of (diagram, read->result);
  g_autoptr (GArray) along = heddle_ids_new ();
  Along seen = { diagram, read, along };

  for (guint i = 0; i < read->indices->len; i++)
    heddle_expr_walk (g_ptr_array_index (read->indices, i), see_leaf, &seen);
  for (guint i = 0; i < product->axes->len; i++)
    if (heddle_ids_contain (along, heddle_ids_index (product->axes, i)))
      return FALSE;
  return heddle_rewrite_contain_all (along, axes);
}

/* Returns whether the value would become an output when its one reader goes: a named product stays when
 * nobody reads it, and outputs are not explicit. */
static gboolean
would_come_out (const HeddleDiagram *diagram, const char *value_id)
{
  return !diagram->explicit_outputs && heddle_diagram_get_value (diagram, value_id)->name != NULL
         && heddle_diagram_count_readers (diagram, value_id) == 1;
}

/* --- the reads that are moved ------------------------------------------------------------ */

typedef gboolean (*IsMoved) (const HeddleDiagram *diagram, const HeddleOperation *read);

/* Returns whether the operation reads at indices that are values. */
static gboolean
is_gather (const HeddleDiagram *diagram, const HeddleOperation *read)
{
  return read->kind->form == HEDDLE_FORM_REINDEX && read->operands->len > 1;
}

/* Returns whether the index is a sum of indices by sizes and numbers that are not below 0, as h * size (k) + k. */
static gboolean
is_rising (const HeddleExpr *index)
{
  const HeddleExpr *a, *b;

  switch (heddle_expr_get_kind (index))
    {
    case HEDDLE_EXPR_INDEX:
    case HEDDLE_EXPR_SIZE:
      return TRUE;
    case HEDDLE_EXPR_NUMBER:
      return heddle_expr_get_number (index) >= 0.;
    case HEDDLE_EXPR_ADD:
      return is_rising (heddle_expr_get_child (index, 0)) && is_rising (heddle_expr_get_child (index, 1));
    case HEDDLE_EXPR_MUL:
      a = heddle_expr_get_child (index, 0);
      b = heddle_expr_get_child (index, 1);
      return is_rising (a) && is_rising (b)
             && (!heddle_expr_uses (a, HEDDLE_EXPR_INDEX, NULL)
                 || !heddle_expr_uses (b, HEDDLE_EXPR_INDEX, NULL));
    default:
      return FALSE;
    }
}

/* Answers sizes, and the last index of an axis for its index. */
static gboolean
look_up_last (const HeddleExpr *leaf, double *value, gpointer sizes)
{
  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_INDEX)
    return heddle_sizes_lookup (leaf, value, sizes);
  *value = (double) heddle_sizes_get (sizes, heddle_expr_get_symbol (leaf)) - 1.;
  return *value >= 0.;
}

gboolean
heddle_rewrite_stays_inside (const HeddleDiagram *diagram, const HeddleOperation *read)
{
  const GArray *axes = heddle_rewrite_axes_of (diagram, heddle_ids_index (read->operands, 0));
  g_autoptr (HeddleSizes) sizes = NULL;

  for (guint i = 0; i < read->indices->len; i++)
    if (!is_rising (g_ptr_array_index (read->indices, i)))
      return FALSE;
  sizes = heddle_sizes_new (diagram, NULL, NULL);
  for (guint i = 0; sizes != NULL && i < axes->len; i++)
    {
      double last;

      if (!heddle_expr_evaluate (g_ptr_array_index (read->indices, i), look_up_last, sizes, &last, NULL)
          || last >= (double) heddle_sizes_get (sizes, heddle_ids_index (axes, i)))
        return FALSE;
    }
  return sizes != NULL;
}

/* Returns whether the operation reads a part of an array along an axis, or an axis as several ones, and nothing
 * outside. */
static gboolean
is_part (const HeddleDiagram *diagram, const HeddleOperation *read)
{
  gboolean some = FALSE;

  if (read->kind->form != HEDDLE_FORM_REINDEX || read->operands->len != 1)
    return FALSE;
  for (guint i = 0; i < read->indices->len; i++)
    some |= heddle_expr_get_kind (g_ptr_array_index (read->indices, i)) != HEDDLE_EXPR_INDEX;
  return some && heddle_rewrite_stays_inside (diagram, read);
}

/* --- products ------------------------------------------------------------------------- */

static gboolean
read_product (HeddleDiagram *diagram, const char *operation_id, IsMoved is_moved)
{
  const HeddleOperation *read = heddle_diagram_get_operation (diagram, operation_id);
  const HeddleOperation *product = NULL;
  const char *made;
  g_autoptr (GArray) factors = NULL, core = NULL, axes = NULL, operands = heddle_ids_new ();

  if (is_moved (diagram, read))
    product = heddle_diagram_get_producer (diagram, heddle_ids_index (read->operands, 0));
  if (product == NULL || product->kind->form != HEDDLE_FORM_CONTRACT || !can_read (diagram, read, product)
      || heddle_diagram_get_value (diagram, product->result)->dtype != HEDDLE_DTYPE_UNSET
      || would_come_out (diagram, product->result))
    return FALSE;
  made = product->result;
  factors = heddle_ids_copy (product->operands);
  core = heddle_ids_copy (product->axes);
  axes = heddle_ids_copy (heddle_rewrite_axes_of (diagram, product->result));
  for (guint i = 0; i < factors->len; i++)
    heddle_ids_append (operands, read_factor (diagram, operation_id, axes, heddle_ids_index (factors, i)));
  heddle_rewrite_become (diagram, operation_id, "contract", operands, core, NULL, NULL);
  heddle_rewrite_drop (diagram, made);
  return TRUE;
}

gboolean
heddle_rewrite_read_product (HeddleDiagram *diagram, const char *operation_id)
{
  return read_product (diagram, operation_id, is_gather);
}

gboolean
heddle_rewrite_part_product (HeddleDiagram *diagram, const char *operation_id)
{
  return read_product (diagram, operation_id, is_part);
}

/* --- maps ---------------------------------------------------------------------------- */

/* A replacement of leaves: those over the operands of one operation become leaves over the operands of
 * another. */
typedef struct
{
  const GArray *from; /* what arguments stand for */
  const GArray *as; /* per argument: what stands in its place */
  GArray *operands; /* of what is made */
} Carry;

static HeddleExpr *
carry_leaf (const HeddleExpr *leaf, gpointer data)
{
  Carry *self = data;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_ARGUMENT)
    return NULL;
  return heddle_rewrite_argument (
      self->operands, heddle_ids_index (self->as, heddle_expr_get_operand (leaf)));
}

/* Returns the predicate that what is read lies inside its array, over the operands of what is made; NULL if
 * it always does. */
static HeddleExpr *
guard_of (const HeddleOperation *read, const GArray *axes, Carry *carry)
{
  HeddleExpr *guard = NULL;

  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);
      HeddleExpr *index = g_ptr_array_index (read->indices, i), *inside;

      if (heddle_expr_get_kind (index) == HEDDLE_EXPR_INDEX && heddle_expr_get_symbol (index) == axis)
        continue;
      inside = heddle_expr_binary (HEDDLE_EXPR_AND,
          heddle_expr_binary (
              HEDDLE_EXPR_LE, heddle_expr_number (0.), heddle_expr_substitute (index, carry_leaf, carry)),
          heddle_expr_binary (
              HEDDLE_EXPR_LT, heddle_expr_substitute (index, carry_leaf, carry), heddle_expr_size (axis)));
      guard = guard != NULL ? heddle_expr_binary (HEDDLE_EXPR_AND, guard, inside) : inside;
    }
  return guard;
}

/* Turns the read into the function of the map over what is read of its operands, and 0 where the map was read
 * outside. */
static void
become_map (HeddleDiagram *diagram, const char *read_id, const HeddleOperation *map, const GArray *factors,
    const GArray *axes)
{
  const HeddleOperation *read = heddle_diagram_get_operation (diagram, read_id);
  g_autoptr (GArray) operands = heddle_ids_new (), kept = heddle_ids_copy (read->operands);
  Carry inside = { map->operands, factors, operands }, chosen = { kept, kept, operands };
  HeddleExpr *body = heddle_expr_substitute (map->body, carry_leaf, &inside),
             *guard = is_part (diagram, read) ? NULL : guard_of (read, axes, &chosen);

  if (guard != NULL)
    body = heddle_expr_where (guard, body, heddle_expr_number (0.));
  heddle_rewrite_become (diagram, read_id, "map", operands, NULL, body, NULL);
}

static gboolean
read_map (HeddleDiagram *diagram, const char *operation_id, IsMoved is_moved)
{
  const HeddleOperation *read = heddle_diagram_get_operation (diagram, operation_id);
  const HeddleOperation *map = NULL;
  const char *made;
  g_autoptr (GArray) axes = NULL, old = NULL, factors = heddle_ids_new ();

  if (is_moved (diagram, read))
    map = heddle_diagram_get_producer (diagram, heddle_ids_index (read->operands, 0));
  if (map == NULL || map->kind->form != HEDDLE_FORM_MAP || map->operands->len == 0
      || heddle_expr_uses (map->body, HEDDLE_EXPR_INDEX, NULL) || !can_read (diagram, read, map)
      || heddle_diagram_get_value (diagram, map->result)->dtype != HEDDLE_DTYPE_UNSET
      || would_come_out (diagram, map->result))
    return FALSE;
  made = map->result;
  old = heddle_ids_copy (map->operands);
  axes = heddle_ids_copy (heddle_rewrite_axes_of (diagram, made));
  for (guint i = 0; i < old->len; i++)
    heddle_ids_append (factors, read_factor (diagram, operation_id, axes, heddle_ids_index (old, i)));
  become_map (diagram, operation_id, heddle_diagram_get_producer (diagram, made), factors, axes);
  heddle_rewrite_drop (diagram, made);
  return TRUE;
}

gboolean
heddle_rewrite_read_map (HeddleDiagram *diagram, const char *operation_id)
{
  return read_map (diagram, operation_id, is_gather);
}

gboolean
heddle_rewrite_part_map (HeddleDiagram *diagram, const char *operation_id)
{
  return read_map (diagram, operation_id, is_part);
}

/* --- reads of reads ------------------------------------------------------------------- */

typedef struct
{
  const GArray *axes; /* of what is read twice */
  const GPtrArray *indices; /* at which it is read */
} Joint;

static HeddleExpr *
join_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Joint *self = data;
  int at = heddle_expr_get_kind (leaf) == HEDDLE_EXPR_INDEX
               ? heddle_ids_find (self->axes, heddle_expr_get_symbol (leaf))
               : -1;

  return at >= 0 ? heddle_expr_ref (g_ptr_array_index (self->indices, at)) : NULL;
}

GPtrArray *
heddle_rewrite_indices_of_both (const HeddleDiagram *diagram, const HeddleOperation *read)
{
  const char *between = read->operands->len == 1 ? heddle_ids_index (read->operands, 0) : NULL;
  const HeddleOperation *first = between != NULL ? heddle_diagram_get_producer (diagram, between) : NULL;
  GPtrArray *indices;
  Joint joint;

  if (read->kind->form != HEDDLE_FORM_REINDEX || first == NULL || first->kind->form != HEDDLE_FORM_REINDEX
      || first->operands->len != 1 || heddle_diagram_get_value (diagram, between)->dtype != HEDDLE_DTYPE_UNSET
      || !heddle_rewrite_stays_inside (diagram, read) || !heddle_rewrite_stays_inside (diagram, first))
    return NULL;
  joint = (Joint){ heddle_rewrite_axes_of (diagram, between), read->indices };
  indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  for (guint i = 0; i < first->indices->len; i++)
    g_ptr_array_add (
        indices, heddle_expr_substitute (g_ptr_array_index (first->indices, i), join_leaf, &joint));
  return indices;
}

gboolean
heddle_rewrite_join_reads (HeddleDiagram *diagram, const char *operation_id)
{
  const HeddleOperation *read = heddle_diagram_get_operation (diagram, operation_id);
  const char *between = read->operands->len == 1 ? heddle_ids_index (read->operands, 0) : NULL;
  g_autoptr (GArray) operands = NULL;
  GPtrArray *indices = between != NULL && heddle_rewrite_is_passing (diagram, between)
                           ? heddle_rewrite_indices_of_both (diagram, read)
                           : NULL;

  if (indices == NULL)
    return FALSE;
  operands = heddle_ids_copy (heddle_diagram_get_producer (diagram, between)->operands);
  heddle_rewrite_become (diagram, operation_id, read->kind->id, operands, NULL, NULL, indices);
  heddle_rewrite_drop (diagram, between);
  return TRUE;
}
