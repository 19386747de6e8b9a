/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/analysis/merge.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "files/onnx/flow.h"
#include "files/onnx/model.h"
#include "files/onnx/reshape.h"
#include "files/onnx/reshaped.h"
#include "files/onnx/sketch.h"

/* A reshape is cut into the smallest runs of dimensions that hold as many elements before as after: one becomes one, several become one, one
 * becomes several, or several become several. */
typedef struct
{
  HeddleSketch *sketch;
  const HeddleFlow *from;
  HeddleFlow *to;
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
} Reshape;

static GArray *
symbols (Reshape *self, const HeddleDim *dims, guint begin, guint end)
{
  GArray *ids = heddle_ids_new ();

  for (guint i = begin; i < end; i++)
    if (dims[i].axis >= 0)
      heddle_ids_append (ids, heddle_sketch_symbol (self->sketch, dims[i].axis));
  return ids;
}

/* The place within the run, of dimensions of the result. */
static HeddleExpr *
place_in_run (Reshape *self, guint begin, guint end)
{
  g_autoptr (GArray) ids = symbols (self, self->to->dims, begin, end);

  return ids->len > 0 ? heddle_merge_index (ids) : heddle_expr_number (0.);
}

/* floor (place / inner) mod size */
static HeddleExpr *
part_of (HeddleExpr *place, gint64 inner, gint64 size, gboolean is_first)
{
  HeddleExpr *part = heddle_expr_ref (place);

  if (inner > 1)
    part = heddle_expr_unary (
        HEDDLE_EXPR_FLOOR, heddle_expr_binary (HEDDLE_EXPR_DIV, part, heddle_expr_number ((double) inner)));
  if (!is_first)
    part = heddle_expr_binary (HEDDLE_EXPR_MOD, part, heddle_expr_number ((double) size));
  return part;
}

/* Several become one: said as the language says it. */
static void
read_merged (Reshape *self, guint begin, guint end, int axis)
{
  g_autoptr (GArray) ids = heddle_ids_new ();
  guint part = 0;

  for (guint i = begin; i < end; i++)
    if (self->from->dims[i].axis >= 0)
      heddle_ids_append (ids, heddle_sketch_symbol (self->sketch, self->from->dims[i].axis));
  for (guint i = begin; i < end; i++)
    self->indices[i] = self->from->dims[i].axis < 0
                           ? heddle_expr_number (0.)
                           : heddle_merge_part (heddle_sketch_symbol (self->sketch, axis), ids, part++);
}

static void
read_split (Reshape *self, guint begin, guint end, guint to_begin, guint to_end)
{
  g_autoptr (HeddleExpr) place = place_in_run (self, to_begin, to_end);
  gint64 inner = 1, whole = 1;

  for (guint i = begin; i < end; i++)
    whole *= self->from->dims[i].size;
  for (guint i = end; i-- > begin;)
    {
      gint64 size = self->from->dims[i].size;

      self->indices[i]
          = size == 1 ? heddle_expr_number (0.) : part_of (place, inner, size, inner * size == whole);
      inner *= size;
    }
}

static guint
count_real (const HeddleDim *dims, guint begin, guint end, guint *last)
{
  guint n = 0;

  for (guint i = begin; i < end; i++)
    if (dims[i].size != 1)
      {
        *last = i;
        n++;
      }
  return n;
}

/* Of what is parted: heads, and each as wide as a key. */
static const char *
part_name (guint n_parts, guint i)
{
  static const char *const names[][3] = { { "h", "k" }, { "c", "h", "k" } };

  return n_parts == 2 || n_parts == 3 ? names[n_parts - 2][i] : "r";
}

static void
read_run (Reshape *self, guint begin, guint end, guint to_begin, guint to_end)
{
  guint from = begin, to = to_begin;
  guint n_from = count_real (self->from->dims, begin, end, &from);
  guint n_to = count_real (self->to->dims, to_begin, to_end, &to), n_made = 0;

  for (guint i = to_begin; i < to_end; i++)
    self->to->dims[i].axis = -1;
  for (guint i = to_begin; i < to_end; i++)
    if (self->to->dims[i].size != 1)
      self->to->dims[i].axis = n_from == 1 && n_to == 1
                                   ? self->from->dims[from].axis
                                   : heddle_dim_new (self->sketch, self->to->dims[i].size,
                                       part_name (n_from == 1 ? n_to : 0, n_made++))
                                         .axis;
  if (n_from > 1 && n_to == 1)
    read_merged (self, begin, end, self->to->dims[to].axis);
  else
    read_split (self, begin, end, to_begin, to_end);
}

