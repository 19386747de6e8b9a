/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/base/codegen.h"
#include "codegen/cuda/axes.h"
#include "codegen/cuda/barrier.h"
#include "codegen/cuda/guard.h"
#include "codegen/cuda/kernel.h"
#include "codegen/cuda/points.h"
#include "codegen/cuda/register-product.h"
#include "codegen/cuda/statement.h"
#include "codegen/cuda/text.h"
#include "codegen/cuda/window.h"
#include "derive/index/extent.h"
#include "derive/program/memory-layout.h"
#include "diagram/analysis/sizes.h"

/* --- constants --- */

/* Prints the constants of an axis. A tile is never larger than the axis that the kernel was made for: memory
 * is laid out for that. */
static void
print_axis_constants (HeddleCudaKernel *self, const HeddleCudaText *body, const char *axis)
{
  gint64 tile = heddle_loop_program_extent (self->program, self->sizes, axis, HEDDLE_EXTENT_TILE);
  gint64 chunk = heddle_loop_program_extent (self->program, self->sizes, axis, HEDDLE_EXTENT_CHUNK);

  if (heddle_cuda_axis_is_fixed (self->program, axis))
    heddle_cuda_print_constant (
        self, body, heddle_names_axis (self->names, axis), heddle_sizes_get (self->sizes, axis));
  heddle_cuda_print_constant (self, body, heddle_names_of_axis (self->names, axis, HEDDLE_NAME_TILE), tile);
  heddle_cuda_print_constant (self, body, heddle_names_of_axis (self->names, axis, HEDDLE_NAME_CHUNK), chunk);
}

void
heddle_cuda_print_constants (HeddleCudaKernel *self, const HeddleCudaText *body)
{
  g_autoptr (GArray) axes = heddle_cuda_axes (self->diagram, self->program);

  heddle_cuda_print_constant (self, body, "THREADS", self->threads);
  for (guint i = 0; i < axes->len; i++)
    print_axis_constants (self, body, heddle_ids_index (axes, i));
  heddle_cuda_print_window_constants (self, body);
  heddle_cuda_line (self, "%s", "");
}

/* --- the function's head --- */

static gboolean
check_type (HeddleDtype dtype, GError **error)
{
  if (heddle_cuda_type (dtype) != NULL)
    return TRUE;
  g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
      _ ("kernels of the general family do not hold %s arrays"), heddle_dtype_to_string (dtype));
  return FALSE;
}

/* Notes the sections of the prelude that elements of @dtype need. */
static void
cuda_use_type (HeddleCudaKernel *self, HeddleDtype dtype)
{
  const char *load, *store;

  if (heddle_cuda_packed (dtype, &load, &store))
    g_hash_table_add (self->sections, (gpointer) heddle_cuda_type (dtype));
}

static GPtrArray *
list_parameters (HeddleCudaKernel *self, GError **error)
{
  g_autoptr (GPtrArray) parameters = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) axes = heddle_cuda_run_time_axes (self->diagram, self->program);
  g_autoptr (GArray) reads = heddle_loop_program_reads (self->program);
  g_autoptr (GArray) writes = heddle_loop_program_writes (self->program);
  const GArray *lists[] = { reads, writes };

  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (guint i = 0; i < lists[l]->len; i++)
      {
        const char *value = heddle_ids_index (lists[l], i);
        HeddleDtype dtype = heddle_diagram_dtype (self->diagram, value, self->dtype);

        if (!check_type (dtype, error))
          return NULL;
        cuda_use_type (self, dtype);
        g_ptr_array_add (parameters, g_strdup_printf ("%s%s *__restrict__ %s", l == 0 ? "const " : "",
                                         heddle_cuda_type (dtype), heddle_names_value (self->names, value)));
      }
  for (guint i = 0; i < axes->len; i++)
    g_ptr_array_add (parameters,
        g_strdup_printf ("long long %s", heddle_names_axis (self->names, heddle_ids_index (axes, i))));
  for (guint i = 0; self->maps != NULL && i < self->maps->len; i++)
    g_ptr_array_add (parameters, g_strdup_printf ("const __grid_constant__ TensorMap %s",
                                     ((const HeddleKernelMap *) g_ptr_array_index (self->maps, i))->name));
  return g_steal_pointer (&parameters);
}

