/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "codegen/base/names.h"
#include "codegen/cuda/axes.h"
#include "codegen/cuda/points.h"
#include "codegen/cuda/text.h"
#include "codegen/tensor/place.h"
#include "codegen/tile/program.h"
#include "codegen/tile/shifts.h"
#include "derive/index/extent.h"

/* This file gives the texts of places: lengths, indices and elements. */

void
heddle_tensor_use (HeddleTensorKernel *self, const char *section)
{
  g_hash_table_add (self->cuda.sections, (gpointer) section);
}

const HeddleCopyAtom *
heddle_tensor_use_copy (HeddleTensorKernel *self, HeddleCopyKind kind)
{
  const HeddleCopyAtom *atom = heddle_copy_atom (kind);

  for (guint i = 0; i < G_N_ELEMENTS (atom->sections) && atom->sections[i] != NULL; i++)
    heddle_tensor_use (self, atom->sections[i]);
  self->alignment = MAX (self->alignment, atom->alignment);
  return atom;
}

const char *
heddle_tensor_name (HeddleTensorKernel *self, guint tile)
{
  return heddle_names_buffer (self->cuda.names, tile);
}

char *
heddle_tensor_slot (HeddleTensorKernel *self, guint i, const char *slot)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);

  if (tile->slots == 1)
    return g_strdup (heddle_tensor_name (self, i));
  return g_strdup_printf (
      "%s + %s * %" G_GINT64_FORMAT, heddle_tensor_name (self, i), slot, tile->slot_bytes);
}

static const HeddleBuffer *
buffer_of (const HeddleTensorKernel *self, guint tile)
{
  return heddle_loop_program_get_buffer (self->tiles->program, tile);
}

static HeddleBandKind
band_of (const HeddleTensorKernel *self, const char *axis)
{
  if (self->tiles->stream != NULL && self->tiles->stream->axis == axis)
    return HEDDLE_BAND_STREAM;
  return heddle_loop_program_get_band (self->tiles->program, axis, HEDDLE_BAND_GROUP) != NULL
             ? HEDDLE_BAND_GROUP
             : HEDDLE_BAND_PROGRAM;
}

static gboolean
is_row (const HeddleTensorKernel *self, const char *axis)
{
  return heddle_ids_contain (self->tiles->rows, axis);
}

static gboolean
is_dealt (const HeddleTensorKernel *self, const char *axis)
{
  return self->tiles->dealt != NULL && heddle_ids_contain (self->tiles->dealt, axis);
}

/* --- lengths --- */

static gint64
extent_of (const HeddleTensorKernel *self, const char *axis, const char **name)
{
  static const HeddleExtent extents[] = { HEDDLE_EXTENT_FULL, HEDDLE_EXTENT_TILE, HEDDLE_EXTENT_CHUNK };
  HeddleBandKind band = band_of (self, axis);

  if (band == HEDDLE_BAND_PROGRAM)
    *name = heddle_names_axis (self->cuda.names, axis);
  else
    *name = heddle_names_of_axis (
        self->cuda.names, axis, band == HEDDLE_BAND_GROUP ? HEDDLE_NAME_TILE : HEDDLE_NAME_CHUNK);
  return heddle_loop_program_extent (self->tiles->program, self->tiles->sizes, axis, extents[band]);
}

gint64
heddle_tensor_extent (const HeddleTensorKernel *self, const char *axis)
{
  const char *name;

  return extent_of (self, axis, &name);
}

char *
heddle_tensor_length (HeddleTensorKernel *self, const char *side, gint64 n)
{
  const char *name;

  if (side == heddle_tile_rows && self->tiles->rows->len == 1)
    side = heddle_ids_index (self->tiles->rows, 0);
  if (side != heddle_tile_rows && extent_of (self, side, &name) == n)
    return g_strdup (name);
  return g_strdup_printf ("%" G_GINT64_FORMAT, n);
}

static const char *
axis_count (HeddleTensorKernel *self, const char *axis)
{
  return band_of (self, axis) == HEDDLE_BAND_PROGRAM
             ? heddle_names_axis (self->cuda.names, axis)
             : heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_COUNT);
}

