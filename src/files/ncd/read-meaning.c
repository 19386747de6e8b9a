/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/base/dtype.h"
#include "diagram/document/snapshot.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram-order.h"
#include "diagram/graph/diagram.h"
#include "files/ncd/parse.h"
#include "files/ncd/read-meaning.h"
#include "files/ncd/spelling.h"
#include "diagram/graph/operation-table.h"

/* Resolves an axis. An expression of a file refers to axes by name: names are unique in a diagram. */
static HeddleExpr *
resolve_axis (const char *name, gpointer data)
{
  HeddleNcdReader *self = data;
  const HeddleAxis *axis = heddle_diagram_find_axis (self->diagram, name);

  return axis ? heddle_expr_size (axis->id) : NULL;
}

/* Returns the expression in an @attribute, over the axes of the current diagram (transfer full). NULL means
 * that an error was reported. */
static HeddleExpr *
ncd_expr (HeddleNcdReader *self, xmlNode *node, const char *attribute, const char *text)
{
  g_autoptr (GError) error = NULL;
  HeddleExpr *expr = heddle_expr_parse (text, resolve_axis, self, &error);

  if (expr == NULL)
    heddle_ncd_report (self, node, "%s: %s", attribute, error->message);
  return expr;
}

/* Returns an interned id that is not yet taken in the current diagram, and takes it. NULL means that an error
 * was reported. */
static const char *
ncd_new_id (HeddleNcdReader *self, xmlNode *node, const char *text)
{
  const char *id = heddle_ncd_id (self, node, text);

  if (id == NULL)
    return NULL;
  if (!g_hash_table_insert (self->lines, (gpointer) id, node))
    {
      heddle_ncd_report (self, node, "the id “%s” is already taken", id);
      return NULL;
    }
  return id;
}

static gboolean
name_is_text (HeddleNcdReader *self, xmlNode *node, const char *name)
{
  if (*name != '\0' && strlen (name) <= 4096)
    return TRUE;
  heddle_ncd_report (self, node, "a name has between 1 and 4096 bytes");
  return FALSE;
}

enum
{
  AXIS_ID,
  AXIS_NAME,
  AXIS_SIZE,
  N_AXIS
};

static const HeddleNcdAttribute axis_attributes[N_AXIS]
    = { { "id", TRUE }, { "name", TRUE }, { "size", FALSE } };

static void
read_axis (HeddleNcdReader *self, xmlNode *node)
{
  char *values[N_AXIS];
  const char *id;

  if (heddle_ncd_attributes (self, node, axis_attributes, N_AXIS, values)
      && name_is_text (self, node, values[AXIS_NAME])
      && (id = ncd_new_id (self, node, values[AXIS_ID])) != NULL)
    {
      if (heddle_diagram_find_axis (self->diagram, values[AXIS_NAME]) != NULL)
        heddle_ncd_report (self, node, "there are two axes called “%s”", values[AXIS_NAME]);
      heddle_diagram_add_axis (self->diagram, id, values[AXIS_NAME], NULL);
      heddle_ncd_check_label (self, node, values[AXIS_NAME]);
      for (xmlNode *child = node->children; child != NULL; child = child->next)
        heddle_ncd_other_child (self, child, id);
    }
  heddle_ncd_clear_values (values, N_AXIS);
}

/* Sets the size of an axis; takes @size. If two elements have one id, which is reported, both come here. */
static void
set_size (HeddleAxis *axis, HeddleExpr *size)
{
  g_clear_pointer (&axis->size, heddle_expr_unref);
  axis->size = size;
}

/* Reads the size of an axis. Sizes may refer to axes further down, so they are read once all axes are
 * known. */
