/* SPDX-License-Identifier: MIT */
#include "files/onnx/reshaped.h"
#include "files/onnx/sketch-private.h"

/* This file remembers what an array was before its dimensions were merged. Exporters merge places of a
 * sequence, or heads, into rows before they multiply matrices, and split them afterwards: here that is
 * undone, so that they stay the axes that they are. */

typedef struct
{
  HeddleFlow from, to;
} Reshaped;

void
heddle_flow_note_reshape (HeddleSketch *sketch, const HeddleFlow *from, const HeddleFlow *to)
{
  Reshaped *noted = g_new (Reshaped, 1);

  *noted = (Reshaped){ *from, *to };
  if (sketch->reshaped == NULL)
    sketch->reshaped = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_hash_table_replace (sketch->reshaped, GINT_TO_POINTER (to->value), noted);
}

static gboolean
same_dims (HeddleSketch *sketch, const HeddleFlow *a, const HeddleFlow *b)
{
  gboolean same = a->rank == b->rank && a->type == b->type;

  for (guint i = 0; i < a->rank && same; i++)
    same = a->dims[i].size == b->dims[i].size && (a->dims[i].axis < 0) == (b->dims[i].axis < 0)
           && (a->dims[i].axis < 0
               || heddle_sketch_find (sketch, a->dims[i].axis)
                      == heddle_sketch_find (sketch, b->dims[i].axis));
  return same;
}

const HeddleFlow *
heddle_flow_before_reshape (HeddleSketch *sketch, const HeddleFlow *flow)
{
  const Reshaped *noted = sketch->reshaped != NULL && !flow->untyped
                              ? g_hash_table_lookup (sketch->reshaped, GINT_TO_POINTER (flow->value))
                              : NULL;

  return noted != NULL && same_dims (sketch, flow, &noted->to) ? &noted->from : NULL;
}

/* Returns whether the last @n dimensions are the same before and after. */
static gboolean
keeps_last (const HeddleFlow *from, const HeddleFlow *to, guint n)
{
  for (guint i = 1; i <= n; i++)
    if (i > from->rank || i > to->rank || from->dims[from->rank - i].size != to->dims[to->rank - i].size)
      return FALSE;
  return TRUE;
}

static gboolean
same_shape (const HeddleFlow *a, const HeddleFlow *b)
{
  return a->rank == b->rank && keeps_last (a, b, a->rank);
}

/* Returns @flow before its leading dimensions were merged; NULL if they were not. */
static const HeddleFlow *
apart (HeddleSketch *sketch, const HeddleFlow *flow, guint n_kept)
{
  const HeddleFlow *from = heddle_flow_before_reshape (sketch, flow);

  return from != NULL && from->rank > flow->rank && keeps_last (from, flow, n_kept) ? from : NULL;
}

gboolean
heddle_flow_factors_apart (HeddleSketch *sketch, const HeddleFlow **a, const HeddleFlow **b)
{
  const HeddleFlow *one, *other;

  if ((*a)->rank == 2 && (*b)->rank == 2)
    {
      one = apart (sketch, *a, 1);
      *a = one != NULL ? one : *a;
      return one != NULL;
    }
  if ((*a)->rank != 3 || (*b)->rank != 3)
    return FALSE;
  one = apart (sketch, *a, 2);
  other = apart (sketch, *b, 2);
  if (one == NULL || other == NULL || one->rank != other->rank)
    return FALSE;
  for (guint i = 0; i + 2 < one->rank; i++)
    if (one->dims[i].size != other->dims[i].size)
      return FALSE;
  *a = one;
  *b = other;
  return TRUE;
}

gboolean
heddle_flow_operands_apart (HeddleSketch *sketch, const HeddleFlow **operands, guint n)
{
  const HeddleFlow *first = NULL, *like = NULL, *from;
  guint n_kept = 0;

  for (guint i = 0; i < n; i++)
    if ((from = heddle_flow_before_reshape (sketch, operands[i])) == NULL)
      n_kept = MAX (n_kept, operands[i]->rank);
    else if (first == NULL)
      {
        first = from;
        like = operands[i];
      }
  for (guint i = 0; i < n && first != NULL; i++)
    if (heddle_flow_before_reshape (sketch, operands[i]) != NULL)
      {
        from = apart (sketch, operands[i], n_kept);
        if (from == NULL || !same_shape (from, first) || !same_shape (operands[i], like))
          return FALSE;
      }
  for (guint i = 0; i < n && first != NULL; i++)
    if ((from = heddle_flow_before_reshape (sketch, operands[i])) != NULL)
      operands[i] = from;
  return first != NULL;
}
