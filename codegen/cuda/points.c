/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "codegen/cuda/axes.h"
#include "codegen/cuda/points.h"
#include "codegen/cuda/register-tile.h"
#include "codegen/cuda/text.h"
#include "derive/program/windows.h"
#include "diagram/expression/tree.h"

/* A statement is a loop of the block's threads over the points of a buffer. A point of a buffer is always the
 * same thread's, so that a buffer made in place of another is safe. */

/* The variable that goes through the points; no axis or value is called so. */
#define LOOP "at"
/* The points of a thread that are read before one is written. */
#define BATCH 4u

HeddleExtent
heddle_buffer_extent (const HeddleBuffer *buffer, guint axis)
{
  return g_array_index (buffer->extents, HeddleExtent, axis);
}

/* Returns the number of a buffer; HEDDLE_NO_BUFFER if it only stands for the points of a statement. */
static guint
number_of (const HeddleCudaKernel *self, const HeddleBuffer *buffer)
{
  guint number = 0;

  while (number < self->program->buffers->len
         && heddle_loop_program_get_buffer (self->program, number) != buffer)
    number++;
  return number;
}

/* Returns how many elements the buffer is padded with along its axis @i. */
static gint64
padding_of (const HeddleCudaKernel *self, const HeddleBuffer *buffer, guint i)
{
  guint number = self->tiles != NULL ? number_of (self, buffer) : 0;

  if (self->tiles == NULL || number == self->program->buffers->len)
    return 0;
  return heddle_register_tiles_pitch (self->tiles, number, i)
         - heddle_register_tiles_extent (self->tiles, number, i);
}

/* Returns how much of an axis a buffer is laid out for, as text. */
static const char *
extent_text (HeddleCudaKernel *self, const HeddleBuffer *buffer, guint i)
{
  const char *axis = heddle_ids_index (buffer->axes, i);

  switch (heddle_buffer_extent (buffer, i))
    {
    case HEDDLE_EXTENT_TILE:
      return heddle_names_of_axis (self->names, axis, HEDDLE_NAME_TILE);
    case HEDDLE_EXTENT_CHUNK:
      return heddle_names_of_axis (self->names, axis, HEDDLE_NAME_CHUNK);
    case HEDDLE_EXTENT_WINDOW:
      return heddle_cuda_window_name (self, buffer, i, HEDDLE_NAME_TILE);
    case HEDDLE_EXTENT_FULL:
    default:
      return heddle_names_axis (self->names, axis);
    }
}

/* Returns the distance of a buffer's rows: the extent it is laid out for, and padding. */
static const char *
pitch_text (HeddleCudaKernel *self, const HeddleBuffer *buffer, guint i)
{
  const char *extent = extent_text (self, buffer, i);
  gint64 padding = padding_of (self, buffer, i);
  g_autofree char *padded = NULL;

  if (padding == 0)
    return extent;
  padded = g_strdup_printf ("(%s + %" G_GINT64_FORMAT ")", extent, padding);
  return g_intern_string (padded);
}

/* Returns how much a buffer has along its axis @i. */
static const char *
count_text (HeddleCudaKernel *self, const HeddleBuffer *buffer, guint i)
{
  HeddleExtent extent = heddle_buffer_extent (buffer, i);

  return extent == HEDDLE_EXTENT_WINDOW
             ? heddle_cuda_window_name (self, buffer, i, HEDDLE_NAME_COUNT)
             : heddle_cuda_count (self, heddle_ids_index (buffer->axes, i), extent);
}

const char *
heddle_cuda_count (HeddleCudaKernel *self, const char *axis, HeddleExtent extent)
{
  return extent == HEDDLE_EXTENT_FULL ? heddle_names_axis (self->names, axis)
                                      : heddle_names_of_axis (self->names, axis, HEDDLE_NAME_COUNT);
}

static const char *
index_text (HeddleCudaKernel *self, const char *axis)
{
  return heddle_names_of_axis (self->names, axis, HEDDLE_NAME_INDEX);
}

