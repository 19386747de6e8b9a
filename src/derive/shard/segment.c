/* SPDX-License-Identifier: MIT */
#include "derive/shard/layout.h"
#include "derive/shard/segment.h"
#include "diagram/analysis/sizes.h"
#include "diagram/document/schedule.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation.h"

/* This file makes a diagram of its own of what one GPU does between two collectives: the same operations on
 * pieces. Sizes are numbers: an axis that is grouped is as long as its piece, and an expression that reads
 * its size reads the whole. */

typedef struct
{
  HeddleShardSegment *segment;
  const HeddleSharding *sharding;
} Segment;

static gint64
piece_of (const Segment *self, const char *axis)
{
  gint64 size = heddle_sizes_get (self->sharding->sizes, axis);

  for (guint l = 0; l < self->sharding->n_links; l++)
    if (self->segment->axes[l] == axis)
      size /= self->sharding->ways[l];
  return size;
}

/* Returns the axes without those that number the GPUs: each GPU has one place of such an axis. */
static GArray *
own_axes (const Segment *self, const GArray *axes)
{
  GArray *own = heddle_ids_new ();

  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);
      gboolean numbers = FALSE;

      for (guint l = 0; l < self->sharding->n_links; l++)
        numbers = numbers || (self->sharding->parts[l] == axis && self->segment->axes[l] != NULL);
      if (!numbers)
        heddle_ids_append (own, axis);
    }
  return own;
}

static void
add_axis (Segment *self, const char *id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->sharding->diagram, id);

  if (heddle_diagram_get_axis (self->segment->diagram, id) == NULL)
    heddle_diagram_add_axis (
        self->segment->diagram, axis->id, axis->name, heddle_expr_number ((double) piece_of (self, id)));
}

static void
add_value (Segment *self, const char *id, gboolean made)
{
  const HeddleDiagram *whole = self->sharding->diagram;
  const HeddleValue *value = heddle_diagram_get_value (whole, id);
  g_autoptr (GArray) axes = own_axes (self, value->axes);
  g_autofree char *name = NULL;

  if (heddle_diagram_get_value (self->segment->diagram, id) != NULL)
    return;
  name = heddle_diagram_value_label (whole, id);
  for (guint i = 0; i < axes->len; i++)
    add_axis (self, heddle_ids_index (axes, i));
  heddle_diagram_add_value (self->segment->diagram, id, name,
      made || value->role != HEDDLE_ROLE_INTERMEDIATE ? value->role : HEDDLE_ROLE_INPUT, value->dtype, axes);
}

static HeddleExpr *
size_as_number (const HeddleExpr *leaf, gpointer data)
{
  const HeddleSharding *sharding = data;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_SIZE)
    return NULL;
  return heddle_expr_number ((double) heddle_sizes_get (sharding->sizes, heddle_expr_get_symbol (leaf)));
}

static void
add_operation (Segment *self, const HeddleOperation *operation)
{
  g_autoptr (GArray) axes = own_axes (self, operation->axes);
  HeddleOperation *made;

  for (guint i = 0; i < operation->operands->len; i++)
    add_value (self, heddle_ids_index (operation->operands, i), FALSE);
  add_value (self, operation->result, TRUE);
  for (guint i = 0; i < axes->len; i++)
    add_axis (self, heddle_ids_index (axes, i));
  made = heddle_diagram_add_operation (self->segment->diagram, operation->id, operation->kind,
      operation->operands, operation->result, axes, -1);
  heddle_operation_copy_details (made, operation, size_as_number, (gpointer) self->sharding);
}

/* Sets the outputs of the segment: what another one reads, and the outputs of the whole. */
static void
set_outputs (Segment *self, const GArray *operations)
{
  const HeddleDiagram *whole = self->sharding->diagram;
  HeddleDiagram *diagram = self->segment->diagram;

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const char *result = ((const HeddleOperation *) g_ptr_array_index (diagram->operations, i))->result;
      g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (whole, result);
      gboolean wanted = heddle_diagram_is_output (whole, result);

      for (guint k = 0; k < readers->len; k++)
        wanted = wanted
                 || !heddle_ids_contain (
                     operations, ((const HeddleOperation *) g_ptr_array_index (readers, k))->id);
      if (wanted)
        heddle_ids_append (diagram->outputs, result);
    }
  diagram->explicit_outputs = TRUE;
}

/* Returns the regions with the labels below the links. */
static HeddleSchedule *
schedule_of (const Segment *self, const GPtrArray *regions, const HeddleMachine *machine)
{
  HeddleSchedule *all = heddle_schedule_new (self->segment->diagram->id), *schedule;

  for (guint i = 0; i < regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (regions, i);
      HeddleRegion *made = heddle_region_new (region->id);

      g_array_append_vals (made->operations, region->operations->data, region->operations->len);
      for (guint k = 0; k < region->labels->len; k++)
        g_ptr_array_add (made->labels, heddle_label_copy (g_ptr_array_index (region->labels, k)));
      g_ptr_array_add (all->regions, made);
    }
  schedule = heddle_schedule_unsharded (all, machine);
  heddle_schedule_free (all);
  return schedule;
}

void
heddle_shard_segment_fill (HeddleShardSegment *self, const HeddleSharding *sharding, const GArray *operations,
    const GPtrArray *regions, guint number, const HeddleMachine *machine)
{
  Segment segment = { self, sharding };
  g_autofree char *name = g_strdup_printf ("%s_%u", sharding->diagram->name, number);

  self->diagram = heddle_diagram_new (name);
  for (guint i = 0; i < sharding->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (sharding->diagram->operations, i);

      if (heddle_ids_contain (operations, operation->id))
        add_operation (&segment, operation);
    }
  set_outputs (&segment, operations);
  self->sizes = heddle_sizes_new (self->diagram, NULL, NULL);
  self->schedule = schedule_of (&segment, regions, machine);
}

void
heddle_shard_segment_free (HeddleShardSegment *self)
{
  g_clear_pointer (&self->diagram, heddle_diagram_free);
  g_clear_pointer (&self->sizes, heddle_sizes_unref);
  g_clear_pointer (&self->schedule, heddle_schedule_free);
  g_hash_table_unref (self->needs);
  g_hash_table_unref (self->gives);
  g_free (self);
}