char *
heddle_tensor_count (HeddleTensorKernel *self, const char *side)
{
  GString *text;

  if (side != heddle_tile_rows)
    return g_strdup (axis_count (self, side));
  if (self->tiles->dealt != NULL)
    return g_strdup ("n_dealt");
  text = g_string_new (NULL);
  for (guint i = 0; i < self->tiles->rows->len; i++)
    g_string_append_printf (
        text, "%s%s", i > 0 ? " * " : "", axis_count (self, heddle_ids_index (self->tiles->rows, i)));
  if (text->len == 0)
    g_string_append (text, "1");
  return g_string_free (text, FALSE);
}

/* --- arrays in global memory --- */

static gboolean
is_in_side (const HeddleTensorKernel *self, const char *axis, const char *side)
{
  return side == heddle_tile_rows ? is_row (self, axis) : axis == side;
}

/* Returns whether an axis of an array is counted by the group, the step or the current tap; the beginnings of
 * windows are computed elsewhere, and rows that are dealt out have places of their own. */
static gboolean
is_counted (const HeddleTensorKernel *self, const HeddleBuffer *buffer, guint i)
{
  const char *axis = heddle_ids_index (buffer->axes, i);

  if (heddle_buffer_extent (buffer, i) == HEDDLE_EXTENT_WINDOW || is_dealt (self, axis))
    return FALSE;
  return band_of (self, axis) != HEDDLE_BAND_PROGRAM
         || (self->tiles->taps != NULL && heddle_ids_contain (self->tiles->taps, axis));
}

static const char *
block_index (const char *axis, gpointer data)
{
  HeddleTensorKernel *self = data;

  return band_of (self, axis) != HEDDLE_BAND_PROGRAM
             ? heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_BEGIN)
             : "0";
}

char *
heddle_tensor_shift (HeddleTensorKernel *self, const HeddleBuffer *buffer, guint k)
{
  const HeddleExpr *shift = heddle_tile_shift (self->tiles, buffer, k);
  HeddleCudaContext context
      = { .names = self->cuda.names, .index = block_index, .data = self, .sections = self->cuda.sections };

  return shift != NULL ? heddle_cuda_whole (&context, shift) : NULL;
}

/* Returns the two as a sum, or the one that there is; NULL where there is none. Takes @shift. */
static char *
add_shift (const char *begin, char *shift)
{
  char *sum;

  if (begin == NULL || shift == NULL)
    return shift != NULL ? shift : g_strdup (begin);
  sum = g_strdup_printf ("%s + %s", begin, shift);
  g_free (shift);
  return sum;
}

const char *
heddle_tensor_size (HeddleTensorKernel *self, const HeddleBuffer *buffer, guint k)
{
  return heddle_names_axis (self->cuda.names, heddle_tile_array_axis (self->tiles, buffer, k));
}

gboolean
heddle_tensor_size_at_run_time (HeddleTensorKernel *self, const HeddleBuffer *buffer, guint k)
{
  const char *axis = heddle_tile_array_axis (self->tiles, buffer, k);
  gboolean shifted = heddle_tile_shift (self->tiles, buffer, k) != NULL;

  return heddle_cuda_axis_at_run_time (shifted ? self->cuda.program : self->tiles->program, axis);
}

/* Returns whether what is read at the shift along axis @k is inside the array whatever the arguments are. */
static gboolean
is_inside_always (HeddleTensorKernel *self, const HeddleBuffer *buffer, guint k)
{
  g_autoptr (GPtrArray) one = g_ptr_array_new ();
  g_autoptr (GArray) axes = NULL;
  HeddleExpr *shift = heddle_tile_shift (self->tiles, buffer, k);

  if (shift == NULL)
    return TRUE;
  g_ptr_array_add (one, shift);
  axes = heddle_window_axes (one);
  heddle_ids_append (axes, heddle_ids_index (buffer->axes, k));
  heddle_ids_append (axes, heddle_tile_array_axis (self->tiles, buffer, k));
  for (guint i = 0; i < axes->len; i++)
    if (heddle_cuda_axis_at_run_time (self->cuda.program, heddle_ids_index (axes, i)))
      return FALSE;
  return TRUE;
}

/* Returns the place along the array's axis @k at which the tile begins; NULL if that is 0. Newly allocated. */
static char *
begin_along (HeddleTensorKernel *self, const HeddleBuffer *buffer, guint k)
{
  const char *axis = heddle_ids_index (buffer->axes, k);
  gboolean counted = is_counted (self, buffer, k);

  return add_shift (counted ? heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_BEGIN) : NULL,
      heddle_tensor_shift (self, buffer, k));
}