gboolean
heddle_cuda_print_signature (HeddleCudaKernel *self, GError **error)
{
  g_autoptr (GPtrArray) parameters = list_parameters (self, error);
  g_autofree char *head = g_strdup_printf ("%s (", self->entry), *text = NULL;
  g_auto (GStrv) lines = NULL;

  if (parameters == NULL)
    return FALSE;
  if (self->blocks > 0)
    heddle_cuda_line (
        self, "extern \"C\" __global__ void __launch_bounds__ (%u, %u)", self->threads, self->blocks);
  else
    heddle_cuda_line (self, "extern \"C\" __global__ void __launch_bounds__ (%u)", self->threads);
  text = heddle_cuda_wrap (head, parameters, ", ", ")");
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    heddle_cuda_line (self, "%s", lines[i]);
  return TRUE;
}

/* --- shared memory --- */

/* Returns the description of a buffer, as [TILE_y][k], running maximum. */
static char *
describe_buffer (HeddleCudaKernel *self, const HeddleBuffer *buffer)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < buffer->axes->len; i++)
    {
      const char *axis = heddle_ids_index (buffer->axes, i);
      HeddleExtent extent = heddle_buffer_extent (buffer, i);
      const char *length = heddle_names_axis (self->names, axis);

      if (extent == HEDDLE_EXTENT_WINDOW)
        length = heddle_cuda_window_name (self, buffer, i, HEDDLE_NAME_TILE);
      else if (extent != HEDDLE_EXTENT_FULL)
        length = heddle_names_of_axis (
            self->names, axis, extent == HEDDLE_EXTENT_TILE ? HEDDLE_NAME_TILE : HEDDLE_NAME_CHUNK);
      g_string_append_printf (text, "[%s]", length);
    }
  if (buffer->title != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", buffer->title);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
print_buffers (HeddleCudaKernel *self)
{
  heddle_cuda_line (self, "extern __shared__ __align__ (16) unsigned char shared[];");
  for (guint i = 0; i < self->program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, i);
      g_autofree char *description = describe_buffer (self, buffer);
      const char *type = heddle_cuda_type (buffer->dtype);

      if (heddle_register_tiles_is_unheld (self->tiles, i)
          || heddle_register_tiles_is_passed (self->tiles, i))
        continue;
      cuda_use_type (self, buffer->dtype);
      heddle_cuda_line (self, "%s *const %s = reinterpret_cast<%s *> (shared + %" G_GINT64_FORMAT ");%s%s",
          type, heddle_names_buffer (self->names, i), type,
          self->tiles != NULL ? heddle_register_tiles_offset (self->tiles, i)
                              : heddle_loop_program_buffer_offset (self->program, self->sizes, i),
          *description ? "  // " : "", description);
    }
}

/* Returns whether a statement computes with what a buffer holds, rather than uses it as an index. */
static gboolean
is_computed_with (const HeddleNode *node, guint buffer)
{
  for (guint i = 0; node->kind == HEDDLE_NODE_COMPUTE && i < node->sources->len; i++)
    if (g_array_index (node->sources, guint, i) == buffer)
      return TRUE;
  for (guint i = 0; i < node->children->len; i++)
    if (is_computed_with (g_ptr_array_index (node->children, i), buffer))
      return TRUE;
  return FALSE;
}

static gboolean
check_buffers (HeddleCudaKernel *self, GError **error)
{
  for (guint i = 0; i < self->program->buffers->len; i++)
    {
      const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, i);

      if (!check_type (buffer->dtype, error))
        return FALSE;
      self->wide |= buffer->dtype == HEDDLE_DTYPE_F64
                    || (buffer->dtype == HEDDLE_DTYPE_I64 && is_computed_with (self->program->root, i));
    }
  return TRUE;
}

/* --- bands --- */

/* Prints how much of the current tile or chunk is inside the array, if the text uses it. */
void
heddle_cuda_print_count (
    HeddleCudaKernel *self, const HeddleCudaText *body, const char *axis, const char *tile)
{
  const char *size = heddle_cuda_axis_is_split (self->program, axis)
                         ? heddle_names_of_axis (self->names, axis, HEDDLE_NAME_END)
                         : heddle_names_axis (self->names, axis);
  const char *begin = heddle_names_of_axis (self->names, axis, HEDDLE_NAME_BEGIN);
  const char *count = heddle_names_of_axis (self->names, axis, HEDDLE_NAME_COUNT);

  if (heddle_cuda_text_uses (body, count))
    heddle_cuda_line (self, "const int %s = %s - %s < %s ? int (%s - %s) : %s;", count, size, begin, tile,
        size, begin, tile);
}

/* Prints the place of a block along an axis. @number is the text of the block's number along the axis and
 * those after it; @last says that there are none after it. */
