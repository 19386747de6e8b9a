/* SPDX-License-Identifier: MIT */
#include "derive/cost/chosen.h"
#include "derive/cost/clock-grid.h"
#include "derive/cost/residency-price.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "derive/cost/level-cost.h"
#include "derive/cost/report.h"
#include "derive/index/saturate.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/polynomial.h"

/* This part prices the path of a value, besides the transfers into the level that computes. In global memory
 * it is read by each wave of blocks, less what a cache keeps from one to the next. A column at a cache costs
 * global memory nothing, but the one where it gets there, or leaves it, does: once. A value at a level above
 * crosses into global memory, where it is written, and from there on it is as any other; what is made there
 * the other way. */

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

/* Returns the place of a column, or of the value if none is given for the column. */
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

/* Returns the last column before @operations that reads the value. */
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

/* Returns where a value (id) was in the column before @operations. */
static HeddleWhere
residency_before (const HeddleDeriveContext *self, const char *value, const GArray *operations)
{
  const char *column = column_before (self, value, operations);

  return column != NULL ? place_of_column (self, value, column) : heddle_residency_made (self, value);
}

/* Adds what global memory writes of a value. @moved: what the kernel moves of it. */
static void
add_saved (const HeddleDeriveContext *self, HeddleTraffic *traffic, const char *value, double moved)
{
  traffic->dram += heddle_residency_made (self, value).kind == HEDDLE_AT_CACHE ? 0. : moved;
}

/* Adds what global memory reads of a value. @moved: what the kernel moves of it; @once: the bytes of the
 * whole value. */
static void
add_loaded (const HeddleDeriveContext *self, HeddleTraffic *traffic, const char *value,
    const GArray *operations, gboolean first, double once, double moved)
{
  gboolean here = heddle_residency_read (self, value, operations).kind == HEDDLE_AT_CACHE,
           was_here = residency_before (self, value, operations).kind == HEDDLE_AT_CACHE;

  traffic->dram += here ? 0. : moved;
  traffic->dram += first && here != was_here ? once : 0.;
}

/* Adds what crosses links; it is read from global memory, or written to it. */
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

/* Returns whether load @i is the first one of the value: it brings the value to where all its loads read
 * it. */
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

/* Returns whether a kernel reads back what it has written itself: it is where it was made. */
static gboolean
is_own (const HeddleCost *cost, const char *value)
{
  return heddle_ids_contain (cost->program->outputs, value)
         || heddle_ids_contain (cost->program->spilled, value);
}

/* Returns whether the kernel stores the value for itself in a cache. */
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
      double once = heddle_clock_bytes_once (cost, terms, tiles, chunk),
             moved = waves != NULL ? heddle_clock_bytes_apart (cost, i, tiles, chunk, axes) : once;
      const char *value = placed ? value_of (cost, terms) : NULL;

      if (waves != NULL && !terms->saved)
        moved *= heddle_clock_waves_passes (
            waves, heddle_clock_grid_axes (cost, terms, axes), heddle_cost_choosing_turns (cost, terms));
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

/* This part finds what crosses the links between global memory and those above it for a kernel: whole values,
 * from where they were to where the kernel reads them, before it runs; and from where it makes them to where
 * they are to be, after it. A path goes over every link between: from a disk above the host's memory to that,
 * and from there to global memory. */

/* The levels from the current one down to global memory, which is not among them: at most
 * %HEDDLE_MAX_ABOVE. */
typedef struct
{
  guint n;
  const HeddleLevel *levels[HEDDLE_MAX_ABOVE];
} Path;

static Path
path_down (const HeddleMachine *machine, const HeddleWhere *from)
{
  const HeddleLevel *level = from->kind == HEDDLE_AT_ABOVE ? from->level : NULL;
  Path path = { 0 };

  while (level != NULL && level->above >= 0 && path.n < HEDDLE_MAX_ABOVE)
    {
      path.levels[path.n++] = level;
      level = g_ptr_array_index (machine->levels, (guint) level->above);
    }
  return path;
}

static void
add_move (const HeddleMachine *machine, GArray *moves, const char *value, const HeddleLevel *level,
    gboolean out, gboolean after)
{
  const HeddleLevel *below = g_ptr_array_index (machine->levels, (guint) level->above);
  HeddleMove move = { value, g_intern_string (level->name), g_intern_string (below->name),
    (guint) heddle_machine_number_above (machine, level), level->above == 0, out, after };

  g_array_append_val (moves, move);
}

/* Adds the way down from @from and up to @to, without what both have in common. */
static void
add_path (const HeddleMachine *machine, GArray *moves, const char *value, const HeddleWhere *from,
    const HeddleWhere *to, gboolean after)
{
  Path down = path_down (machine, from), up = path_down (machine, to);

  while (down.n > 0 && up.n > 0 && down.levels[down.n - 1] == up.levels[up.n - 1])
    {
      down.n--;
      up.n--;
    }
  for (guint i = 0; i < down.n; i++)
    add_move (machine, moves, value, down.levels[i], FALSE, after);
  for (guint i = up.n; i-- > 0;)
    add_move (machine, moves, value, up.levels[i], TRUE, after);
}

