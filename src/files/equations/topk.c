/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/expression.h"
#include "files/equations/node.h"
#include "files/equations/report.h"
#include "files/equations/topk.h"

/* `V[b,s], I[b,s] = topk[e, k=s](G[b,e])` is two statements: I[b,s] = argtopk[e, k=s](G[b,e]), the places,
 * and V[b,s] = G[b,I[b,s]], what is there. */

/* --- reading ------------------------------------------------------------------------------- */

static HeddleEqNode *
read_places (HeddleEqParser *parser, const HeddleEqStatement *places)
{
  g_autofree HeddleEqNode **indices = g_new (HeddleEqNode *, MAX (places->slots->len, 1));
  HeddleEqNode *node;

  for (guint i = 0; i < places->slots->len; i++)
    {
      const HeddleEqSlot *slot = &g_array_index (places->slots, HeddleEqSlot, i);

      indices[i] = heddle_eq_leaf (parser->arena, HEDDLE_EQ_NAME, slot->column, slot->name);
    }
  node = heddle_eq_node (parser->arena, HEDDLE_EQ_READ, places->column, indices, places->slots->len);
  node->name = places->name;
  return node;
}

/* Returns the values that are chosen from, read at the chosen places. */
static HeddleEqNode *
read_values (HeddleEqParser *parser, const HeddleEqNode *chosen, const HeddleEqStatement *places)
{
  const HeddleEqNode *from = chosen->children[0];
  HeddleEqNode *node;
  gboolean found = FALSE;

  if (from->kind == HEDDLE_EQ_READ)
    {
      node = heddle_eq_node (parser->arena, HEDDLE_EQ_READ, from->column, from->children, from->n_children);
      node->name = from->name;
      for (guint i = 0; i < node->n_children; i++)
        if (node->children[i]->kind == HEDDLE_EQ_NAME
            && g_str_equal (node->children[i]->name, chosen->axes[0].name))
          {
            node->children[i] = read_places (parser, places);
            found = TRUE;
          }
      if (found)
        return node;
    }
  heddle_eq_error (parser->line, from->column,
      _ ("topk chooses from an array as it is: expected one read along %s, made in a statement of its own"),
      chosen->axes[0].name);
  return NULL;
}

gboolean
heddle_eq_parse_topk (HeddleEqParser *parser, HeddleEqStatement *self)
{
  HeddleEqNode *chosen;

  self->places = g_ptr_array_steal_index (self->others, 0);
  self->places->is_other = FALSE;
  g_clear_pointer (&self->others, g_ptr_array_unref);
  chosen = heddle_eq_parse_choice (parser);
  if (chosen == NULL)
    return FALSE;
  self->places->expression = chosen;
  self->expression = read_values (parser, chosen, self->places);
  return self->expression != NULL;
}

/* --- writing --------------------------------------------------------------------------------- */

/* Returns whether @values are the values at @places, read from what those were chosen from. */
static gboolean
is_choice (const HeddleDiagram *diagram, const HeddleOperation *values, const HeddleOperation *places)
{
  const HeddleValue *from = heddle_diagram_get_value (diagram, heddle_ids_index (places->operands, 0));

  if (values->indices == NULL || values->operands->len != 2
      || heddle_ids_index (values->operands, 0) != from->id
      || heddle_ids_index (values->operands, 1) != places->result || values->indices->len != from->axes->len)
    return FALSE;
  for (guint i = 0; i < from->axes->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (values->indices, i);
      const char *axis = heddle_ids_index (from->axes, i);
      gboolean core = axis == heddle_ids_index (places->axes, 0);

      if (heddle_expr_get_kind (index) != (core ? HEDDLE_EXPR_ARGUMENT : HEDDLE_EXPR_INDEX)
          || (!core && heddle_expr_get_symbol (index) != axis))
        return FALSE;
    }
  return heddle_diagram_get_value (diagram, values->result)->axes->len
         == heddle_diagram_get_value (diagram, places->result)->axes->len;
}

static const HeddleOperation *
find_values (const HeddleEqPlan *plan, const HeddleOperation *places)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (plan->diagram, places->result);

  for (guint i = 0; i < readers->len; i++)
    {
      const HeddleOperation *reader = g_ptr_array_index (readers, i);

      if (is_choice (plan->diagram, reader, places) && g_hash_table_contains (plan->lines, reader->result))
        return reader;
    }
  return NULL;
}

/* Returns the text that a line has before its right side. */
static char *
left_of (const char *line)
{
  const char *sign = strstr (line, " = ");

  return sign != NULL ? g_strndup (line, (gsize) (sign - line)) : g_strdup (line);
}

void
heddle_eq_join_choices (HeddleEqPlan *plan)
{
  for (guint i = 0; i < plan->diagram->operations->len; i++)
    {
      const HeddleOperation *places = g_ptr_array_index (plan->diagram->operations, i);
      const char *line = g_hash_table_lookup (plan->lines, places->result);
      const HeddleOperation *values
          = line != NULL && places->kind->form == HEDDLE_FORM_SELECT ? find_values (plan, places) : NULL;
      const char *said = values != NULL ? strstr (line, " = arg") : NULL;
      g_autofree char *left = NULL, *own = NULL;

      if (said == NULL || heddle_diagram_get_value (plan->diagram, places->result)->comment != NULL
          || heddle_diagram_get_value (plan->diagram, values->result)->dtype != HEDDLE_DTYPE_UNSET)
        continue;
      left = left_of (g_hash_table_lookup (plan->lines, values->result));
      own = left_of (line);
      g_hash_table_insert (plan->lines, (gpointer) values->result,
          g_strdup_printf ("%s, %s = %s", left, own, said + strlen (" = arg")));
      g_hash_table_insert (plan->joined, (gpointer) places->result, (gpointer) values->result);
      g_hash_table_add (plan->joined, (gpointer) values->result);
    }
}