static void
print_group (HeddleCudaKernel *self, const HeddleNode *band, const char *number, gboolean last,
    gboolean backwards, const HeddleCudaText *body)
{
  const char *size = heddle_names_axis (self->names, band->axis);
  const char *tile = heddle_names_of_axis (self->names, band->axis, HEDDLE_NAME_TILE);
  gboolean split = heddle_cuda_axis_is_split (self->program, band->axis);
  const char *begin
      = heddle_names_of_axis (self->names, band->axis, split ? HEDDLE_NAME_FIRST : HEDDLE_NAME_BEGIN);
  g_autofree char *count = g_strdup_printf ("(%s + %s - 1) / %s", size, tile, tile);
  g_autofree char *at = last ? g_strdup (number) : g_strdup_printf ("%s %% (%s)", number, count);

  if (backwards)
    heddle_cuda_line (self, "const long long %s = (%s - 1 - %s) * %s;  // the longest blocks first", begin,
        count, at, tile);
  else
    heddle_cuda_line (self, "const long long %s = %s * %s;", begin, at, tile);
  if (!last)
    heddle_cuda_line (self, "block /= %s;", count);
  if (split)
    heddle_cuda_line (self, "const long long %s = %s + %s < %s ? %s + %s : %s;",
        heddle_names_of_axis (self->names, band->axis, HEDDLE_NAME_END), begin, tile, size, begin, tile,
        size);
  else
    heddle_cuda_print_count (self, body, band->axis, tile);
}

/* --- the order of blocks --- */

/* Returns the number of tiles as "int ((a + TILE_a - 1) / TILE_a)". */
static char *
tiles_text (HeddleCudaKernel *self, const HeddleNode *band)
{
  const char *tile = heddle_names_of_axis (self->names, band->axis, HEDDLE_NAME_TILE);

  return g_strdup_printf (
      "int ((%s + %s - 1) / %s)", heddle_names_axis (self->names, band->axis), tile, tile);
}

static void
print_swept (HeddleCudaKernel *self, const HeddleNode *band, const char *at, const HeddleCudaText *body)
{
  const char *tile = heddle_names_of_axis (self->names, band->axis, HEDDLE_NAME_TILE);

  heddle_cuda_line (self, "const long long %s = (long long) (%s) * %s;",
      heddle_names_of_axis (self->names, band->axis, HEDDLE_NAME_BEGIN), at, tile);
  heddle_cuda_print_count (self, body, band->axis, tile);
}

/* Prints the number of the block in the sweep. @last says that there are no other axes. */
static void
print_turn (HeddleCudaKernel *self, gboolean last)
{
  if (last)
    {
      heddle_cuda_line (self, "const int turn = blockIdx.x;");
      return;
    }
  heddle_cuda_line (self, "const int turn = int (block %% ((long long) tiles_down * tiles_across));");
  heddle_cuda_line (self, "block /= (long long) tiles_down * tiles_across;");
}

static void
print_sweep (HeddleCudaKernel *self, const HeddleCudaSweep *sweep, gboolean last, const HeddleCudaText *body)
{
  g_autofree char *down = tiles_text (self, sweep->side), *across = tiles_text (self, sweep->along);

  heddle_cuda_line (self,
      "// blocks that run at a time read what the L2 cache holds: %" G_GINT64_FORMAT
      " tiles of %s at a time%s",
      sweep->count, heddle_names_axis (self->names, sweep->side->axis),
      sweep->backwards ? ", of which the longest blocks first" : "");
  heddle_cuda_line (self, "const int tiles_down = %s, tiles_across = %s;", down, across);
  print_turn (self, last);
  heddle_cuda_line (self,
      "const int sweep = int (turn / (%" G_GINT64_FORMAT "ll * tiles_across)) * %" G_GINT64_FORMAT
      ", within = turn - sweep * tiles_across;",
      sweep->count, sweep->count);
  heddle_cuda_line (self,
      "const int side = tiles_down - sweep < %" G_GINT64_FORMAT " ? tiles_down - sweep : %" G_GINT64_FORMAT
      ";",
      sweep->count, sweep->count);
  print_swept (
      self, sweep->along, sweep->backwards ? "tiles_across - 1 - within / side" : "within / side", body);
  print_swept (self, sweep->side, "sweep + within % side", body);
}

/* Prints which tile of each grouped axis this block has. Two axes in a sweep run fastest if there is one,
 * else the last grouped axis does. An axis along which blocks get longer, as with a causal mask, runs
 * backwards and outside of a sweep slowest, so that the longest blocks start first and the shortest fill up
 * the end. */
