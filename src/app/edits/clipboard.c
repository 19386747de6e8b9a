/* SPDX-License-Identifier: MIT */

/* Operations that are copied, and put somewhere. */

#include "app/editor/selection.h"
#include "app/edits/clipboard.h"
#include "diagram/document/ornament.h"
#include "diagram/edit/extract.h"
#include "diagram/edit/paste.h"
#include "diagram/graph/diagram.h"

HeddleSnapshot *
heddle_edits_extract_selection (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  g_autoptr (GArray) ids = heddle_ids_copy (heddle_editor_get_selection (editor));

  /* of a block that is selected, its operations */
  for (guint i = ids->len; i-- > 0;)
    {
      const HeddleOrnamentKind *kind = NULL;
      gpointer ornament = heddle_editor_find_ornament (editor, heddle_ids_index (ids, i), &kind);

      if (ornament != NULL && g_str_equal (kind->element, "block"))
        {
          const GArray *operations = ((HeddleBlock *) ornament)->operations;

          g_array_append_vals (ids, operations->data, operations->len);
        }
    }
  return diagram != NULL ? heddle_snapshot_extract (heddle_editor_get_snapshot (editor), diagram, ids) : NULL;
}

typedef struct
{
  HeddleEditor *editor;
  const HeddleSnapshot *clip;
  GArray *made;
} Pasting;

static gboolean
do_paste (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Pasting *pasting = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (pasting->editor, snapshot);

  g_array_set_size (pasting->made, 0);
  return heddle_edit_paste (snapshot, diagram, pasting->clip, pasting->made, error);
}

gboolean
heddle_edits_paste (HeddleEditor *editor, const HeddleSnapshot *clip, const char *name)
{
  g_autoptr (GArray) made = heddle_ids_new ();
  Pasting pasting = { editor, clip, made };

  if (heddle_editor_get_diagram (editor) == NULL
      || !heddle_editor_edit (editor, name, NULL, do_paste, &pasting, NULL))
    return FALSE;
  heddle_editor_select_ids (editor, made);
  return TRUE;
}

void
heddle_edits_select_all (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  g_autoptr (GArray) ids = heddle_ids_new ();

  for (guint i = 0; diagram != NULL && i < diagram->operations->len; i++)
    heddle_ids_append (ids, ((HeddleOperation *) g_ptr_array_index (diagram->operations, i))->id);
  heddle_editor_select_ids (editor, ids);
}
