/* SPDX-License-Identifier: MIT */

/* Arrays as they are typed, put down where there was nothing, or in the place of what one was called. */

#include <string.h>

#include <glib/gi18n.h>

#include "app/editor/selection.h"
#include "app/edits/array.h"
#include "diagram/base/dtype.h"
#include "diagram/base/error.h"
#include "diagram/document/document.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/insert.h"
#include "diagram/edit/linear.h"
#include "diagram/edit/unify.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* Of an axis that is put down without a size: enough to be priced. */
#define START_SIZE "1024"
#define MAX_AXES 16

typedef struct
{
  HeddleEditor *editor;
  const char *value; /* that is there already, and is to be called so; NULL: a new one */
  const char *name;
  gboolean is_parameter;
  char **axes, **sizes; /* a size: NULL or text */
  const char *made; /* out */
} Array;

static void
array_clear (Array *self)
{
  g_clear_pointer (&self->axes, g_strfreev);
  for (guint i = 0; self->sizes != NULL && i < MAX_AXES; i++)
    g_free (self->sizes[i]);
  g_clear_pointer (&self->sizes, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Array, array_clear)

/* Sizes are set on axes that the array brings; one that is there already keeps its own unless another is asked for. */
static gboolean
do_add_array (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Array *self = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (self->editor, snapshot);

  self->made = heddle_edit_add_input (
      snapshot, diagram, self->name, HEDDLE_DTYPE_UNSET, (const char *const *) self->axes, error);
  if (self->made == NULL)
    return FALSE;
  if (self->is_parameter)
    heddle_diagram_edit_value (diagram, self->made)->role = HEDDLE_ROLE_PARAMETER;
  for (guint i = 0; self->axes[i] != NULL; i++)
    if (self->sizes[i] != NULL
        && !heddle_edit_set_size (
            snapshot, diagram, heddle_diagram_find_axis (diagram, self->axes[i])->id, self->sizes[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
add (Array *self, GError **error)
{
  g_autofree char *title = g_strdup_printf (_ ("Add Array %s"), self->name);

  if (!heddle_editor_edit (self->editor, title, NULL, do_add_array, self, error))
    return FALSE;
  heddle_editor_select (self->editor, self->made);
  return TRUE;
}

/* --- one that is typed: "Q[y=4096, k=128]", "param W[k, f=512]" --- */

#define PARAMETER "param "

static char *
name_typed (const char *text, gboolean *is_parameter, char **rest)
{
  const char *open = strchr (text, '['), *close = strrchr (text, ']');
  g_autofree char *name = NULL;

  if (open == NULL || close == NULL || close < open)
    return NULL;
  *is_parameter = g_str_has_prefix (text, PARAMETER);
  if (*is_parameter)
    text += strlen (PARAMETER);
  name = g_strstrip (g_strndup (text, open - text));
  if (*name == '\0' || strspn (close + 1, " ") != strlen (close + 1) || strpbrk (name, "(=:, ") != NULL)
    return NULL;
  *rest = g_strndup (open + 1, close - open - 1);
  return g_steal_pointer (&name);
}

static gboolean
read_axes (Array *self, const char *text)
{
  guint n;

  self->axes = g_strsplit (text, ",", MAX_AXES + 1);
  self->sizes = g_new0 (char *, MAX_AXES);
  n = g_strv_length (self->axes);
  if (n > MAX_AXES)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      char *equals = strchr (self->axes[i], '=');

      if (equals != NULL)
        {
          *equals = '\0';
          self->sizes[i] = g_strstrip (g_strdup (equals + 1));
        }
      g_strstrip (self->axes[i]);
      if (*self->axes[i] == '\0')
        return FALSE;
    }
  return TRUE;
}

gboolean
heddle_edits_is_array (const char *text)
{
  g_auto (Array) array = { NULL };
  g_autofree char *rest = NULL;
  g_autofree char *name = name_typed (text, &array.is_parameter, &rest);

  return name != NULL && read_axes (&array, rest);
}

gboolean
heddle_edits_add_array (HeddleEditor *editor, const char *text, GError **error)
{
  g_auto (Array) array = { .editor = editor };
  g_autofree char *rest = NULL;
  g_autofree char *name = name_typed (text, &array.is_parameter, &rest);

  g_return_val_if_fail (name != NULL && read_axes (&array, rest), FALSE);

  array.name = name;
  return add (&array, error);
}

/* --- weights that are typed: "h=8, k=64" --- */

static gboolean
do_add_linear (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Array *self = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (self->editor, snapshot);
  g_autoptr (GArray) operands = heddle_ids_new (), core = heddle_ids_new ();

  if (!do_add_array (snapshot, data, error))
    return FALSE;
  heddle_ids_append (operands, self->value);
  heddle_ids_append (operands, self->made);
  heddle_ids_append (core, heddle_diagram_find_axis (diagram, self->axes[0])->id);
  self->made = heddle_edit_add_operation (
      snapshot, diagram, heddle_operation_kind ("contract"), operands, core, NULL, error);
  return self->made != NULL;
}

gboolean
heddle_edits_are_axes (const char *text)
{
  g_auto (Array) array = { NULL };

  return strpbrk (text, "[]()") == NULL && strpbrk (text, "=,") != NULL && read_axes (&array, text);
}

gboolean
heddle_edits_add_linear_typed (
    HeddleEditor *editor, const char *value, const char *axis, const char *text, GError **error)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  g_autofree char *name = heddle_edit_dup_weights_name (diagram);
  g_autofree char *all = g_strconcat (heddle_diagram_get_axis (diagram, axis)->name, ",", text, NULL);
  g_auto (Array) array = { .editor = editor, .value = value, .name = name, .is_parameter = TRUE };

  g_return_val_if_fail (heddle_edits_are_axes (text), FALSE);

  if (!read_axes (&array, all))
    {
      g_set_error_literal (
          error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID, _ ("These are too many axes"));
      return FALSE;
    }
  if (!heddle_editor_edit (editor, _ ("Add a linear layer"), NULL, do_add_linear, &array, error))
    return FALSE;
  heddle_editor_select (editor, array.made);
  return TRUE;
}

/* --- one that is there --- */

/* An axis that is called so already is the same one from then on, with its size. */
static gboolean
call_axis (HeddleSnapshot *snapshot, HeddleDiagram *diagram, const char *axis, const char *name,
    const char *size, GError **error)
{
  const HeddleAxis *other = heddle_diagram_find_axis (diagram, name);

  if (other == NULL)
    {
      if (!heddle_edit_rename (snapshot, diagram, axis, name, error))
        return FALSE;
    }
  else if (other->id != axis)
    {
      const char *into = other->id;

      if (!heddle_edit_set_size (snapshot, diagram, axis, NULL, error)
          || !heddle_edit_unify_axes (snapshot, diagram, axis, into, error))
        return FALSE;
      axis = into;
    }
  return size == NULL || heddle_edit_set_size (snapshot, diagram, axis, size, error);
}

static gboolean
do_call_array (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  Array *self = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (self->editor, snapshot);
  const HeddleValue *value = heddle_diagram_get_value (diagram, self->value);
  g_autoptr (GArray) axes = heddle_ids_copy (value->axes);

  if (g_strv_length (self->axes) != axes->len)
    {
      g_set_error (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_INVALID,
          ngettext ("It has %u axis: name as many", "It has %u axes: name as many", axes->len), axes->len);
      return FALSE;
    }
  if (g_strcmp0 (value->name, self->name) != 0
      && !heddle_edit_rename (snapshot, diagram, self->value, self->name, error))
    return FALSE;
  for (guint i = 0; i < axes->len; i++)
    if (!call_axis (snapshot, diagram, heddle_ids_index (axes, i), self->axes[i], self->sizes[i], error))
      return FALSE;
  return TRUE;
}

gboolean
heddle_edits_call_array (HeddleEditor *editor, const char *value, const char *text, GError **error)
{
  g_auto (Array) array = { .editor = editor, .value = value };
  g_autofree char *rest = NULL;
  g_autofree char *name = name_typed (text, &array.is_parameter, &rest);
  g_autofree char *label = heddle_diagram_value_label (heddle_editor_get_diagram (editor), value);
  g_autofree char *title = NULL;

  g_return_val_if_fail (name != NULL && read_axes (&array, rest), FALSE);

  array.name = name;
  title = g_strdup_printf (_ ("Rename %s to %s"), label, text);
  return heddle_editor_edit (editor, title, NULL, do_call_array, &array, error);
}

/* --- one that is put down --- */

/* The first letter that nothing is called by yet, then the letters again with a number. */
static char *
free_name (const HeddleDiagram *diagram, char first, guint skip)
{
  for (guint round = 0;; round++)
    for (char letter = first; letter < first + 26; letter++)
      {
        g_autofree char *name
            = round == 0 ? g_strdup_printf ("%c", letter) : g_strdup_printf ("%c%u", letter, round);

        if (heddle_diagram_find_axis (diagram, name) != NULL
            || heddle_diagram_find_value (diagram, name) != NULL)
          continue;
        if (skip-- == 0)
          return g_steal_pointer (&name);
      }
}

gboolean
heddle_edits_add_new_array (HeddleEditor *editor, GError **error)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  g_autofree char *name = free_name (diagram, 'A', 0);
  g_autofree char *row = free_name (diagram, 'a', 0);
  g_autofree char *column = free_name (diagram, 'a', 1);
  g_autofree char *text = g_strdup_printf ("%s[%s=" START_SIZE ", %s=" START_SIZE "]", name, row, column);

  return heddle_edits_add_array (editor, text, error);
}