char *
heddle_tensor_count_of (HeddleTensorKernel *self, const HeddleBuffer *buffer, const char *side)
{
  char *count = heddle_tensor_count (self, side);

  for (guint k = 0; k < buffer->axes->len; k++)
    {
      g_autofree char *begin = begin_along (self, buffer, k), *whole = NULL;
      gboolean moves = heddle_buffer_extent (buffer, k) != HEDDLE_EXTENT_WINDOW;

      if (is_inside_always (self, buffer, k)
          || (moves && !is_in_side (self, heddle_ids_index (buffer->axes, k), side)))
        continue;
      whole = count;
      heddle_tensor_use (self, "window");
      count = moves ? g_strdup_printf ("window_count (%s, %s + %s - 1, %s)", begin, begin, whole,
                  heddle_tensor_size (self, buffer, k))
                    : g_strdup_printf (
                        "(%s < %s ? %s : 0)", begin, heddle_tensor_size (self, buffer, k), whole);
    }
  return count;
}

/* Returns the number of the part of a split axis that the group works on. */
static char *
part_number (const HeddleTensorKernel *self)
{
  const char *split = self->tiles->program->split;

  return g_strdup_printf ("%s / %s", heddle_names_of_axis (self->cuda.names, split, HEDDLE_NAME_FIRST),
      heddle_names_of_axis (self->cuda.names, split, HEDDLE_NAME_TILE));
}

/* Returns the beginning as y_0 * k, with the sizes of the axes after it, in Horner's form; an axis without a
 * loop counts from 0. */
char *
heddle_tensor_begin (HeddleTensorKernel *self, const HeddleBuffer *buffer, gboolean partial)
{
  g_autofree char *text = partial ? part_number (self) : NULL;

  for (guint i = 0; i < buffer->axes->len; i++)
    {
      g_autofree char *begin = begin_along (self, buffer, i);
      char *next;

      if (text == NULL)
        next = g_strdup (begin);
      else
        next = g_strdup_printf (strchr (text, '+') != NULL ? "(%s) * %s%s%s" : "%s * %s%s%s", text,
            heddle_tensor_size (self, buffer, i), begin ? " + " : "", begin ? begin : "");
      g_free (text);
      text = next;
    }
  return text != NULL ? g_steal_pointer (&text) : g_strdup ("0");
}

char *
heddle_tensor_stride (HeddleTensorKernel *self, const HeddleBuffer *buffer, const char *side)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint last = 0;

  if (side == heddle_tile_rows && self->tiles->rows->len == 0)
    return g_strdup ("0"); /* there is no second one */
  for (guint i = 0; i < buffer->axes->len; i++)
    if (is_in_side (self, heddle_ids_index (buffer->axes, i), side)
        && (!is_row (self, heddle_ids_index (buffer->axes, i)) || side == heddle_tile_rows))
      last = i + 1;
  for (guint i = last; i < buffer->axes->len; i++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " * " : "", heddle_tensor_size (self, buffer, i));
  return g_strdup (text->len > 0 ? text->str : "1");
}

char *
heddle_tensor_dealt_place (HeddleTensorKernel *self, const HeddleBuffer *buffer, const char *row)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint k = 0; k < buffer->axes->len; k++)
    {
      const char *axis = heddle_ids_index (buffer->axes, k);

      if (!is_dealt (self, axis))
        continue;
      g_string_append_printf (text, "%s%s[%s]", text->len > 0 ? " + " : "",
          heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_DEALT), row);
      for (guint i = k + 1; i < buffer->axes->len; i++)
        g_string_append_printf (text, " * %s", heddle_tensor_size (self, buffer, i));
    }
  return g_strdup (text->str);
}

const char *
heddle_tensor_last (HeddleTensorKernel *self, const HeddleBuffer *buffer, const char *side)
{
  const char *last = buffer->axes->len > 0 ? heddle_ids_index (buffer->axes, buffer->axes->len - 1) : NULL;

  return last != NULL && side != NULL && is_in_side (self, last, side) ? last : NULL;
}

/* --- the point at hand --- */

