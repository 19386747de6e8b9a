/* SPDX-License-Identifier: MIT */
#include "derive/shard/places.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* An operation that counts along a grouped axis, as a causal mask does, would count from the beginning of its
 * GPU's piece. It reads the numbers of the places in the piece instead: an array that each GPU is given, 0,
 * 1, 2 … in pieces like any other. */

typedef struct
{
  const char *axis;
  guint operand; /* that has its places */
} Count;

static const char *
places_of (HeddleSharding *self, const char *axis)
{
  const char *base = heddle_diagram_get_axis (self->diagram, axis)->name;
  const char *known = g_hash_table_lookup (self->places, axis), *made;
  g_autofree char *name = g_strconcat (base, "_places", NULL);
  g_autoptr (GArray) axes = heddle_ids_new ();

  if (known != NULL)
    return known;
  for (guint n = 2; heddle_diagram_find_value (self->diagram, name) != NULL; n++)
    {
      g_free (name);
      name = g_strdup_printf ("%s_places_%u", base, n);
    }
  heddle_ids_append (axes, axis);
  made = heddle_diagram_add_value (self->diagram, NULL, name, HEDDLE_ROLE_INPUT, HEDDLE_DTYPE_I32, axes)->id;
  g_hash_table_insert (self->places, (gpointer) axis, (gpointer) made);
  return made;
}

static HeddleExpr *
read_place (const HeddleExpr *leaf, gpointer data)
{
  const Count *count = data;

  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_INDEX && heddle_expr_get_symbol (leaf) == count->axis
             ? heddle_expr_argument (count->operand)
             : NULL;
}

static void
count_places (HeddleSharding *self, const char *id, const char *axis, HeddleDtype dtype)
{
  const char *places = places_of (self, axis);
  const char *result = heddle_diagram_get_operation (self->diagram, id)->result;
  HeddleDtype kept = heddle_diagram_dtype (self->diagram, result, dtype);
  HeddleOperation *operation;
  HeddleExpr *body;
  Count count = { axis, 0 };

  heddle_diagram_edit_value (self->diagram, result)->dtype = kept;
  operation = heddle_diagram_edit_operation (self->diagram, id);
  count.operand = operation->operands->len;
  heddle_ids_append (operation->operands, places);
  body = heddle_expr_substitute (operation->body, read_place, &count);
  heddle_expr_unref (operation->body);
  operation->body = body;
}

void
heddle_shard_count_places (
    HeddleSharding *self, const HeddleSchedule *schedule, const HeddleMachine *machine, HeddleDtype dtype)
{
  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);
      const HeddleRegion *region = heddle_schedule_region_of (schedule, operation->id);
      const char *id = operation->id;

      for (guint k = 0; region != NULL && operation->kind->form == HEDDLE_FORM_MAP && k < region->labels->len;
           k++)
        {
          const HeddleLabel *label = g_ptr_array_index (region->labels, k);
          const HeddleExpr *body = heddle_diagram_get_operation (self->diagram, id)->body;

          if (heddle_machine_find_link (machine, label->level) >= 0 && label->inactive == NULL
              && heddle_sizes_get (self->sizes, label->axis) > label->size && body != NULL
              && heddle_expr_uses (body, HEDDLE_EXPR_INDEX, label->axis))
            count_places (self, id, label->axis, dtype);
        }
    }
}

gboolean
heddle_sharding_is_places (const HeddleSharding *self, const char *value)
{
  const GArray *axes = heddle_diagram_get_value (self->diagram, value)->axes;

  return axes->len == 1 && g_hash_table_lookup (self->places, heddle_ids_index (axes, 0)) == value;
}
