/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "codegen/verify/dealt.h"
#include "codegen/verify/launch.h"
#include "codegen/verify/sample.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype-bytes.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* This file chooses some blocks of a kernel that has too many to interpret: the first, the last and some that
 * are drawn. Each block writes its own part of the outputs, all of it and nothing else, which is checked;
 * instead of the others' parts the next kernels get what should be there. */

#define LEAST_BLOCKS 3

static gint64
count_of (const HeddleVerifyLaunch *self, const HeddleKernelTile *tile)
{
  return (heddle_sizes_get (self->sizes, tile->axis) + tile->size - 1) / tile->size;
}

/* Returns whether the indices of each output say which block writes an element. */
static gboolean
has_parts (const HeddleVerifyLaunch *self)
{
  const HeddleLoopProgram *program = self->text->program;

  if (program->split != NULL || program->parts != NULL || program->combine != NULL)
    return FALSE;
  for (guint i = 0; i < self->text->parameters->len; i++)
    {
      const HeddleKernelParameter *parameter = g_ptr_array_index (self->text->parameters, i);
      const HeddleValue *value
          = parameter->output ? heddle_diagram_get_value (program->diagram, parameter->value) : NULL;

      if (value == NULL)
        continue;
      if (g_hash_table_lookup (self->run->reference, parameter->value) == NULL)
        return FALSE;
      for (guint t = 0; t < self->text->tiles->len; t++)
        {
          const HeddleKernelTile *tile = g_ptr_array_index (self->text->tiles, t);

          if (count_of (self, tile) > 1 && !heddle_ids_contain (value->axes, tile->axis))
            return FALSE;
        }
    }
  return TRUE;
}

GArray *
heddle_verify_sample (const HeddleVerifyLaunch *self, guint64 each, guint64 most)
{
  guint blocks = heddle_kernel_text_blocks (self->text, self->sizes);
  guint64 wanted = MAX (most / MAX (each, 1), LEAST_BLOCKS);
  g_autoptr (GRand) draw = NULL;
  g_autofree guint8 *taken = NULL;
  GArray *sample;

  if (wanted >= blocks || !has_parts (self))
    return NULL;
  draw = g_rand_new_with_seed ((guint32) self->run->seed);
  taken = g_new0 (guint8, blocks);
  taken[0] = taken[blocks - 1] = TRUE;
  for (guint64 n = 2; n < wanted; n++)
    taken[g_rand_int_range (draw, 0, (gint32) blocks)] = TRUE;
  sample = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < blocks; i++)
    if (taken[i])
      g_array_append_val (sample, i);
  return sample;
}

/* Returns the number of the tile of its axis that an element of an array is in, in the order in which blocks
 * take them. */
static gint64
tile_of (const HeddleVerifyLaunch *self, const HeddleKernelTile *tile, const HeddleValue *value,
    const HeddleArray *array, gint64 element)
{
  int at = heddle_ids_find (value->axes, tile->axis);
  gint64 behind = 1, number;

  if (at < 0)
    return 0;
  for (guint k = (guint) at + 1; k < array->n_dims; k++)
    behind *= array->shape[k];
  number = element / behind % array->shape[at] / tile->size;
  return tile->backwards ? count_of (self, tile) - 1 - number : number;
}

/* Returns the number of the tile of its axis that the block takes which writes an element: the one the element
 * is in, unless rows are dealt out to blocks. */
static gint64
place_of (const HeddleVerifyLaunch *self, const HeddleVerifyDealt *dealt, const HeddleKernelTile *tile,
    const HeddleValue *value, const HeddleArray *array, gint64 element)
{
  gint64 number = heddle_verify_dealt_tile (dealt, tile->axis, value, array, element);

  return number >= 0 ? number : tile_of (self, tile, value, array, element);
}

/* Returns the number of the block within a sweep over @down tiles of one axis, @count at a time, and @across
 * of another. */
static gint64
turn_of (gint64 count, gint64 down, gint64 across, gint64 tile, gint64 along)
{
  gint64 sweep = tile / count * count;

  return sweep * across + along * MIN (count, down - sweep) + (tile - sweep);
}

/* Returns the number of the block that writes an element of an array. */
static guint
block_of (const HeddleVerifyLaunch *self, const HeddleVerifyDealt *dealt, const HeddleValue *value,
    const HeddleArray *array, gint64 element)
{
  const GPtrArray *tiles = self->text->tiles;
  const guint plain = tiles->len - (self->text->swept > 0 ? 2 : 0);
  gint64 block = 0;

  for (guint t = 0; t < plain; t++)
    {
      const HeddleKernelTile *tile = g_ptr_array_index (tiles, t);

      block = block * count_of (self, tile) + place_of (self, dealt, tile, value, array, element);
    }
  if (plain < tiles->len)
    {
      const HeddleKernelTile *side = g_ptr_array_index (tiles, plain),
                             *along = g_ptr_array_index (tiles, plain + 1);
      gint64 down = count_of (self, side), across = count_of (self, along);

      block = block * down * across
              + turn_of (self->text->swept, down, across, place_of (self, dealt, side, value, array, element),
                  place_of (self, dealt, along, value, array, element));
    }
  return (guint) block;
}

/* Returns whether the value is that of memory into which nothing was written: all its bits are set, which is
 * NaN if the type has it, else -1 or true. */
static gboolean
is_untouched (HeddleDtype dtype, double value)
{
  static const guint8 bits[8] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

  return heddle_dtype_is_real (dtype) ? isnan (value) : value == heddle_dtype_decode (dtype, bits);
}

static gboolean
complete (HeddleVerifyLaunch *self, const HeddleVerifyDealt *dealt, const HeddleKernelParameter *parameter,
    const guint8 *ran, HeddleVerification *result)
{
  const HeddleValue *value = heddle_diagram_get_value (self->text->program->diagram, parameter->value);
  const HeddleArray *reference = g_hash_table_lookup (self->run->reference, parameter->value);
  HeddleArray *array = g_hash_table_lookup (self->run->arrays, parameter->value);

  for (gint64 i = 0; i < array->n_elements; i++)
    {
      if (ran[block_of (self, dealt, value, array, i)])
        continue;
      if (!is_untouched (parameter->dtype, array->data[i]))
        {
          result->detail = g_strdup_printf (_ ("a block writes another block's part of %s"), parameter->name);
          return FALSE;
        }
      array->data[i] = heddle_dtype_round (parameter->dtype, reference->data[i]);
    }
  return TRUE;
}

void
heddle_verify_complete (HeddleVerifyLaunch *self, const GArray *sample, HeddleVerification *result)
{
  g_autoptr (HeddleVerifyDealt) dealt = heddle_verify_dealt_new (self);
  g_autofree guint8 *ran = g_new0 (guint8, heddle_kernel_text_blocks (self->text, self->sizes));

  for (guint i = 0; i < sample->len; i++)
    ran[g_array_index (sample, guint, i)] = TRUE;
  for (guint i = 0; i < self->text->parameters->len; i++)
    {
      const HeddleKernelParameter *parameter = g_ptr_array_index (self->text->parameters, i);

      if (parameter->output && !complete (self, dealt, parameter, ran, result))
        return;
    }
}
