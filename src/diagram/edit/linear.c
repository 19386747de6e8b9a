/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/base/dtype.h"
#include "diagram/base/error.h"
#include "diagram/document/document.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/insert.h"
#include "diagram/edit/linear.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* A learned linear map is a contraction with weights of its own. */

static gboolean
is_free (const HeddleDiagram *diagram, const char *name)
{
  return heddle_diagram_find_axis (diagram, name) == NULL
         && heddle_diagram_find_value (diagram, name) == NULL;
}

char *
heddle_edit_dup_weights_name (const HeddleDiagram *diagram)
{
  char *name = g_strdup ("W");

  for (guint i = 2; !is_free (diagram, name); i++)
    {
      g_free (name);
      name = g_strdup_printf ("W_%u", i);
    }
  return name;
}

/* An axis "f" for the features made, then the letters after it, then numbers. */
static const char *
add_feature_axis (HeddleDiagram *diagram, HeddleExpr *size)
{
  for (guint round = 1;; round++)
    for (char letter = 'f'; letter <= 'z'; letter++)
      {
        g_autofree char *name
            = round == 1 ? g_strdup_printf ("%c", letter) : g_strdup_printf ("%c_%u", letter, round);

        if (is_free (diagram, name))
          return heddle_diagram_add_axis (diagram, NULL, name, size != NULL ? heddle_expr_ref (size) : NULL)
              ->id;
      }
}

/**
 * heddle_edit_add_linear:
 * @value_id: the array that the map is learned on
 * @axis_id: the axis of it that is summed
 * @into_id: (nullable): the axis that takes its place, which the array has not
 *
 * Adds Y[..., f] = X[..., d] W[d, f] at the end: weights W, a parameter, and, where @into_id is %NULL, an axis f of the size of d
 * until another is given, both under names that are free. What reads @value_id goes on reading it.
 *
 * Returns: (transfer none): the id of the new contraction; %NULL with %HEDDLE_DIAGRAM_ERROR_INVALID
 */
const char *
heddle_edit_add_linear (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *value_id,
    const char *axis_id, const char *into_id, GError **error)
{
  g_return_val_if_fail (diagram != NULL, NULL);
  const HeddleValue *value = heddle_diagram_get_value (diagram, value_id);
  if (value == NULL || axis_id == NULL || !heddle_ids_contain (value->axes, axis_id)
      || (into_id != NULL
          && (heddle_ids_contain (value->axes, into_id)
              || heddle_diagram_get_axis (diagram, into_id) == NULL)))
    {
      heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("There is no wire here"));
      return NULL;
    }

  g_autofree char *name = heddle_edit_dup_weights_name (diagram);
  if (into_id == NULL)
    into_id = add_feature_axis (diagram, heddle_diagram_get_axis (diagram, axis_id)->size);
  g_autoptr (GArray) axes = heddle_ids_new (), operands = heddle_ids_new (), core = heddle_ids_new ();
  heddle_ids_append (axes, axis_id);
  heddle_ids_append (axes, into_id);
  const HeddleValue *weights
      = heddle_diagram_add_value (diagram, NULL, name, HEDDLE_ROLE_PARAMETER, HEDDLE_DTYPE_UNSET, axes);
  heddle_ids_append (operands, value_id);
  heddle_ids_append (operands, weights->id);
  heddle_ids_append (core, axis_id);
  return heddle_edit_add_operation (
      snapshot, diagram, heddle_operation_kind ("contract"), operands, core, NULL, error);
}
