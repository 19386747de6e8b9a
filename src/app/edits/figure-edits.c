/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/editor/selection.h"
#include "app/edits/definitions.h"
#include "app/edits/figure-edits.h"
#include "diagram/document/document.h"
#include "diagram/document/presentation.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/figure.h"
#include "diagram/edit/ornament.h"
#include "diagram/graph/diagram.h"

typedef struct
{
  HeddleEditor *editor;
  const GArray *ids;
  const char *id, *field, *text;
  HeddleNoteKind kind;
  double x, y;
  int word;
  gboolean flag;
  const char *made; /* out */
} Change;

const HeddlePresentation *
heddle_figure_get_presentation (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);

  return diagram != NULL ? heddle_snapshot_find_presentation (heddle_editor_get_snapshot (editor), diagram)
                         : NULL;
}

/* Returns which of the selection are axes (@axes) or operations. */
static GArray *
selected (HeddleEditor *editor, gboolean axes)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  GArray *selection = heddle_editor_get_selection (editor);
  GArray *ids = heddle_ids_new ();

  for (guint i = 0; diagram != NULL && i < selection->len; i++)
    {
      const char *id = heddle_ids_index (selection, i);

      if (axes ? heddle_diagram_get_axis (diagram, id) != NULL
               : heddle_diagram_get_operation (diagram, id) != NULL)
        heddle_ids_append (ids, id);
    }
  return ids;
}

static gboolean
edit_and_select (HeddleEditor *editor, const char *title, HeddleEdit edit, Change *change)
{
  if (!heddle_editor_edit (editor, title, NULL, edit, change, NULL))
    return FALSE;
  heddle_editor_select (editor, change->made);
  return TRUE;
}

/* --- blocks and bundles --- */

static gboolean
do_add_block (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  change->made = heddle_edit_add_block (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->ids, change->text, error);
  return change->made != NULL;
}

gboolean
heddle_figure_can_add_block (HeddleEditor *editor)
{
  g_autoptr (GArray) ids = selected (editor, FALSE);

  return ids->len > 0;
}

gboolean
heddle_figure_add_block (HeddleEditor *editor)
{
  g_autoptr (GArray) ids = selected (editor, FALSE);
  Change change = { .editor = editor, .ids = ids, .text = _ ("Block") };

  return edit_and_select (editor, _ ("Add Block"), do_add_block, &change);
}

static gboolean
do_add_bundle (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  change->made = heddle_edit_add_bundle (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->ids, change->text, error);
  return change->made != NULL;
}

gboolean
heddle_figure_can_add_bundle (HeddleEditor *editor)
{
  g_autoptr (GArray) ids = selected (editor, TRUE);

  return ids->len > 1;
}

gboolean
heddle_figure_add_bundle (HeddleEditor *editor)
{
  g_autoptr (GArray) ids = selected (editor, TRUE);
  const HeddleAxis *first
      = ids->len > 0 ? heddle_diagram_get_axis (heddle_editor_get_diagram (editor), heddle_ids_index (ids, 0))
                     : NULL;
  g_autofree char *name = first != NULL ? g_strdup_printf ("\\bar{%s}", first->name) : NULL;
  Change change = { .editor = editor, .ids = ids, .text = name != NULL ? name : "" };

  return edit_and_select (editor, _ ("Bundle Axes"), do_add_bundle, &change);
}

/* --- notes --- */

static const struct
{
  const char *name;
  HeddleNoteKind kind;
  const char *title, *text;
  double width, height;
} notes[] = {
  { "card", HEDDLE_NOTE_CARD, N_ ("Add Card"), N_ ("Note"), 0, 0 },
  { "text", HEDDLE_NOTE_TEXT, N_ ("Add Text"), N_ ("Text"), 0, 0 },
  { "legend", HEDDLE_NOTE_LEGEND, N_ ("Add Legend"), "", 0, 0 },
  { "array", HEDDLE_NOTE_ARRAY, N_ ("Add Array of Cells"), "3 4", 0, 0 },
  { "arrow", HEDDLE_NOTE_ARROW, N_ ("Add Arrow"), "", 120, 60 },
  { "banner", HEDDLE_NOTE_BANNER, N_ ("Add Wide Arrow"), N_ ("Step"), 0, 0 },
};

