/* SPDX-License-Identifier: MIT */

/* A label says names, sizes, types and functions. */

#include <string.h>

#include <glib/gi18n.h>

#include "app/edits/array.h"
#include "app/edits/definitions.h"
#include "app/edits/label.h"
#include "diagram/base/error.h"
#include "diagram/document/document.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/figure.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"

/* A change has what one edit needs to know; each uses its part. */
typedef struct
{
  HeddleEditor *editor;
  const char *id;
  const char *name;
  const char *text;
  gboolean set_size;
  HeddleDtype dtype;
} Change;

static gboolean
do_rename (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;

  return heddle_edit_rename (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->id, change->name, error);
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

  return heddle_edit_set_text (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->id, change->text, error);
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

  return heddle_edit_set_size (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->id, change->text, error);
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

  return heddle_edit_set_dtype (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->id, change->dtype, error);
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
  HeddleDiagram *diagram = heddle_editor_diagram_in (change->editor, snapshot);
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

/* Returns the text behind the "=" of one such as "S = $0
 *
 * 2", which is no "==" or "<=", or NULL. */
static const char *
find_equals (const char *text)
{
  const char *equals = strchr (text, '=');

  return equals != NULL && equals != text && equals[1] != '=' && strchr ("=<>!", equals[-1]) == NULL ? equals
                                                                                                     : NULL;
}

static gboolean
do_apply_function (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Change *change = data;
  const char *operation = change->id;
  gboolean done = TRUE;

  if (change->name != NULL)
    {
      change->id
          = heddle_diagram_get_operation (heddle_editor_diagram_in (change->editor, snapshot), operation)
                ->result;
      done = do_rename (snapshot, data, error);
      change->id = operation;
    }
  return done && (change->text == NULL || do_set_body (snapshot, data, error));
}

gboolean
heddle_edits_apply_function (HeddleEditor *editor, const char *operation, const char *text, GError **error)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  const HeddleOperation *op = heddle_diagram_get_operation (diagram, operation);
  const char *equals = find_equals (text);
  const gboolean is_name
      = equals == NULL && strpbrk (text, "$(*/^") == NULL && strspn (text, " -.0123456789") == 0;
  g_autofree char *label = heddle_diagram_value_label (diagram, op->result);
  g_autofree char *old = heddle_describe_body (diagram, op);
  g_autofree char *name = equals != NULL ? g_strstrip (g_strndup (text, equals - text))
                          : is_name      ? g_strstrip (g_strdup (text))
                                         : NULL;
  g_autofree char *body = is_name ? NULL : g_strstrip (g_strdup (equals != NULL ? equals + 1 : text));
  g_autofree char *title = NULL;
  Change change = { .editor = editor,
    .id = operation,
    .name = g_strcmp0 (name, label) != 0 ? name : NULL,
    .text = g_strcmp0 (body, old) != 0 ? body : NULL };

  if (change.name == NULL && change.text == NULL)
    return TRUE;
  title = change.text == NULL ? g_strdup_printf (_ ("Rename %s to %s"), label, name)
                              : g_strdup_printf (_ ("Set the function to %s"), text);
  return heddle_editor_edit (editor, title, NULL, do_apply_function, &change, error);
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

  if (!is_axis && heddle_edits_is_array (text))
    return heddle_edits_call_array (editor, id, text, error);
  if (!renamed && size == NULL)
    return TRUE;
  if (renamed)
    title = g_strdup_printf (_ ("Rename %s to %s"), object, name);
  else
    title = g_strdup_printf (_ ("Set %s = %s"), name, size);
  return heddle_editor_edit (editor, title, NULL, do_apply_label, &change, error);
}
