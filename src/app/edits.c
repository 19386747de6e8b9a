/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "app/describe.h"
#include "app/edits.h"

/* What one change needs to know; each uses its part. */
typedef struct
{
  HeddleEditor *editor;
  const char *id;
  const char *name;
  const char *text;
  gboolean set_size;
  HeddleDtype dtype;
  const HeddleOperationKind *kind;
  const char *value, *axis, *other_value, *other_axis;
  const GArray *ids, *axes;
  double dx, dy;
  const HeddleSnapshot *replacement;
  const char *made; /* out: the id of what was made */
} Change;

static HeddleDiagram *
diagram_of (const Change *change, HeddleSnapshot *snapshot)
{
  return heddle_editor_diagram_in (change->editor, snapshot);
}

/* --- names, sizes and types --- */

static gboolean
do_rename (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_rename (snapshot, diagram_of (change, snapshot), change->id, change->name, error);
}

gboolean
heddle_edits_rename (HeddleEditor *editor, const char *id, const char *name, GError **error)
{
  Change change = { .editor = editor, .id = id, .name = name };
  g_autofree char *old = heddle_describe_object (editor, id);
  g_autofree char *title = g_strdup_printf (_ ("Rename %s to %s"), old, name);

  return heddle_editor_edit (editor, title, NULL, do_rename, &change, error);
}

static gboolean
do_set_text (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_set_text (snapshot, diagram_of (change, snapshot), change->id, change->text, error);
}

gboolean
heddle_edits_set_text (HeddleEditor *editor, const char *id, const char *text, GError **error)
{
  Change change = { .editor = editor, .id = id, .text = text };

  return heddle_editor_edit (editor, _ ("Edit text"), NULL, do_set_text, &change, error);
}

static gboolean
do_set_size (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_set_size (snapshot, diagram_of (change, snapshot), change->id, change->text, error);
}

gboolean
heddle_edits_set_size (HeddleEditor *editor, const char *axis, const char *size, GError **error)
{
  gboolean unset = size == NULL || *size == '\0';
  Change change = { .editor = editor, .id = axis, .text = unset ? NULL : size };
  const HeddleAxis *object = heddle_diagram_get_axis (heddle_editor_get_diagram (editor), axis);
  g_autofree char *title = NULL;

  g_return_val_if_fail (object != NULL, FALSE);

  title = unset ? g_strdup_printf (_ ("Unset the size of %s"), object->name)
                : g_strdup_printf (_ ("Set %s = %s"), object->name, size);
  return heddle_editor_edit (editor, title, NULL, do_set_size, &change, error);
}

static gboolean
do_set_dtype (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_set_dtype (snapshot, diagram_of (change, snapshot), change->id, change->dtype, error);
}

gboolean
heddle_edits_set_dtype (HeddleEditor *editor, const char *value, HeddleDtype dtype)
{
  Change change = { .editor = editor, .id = value, .dtype = dtype };
  g_autofree char *object = heddle_describe_object (editor, value);
  g_autofree char *title
      = dtype == HEDDLE_DTYPE_UNSET
            ? g_strdup_printf (_ ("Unset the data type of %s"), object)
            : g_strdup_printf (_ ("Store %s as %s"), object, heddle_dtype_to_string (dtype));

  return heddle_editor_edit (editor, title, NULL, do_set_dtype, &change, NULL);
}

static HeddleExpr *
axis_as_size (const char *name, gpointer diagram)
{
  const HeddleAxis *axis = heddle_diagram_find_axis (diagram, name);

  return axis != NULL ? heddle_expr_size (axis->id) : NULL;
}

static gboolean
has_operand (const HeddleExpr *node, gpointer data)
{
  const HeddleOperation *operation = data;

  return heddle_expr_get_kind (node) != HEDDLE_EXPR_ARGUMENT
         || heddle_expr_get_operand (node) < operation->operands->len;
}

static gboolean
do_set_body (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;
  HeddleDiagram *diagram = diagram_of (change, snapshot);
  HeddleOperation *operation = NULL;
  g_autoptr (HeddleExpr) body = heddle_expr_parse (change->text, axis_as_size, diagram, error);

  if (body == NULL)
    return FALSE;
  operation = heddle_diagram_edit_operation (diagram, change->id);
  if (!heddle_expr_walk (body, has_operand, operation))
    {
      g_set_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID,
          _ ("This operation reads %u values: $0 up to $%u"), operation->operands->len,
          operation->operands->len - 1);
      return FALSE;
    }
  g_clear_pointer (&operation->body, heddle_expr_unref);
  operation->body = g_steal_pointer (&body);
  return TRUE;
}

