/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "diagram/analysis/call.h"
#include "diagram/base/error.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/definitions.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/replace.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"

/* --- the whole document from text ------------------------------------------------- */

/* Returns the definition of the document that the definition that was read replaces; adds one if it is
 * new. */
static HeddleDiagram *
counterpart (HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const char *name)
{
  for (guint i = 0; i < snapshot->diagrams->len; i++)
    {
      HeddleDiagram *other = g_ptr_array_index (snapshot->diagrams, i);
      if (other->id != diagram->id && g_strcmp0 (other->name, name) == 0)
        return other;
    }
  return heddle_snapshot_add_diagram (snapshot, heddle_diagram_new (name));
}

/* Returns a copy of the diagram that was read, with its calls changed to the document's definitions. */
static HeddleDiagram *
relink (const HeddleDiagram *read, GHashTable *ids)
{
  HeddleDiagram *copy = heddle_diagram_copy (read);
  for (guint i = 0; i < read->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (read->operations, i);
      if (operation->callee != NULL)
        heddle_diagram_edit_operation (copy, operation->id)->callee
            = g_hash_table_lookup (ids, operation->callee);
    }
  return copy;
}

/* Removes the definitions that are no longer there, with what referred to them. */
static void
remove_others (HeddleSnapshot *snapshot, GHashTable *kept)
{
  for (guint i = snapshot->diagrams->len; i-- > 1;)
    {
      const char *id = ((HeddleDiagram *) g_ptr_array_index (snapshot->diagrams, i))->id;
      if (g_hash_table_contains (kept, id))
        continue;
      for (guint j = snapshot->schedules->len; j-- > 0;)
        {
          const HeddleSchedule *schedule = g_ptr_array_index (snapshot->schedules, j);
          if (schedule->diagram == id || schedule->root == id)
            g_ptr_array_remove_index (snapshot->schedules, j);
        }
      for (guint j = snapshot->presentations->len; j-- > 0;)
        if (((HeddlePresentation *) g_ptr_array_index (snapshot->presentations, j))->diagram == id)
          g_ptr_array_remove_index (snapshot->presentations, j);
      g_ptr_array_remove_index (snapshot->diagrams, i);
    }
}

void
heddle_edit_replace_document (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const HeddleSnapshot *read)
{
  g_return_if_fail (snapshot != NULL && diagram != NULL && read != NULL && read->diagrams->len > 0);
  g_autoptr (GHashTable) ids = g_hash_table_new (NULL, NULL), kept = g_hash_table_new (NULL, NULL);
  gboolean is_first = g_ptr_array_index (snapshot->diagrams, 0) == diagram;
  for (guint i = 1; i < read->diagrams->len; i++)
    {
      const HeddleDiagram *definition = g_ptr_array_index (read->diagrams, i);
      const char *id = counterpart (snapshot, diagram, definition->name)->id;
      g_hash_table_insert (ids, definition->id, (gpointer) id);
      g_hash_table_add (kept, (gpointer) id);
    }
  for (guint i = 1; i < read->diagrams->len; i++)
    {
      const HeddleDiagram *definition = g_ptr_array_index (read->diagrams, i);
      heddle_edit_replace_diagram (
          snapshot, counterpart (snapshot, diagram, definition->name), relink (definition, ids));
    }
  heddle_edit_replace_diagram (snapshot, diagram, relink (g_ptr_array_index (read->diagrams, 0), ids));
  if (is_first)
    remove_others (snapshot, kept);
}

/* --- calls ------------------------------------------------------------------------- */

gboolean
heddle_edit_set_repeat (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *call,
    const char *repeat, gboolean shared, GError **error)
{
  g_return_val_if_fail (snapshot != NULL && diagram != NULL, FALSE);
  const HeddleOperation *present = heddle_diagram_get_operation (diagram, call);
  if (present == NULL || present->kind->form != HEDDLE_FORM_CALL)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("Only a call can be repeated"));
  g_autoptr (HeddleExpr) times = repeat != NULL ? heddle_edit_parse (diagram, repeat, error) : NULL;
  if (repeat != NULL && times == NULL)
    return FALSE;
  g_autoptr (HeddleDiagram) draft = heddle_diagram_copy (diagram);
  HeddleOperation *operation = heddle_diagram_edit_operation (draft, call);
  g_clear_pointer (&operation->repeat, heddle_expr_unref);
  operation->repeat = g_steal_pointer (&times);
  operation->shared = shared;
  g_autofree char *why = heddle_call_problem (snapshot, draft, operation);
  if (why != NULL)
    return heddle_edit_fail (error, HEDDLE_DIAGRAM_ERROR_TYPE, "%s", why);
  heddle_edit_accept (snapshot, diagram, g_steal_pointer (&draft));
  return TRUE;
}
