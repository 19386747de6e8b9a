/* SPDX-License-Identifier: MIT */
#include "diagram/analysis/merge.h"
#include "diagram/differentiate/build.h"
#include "diagram/differentiate/merge.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"

/* The inverse of a read that merges or splits axes. Merging goes back as splitting, and splitting as merging:
 * each point is read once, so no sum is needed. */
typedef struct
{
  const HeddleOperation *operation;
  const HeddleValue *operand, *result;
  gboolean *read; /* per index of the operation: whether an axis of the result is the way back of it */
} Inverse;

static HeddleExpr *
plain_place (Inverse *self, const char *axis)
{
  HeddleExpr *place = NULL;

  for (guint i = 0; i < self->operation->indices->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (self->operation->indices, i);

      if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX || heddle_expr_get_symbol (index) != axis)
        continue;
      if (place != NULL)
        {
          heddle_expr_unref (place);
          return NULL; /* a diagonal */
        }
      place = heddle_expr_index (heddle_ids_index (self->operand->axes, i));
      self->read[i] = TRUE;
    }
  return place;
}

static HeddleExpr *
merged_place (Inverse *self, const char *axis)
{
  g_autoptr (GArray) members = heddle_merge_find (self->operand->axes, self->operation->indices, axis);

  for (guint i = 0; members != NULL && i < members->len; i++)
    self->read[heddle_ids_find (self->operand->axes, heddle_ids_index (members, i))] = TRUE;
  return members != NULL ? heddle_merge_index (members) : NULL;
}

static HeddleExpr *
split_place (Inverse *self, const char *axis)
{
  for (guint i = 0; i < self->operation->indices->len; i++)
    {
      g_autoptr (GArray) parts = heddle_merge_match (g_ptr_array_index (self->operation->indices, i));
      int part = parts != NULL ? heddle_ids_find (parts, axis) : -1;

      if (part < 0)
        continue;
      self->read[i] = TRUE;
      return heddle_merge_part (heddle_ids_index (self->operand->axes, i), parts, (guint) part);
    }
  return NULL;
}

/* Returns whether one index alone depends on @axis: more than one would make a choice of points. */
static gboolean
is_read_once (const Inverse *self, const char *axis)
{
  g_autoptr (GArray) members = heddle_merge_find (self->operand->axes, self->operation->indices, axis);
  guint n = 0;

  for (guint i = 0; i < self->operation->indices->len; i++)
    n += heddle_expr_uses (g_ptr_array_index (self->operation->indices, i), HEDDLE_EXPR_INDEX, axis);
  return n == (members != NULL ? members->len : 1);
}

static HeddleExpr *
place_of (Inverse *self, const char *axis)
{
  HeddleExpr *place;

  if (!is_read_once (self, axis))
    return NULL;
  place = plain_place (self, axis);
  if (place == NULL)
    place = merged_place (self, axis);
  return place != NULL ? place : split_place (self, axis);
}

const char *
heddle_reverse_unmerge (HeddleReverse *self, const HeddleOperation *operation, const char *cotangent)
{
  g_autofree gboolean *read = g_new0 (gboolean, MAX (operation->indices->len, 1));
  g_autoptr (GPtrArray) indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  const GArray *axes = heddle_reverse_value (self, cotangent)->axes;
  Inverse inverse = { operation, heddle_reverse_value (self, heddle_ids_index (operation->operands, 0)),
    heddle_reverse_value (self, operation->result), read };

  for (guint i = 0; i < axes->len; i++)
    {
      HeddleExpr *place = place_of (&inverse, heddle_ids_index (axes, i));

      if (place == NULL)
        return NULL;
      g_ptr_array_add (indices, place);
    }
  for (guint i = 0; i < operation->indices->len; i++)
    if (!read[i])
      return NULL;
  return heddle_reverse_reindex (self, inverse.operand->axes, cotangent, indices);
}
