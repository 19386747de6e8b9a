/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/editor/target.h"
#include "app/edits/definitions.h"
#include "app/edits/figure-edits.h"
#include "app/edits/label.h"
#include "app/panes/inspector-call.h"
#include "app/panes/inspector-figure.h"
#include "app/panes/inspector-pages.h"
#include "app/panes/inspector-place.h"
#include "app/panes/inspector-rows.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

/* Beyond this many lines nobody reads on, and the window would wait for them. */
#define MOST_LINES 60
/* Each line takes more than a millisecond to be made and placed: of a page of more than so many, so many of each group are there at once, and
 * so many more of each in every frame. */
#define LONG_PAGE 40
#define FIRST_LINES 5
#define LINES_A_FRAME 2

static void
add_rest (GtkWidget *group, guint n_all)
{
  g_autofree char *text = NULL;

  if (n_all <= MOST_LINES)
    return;
  text = g_strdup_printf (ngettext ("and %u more", "and %u more", n_all - MOST_LINES), n_all - MOST_LINES);
  heddle_inspector_add_fact (group, text, "");
}

/* --- lines that follow --- */

typedef void (*AddLine) (GtkWidget *group, HeddleEditor *editor, const char *id);

typedef struct
{
  HeddleEditor *editor;
  GArray *ids;
  guint next; /* of them */
  AddLine add;
} Lines;

static void
lines_free (gpointer data)
{
  Lines *self = data;

  g_object_unref (self->editor);
  g_array_unref (self->ids);
  g_free (self);
}

/* Adds lines; FALSE means that all are there. */
static gboolean
add_lines (GtkWidget *group, Lines *self, guint n)
{
  const guint all = MIN (self->ids->len, MOST_LINES), end = MIN (all, self->next + n);

  for (; self->next < end; self->next++)
    self->add (group, self->editor, heddle_ids_index (self->ids, self->next));
  if (self->next < all)
    return TRUE;
  add_rest (group, self->ids->len);
  return FALSE;
}

static gboolean
on_frame (GtkWidget *group, GdkFrameClock *clock, gpointer lines)
{
  return add_lines (group, lines, LINES_A_FRAME) ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
add_group (
    GtkWidget *box, HeddleEditor *editor, const char *title, const GArray *ids, AddLine add, guint first)
{
  Lines *lines = NULL;
  GtkWidget *group = NULL;

  if (ids->len == 0)
    return;
  group = heddle_inspector_add_group (box, title);
  lines = g_new (Lines, 1);
  *lines = (Lines){ g_object_ref (editor), heddle_ids_copy (ids), 0, add };
  if (add_lines (group, lines, first))
    gtk_widget_add_tick_callback (group, on_frame, lines, lines_free);
  else
    lines_free (lines);
}

/* --- lines for values --- */

static char *
describe_origin (HeddleEditor *editor, const HeddleDiagram *diagram, const HeddleValue *value)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (diagram, value->id);

  if (producer != NULL)
    {
      g_autofree char *text = heddle_describe_object (editor, producer->id);
      return g_steal_pointer (&text);
    }
  return g_strdup (value->role == HEDDLE_ROLE_PARAMETER ? _ ("Parameter") : _ ("Input"));
}

void
heddle_inspector_add_values (GtkWidget *group, HeddleEditor *editor, GPtrArray *values)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);

  for (guint i = 0; i < MIN (values->len, MOST_LINES); i++)
    {
      const HeddleValue *value = g_ptr_array_index (values, i);
      g_autofree char *label = heddle_diagram_value_label (diagram, value->id);
      g_autofree char *text = describe_origin (editor, diagram, value);

      heddle_inspector_add_link (group, editor, value->id, label, text);
    }
  add_rest (group, values->len);
}

/* Adds what the text says of an array, such as where it is made in the program that a model comes from. */
static void
add_comment (GtkWidget *group, const HeddleValue *value)
{
  g_autofree char *text = g_strdup (value->comment);

  if (text == NULL)
    return;
  g_strstrip (g_strdelimit (text, "\f\n", ' '));
  heddle_inspector_add_fact (group, _ ("Comment"), text);
}

/* --- a value --- */

