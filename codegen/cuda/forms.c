/* SPDX-License-Identifier: MIT */
#include "codegen/base/names.h"
#include "codegen/cuda/arguments.h"
#include "codegen/cuda/comment.h"
#include "codegen/cuda/expr.h"
#include "codegen/cuda/forms.h"
#include "codegen/cuda/points.h"
#include "codegen/cuda/text.h"
#include "derive/index/extent.h"
#include "derive/region/region.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* This file prints statements that are no fold: a state that moves along an axis, the largest elements in
 * order, and reads at indices that the kernel computes. One thread goes along the axis of a point. */

/* Returns a buffer without one of its axes: the points of such a statement. */
static HeddleBuffer *
points_without (const HeddleBuffer *buffer, const char *along)
{
  HeddleBuffer *points = heddle_buffer_new (buffer->name, buffer->role);

  for (guint i = 0; i < buffer->axes->len; i++)
    if (heddle_ids_index (buffer->axes, i) != along)
      {
        heddle_ids_append (points->axes, heddle_ids_index (buffer->axes, i));
        g_array_append_val (points->extents, g_array_index (buffer->extents, HeddleExtent, i));
      }
  return points;
}

/* Returns the element of a buffer at the point, along @along (NULL if there is none) at @place. */
static char *
element_at (HeddleCudaKernel *self, guint buffer_index, const char *along, const char *place)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, buffer_index);
  g_autoptr (GPtrArray) indices = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *offset = NULL;

  for (guint i = 0; i < buffer->axes->len; i++)
    {
      const char *axis = heddle_ids_index (buffer->axes, i);

      g_ptr_array_add (indices, axis == along ? g_strdup (place) : heddle_cuda_index_in (self, buffer, i));
    }
  offset = heddle_cuda_offset (self, buffer, indices);
  return g_strdup_printf ("%s[%s]", heddle_names_buffer (self->names, buffer_index), offset);
}

static void
begin_loop (HeddleCudaKernel *self, const char *axis, HeddleExtent extent)
{
  const char *index = heddle_names_of_axis (self->names, axis, HEDDLE_NAME_INDEX);

  heddle_cuda_define_index (self, axis, extent);
  heddle_cuda_line (
      self, "for (int %s = 0; %s < %s; ++%s)", index, index, heddle_cuda_count (self, axis, extent), index);
  self->depth++;
}

static void
open_brace (HeddleCudaKernel *self)
{
  heddle_cuda_line (self, "{");
  self->depth++;
}

static void
close_brace (HeddleCudaKernel *self)
{
  self->depth--;
  heddle_cuda_line (self, "}");
}

static void
assign (HeddleCudaKernel *self, guint buffer, const char *place, const char *value)
{
  g_autofree char *statement = heddle_cuda_to_dtype (
      self, heddle_loop_program_get_buffer (self->program, buffer)->dtype, place, value);

  heddle_cuda_line (self, "%s", statement);
}

/* --- scans --- */

/* Returns the next state, extra * state + body, as one expression: the printer knows where it needs
 * parentheses. The state is an argument after those of the sources. */
static char *
next_state (HeddleCudaKernel *self, const HeddleNode *node)
{
  HeddleCudaContext context = heddle_cuda_context (self);
  HeddleExpr *state = heddle_expr_argument (self->arguments->len);
  g_autoptr (HeddleExpr) next = NULL;

  if (node->extra != NULL)
    state = heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_ref (node->extra), state);
  next = heddle_expr_binary (HEDDLE_EXPR_ADD, state, heddle_expr_ref (node->body));
  g_ptr_array_add (self->arguments, g_strdup ("state"));
  g_ptr_array_add (self->wholes, NULL);
  return heddle_cuda_expr (&context, next);
}

static void
print_scan (HeddleCudaKernel *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  int at = heddle_ids_find (buffer->axes, node->along);
  const char *type = self->wide ? "double" : "float", *zero = self->wide ? "0.0" : "0.0f";
  gboolean carries = node->second != HEDDLE_NO_BUFFER;
  g_autofree char *carried = carries ? element_at (self, node->second, NULL, NULL) : NULL;
  g_autofree char *next = NULL, *place = NULL;

  heddle_cuda_line (self, "%s state = %s;", type, carries ? carried : zero);
  begin_loop (self, node->along, heddle_buffer_extent (buffer, (guint) at));
  open_brace (self);
  heddle_cuda_collect_arguments (self, node);
  next = next_state (self, node);
  place = element_at (self, node->buffer, NULL, NULL);
  heddle_cuda_line (self, "state = %s;", next);
  assign (self, node->buffer, place, "state");
  close_brace (self);
  self->depth--;
  if (carries)
    assign (self, node->second, carried, "state");
}

/* --- the largest --- */

/* Prints the insertion of an element from the last place up, as long as the one there is less or empty. */
static void
print_insertion (HeddleCudaKernel *self, const HeddleNode *node)
{
  const char *n = node->along != NULL ? heddle_names_axis (self->names, node->along) : "1";
  g_autofree char *best = element_at (self, node->buffer, node->along, "rank");
  g_autofree char *places = element_at (self, node->second, node->along, "rank");
  g_autofree char *best_after = element_at (self, node->buffer, node->along, "(rank + 1)");
  g_autofree char *places_after = element_at (self, node->second, node->along, "(rank + 1)");

  heddle_cuda_line (self, "for (int rank = %s - 1; rank >= 0; --rank)", n);
  self->depth++;
  open_brace (self);
  heddle_cuda_line (
      self, "if (!(%s < 0 || value > %s || (%s != %s && value == value)))", places, best, best, best);
  heddle_cuda_line (self, "  break;");
  if (node->along != NULL)
    {
      heddle_cuda_line (self, "if (rank + 1 < %s)", n);
      self->depth++;
      open_brace (self);
      heddle_cuda_line (self, "%s = %s;", best_after, best);
      heddle_cuda_line (self, "%s = %s;", places_after, places);
      close_brace (self);
      self->depth--;
    }
  assign (self, node->buffer, best, "value");
  assign (self, node->second, places, "place");
  close_brace (self);
  self->depth--;
}

