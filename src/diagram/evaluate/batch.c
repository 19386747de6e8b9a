/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/analysis/sizes.h"
#include "diagram/base/error.h"
#include "diagram/evaluate/batch.h"
#include "diagram/evaluate/walk.h"
#include "diagram/expression/batch.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/print.h"
#include "diagram/expression/tree.h"

#include <glib/gi18n-lib.h>

/* --- batches ------------------------------------------------------------------------- */

HeddleBatch *
heddle_batch_new (const HeddleSizes *sizes, const GArray *axes)
{
  HeddleBatch *self = g_new0 (HeddleBatch, 1);

  self->walk = heddle_walk_new (sizes, axes);
  self->lengths = g_new (guint, HEDDLE_BATCH);
  self->indices = g_new (gint64, (gsize) HEDDLE_BATCH * axes->len);
  return self;
}

void
heddle_batch_free (HeddleBatch *self)
{
  heddle_walk_free (self->walk);
  g_free (self->lengths);
  g_free (self->indices);
  g_free (self->offsets);
  g_free (self);
}

guint
heddle_batch_add_cursor (HeddleBatch *self, const GArray *array_axes)
{
  guint cursor = heddle_walk_add_cursor (self->walk, array_axes);

  self->offsets = g_renew (gint64, self->offsets, (gsize) HEDDLE_BATCH * self->walk->n_cursors);
  return cursor;
}

void
heddle_batch_seek (HeddleBatch *self, gint64 point)
{
  heddle_walk_seek (self->walk, point);
}

static void
add_run (HeddleBatch *self, guint length)
{
  HeddleWalk *walk = self->walk;
  guint n_axes = walk->axes->len;

  for (guint i = 0; i < n_axes; i++)
    self->indices[self->n_runs * n_axes + i] = walk->index[i];
  for (guint i = 0; i < walk->n_cursors; i++)
    self->offsets[self->n_runs * walk->n_cursors + i] = heddle_walk_offset (walk, i);
  self->lengths[self->n_runs++] = length;
  self->n_points += length;
  heddle_walk_skip (walk, length);
}

guint
heddle_batch_take (HeddleBatch *self, gint64 most)
{
  self->n_runs = self->n_points = 0;
  most = MIN (most, HEDDLE_BATCH);
  while (self->n_points < most)
    add_run (self, (guint) MIN (most - self->n_points, heddle_walk_left_in_row (self->walk)));
  return self->n_points;
}

gint64
heddle_batch_offset (const HeddleBatch *self, guint run, guint cursor)
{
  return self->offsets[run * self->walk->n_cursors + cursor];
}

/* Returns the elements of @data under a cursor: in place where they lie side by side, else in @room. */
static const double *
batch_gather (const HeddleBatch *self, guint cursor, const double *data, double *room)
{
  gint64 stride = heddle_walk_last_stride (self->walk, cursor);
  double *out = room;

  if (self->n_runs == 1 && (stride == 1 || self->n_points == 1))
    return data + heddle_batch_offset (self, 0, cursor);
  for (guint run = 0; run < self->n_runs; run++)
    {
      const double *from = data + heddle_batch_offset (self, run, cursor);

      for (guint i = 0; i < self->lengths[run]; i++)
        *out++ = from[i * stride];
    }
  return room;
}

void
heddle_batch_scatter (const HeddleBatch *self, guint cursor, const double *values, double *data)
{
  gint64 stride = heddle_walk_last_stride (self->walk, cursor);

  for (guint run = 0; run < self->n_runs; run++)
    {
      double *to = data + heddle_batch_offset (self, run, cursor);

      for (guint i = 0; i < self->lengths[run]; i++)
        to[i * stride] = *values++;
    }
}

static void
gather_index (const HeddleBatch *self, guint axis, double *out)
{
  guint n_axes = self->walk->axes->len;

  for (guint run = 0; run < self->n_runs; run++)
    {
      double first = (double) self->indices[run * n_axes + axis];

      for (guint i = 0; i < self->lengths[run]; i++)
        *out++ = first + (axis + 1 == n_axes ? (double) i : 0.);
    }
}

/* --- bound expressions --------------------------------------------------------------- */

/* The place of a slot's values: those of an operand, an index or a variable. */
typedef struct
{
  HeddleExprKind kind;
  guint number; /* of the cursor or the axis */
  const double *values; /* data of the operand, or values of the variable */
} Slot;