static gboolean
do_add_note (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (change->editor, snapshot);
  HeddleAnnotation *note = NULL;

  change->made = heddle_edit_add_note (
      snapshot, diagram, change->kind, change->text, change->x, change->y, change->id);
  note = heddle_presentation_find (heddle_snapshot_get_presentation (snapshot, diagram), change->made,
      &(const HeddleOrnamentKind *){ NULL });
  note->width = notes[change->word].width;
  note->height = notes[change->word].height;
  if (change->kind == HEDDLE_NOTE_LEGEND)
    note->title = g_strdup (_ ("Legend"));
  return TRUE;
}

gboolean
heddle_figure_add_note (HeddleEditor *editor, const char *kind, double x, double y)
{
  const char *only = heddle_editor_get_selected (editor);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleOperation *target
      = diagram != NULL && only != NULL ? heddle_diagram_get_operation (diagram, only) : NULL;
  Change change = { .editor = editor, .x = x, .y = y };

  for (guint i = 0; diagram != NULL && i < G_N_ELEMENTS (notes); i++)
    {
      if (!g_str_equal (notes[i].name, kind))
        continue;
      change.word = (int) i;
      change.kind = notes[i].kind;
      change.text = *notes[i].text != '\0' ? _ (notes[i].text) : "";
      if (target != NULL && (change.kind == HEDDLE_NOTE_CARD || change.kind == HEDDLE_NOTE_TEXT))
        {
          /* above what it is about */
          change.id = target->id;
          change.x = 0;
          change.y = -90;
        }
      return edit_and_select (editor, _ (notes[i].title), do_add_note, &change);
    }
  return FALSE;
}

/* --- fields --- */

static gboolean
do_set_field (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_set_field (snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->id,
      change->field, change->text, error);
}

gboolean
heddle_figure_set_field (
    HeddleEditor *editor, const char *id, const char *field, const char *text, GError **error)
{
  Change change = { .editor = editor, .id = id, .field = field, .text = text };
  g_autofree char *object = heddle_describe_object (editor, id);
  g_autofree char *title = g_strdup_printf (_ ("Set %s of %s"), field, object);

  return heddle_editor_edit (editor, title, NULL, do_set_field, &change, error);
}

static gboolean
do_set_look (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;
  const gboolean bare = change->text == NULL || *change->text == '\0';

  return heddle_edit_set_look (snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->id,
      (HeddleLookKind) change->word, bare ? NULL : change->text, error);
}

gboolean
heddle_figure_set_look (HeddleEditor *editor, const char *operation, int look, const char *label)
{
  Change change = { .editor = editor, .id = operation, .word = look, .text = label };
  g_autofree char *object = heddle_describe_object (editor, operation);
  g_autofree char *title = g_strdup_printf (_ ("Change how %s is Drawn"), object);

  return heddle_editor_edit (editor, title, NULL, do_set_look, &change, NULL);
}

const HeddleLook *
heddle_figure_get_look (HeddleEditor *editor, const char *operation)
{
  const HeddlePresentation *presentation = heddle_figure_get_presentation (editor);

  for (guint i = 0; presentation != NULL && i < presentation->looks->len; i++)
    {
      const HeddleLook *look = g_ptr_array_index (presentation->looks, i);

      if (look->object == operation)
        return look;
    }
  return NULL;
}

static gboolean
do_set_fill (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_set_fill (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->id, change->text, error);
}

gboolean
heddle_figure_set_fill (HeddleEditor *editor, const char *object, const char *fill, GError **error)
{
  Change change = { .editor = editor, .id = object, .text = fill };
  g_autofree char *name = heddle_describe_object (editor, object);
  g_autofree char *title = g_strdup_printf (_ ("Colour %s"), name);

  return heddle_editor_edit (editor, title, NULL, do_set_fill, &change, error);
}