char *
heddle_tensor_row (HeddleTensorKernel *self)
{
  const char *half = self->half;

  return g_strdup_printf (self->tiles->tiles_down > 1 ? "row + 16 * m16 + 8 * %s%s%s" : "row + 8 * %s%s%s",
      strchr (half, ' ') ? "(" : "", half, strchr (half, ' ') ? ")" : "");
}

char *
heddle_tensor_column (HeddleTensorKernel *self, const char *axis)
{
  gboolean split = axis == self->tiles->split && self->tiles->warps_along > 1;

  return g_strdup_printf ("%scolumn + 8 * n8 + e4 %% 2", split ? "warp_column + " : "");
}

/* Returns the test whether the current column is inside the array: what is known before the kernel runs
 * stands on one side. */
char *
heddle_tensor_inside (HeddleTensorKernel *self, const char *axis, const char *sign)
{
  gboolean split = axis == self->tiles->split && self->tiles->warps_along > 1;
  g_autofree char *count = heddle_tensor_count (self, axis);

  return g_strdup_printf ("8 * n8 + e4 %% 2 %s %s - %scolumn", sign, count, split ? "warp_column - " : "");
}

/* Returns the index of a row axis: rows run over several axes with the last one fastest. */
static char *
row_index (HeddleTensorKernel *self, const char *axis)
{
  g_autofree char *row = heddle_tensor_row (self);
  const GArray *rows = self->tiles->rows;
  gint64 behind = 1, n = 1;
  const char *name;
  guint i = (guint) heddle_ids_find (rows, axis);

  for (guint k = i + 1; k < rows->len; k++)
    behind *= extent_of (self, heddle_ids_index (rows, k), &name);
  n = extent_of (self, axis, &name);
  if (rows->len == 1)
    return g_steal_pointer (&row);
  if (i == 0)
    return g_strdup_printf ("(%s) / %" G_GINT64_FORMAT, row, behind);
  if (behind == 1)
    return g_strdup_printf ("(%s) %% %" G_GINT64_FORMAT, row, n);
  return g_strdup_printf ("(%s) / %" G_GINT64_FORMAT " %% %" G_GINT64_FORMAT, row, behind, n);
}

/* Returns the test whether the row is inside: rows of a box are if each of their axes is. */
char *
heddle_tensor_row_inside (HeddleTensorKernel *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (!self->tiles->boxed)
    {
      g_autofree char *row = heddle_tensor_row (self), *count = heddle_tensor_count (self, heddle_tile_rows);

      return g_strdup_printf ("%s < %s", row, count);
    }
  for (guint i = 0; i < self->tiles->rows->len; i++)
    {
      const char *axis = heddle_ids_index (self->tiles->rows, i);
      g_autofree char *index = row_index (self, axis);

      g_string_append_printf (text, "%s%s < %s", i > 0 ? " && " : "", index, axis_count (self, axis));
    }
  return g_strdup (text->str);
}

/* Returns the index along an axis in its array; @along is the axis of the current columns. Returns %NULL if
 * the point has none. */
static char *
global_index (HeddleTensorKernel *self, const char *axis, const char *along)
{
  const char *begin = band_of (self, axis) != HEDDLE_BAND_PROGRAM
                          ? heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_BEGIN)
                          : NULL;
  g_autofree char *row = is_dealt (self, axis) ? heddle_tensor_row (self) : NULL;
  g_autofree char *local = row != NULL           ? NULL
                           : is_row (self, axis) ? row_index (self, axis)
                           : axis == along       ? heddle_tensor_column (self, axis)
                                                 : NULL;

  if (row != NULL)
    return g_strdup_printf ("%s[%s]", heddle_names_of_axis (self->cuda.names, axis, HEDDLE_NAME_DEALT), row);
  if (local == NULL)
    return g_strdup (begin != NULL ? begin : "0");
  return begin != NULL ? g_strdup_printf ("%s + %s", begin, local) : g_steal_pointer (&local);
}

/* Returns the place of a row, as O[(y_0 + i) * k + …]: evenly spaced rows by their stride, rows of a box and
 * those that are dealt out axis by axis. */
