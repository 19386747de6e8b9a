/* SPDX-License-Identifier: MIT */
#include "diagram/graph/copy-in-order.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/axes-order.h"
#include "diagram/graph/operation-table.h"

/* Returns a name such as "Q_laid" that is free. Newly allocated. */
static char *
free_name (const HeddleDiagram *diagram, const char *value)
{
  g_autofree char *label = heddle_diagram_value_label (diagram, value);
  char *name = g_strdup_printf ("%s_laid", label);

  for (guint i = 2; heddle_diagram_find_value (diagram, name) != NULL; i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s_laid%u", label, i);
    }
  return name;
}

static void
read_instead (HeddleDiagram *diagram, const char *operation, const char *value, const char *other)
{
  const HeddleValue *from = heddle_diagram_get_value (diagram, value),
                    *to = heddle_diagram_get_value (diagram, other);
  HeddleOperation *own;

  if (!heddle_ids_contain (heddle_diagram_get_operation (diagram, operation)->operands, value))
    return;
  own = heddle_diagram_edit_operation (diagram, operation);
  if (heddle_operation_reads_at_indices (own, value))
    heddle_operation_reorder_indices (own, from->axes, to->axes);
  for (guint i = 0; i < own->operands->len; i++)
    if (heddle_ids_index (own->operands, i) == value)
      heddle_ids_index (own->operands, i) = other;
}

/* Returns the position of the first of @operations that reads the value. */
static int
first_reader (const HeddleDiagram *diagram, const char *value, const GArray *operations)
{
  int first = -1;

  for (guint i = 0; i < operations->len; i++)
    {
      const char *id = heddle_ids_index (operations, i);
      int at = heddle_diagram_index_of_operation (diagram, id);

      if (heddle_ids_contain (heddle_diagram_get_operation (diagram, id)->operands, value)
          && (first < 0 || at < first))
        first = at;
    }
  return first;
}

const char *
heddle_diagram_copy_in_order (HeddleDiagram *diagram, const char *value, const GArray *axes,
    HeddleDtype dtype, const GArray *operations)
{
  g_autofree char *name = free_name (diagram, value);
  g_autoptr (GArray) operands = heddle_ids_new (), none = heddle_ids_new ();
  int position = first_reader (diagram, value, operations);
  const char *laid
      = heddle_diagram_add_value (diagram, NULL, name, HEDDLE_ROLE_INTERMEDIATE, dtype, axes)->id;
  HeddleOperation *copy;

  heddle_ids_append (operands, value);
  copy = heddle_diagram_add_operation (
      diagram, NULL, heddle_operation_kind ("map"), operands, laid, none, position);
  copy->body = heddle_expr_argument (0);
  for (guint i = 0; i < operations->len; i++)
    read_instead (diagram, heddle_ids_index (operations, i), value, laid);
  return copy->id;
}

gboolean
heddle_operation_is_copy (const HeddleOperation *operation)
{
  return operation->kind->form == HEDDLE_FORM_MAP && operation->operands->len == 1 && operation->body != NULL
         && heddle_expr_get_kind (operation->body) == HEDDLE_EXPR_ARGUMENT;
}