void
heddle_cuda_define_index (HeddleCudaKernel *self, const char *axis, HeddleExtent extent)
{
  const char *begin = heddle_names_of_axis (self->names, axis, HEDDLE_NAME_BEGIN);
  const char *index = index_text (self, axis);

  g_hash_table_insert (self->extents, (gpointer) axis, GUINT_TO_POINTER (extent + 1));
  g_hash_table_insert (self->indices, (gpointer) axis,
      extent == HEDDLE_EXTENT_FULL ? g_strdup (index) : g_strdup_printf ("%s + %s", begin, index));
}

/* Returns the index along an axis at the point, in a buffer that holds @extent of it. */
static char *
cuda_local_index (HeddleCudaKernel *self, const char *axis, HeddleExtent extent)
{
  guint at_point = GPOINTER_TO_UINT (g_hash_table_lookup (self->extents, axis));

  g_assert (at_point > 0);
  if (at_point == extent + 1)
    return g_strdup (index_text (self, axis));
  if (extent == HEDDLE_EXTENT_FULL)
    return g_strdup (g_hash_table_lookup (self->indices, axis));
  return g_strdup_printf (
      "%s - %s", index_text (self, axis), heddle_names_of_axis (self->names, axis, HEDDLE_NAME_BEGIN));
}

/* Returns whether the current points lie along their axis @axis as the buffer does along its own axis @i, in
 * the same window. */
static gboolean
is_window_of_points (const HeddleCudaKernel *self, const HeddleBuffer *buffer, guint i)
{
  int own = heddle_ids_find (self->points->axes, heddle_ids_index (buffer->axes, i));
  const GPtrArray *window = g_ptr_array_index (buffer->windows, i), *other;

  if (buffer == self->points)
    return TRUE;
  if (own < 0 || heddle_buffer_extent (self->points, (guint) own) != HEDDLE_EXTENT_WINDOW)
    return FALSE;
  other = g_ptr_array_index (self->points->windows, (guint) own);
  for (guint k = 0; k < window->len && k < other->len; k++)
    if (!heddle_expr_equal (g_ptr_array_index (window, k), g_ptr_array_index (other, k)))
      return FALSE;
  return window->len == other->len;
}

char *
heddle_cuda_index_in (HeddleCudaKernel *self, const HeddleBuffer *buffer, guint i)
{
  const char *axis = heddle_ids_index (buffer->axes, i);
  HeddleExtent extent = heddle_buffer_extent (buffer, i);
  guint at_point = GPOINTER_TO_UINT (g_hash_table_lookup (self->extents, axis));
  const char *global = g_hash_table_lookup (self->indices, axis);

  if (extent == HEDDLE_EXTENT_WINDOW)
    return is_window_of_points (self, buffer, i)
               ? g_strdup (index_text (self, axis))
               : g_strdup_printf (
                   "int (%s - %s)", global, heddle_cuda_window_name (self, buffer, i, HEDDLE_NAME_BEGIN));
  if (at_point == HEDDLE_EXTENT_WINDOW + 1 && extent != HEDDLE_EXTENT_FULL)
    return g_strdup_printf (
        "int (%s - %s)", global, heddle_names_of_axis (self->names, axis, HEDDLE_NAME_BEGIN));
  return cuda_local_index (self, axis, extent);
}

