/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>
#include <string.h>
#include <gtk/gtk.h>

#include "app/editor/selection.h"
#include "app/edits/definitions.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/definitions.h"
#include "diagram/edit/group.h"
#include "diagram/graph/operation-table.h"
#include "app/editor/target.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/kind.h"
#include "diagram/expression/print.h"

typedef struct
{
  HeddleEditor *editor;
  const GArray *operations;
  const char *name, *call, *times;
  gboolean shared;
  const char *made; /* out */
} Change;

static GArray *
selected_operations (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  GArray *selection = heddle_editor_get_selection (editor);
  GArray *operations = heddle_ids_new ();

  for (guint i = 0; diagram != NULL && i < selection->len; i++)
    if (heddle_diagram_get_operation (diagram, heddle_ids_index (selection, i)) != NULL)
      heddle_ids_append (operations, heddle_ids_index (selection, i));
  return operations;
}

const HeddleOperation *
heddle_definitions_selected_call (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const char *id = heddle_editor_get_selected (editor);
  const HeddleOperation *operation
      = diagram != NULL && id != NULL ? heddle_diagram_get_operation (diagram, id) : NULL;

  return operation != NULL && operation->kind->form == HEDDLE_FORM_CALL ? operation : NULL;
}

const HeddleDiagram *
heddle_definitions_get_callee (HeddleEditor *editor, const HeddleOperation *call)
{
  return call != NULL && call->callee != NULL
             ? heddle_snapshot_get_diagram_by_id (heddle_editor_get_snapshot (editor), call->callee)
             : NULL;
}

/* --- grouping --- */

static gboolean
is_taken (HeddleEditor *editor, const char *name)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);

  return heddle_snapshot_get_diagram (heddle_editor_get_snapshot (editor), name) != NULL
         || heddle_diagram_find_value (diagram, name) != NULL
         || heddle_diagram_find_axis (diagram, name) != NULL;
}

/* Returns the first of "part", "part2", … that is free. */
static char *
free_name (HeddleEditor *editor)
{
  char *name = g_strdup ("part");

  for (guint n = 2; is_taken (editor, name); n++)
    {
      g_free (name);
      name = g_strdup_printf ("part%u", n);
    }
  return name;
}

static gboolean
do_group (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  change->made = heddle_edit_group (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->operations, change->name, error);
  return change->made != NULL;
}

gboolean
heddle_definitions_can_group (HeddleEditor *editor)
{
  g_autoptr (GArray) operations = selected_operations (editor);

  return operations->len > 0;
}

gboolean
heddle_definitions_group (HeddleEditor *editor)
{
  g_autoptr (GArray) operations = selected_operations (editor);
  g_autofree char *name = free_name (editor);
  g_autofree char *title = g_strdup_printf (_ ("Group into %s"), name);
  Change change = { .editor = editor, .operations = operations, .name = name };

  if (!heddle_editor_edit (editor, title, NULL, do_group, &change, NULL))
    return FALSE;
  heddle_editor_select (editor, change.made);
  return TRUE;
}

static gboolean
do_ungroup (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_ungroup (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->call, error);
}

gboolean
heddle_definitions_ungroup (HeddleEditor *editor)
{
  const HeddleOperation *call = heddle_definitions_selected_call (editor);
  const HeddleDiagram *callee = heddle_definitions_get_callee (editor, call);
  g_autofree char *title = NULL;
  Change change = { .editor = editor };

  if (callee == NULL)
    return FALSE;
  title = g_strdup_printf (_ ("Ungroup %s"), callee->name);
  change.call = call->id;
  return heddle_editor_edit (editor, title, NULL, do_ungroup, &change, NULL);
}

static gboolean
do_rename (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_rename_definition (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->call, change->name, error);
}

gboolean
heddle_definitions_rename (HeddleEditor *editor, const char *call, const char *name, GError **error)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleDiagram *callee
      = heddle_definitions_get_callee (editor, heddle_diagram_get_operation (diagram, call));
  g_autofree char *plain = g_strstrip (g_strdup (name));
  g_autofree char *title = NULL;
  Change change = { .editor = editor, .call = call, .name = plain };

  if (callee == NULL || g_str_equal (callee->name, plain))
    return TRUE;
  title = g_strdup_printf (_ ("Rename %s to %s"), callee->name, plain);
  return heddle_editor_edit (editor, title, NULL, do_rename, &change, error);
}