static void
read_axis_size (HeddleNcdReader *self, xmlNode *node)
{
  xmlChar *id = xmlGetNoNsProp (node, (const xmlChar *) "id"),
          *size = xmlGetNoNsProp (node, (const xmlChar *) "size");

  if (id != NULL && size != NULL
      && heddle_diagram_get_axis (self->diagram, g_intern_string ((const char *) id)) != NULL)
    {
      HeddleExpr *expr = ncd_expr (self, node, "size", (const char *) size);

      if (expr != NULL
          && (heddle_expr_uses (expr, HEDDLE_EXPR_ARGUMENT, NULL)
              || heddle_expr_uses (expr, HEDDLE_EXPR_INDEX, NULL)))
        {
          heddle_ncd_report (self, node, "the size of an axis is a number, or of the sizes of others");
          heddle_expr_unref (expr);
        }
      else if (expr != NULL)
        set_size (heddle_diagram_edit_axis (self->diagram, g_intern_string ((const char *) id)), expr);
    }
  xmlFree (id);
  xmlFree (size);
}

/* Returns whether all ids are axes of the current diagram, each named once; else it was reported. */
static gboolean
ncd_are_axes (HeddleNcdReader *self, xmlNode *node, const GArray *ids)
{
  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = heddle_ids_index (ids, i);

      if (heddle_diagram_get_axis (self->diagram, id) == NULL)
        {
          heddle_ncd_report (self, node, "there is no axis “%s”", id);
          return FALSE;
        }
      if (heddle_ids_find (ids, id) != (int) i)
        {
          heddle_ncd_report (self, node, "the axis “%s” is named twice", id);
          return FALSE;
        }
    }
  return TRUE;
}

/* Puts the parts of a comment together: above the statement, and behind it. */
static void
read_comment (HeddleNcdReader *self, xmlNode *node, char **comment)
{
  static const HeddleNcdAttribute attributes[] = { { "place", FALSE } };
  g_autofree char *text = heddle_ncd_text (node), *before = *comment;
  g_autofree char *place = NULL;

  *comment = NULL;
  heddle_ncd_attributes (self, node, attributes, G_N_ELEMENTS (attributes), &place);
  if (place != NULL && strcmp (place, "after") == 0)
    *comment = g_strdup_printf ("%s%c%s", before ? before : "", HEDDLE_COMMENT_MARK, text);
  else if (place == NULL && before == NULL)
    *comment = g_strdup (text);
  else
    heddle_ncd_report (self, node, "a comment stands above its statement, or with place=\"after\" behind it");
}

enum
{
  VALUE_ID,
  VALUE_NAME,
  VALUE_ROLE,
  VALUE_DTYPE,
  VALUE_AXES,
  N_VALUE
};

static const HeddleNcdAttribute value_attributes[N_VALUE]
    = { { "id", TRUE }, { "name", FALSE }, { "role", FALSE }, { "dtype", FALSE }, { "axes", FALSE } };

static HeddleValueRole
read_role (HeddleNcdReader *self, xmlNode *node, const char *text)
{
  if (text == NULL)
    return HEDDLE_ROLE_INTERMEDIATE;
  if (strcmp (text, "input") == 0)
    return HEDDLE_ROLE_INPUT;
  if (strcmp (text, "parameter") != 0)
    heddle_ncd_report (self, node, "the role is “input” or “parameter”, not “%.40s”", text);
  return HEDDLE_ROLE_PARAMETER;
}

static HeddleDtype
read_dtype (HeddleNcdReader *self, xmlNode *node, const char *text)
{
  HeddleDtype dtype = HEDDLE_DTYPE_UNSET;

  if (text != NULL && !heddle_dtype_from_string (text, &dtype))
    heddle_ncd_report (self, node, "“%.40s” is not a data type", text);
  return dtype;
}