static void
print_candidate (HeddleCudaKernel *self, const HeddleNode *node)
{
  HeddleCudaContext context = heddle_cuda_context (self);
  g_autofree char *value = NULL, *place = NULL;
  const char *inside;

  heddle_cuda_collect_arguments (self, node);
  inside = self->inside->str;
  value = heddle_cuda_factor (&context, node->body);
  place = heddle_cuda_whole (&context, node->extra);
  heddle_cuda_line (self, "const %s value = %s%s%s%s;", self->wide ? "double" : "float", inside,
      *inside ? " ? " : "", value, *inside ? " : 0" : "");
  heddle_cuda_line (self, "const int place = int (%s);", place);
  heddle_cuda_line (self, "if (place < 0)");
  heddle_cuda_line (self, "  continue;");
  print_insertion (self, node);
}

static void
print_select (HeddleCudaKernel *self, const HeddleNode *node)
{
  guint n = node->over->len + (node->ranked ? 1 : 0);

  for (guint i = 0; i < node->over->len; i++)
    {
      const char *axis = heddle_ids_index (node->over, i);

      begin_loop (self, axis, heddle_cuda_reduced_extent (self, axis));
    }
  if (node->ranked)
    begin_loop (self, node->along, HEDDLE_EXTENT_FULL);
  open_brace (self);
  print_candidate (self, node);
  close_brace (self);
  self->depth -= n;
}

void
heddle_cuda_print_form (HeddleCudaKernel *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  HeddleBuffer *points = points_without (buffer, node->along);
  HeddleCudaText *before;

  heddle_cuda_statement_comment (self, node);
  before = heddle_cuda_points_begin (self, points);
  if (node->form == HEDDLE_COMPUTE_SCAN)
    print_scan (self, node);
  else
    print_select (self, node);
  heddle_cuda_points_end (self, points, before);
  heddle_buffer_free (points);
}

/* --- reads at indices --- */

char *
heddle_cuda_gathered_offset (HeddleCudaKernel *self, const HeddleNode *node, GString *inside)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, buffer->value);
  HeddleCudaContext context = heddle_cuda_context (self);
  g_autoptr (GString) offset = g_string_new (value->axes->len == 0 ? "0" : NULL);

  for (guint i = 0; i < value->axes->len; i++)
    {
      const char *axis = heddle_ids_index (value->axes, i), *size = heddle_names_axis (self->names, axis);
      g_autofree char *index = heddle_cuda_whole (&context, g_ptr_array_index (node->at, i));

      heddle_cuda_guard_index (self, g_ptr_array_index (node->at, i), axis, index, inside);
      if (i > 0)
        {
          g_string_prepend_c (offset, '(');
          g_string_append_printf (offset, ") * %s + ", size);
        }
      g_string_append_printf (offset, i == 0 ? "(long long) (%s)" : "(%s)", index);
    }
  return g_string_free (g_steal_pointer (&offset), FALSE);
}

static void
gather_in_batches (HeddleCudaKernel *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  g_autoptr (GString) inside = g_string_new (NULL);
  g_autofree char *offset = NULL, *place = NULL, *source = NULL, *zero = NULL;

  heddle_cuda_define_points (self, buffer);
  heddle_cuda_collect_arguments (self, node);
  offset = heddle_cuda_gathered_offset (self, node, inside);
  place = heddle_cuda_element (self, node->buffer);
  source = g_strdup_printf ("%s[%s]", heddle_names_value (self->names, buffer->value), offset);
  zero = heddle_cuda_to_dtype (self, buffer->dtype, place, self->wide ? "0.0" : "0.0f");
  heddle_cuda_print_in_batches (
      self, buffer, place, source, inside->len > 0 ? inside->str : NULL, inside->len > 0 ? zero : NULL);
}

void
heddle_cuda_print_gather (HeddleCudaKernel *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  g_autoptr (GString) inside = g_string_new (NULL);
  g_autofree char *offset = NULL, *place = NULL;
  HeddleCudaText *before;

  heddle_cuda_line (self, "// load %s, at indices", buffer->name);
  if (heddle_cuda_reads_in_batches (self, buffer, TRUE))
    {
      gather_in_batches (self, node);
      return;
    }
  before = heddle_cuda_points_begin (self, buffer);
  heddle_cuda_collect_arguments (self, node);
  offset = heddle_cuda_gathered_offset (self, node, inside);
  place = heddle_cuda_element (self, node->buffer);
  if (inside->len > 0)
    heddle_cuda_line (self, "if (%s)", inside->str);
  heddle_cuda_line (self, "%s%s = %s[%s];", inside->len > 0 ? "  " : "", place,
      heddle_names_value (self->names, buffer->value), offset);
  if (inside->len > 0)
    {
      heddle_cuda_line (self, "else");
      self->depth++;
      assign (self, node->buffer, place, self->wide ? "0.0" : "0.0f");
      self->depth--;
    }
  heddle_cuda_points_end (self, buffer, before);
}