/* Returns the row-major offset (a * B + b) * C + c …, made of the texts of the indices and the lengths. */
static char *
offset_text (GPtrArray *indices, GPtrArray *lengths)
{
  g_autoptr (GString) text = g_string_new (indices->len == 0 ? "0" : NULL);

  for (guint i = 0; i < indices->len; i++)
    {
      if (i > 0 && strchr (text->str, ' ') != NULL)
        {
          g_string_prepend_c (text, '(');
          g_string_append_c (text, ')');
        }
      if (i > 0)
        g_string_append_printf (text, " * %s + ", (const char *) g_ptr_array_index (lengths, i));
      g_string_append (text, g_ptr_array_index (indices, i));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
heddle_cuda_offset (HeddleCudaKernel *self, const HeddleBuffer *buffer, GPtrArray *indices)
{
  g_autoptr (GPtrArray) lengths = g_ptr_array_new ();

  for (guint i = 0; i < buffer->axes->len; i++)
    g_ptr_array_add (lengths, (gpointer) pitch_text (self, buffer, i));
  return offset_text (indices, lengths);
}

static gboolean
is_whole (const HeddleBuffer *buffer)
{
  for (guint i = 0; i < buffer->axes->len; i++)
    if (heddle_buffer_extent (buffer, i) != HEDDLE_EXTENT_FULL)
      return FALSE;
  return TRUE;
}

/* Returns the offset of the point in the global array. The array's axes are the buffer's, by position.
 * Offsets are 64 bits wide unless the whole array lies in the buffer. */
char *
heddle_cuda_global_offset (HeddleCudaKernel *self, const HeddleBuffer *buffer, gboolean partial)
{
  const char *split = self->program->split;
  g_autoptr (GPtrArray) lengths = g_ptr_array_new ();
  g_autoptr (GPtrArray) indices = g_ptr_array_new_with_free_func (g_free);

  if (partial)
    {
      g_ptr_array_add (lengths, (gpointer) "");
      g_ptr_array_add (
          indices, g_strdup_printf ("%s / %s", heddle_names_of_axis (self->names, split, HEDDLE_NAME_FIRST),
                       heddle_names_of_axis (self->names, split, HEDDLE_NAME_TILE)));
    }

  for (guint i = 0; i < buffer->axes->len; i++)
    {
      const char *axis = heddle_ids_index (buffer->axes, i);
      const char *index = g_hash_table_lookup (self->indices, axis);
      gboolean narrow = i == 0 && !partial && !is_whole (buffer)
                        && heddle_buffer_extent (buffer, 0) == HEDDLE_EXTENT_FULL;

      g_ptr_array_add (lengths, (gpointer) heddle_names_axis (self->names, axis));
      g_ptr_array_add (indices, g_strdup_printf (narrow ? "(long long) %s" : "%s", index));
    }
  return offset_text (indices, lengths);
}

static gboolean
has_own_loop (const HeddleBuffer *buffer)
{
  return buffer->axes->len == 1;
}

static gboolean
is_padded (const HeddleCudaKernel *self, const HeddleBuffer *buffer)
{
  for (guint i = 0; i < buffer->axes->len; i++)
    if (padding_of (self, buffer, i) > 0)
      return TRUE;
  return FALSE;
}

/* Returns the element by its indices, for points that lie closer together than the buffer's elements. */
static char *
padded_element (HeddleCudaKernel *self, guint buffer_index)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, buffer_index);
  g_autoptr (GPtrArray) indices = g_ptr_array_new ();
  g_autofree char *offset = NULL;

  for (guint i = 0; i < buffer->axes->len; i++)
    g_ptr_array_add (indices, (gpointer) index_text (self, heddle_ids_index (buffer->axes, i)));
  offset = heddle_cuda_offset (self, buffer, indices);
  return g_strdup_printf ("%s[%s]", heddle_names_buffer (self->names, buffer_index), offset);
}

char *
heddle_cuda_element (HeddleCudaKernel *self, guint buffer_index)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, buffer_index);
  const char *index = LOOP;

  if (is_padded (self, buffer))
    return padded_element (self, buffer_index);
  if (buffer->axes->len == 0)
    index = "0";
  else if (has_own_loop (buffer))
    index = index_text (self, heddle_ids_index (buffer->axes, 0));
  return g_strdup_printf ("%s[%s]", heddle_names_buffer (self->names, buffer_index), index);
}

void
heddle_cuda_define_points (HeddleCudaKernel *self, const HeddleBuffer *buffer)
{
  self->points = buffer;
  g_hash_table_remove_all (self->indices);
  g_hash_table_remove_all (self->extents);
  for (guint i = 0; i < buffer->axes->len; i++)
    {
      const char *axis = heddle_ids_index (buffer->axes, i);

      heddle_cuda_define_index (self, axis, heddle_buffer_extent (buffer, i));
      if (heddle_buffer_extent (buffer, i) == HEDDLE_EXTENT_WINDOW)
        g_hash_table_insert (self->indices, (gpointer) axis,
            g_strdup_printf ("%s + %s", heddle_cuda_window_name (self, buffer, i, HEDDLE_NAME_BEGIN),
                index_text (self, axis)));
    }
}

