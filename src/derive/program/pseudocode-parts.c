/* SPDX-License-Identifier: MIT */
#include "derive/index/extent.h"
#include "derive/index/window-sum.h"
#include "derive/index/window.h"
#include "derive/machine/machine.h"
#include "derive/program/pseudocode-names.h"
#include "derive/program/pseudocode-parts.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

/* The marks of loops at lower levels: q₀, q₀′, q₀″. */
const char *const heddle_listing_primes[HEDDLE_MAX_LEVELS] = { "", "′", "″", "‴" };

/* Returns the loop whose tiles or chunks move a window along @axis; NULL if there is none. */
static const HeddleNode *
loop_of (const HeddleListing *self, const char *axis, guint depth)
{
  const HeddleNode *stream = heddle_loop_program_get_band_at (self->program, axis, HEDDLE_BAND_STREAM, depth);

  return stream != NULL ? stream
                        : heddle_loop_program_get_band_at (self->program, axis, HEDDLE_BAND_GROUP, depth);
}

/* Prints the multiple that is added to a bound, as 2*y₀. */
static void
print_multiple (HeddleListing *self, GString *text, const HeddleNode *band, gint64 factor)
{
  if (text->len > 0 || factor < 0)
    g_string_append (text, factor < 0 ? "-" : "+");
  if (ABS (factor) != 1)
    g_string_append_printf (text, "%" G_GINT64_FORMAT "*", ABS (factor));
  g_string_append_printf (
      text, "%s₀%s", heddle_listing_axis_name (self, band->axis), heddle_listing_primes[band->depth]);
}

/* Prints a window as 2*y₀-3 : 2*y₀+114, cut to the array; an index that is no sum is printed as it is
 * read. */
static void
print_window (HeddleListing *self, const HeddleBuffer *buffer, guint i)
{
  const GPtrArray *exprs = g_ptr_array_index (buffer->windows, i);
  g_autoptr (HeddleWindowSum) sum = self->sizes != NULL ? heddle_window_sum_new (exprs, self->sizes) : NULL;
  g_autoptr (GString) loops = g_string_new (NULL);
  gint64 least, length;

  if (sum == NULL)
    {
      g_autofree char *index = heddle_listing_expr (self, NULL, g_ptr_array_index (exprs, 0));

      g_string_append (self->text, index);
      return;
    }
  least = sum->offset;
  length = sum->spread + 1;
  for (guint k = 0; k < sum->axes->len; k++)
    {
      const char *axis = heddle_ids_index (sum->axes, k);
      gint64 factor = g_array_index (sum->factors, gint64, k), n = heddle_sizes_get (self->sizes, axis);
      const HeddleNode *band = loop_of (self, axis, buffer->depth);

      n = band != NULL ? MIN (n, band->size) : n;
      length += ABS (factor) * (n - 1);
      least += MIN (factor, 0) * (n - 1);
      if (band != NULL)
        print_multiple (self, loops, band, factor);
    }
  for (guint k = 0; k < 2; k++)
    {
      gint64 bound = k == 0 ? least : least + length;

      g_string_append (self->text, k == 0 ? "" : " : ");
      g_string_append (self->text, loops->str);
      if (loops->len == 0 || bound != 0)
        g_string_append_printf (
            self->text, loops->len > 0 ? "%+" G_GINT64_FORMAT : "%" G_GINT64_FORMAT, bound);
    }
}

/* Prints what is held of an axis, as q₀ : q₀+373, or : for a whole axis. */
static void
print_held (HeddleListing *self, const HeddleBuffer *buffer, guint i)
{
  const char *axis = heddle_ids_index (buffer->axes, i), *name = heddle_listing_axis_name (self, axis);
  HeddleExtent extent = g_array_index (buffer->extents, HeddleExtent, i);
  const HeddleNode *band = NULL;

  if (extent == HEDDLE_EXTENT_WINDOW)
    {
      print_window (self, buffer, i);
      return;
    }
  if (extent != HEDDLE_EXTENT_FULL)
    band = heddle_loop_program_get_band_at (self->program, axis,
        extent == HEDDLE_EXTENT_TILE ? HEDDLE_BAND_GROUP : HEDDLE_BAND_STREAM, buffer->depth);
  if (band == NULL)
    g_string_append_c (self->text, ':');
  else
    g_string_append_printf (self->text, "%s₀%s : %s₀%s+%" G_GINT64_FORMAT, name,
        heddle_listing_primes[band->depth], name, heddle_listing_primes[band->depth], band->size);
}

void
heddle_listing_print_gathered (HeddleListing *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  g_autofree char *label = heddle_diagram_value_label (self->program->diagram, buffer->value);

  g_string_append (self->text, label);
  for (guint i = 0; i < node->at->len; i++)
    {
      const HeddleExpr *at = g_ptr_array_index (node->at, i);
      const char *axis = heddle_expr_get_kind (at) == HEDDLE_EXPR_INDEX ? heddle_expr_get_symbol (at) : NULL;
      g_autofree char *index = heddle_listing_expr (self, node, at);
      int own = axis != NULL ? heddle_ids_find (buffer->axes, axis) : -1;

      g_string_append (self->text, i == 0 ? "[" : ", ");
      if (own >= 0)
        print_held (self, buffer, (guint) own);
      else
        g_string_append (self->text, index);
    }
  g_string_append (self->text, node->at->len > 0 ? "]" : "");
}

void
heddle_listing_print_held (HeddleListing *self, const HeddleBuffer *buffer, gboolean more)
{
  for (guint i = 0; i < buffer->axes->len; i++)
    {
      g_string_append (self->text, i == 0 && !more ? "[" : ", ");
      print_held (self, buffer, i);
    }
  g_string_append (self->text, buffer->axes->len > 0 ? "]" : "");
}

void
heddle_listing_print_part (HeddleListing *self, const HeddleNode *node)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, node->buffer);
  const char *partial = node->partial;
  g_autofree char *label
      = node->upper != HEDDLE_GLOBAL
            ? g_strdup (heddle_listing_buffer_name (self, node->upper))
            : heddle_diagram_value_label (self->program->diagram, partial != NULL ? partial : buffer->value);

  g_string_append (self->text, label);
  if (partial != NULL)
    g_string_append_printf (self->text, "[%s′/%" G_GINT64_FORMAT "%s",
        heddle_listing_axis_name (self, self->program->split), self->program->split_size,
        buffer->axes->len > 0 ? "" : "]");
  heddle_listing_print_held (self, buffer, partial != NULL);
}
