/* SPDX-License-Identifier: MIT */
#include "attention.h"
#include "diagram/base/error.h"
#include "diagram/document/document.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"

static gboolean
set_title (HeddleSnapshot *snapshot, gpointer title, GError **error)
{
  HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  g_free (diagram->name);
  diagram->name = g_strdup (title);
  return TRUE;
}

static gboolean
refuse (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  set_title (snapshot, "never seen", NULL);
  g_set_error_literal (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID, "no");
  return FALSE;
}

typedef enum
{
  SET,
  REFUSE,
  UNDO,
  REDO,
  SAVE,
} Command;

/* A command, what it is given, and what the document shows afterwards. */
typedef struct
{
  Command command;
  const char *argument, *key;
  const char *name, *undo, *redo;
  gboolean modified;
} Row;

static const Row history[] = {
  { SET, "a", NULL, "a", "set a", NULL, TRUE },
  { UNDO, NULL, NULL, "start", NULL, "set a", FALSE },
  { REDO, NULL, NULL, "a", "set a", NULL, TRUE },
  { SAVE, NULL, NULL, "a", "set a", NULL, FALSE },
  { SET, "b", NULL, "b", "set b", NULL, TRUE },
  { REFUSE, NULL, NULL, "b", "set b", NULL, TRUE },
  { UNDO, NULL, NULL, "a", "set a", "set b", FALSE },
  { UNDO, NULL, NULL, "start", NULL, "set a", TRUE },
  { REDO, NULL, NULL, "a", "set a", "set b", FALSE },
  { SET, "c", "key", "c", "set c", NULL, TRUE },
  { SET, "d", "key", "d", "set c", NULL, TRUE },
  { UNDO, NULL, NULL, "a", "set a", "set c", FALSE },
  { REDO, NULL, NULL, "d", "set c", NULL, TRUE },
  { SET, "e", "key", "e", "set e", NULL, TRUE }, /* undo and redo close a step */
  { SAVE, NULL, NULL, "e", "set e", NULL, FALSE },
  { SET, "f", "key", "f", "set f", NULL, TRUE }, /* so does saving */
  { SET, "g", "other", "g", "set g", NULL, TRUE },
  { UNDO, NULL, NULL, "f", "set f", "set g", TRUE },
  { UNDO, NULL, NULL, "e", "set e", "set f", FALSE },
};

static void
run (HeddleDocument *document, const Row *row)
{
  g_autofree char *name = g_strconcat ("set ", row->argument, NULL);
  g_autoptr (GError) error = NULL;
  switch (row->command)
    {
    case SET:
      g_assert_true (
          heddle_document_edit (document, name, row->key, set_title, (gpointer) row->argument, &error));
      break;
    case REFUSE:
      g_assert_false (heddle_document_edit (document, "refuse", NULL, refuse, NULL, &error));
      g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID);
      break;
    case UNDO:
      g_assert_true (heddle_document_undo (document));
      break;
    case REDO:
      g_assert_true (heddle_document_redo (document));
      break;
    case SAVE:
      heddle_document_set_saved (document);
      break;
    }
}

static HeddleDocument *
new_document (void)
{
  g_autoptr (HeddleSnapshot) snapshot = heddle_snapshot_new ();
  heddle_snapshot_add_diagram (snapshot, heddle_diagram_new ("start"));
  return heddle_document_new_from_snapshot (snapshot);
}

static void
test_history (void)
{
  g_autoptr (HeddleDocument) document = new_document ();
  for (guint i = 0; i < G_N_ELEMENTS (history); i++)
    {
      const Row *row = &history[i];
      g_test_message ("row %u", i);
      run (document, row);
      g_assert_cmpstr (
          heddle_snapshot_get_diagram (heddle_document_get_snapshot (document), NULL)->name, ==, row->name);
      g_autofree char *undo = NULL, *redo = NULL;
      gboolean can_undo, can_redo, modified;
      g_object_get (document, "undo-name", &undo, "redo-name", &redo, "can-undo", &can_undo, "can-redo",
          &can_redo, "modified", &modified, NULL);
      g_assert_cmpstr (undo, ==, row->undo);
      g_assert_cmpstr (redo, ==, row->redo);
      g_assert_cmpint (can_undo, ==, row->undo != NULL);
      g_assert_cmpint (can_redo, ==, row->redo != NULL);
      g_assert_cmpint (modified, ==, row->modified);
    }
  heddle_document_load (document, heddle_document_get_snapshot (document));
  g_assert_false (heddle_document_undo (document));
  g_assert_false (heddle_document_get_modified (document));
}

static void
test_pointers (void)
{
  g_autoptr (HeddleDocument) document = new_document ();
  HeddleSnapshot *first = heddle_document_get_snapshot (document);
  HeddleSnapshot *draft = heddle_document_begin (document);
  g_assert_true (heddle_document_get_snapshot (document) == first);
  heddle_document_commit (document, "Nothing", NULL);
  g_assert_true (heddle_document_get_snapshot (document) == draft);
  heddle_document_undo (document);
  g_assert_true (heddle_document_get_snapshot (document) == first);
  heddle_document_redo (document);
  g_assert_true (heddle_document_get_snapshot (document) == draft);
}