/* Begins the loops over a buffer's points. Lines are captured to know which indices they need. */
HeddleCudaText *
heddle_cuda_points_begin (HeddleCudaKernel *self, const HeddleBuffer *buffer)
{
  heddle_cuda_define_points (self, buffer);
  self->depth += 2;
  return heddle_cuda_begin (self);
}

/* Returns the number of points as n_a * TILE_b * c. */
static char *
total_text (HeddleCudaKernel *self, const HeddleBuffer *buffer)
{
  GString *total = g_string_new (count_text (self, buffer, 0));

  for (guint i = 1; i < buffer->axes->len; i++)
    g_string_append_printf (total, " * %s", extent_text (self, buffer, i));
  return g_string_free (total, FALSE);
}

/* Prints the loop over the points. Rows beyond the array are not visited; along the other axes points outside
 * are skipped. */
static void
print_loop (HeddleCudaKernel *self, const HeddleBuffer *buffer)
{
  g_autofree char *total = NULL;
  const char *index = LOOP;

  if (buffer->axes->len == 0)
    {
      heddle_cuda_line (self, self->by_warps ? "if (threadIdx.x < 32)" : "if (threadIdx.x == 0)");
      return;
    }
  if (has_own_loop (buffer))
    index = index_text (self, heddle_ids_index (buffer->axes, 0));
  total = total_text (self, buffer);
  heddle_cuda_line (self,
      self->by_warps ? "for (int %s = threadIdx.x / 32; %s < %s; %s += THREADS / 32)"
                     : "for (int %s = threadIdx.x; %s < %s; %s += THREADS)",
      index, index, total, index);
}

/* Returns the index along an axis, as at / (B * C), at / C % B or at % C. */
static char *
unravelled (HeddleCudaKernel *self, const HeddleBuffer *buffer, guint axis)
{
  g_autoptr (GString) text = g_string_new (LOOP);
  guint n = buffer->axes->len, inner = n - 1 - axis;

  if (inner > 0)
    g_string_append (text, inner > 1 ? " / (" : " / ");
  for (guint k = axis + 1; k < n; k++)
    g_string_append_printf (text, "%s%s", k > axis + 1 ? " * " : "", extent_text (self, buffer, k));
  if (inner > 1)
    g_string_append_c (text, ')');
  if (axis > 0)
    g_string_append_printf (text, " %% %s", extent_text (self, buffer, axis));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Returns whether points along the axis @i of a buffer can be outside of the array. The loop itself ends with
 * the array along the first axis. */
static gboolean
is_ragged (const HeddleBuffer *buffer, guint i)
{
  return i > 0 && heddle_buffer_extent (buffer, i) != HEDDLE_EXTENT_FULL;
}

/* Returns under which condition the point is outside of the array, as text that is empty where no point is. */
static char *
define_indices (HeddleCudaKernel *self, const HeddleBuffer *buffer, const HeddleCudaText *body)
{
  GString *outside = g_string_new (NULL);

  for (guint i = 0; i < buffer->axes->len; i++)
    {
      const char *axis = heddle_ids_index (buffer->axes, i), *index = index_text (self, axis);
      g_autofree char *text = unravelled (self, buffer, i);

      if (is_ragged (buffer, i) || heddle_cuda_text_uses (body, index))
        heddle_cuda_line (self, "const int %s = %s;", index, text);
      if (is_ragged (buffer, i))
        g_string_append_printf (
            outside, "%s%s >= %s", outside->len ? " || " : "", index, count_text (self, buffer, i));
    }
  return g_string_free (outside, FALSE);
}

static void
print_indices (HeddleCudaKernel *self, const HeddleBuffer *buffer, const HeddleCudaText *body)
{
  g_autofree char *outside = define_indices (self, buffer, body);

  if (*outside == '\0')
    return;
  heddle_cuda_line (self, "if (%s)", outside);
  heddle_cuda_line (self, "  continue;");
}

/* Returns whether the loop's index alone is not enough. */
static gboolean
needs_indices (HeddleCudaKernel *self, const HeddleBuffer *buffer, const HeddleCudaText *body)
{
  for (guint i = 0; buffer->axes->len > 1 && i < buffer->axes->len; i++)
    if ((i > 0 && heddle_buffer_extent (buffer, i) != HEDDLE_EXTENT_FULL)
        || heddle_cuda_text_uses (body, index_text (self, heddle_ids_index (buffer->axes, i))))
      return TRUE;
  return FALSE;
}

static gboolean
is_framed (const HeddleCudaKernel *self, const HeddleBuffer *buffer)
{
  for (guint i = 0; self->tiles != NULL && i < buffer->axes->len; i++)
    if (heddle_buffer_extent (buffer, i) == HEDDLE_EXTENT_WINDOW)
      return TRUE;
  return FALSE;
}

/* Returns the condition under which a point is inside the array, where windows have zeros outside of it; the
 * text is empty where every point is. */
static char *
frame_text (HeddleCudaKernel *self, const HeddleBuffer *buffer)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; self->tiles != NULL && i < buffer->axes->len; i++)
    if (heddle_buffer_extent (buffer, i) == HEDDLE_EXTENT_WINDOW)
      {
        const char *index = index_text (self, heddle_ids_index (buffer->axes, i));
        const char *begin = heddle_cuda_window_name (self, buffer, i, HEDDLE_NAME_BEGIN);

        g_string_append_printf (text, "%s%s + %s < 0 || %s + %s >= %s", text->len > 0 ? " || " : "", begin,
            index, begin, index, heddle_names_axis (self->names, heddle_ids_index (buffer->axes, i)));
      }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Prints zeros for the points of windows that lie outside the array. */
