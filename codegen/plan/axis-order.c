/* SPDX-License-Identifier: MIT */
#include "codegen/plan/axis-order.h"
#include "codegen/plan/tiles.h"
#include "codegen/tile/program.h"
#include "codegen/tile/tile.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "derive/program/windows.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"

/* This file finds the order in which a kernel would have the axes of an array. Those that a block has one
 * element of come first: heads, batches. Of the others the last one is contiguous, and whole pieces of 16
 * bytes of it are copied, or stored side by side. Apart from that axes stay in the order that they have, as
 * rows over several axes have to stand side by side. */

#define PIECE_BYTES 16
#define SECTOR_BYTES 32

typedef struct
{
  const HeddlePlan *plan;
  const HeddleDiagram *diagram;
  const HeddleLoopProgram *program;
  const HeddleTileProgram *tiles; /* NULL: the tensor core runs none */
  GPtrArray *wants;
} Search;

static void
want_free (gpointer data)
{
  HeddlePlanWant *self = data;

  g_array_unref (self->axes);
  g_free (self);
}

static gint64
extent_of (const Search *self, const HeddleBuffer *buffer, guint k)
{
  return heddle_buffer_most (self->program, self->plan->sizes, buffer, k);
}

static gint64
size_of (const Search *self, const HeddleBuffer *buffer, guint k)
{
  return heddle_sizes_get (self->plan->sizes, heddle_ids_index (buffer->axes, k));
}

/* Returns how many bytes an element has in global memory. */
static gint64
bytes_of (const Search *self, const HeddleBuffer *buffer)
{
  return heddle_dtype_bytes (heddle_diagram_dtype (self->diagram, buffer->value, self->plan->dtype));
}

/* --- what is side by side --- */

/* Returns how many elements a block has side by side of an array whose axes lie in the @order of
 * positions. */
static gint64
run_of (const Search *self, const HeddleBuffer *buffer, const guint *order)
{
  gint64 run = 1;

  for (guint i = buffer->axes->len; i-- > 0;)
    {
      gint64 n = extent_of (self, buffer, order[i]);

      run *= n;
      if (n < size_of (self, buffer, order[i]))
        break;
    }
  return run;
}

/* Returns how many bytes of sectors are moved for each byte that is wanted. */
static double
waste_of (const Search *self, const HeddleBuffer *buffer, const guint *order)
{
  gint64 bytes = run_of (self, buffer, order) * bytes_of (self, buffer);

  return (double) ((bytes + SECTOR_BYTES - 1) / SECTOR_BYTES * SECTOR_BYTES) / (double) bytes;
}

static guint *
own_order (const HeddleBuffer *buffer)
{
  guint *order = g_new (guint, buffer->axes->len);

  for (guint i = 0; i < buffer->axes->len; i++)
    order[i] = i;
  return order;
}

/* --- the order that is wanted --- */

/* Returns whether each row has whole pieces of 16 bytes along an axis. */
static gboolean
has_whole_pieces (const Search *self, const HeddleBuffer *buffer, guint k)
{
  const gint64 piece = PIECE_BYTES / bytes_of (self, buffer);

  return size_of (self, buffer, k) % piece == 0 && extent_of (self, buffer, k) % piece == 0;
}

/* Returns the position of the axis that is to be contiguous: the last one that suits, or @along alone; -1 if
 * there is none. */
static int
find_last (const Search *self, const HeddleBuffer *buffer, const char *along)
{
  for (guint k = buffer->axes->len; k-- > 0;)
    if (extent_of (self, buffer, k) > 1 && has_whole_pieces (self, buffer, k)
        && (along == NULL || heddle_ids_index (buffer->axes, k) == along))
      return (int) k;
  return -1;
}

/* Returns an order of positions of the buffer's axes; %NULL if none is better than the present one. */
static guint *
find_order (const Search *self, const HeddleBuffer *buffer, const char *along)
{
  int last = find_last (self, buffer, along);
  g_autofree guint *order = NULL;
  gboolean same = TRUE;
  guint n = 0;

  if (last < 0)
    return NULL;
  order = g_new (guint, buffer->axes->len);
  for (guint pass = 0; pass < 2; pass++)
    for (guint k = 0; k < buffer->axes->len; k++)
      if ((extent_of (self, buffer, k) > 1) == (pass == 1) && (int) k != last)
        order[n++] = k;
  order[n] = (guint) last;
  for (guint k = 0; k < buffer->axes->len; k++)
    same &= order[k] == k;
  return same ? NULL : g_steal_pointer (&order);
}

static void
add_want (Search *self, const HeddleBuffer *buffer, const guint *order)
{
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, buffer->value);
  HeddlePlanWant *want = g_new0 (HeddlePlanWant, 1);

  /* a buffer's axes stand for the array's by position */
  want->value = buffer->value;
  want->axes = heddle_ids_new ();
  want->made = buffer->role == HEDDLE_BUFFER_RESULT;
  for (guint i = 0; i < value->axes->len; i++)
    heddle_ids_append (want->axes, heddle_ids_index (value->axes, order[i]));
  g_ptr_array_add (self->wants, want);
}

