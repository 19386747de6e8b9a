/* SPDX-License-Identifier: MIT */
#include "diagram/base/dtype.h"
#include "diagram/rewrite/tools.h"

/* --- looking ------------------------------------------------------------------------- */

gboolean
heddle_rewrite_is_passing (const HeddleDiagram *diagram, const char *value_id)
{
  return heddle_diagram_get_value (diagram, value_id)->name == NULL
         && !heddle_diagram_is_output (diagram, value_id);
}

const HeddleOperation *
heddle_rewrite_inner (const HeddleDiagram *diagram, const char *value_id, HeddleOperationForm form)
{
  const HeddleOperation *inner = heddle_diagram_get_producer (diagram, value_id);

  return inner != NULL && inner->kind->form == form && heddle_rewrite_is_passing (diagram, value_id)
                 && heddle_diagram_count_readers (diagram, value_id) == 1
                 && heddle_diagram_get_value (diagram, value_id)->dtype == HEDDLE_DTYPE_UNSET
             ? inner
             : NULL;
}

static gboolean
has_affine_index (const HeddleOperation *operation)
{
  for (guint i = 0; operation->indices != NULL && i < operation->indices->len; i++)
    if (heddle_expr_get_kind (operation->indices->pdata[i]) != HEDDLE_EXPR_INDEX)
      return TRUE;
  return FALSE;
}

gboolean
heddle_rewrite_may_read_outside (const HeddleDiagram *diagram, const char *value_id)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) waiting = heddle_ids_new ();

  heddle_ids_append (waiting, value_id);
  for (guint i = 0; i < waiting->len; i++)
    {
      const HeddleOperation *operation = heddle_diagram_get_producer (diagram, heddle_ids_index (waiting, i));

      if (operation == NULL || !g_hash_table_add (seen, (gpointer) operation->id))
        continue;
      if (has_affine_index (operation))
        return TRUE;
      g_array_append_vals (waiting, operation->operands->data, operation->operands->len);
    }
  return FALSE;
}

gboolean
heddle_rewrite_is_view (const HeddleOperation *operation)
{
  return operation->kind->form == HEDDLE_FORM_MAP && operation->operands->len == 1
         && heddle_expr_get_kind (operation->body) == HEDDLE_EXPR_ARGUMENT;
}

const GArray *
heddle_rewrite_axes_of (const HeddleDiagram *diagram, const char *value_id)
{
  return heddle_diagram_get_value (diagram, value_id)->axes;
}

gboolean
heddle_rewrite_contain_all (const GArray *ids, const GArray *others)
{
  for (guint i = 0; i < others->len; i++)
    if (!heddle_ids_contain (ids, heddle_ids_index (others, i)))
      return FALSE;
  return TRUE;
}

void
heddle_rewrite_unite (GArray *ids, const GArray *more)
{
  for (guint i = 0; i < more->len; i++)
    if (!heddle_ids_contain (ids, heddle_ids_index (more, i)))
      heddle_ids_append (ids, heddle_ids_index (more, i));
}

/* --- changing ------------------------------------------------------------------------ */

void
heddle_rewrite_remove (HeddleDiagram *diagram, const char *value_id)
{
  heddle_diagram_remove (diagram, heddle_diagram_get_producer (diagram, value_id)->id);
  heddle_diagram_remove (diagram, value_id);
}

void
heddle_rewrite_drop (HeddleDiagram *diagram, const char *value_id)
{
  const HeddleValue *value = heddle_diagram_get_value (diagram, value_id);

  if (value == NULL || value->name != NULL || heddle_diagram_count_readers (diagram, value_id) > 0
      || heddle_diagram_get_producer (diagram, value_id) == NULL
      || (diagram->explicit_outputs && heddle_diagram_is_output (diagram, value_id)))
    return;
  heddle_rewrite_remove (diagram, value_id);
}

HeddleOperation *
heddle_rewrite_add (HeddleDiagram *diagram, const char *before, const char *kind, const GArray *operands,
    const GArray *axes, const GArray *core)
{
  const HeddleValue *value
      = heddle_diagram_add_value (diagram, NULL, NULL, HEDDLE_ROLE_INTERMEDIATE, HEDDLE_DTYPE_UNSET, axes);

  return heddle_diagram_add_operation (diagram, NULL, heddle_operation_kind (kind), operands, value->id, core,
      heddle_diagram_index_of_operation (diagram, before));
}

void
heddle_rewrite_become (HeddleDiagram *diagram, const char *operation_id, const char *kind,
    const GArray *operands, const GArray *core, HeddleExpr *body, GPtrArray *indices)
{
  g_autoptr (GArray) kept_operands = heddle_ids_copy (operands), kept_core = heddle_ids_copy (core);
  HeddleOperation *operation = heddle_diagram_edit_operation (diagram, operation_id);

  operation->kind = heddle_operation_kind (kind);
  g_array_set_size (operation->operands, 0);
  g_array_append_vals (operation->operands, kept_operands->data, kept_operands->len);
  g_array_set_size (operation->axes, 0);
  g_array_append_vals (operation->axes, kept_core->data, kept_core->len);
  g_clear_pointer (&operation->body, heddle_expr_unref);
  operation->body = body;
  g_clear_pointer (&operation->indices, g_ptr_array_unref);
  operation->indices = indices;
  for (guint i = 0; i < HEDDLE_MAX_OPTIONS; i++)
    operation->options[i] = operation->kind->options[i].value;
}

HeddleExpr *
heddle_rewrite_argument (GArray *operands, const char *value_id)
{
  int i = heddle_ids_find (operands, value_id);

  if (i >= 0)
    return heddle_expr_argument ((guint) i);
  heddle_ids_append (operands, value_id);
  return heddle_expr_argument (operands->len - 1);
}