struct _HeddleBound
{
  HeddleExprProgram *program;
  const HeddleBatch *batch;
  guint n_slots;
  Slot *slots;
  const double **values;
  double *gathered; /* a batch for each slot */
  double *room;
};

static const double *
find_variable (const HeddleBinding *binding, const char *name)
{
  for (guint i = 0; binding->names != NULL && binding->names[i] != NULL; i++)
    if (g_str_equal (binding->names[i], name))
      return binding->variables[i];
  return NULL;
}

static gboolean
bind_slot (Slot *slot, const HeddleExpr *leaf, const HeddleBinding *binding)
{
  int axis;

  slot->kind = heddle_expr_get_kind (leaf);
  switch (slot->kind)
    {
    case HEDDLE_EXPR_ARGUMENT:
      slot->number = heddle_expr_get_operand (leaf);
      slot->values = slot->number < binding->n_operands ? binding->data[slot->number] : NULL;
      return slot->values != NULL;
    case HEDDLE_EXPR_INDEX:
      axis = heddle_ids_find (binding->batch->walk->axes, heddle_expr_get_symbol (leaf));
      slot->number = (guint) axis;
      return axis >= 0;
    case HEDDLE_EXPR_VARIABLE:
      slot->values = find_variable (binding, heddle_expr_get_symbol (leaf));
      return slot->values != NULL;
    default:
      return FALSE;
    }
}

static HeddleExpr *
replace_size (const HeddleExpr *leaf, gpointer sizes)
{
  double value;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_SIZE || !heddle_sizes_lookup (leaf, &value, sizes))
    return NULL;
  return heddle_expr_number (value);
}

static gboolean
bind_slots (HeddleBound *self, const HeddleBinding *binding, GError **error)
{
  for (guint i = 0; i < self->n_slots; i++)
    {
      const HeddleExpr *leaf = heddle_expr_program_get_slot (self->program, i);
      g_autofree char *name = NULL;

      if (bind_slot (&self->slots[i], leaf, binding))
        continue;
      name = heddle_expr_to_string (leaf, NULL, NULL);
      g_set_error (
          error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_UNKNOWN_SYMBOL, _ ("unknown symbol “%s”"), name);
      return FALSE;
    }
  return TRUE;
}

HeddleBound *
heddle_bound_new (const HeddleExpr *expr, const HeddleBinding *binding, GError **error)
{
  g_autoptr (HeddleBound) self = g_new0 (HeddleBound, 1);
  g_autoptr (HeddleExpr) sized = heddle_expr_substitute (
      (HeddleExpr *) expr, replace_size, (gpointer) binding->batch->walk->axis_sizes);

  self->program = heddle_expr_compile (sized);
  self->batch = binding->batch;
  self->n_slots = heddle_expr_program_get_n_slots (self->program);
  self->slots = g_new0 (Slot, self->n_slots);
  self->values = g_new0 (const double *, self->n_slots);
  self->gathered = g_try_new (double, MAX ((gsize) self->n_slots * HEDDLE_BATCH, 1));
  self->room = heddle_expr_program_new_room (self->program);
  if (self->gathered == NULL || self->room == NULL)
    {
      g_set_error_literal (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_LIMIT,
          _ ("there is no memory to evaluate a function"));
      return NULL;
    }
  return bind_slots (self, binding, error) ? g_steal_pointer (&self) : NULL;
}

const double *
heddle_bound_run (HeddleBound *self, guint n)
{
  for (guint i = 0; i < self->n_slots; i++)
    {
      const Slot *slot = &self->slots[i];
      double *room = self->gathered + (gsize) i * HEDDLE_BATCH;

      self->values[i] = slot->kind == HEDDLE_EXPR_VARIABLE ? slot->values : room;
      if (slot->kind == HEDDLE_EXPR_ARGUMENT)
        self->values[i] = batch_gather (self->batch, slot->number, slot->values, room);
      else if (slot->kind == HEDDLE_EXPR_INDEX)
        gather_index (self->batch, slot->number, room);
    }
  return heddle_expr_program_run_batch (self->program, self->values, n, self->room);
}

void
heddle_bound_free (HeddleBound *self)
{
  heddle_expr_program_free (self->program);
  g_free (self->slots);
  g_free (self->values);
  g_free (self->gathered);
  g_free (self->room);
  g_free (self);
}