char *
heddle_tensor_row_place (HeddleTensorKernel *self, const HeddleBuffer *buffer, gboolean partial)
{
  g_autoptr (GString) text = NULL;
  g_autofree char *begin = NULL, *row = NULL, *stride = NULL;

  if (!self->tiles->boxed && self->tiles->dealt == NULL)
    {
      begin = heddle_tensor_begin (self, buffer, partial);
      if (self->tiles->rows->len == 0)
        return g_steal_pointer (&begin);
      row = heddle_tensor_row (self);
      stride = heddle_tensor_stride (self, buffer, heddle_tile_rows);
      return g_strdup_printf ("%s + (%s) * %s", begin, row, stride);
    }
  begin = partial ? part_number (self) : NULL;
  text = g_string_new (begin);
  for (guint k = 0; k < buffer->axes->len; k++)
    {
      const char *axis = heddle_ids_index (buffer->axes, k);
      g_autofree char *index = global_index (self, axis, NULL);

      if (strchr (text->str, '+') != NULL)
        {
          g_string_prepend_c (text, '(');
          g_string_append_c (text, ')');
        }
      if (text->len > 0)
        g_string_append_printf (text, " * %s + ", heddle_names_axis (self->cuda.names, axis));
      g_string_append (text, index);
    }
  return g_strdup (text->str);
}

char *
heddle_tensor_element (HeddleTensorKernel *self, guint i)
{
  const HeddleTensorTile *tile = heddle_tile_root (self->tiles, heddle_tile_program_get (self->tiles, i));
  const char *m16 = self->tiles->tiles_down > 1 ? "[m16]" : "";

  if (tile->place == HEDDLE_TILE_ROW)
    return g_strdup_printf ("%s%s[%s]", heddle_tensor_name (self, tile->buffer), m16, self->half);
  return g_strdup_printf (
      "%s%s%s[n8][e4]", heddle_tensor_name (self, tile->buffer), tile->unpacked ? "_values" : "", m16);
}

/* Returns the condition that the point is inside an array that is read element by element. */
static char *
inside_text (HeddleTensorKernel *self, const HeddleBuffer *buffer, const char *along)
{
  GString *text = g_string_new (NULL);
  gboolean rows = FALSE;

  for (guint i = 0; i < buffer->axes->len; i++)
    {
      const char *axis = heddle_ids_index (buffer->axes, i);
      gboolean row = is_row (self, axis), first = row && !rows;
      g_autofree char *inside
          = row ? heddle_tensor_row_inside (self) : heddle_tensor_inside (self, axis, "<");

      rows |= row;
      if (first || axis == along)
        g_string_append_printf (text, "%s%s", text->len > 0 ? " && " : "", inside);
      if (!is_inside_always (self, buffer, i))
        {
          g_autofree char *own = global_index (self, axis, along),
                          *index = add_shift (own, heddle_tensor_shift (self, buffer, i));

          g_string_append_printf (
              text, "%s%s < %s", text->len > 0 ? " && " : "", index, heddle_tensor_size (self, buffer, i));
        }
    }
  return g_string_free (text, FALSE);
}

static char *
global_element (HeddleTensorKernel *self, guint i, const char *along)
{
  const HeddleBuffer *buffer = buffer_of (self, i);
  g_autofree char *inside = inside_text (self, buffer, along), *place = NULL, *value = NULL;
  g_autoptr (GString) at = g_string_new (NULL);
  const char *load, *store;

  for (guint k = 0; k < buffer->axes->len; k++)
    {
      const char *axis = heddle_ids_index (buffer->axes, k);
      g_autofree char *own = global_index (self, axis, along),
                      *index = add_shift (own, heddle_tensor_shift (self, buffer, k));

      if (k > 0)
        {
          g_string_prepend (at, "(");
          g_string_append_printf (at, ") * %s + ", heddle_tensor_size (self, buffer, k));
        }
      g_string_append (at, index);
    }
  place = g_strdup_printf (
      "%s[%s]", heddle_names_value (self->cuda.names, buffer->value), at->len > 0 ? at->str : "0");
  if (heddle_cuda_packed (buffer->dtype, &load, &store))
    {
      heddle_tensor_use (self, load);
      value = g_strdup_printf ("load (%s)", place);
    }
  else
    value = g_strdup_printf ("float (%s)", place);
  return *inside ? g_strdup_printf ("(%s ? %s : 0.0f)", inside, value) : g_steal_pointer (&value);
}