static void
fill_value (HeddleNcdReader *self, xmlNode *node, char **values, const char *id)
{
  g_autoptr (GArray) axes = heddle_ncd_ids (self, node, values[VALUE_AXES]);
  HeddleValueRole role = read_role (self, node, values[VALUE_ROLE]);
  HeddleDtype dtype = read_dtype (self, node, values[VALUE_DTYPE]);
  HeddleValue *value;

  if (!ncd_are_axes (self, node, axes))
    return;
  if (values[VALUE_NAME] != NULL && heddle_diagram_find_value (self->diagram, values[VALUE_NAME]) != NULL)
    heddle_ncd_report (self, node, "there are two arrays called “%s”", values[VALUE_NAME]);
  if (values[VALUE_NAME] != NULL)
    heddle_ncd_check_label (self, node, values[VALUE_NAME]);
  value = heddle_diagram_add_value (self->diagram, id, values[VALUE_NAME], role, dtype, axes);
  for (xmlNode *child = node->children; child != NULL; child = child->next)
    if (heddle_ncd_is (child, "comment"))
      read_comment (self, child, &value->comment);
    else
      heddle_ncd_other_child (self, child, id);
}

static void
read_value (HeddleNcdReader *self, xmlNode *node)
{
  char *values[N_VALUE];
  const char *id;

  if (heddle_ncd_attributes (self, node, value_attributes, N_VALUE, values)
      && (values[VALUE_NAME] == NULL || name_is_text (self, node, values[VALUE_NAME]))
      && (id = ncd_new_id (self, node, values[VALUE_ID])) != NULL)
    fill_value (self, node, values, id);
  heddle_ncd_clear_values (values, N_VALUE);
}

/* Returns whether all ids are values of the current diagram; else it was reported. */
static gboolean
ncd_are_values (HeddleNcdReader *self, xmlNode *node, const GArray *ids)
{
  for (guint i = 0; i < ids->len; i++)
    if (heddle_diagram_get_value (self->diagram, heddle_ids_index (ids, i)) == NULL)
      {
        heddle_ncd_report (self, node, "there is no value “%s”", heddle_ids_index (ids, i));
        return FALSE;
      }
  return TRUE;
}

static void ncd_read_operation (HeddleNcdReader *self, xmlNode *node);

/* Reads axes, then their sizes, then values, then operations: each needs what is before it. */
static void
read_contents (HeddleNcdReader *self, xmlNode *node)
{
  static const struct
  {
    const char *name;
    void (*read) (HeddleNcdReader *self, xmlNode *node);
  } passes[] = {
    { "axis", read_axis },
    { "axis", read_axis_size },
    { "value", read_value },
    { "operation", ncd_read_operation },
  };

  for (guint i = 0; i < G_N_ELEMENTS (passes); i++)
    for (xmlNode *child = node->children; child != NULL; child = child->next)
      if (heddle_ncd_is (child, passes[i].name))
        passes[i].read (self, child);
  for (xmlNode *child = node->children; child != NULL; child = child->next)
    if (heddle_ncd_is (child, "comment"))
      read_comment (self, child, &self->diagram->comment);
    else if (!heddle_ncd_is (child, "axis") && !heddle_ncd_is (child, "value")
             && !heddle_ncd_is (child, "operation"))
      heddle_ncd_other_child (self, child, self->diagram->id);
}

enum
{
  DIAGRAM_ID,
  DIAGRAM_NAME,
  DIAGRAM_OUTPUTS,
  DIAGRAM_ARGUMENTS,
  N_DIAGRAM
};

static const HeddleNcdAttribute diagram_attributes[N_DIAGRAM]
    = { { "id", TRUE }, { "name", TRUE }, { "outputs", FALSE }, { "arguments", FALSE } };

static void
read_outputs (HeddleNcdReader *self, xmlNode *node, const char *text)
{
  g_autoptr (GArray) outputs = NULL;

  if (text == NULL)
    return;
  outputs = heddle_ncd_ids (self, node, text);
  if (!ncd_are_values (self, node, outputs))
    return;
  self->diagram->explicit_outputs = TRUE;
  g_array_set_size (self->diagram->outputs, 0);
  for (guint i = 0; i < outputs->len; i++)
    heddle_ids_append (self->diagram->outputs, heddle_ids_index (outputs, i));
}