void
heddle_cuda_print_groups (HeddleCudaKernel *self, const HeddleCudaText *body)
{
  const HeddleCudaSweep sweep = self->sweep;
  const char *number = self->bands->len > 1 ? "block" : "(long long) blockIdx.x";
  guint left = self->bands->len - (sweep.along != NULL ? 2 : 0);

  if (self->bands->len > 0)
    heddle_cuda_line (self, "%s", "");
  if (self->bands->len > 1 && left > 0)
    heddle_cuda_line (self, "long long block = blockIdx.x;");
  if (sweep.along != NULL)
    print_sweep (self, &sweep, left == 0, body);
  for (guint slow = 0; slow < 2; slow++)
    for (guint i = self->bands->len; i-- > 0;)
      {
        const HeddleNode *band = g_ptr_array_index (self->bands, i);
        const gboolean backwards = heddle_cuda_axis_lengthens (self->program, band->axis);

        if (backwards == (slow != 0) && band != sweep.side && band != sweep.along)
          print_group (self, band, number, --left == 0, backwards, body);
      }
}

static void print_children (HeddleCudaKernel *self, const HeddleNode *band);

static void
print_stream (HeddleCudaKernel *self, const HeddleNode *band)
{
  const char *begin = heddle_names_of_axis (self->names, band->axis, HEDDLE_NAME_BEGIN);
  const char *chunk = heddle_names_of_axis (self->names, band->axis, HEDDLE_NAME_CHUNK);
  const char *first = "0", *end = heddle_names_axis (self->names, band->axis);
  HeddleCudaText *before, *body;

  if (heddle_cuda_axis_is_split (self->program, band->axis))
    {
      first = heddle_names_of_axis (self->names, band->axis, HEDDLE_NAME_FIRST);
      end = heddle_names_of_axis (self->names, band->axis, HEDDLE_NAME_END);
    }

  heddle_cuda_line (self, "%s", "");
  if (band->guard != NULL)
    heddle_cuda_barrier (
        self); /* no step may run: what was before the loop is then followed by what is after it */
  heddle_cuda_line (
      self, "for (long long %s = %s; %s < %s; %s += %s)", begin, first, begin, end, begin, chunk);
  self->depth++;
  heddle_cuda_line (self, "{");
  self->depth++;
  g_ptr_array_add (self->bands, (gpointer) band);
  before = heddle_cuda_begin (self);
  heddle_cuda_guard (self, band);
  print_children (self, band);
  heddle_cuda_barrier (self); /* between the end of a step and the beginning of the next */
  body = heddle_cuda_end (self, before);
  heddle_cuda_print_count (self, body, band->axis, chunk);
  heddle_cuda_append (self, body);
  g_ptr_array_set_size (self->bands, self->bands->len - 1);
  self->depth--;
  heddle_cuda_line (self, "}");
  self->depth--;
  heddle_cuda_print_product_end (self, band);
}

static void
print_children (HeddleCudaKernel *self, const HeddleNode *band)
{
  for (guint i = 0; i < band->children->len; i++)
    {
      const HeddleNode *child = g_ptr_array_index (band->children, i);

      self->operation = NULL;
      if (child->kind == HEDDLE_NODE_BAND)
        print_stream (self, child);
      else
        heddle_cuda_statement (self, child);
      self->operation = NULL;
    }
}

/* Collects the grid, a chain of group bands at the root. Returns the innermost band, below which no other
 * group may be. */
const HeddleNode *
heddle_cuda_collect_groups (HeddleCudaKernel *self)
{
  const HeddleNode *node = self->program->root;

  while (node->children->len == 1)
    {
      const HeddleNode *child = g_ptr_array_index (node->children, 0);

      if (child->kind != HEDDLE_NODE_BAND || child->band != HEDDLE_BAND_GROUP)
        break;
      g_ptr_array_add (self->bands, (gpointer) child);
      node = child;
    }
  return node;
}

static void
print_body (HeddleCudaKernel *self)
{
  const HeddleNode *inner = heddle_cuda_collect_groups (self);
  HeddleCudaText *before = heddle_cuda_begin (self), *body;

  print_children (self, inner);
  body = heddle_cuda_end (self, before);
  print_buffers (self);
  heddle_cuda_print_groups (self, body);
  heddle_cuda_append (self, body);
}

gboolean
heddle_cuda_kernel_print (HeddleCudaKernel *self, GError **error)
{
  HeddleCudaText *before, *body;

  if (!check_buffers (self, error) || !heddle_cuda_print_signature (self, error))
    return FALSE;
  heddle_cuda_line (self, "{");
  self->depth = 1;
  before = heddle_cuda_begin (self);
  print_body (self);
  body = heddle_cuda_end (self, before);
  heddle_cuda_print_constants (self, body);
  heddle_cuda_append (self, body);
  self->depth = 0;
  heddle_cuda_line (self, "}");
  return TRUE;
}
