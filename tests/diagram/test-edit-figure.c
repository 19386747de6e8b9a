/* SPDX-License-Identifier: MIT */
#include "attention.h"
#include "diagram/base/error.h"
#include "diagram/document/document.h"
#include "diagram/document/ornament.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/delete.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/figure.h"
#include "diagram/graph/diagram.h"

/* Attention in a document; ids o.S, o.t, o.P, o.O. */
static HeddleSnapshot *
make_snapshot (HeddleDiagram **diagram)
{
  HeddleSnapshot *snapshot = heddle_snapshot_new ();

  *diagram = heddle_snapshot_add_diagram (snapshot, fixture_attention ());
  return snapshot;
}

static GArray *
make_ids (const char *first, const char *second)
{
  GArray *ids = heddle_ids_new ();

  heddle_ids_append (ids, g_intern_string (first));
  if (second != NULL)
    heddle_ids_append (ids, g_intern_string (second));
  return ids;
}

static void
test_block (void)
{
  HeddleDiagram *diagram;
  g_autoptr (HeddleSnapshot) snapshot = make_snapshot (&diagram);
  g_autoptr (GArray) both = make_ids ("o.S", "o.P"), gone = make_ids ("o.S", "o.none");
  g_autoptr (GArray) softmax = make_ids ("o.P", NULL), scores = make_ids ("o.S", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (heddle_edit_add_block (snapshot, diagram, gone, "T", &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID);
  const char *id = heddle_edit_add_block (snapshot, diagram, both, " Core ", NULL);
  g_assert_cmpstr (id, ==, "block.1");
  g_assert_cmpstr (heddle_edit_add_block (snapshot, diagram, both, "Other", NULL), ==, "block.2");
  HeddlePresentation *presentation = heddle_snapshot_find_presentation (snapshot, diagram);
  const HeddleBlock *block = heddle_presentation_find (presentation, id, NULL);
  g_assert_cmpstr (block->title, ==, "Core");
  g_assert_true (heddle_edit_set_text (snapshot, diagram, id, "Heart", NULL));
  g_assert_cmpstr (block->title, ==, "Heart");

  /* What is deleted leaves the block; the block goes with the last of its operations. */
  g_assert_cmpuint (heddle_edit_delete (snapshot, diagram, softmax, NULL), >, 0);
  g_assert_cmpuint (block->operations->len, ==, 1);
  g_assert_cmpuint (heddle_edit_delete (snapshot, diagram, scores, NULL), >, 0);
  g_assert_cmpuint (presentation->blocks->len, ==, 0);
}

static void
test_bundle (void)
{
  HeddleDiagram *diagram;
  g_autoptr (HeddleSnapshot) snapshot = make_snapshot (&diagram);
  g_autoptr (GArray) one = make_ids ("a.x", NULL), two = make_ids ("a.x", "a.d"),
                     more = make_ids ("a.d", "a.q");
  g_autoptr (GError) error = NULL;

  g_assert_null (heddle_edit_add_bundle (snapshot, diagram, one, "b", &error));
  g_clear_error (&error);
  const char *id = heddle_edit_add_bundle (snapshot, diagram, two, "\\mathbf{x}", NULL);
  g_assert_nonnull (id);
  g_assert_null (heddle_edit_add_bundle (snapshot, diagram, more, "b", &error));
  g_assert_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (heddle_edit_set_text (snapshot, diagram, id, " ", &error));
  g_clear_error (&error);
  g_assert_true (heddle_edit_set_text (snapshot, diagram, id, "\\mathbf{z}", NULL));
}

/* Notes are moved, read and deleted as other things are. */
static void
test_note (void)
{
  HeddleDiagram *diagram;
  g_autoptr (HeddleSnapshot) snapshot = make_snapshot (&diagram);
  const char *id = heddle_edit_add_note (snapshot, diagram, HEDDLE_NOTE_CARD, "text", 10., 20., "o.P");
  const HeddlePresentation *presentation = heddle_snapshot_find_presentation (snapshot, diagram);
  const HeddleAnnotation *note = heddle_presentation_find (presentation, id, NULL);
  g_autoptr (GArray) notes = make_ids (id, NULL), softmax = make_ids ("o.P", NULL);

  heddle_edit_nudge (snapshot, diagram, notes, -4., 5.5);
  g_assert_cmpfloat (note->x, ==, 6.);
  g_assert_cmpfloat (note->y, ==, 25.5);
  g_assert_cmpuint (presentation->nudges->len, ==, 0);
  g_assert_true (heddle_edit_set_text (snapshot, diagram, id, "new", NULL));
  g_assert_cmpstr (note->text, ==, "new");
  g_assert_cmpuint (heddle_edit_delete (snapshot, diagram, softmax, NULL), >, 0);
  g_assert_cmpstr (note->id, ==, id);
  g_assert_null (note->target);
  g_assert_cmpuint (heddle_edit_delete (snapshot, diagram, notes, NULL), ==, 1);
  g_assert_cmpuint (presentation->annotations->len, ==, 0);
}

static void
test_skip_and_look (void)
{
  HeddleDiagram *diagram;
  g_autoptr (HeddleSnapshot) snapshot = make_snapshot (&diagram);

  g_assert_true (heddle_edit_set_skip (snapshot, diagram, "v.P", "o.O", TRUE, NULL));
  g_assert_true (heddle_edit_set_skip (snapshot, diagram, "v.P", "o.O", TRUE, NULL));
  const HeddlePresentation *presentation = heddle_snapshot_find_presentation (snapshot, diagram);
  g_assert_cmpuint (presentation->skips->len, ==, 1);
  g_assert_true (heddle_edit_set_skip (snapshot, diagram, "v.P", NULL, FALSE, NULL));
  g_assert_cmpuint (presentation->skips->len, ==, 0);
  g_assert_true (heddle_edit_set_look (snapshot, diagram, "o.P", HEDDLE_LOOK_BOX, "G", NULL));
  g_assert_cmpstr (((HeddleLook *) presentation->looks->pdata[0])->label, ==, "G");
  g_assert_true (heddle_edit_set_look (snapshot, diagram, "o.P", HEDDLE_LOOK_USUAL, NULL, NULL));
  g_assert_cmpuint (presentation->looks->len, ==, 0);
  g_assert_true (heddle_presentation_is_empty (presentation));
}

static gboolean
edit_block (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  return heddle_edit_add_block (snapshot, heddle_snapshot_get_diagram (snapshot, NULL), data, "T", error)
         != NULL;
}

static void
test_undo (void)
{
  HeddleDiagram *diagram;
  g_autoptr (HeddleSnapshot) snapshot = make_snapshot (&diagram);
  g_autoptr (HeddleDocument) document = heddle_document_new_from_snapshot (snapshot);
  g_autoptr (GArray) operations = make_ids ("o.S", NULL);

  g_assert_true (heddle_document_edit (document, "Add block", NULL, edit_block, operations, NULL));
  const HeddleSnapshot *now = heddle_document_get_snapshot (document);
  const HeddlePresentation *presentation
      = heddle_snapshot_find_presentation (now, heddle_snapshot_get_diagram (now, NULL));
  g_assert_cmpuint (presentation->blocks->len, ==, 1);
  g_assert_true (heddle_document_undo (document));
  now = heddle_document_get_snapshot (document);
  presentation = heddle_snapshot_find_presentation (now, heddle_snapshot_get_diagram (now, NULL));
  g_assert_true (presentation == NULL || presentation->blocks->len == 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/diagram/edit-figure/block", test_block);
  g_test_add_func ("/diagram/edit-figure/bundle", test_bundle);
  g_test_add_func ("/diagram/edit-figure/note", test_note);
  g_test_add_func ("/diagram/edit-figure/skip-and-look", test_skip_and_look);
  g_test_add_func ("/diagram/edit-figure/undo", test_undo);
  return g_test_run ();
}
