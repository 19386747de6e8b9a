/* SPDX-License-Identifier: MIT */
#include "codegen/cuda/register-count.h"
#include "derive/program/loop-program.h"

/* The number of elements that one instruction reads. */
#define VECTOR 4
/* The number of registers besides those of results and factors: for addresses, counters, and what is read
 * ahead. */
#define OTHER_REGISTERS 24
/* The addresses of copies take at least so many registers. */
#define LEAST_REGISTERS 64
/* The number of registers that each statement beside a product that adds to registers from step to step keeps
 * from one step to the next. */
#define STATEMENT_REGISTERS 8

/* Counts the statements of a loop that are neither products nor bring a factor. */
static guint
count_others (const HeddleRegisterTiles *self, const HeddleNode *stream)
{
  guint n = 0;

  for (guint i = 0; i < stream->children->len; i++)
    {
      const HeddleNode *child = g_ptr_array_index (stream->children, i);

      n += heddle_register_tiles_get (self, child) == NULL
           && (child->kind != HEDDLE_NODE_LOAD || !heddle_register_tiles_read (self, child->buffer));
    }
  return n;
}

static guint
registers_of (const HeddleTileFactor *factor)
{
  return factor->each * (factor->reading == HEDDLE_READ_ALONG ? VECTOR : 1);
}

guint
heddle_register_count (const HeddleRegisterTiles *self)
{
  guint resident = 0, most = 0, others = 0;

  for (guint i = 0; i < self->tiles->len; i++)
    {
      const HeddleRegisterTile *tile = g_ptr_array_index (self->tiles, i);
      guint results = tile->rows.each * tile->columns.each;

      resident += tile->stream != NULL ? results : 0;
      others = tile->stream != NULL ? MAX (others, count_others (self, tile->stream)) : others;
      most = MAX (most,
          (tile->stream != NULL ? 0 : results) + registers_of (&tile->rows) + registers_of (&tile->columns));
    }
  return MAX (resident + most + OTHER_REGISTERS + others * STATEMENT_REGISTERS, LEAST_REGISTERS);
}