/* --- which arrays --- */

/* Returns whether a kernel of the tensor core moves the array element by element. */
static gboolean
is_slow (const Search *self, guint i, const HeddleBuffer *buffer)
{
  const HeddleTensorTile *tile = heddle_tile_program_get (self->tiles, i);
  const char *last = heddle_ids_index (buffer->axes, buffer->axes->len - 1);

  if (buffer->role == HEDDLE_BUFFER_OPERAND)
    return heddle_tile_by_elements (self->tiles, i);
  return tile->place == HEDDLE_TILE_FRAGMENT && tile->along != NULL && tile->along != last;
}

/* Returns whether the array is loaded plainly: one that is loaded at indices of its own, or in windows, is
 * read as it lies. */
static gboolean
is_plain (const HeddleNode *node, guint i)
{
  if (node->kind == HEDDLE_NODE_LOAD && node->buffer == i && node->at != NULL)
    return FALSE;
  for (guint k = 0; k < node->children->len; k++)
    if (!is_plain (g_ptr_array_index (node->children, k), i))
      return FALSE;
  return TRUE;
}

static gboolean
is_array (const Search *self, guint i, const HeddleBuffer *buffer)
{
  const HeddleValue *value
      = buffer->value != NULL ? heddle_diagram_get_value (self->diagram, buffer->value) : NULL;

  return value != NULL && value->axes->len == buffer->axes->len && buffer->axes->len > 1
         && (buffer->role == HEDDLE_BUFFER_OPERAND || buffer->role == HEDDLE_BUFFER_RESULT)
         && is_plain (self->program->root, i);
}

/* Returns whether a block gets more of each sector in the other order; used without a tile program. */
static gboolean
is_better (const Search *self, const HeddleBuffer *buffer, const guint *order)
{
  g_autofree guint *own = own_order (buffer);

  return waste_of (self, buffer, order) < waste_of (self, buffer, own);
}

static void
look_at (Search *self, guint i)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, i);
  g_autofree guint *order = NULL;
  gboolean result = buffer->role == HEDDLE_BUFFER_RESULT;

  if (!is_array (self, i, buffer) || (self->tiles != NULL && !is_slow (self, i, buffer)))
    return;
  order = find_order (
      self, buffer, self->tiles != NULL && result ? heddle_tile_program_get (self->tiles, i)->along : NULL);
  if (order != NULL && (self->tiles != NULL || is_better (self, buffer, order)))
    add_want (self, buffer, order);
}

static gboolean
has_products (const HeddleKernel *kernel)
{
  return kernel->program != NULL && kernel->tensor_flops > 0;
}

GPtrArray *
heddle_plan_find_wants (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  g_autoptr (HeddleTileProgram) tiles = heddle_plan_make_tiles (plan, diagram, kernel);
  Search self = { plan, diagram, kernel->program, tiles, g_ptr_array_new_with_free_func (want_free) };

  for (guint i = 0; has_products (kernel) && i < kernel->program->buffers->len; i++)
    look_at (&self, i);
  return self.wants;
}

/* --- the price --- */

/* Returns how often blocks read or write the whole array. */
static double
times_of (const Search *self, const HeddleNode *node, const HeddleBuffer *buffer)
{
  double times = 1;

  for (guint i = 0; i < node->children->len; i++)
    {
      const HeddleNode *child = g_ptr_array_index (node->children, i);

      if (child->kind != HEDDLE_NODE_BAND)
        continue;
      times *= times_of (self, child, buffer);
      if (child->band == HEDDLE_BAND_GROUP && !heddle_ids_contain (buffer->axes, child->axis))
        times
            *= (double) ((heddle_sizes_get (self->plan->sizes, child->axis) + child->size - 1) / child->size);
    }
  return times;
}

static double
wasted_bytes (const Search *self, guint i)
{
  const HeddleBuffer *buffer = heddle_loop_program_get_buffer (self->program, i);
  g_autofree guint *own = NULL;
  double bytes;

  if (!is_array (self, i, buffer))
    return 0;
  own = own_order (buffer);
  bytes = (double) bytes_of (self, buffer);
  for (guint k = 0; k < buffer->axes->len; k++)
    bytes *= (double) size_of (self, buffer, k);
  return (waste_of (self, buffer, own) - 1) * bytes * times_of (self, self->program->root, buffer);
}

double
heddle_plan_sector_seconds (const HeddlePlan *plan, const HeddleDiagram *diagram, const HeddleKernel *kernel)
{
  Search self = { plan, diagram, kernel->program, NULL, NULL };
  int cache = heddle_machine_find_level (plan->machine, "l2");
  double bytes = 0,
         rate = cache >= 0
                    ? ((const HeddleLevel *) g_ptr_array_index (plan->machine->levels, cache))->bandwidth
                    : 0;

  if (rate <= 0 || !has_products (kernel) || heddle_plan_has_tiles (plan, diagram, kernel))
    return 0;
  for (guint i = 0; i < self.program->buffers->len; i++)
    bytes += wasted_bytes (&self, i);
  return bytes / rate;
}
