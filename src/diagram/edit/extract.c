/* SPDX-License-Identifier: MIT */
#include "diagram/document/snapshot.h"
#include "diagram/edit/extract.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation.h"

/* A part of a diagram as a document of its own. */

typedef struct
{
  const HeddleSnapshot *snapshot;
  const HeddleDiagram *diagram;
  HeddleSnapshot *part;
  HeddleDiagram *made;
} Extraction;

static gboolean add_size_axis (const HeddleExpr *node, gpointer data);

static void
add_axis (Extraction *self, const char *id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->diagram, id);
  if (axis == NULL || heddle_diagram_get_axis (self->made, id) != NULL)
    return;
  heddle_diagram_add_axis (
      self->made, axis->id, axis->name, axis->size != NULL ? heddle_expr_ref (axis->size) : NULL);
  if (axis->size != NULL)
    heddle_expr_walk (axis->size, add_size_axis, self);
}

static gboolean
add_size_axis (const HeddleExpr *node, gpointer data)
{
  const HeddleExprKind kind = heddle_expr_get_kind (node);
  if (kind == HEDDLE_EXPR_SIZE || kind == HEDDLE_EXPR_INDEX)
    add_axis (data, heddle_expr_get_symbol (node));
  return TRUE;
}

/* Adds a value to the extracted diagram. What is read and not made here becomes an input, with the name it is
 * shown by. */
static void
add_value (Extraction *self, const char *id, gboolean made_here)
{
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, id);
  if (value == NULL || heddle_diagram_get_value (self->made, id) != NULL)
    return;
  const HeddleValueRole role
      = made_here || value->role != HEDDLE_ROLE_INTERMEDIATE ? value->role : HEDDLE_ROLE_INPUT;
  g_autofree char *name = made_here ? g_strdup (value->name) : heddle_diagram_value_label (self->diagram, id);
  for (guint i = 0; i < value->axes->len; i++)
    add_axis (self, heddle_ids_index (value->axes, i));
  heddle_diagram_add_value (self->made, id, name, role, value->dtype, value->axes)->comment
      = g_strdup (value->comment);
}

static void add_definition (Extraction *self, const char *id);

static void
add_definitions (Extraction *self, const HeddleDiagram *diagram)
{
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      if (operation->callee != NULL)
        add_definition (self, operation->callee);
    }
}

static void
add_definition (Extraction *self, const char *id)
{
  const HeddleDiagram *definition = heddle_snapshot_get_diagram_by_id (self->snapshot, id);
  if (definition == NULL || heddle_snapshot_get_diagram_by_id (self->part, id) != NULL)
    return;
  heddle_snapshot_add_diagram (self->part, heddle_diagram_copy (definition));
  add_definitions (self, definition);
}

static void
add_operation (Extraction *self, const HeddleOperation *operation)
{
  for (guint i = 0; i < operation->operands->len; i++)
    add_value (self, heddle_ids_index (operation->operands, i), FALSE);
  for (guint i = 0; i < heddle_operation_n_results (operation); i++)
    add_value (self, heddle_operation_get_result (operation, i), TRUE);
  for (guint i = 0; i < operation->axes->len; i++)
    add_axis (self, heddle_ids_index (operation->axes, i));
  heddle_operation_walk (operation, add_size_axis, self);
  HeddleOperation *copy = heddle_diagram_add_operation (self->made, operation->id, operation->kind,
      operation->operands, operation->result, operation->axes, -1);
  for (guint i = 1; i < heddle_operation_n_results (operation); i++)
    heddle_diagram_add_result (self->made, copy, heddle_operation_get_result (operation, i));
  heddle_operation_copy_details (copy, operation, NULL, NULL);
}

HeddleSnapshot *
heddle_snapshot_extract (const HeddleSnapshot *self, const HeddleDiagram *diagram, const GArray *ids)
{
  g_return_val_if_fail (self != NULL && diagram != NULL && ids != NULL, NULL);

  Extraction extraction = { self, diagram, heddle_snapshot_new (), heddle_diagram_new (diagram->name) };
  extraction.made->id = diagram->id;
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      if (heddle_ids_contain (ids, operation->id))
        add_operation (&extraction, operation);
    }
  heddle_snapshot_add_diagram (extraction.part, extraction.made);
  add_definitions (&extraction, extraction.made);
  if (extraction.made->operations->len == 0)
    g_clear_pointer (&extraction.part, heddle_snapshot_unref);
  return extraction.part;
}