/* --- repeating --- */

static gboolean
do_repeat (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_set_repeat (snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->call,
      change->times, change->shared, error);
}

gboolean
heddle_definitions_set_repeat (HeddleEditor *editor, const char *call, const char *times, GError **error)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (heddle_editor_get_diagram (editor), call);
  const gboolean once = *times == '\0' || g_str_equal (times, "1");
  g_autofree char *title
      = once ? g_strdup (_ ("Repeat once")) : g_strdup_printf (_ ("Repeat %s times"), times);
  Change change = { .editor = editor, .call = call, .times = once ? NULL : times };

  if (operation == NULL)
    return TRUE;
  change.shared = operation->shared && !once;
  return heddle_editor_edit (editor, title, NULL, do_repeat, &change, error);
}

gboolean
heddle_definitions_set_shared (HeddleEditor *editor, const char *call, gboolean shared, GError **error)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, call);
  g_autofree char *times = NULL;
  Change change = { .editor = editor, .call = call, .shared = shared };

  if (operation == NULL || operation->repeat == NULL || operation->shared == shared)
    return TRUE;
  change.times = times = heddle_describe_expr (diagram, operation->repeat);
  return heddle_editor_edit (editor, shared ? _ ("Share parameters") : _ ("Give each time its parameters"),
      NULL, do_repeat, &change, error);
}

/* --- opening --- */

static const HeddleOperation *
to_open (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleOperation *call = heddle_definitions_selected_call (editor);

  for (guint i = 0; call == NULL && diagram != NULL && i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      call = operation->kind->form == HEDDLE_FORM_CALL ? operation : NULL;
    }
  return heddle_definitions_get_callee (editor, call) != NULL ? call : NULL;
}

gboolean
heddle_definitions_can_open (HeddleEditor *editor)
{
  return to_open (editor) != NULL;
}

void
heddle_definitions_open (HeddleEditor *editor)
{
  const HeddleOperation *call = to_open (editor);

  if (call != NULL)
    heddle_editor_open_call (editor, call);
}

/* Returns a size such as "1 MiB", "96.5 KiB", "12 B". */
static char *
describe_bytes (gint64 bytes)
{
  static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" };
  double amount = bytes;
  guint unit = 0;

  while (amount >= 1024 && unit + 1 < G_N_ELEMENTS (units))
    {
      amount /= 1024;
      unit++;
    }
  return g_strdup_printf (amount == (gint64) amount ? "%.0f\u00a0%s" : "%.1f\u00a0%s", amount, units[unit]);
}

/* Whose leaves are named. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleOperation *operation; /* its operands stand for $0 …; NULL: they stay */
} Namer;

/* Ids in leaves become the names that the person knows. */
static char *
name_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Namer *namer = data;
  const HeddleDiagram *diagram = namer->diagram;
  HeddleExprKind kind = heddle_expr_get_kind (leaf);
  const HeddleAxis *axis = NULL;

  if (kind == HEDDLE_EXPR_ARGUMENT && namer->operation != NULL
      && heddle_expr_get_operand (leaf) < namer->operation->operands->len)
    return heddle_diagram_value_label (
        diagram, heddle_ids_index (namer->operation->operands, heddle_expr_get_operand (leaf)));
  if (kind != HEDDLE_EXPR_SIZE && kind != HEDDLE_EXPR_INDEX)
    return NULL;
  axis = heddle_diagram_get_axis (diagram, heddle_expr_get_symbol (leaf));
  if (axis == NULL)
    return NULL;
  return kind == HEDDLE_EXPR_SIZE ? g_strdup (axis->name) : g_strdup_printf ("index(%s)", axis->name);
}

char *
heddle_describe_expr (const HeddleDiagram *diagram, const HeddleExpr *expr)
{
  Namer namer = { diagram, NULL };

  return heddle_expr_to_string (expr, name_leaf, &namer);
}

