/* SPDX-License-Identifier: MIT */
#include "codegen/base/codegen.h"
#include "codegen/plan/plan.h"
#include "derive/machine/find.h"
#include "derive/region/pieces.h"
#include "diagram/document/schedule.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation.h"
#include "files/optimise/assemble.h"

/* This file assembles the whole result: the operations of each piece's plan in the place of its own, each
 * time it occurs, and its kernels with their labels. */

typedef struct
{
  const HeddleDiagram *from; /* the original */
  HeddleDiagram *to;
  HeddleSchedule *schedule;
  const HeddlePiece *piece;
  const HeddlePieceTime *time;
  const HeddleDiagram *made; /* of the piece's plan, with views */
  GHashTable *values, *axes, *operations; /* of @made -> of @to */
  guint n_made; /* ids of values that rewrites made */
} Assembly;

static const char *
mapped (GHashTable *table, const char *id)
{
  const char *found = g_hash_table_lookup (table, id);

  return found != NULL ? found : id;
}

static GArray *
mapped_ids (GHashTable *table, const GArray *ids)
{
  GArray *result = heddle_ids_new ();

  for (guint i = 0; i < ids->len; i++)
    heddle_ids_append (result, mapped (table, heddle_ids_index (ids, i)));
  return result;
}

static HeddleExpr *
map_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Assembly *self = data;

  switch (heddle_expr_get_kind (leaf))
    {
    case HEDDLE_EXPR_SIZE:
      return heddle_expr_size (mapped (self->axes, heddle_expr_get_symbol (leaf)));
    case HEDDLE_EXPR_INDEX:
      return heddle_expr_index (mapped (self->axes, heddle_expr_get_symbol (leaf)));
    default:
      return NULL;
    }
}

/* --- what is there at the beginning --- */

static void
copy_value (HeddleDiagram *to, const HeddleValue *value)
{
  heddle_diagram_add_value (to, value->id, value->name, value->role, value->dtype, value->axes);
}

static void
begin (Assembly *self)
{
  const HeddleDiagram *from = self->from;
  g_autoptr (GPtrArray) views = heddle_pieces_views (from);

  self->to = heddle_diagram_new (from->name);
  self->to->id = from->id;
  for (guint i = 0; i < from->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (from->axes, i);

      heddle_diagram_add_axis (
          self->to, axis->id, axis->name, axis->size != NULL ? heddle_expr_ref (axis->size) : NULL);
    }
  for (guint i = 0; i < from->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (from->values, i);

      if (value->role != HEDDLE_ROLE_INTERMEDIATE)
        copy_value (self->to, value);
    }
  for (guint i = 0; i < views->len; i++)
    {
      const HeddleOperation *view = g_ptr_array_index (views, i);
      HeddleOperation *copy;

      copy_value (self->to, heddle_diagram_get_value (from, view->result));
      copy = heddle_diagram_add_operation (
          self->to, view->id, view->kind, view->operands, view->result, view->axes, -1);
      heddle_operation_copy_details (copy, view, NULL, NULL);
    }
  self->to->explicit_outputs = TRUE;
  if (self->to->outputs != NULL)
    g_array_unref (self->to->outputs);
  self->to->outputs = heddle_diagram_get_outputs (from);
}

/* --- one time of one piece --- */

/* Maps the ids of the piece's diagram, which are those of its first time. */
static void
map_known (Assembly *self)
{
  const HeddlePieceTime *first = g_ptr_array_index (self->piece->times, 0);

  for (guint i = 0; i < first->values->len; i++)
    g_hash_table_insert (self->values, (gpointer) heddle_ids_index (first->values, i),
        (gpointer) heddle_ids_index (self->time->values, i));
  for (guint i = 0; i < first->axes->len; i++)
    g_hash_table_insert (self->axes, (gpointer) heddle_ids_index (first->axes, i),
        (gpointer) heddle_ids_index (self->time->axes, i));
}

/* Adds the axes that a rewrite made: they are new ones of the result. */
static void
add_axes (Assembly *self)
{
  for (guint i = 0; i < self->made->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->made->axes, i);
      HeddleExpr *size;

      if (g_hash_table_contains (self->axes, axis->id))
        continue;
      size = axis->size != NULL ? heddle_expr_substitute (axis->size, map_leaf, self) : NULL;
      g_hash_table_insert (self->axes, (gpointer) axis->id,
          (gpointer) heddle_diagram_add_axis (self->to, NULL, axis->name, size)->id);
    }
}

/* Returns an id that no value of the original has; a value of the result may not exist yet. */
static const char *
fresh_id (Assembly *self)
{
  for (;;)
    {
      g_autofree char *id = g_strdup_printf ("v.made-%u", ++self->n_made);

      if (heddle_diagram_get_value (self->from, id) == NULL
          && heddle_diagram_get_value (self->to, id) == NULL)
        return g_intern_string (id);
    }
}