static void
read_arguments (HeddleNcdReader *self, xmlNode *node, const char *text)
{
  g_autoptr (GArray) arguments = text != NULL ? heddle_ncd_ids (self, node, text) : heddle_ids_new ();

  for (guint i = 0; i < arguments->len; i++)
    {
      const char *id = heddle_ids_index (arguments, i);
      const HeddleValue *value = heddle_diagram_get_value (self->diagram, id);

      if (heddle_ids_find (arguments, id) != (int) i)
        heddle_ncd_report (self, node, "the argument “%s” is named twice", id);
      else if (heddle_diagram_get_axis (self->diagram, id) != NULL
               || (value != NULL && value->role == HEDDLE_ROLE_PARAMETER))
        heddle_ids_append (self->diagram->arguments, id);
      else
        heddle_ncd_report (self, node, "the argument “%s” is neither a parameter nor an axis", id);
    }
}

void
heddle_ncd_read_diagram (HeddleNcdReader *self, xmlNode *node)
{
  char *values[N_DIAGRAM];
  const char *id = NULL;

  if (heddle_ncd_attributes (self, node, diagram_attributes, N_DIAGRAM, values)
      && name_is_text (self, node, values[DIAGRAM_NAME]))
    id = heddle_ncd_id (self, node, values[DIAGRAM_ID]);
  if (id != NULL && heddle_snapshot_get_diagram_by_id (self->snapshot, id) != NULL)
    heddle_ncd_report (self, node, "the id “%s” is already taken", id);
  else if (id != NULL)
    {
      self->diagram = heddle_diagram_new (values[DIAGRAM_NAME]);
      self->diagram->id = (char *) id;
      self->lines = g_hash_table_new (NULL, NULL);
      read_contents (self, node);
      read_outputs (self, node, values[DIAGRAM_OUTPUTS]);
      read_arguments (self, node, values[DIAGRAM_ARGUMENTS]);
      if (!heddle_diagram_sort (self->diagram))
        heddle_ncd_report (self, node, "the operations of “%s” form a circle", values[DIAGRAM_NAME]);
      heddle_snapshot_add_diagram (self->snapshot, g_steal_pointer (&self->diagram));
      g_clear_pointer (&self->lines, g_hash_table_unref);
    }
  heddle_ncd_clear_values (values, N_DIAGRAM);
}

enum
{
  OPERATION_ID,
  OPERATION_KIND,
  OPERATION_OPERANDS,
  OPERATION_RESULT,
  OPERATION_AXES,
  OPERATION_BODY,
  OPERATION_MORE,
  OPERATION_CALLS,
  OPERATION_REPEAT,
  OPERATION_PARAMETERS,
  N_OPERATION
};

static const HeddleNcdAttribute operation_attributes[N_OPERATION] = { { "id", TRUE }, { "kind", TRUE },
  { "operands", FALSE }, { "result", TRUE }, { "axes", FALSE }, { "body", FALSE }, { "more", FALSE },
  { "calls", FALSE }, { "repeat", FALSE }, { "parameters", FALSE } };

static void
read_option (HeddleNcdReader *self, xmlNode *node, HeddleOperation *operation)
{
  static const HeddleNcdAttribute attributes[] = { { "name", TRUE }, { "value", TRUE } };
  char *values[2];

  if (heddle_ncd_attributes (self, node, attributes, 2, values))
    {
      guint i = 0;

      while (i < HEDDLE_MAX_OPTIONS && operation->kind->options[i].name != NULL
             && strcmp (operation->kind->options[i].name, values[0]) != 0)
        i++;
      if (i == HEDDLE_MAX_OPTIONS || operation->kind->options[i].name == NULL)
        heddle_ncd_report (self, node, "%s has no option “%.40s”", operation->kind->id, values[0]);
      else
        heddle_ncd_number (self, node, values[0], values[1], &operation->options[i]);
    }
  heddle_ncd_clear_values (values, 2);
}