/* Returns an element as f32, where @along are the current columns (%NULL: the current row). */
static char *
tensor_source (HeddleTensorKernel *self, guint i, const char *along)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  g_autofree char *element = NULL, *factor = NULL;
  HeddleCudaContext context = { .names = self->cuda.names, .sections = self->cuda.sections };

  if (tile->place == HEDDLE_TILE_GLOBAL
      || (tile->place == HEDDLE_TILE_SHARED && !(tile->unpacked && along == tile->along)))
    return global_element (self, i, along);
  if (tile->place == HEDDLE_TILE_COLUMN)
    {
      g_autofree char *column = heddle_tensor_column (self, tile->along);

      return g_strdup_printf ("%s[%s]", heddle_tensor_name (self, i), column);
    }
  element = heddle_tensor_element (self, i);
  if (tile->scale == NULL)
    return g_steal_pointer (&element);
  factor = heddle_cuda_factor (&context, tile->scale);
  return g_strdup_printf ("(%s * %s)", factor, element);
}

/* Keeps a text until the next point. */
static const char *
keep (HeddleTensorKernel *self, char *text)
{
  g_ptr_array_add (self->cuda.arguments, text);
  return text;
}

static const char *
argument_text (guint i, gpointer data)
{
  HeddleTensorKernel *self = data;

  return keep (self, tensor_source (self, g_array_index (self->cuda.node->sources, guint, i), self->along));
}

static const char *
index_text (const char *axis, gpointer data)
{
  HeddleTensorKernel *self = data;

  return keep (self, global_index (self, axis, self->along));
}

/* Returns whether the source has one value a row, the same for all of its columns. */
static gboolean
is_of_row (guint i, gpointer data)
{
  HeddleTensorKernel *self = data;

  return heddle_tile_program_get (self->tiles, g_array_index (self->cuda.node->sources, guint, i))->place
         == HEDDLE_TILE_ROW;
}

HeddleCudaContext
heddle_tensor_context (HeddleTensorKernel *self, const HeddleNode *node, const char *along)
{
  g_ptr_array_set_size (self->cuda.arguments, 0);
  self->cuda.node = node;
  self->along = along;
  return (HeddleCudaContext){ self->cuda.names, FALSE, argument_text, index_text, self, self->cuda.sections,
    NULL, self->cuda.coarse, is_of_row };
}

/* --- loops --- */

guint
heddle_tensor_loop (HeddleTensorKernel *self, const char *name, const char *end, const char *step)
{
  heddle_cuda_line (&self->cuda, "#pragma unroll");
  heddle_cuda_line (&self->cuda,
      g_str_equal (step, "1") ? "for (int %s = 0; %s < %s; ++%s)" : "for (int %s = 0; %s < %s; %s += %s)",
      name, name, end, name, step);
  self->cuda.depth++;
  return 1;
}

guint
heddle_tensor_rows_loop (HeddleTensorKernel *self)
{
  g_autofree char *n = g_strdup_printf ("%u", self->tiles->tiles_down);

  return self->tiles->tiles_down > 1 ? heddle_tensor_loop (self, "m16", n, "1") : 0;
}

/* Opens the loops over a warp's elements of a fragment, or over its rows. */
guint
heddle_tensor_element_loops (HeddleTensorKernel *self, const HeddleTensorTile *tile)
{
  guint n = heddle_tensor_rows_loop (self);
  g_autofree char *columns = NULL, *tiles = NULL;

  if (tile->along == NULL)
    {
      self->half = HEDDLE_TENSOR_BY_ROW;
      return n + heddle_tensor_loop (self, "half", "2", "1");
    }
  self->half = HEDDLE_TENSOR_BY_ELEMENT;
  columns = heddle_tensor_length (self, tile->along, heddle_tile_columns (self->tiles, tile));
  tiles = g_strdup_printf ("%s / 8", columns);
  return n + heddle_tensor_loop (self, "n8", tiles, "1") + heddle_tensor_loop (self, "e4", "4", "1");
}

void
heddle_tensor_close (HeddleTensorKernel *self, guint n)
{
  self->cuda.depth -= n;
}

void
heddle_tensor_block (HeddleTensorKernel *self)
{
  heddle_cuda_line (&self->cuda, "{");
  self->cuda.depth++;
}

void
heddle_tensor_end_block (HeddleTensorKernel *self)
{
  self->cuda.depth--;
  heddle_cuda_line (&self->cuda, "}");
}
