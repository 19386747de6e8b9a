/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/base/dtype.h"
#include "diagram/base/error.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/insert.h"
#include "diagram/edit/linear.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"

/* This file adds learned linear maps: contractions with weights of their own. */

char *
heddle_edit_dup_weights_name (const HeddleDiagram *diagram)
{
  char *name = g_strdup ("W");

  for (guint i = 2; !heddle_edit_is_free_name (diagram, name); i++)
    {
      g_free (name);
      name = g_strdup_printf ("W_%u", i);
    }
  return name;
}

/* Adds an axis for the features made and returns its id. It is called "f", or by one of the letters after it,
 * or by a letter with a number. */
static const char *
add_feature_axis (HeddleDiagram *diagram, HeddleExpr *size)
{
  for (guint round = 1;; round++)
    for (char letter = 'f'; letter <= 'z'; letter++)
      {
        g_autofree char *name
            = round == 1 ? g_strdup_printf ("%c", letter) : g_strdup_printf ("%c_%u", letter, round);

        if (heddle_edit_is_free_name (diagram, name))
          return heddle_diagram_add_axis (diagram, NULL, name, size != NULL ? heddle_expr_ref (size) : NULL)
              ->id;
      }
}

static gboolean
fits (const HeddleDiagram *diagram, const HeddleValue *value, const GArray *core, const GArray *into)
{
  if (value == NULL || core->len == 0)
    return FALSE;
  for (guint i = 0; i < core->len; i++)
    if (!heddle_ids_contain (value->axes, heddle_ids_index (core, i)))
      return FALSE;
  for (guint i = 0; i < into->len; i++)
    if (heddle_ids_contain (value->axes, heddle_ids_index (into, i))
        || heddle_diagram_get_axis (diagram, heddle_ids_index (into, i)) == NULL)
      return FALSE;
  return TRUE;
}

const char *
heddle_edit_add_layer (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value_id,
    const GArray *core, const GArray *into, GError **error)
{
  g_return_val_if_fail (diagram != NULL && core != NULL && into != NULL, NULL);
  const HeddleValue *value = heddle_diagram_get_value (diagram, value_id);
  if (!fits (diagram, value, core, into))
    {
      heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("There is no wire here"));
      return NULL;
    }

  g_autofree char *name = heddle_edit_dup_weights_name (diagram);
  g_autoptr (GArray) axes = heddle_ids_copy (core), operands = heddle_ids_new ();
  const char *last = heddle_ids_index (core, core->len - 1);
  for (guint i = 0; i < into->len; i++)
    heddle_ids_append (axes, heddle_ids_index (into, i));
  if (into->len == 0)
    heddle_ids_append (axes, add_feature_axis (diagram, heddle_diagram_get_axis (diagram, last)->size));
  const HeddleValue *weights
      = heddle_diagram_add_value (diagram, NULL, name, HEDDLE_ROLE_PARAMETER, HEDDLE_DTYPE_UNSET, axes);
  heddle_ids_append (operands, value_id);
  heddle_ids_append (operands, weights->id);
  return heddle_edit_add_operation (
      snapshot, diagram, heddle_operation_kind ("contract"), operands, core, NULL, error);
}

const char *
heddle_edit_add_linear (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value_id,
    const char *axis_id, const char *into_id, GError **error)
{
  g_autoptr (GArray) core = heddle_ids_new (), into = heddle_ids_new ();
  if (axis_id != NULL)
    heddle_ids_append (core, axis_id);
  if (into_id != NULL)
    heddle_ids_append (into, into_id);
  return heddle_edit_add_layer (snapshot, diagram, value_id, core, into, error);
}