const char *
heddle_figure_get_fill (HeddleEditor *editor, const char *object)
{
  const HeddlePresentation *presentation = heddle_figure_get_presentation (editor);

  for (guint i = 0; presentation != NULL && i < presentation->fills->len; i++)
    {
      const HeddleFill *fill = g_ptr_array_index (presentation->fills, i);

      if (fill->object == object)
        return fill->fill;
    }
  return NULL;
}

static gboolean
do_set_skip (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_set_skip (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->id, NULL, change->flag, error);
}

gboolean
heddle_figure_set_skip (HeddleEditor *editor, const char *value, gboolean skip)
{
  Change change = { .editor = editor, .id = value, .flag = skip };
  g_autofree char *object = heddle_describe_object (editor, value);
  g_autofree char *title = skip ? g_strdup_printf (_ ("Name %s in Place of its Wire"), object)
                                : g_strdup_printf (_ ("Draw the Wire of %s"), object);

  return heddle_editor_edit (editor, title, NULL, do_set_skip, &change, NULL);
}

gboolean
heddle_figure_is_skip (HeddleEditor *editor, const char *value)
{
  const HeddlePresentation *presentation = heddle_figure_get_presentation (editor);

  for (guint i = 0; presentation != NULL && i < presentation->skips->len; i++)
    if (((HeddleSkip *) g_ptr_array_index (presentation->skips, i))->value == value)
      return TRUE;
  return FALSE;
}

/* --- the drawing --- */

static gboolean
do_set_wrap (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  heddle_edit_set_wrap (snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->x);
  return TRUE;
}

void
heddle_figure_set_wrap (HeddleEditor *editor, double width, const char *merge_key)
{
  Change change = { .editor = editor, .x = width };
  g_autofree char *title
      = width > 0 ? g_strdup_printf (_ ("Wrap Lines at %.0f"), width) : g_strdup (_ ("Draw in One Line"));

  heddle_editor_edit (editor, title, merge_key, do_set_wrap, &change, NULL);
}

double
heddle_figure_get_wrap (HeddleEditor *editor)
{
  const HeddlePresentation *presentation = heddle_figure_get_presentation (editor);

  return presentation != NULL ? presentation->wrap : 0;
}

static gboolean
do_set_title (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  heddle_edit_set_title (snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->text);
  return TRUE;
}

void
heddle_figure_set_title (HeddleEditor *editor, const char *title)
{
  Change change = { .editor = editor, .text = title };

  heddle_editor_edit (editor, _ ("Set the Title"), NULL, do_set_title, &change, NULL);
}

static gboolean
do_set_definitions (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  heddle_snapshot_get_presentation (snapshot, heddle_editor_diagram_in (change->editor, snapshot))
      ->definitions
      = change->flag ? HEDDLE_DEFINITIONS_BELOW : HEDDLE_DEFINITIONS_NONE;
  return TRUE;
}

void
heddle_figure_set_definitions (HeddleEditor *editor, gboolean below)
{
  Change change = { .editor = editor, .flag = below };

  heddle_editor_edit (editor, below ? _ ("Show Definitions Below") : _ ("Hide Definitions"), NULL,
      do_set_definitions, &change, NULL);
}

static gboolean
do_set_bands (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  heddle_snapshot_get_presentation (snapshot, heddle_editor_diagram_in (change->editor, snapshot))->bands
      = change->flag ? HEDDLE_BANDS_SHADED : HEDDLE_BANDS_PLAIN;
  return TRUE;
}

void
heddle_figure_set_bands (HeddleEditor *editor, gboolean shaded)
{
  Change change = { .editor = editor, .flag = shaded };

  heddle_editor_edit (
      editor, shaded ? _ ("Shade Columns") : _ ("Plain Columns"), NULL, do_set_bands, &change, NULL);
}