/* Appends the expression of an element to @list, which is made for the first one. */
static void
read_expr (HeddleNcdReader *self, xmlNode *node, GPtrArray **list)
{
  static const HeddleNcdAttribute attributes[] = { { "of", TRUE } };
  g_autofree char *text = NULL;
  HeddleExpr *expr;

  if (!heddle_ncd_attributes (self, node, attributes, 1, &text))
    return;
  expr = ncd_expr (self, node, "of", text);
  if (expr == NULL)
    return;
  if (*list == NULL)
    *list = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  g_ptr_array_add (*list, expr);
}

static void
read_operation_children (HeddleNcdReader *self, xmlNode *node, HeddleOperation *operation)
{
  for (xmlNode *child = node->children; child != NULL; child = child->next)
    if (heddle_ncd_is (child, "option"))
      read_option (self, child, operation);
    else if (heddle_ncd_is (child, "index"))
      read_expr (self, child, &operation->indices);
    else if (heddle_ncd_is (child, "size"))
      read_expr (
          self, child, &operation->sizes); /* what an axis among the arguments of what is called is given */
    else
      heddle_ncd_other_child (self, child, operation->id);
}

static gboolean
result_is_free (HeddleNcdReader *self, xmlNode *node, const char *result)
{
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, result);

  if (value == NULL)
    heddle_ncd_report (self, node, "there is no value “%s”", result);
  else if (value->role != HEDDLE_ROLE_INTERMEDIATE)
    heddle_ncd_report (self, node, "“%s” is an input; no operation can make it", result);
  else if (heddle_diagram_get_producer (self->diagram, result) != NULL)
    heddle_ncd_report (self, node, "“%s” is made twice", result);
  else
    return TRUE;
  return FALSE;
}

/* Reads the results after the first. */
static void
read_more_results (HeddleNcdReader *self, xmlNode *node, const char *text, HeddleOperation *operation)
{
  g_autoptr (GArray) more = heddle_ncd_ids (self, node, text);

  for (guint i = 0; i < more->len; i++)
    if (result_is_free (self, node, heddle_ids_index (more, i)))
      heddle_diagram_add_result (self->diagram, operation, heddle_ids_index (more, i));
}

/* Reads a call. The definition may stand further down: checking says whether it exists. */
static void
read_call (HeddleNcdReader *self, xmlNode *node, char **values, HeddleOperation *operation)
{
  const char *parameters = values[OPERATION_PARAMETERS];

  if (values[OPERATION_CALLS] != NULL)
    operation->callee = heddle_ncd_id (self, node, values[OPERATION_CALLS]);
  if (values[OPERATION_REPEAT] != NULL)
    operation->repeat = ncd_expr (self, node, "repeat", values[OPERATION_REPEAT]);
  operation->shared = parameters != NULL;
  if (parameters != NULL && strcmp (parameters, "shared") != 0)
    heddle_ncd_report (self, node, "parameters are “shared” or not told, not “%.40s”", parameters);
  if (operation->kind->form != HEDDLE_FORM_CALL
      && (operation->callee != NULL || operation->repeat != NULL || operation->shared))
    heddle_ncd_report (self, node, "only a call calls, repeats and has parameters");
}

/* Returns the number of axes without which an operation of the form cannot be drawn or written. */
static guint
least_axes (HeddleOperationForm form)
{
  switch (form)
    {
    case HEDDLE_FORM_REDUCE:
    case HEDDLE_FORM_NORMALISE:
    case HEDDLE_FORM_CONCAT:
    case HEDDLE_FORM_SCAN:
      return 1;
    case HEDDLE_FORM_SELECT:
      return 2;
    default:
      return 0;
    }
}