static void
on_dtype_selected (AdwComboRow *row, GParamSpec *pspec, HeddleEditor *editor)
{
  const char *id = g_object_get_data (G_OBJECT (row), "id");
  const HeddleValue *value = heddle_diagram_get_value (heddle_editor_get_diagram (editor), id);
  HeddleDtype dtype = adw_combo_row_get_selected (row);

  if (value != NULL && value->dtype != dtype)
    heddle_edits_set_dtype (editor, id, dtype);
}

static void
add_dtype (GtkWidget *group, HeddleEditor *editor, const HeddleValue *value)
{
  GtkWidget *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  HeddleDtype inferred = heddle_diagram_dtype (
      heddle_editor_get_diagram (editor), value->id, heddle_editor_get_dtype (editor));

  for (guint i = 0; i < HEDDLE_N_DTYPES; i++)
    {
      g_autofree char *unset = g_strdup_printf (_ ("as read (%s)"), heddle_dtype_to_string (inferred));

      gtk_string_list_append (names, i == HEDDLE_DTYPE_UNSET ? unset : heddle_dtype_to_string (i));
    }
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Data type"));
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (names));
  adw_combo_row_set_selected (ADW_COMBO_ROW (row), value->dtype);
  g_object_set_data (G_OBJECT (row), "id", (gpointer) value->id);
  g_signal_connect_object (row, "notify::selected", G_CALLBACK (on_dtype_selected), editor, 0);
  gtk_list_box_append (GTK_LIST_BOX (group), row);
}

static void
add_axis (GtkWidget *group, HeddleEditor *editor, const char *id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (heddle_editor_get_diagram (editor), id);
  HeddleSizes *sizes = heddle_editor_get_sizes (editor);
  g_autofree char *size = NULL;

  if (axis == NULL)
    return;
  if (sizes != NULL)
    size = g_strdup_printf ("%" G_GINT64_FORMAT, heddle_sizes_get (sizes, axis->id));
  heddle_inspector_add_link (group, editor, axis->id, axis->name, size != NULL ? size : _ ("no size given"));
}

static void
add_operations (GtkWidget *group, HeddleEditor *editor, GPtrArray *operations)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);

  for (guint i = 0; i < MIN (operations->len, MOST_LINES); i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (operations, i);
      g_autofree char *label = heddle_diagram_value_label (diagram, operation->result);
      g_autofree char *text = heddle_describe_object (editor, operation->id);

      heddle_inspector_add_link (group, editor, operation->id, label, text);
    }
  add_rest (group, operations->len);
}

void
heddle_inspector_show_value (GtkWidget *box, HeddleEditor *editor, const HeddleValue *value)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleOperation *producer = heddle_diagram_get_producer (diagram, value->id);
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, value->id);
  g_autofree char *label = heddle_diagram_value_label (diagram, value->id);
  g_autofree char *title = g_strdup_printf (_ ("Array %s"), label);
  g_autofree char *type = heddle_describe_type (editor, value);
  GtkWidget *group = NULL;

  heddle_inspector_add_heading (box, label, title, type);
  group = heddle_inspector_add_group (box, _ ("Array"));
  add_comment (group, value);
  heddle_inspector_add_entry (group, editor, _ ("Name"), value->name, value->id, heddle_edits_rename);
  add_dtype (group, editor, value);
  add_group (box, editor, _ ("Axes"), value->axes, add_axis, MOST_LINES);
  if (producer != NULL)
    {
      g_autofree char *text = heddle_describe_object (editor, producer->id);

      heddle_inspector_add_link (
          heddle_inspector_add_group (box, _ ("Made by")), editor, producer->id, label, text);
    }
  if (readers->len > 0)
    add_operations (heddle_inspector_add_group (box, _ ("Read by")), editor, readers);
  heddle_inspector_add_places (box, editor, value);
  if (readers->len > 0)
    heddle_inspector_add_skip (box, editor, value);
  heddle_inspector_add_problems (box, editor, value->id);
}

/* --- an operation --- */

