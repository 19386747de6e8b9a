/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/clock-grid.h"
#include "derive/cost/clock-traffic.h"
#include "derive/cost/context.h"
#include "derive/cost/cost.h"
#include "derive/cost/residency-moves.h"
#include "derive/cost/residency-price.h"
#include "derive/machine/machine.h"
#include "derive/program/loop-program.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* What the path of a value costs besides the transfers into the level that computes. In global memory it is read by each wave
 * of blocks, less what a cache keeps from one to the next. A column at a cache costs global memory nothing, but the one where it gets there, or leaves it, does: once. A value at
 * a level above crosses into global memory, where it is written, and from there on it is as any other; what is made there the other
 * way. */

int
heddle_machine_number_above (const HeddleMachine *self, const HeddleLevel *level)
{
  int n = 0;

  for (guint i = 0; i < self->levels->len; i++)
    {
      const HeddleLevel *other = g_ptr_array_index (self->levels, i);

      if (other == level)
        return level->above >= 0 && n < HEDDLE_MAX_ABOVE ? n : -1;
      n += other->above >= 0 ? 1 : 0;
    }
  return -1;
}

static HeddleWhere
place_at (const HeddleDeriveContext *self, const char *name)
{
  const HeddleMachine *machine = self->options->machine;
  int i = heddle_machine_find_level (machine, name);
  HeddleWhere place = { HEDDLE_AT_GLOBAL, i >= 0 ? g_ptr_array_index (machine->levels, (guint) i) : NULL };

  if (place.level == NULL)
    return place;
  if (place.level->cache)
    place.kind = HEDDLE_AT_CACHE;
  else if (place.level->above >= 0)
    place.kind = HEDDLE_AT_ABOVE;
  else if (place.level->labels)
    place.kind = HEDDLE_AT_INSIDE;
  return place;
}

static const HeddleResidency *
find_residency (const HeddleDeriveContext *self, const char *value, const char *column)
{
  for (guint i = 0; self->schedule != NULL && i < self->schedule->residency->len; i++)
    {
      const HeddleResidency *residency = g_ptr_array_index (self->schedule->residency, i);

      if (residency->value == value && residency->column == column)
        return residency;
    }
  return NULL;
}

HeddleWhere
heddle_residency_made (const HeddleDeriveContext *self, const char *value)
{
  const HeddleResidency *residency = find_residency (self, value, NULL);

  return residency != NULL ? place_at (self, residency->level) : (HeddleWhere){ HEDDLE_AT_GLOBAL, NULL };
}

/* What is said of a column, else of the value. */
static HeddleWhere
place_of_column (const HeddleDeriveContext *self, const char *value, const char *column)
{
  const HeddleResidency *residency = find_residency (self, value, column);

  return residency != NULL ? place_at (self, residency->level) : heddle_residency_made (self, value);
}

HeddleWhere
heddle_residency_read (const HeddleDeriveContext *self, const char *value, const GArray *operations)
{
  for (guint i = 0; i < operations->len; i++)
    {
      const HeddleResidency *residency = find_residency (self, value, heddle_ids_index (operations, i));
      HeddleWhere place;

      if (residency == NULL)
        continue;
      place = place_at (self, residency->level);
      if (place.kind != HEDDLE_AT_INSIDE)
        return place;
    }
  return heddle_residency_made (self, value);
}

/* The last column before @operations that reads the value. */
static const char *
column_before (const HeddleDeriveContext *self, const char *value, const GArray *operations)
{
  const GPtrArray *all = self->diagram->operations;
  const char *last = NULL;

  for (guint i = 0; i < all->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (all, i);

      if (heddle_ids_contain (operations, operation->id))
        break;
      if (heddle_ids_contain (operation->operands, value))
        last = operation->id;
    }
  return last;
}

HeddleWhere
heddle_residency_before (const HeddleDeriveContext *self, const char *value, const GArray *operations)
{
  const char *column = column_before (self, value, operations);

  return column != NULL ? place_of_column (self, value, column) : heddle_residency_made (self, value);
}

