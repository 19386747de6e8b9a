/* SPDX-License-Identifier: MIT */

/* This file has what is drawn of things: the page of a block, a bundle or a note, and what the pages of
 * other things have of it. */

#include <glib/gi18n.h>

#include "app/editor/selection.h"
#include "app/edits/definitions.h"
#include "app/edits/figure-edits.h"
#include "app/panes/inspector-figure.h"
#include "app/panes/inspector-rows.h"
#include "app/widgets/tooltip.h"
#include "diagram/base/error.h"
#include "diagram/document/ornament.h"
#include "diagram/document/schedule.h"

static const struct
{
  const char *field, *title;
} titles[] = {
  { "title", N_ ("Title") },
  { "text", N_ ("Text") },
  { "name", N_ ("Name") },
  { "kind", N_ ("Kind") },
  { "place", N_ ("Title is") },
  { "fill", N_ ("Colour") },
  { "frame", N_ ("Backdrop") },
  { "first", N_ ("Parentheses, first") },
  { "last", N_ ("Parentheses, last") },
  { "times", N_ ("Parentheses, times") },
  { "x", N_ ("Across") },
  { "y", N_ ("Down") },
  { "width", N_ ("Width") },
  { "height", N_ ("Height") },
  { "target", N_ ("Points at") },
};

/* These are shown for the words of files. */
static const struct
{
  const char *word, *title;
} words[] = {
  { "card", N_ ("Card") },
  { "text", N_ ("Plain text") },
  { "legend", N_ ("Legend") },
  { "array", N_ ("Array of cells") },
  { "arrow", N_ ("Bent arrow") },
  { "banner", N_ ("Wide arrow") },
  { "above", N_ ("above") },
  { "below", N_ ("below") },
  { "shade", N_ ("shaded") },
  { "dots", N_ ("a dotted outline") },
  { "none", N_ ("none") },
  { "usual", N_ ("as usual") },
  { "solid", N_ ("a solid box") },
  { "box", N_ ("a box") },
  { "letter", N_ ("a letter") },
  { "window", N_ ("a window") },
};

static const char *
title_of_word (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (words[i].word, word))
      return _ (words[i].title);
  return word;
}

static const char *
title_of_field (const char *field)
{
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    if (g_str_equal (titles[i].field, field))
      return _ (titles[i].title);
  return field;
}

/* --- rows --- */

typedef gboolean (*ApplyText) (
    HeddleEditor *editor, const char *id, const char *field, const char *text, GError **error);
typedef void (*ApplyChoice) (HeddleEditor *editor, const char *id, const char *field, guint choice);

typedef struct
{
  HeddleEditor *editor;
  const char *id, *field;
  ApplyText apply;
  ApplyChoice choose;
} Row;

static void
row_free (gpointer data, GClosure *closure)
{
  Row *row = data;

  g_object_unref (row->editor);
  g_free (row);
}

static Row *
row_new (HeddleEditor *editor, const char *id, const char *field)
{
  Row *row = g_new0 (Row, 1);

  *row = (Row){ .editor = g_object_ref (editor), .id = id, .field = field };
  return row;
}

static void
on_apply (AdwEntryRow *entry, Row *row)
{
  g_autoptr (GError) error = NULL;

  if (row->apply (row->editor, row->id, row->field, gtk_editable_get_text (GTK_EDITABLE (entry)), &error))
    return;
  gtk_widget_add_css_class (GTK_WIDGET (entry), "error");
  heddle_editor_report (row->editor, "%s", error->message);
}

static void
add_text (GtkWidget *group, HeddleEditor *editor, const char *title, const char *text, const char *id,
    const char *field, ApplyText apply)
{
  GtkWidget *entry = adw_entry_row_new ();
  Row *row = row_new (editor, id, field);

  row->apply = apply;
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (entry), title);
  gtk_editable_set_text (GTK_EDITABLE (entry), text != NULL ? text : "");
  heddle_accessible_name_set (entry, title);
  adw_entry_row_set_show_apply_button (ADW_ENTRY_ROW (entry), TRUE);
  g_signal_connect_data (entry, "apply", G_CALLBACK (on_apply), row, row_free, 0);
  gtk_list_box_append (GTK_LIST_BOX (group), entry);
}

static void
on_chosen (AdwComboRow *combo, GParamSpec *pspec, Row *row)
{
  row->choose (row->editor, row->id, row->field, adw_combo_row_get_selected (combo));
}

