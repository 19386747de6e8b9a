/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/index/saturate.h"
#include "derive/kernel/residency.h"
#include "derive/program/loop-program-private.h"
#include "derive/region/definition.h"
#include "derive/region/region.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

#include <glib/gi18n-lib.h>

/* This file places values: within a kernel at the level where it computes and at its ends in global memory.
 * What passes between kernels, or is an input that is read again and again such as a cache of keys and
 * values, may be kept in a cache instead, or above global memory. At a column within a kernel a value may be
 * in global memory again, or at a level between: it is not held until then, but read again. */

static gboolean
fail (GError **error, const HeddleDeriveContext *self, const HeddleResidency *place, const char *why)
{
  g_autofree char *label = heddle_diagram_value_label (self->diagram, place->value);
  const HeddleOperation *reader
      = place->column != NULL ? heddle_diagram_get_operation (self->diagram, place->column) : NULL;
  g_autofree char *column
      = reader != NULL ? heddle_diagram_value_label (self->diagram, reader->result) : NULL;

  if (column != NULL)
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
        _ ("%s cannot be placed at %s where %s reads it: %s"), label, place->level, column, why);
  else
    g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL, _ ("%s cannot be placed at %s: %s"),
        label, place->level, why);
  return FALSE;
}

/* --- what is kept ------------------------------------------------------------------------------ */

/* Returns whether one of the places before number @n is of the same value and level. */
static gboolean
is_said (const HeddleSchedule *schedule, guint n)
{
  const HeddleResidency *place = g_ptr_array_index (schedule->residency, n);

  for (guint i = 0; i < n; i++)
    {
      const HeddleResidency *other = g_ptr_array_index (schedule->residency, i);

      if (other->value == place->value && g_str_equal (other->level, place->level))
        return TRUE;
    }
  return FALSE;
}

/* Checks that a level has room for all values that are ever kept there, as if they were there at the same
 * time. */
static gboolean
check_capacity (const HeddleDeriveContext *self, const HeddleLevel *level, guint last, GError **error)
{
  const HeddleResidency *place = g_ptr_array_index (self->schedule->residency, last);
  g_autofree char *label = heddle_diagram_value_label (self->diagram, place->value);
  gint64 total = 0;

  for (guint i = 0; i <= last; i++)
    {
      const HeddleResidency *other = g_ptr_array_index (self->schedule->residency, i);

      if (g_str_equal (other->level, level->name) && !is_said (self->schedule, i)
          && heddle_diagram_get_value (self->diagram, other->value) != NULL)
        total = heddle_saturating_add (total, heddle_residency_value_bytes (self, other->value));
    }
  if (level->capacity_bytes == 0 || total <= level->capacity_bytes)
    return TRUE;
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_LABEL,
      _ ("%s cannot be kept at %s: with what is kept there already that is %lld bytes, and it holds %lld"),
      label, level->name, (long long) total, (long long) level->capacity_bytes);
  return FALSE;
}

static gboolean
check_column (const HeddleDeriveContext *self, const HeddleResidency *place, GError **error)
{
  const HeddleOperation *reader = heddle_diagram_get_operation (self->diagram, place->column);

  if (reader != NULL && heddle_ids_contain (reader->operands, place->value))
    return TRUE;
  return fail (error, self, place, _ ("it is not read there"));
}

static gboolean
check_place (const HeddleDeriveContext *self, guint i, GError **error)
{
  const HeddleMachine *machine = self->options->machine;
  const HeddleResidency *place = g_ptr_array_index (self->schedule->residency, i);
  int number = heddle_machine_find_level (machine, place->level);
  const HeddleLevel *level = number >= 0 ? g_ptr_array_index (machine->levels, (guint) number) : NULL;
  g_autofree char *why = NULL;

  if (heddle_diagram_get_value (self->diagram, place->value) == NULL)
    return TRUE;
  if (place->column != NULL && !check_column (self, place, error))
    return FALSE;
  if (level == NULL)
    why = g_strdup_printf (_ ("%s has no such memory level"), machine->title);
  else if (level->above >= 0 && level->bandwidth == 0.)
    why = g_strdup (_ ("how fast it is is not known"));
  else if (level->labels && place->column == NULL
           && heddle_diagram_get_producer (self->diagram, place->value) == NULL)
    why = g_strdup (_ ("it is an input, and those are there before any kernel"));
  if (why != NULL)
    return fail (error, self, place, why);
  return (!level->cache && level->above < 0) || check_capacity (self, level, i, error);
}

gboolean
heddle_residency_check (const HeddleDeriveContext *self, GError **error)
{
  for (guint i = 0; self->schedule != NULL && i < self->schedule->residency->len; i++)
    if (!check_place (self, i, error))
      return FALSE;
  return TRUE;
}

/* Returns where a value is written: what is stored for a later column of the same kernel is where that column
 * says. */
static HeddleWhere
where_written (const HeddleDeriveContext *self, const HeddleLoopProgram *program, const char *value)
{
  return heddle_ids_contain (program->spilled, value)
             ? heddle_residency_read (self, value, program->operations)
             : heddle_residency_made (self, value);
}

gint64
heddle_residency_bytes (const HeddleDeriveContext *self, const HeddleLoopProgram *program)
{
  g_autoptr (GArray) reads = heddle_loop_program_reads (program),
                     writes = heddle_loop_program_writes (program);
  gint64 total = 0;

  for (guint i = 0; i < reads->len; i++)
    if (heddle_residency_read (self, heddle_ids_index (reads, i), program->operations).kind
        == HEDDLE_AT_CACHE)
      total = heddle_saturating_add (total, heddle_residency_value_bytes (self, heddle_ids_index (reads, i)));
  for (guint i = 0; i < writes->len; i++)
    if (where_written (self, program, heddle_ids_index (writes, i)).kind == HEDDLE_AT_CACHE)
      total
          = heddle_saturating_add (total, heddle_residency_value_bytes (self, heddle_ids_index (writes, i)));
  return total;
}