/* Adds the moves of a value from where it was, by way of where it is to be, to global memory. */
static void
add_read (const HeddleDeriveContext *self, GArray *moves, const char *value, const GArray *operations)
{
  const HeddleMachine *machine = self->options->machine;
  HeddleWhere before = residency_before (self, value, operations),
              now = heddle_residency_read (self, value, operations), global = { HEDDLE_AT_GLOBAL, NULL };

  if (now.kind == HEDDLE_AT_ABOVE)
    {
      add_path (machine, moves, value, &before, &now, FALSE);
      before = now;
    }
  add_path (machine, moves, value, &before, &global, FALSE);
}

GArray *
heddle_residency_moves (const HeddleDeriveContext *self, const HeddleLoopProgram *program)
{
  GArray *moves = g_array_new (FALSE, FALSE, sizeof (HeddleMove));
  g_autoptr (GArray) reads = NULL, writes = NULL;

  if (self->schedule == NULL || self->schedule->residency->len == 0)
    return moves;
  reads = heddle_loop_program_reads (program);
  writes = heddle_loop_program_writes (program);
  for (guint i = 0; i < reads->len; i++)
    if (!heddle_ids_contain (writes, heddle_ids_index (reads, i)))
      add_read (self, moves, heddle_ids_index (reads, i), program->operations);
  for (guint i = 0; i < writes->len; i++)
    {
      const char *value = heddle_ids_index (writes, i);
      HeddleWhere made = heddle_residency_made (self, value), global = { HEDDLE_AT_GLOBAL, NULL };

      if (heddle_ids_contain (program->outputs, value))
        add_path (self->options->machine, moves, value, &global, &made, TRUE);
    }
  return moves;
}

gint64
heddle_residency_value_bytes (const HeddleDeriveContext *self, const char *value)
{
  return heddle_saturating_multiply (
      heddle_sizes_elements (self->sizes, heddle_diagram_get_value (self->diagram, value)),
      heddle_dtype_bytes (heddle_diagram_dtype (self->diagram, value, self->dtype)));
}

/* --- what that costs, level by level ------------------------------------------------------------- */

static HeddleExpr *
elements_symbol (const HeddleDiagram *diagram, const char *id)
{
  const HeddleValue *value = heddle_diagram_get_value (diagram, id);
  HeddleExpr *product = heddle_expr_number (1.);

  for (guint i = 0; i < value->axes->len; i++)
    product
        = heddle_expr_binary (HEDDLE_EXPR_MUL, product, heddle_expr_size (heddle_ids_index (value->axes, i)));
  return product;
}

static HeddleExpr *
add_symbol (HeddleExpr *sum, HeddleExpr *term)
{
  g_autoptr (HeddleExpr) whole = sum != NULL ? heddle_expr_binary (HEDDLE_EXPR_ADD, sum, term) : term;

  return heddle_expr_simplify (whole);
}

static HeddleLevelCost *
cost_of_level (GPtrArray *levels, const HeddleMachine *machine, const char *name)
{
  HeddleLevelCost *cost;

  for (guint i = 0; i < levels->len; i++)
    {
      cost = g_ptr_array_index (levels, i);
      if (g_str_equal (cost->level, name))
        return cost;
    }
  cost = g_new0 (HeddleLevelCost, 1);
  cost->level = g_strdup (name);
  cost->instances = 1;
  cost->capacity_bytes = ((const HeddleLevel *) g_ptr_array_index (
                              machine->levels, (guint) heddle_machine_find_level (machine, name)))
                             ->capacity_bytes;
  g_ptr_array_add (levels, cost);
  return cost;
}

/* Adds what a level holds at some time. A value counts once, however often it crosses. */
static void
add_held (const HeddleDeriveContext *self, HeddleLevelCost *cost, const GArray *moves, guint at)
{
  const HeddleMove *move = &g_array_index (moves, HeddleMove, at);

  for (guint i = 0; i < at; i++)
    {
      const HeddleMove *other = &g_array_index (moves, HeddleMove, i);

      if (other->value == move->value && other->level == move->level)
        return;
    }
  cost->memory_elements = heddle_saturating_add (cost->memory_elements,
      heddle_sizes_elements (self->sizes, heddle_diagram_get_value (self->diagram, move->value)));
  cost->memory_bytes
      = heddle_saturating_add (cost->memory_bytes, heddle_residency_value_bytes (self, move->value));
  cost->memory_symbolic = add_symbol (cost->memory_symbolic, elements_symbol (self->diagram, move->value));
}

static void
add_levels (const HeddleDeriveContext *self, const HeddleLoopProgram *program, GPtrArray *levels)
{
  for (guint i = 0; program->moves != NULL && i < program->moves->len; i++)
    {
      const HeddleMove *move = &g_array_index (program->moves, HeddleMove, i);
      HeddleLevelCost *cost = cost_of_level (levels, self->options->machine, move->level);

      cost->transfer_elements = heddle_saturating_add (cost->transfer_elements,
          heddle_sizes_elements (self->sizes, heddle_diagram_get_value (self->diagram, move->value)));
      cost->transfer_bytes
          = heddle_saturating_add (cost->transfer_bytes, heddle_residency_value_bytes (self, move->value));
      cost->transfer_symbolic
          = add_symbol (cost->transfer_symbolic, elements_symbol (self->diagram, move->value));
      add_held (self, cost, program->moves, i);
    }
}

GPtrArray *
heddle_residency_levels (const HeddleDeriveContext *self, const HeddleLoopProgram *program)
{
  GPtrArray *levels = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_level_cost_free);

  add_levels (self, program, levels);
  if (program->combine != NULL)
    add_levels (self, program->combine, levels);
  return levels;
}