static void
add_value (Assembly *self, const HeddleValue *value)
{
  const char *known = g_hash_table_lookup (self->values, value->id);
  const HeddleValue *original = known != NULL ? heddle_diagram_get_value (self->from, known) : NULL;
  g_autoptr (GArray) axes = mapped_ids (self->axes, value->axes);
  const HeddleValue *added;

  if (known != NULL && heddle_diagram_get_value (self->to, known) != NULL)
    return;
  added = heddle_diagram_add_value (self->to, known != NULL ? known : fresh_id (self),
      original != NULL ? original->name : NULL, HEDDLE_ROLE_INTERMEDIATE, value->dtype, axes);
  g_hash_table_insert (self->values, (gpointer) value->id, (gpointer) added->id);
}

static void
add_operation (Assembly *self, const HeddleOperation *operation)
{
  g_autoptr (GArray) operands = mapped_ids (self->values, operation->operands);
  g_autoptr (GArray) axes = mapped_ids (self->axes, operation->axes);
  HeddleOperation *copy;

  copy = heddle_diagram_add_operation (
      self->to, NULL, operation->kind, operands, mapped (self->values, operation->result), axes, -1);
  heddle_operation_copy_details (copy, operation, map_leaf, self);
  g_hash_table_insert (self->operations, (gpointer) operation->id, (gpointer) copy->id);
}

static void
add_regions (Assembly *self, const HeddlePlan *plan)
{
  HeddleSchedule *own = heddle_plan_get_schedule (plan);

  for (guint i = 0; i < own->regions->len; i++)
    {
      const HeddleRegion *from = g_ptr_array_index (own->regions, i);
      HeddleRegion *region = heddle_schedule_add_region (self->schedule);

      for (guint k = 0; k < from->operations->len; k++)
        heddle_ids_append (
            region->operations, mapped (self->operations, heddle_ids_index (from->operations, k)));
      for (guint k = 0; k < from->labels->len; k++)
        {
          HeddleLabel *label = heddle_label_copy (g_ptr_array_index (from->labels, k));

          label->axis = mapped (self->axes, label->axis);
          g_ptr_array_add (region->labels, label);
        }
    }
  heddle_schedule_free (own);
}

static void
add_time (Assembly *self, const HeddlePlan *plan)
{
  g_autoptr (GHashTable) values = g_hash_table_new (NULL, NULL), axes = g_hash_table_new (NULL, NULL),
                         operations = g_hash_table_new (NULL, NULL);

  self->values = values;
  self->axes = axes;
  self->operations = operations;
  self->made = plan->whole;
  map_known (self);
  add_axes (self);
  for (guint i = 0; i < self->made->values->len; i++)
    add_value (self, g_ptr_array_index (self->made->values, i));
  for (guint i = 0; i < self->made->operations->len; i++)
    add_operation (self, g_ptr_array_index (self->made->operations, i));
  add_regions (self, plan);
}

/* --- all --- */

typedef struct
{
  const HeddlePiece *piece;
  const HeddlePieceTime *time;
  const HeddlePlan *plan;
} Place;

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *one = a, *two = b;

  return (one->time->first > two->time->first) - (one->time->first < two->time->first);
}

gboolean
heddle_optimised_assemble (HeddleOptimised *self, GPtrArray *pieces, const HeddleOptimiseOptions *options,
    GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Place));
  Assembly assembly = { .from = self->original };

  for (guint i = 0; i < pieces->len; i++)
    {
      const HeddlePiece *piece = g_ptr_array_index (pieces, i);
      const HeddleOptimisedPiece *done = g_ptr_array_index (self->pieces, i);

      for (guint k = 0; k < piece->times->len; k++)
        {
          Place place = { piece, g_ptr_array_index (piece->times, k), done->plan };

          g_array_append_val (places, place);
        }
    }
  g_array_sort (places, compare_places);
  begin (&assembly);
  assembly.schedule = heddle_schedule_new (assembly.to->id);
  for (guint i = 0; i < places->len; i++)
    {
      const Place *place = &g_array_index (places, Place, i);

      assembly.piece = place->piece;
      assembly.time = place->time;
      add_time (&assembly, place->plan);
    }
  self->result = assembly.to;
  self->schedule = assembly.schedule;
  self->schedule->gpu = g_strdup (self->machine->name);
  self->schedule->dtype = ((const HeddleOptimisedPiece *) g_ptr_array_index (self->pieces, 0))->plan->dtype;
  self->plan = heddle_plan_new_given (self->result, self->schedule, heddle_machine_reference (self->machine),
      self->schedule->dtype, options->family, NULL, cancellable, error);
  return self->plan != NULL;
}