char *
heddle_describe_size (const HeddleDiagram *diagram, const HeddleAxis *axis)
{
  return axis->size != NULL ? heddle_describe_expr (diagram, axis->size) : NULL;
}

char *
heddle_describe_body (const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  Namer namer = { diagram, NULL };

  if (operation->body == NULL)
    return NULL;
  return heddle_expr_to_string (operation->body, name_leaf, &namer);
}

static const char *
axis_name (const HeddleDiagram *diagram, const char *id)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (diagram, id);

  return axis != NULL ? axis->name : "?";
}

char *
heddle_describe_isolated (char *text)
{
  g_autofree char *taken = text;

  if (gtk_widget_get_default_direction () == GTK_TEXT_DIR_RTL)
    return g_strconcat ("\342\201\246", text, "\342\201\251", NULL);
  return g_steal_pointer (&taken);
}

char *
heddle_describe_type (HeddleEditor *editor, const HeddleValue *value)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  HeddleSizes *sizes = heddle_editor_get_sizes (editor);
  HeddleDtype dtype = heddle_diagram_dtype (diagram, value->id, heddle_editor_get_dtype (editor));
  GString *text = g_string_new (heddle_dtype_to_string (dtype));

  g_string_append_c (text, '[');
  for (guint i = 0; i < value->axes->len; i++)
    {
      const char *id = heddle_ids_index (value->axes, i);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", axis_name (diagram, id));
      if (sizes != NULL)
        g_string_append_printf (text, "=%" G_GINT64_FORMAT, heddle_sizes_get (sizes, id));
    }
  g_string_append_c (text, ']');
  if (sizes != NULL)
    {
      gint64 bytes;

      if (!g_uint64_checked_mul (
              (guint64 *) &bytes, heddle_sizes_elements (sizes, value), heddle_dtype_bytes (dtype)))
        bytes = G_MAXINT64;
      g_autofree char *size = describe_bytes (bytes);

      g_string_append_printf (text, " = %s", size);
    }
  return heddle_describe_isolated (g_string_free (text, FALSE));
}

char *
heddle_describe_list (GPtrArray *names)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < names->len; i++)
    {
      if (i > 0)
        g_string_append (text, i + 1 < names->len ? ", " : _ (" and "));
      g_string_append (text, g_ptr_array_index (names, i));
    }
  return g_string_free (text, FALSE);
}

static char *
list_axes (const HeddleDiagram *diagram, const GArray *axes)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < axes->len; i++)
    g_ptr_array_add (names, (gpointer) axis_name (diagram, heddle_ids_index (axes, i)));
  return heddle_describe_list (names);
}

static char *
list_operands (const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < operation->operands->len; i++)
    g_ptr_array_add (names, heddle_diagram_value_label (diagram, heddle_ids_index (operation->operands, i)));
  return heddle_describe_list (names);
}

static char *
shape_of (const HeddleDiagram *diagram, const HeddleValue *value)
{
  GString *text = g_string_new (NULL);

  if (value->axes->len == 0)
    g_string_append (text, _ ("a scalar"));
  for (guint i = 0; i < value->axes->len; i++)
    g_string_append_printf (
        text, "%s%s", i > 0 ? _ (" by ") : "", axis_name (diagram, heddle_ids_index (value->axes, i)));
  return g_string_free (text, FALSE);
}

/* Returns "encode", or "encode (6 times)". */
static char *
describe_call (HeddleEditor *editor, const HeddleDiagram *callee, const HeddleOperation *call)
{
  g_autofree char *times
      = call->repeat != NULL ? heddle_describe_expr (heddle_editor_get_diagram (editor), call->repeat) : NULL;

  return times != NULL ? g_strdup_printf (_ ("%s (%s times)"), callee->name, times) : g_strdup (callee->name);
}

