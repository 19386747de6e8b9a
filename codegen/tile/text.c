/* SPDX-License-Identifier: MIT */
#include "codegen/tile/columns.h"
#include "codegen/tile/program.h"
#include "codegen/tile/shifts.h"
#include "codegen/tile/text.h"
#include "derive/program/loop-program.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/print.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* A tile program as text: a line for each tile, then one for each operation. */

static const char *
axis_name (const HeddleTileProgram *self, const char *axis)
{
  const HeddleAxis *found = heddle_diagram_get_axis (self->diagram, axis);

  return found != NULL ? found->name : axis;
}

/* Returns a side as "y", or "y r" for rows over several axes. */
static char *
side_text (const HeddleTileProgram *self, const char *side)
{
  GString *text = g_string_new (NULL);

  if (side != heddle_tile_rows)
    return g_string_free (g_string_append (text, axis_name (self, side)), FALSE);
  if (self->rows->len == 0)
    g_string_append (text, "one");
  for (guint i = 0; i < self->rows->len; i++)
    g_string_append_printf (
        text, "%s%s", i > 0 ? " " : "", axis_name (self, heddle_ids_index (self->rows, i)));
  return g_string_free (text, FALSE);
}

static void
append_side (const HeddleTileProgram *self, GString *out, const char *side, gint64 n)
{
  g_autofree char *text = side != NULL ? side_text (self, side) : NULL;

  if (text != NULL)
    g_string_append_printf (out, "[%s %" G_GINT64_FORMAT "]", text, n);
}

static char *
leaf_text (const HeddleExpr *leaf, gpointer data)
{
  const HeddleTileProgram *self = ((gconstpointer *) data)[0];
  const HeddleNode *node = ((gconstpointer *) data)[1];

  switch (heddle_expr_get_kind (leaf))
    {
    case HEDDLE_EXPR_ARGUMENT:
      return g_strdup (
          heddle_tile_name (self, g_array_index (node->sources, guint, heddle_expr_get_operand (leaf))));
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_INDEX:
      return g_strdup (axis_name (self, heddle_expr_get_symbol (leaf)));
    default:
      return NULL;
    }
}

static char *
expr_text (const HeddleTileProgram *self, const HeddleNode *node, const HeddleExpr *expr)
{
  gconstpointer data[] = { self, node };

  return heddle_expr_to_string (expr, leaf_text, data);
}

static void
append_shifts (const HeddleTileProgram *self, GString *out, const HeddleTensorTile *tile)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, tile->buffer);

  for (guint k = 0; tile->place == HEDDLE_TILE_SHARED && k < buffer->axes->len; k++)
    {
      HeddleExpr *shift = heddle_tile_shift (self, buffer, k);
      g_autofree char *text = shift != NULL ? expr_text (self, NULL, shift) : NULL;

      if (text != NULL)
        g_string_append_printf (
            out, ", %s from %s", axis_name (self, heddle_tile_array_axis (self, buffer, k)), text);
    }
}

static void
append_tile (const HeddleTileProgram *self, GString *out, const HeddleTensorTile *tile)
{
  static const char *const places[] = { "global", "shared", "fragment", "row", "column" };
  const gboolean sided = tile->place != HEDDLE_TILE_GLOBAL;

  g_string_append_printf (
      out, "tile %s: %s", heddle_tile_name (self, tile->buffer), heddle_dtype_to_string (tile->dtype));
  append_side (
      self, out, sided ? tile->down : NULL, tile->down == heddle_tile_rows ? self->n_rows : tile->n_down);
  append_side (
      self, out, sided ? tile->along : NULL, tile->along == heddle_tile_rows ? self->n_rows : tile->n_along);
  g_string_append_printf (out, " %s", places[tile->place]);
  if (tile->place == HEDDLE_TILE_SHARED || tile->place == HEDDLE_TILE_COLUMN)
    g_string_append_printf (out, " at %" G_GINT64_FORMAT, tile->offset);
  if (tile->point >= 0)
    g_string_append_printf (out, ", ring of %u, point %d", tile->slots, tile->point);
  if (tile->unpacked)
    g_string_append (out, ", unpacked");
  for (guint i = 0; tile->window != NULL && i < tile->window->n; i++)
    g_string_append_printf (
        out, "%s%" G_GINT64_FORMAT, i == 0 ? ", windows of " : " x ", tile->window->length[i]);
  append_shifts (self, out, tile);
  if (tile->taps > 1)
    g_string_append_printf (out, ", %" G_GINT64_FORMAT " taps", tile->taps);
  if (tile->widened != NULL)
    g_string_append_printf (out, ", of %s",
        heddle_dtype_to_string (heddle_loop_program_get_buffer (self->program, tile->buffer)->dtype));
  if (tile->place == HEDDLE_TILE_SHARED && !tile->vectors)
    g_string_append (out, ", by elements");
  if (tile->scale != NULL)
    {
      g_autofree char *scale = expr_text (self, NULL, tile->scale);

      g_string_append_printf (out, " = %s * %s", scale, heddle_tile_name (self, (guint) tile->alias));
    }
  g_string_append_c (out, '\n');
}