static void
add_choice (GtkWidget *group, HeddleEditor *editor, const char *title, const char *const *choices,
    guint selected, const char *id, const char *field, ApplyChoice choose)
{
  GtkWidget *combo = adw_combo_row_new ();
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  Row *row = row_new (editor, id, field);

  row->choose = choose;
  for (guint i = 0; choices[i] != NULL; i++)
    gtk_string_list_append (names, title_of_word (choices[i]));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (combo), title);
  adw_combo_row_set_model (ADW_COMBO_ROW (combo), G_LIST_MODEL (names));
  adw_combo_row_set_selected (ADW_COMBO_ROW (combo), selected);
  g_signal_connect_data (combo, "notify::selected", G_CALLBACK (on_chosen), row, row_free, 0);
  gtk_list_box_append (GTK_LIST_BOX (group), combo);
}

static void
add_switch (GtkWidget *group, HeddleEditor *editor, const char *title, gboolean active, const char *id,
    GCallback on_active)
{
  GtkWidget *row = adw_action_row_new (), *control = gtk_switch_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_switch_set_active (GTK_SWITCH (control), active);
  gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
  g_object_set_data (G_OBJECT (control), "id", (gpointer) id);
  g_signal_connect_object (control, "notify::active", on_active, editor, 0);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), control);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), control);
  gtk_list_box_append (GTK_LIST_BOX (group), row);
}

/* --- a block, a bundle, a note --- */

static void
choose_word (HeddleEditor *editor, const char *id, const char *name, guint choice)
{
  const HeddleOrnamentKind *kind = NULL;
  gpointer ornament = heddle_editor_find_ornament (editor, id, &kind);

  for (const HeddleField *field = ornament != NULL ? kind->fields : NULL;
       field != NULL && field->name != NULL; field++)
    if (g_str_equal (field->name, name) && heddle_field_at (field, ornament, int) != (int) choice)
      heddle_figure_set_field (editor, id, name, field->words[choice], NULL);
}

static void
add_number (
    GtkWidget *group, HeddleEditor *editor, const HeddleField *field, gpointer ornament, const char *id)
{
  double number = heddle_field_at (field, ornament, double);
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (text, sizeof text, "%.6g", number);
  add_text (group, editor, title_of_field (field->name), number != 0 || field->required ? text : "", id,
      field->name, heddle_figure_set_field);
}

static void
add_list (GtkWidget *box, HeddleEditor *editor, const HeddleField *field, gpointer ornament)
{
  const GArray *ids = heddle_field_at (field, ornament, GArray *);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  GtkWidget *group
      = heddle_inspector_add_group (box, field->kind == HEDDLE_FIELD_AXES ? _ ("Axes") : _ ("Operations"));

  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = heddle_ids_index (ids, i);
      const HeddleAxis *axis = heddle_diagram_get_axis (diagram, id);
      const HeddleOperation *operation = heddle_diagram_get_operation (diagram, id);
      g_autofree char *label
          = operation != NULL ? heddle_diagram_value_label (diagram, operation->result) : NULL;

      if (axis != NULL)
        heddle_inspector_add_link (group, editor, id, axis->name, axis->name);
      else if (operation != NULL)
        {
          g_autofree char *kind = heddle_describe_kind (editor, operation);

          heddle_inspector_add_link (group, editor, id, label, kind);
        }
    }
}

static void
add_field (GtkWidget *box, GtkWidget *group, HeddleEditor *editor, const HeddleField *field,
    gpointer ornament, const char *id)
{
  switch (field->kind)
    {
    case HEDDLE_FIELD_TEXT:
      add_text (group, editor, title_of_field (field->name), heddle_field_at (field, ornament, char *), id,
          field->name, heddle_figure_set_field);
      break;
    case HEDDLE_FIELD_NUMBER:
      add_number (group, editor, field, ornament, id);
      break;
    case HEDDLE_FIELD_WORD:
      add_choice (group, editor, title_of_field (field->name), field->words,
          (guint) heddle_field_at (field, ornament, int), id, field->name, choose_word);
      break;
    case HEDDLE_FIELD_OPERATIONS:
    case HEDDLE_FIELD_AXES:
      add_list (box, editor, field, ornament);
      break;
    case HEDDLE_FIELD_ID:
    case HEDDLE_FIELD_OBJECT:
    case HEDDLE_FIELD_DIAGRAM:
    default:
      break;
    }
}

void
heddle_inspector_show_ornament (GtkWidget *box, HeddleEditor *editor, const char *id)
{
  const HeddleOrnamentKind *kind = NULL;
  gpointer ornament = heddle_editor_find_ornament (editor, id, &kind);
  GtkWidget *group = NULL;
  const char *title = NULL;

  if (ornament == NULL)
    return;
  title = g_str_equal (kind->element, "block")    ? _ ("Block")
          : g_str_equal (kind->element, "bundle") ? _ ("Bundle of Axes")
                                                  : _ ("Note");
  heddle_inspector_add_heading (box, NULL, title, _ ("Changes the figure only, not its meaning"));
  group = heddle_inspector_add_group (box, _ ("Figure"));
  for (const HeddleField *field = kind->fields; field->name != NULL; field++)
    add_field (box, group, editor, field, ornament, id);
}