/* Checks that there are at least the operands and axes that the operation table asks for: whatever shows a
 * document takes them from there, even in a document with errors. */
static gboolean
fits_kind (
    HeddleNcdReader *self, xmlNode *node, const HeddleOperationKind *kind, guint n_operands, guint n_axes)
{
  if (n_operands < kind->min_operands)
    heddle_ncd_report (
        self, node, "%s takes at least %u operands, not %u", kind->id, kind->min_operands, n_operands);
  else if (kind->max_operands > 0 && n_operands > kind->max_operands)
    heddle_ncd_report (
        self, node, "%s takes at most %u operands, not %u", kind->id, kind->max_operands, n_operands);
  else if (n_axes < least_axes (kind->form))
    heddle_ncd_report (
        self, node, "%s works along at least %u axes, not %u", kind->id, least_axes (kind->form), n_axes);
  else
    return TRUE;
  return FALSE;
}

/* Returns how many operands @expr reads: one more than the number of the last. */
static guint
operands_read (const HeddleExpr *expr)
{
  guint most = heddle_expr_get_kind (expr) == HEDDLE_EXPR_ARGUMENT ? heddle_expr_get_operand (expr) + 1 : 0;

  for (guint i = 0; i < heddle_expr_get_n_children (expr); i++)
    {
      const guint n
          = operands_read (heddle_expr_get_child (expr, i)); /* MAX () would ask twice, at each depth */

      most = MAX (most, n);
    }
  return most;
}

static void
read_body (HeddleNcdReader *self, xmlNode *node, const char *text, HeddleOperation *operation)
{
  guint n;

  operation->body = ncd_expr (self, node, "body", text);
  n = operation->body != NULL ? operands_read (operation->body) : 0;
  if (n > operation->operands->len)
    heddle_ncd_report (
        self, node, "the body reads $%u, but there are %u operands", n - 1, operation->operands->len);
}

static void
fill_operation (HeddleNcdReader *self, xmlNode *node, char **values, const char *id)
{
  const HeddleOperationKind *kind = heddle_operation_kind (values[OPERATION_KIND]);
  g_autoptr (GArray) operands = heddle_ncd_ids (self, node, values[OPERATION_OPERANDS]);
  g_autoptr (GArray) axes = heddle_ncd_ids (self, node, values[OPERATION_AXES]);
  const char *result = heddle_ncd_id (self, node, values[OPERATION_RESULT]);
  HeddleOperation *operation;

  if (kind == NULL)
    heddle_ncd_report (self, node, "there is no operation of the kind “%.40s”", values[OPERATION_KIND]);
  if (kind == NULL || result == NULL || !ncd_are_values (self, node, operands)
      || !ncd_are_axes (self, node, axes) || !result_is_free (self, node, result)
      || !fits_kind (self, node, kind, operands->len, axes->len))
    return;
  operation = heddle_diagram_add_operation (self->diagram, id, kind, operands, result, axes, -1);
  if (values[OPERATION_BODY] != NULL)
    read_body (self, node, values[OPERATION_BODY], operation);
  if (values[OPERATION_MORE] != NULL)
    read_more_results (self, node, values[OPERATION_MORE], operation);
  read_call (self, node, values, operation);
  if (kind->form == HEDDLE_FORM_REINDEX) /* a scalar is read at no index */
    operation->indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  read_operation_children (self, node, operation);
}

/* Reads an <operation> into the current diagram. Errors are reported with their places. */
static void
ncd_read_operation (HeddleNcdReader *self, xmlNode *node)
{
  char *values[N_OPERATION];
  const char *id;

  if (heddle_ncd_attributes (self, node, operation_attributes, N_OPERATION, values)
      && (id = ncd_new_id (self, node, values[OPERATION_ID])) != NULL)
    fill_operation (self, node, values, id);
  heddle_ncd_clear_values (values, N_OPERATION);
}