gboolean
heddle_edits_set_body (HeddleEditor *editor, const char *operation, const char *text, GError **error)
{
  Change change = { .editor = editor, .id = operation, .text = text };
  g_autofree char *title = g_strdup_printf (_ ("Set the function to %s"), text);

  return heddle_editor_edit (editor, title, NULL, do_set_body, &change, error);
}

static gboolean
do_apply_label (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  if (change->name != NULL && !do_rename (snapshot, data, error))
    return FALSE;
  return !change->set_size || do_set_size (snapshot, data, error);
}

static const char *
current_name (HeddleEditor *editor, const char *id)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleAxis *axis = heddle_diagram_get_axis (diagram, id);
  const HeddleValue *value = heddle_diagram_get_value (diagram, id);

  return axis != NULL ? axis->name : value != NULL ? value->name : NULL;
}

gboolean
heddle_edits_apply_label (HeddleEditor *editor, const char *id, const char *text, GError **error)
{
  gboolean is_axis = heddle_diagram_get_axis (heddle_editor_get_diagram (editor), id) != NULL;
  const char *equals = is_axis ? strchr (text, '=') : NULL;
  g_autofree char *name = g_strstrip (equals != NULL ? g_strndup (text, equals - text) : g_strdup (text));
  g_autofree char *size = equals != NULL ? g_strstrip (g_strdup (equals + 1)) : NULL;
  g_autofree char *object = heddle_describe_object (editor, id);
  g_autofree char *title = NULL;
  gboolean renamed = *name != '\0' && g_strcmp0 (name, current_name (editor, id)) != 0;
  Change change = { .editor = editor,
    .id = id,
    .name = renamed ? name : NULL,
    .set_size = size != NULL,
    .text = size != NULL && *size != '\0' ? size : NULL };

  if (!renamed && size == NULL)
    return TRUE;
  if (renamed)
    title = g_strdup_printf (_ ("Rename %s to %s"), object, name);
  else
    title = g_strdup_printf (_ ("Set %s = %s"), name, size);
  return heddle_editor_edit (editor, title, NULL, do_apply_label, &change, error);
}

/* --- inserting --- */

gboolean
heddle_edits_needs_axis (const HeddleOperationKind *kind)
{
  return kind->form == HEDDLE_FORM_REDUCE || kind->form == HEDDLE_FORM_NORMALISE
         || kind->form == HEDDLE_FORM_SCAN;
}

gboolean
heddle_edits_can_insert (HeddleEditor *editor, const HeddleOperationKind *kind, const char *value,
    const char **axis, GError **error)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);

  if (!heddle_edits_needs_axis (kind))
    *axis = NULL;
  return heddle_edit_can_insert (diagram, kind, value, *axis, NULL, error);
}

static gboolean
do_insert (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  change->made = heddle_edit_insert_operation (snapshot, diagram_of (change, snapshot), change->kind,
      change->value, change->axis, NULL, change->text, error);
  return change->made != NULL;
}

/* The axis that the contraction which made @value summed last; NULL: none did. */
static const HeddleAxis *
summed_axis (const HeddleDiagram *diagram, const char *value)
{
  const HeddleOperation *maker = heddle_diagram_get_producer (diagram, value);

  if (maker == NULL || maker->kind->form != HEDDLE_FORM_CONTRACT || maker->axes->len == 0)
    return NULL;
  return heddle_diagram_get_axis (diagram, heddle_ids_index (maker->axes, maker->axes->len - 1));
}

static gboolean
fill_summed (const HeddleDiagram *diagram, const char *value, GString *text, GError **error)
{
  const HeddleAxis *axis = NULL;

  if (strstr (text->str, "{summed}") == NULL)
    return TRUE;
  axis = summed_axis (diagram, value);
  if (axis != NULL)
    g_string_replace (text, "{summed}", axis->name, 0);
  else
    g_set_error_literal (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_TYPE,
        _ ("It scales by the axis that a contraction summed: put it behind a contraction"));
  return axis != NULL;
}

/* A body may speak of the last two axes of what it is put on as {row} and {column}: a mask compares them; and of the
 * axis that was summed to make it as {summed}. */