/* --- in a kernel ------------------------------------------------------------------------------- */

/* Returns the number of the level among those the kernel has labels at; -1 if it is global memory or a cache
 * of it, -2 if it is none of them. */
static int
depth_of (const HeddleLabelling *self, const HeddleResidency *place)
{
  const HeddleMachine *machine = self->context->options->machine;

  const HeddleLevel *level
      = g_ptr_array_index (machine->levels, (guint) heddle_machine_find_level (machine, place->level));

  if (level == g_ptr_array_index (machine->levels, 0) || level->cache)
    return -1;
  if (g_str_equal (place->level, self->tiling.level))
    return 0;
  for (guint i = 0; i < self->inner->len; i++)
    if (g_str_equal (place->level, ((const HeddleTiling *) g_ptr_array_index (self->inner, i))->level))
      return (int) i + 1;
  return -2;
}

/* Returns the level at which the kernel computes. */
static const char *
computing_level (const HeddleLabelling *self)
{
  guint n = self->inner->len;

  return n > 0 ? ((const HeddleTiling *) g_ptr_array_index (self->inner, n - 1))->level
               : self->context->level;
}

static gboolean
is_made_inside (const HeddleLabelling *self, const char *value)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (self->context->diagram, value);

  return producer != NULL && heddle_ids_contain (self->term->operations, producer->id);
}

/* Checks the place where a value is made. */
static gboolean
check_made (const HeddleLabelling *self, const HeddleResidency *place, GError **error)
{
  const char *level = computing_level (self);
  gboolean inside = !heddle_ids_contain (self->term->outputs, place->value);
  HeddleWhereKind kind = heddle_residency_made (self->context, place->value).kind;
  g_autofree char *why = NULL;

  if (!is_made_inside (self, place->value) || (kind != HEDDLE_AT_INSIDE && !inside)
      || (inside && g_str_equal (place->level, level)))
    return TRUE;
  why = g_strdup_printf (inside ? _ ("its kernel keeps it at %s; unfuse it to place it elsewhere")
                                : _ ("it leaves its kernel, by %s; fuse what reads it"),
      inside ? level : "gmem");
  return fail (error, self->context, place, why);
}

static gboolean
is_gathered (const HeddleLabelling *self, const char *value)
{
  for (guint i = 0; i < self->term->definitions->len; i++)
    {
      const HeddleDefinition *definition = heddle_region_term_get (self->term, i);

      if (definition->value == value && definition->at != NULL)
        return TRUE;
    }
  return FALSE;
}

static gint
compare_rereads (gconstpointer a, gconstpointer b, gpointer data)
{
  const HeddleLabelling *self = data;
  const HeddleReread *x = a, *y = b;

  return heddle_ids_find (self->term->operations, x->operation)
         - heddle_ids_find (self->term->operations, y->operation);
}

/* Takes the place of a column of this kernel: the value is read again there. */
static gboolean
take_column (HeddleLabelling *self, const HeddleResidency *place, GError **error)
{
  HeddleReread reread = { place->value, place->column, depth_of (self, place) };
  const HeddleMachine *machine = self->context->options->machine;
  const HeddleLevel *level
      = g_ptr_array_index (machine->levels, (guint) heddle_machine_find_level (machine, place->level));

  if (!heddle_ids_contain (self->term->operations, place->column))
    return TRUE;
  if (level->above >= 0 && is_made_inside (self, place->value))
    return fail (error, self->context, place,
        _ ("it is made in the same kernel, and that reaches no memory beyond GMEM while it runs; unfuse what "
           "reads it"));
  if (level->above >= 0 || (level->cache && !is_made_inside (self, place->value)))
    return TRUE;
  if (reread.depth == -2)
    return fail (error, self->context, place, _ ("the axes of its kernel have no labels there"));
  if (is_made_inside (self, place->value) && reread.depth < (int) self->inner->len - 1)
    return fail (error, self->context, place,
        _ ("what a kernel makes is put by one level above the one where it is made"));
  if (is_gathered (self, place->value))
    return fail (error, self->context, place, _ ("it is gathered, element by element"));
  if (reread.depth < (int) self->inner->len)
    g_array_append_val (self->rereads, reread);
  return TRUE;
}

gboolean
heddle_labelling_check_residency (HeddleLabelling *self, GError **error)
{
  const HeddleSchedule *schedule = self->context->schedule;

  for (guint i = 0; schedule != NULL && i < schedule->residency->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (schedule->residency, i);

      if (heddle_diagram_get_value (self->context->diagram, place->value) == NULL)
        continue;
      if (!(place->column == NULL ? check_made (self, place, error) : take_column (self, place, error)))
        return FALSE;
    }
  g_array_sort_with_data (self->rereads, compare_rereads, self);
  self->tiling.rereads = self->rereads->len > 0 ? self->rereads : NULL;
  return TRUE;
}

gboolean
heddle_labelling_check_rereads (const HeddleLabelling *self, const HeddleLoopProgram *program, GError **error)
{
  const HeddleReread *unread = program->unread;
  HeddleResidency place;

  if (unread == NULL)
    return TRUE;
  place = (HeddleResidency){ unread->value, unread->operation,
    (char *) (unread->depth < 0 ? "gmem" : heddle_ids_index (program->levels, (guint) unread->depth)) };
  return fail (error, self->context, &place, _ ("its kernel does not have it whole there"));
}