/* --- of operations, values and axes --- */

static void
choose_look (HeddleEditor *editor, const char *id, const char *field, guint choice)
{
  const HeddleLook *look = heddle_figure_get_look (editor, id);

  if ((guint) (look != NULL ? look->look : HEDDLE_LOOK_USUAL) != choice)
    heddle_figure_set_look (editor, id, (int) choice, look != NULL ? look->label : NULL);
}

static gboolean
apply_label (HeddleEditor *editor, const char *id, const char *field, const char *text, GError **error)
{
  const HeddleLook *look = heddle_figure_get_look (editor, id);

  heddle_figure_set_look (editor, id, look != NULL ? look->look : HEDDLE_LOOK_USUAL, text);
  return TRUE;
}

static gboolean
apply_fill (HeddleEditor *editor, const char *id, const char *field, const char *text, GError **error)
{
  return heddle_figure_set_fill (editor, id, text, error);
}

void
heddle_inspector_add_look (GtkWidget *box, HeddleEditor *editor, const HeddleOperation *operation)
{
  static const char *const looks[] = { "usual", "solid", "box", "letter", "window", NULL };
  const HeddleLook *look = heddle_figure_get_look (editor, operation->id);
  GtkWidget *group = heddle_inspector_add_group (box, _ ("Figure"));

  add_choice (group, editor, _ ("Drawn as"), looks, (guint) (look != NULL ? look->look : HEDDLE_LOOK_USUAL),
      operation->id, "look", choose_look);
  add_text (
      group, editor, _ ("Label"), look != NULL ? look->label : NULL, operation->id, "label", apply_label);
  add_text (group, editor, _ ("Colour"), heddle_figure_get_fill (editor, operation->id), operation->id,
      "fill", apply_fill);
}

static void
on_skip (GtkSwitch *control, GParamSpec *pspec, HeddleEditor *editor)
{
  heddle_figure_set_skip (
      editor, g_object_get_data (G_OBJECT (control), "id"), gtk_switch_get_active (control));
}

void
heddle_inspector_add_skip (GtkWidget *box, HeddleEditor *editor, const HeddleValue *value)
{
  add_switch (heddle_inspector_add_group (box, _ ("Figure")), editor, _ ("Named in place of its wire"),
      heddle_figure_is_skip (editor, value->id), value->id, G_CALLBACK (on_skip));
}

/* --- the drawing --- */

static gboolean
apply_title (HeddleEditor *editor, const char *id, const char *field, const char *text, GError **error)
{
  heddle_figure_set_title (editor, text);
  return TRUE;
}

static gboolean
apply_wrap (HeddleEditor *editor, const char *id, const char *field, const char *text, GError **error)
{
  char *end = NULL;
  double width = *text != '\0' ? g_ascii_strtod (text, &end) : 0;

  if ((end != NULL && *end != '\0') || !(width >= 0 && width <= 1e6))
    {
      g_set_error_literal (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID,
          _ ("The width of lines is a number of pixels"));
      return FALSE;
    }
  heddle_figure_set_wrap (editor, width, NULL);
  return TRUE;
}

static void
on_definitions (GtkSwitch *control, GParamSpec *pspec, HeddleEditor *editor)
{
  heddle_figure_set_definitions (editor, gtk_switch_get_active (control));
}

static void
on_bands (GtkSwitch *control, GParamSpec *pspec, HeddleEditor *editor)
{
  heddle_figure_set_bands (editor, gtk_switch_get_active (control));
}

void
heddle_inspector_add_drawing (GtkWidget *box, HeddleEditor *editor)
{
  const HeddlePresentation *presentation = heddle_figure_get_presentation (editor);
  GtkWidget *group = heddle_inspector_add_group (box, _ ("Figure"));
  double wrap = heddle_figure_get_wrap (editor);
  char width[G_ASCII_DTOSTR_BUF_SIZE] = "";

  if (wrap > 0)
    g_ascii_formatd (width, sizeof width, "%.6g", wrap);
  add_text (group, editor, _ ("Title"), presentation != NULL ? presentation->title : NULL, NULL, "title",
      apply_title);
  add_text (group, editor, _ ("Wrap lines at, px"), width, NULL, "wrap", apply_wrap);
  add_switch (group, editor, _ ("Definitions below"),
      presentation != NULL && presentation->definitions == HEDDLE_DEFINITIONS_BELOW, NULL,
      G_CALLBACK (on_definitions));
  add_switch (group, editor, _ ("Shaded columns"),
      presentation != NULL && presentation->bands == HEDDLE_BANDS_SHADED, NULL, G_CALLBACK (on_bands));
}