static void
print_frame (HeddleCudaKernel *self, const HeddleBuffer *buffer, const char *outside)
{
  const char *load, *store;
  guint number = number_of (self, buffer);
  g_autofree char *place = heddle_cuda_element (self, number);
  gboolean packed = heddle_cuda_packed (buffer->dtype, &load, &store);

  heddle_cuda_line (self, "if (%s)", outside);
  self->depth++;
  heddle_cuda_line (self, "{");
  self->depth++;
  heddle_cuda_line (self, packed ? "%s.bits = 0;" : "%s = 0;", place);
  heddle_cuda_line (self, "continue;");
  self->depth--;
  heddle_cuda_line (self, "}");
  self->depth--;
}

static void
print_braced (HeddleCudaKernel *self, const HeddleBuffer *buffer, HeddleCudaText *body)
{
  g_autofree char *outside = frame_text (self, buffer);
  HeddleCudaText *before = NULL;

  self->depth++;
  heddle_cuda_line (self, "{");
  self->depth++;
  if (*outside != '\0')
    {
      before = heddle_cuda_begin (self);
      print_frame (self, buffer, outside);
      heddle_cuda_append (self, body);
      body = heddle_cuda_end (self, before);
    }
  if (buffer->axes->len > 1)
    print_indices (self, buffer, body);
  heddle_cuda_append (self, body);
  self->depth--;
  heddle_cuda_line (self, "}");
  self->depth--;
}

void
heddle_cuda_points_end (HeddleCudaKernel *self, const HeddleBuffer *buffer, HeddleCudaText *before)
{
  HeddleCudaText *body = heddle_cuda_end (self, before);

  self->depth -= 2;
  print_loop (self, buffer);
  if (heddle_cuda_text_n_lines (body) == 1 && !needs_indices (self, buffer, body)
      && !is_framed (self, buffer))
    {
      g_string_erase (body->text, 0, 2); /* one level less without braces */
      heddle_cuda_append (self, body);
    }
  else
    print_braced (self, buffer, body);
}

/* Returns whether some points may be outside of the array, so that the code has to test each. */
static gboolean
are_guarded (const HeddleBuffer *buffer)
{
  for (guint i = 0; i < buffer->axes->len; i++)
    if (is_ragged (buffer, i))
      return TRUE;
  return FALSE;
}

