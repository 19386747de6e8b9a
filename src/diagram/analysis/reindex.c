/* SPDX-License-Identifier: MIT */
#include "diagram/analysis/reindex.h"
#include "diagram/analysis/sizes.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

gboolean
heddle_reindex_varies (
    const HeddleDiagram *diagram, const HeddleOperation *operation, guint i, const char *axis)
{
  const HeddleExpr *index = g_ptr_array_index (operation->indices, i);

  if (heddle_expr_uses (index, HEDDLE_EXPR_INDEX, axis))
    return TRUE;
  for (guint k = 1; k < operation->operands->len; k++)
    {
      const HeddleValue *operand
          = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, k));

      if (operand != NULL && heddle_ids_contain (operand->axes, axis) && heddle_expr_uses_argument (index, k))
        return TRUE;
    }
  return FALSE;
}

/* Returns whether @body is its operand @k, or is so where it chooses, as in where($k < 0, $k + 8, $k), which counts what is
 * negative from the end. */
static gboolean
may_be_operand (const HeddleExpr *body, guint k)
{
  if (heddle_expr_get_kind (body) == HEDDLE_EXPR_ARGUMENT)
    return heddle_expr_get_operand (body) == k;
  return heddle_expr_get_kind (body) == HEDDLE_EXPR_WHERE
         && (may_be_operand (heddle_expr_get_child (body, 1), k)
             || may_be_operand (heddle_expr_get_child (body, 2), k));
}

/* Returns the least size of an axis that operand @k is an index into. */
static gint64
limit_of_operand (
    const HeddleDiagram *diagram, const HeddleSizes *sizes, const HeddleOperation *operation, guint k)
{
  const HeddleValue *data = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0));
  gint64 limit = 0;

  for (guint i = 0; data != NULL && i < MIN (operation->indices->len, data->axes->len); i++)
    {
      const HeddleExpr *index = g_ptr_array_index (operation->indices, i);
      gint64 size = heddle_sizes_get (sizes, heddle_ids_index (data->axes, i));

      if (may_be_operand (index, k) && (limit == 0 || size < limit))
        limit = size;
    }
  return limit;
}

/* Returns whether @reader gives whole numbers of its operand @k at other places, or chooses among them. */
static gboolean
hands_on (const HeddleOperation *reader, guint k)
{
  const HeddleOperationForm form = reader->kind->form;

  return form == HEDDLE_FORM_MAP ? may_be_operand (reader->body, k)
                                 : form == HEDDLE_FORM_CONCAT || (form == HEDDLE_FORM_REINDEX && k == 0);
}

typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSizes *sizes;
  GPtrArray *values; /* ids of whole numbers that come from those asked for, each once */
  GHashTable *seen;
  gint64 limit;
} Limit;

static void
follow (Limit *self, const HeddleOperation *reader, const char *value)
{
  for (guint k = 0; k < reader->operands->len; k++)
    {
      if (heddle_ids_index (reader->operands, k) != value)
        continue;
      const gint64 own
          = reader->indices != NULL && k > 0 ? limit_of_operand (self->diagram, self->sizes, reader, k) : 0;
      if (own > 0 && (self->limit == 0 || own < self->limit))
        self->limit = own;
      if (hands_on (reader, k) && g_hash_table_add (self->seen, (gpointer) reader->result))
        g_ptr_array_add (self->values, (gpointer) reader->result);
    }
}

gint64
heddle_reindex_limit (const HeddleDiagram *diagram, const HeddleSizes *sizes, const char *value_id)
{
  const gboolean whole = !heddle_dtype_is_real (heddle_diagram_dtype (diagram, value_id, HEDDLE_DTYPE_F32));
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  Limit self = { diagram, sizes, values, seen, 0 };

  g_ptr_array_add (values, (gpointer) value_id);
  g_hash_table_add (seen, (gpointer) value_id);
  for (guint i = 0; i < (whole ? values->len : 1); i++)
    {
      g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, values->pdata[i]);

      for (guint j = 0; j < readers->len; j++)
        follow (&self, readers->pdata[j], values->pdata[i]);
    }
  return self.limit;
}