static void
append (GString *log, const char *what)
{
  g_string_append_printf (log, "%s ", what);
}

static void
on_notify (GObject *object, GParamSpec *pspec, gpointer log)
{
  append (log, pspec->name);
}

static void
on_changed (HeddleDocument *document, HeddleSnapshot *now, gpointer log)
{
  g_assert_true (now == heddle_document_get_snapshot (document));
  append (log, "changed");
}

static void
test_signals (void)
{
  g_autoptr (HeddleDocument) document = new_document ();
  g_autoptr (GString) log = g_string_new (NULL);
  g_signal_connect (document, "notify", G_CALLBACK (on_notify), log);
  g_signal_connect (document, "changed", G_CALLBACK (on_changed), log);
  heddle_document_edit (document, "One", "key", set_title, "one", NULL);
  g_assert_cmpstr (log->str, ==, "can-undo modified undo-name changed ");
  g_string_truncate (log, 0);
  heddle_document_edit (document, "Two", "key", set_title, "two", NULL);
  g_assert_cmpstr (log->str, ==, "changed ");
  g_string_truncate (log, 0);
  heddle_document_set_saved (document);
  g_assert_cmpstr (log->str, ==, "modified ");
  g_string_truncate (log, 0);
  heddle_document_edit (document, "Three", NULL, refuse, NULL, NULL);
  g_assert_cmpstr (log->str, ==, "");
}

static void
test_snapshots (void)
{
  g_autoptr (HeddleSnapshot) snapshot = heddle_snapshot_new ();
  HeddleDiagram *first = heddle_snapshot_add_diagram (snapshot, fixture_attention ());
  HeddleDiagram *second = heddle_snapshot_add_diagram (snapshot, fixture_attention ());
  g_assert_cmpstr (first->id, ==, "d.attention");
  g_assert_cmpstr (second->id, ==, "d.attention-2");
  g_assert_null (heddle_snapshot_find_schedule (snapshot, first));
  HeddleSchedule *schedule = heddle_snapshot_get_schedule (snapshot, second);
  g_assert_true (heddle_snapshot_find_schedule (snapshot, second) == schedule);
  g_assert_null (heddle_snapshot_find_schedule (snapshot, first));
  heddle_presentation_set_nudge (heddle_snapshot_get_presentation (snapshot, first), "o.S", 3, 4);

  g_autoptr (HeddleSnapshot) copy = heddle_snapshot_copy (snapshot);
  HeddleDiagram *same = heddle_snapshot_get_diagram_by_id (copy, first->id);
  g_assert_true (same != first);
  g_assert_true (heddle_diagram_find_value (same, "S") == heddle_diagram_find_value (first, "S"));
  heddle_presentation_set_nudge (
      heddle_snapshot_get_presentation (copy, same), g_intern_string ("o.S"), 0, 0);
  double dx, dy;
  g_assert_false (heddle_presentation_get_nudge (
      heddle_snapshot_find_presentation (copy, same), g_intern_string ("o.S"), &dx, &dy));
  g_assert_true (heddle_presentation_get_nudge (
      heddle_snapshot_find_presentation (snapshot, first), g_intern_string ("o.S"), &dx, &dy));
  g_assert_cmpfloat (dx, ==, 3);
  g_assert_cmpfloat (dy, ==, 4);
}

static gboolean
take (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  heddle_snapshot_assign (snapshot, data);
  return TRUE;
}

/* What a file holds by now is taken as one step; what a file no longer holds is not saved, however it came about. */
static void
test_replaced (void)
{
  g_autoptr (HeddleDocument) document = new_document ();
  g_autoptr (HeddleSnapshot) other = heddle_snapshot_new ();
  g_autoptr (GString) log = g_string_new (NULL);

  heddle_snapshot_add_diagram (other, heddle_diagram_new ("other"));
  other->read_only = TRUE;
  g_assert_true (heddle_document_edit (document, "Load", NULL, take, other, NULL));
  g_assert_cmpuint (heddle_document_get_snapshot (document)->diagrams->len, ==, 1);
  g_assert_nonnull (heddle_snapshot_get_diagram (heddle_document_get_snapshot (document), "other"));
  g_assert_true (heddle_document_get_snapshot (document)->read_only);
  g_assert_true (heddle_document_undo (document));
  g_assert_null (heddle_snapshot_get_diagram (heddle_document_get_snapshot (document), "other"));
  g_assert_false (heddle_document_get_modified (document));

  g_signal_connect (document, "notify", G_CALLBACK (on_notify), log);
  heddle_document_set_unsaved (document);
  g_assert_true (heddle_document_get_modified (document));
  g_assert_cmpstr (log->str, ==, "modified ");
  heddle_document_redo (document);
  heddle_document_undo (document);
  g_assert_true (heddle_document_get_modified (document));
  heddle_document_set_saved (document);
  g_assert_false (heddle_document_get_modified (document));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/document/history", test_history);
  g_test_add_func ("/document/pointers", test_pointers);
  g_test_add_func ("/document/signals", test_signals);
  g_test_add_func ("/document/snapshots", test_snapshots);
  g_test_add_func ("/document/replaced", test_replaced);
  return g_test_run ();
}