/* @moved: what of it global memory reads or writes for the kernel. */
static void
add_saved (const HeddleDeriveContext *self, HeddleTraffic *traffic, const char *value, double moved)
{
  traffic->dram += heddle_residency_made (self, value).kind == HEDDLE_AT_CACHE ? 0. : moved;
}

/* @once: all of the value. */
static void
add_loaded (const HeddleDeriveContext *self, HeddleTraffic *traffic, const char *value,
    const GArray *operations, gboolean first, double once, double moved)
{
  gboolean here = heddle_residency_read (self, value, operations).kind == HEDDLE_AT_CACHE,
           was_here = heddle_residency_before (self, value, operations).kind == HEDDLE_AT_CACHE;

  traffic->dram += here ? 0. : moved;
  traffic->dram += first && here != was_here ? once : 0.;
}

/* What crosses a link leaves global memory, or gets there. */
static void
add_moves (const HeddleDeriveContext *self, HeddleTraffic *traffic, const HeddleLoopProgram *program)
{
  g_autoptr (GArray) moves = heddle_residency_moves (self, program);

  for (guint i = 0; i < moves->len; i++)
    {
      const HeddleMove *move = &g_array_index (moves, HeddleMove, i);
      double bytes = (double) heddle_residency_value_bytes (self, move->value);

      traffic->above[move->number] += bytes;
      traffic->dram += move->global ? bytes : 0.;
    }
}

static const char *
value_of (const HeddleCost *cost, const HeddleTerms *terms)
{
  return terms->partial ? NULL : heddle_loop_program_get_buffer (cost->program, terms->buffer)->value;
}

/* A value that is read by several loads gets to where they read it by the first. */
static gboolean
is_first_load (const HeddleCost *cost, guint i, const char *value)
{
  for (guint k = 0; k < i; k++)
    {
      const HeddleTerms *terms = &g_array_index (cost->transfers, HeddleTerms, k);

      if (!terms->saved && value_of (cost, terms) == value)
        return FALSE;
    }
  return TRUE;
}

/* Whether a kernel reads back what it has written: it is where it was made. */
static gboolean
is_own (const HeddleCost *cost, const char *value)
{
  return heddle_ids_contain (cost->program->outputs, value)
         || heddle_ids_contain (cost->program->spilled, value);
}

/* What it puts by for itself, in a cache. */
static gboolean
is_cached (const HeddleDeriveContext *self, const HeddleCost *cost, const char *value)
{
  return heddle_ids_contain (cost->program->spilled, value)
         && heddle_residency_read (self, value, cost->program->operations).kind == HEDDLE_AT_CACHE;
}

HeddleTraffic
heddle_residency_traffic (const HeddleDeriveContext *self, const HeddleCost *cost, const gint64 *tiles,
    gint64 chunk, const HeddleClockWaves *waves, const guint *axes)
{
  HeddleTraffic traffic = { 0. };
  gboolean placed = self->schedule != NULL && self->schedule->residency->len > 0;

  for (guint i = 0; i < cost->transfers->len; i++)
    {
      const HeddleTerms *terms = &g_array_index (cost->transfers, HeddleTerms, i);
      double once = heddle_clock_bytes_once (cost, terms, tiles, chunk), moved = once;
      const char *value = placed ? value_of (cost, terms) : NULL;

      if (waves != NULL && !terms->saved)
        moved *= heddle_clock_waves_passes (waves, heddle_clock_grid_axes (cost, terms, axes));
      if (value != NULL && is_cached (self, cost, value))
        continue;
      if (value == NULL || (!terms->saved && is_own (cost, value)))
        traffic.dram += moved;
      else if (terms->saved)
        add_saved (self, &traffic, value, moved);
      else
        add_loaded (
            self, &traffic, value, cost->program->operations, is_first_load (cost, i, value), once, moved);
    }
  if (placed)
    add_moves (self, &traffic, cost->program);
  return traffic;
}