char *
heddle_describe_kind (HeddleEditor *editor, const HeddleOperation *operation)
{
  const HeddleExpr *body = operation->body;
  const HeddleDiagram *callee = heddle_definitions_get_callee (editor, operation);
  Namer namer = { heddle_editor_get_diagram (editor), operation };

  if (callee != NULL)
    return describe_call (editor, callee, operation);
  if (operation->kind->form != HEDDLE_FORM_MAP || body == NULL)
    return g_strdup (_ (operation->kind->title));
  if (heddle_expr_get_n_children (body) == 1
      && heddle_expr_kind_info (heddle_expr_get_kind (body))->is_function)
    return g_strdup (heddle_expr_kind_info (heddle_expr_get_kind (body))->name);
  return heddle_expr_to_string (body, name_leaf, &namer);
}

char *
heddle_describe_operation (HeddleEditor *editor, const HeddleOperation *operation)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleValue *result = heddle_diagram_get_value (diagram, operation->result);
  g_autofree char *kind = heddle_describe_kind (editor, operation);
  g_autofree char *operands = list_operands (diagram, operation);
  g_autofree char *label = heddle_diagram_value_label (diagram, operation->result);
  g_autofree char *shape = result != NULL ? shape_of (diagram, result) : g_strdup ("?");
  g_autofree char *axes = list_axes (diagram, operation->axes);

  if (operation->kind->form == HEDDLE_FORM_MAP && strstr (kind, operands) != NULL)
    return g_strdup_printf (_ ("%s, result %s, %s"), kind, label, shape);
  if (operation->axes->len == 0)
    return g_strdup_printf (_ ("%s of %s, result %s, %s"), kind, operands, label, shape);
  return g_strdup_printf (_ ("%s over %s of %s, result %s, %s"), kind, axes, operands, label, shape);
}

static char *
describe_reading (HeddleEditor *editor, const HeddleOperation *reader)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  g_autofree char *label = heddle_diagram_value_label (diagram, reader->result);
  g_autofree char *axes = list_axes (diagram, reader->axes);
  g_autofree char *kind = heddle_describe_kind (editor, reader);

  switch (reader->kind->form)
    {
    case HEDDLE_FORM_CONTRACT:
      return g_strdup_printf (_ ("summed over %s into %s"), axes, label);
    case HEDDLE_FORM_REDUCE:
    case HEDDLE_FORM_NORMALISE:
      return g_strdup_printf (_ ("%s over %s into %s"), kind, axes, label);
    case HEDDLE_FORM_CALL:
      return g_strdup_printf (_ ("%s into %s"), kind, label);
    default:
      return g_strdup_printf (_ ("read by %s"), label);
    }
}

char *
heddle_describe_path (HeddleEditor *editor, const HeddleValue *value)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleOperation *producer = heddle_diagram_get_producer (diagram, value->id);
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, value->id);
  GString *text = g_string_new (NULL);

  if (producer != NULL)
    {
      g_autofree char *kind = heddle_describe_kind (editor, producer);
      g_string_append_printf (text, _ ("from %s"), kind);
    }
  else
    g_string_append (text, value->role == HEDDLE_ROLE_PARAMETER ? _ ("parameter") : _ ("input"));

  for (guint i = 0; i < readers->len; i++)
    {
      g_autofree char *reading = describe_reading (editor, g_ptr_array_index (readers, i));
      g_string_append_printf (text, i == 0 ? _ (", then %s") : _ (" and %s"), reading);
    }
  if (readers->len == 0)
    g_string_append (text, _ (", output"));
  return g_string_free (text, FALSE);
}

char *
heddle_describe_object (HeddleEditor *editor, const char *id)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleAxis *axis = heddle_diagram_get_axis (diagram, id);
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, id);

  if (axis != NULL)
    return g_strdup_printf (_ ("axis %s"), axis->name);
  if (heddle_editor_find_ornament (editor, id, NULL) != NULL)
    return g_strdup_printf (_ ("note %s"), id);
  if (operation != NULL)
    {
      g_autofree char *kind = heddle_describe_kind (editor, operation);
      g_autofree char *axes = list_axes (diagram, operation->axes);

      return operation->axes->len > 0 ? g_strdup_printf (_ ("%s over %s"), kind, axes)
                                      : g_steal_pointer (&kind);
    }
  return heddle_diagram_value_label (diagram, id);
}