void
heddle_inspector_show_operation (GtkWidget *box, HeddleEditor *editor, const HeddleOperation *operation)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  g_autoptr (GPtrArray) operands = g_ptr_array_new ();
  g_autofree char *label = heddle_diagram_value_label (diagram, operation->result);
  g_autofree char *body = heddle_describe_body (diagram, operation);
  g_autofree char *words = heddle_describe_operation (editor, operation);
  const HeddleValue *made;

  heddle_inspector_add_heading (box, label, _ (operation->kind->title), words);
  made = heddle_diagram_get_value (diagram, operation->result);
  if (made != NULL && made->comment != NULL)
    add_comment (heddle_inspector_add_group (box, _ ("Statement")), made);
  if (operation->kind->form == HEDDLE_FORM_MAP)
    heddle_inspector_add_entry (heddle_inspector_add_group (box, _ ("Function")), editor, _ ("Of $0, $1 …"),
        body, operation->id, heddle_edits_set_body);
  if (operation->kind->form == HEDDLE_FORM_CALL)
    heddle_inspector_add_call (box, editor, operation);
  add_group (box, editor, _ ("Over"), operation->axes, add_axis, MOST_LINES);
  for (guint i = 0; i < operation->operands->len; i++)
    {
      const HeddleValue *value
          = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, i));

      if (value != NULL)
        g_ptr_array_add (operands, (gpointer) value);
    }
  heddle_inspector_add_values (heddle_inspector_add_group (box, _ ("Reads")), editor, operands);
  g_ptr_array_set_size (operands, 0);
  for (guint i = 0; i < heddle_operation_n_results (operation); i++)
    g_ptr_array_add (
        operands, (gpointer) heddle_diagram_get_value (diagram, heddle_operation_get_result (operation, i)));
  heddle_inspector_add_values (heddle_inspector_add_group (box, _ ("Makes")), editor, operands);
  heddle_inspector_add_look (box, editor, operation);
  heddle_inspector_add_problems (box, editor, operation->id);
}

/* --- the diagram --- */

static void
add_typed_value (GtkWidget *group, HeddleEditor *editor, const char *id)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleValue *value = heddle_diagram_get_value (diagram, id);
  g_autofree char *label = NULL, *type = NULL;

  if (value == NULL)
    return;
  label = heddle_diagram_value_label (diagram, id);
  type = heddle_describe_type (editor, value);
  heddle_inspector_add_link (group, editor, value->id, label, type);
}

char *
heddle_inspector_dup_diagram_key (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddlePresentation *presentation = NULL;

  if (diagram == NULL)
    return NULL;
  presentation = heddle_figure_get_presentation (editor);
  return g_strdup_printf ("%p %u %d %d %.6g %d %d %s/%s", (gpointer) editor,
      heddle_editor_get_meaning (editor), heddle_editor_get_dtype (editor),
      adw_style_manager_get_dark (adw_style_manager_get_default ()), heddle_figure_get_wrap (editor),
      presentation != NULL ? (int) presentation->definitions : -1,
      presentation != NULL ? (int) presentation->bands : -1, diagram->name,
      presentation != NULL ? presentation->title : NULL);
}

void
heddle_inspector_show_diagram (
    GtkWidget *box, HeddleEditor *editor, const HeddleDiagram *diagram, gboolean whole)
{
  guint n = diagram->operations->len, first = MOST_LINES;
  g_autofree char *count = g_strdup_printf (ngettext ("%u operation", "%u operations", n), n);
  g_autoptr (GArray) inputs = heddle_diagram_get_inputs (diagram);
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (diagram);
  g_autoptr (GArray) axes = heddle_ids_new ();

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);

      heddle_ids_append (axes, axis->id);
    }
  heddle_inspector_add_heading (box, NULL, diagram->name != NULL ? diagram->name : _ ("Diagram"), count);
  heddle_inspector_add_problems (box, editor, NULL);
  if (!whole && inputs->len + outputs->len + axes->len > LONG_PAGE)
    first = FIRST_LINES;
  add_group (box, editor, _ ("Inputs"), inputs, add_typed_value, first);
  add_group (box, editor, _ ("Outputs"), outputs, add_typed_value, first);
  add_group (box, editor, _ ("Axes"), axes, add_axis, first);
  heddle_inspector_add_drawing (box, editor);
}