static char *
reduce_text (const HeddleTileProgram *self, const HeddleTileOp *op)
{
  const char *name = heddle_tile_name (self, op->tile);
  const HeddleNode *node = op->node;
  g_autofree char *body = expr_text (self, node, op->body);
  g_autofree char *rescale = node->rescale != NULL ? expr_text (self, node, node->rescale) : NULL;
  g_autofree char *before
      = node->accumulate ? g_strdup_printf ("%s%s%s, ", rescale ? rescale : "", rescale ? " * " : "", name)
                         : g_strdup ("");

  g_autofree char *when = op->when != NULL ? expr_text (self, node, op->when) : NULL;

  return g_strdup_printf ("%s = %s (%s%s along %s)%s%s%s", name, heddle_monoid_to_string (node->monoid),
      before, body, axis_name (self, heddle_tile_at (self, op->left)->along), op->guarded ? " guarded" : "",
      when != NULL ? " where " : "", when != NULL ? when : "");
}

static char *
contract_text (const HeddleTileProgram *self, const HeddleTileOp *op)
{
  const char *name = heddle_tile_name (self, op->tile);
  const HeddleNode *node = op->node;
  g_autofree char *rescale = node->rescale != NULL ? expr_text (self, node, node->rescale) : NULL;
  gboolean recast = heddle_tile_at (self, op->left)->place == HEDDLE_TILE_FRAGMENT;

  return g_strdup_printf ("%s = contract (%s%s%s%s%s%s, %s)", name, rescale ? rescale : "",
      rescale ? " * " : "", node->accumulate ? name : "", node->accumulate ? ", " : "",
      recast ? "recast " : "", heddle_tile_name (self, op->left), heddle_tile_name (self, op->right));
}

/* Returns an operation as "u, v = columns (g, b; W)". */
static char *
columns_text (const HeddleTileProgram *self, const HeddleTileOp *op)
{
  g_autoptr (GString) results = g_string_new (NULL), vectors = g_string_new (NULL);

  for (guint i = 0; i < op->members->len; i++)
    {
      const HeddleNode *member = g_ptr_array_index (op->members, i);

      g_string_append_printf (results, "%s%s", i > 0 ? ", " : "", heddle_tile_name (self, member->buffer));
      g_string_append_printf (
          vectors, "%s%s", i > 0 ? ", " : "", heddle_tile_name (self, heddle_tile_vector_of (op, member)));
    }
  return g_strdup_printf (
      "%s = columns (%s; %s)", results->str, vectors->str, heddle_tile_name (self, op->right));
}

static char *
op_text (const HeddleTileProgram *self, const HeddleTileOp *op)
{
  const char *name
      = op->tile == G_MAXUINT || op->kind == HEDDLE_TILE_ACQUIRE ? NULL : heddle_tile_name (self, op->tile);
  g_autofree char *body = op->kind == HEDDLE_TILE_MAP ? expr_text (self, op->node, op->body) : NULL;

  switch (op->kind)
    {
    case HEDDLE_TILE_COPY:
      return g_strdup_printf ("copy %s", name);
    case HEDDLE_TILE_ACQUIRE:
      return op->tile == G_MAXUINT ? g_strdup ("acquire all")
                                   : g_strdup_printf ("acquire point %u, %u groups may be under way",
                                       op->tile, self->stages * self->points - 2);
    case HEDDLE_TILE_UNPACK:
      return g_strdup_printf ("unpack %s", name);
    case HEDDLE_TILE_EXPONENTIAL:
      return g_strdup_printf ("%s = exponential (%s - %s)", name, heddle_tile_name (self, op->left),
          heddle_tile_name (self, op->right));
    case HEDDLE_TILE_MASK:
      return op->pad_row >= 0
                 ? g_strdup_printf ("mask %s with %s", name, heddle_tile_name (self, (guint) op->pad_row))
                 : g_strdup_printf ("mask %s with %g", name, op->pad);
    case HEDDLE_TILE_REDUCE:
      return reduce_text (self, op);
    case HEDDLE_TILE_CONTRACT:
      return contract_text (self, op);
    case HEDDLE_TILE_COLUMNS:
      return columns_text (self, op);
    case HEDDLE_TILE_SPREAD:
      return g_strdup ("spread columns");
    case HEDDLE_TILE_STORE:
      return g_strdup_printf ("store %s", name);
    default:
      return g_strdup_printf ("%s = %s", name, body);
    }
}

static void
append_ops (const HeddleTileProgram *self, GString *out, const GPtrArray *ops, const char *indent)
{
  for (guint i = 0; i < ops->len; i++)
    {
      g_autofree char *text = op_text (self, g_ptr_array_index (ops, i));

      g_string_append_printf (out, "%s%s\n", indent, text);
    }
}

char *
heddle_tile_program_to_string (const HeddleTileProgram *self)
{
  GString *out = g_string_new (NULL);
  g_autofree char *rows = side_text (self, heddle_tile_rows);

  g_string_append_printf (out, "rows %s, %u x %u warps of %u x 16 rows", rows, self->warps_down,
      self->warps_along, self->tiles_down);
  if (self->split != NULL && self->warps_along > 1)
    g_string_append_printf (out, ", columns of %s shared out", axis_name (self, self->split));
  if (self->bulk)
    g_string_append_printf (out, ", tiles brought by %d more warps, barriers at %" G_GINT64_FORMAT,
        HEDDLE_TILE_PRODUCERS / 32, self->barriers);
  g_string_append_printf (out, ", %" G_GINT64_FORMAT " bytes shared\n", self->shared_bytes);
  for (guint i = 0; i < self->tiles->len; i++)
    append_tile (self, out, heddle_tile_at (self, i));
  append_ops (self, out, self->prologue, "");
  if (self->stream != NULL)
    g_string_append_printf (out, "stream %s\n", axis_name (self, self->stream->axis));
  append_ops (self, out, self->body, "  ");
  append_ops (self, out, self->epilogue, "");
  return g_string_free (out, FALSE);
}
