/* SPDX-License-Identifier: MIT */

/* Deleting and moving what is selected, and tidying. */

#include <glib/gi18n.h>

#include "app/editor/selection.h"
#include "app/edits/definitions.h"
#include "app/edits/move.h"
#include "diagram/document/document.h"
#include "diagram/document/ornament.h"
#include "diagram/document/presentation.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/delete.h"
#include "diagram/edit/edit.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/bends.h"

#include <math.h>

/* A change has what one edit needs to know; each uses its part. */
typedef struct
{
  HeddleEditor *editor;
  const GArray *ids;
  double dx, dy;
} Change;

static gboolean
do_delete (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_delete (
             snapshot, heddle_editor_diagram_in (change->editor, snapshot), (GArray *) change->ids, error)
         > 0;
}

void
heddle_edits_delete_selection (HeddleEditor *editor)
{
  g_autoptr (GArray) ids = heddle_ids_copy (heddle_editor_get_selection (editor));
  Change change = { .editor = editor, .ids = ids };
  const char *only = heddle_editor_get_selected (editor);
  g_autofree char *object = only != NULL ? heddle_describe_object (editor, only) : NULL;
  g_autofree char *title = object != NULL ? g_strdup_printf (_ ("Delete %s"), object)
                                          : g_strdup_printf (_ ("Delete %u things"), ids->len);

  if (ids->len > 0)
    heddle_editor_edit (editor, title, NULL, do_delete, &change, NULL);
}

/* A block moves its operations; a note moves itself. */
static void
add_moved (HeddleEditor *editor, const char *id, GArray *ids)
{
  const HeddleOrnamentKind *kind = NULL;
  gpointer ornament = heddle_editor_find_ornament (editor, id, &kind);

  if (ornament == NULL)
    return;
  if (g_str_equal (kind->element, "annotation"))
    heddle_ids_append (ids, id);
  else if (g_str_equal (kind->element, "block"))
    {
      const HeddleBlock *block = ornament;

      for (guint i = 0; i < block->operations->len; i++)
        if (!heddle_ids_contain (ids, heddle_ids_index (block->operations, i)))
          heddle_ids_append (ids, heddle_ids_index (block->operations, i));
    }
}

GArray *
heddle_edits_list_moved (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  GArray *selection = heddle_editor_get_selection (editor);
  GArray *ids = heddle_ids_new ();

  for (guint i = 0; i < selection->len; i++)
    {
      const char *id = heddle_ids_index (selection, i);

      if (heddle_diagram_get_operation (diagram, id) == NULL)
        add_moved (editor, id, ids);
      else if (!heddle_ids_contain (ids, id))
        heddle_ids_append (ids, id);
    }
  return ids;
}

/* Returns how many operations are at most on the way to each of a diagram, by id: what stands farther to
 * the right has more. */
static GHashTable *
count_before (const HeddleDiagram *diagram)
{
  GHashTable *before = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = diagram->operations->pdata[i];
      guint most = 0;

      for (guint j = 0; j < operation->operands->len; j++)
        {
          const HeddleOperation *producer
              = heddle_diagram_get_producer (diagram, heddle_ids_index (operation->operands, j));

          if (producer != NULL)
            most = MAX (most, 1 + GPOINTER_TO_UINT (g_hash_table_lookup (before, producer->id)));
        }
      g_hash_table_insert (before, (gpointer) operation->id, GUINT_TO_POINTER (most));
    }
  return before;
}

/* The ids of the operations that are moved across: what stands farther to the right makes way for them, and so comes along. */
static GArray *
list_leftmost (const HeddleDiagram *diagram, const GArray *ids)
{
  g_autoptr (GHashTable) before = count_before (diagram);
  GArray *leftmost = heddle_ids_new ();
  guint least = G_MAXUINT;

  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = heddle_ids_index (ids, i);
      const guint n = GPOINTER_TO_UINT (g_hash_table_lookup (before, id));

      if (!g_hash_table_contains (before, id) || n > least)
        continue;
      if (n < least)
        g_array_set_size (leftmost, 0);
      least = n;
      heddle_ids_append (leftmost, id);
    }
  return leftmost;
}