gboolean
heddle_cuda_reads_in_batches (HeddleCudaKernel *self, const HeddleBuffer *buffer, gboolean asks)
{
  gint64 points = 1;

  for (guint i = 0; i < buffer->axes->len && points <= self->threads; i++)
    points *= heddle_buffer_most (self->program, self->sizes, buffer, i);
  return points > self->threads && buffer->axes->len > 1 && !is_framed (self, buffer)
         && (asks || are_guarded (buffer));
}

/* Returns the condition of a batch, as "at < n_x * m && !(i_m >= n_m)". */
static char *
batch_condition (HeddleCudaKernel *self, const HeddleBuffer *buffer, const char *outside)
{
  g_autofree char *total = total_text (self, buffer);

  return *outside != '\0' ? g_strdup_printf (LOOP " < %s && !(%s)", total, outside)
                          : g_strdup_printf (LOOP " < %s", total);
}

/* Prints one of the statements of a batch, for each point of the block. @inside (nullable) is its condition;
 * @otherwise (nullable) is the statement elsewhere. */
static void
print_for_batch (HeddleCudaKernel *self, const HeddleBuffer *buffer, guint batch, const char *statement,
    const char *inside, const char *otherwise)
{
  HeddleCudaText *before, *body;
  g_autofree char *outside = NULL, *condition = NULL;

  heddle_cuda_line (self, "#pragma unroll");
  heddle_cuda_line (self, "for (int step = 0; step < %u; ++step)", batch);
  self->depth++;
  heddle_cuda_line (self, "{");
  self->depth++;
  before = heddle_cuda_begin (self);
  if (inside != NULL)
    heddle_cuda_line (self, "if (%s)", inside);
  heddle_cuda_line (self, inside != NULL ? "  %s" : "%s", statement);
  if (otherwise != NULL)
    {
      heddle_cuda_line (self, "else");
      heddle_cuda_line (self, "  %s", otherwise);
    }
  body = heddle_cuda_end (self, before);
  heddle_cuda_line (self, "const int " LOOP " = first + step * THREADS;");
  outside = define_indices (self, buffer, body);
  condition = batch_condition (self, buffer, outside);
  heddle_cuda_line (self, "if (!(%s))", condition);
  heddle_cuda_line (self, "  continue;");
  heddle_cuda_append (self, body);
  self->depth--;
  heddle_cuda_line (self, "}");
  self->depth--;
}

void
heddle_cuda_print_in_batches (HeddleCudaKernel *self, const HeddleBuffer *buffer, const char *place,
    const char *source, const char *inside, const char *otherwise)
{
  g_autofree char *total = total_text (self, buffer), *load = g_strdup_printf ("parts[step] = %s;", source),
                  *store = g_strdup_printf ("%s = parts[step];", place);

  heddle_cuda_line (self, "for (int first = threadIdx.x; first < %s; first += %u * THREADS)", total, BATCH);
  self->depth++;
  heddle_cuda_line (self, "{");
  self->depth++;
  heddle_cuda_line (self, "%s parts[%u];", heddle_cuda_type (buffer->dtype), BATCH);
  print_for_batch (self, buffer, BATCH, load, inside, NULL);
  print_for_batch (self, buffer, BATCH, store, inside, otherwise);
  self->depth--;
  heddle_cuda_line (self, "}");
  self->depth--;
}

const char *
heddle_cuda_window_name (HeddleCudaKernel *self, const HeddleBuffer *buffer, guint i, HeddleAxisName part)
{
  return heddle_names_of_window (self->names, number_of (self, buffer), i, part);
}

gboolean
heddle_buffer_same_points (const HeddleBuffer *a, const HeddleBuffer *b)
{
  if (!heddle_ids_equal (a->axes, b->axes))
    return FALSE;
  for (guint i = 0; i < a->axes->len; i++)
    if (heddle_buffer_extent (a, i) != heddle_buffer_extent (b, i)
        || (a != b && heddle_buffer_extent (a, i) == HEDDLE_EXTENT_WINDOW))
      return FALSE;
  return TRUE;
}