static gboolean
fill_axes (HeddleEditor *editor, const char *value, const char *body, char **filled, GError **error)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleValue *v = heddle_diagram_get_value (diagram, value);
  static const char *const marks[] = { "{row}", "{column}" };
  g_autoptr (GString) text = g_string_new (body);

  *filled = NULL;
  if (body == NULL)
    return TRUE;
  if (!fill_summed (diagram, value, text, error))
    return FALSE;
  if (strstr (body, marks[0]) != NULL && (v == NULL || v->axes->len < 2))
    {
      g_autofree char *label = heddle_diagram_value_label (diagram, value);

      g_set_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_TYPE,
          _ ("A mask compares two axes, and %s has not as many"), label);
      return FALSE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (marks) && strstr (body, marks[i]) != NULL; i++)
    {
      const char *id = heddle_ids_index (v->axes, v->axes->len - 2 + i);
      g_autofree char *index = g_strdup_printf ("index(%s)", heddle_diagram_get_axis (diagram, id)->name);

      g_string_replace (text, marks[i], index, 0);
    }
  *filled = g_string_free (g_steal_pointer (&text), FALSE);
  return TRUE;
}

gboolean
heddle_edits_insert (HeddleEditor *editor, const HeddleOperationKind *kind, const char *body,
    const char *value, const char *axis, GError **error)
{
  g_autofree char *filled = NULL;
  Change change = {
    .editor = editor, .kind = kind, .value = value, .axis = heddle_edits_needs_axis (kind) ? axis : NULL
  };
  g_autofree char *title = NULL;

  if (!fill_axes (editor, value, body, &filled, error))
    return FALSE;
  change.text = filled;
  title = g_strdup_printf (_ ("Insert %s"), filled != NULL ? filled : _ (kind->title));
  if (!heddle_editor_edit (editor, title, NULL, do_insert, &change, error))
    return FALSE;
  heddle_editor_select (editor, change.made);
  return TRUE;
}

/* --- connecting --- */

static gboolean
do_connect (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  change->made = heddle_edit_connect (snapshot, diagram_of (change, snapshot), change->value, change->axis,
      change->other_value, change->other_axis, error);
  return change->made != NULL;
}

gboolean
heddle_edits_connect (HeddleEditor *editor, const char *left_value, const char *left_axis,
    const char *right_value, const char *right_axis, GError **error)
{
  Change change = { .editor = editor,
    .value = left_value,
    .axis = left_axis,
    .other_value = right_value,
    .other_axis = right_axis };
  const HeddleAxis *axis = heddle_diagram_get_axis (heddle_editor_get_diagram (editor), left_axis);
  g_autofree char *title = g_strdup_printf (_ ("Contract over %s"), axis->name);

  if (!heddle_editor_edit (editor, title, NULL, do_connect, &change, error))
    return FALSE;
  heddle_editor_select (editor, change.made);
  return TRUE;
}

static gboolean
do_unify (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_unify_axes (
      snapshot, diagram_of (change, snapshot), change->axis, change->other_axis, error);
}

gboolean
heddle_edits_unify (HeddleEditor *editor, const char *from, const char *into, GError **error)
{
  Change change = { .editor = editor, .axis = from, .other_axis = into };
  g_autofree char *left = heddle_describe_object (editor, from);
  g_autofree char *right = heddle_describe_object (editor, into);
  g_autofree char *title = g_strdup_printf (_ ("Unify %s with %s"), left, right);

  return heddle_editor_edit (editor, title, NULL, do_unify, &change, error);
}

/* --- deleting, moving, replacing --- */

static gboolean
do_delete (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_delete (snapshot, diagram_of (change, snapshot), (GArray *) change->ids, error) > 0;
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

static gboolean
do_nudge (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  heddle_edit_nudge (
      snapshot, heddle_editor_get_diagram (change->editor), change->ids, change->dx, change->dy);
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
      = heddle_snapshot_get_presentation (snapshot, diagram_of (change, snapshot));

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

static gboolean
do_replace (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;
  HeddleDiagram *diagram = diagram_of (change, snapshot);

  if (diagram == NULL)
    diagram = heddle_snapshot_add_diagram (
        snapshot, heddle_diagram_new (heddle_snapshot_get_diagram (change->replacement, NULL)->name));
  heddle_edit_replace_document (snapshot, diagram, change->replacement);
  return TRUE;
}

void
heddle_edits_replace (HeddleEditor *editor, const HeddleSnapshot *read)
{
  Change change = { .editor = editor, .replacement = read };

  heddle_editor_edit (editor, _ ("Edit equations"), NULL, do_replace, &change, NULL);
}