/* An operation goes no farther to the left than it stood, where its wires would go back, and where it is moved up or down it leaves
 * them room to follow. */
static void
nudge_operation (HeddlePresentation *presentation, const char *id, double dx, double dy)
{
  double x, y;

  heddle_presentation_get_nudge (presentation, id, &x, &y);
  y += dy;
  heddle_presentation_set_nudge (presentation, id, MAX (x + dx, heddle_layout_bend_length (fabs (y))), y);
}

static gboolean
do_nudge (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;
  HeddleDiagram *diagram = heddle_editor_get_diagram (change->editor);
  HeddlePresentation *presentation = heddle_snapshot_get_presentation (snapshot, diagram);
  g_autoptr (GArray) leftmost = list_leftmost (diagram, change->ids), others = heddle_ids_new ();

  for (guint i = 0; i < change->ids->len; i++)
    {
      const char *id = heddle_ids_index (change->ids, i);

      if (heddle_diagram_get_operation (diagram, id) == NULL)
        heddle_ids_append (others, id);
      else
        nudge_operation (presentation, id, heddle_ids_contain (leftmost, id) ? change->dx : 0., change->dy);
    }
  heddle_edit_nudge (snapshot, diagram, others, change->dx, change->dy);
  return TRUE;
}

HeddlePresentation *
heddle_edits_dup_moved_presentation (HeddleEditor *editor, double dx, double dy)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddlePresentation *present
      = heddle_snapshot_find_presentation (heddle_editor_get_snapshot (editor), diagram);
  g_autoptr (HeddleSnapshot) draft = heddle_snapshot_new (); /* of nothing else */
  g_autoptr (GArray) ids = heddle_edits_list_moved (editor);
  Change change = { .editor = editor, .ids = ids, .dx = dx, .dy = dy };

  g_ptr_array_add (draft->presentations,
      present != NULL ? heddle_presentation_copy (present) : heddle_presentation_new (diagram->id));
  do_nudge (draft, &change, NULL);
  return g_ptr_array_steal_index (draft->presentations, 0);
}

void
heddle_edits_nudge_selection (HeddleEditor *editor, double dx, double dy, const char *merge_key)
{
  g_autoptr (GArray) ids = heddle_edits_list_moved (editor);
  Change change = { .editor = editor, .ids = ids, .dx = dx, .dy = dy };

  if (ids->len > 0)
    heddle_editor_edit (editor, _ ("Move"), merge_key, do_nudge, &change, NULL);
}

static gboolean
do_tidy (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;
  HeddlePresentation *presentation
      = heddle_snapshot_get_presentation (snapshot, heddle_editor_diagram_in (change->editor, snapshot));

  for (guint i = 0; i < change->ids->len; i++)
    heddle_presentation_set_nudge (presentation, heddle_ids_index (change->ids, i), 0, 0);
  return TRUE;
}

/* The ids of all that was moved by hand, or of what is selected of it. */
static GArray *
list_untidy (HeddleEditor *editor)
{
  const HeddlePresentation *presentation = heddle_snapshot_find_presentation (
      heddle_editor_get_snapshot (editor), heddle_editor_get_diagram (editor));
  const gboolean all = heddle_editor_get_selection (editor)->len == 0;
  g_autoptr (GArray) selected = heddle_edits_list_moved (editor);
  GArray *ids = heddle_ids_new ();

  for (guint i = 0; presentation != NULL && i < presentation->nudges->len; i++)
    {
      const char *id = g_array_index (presentation->nudges, HeddleNudge, i).object;

      if (all || heddle_ids_contain (selected, id) || heddle_editor_is_selected (editor, id))
        heddle_ids_append (ids, id);
    }
  return ids;
}

gboolean
heddle_edits_tidy (HeddleEditor *editor)
{
  g_autoptr (GArray) ids = list_untidy (editor);
  Change change = { .editor = editor, .ids = ids };

  return ids->len > 0 && heddle_editor_edit (editor, _ ("Tidy"), NULL, do_tidy, &change, NULL);
}