/* Where all runs are one to one nothing is read anew, unless a size of 1 that has an axis goes. */
static gboolean
is_same (Reshape *self)
{
  guint n = 0, m = 0;

  for (guint i = 0; i < self->from->rank; i++)
    {
      if (self->from->dims[i].axis < 0)
        continue;
      if (self->from->dims[i].size == 1)
        return FALSE;
      while (n < self->to->rank && self->to->dims[n].size == 1)
        n++;
      if (n == self->to->rank || self->to->dims[n++].axis != self->from->dims[i].axis)
        return FALSE;
    }
  for (; n < self->to->rank; n++)
    m += self->to->dims[n].size != 1;
  return m == 0;
}

/* Sizes of 1 with an axis keep it where a size of 1 stands in the same place. */
static void
keep_ones (Reshape *self)
{
  for (guint i = 0; i < self->from->rank && i < self->to->rank; i++)
    {
      if (self->from->dims[i].size != self->to->dims[i].size)
        return;
      if (self->from->dims[i].size != 1 || self->from->dims[i].axis < 0)
        continue;
      self->to->dims[i].axis = self->from->dims[i].axis;
      g_clear_pointer (&self->indices[i], heddle_expr_unref);
      self->indices[i] = heddle_dim_index (self->sketch, &self->to->dims[i]);
    }
}

static gboolean
all_kept (Reshape *self)
{
  for (guint i = 0; i < self->from->rank; i++)
    if (self->from->dims[i].size == 1 && self->from->dims[i].axis >= 0
        && !(i < self->to->rank && self->to->dims[i].axis == self->from->dims[i].axis))
      return FALSE;
  return TRUE;
}

static gboolean
reads_nothing_new (Reshape *self)
{
  HeddleFlow from = *self->from;
  Reshape without = *self;

  if (is_same (self))
    return TRUE;
  if (!all_kept (self))
    return FALSE;
  for (guint i = 0; i < from.rank; i++)
    if (from.dims[i].size == 1)
      from.dims[i].axis = -1;
  without.from = &from;
  return is_same (&without);
}

static guint
count_sizes (const gint64 *shape, guint rank)
{
  guint n = 0;

  for (guint i = 0; i < rank; i++)
    n += shape[i] != 1;
  return n;
}

/* Whether several dimensions become several others nowhere. */
static gboolean
is_plain (const HeddleFlow *flow, const gint64 *shape, guint rank)
{
  guint i = 0, j = 0;

  while (i < flow->rank || j < rank)
    {
      guint begin = i, to_begin = j, last;
      gint64 before = i < flow->rank ? flow->dims[i++].size : 1, after = j < rank ? shape[j++] : 1;

      while (before != after)
        if (before < after)
          before *= flow->dims[i++].size;
        else
          after *= shape[j++];
      if (count_real (flow->dims, begin, i, &last) > 1 && count_sizes (shape + to_begin, j - to_begin) > 1)
        return FALSE;
    }
  return TRUE;
}

void
heddle_flow_reshape (
    HeddleSketch *sketch, const HeddleFlow *flow, const gint64 *shape, guint rank, HeddleFlow *result)
{
  const HeddleFlow *source = heddle_flow_before_reshape (sketch, flow);
  guint last;
  /* what is taken apart again was never put together */
  gboolean undone = source != NULL
                    && count_sizes (shape, rank) > count_real (flow->dims, 0, flow->rank, &last)
                    && is_plain (source, shape, rank);
  const HeddleFlow from = undone ? *source : *flow;
  HeddleFlow to = { .type = from.type, .rank = rank, .value = from.value };
  Reshape self = { sketch, &from, &to, { NULL } };
  guint i = 0, j = 0;

  for (guint k = 0; k < rank; k++)
    to.dims[k] = (HeddleDim){ shape[k], -1 };
  while (i < from.rank || j < rank)
    {
      guint begin = i, to_begin = j;
      gint64 before = i < from.rank ? from.dims[i++].size : 1, after = j < rank ? shape[j++] : 1;

      while (before != after)
        if (before < after)
          before *= from.dims[i++].size;
        else
          after *= shape[j++];
      read_run (&self, begin, i, to_begin, j);
    }
  keep_ones (&self);
  if (!reads_nothing_new (&self))
    {
      heddle_flow_reindex (sketch, &from, self.indices, NULL, 0, &to);
      heddle_flow_note_reshape (sketch, &from, &to);
    }
  else
    for (guint k = 0; k < from.rank; k++)
      heddle_expr_unref (self.indices[k]);
  *result = to;
}
