/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "diagram/expression/expr.h"
#include "diagram/graph/diagram-build.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"
#include "files/ncd/parse.h"
#include "files/ncd/private.h"
#include "files/ncd/read-meaning.h"
#include "files/ncd/read-operation.h"

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

static void
read_index (HeddleNcdReader *self, xmlNode *node, HeddleOperation *operation)
{
  static const HeddleNcdAttribute attributes[] = { { "of", TRUE } };
  g_autofree char *text = NULL;
  HeddleExpr *expr;

  if (!heddle_ncd_attributes (self, node, attributes, 1, &text))
    return;
  expr = heddle_ncd_expr (self, node, "of", text);
  if (expr == NULL)
    return;
  if (operation->indices == NULL)
    operation->indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  g_ptr_array_add (operation->indices, expr);
}

/* What an axis among the arguments of what is called is given. */
static void
read_size (HeddleNcdReader *self, xmlNode *node, HeddleOperation *operation)
{
  static const HeddleNcdAttribute attributes[] = { { "of", TRUE } };
  g_autofree char *text = NULL;
  HeddleExpr *expr;

  if (!heddle_ncd_attributes (self, node, attributes, 1, &text))
    return;
  expr = heddle_ncd_expr (self, node, "of", text);
  if (expr == NULL)
    return;
  if (operation->sizes == NULL)
    operation->sizes = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  g_ptr_array_add (operation->sizes, expr);
}

static void
read_operation_children (HeddleNcdReader *self, xmlNode *node, HeddleOperation *operation)
{
  for (xmlNode *child = node->children; child != NULL; child = child->next)
    if (heddle_ncd_is (child, "option"))
      read_option (self, child, operation);
    else if (heddle_ncd_is (child, "index"))
      read_index (self, child, operation);
    else if (heddle_ncd_is (child, "size"))
      read_size (self, child, operation);
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

/* The results after the first. */
static void
read_more_results (HeddleNcdReader *self, xmlNode *node, const char *text, HeddleOperation *operation)
{
  g_autoptr (GArray) more = heddle_ncd_ids (self, node, text);

  for (guint i = 0; i < more->len; i++)
    if (result_is_free (self, node, heddle_ids_index (more, i)))
      heddle_diagram_add_result (self->diagram, operation, heddle_ids_index (more, i));
}

/* What is called may stand further down: checking says whether it is there. */
static void
read_call (HeddleNcdReader *self, xmlNode *node, char **values, HeddleOperation *operation)
{
  const char *parameters = values[OPERATION_PARAMETERS];

  if (values[OPERATION_CALLS] != NULL)
    operation->callee = heddle_ncd_id (self, node, values[OPERATION_CALLS]);
  if (values[OPERATION_REPEAT] != NULL)
    operation->repeat = heddle_ncd_expr (self, node, "repeat", values[OPERATION_REPEAT]);
  operation->shared = parameters != NULL;
  if (parameters != NULL && strcmp (parameters, "shared") != 0)
    heddle_ncd_report (self, node, "parameters are “shared” or not told, not “%.40s”", parameters);
  if (operation->kind->form != HEDDLE_FORM_CALL
      && (operation->callee != NULL || operation->repeat != NULL || operation->shared))
    heddle_ncd_report (self, node, "only a call calls, repeats and has parameters");
}

/* The axes that an operation of the form cannot be drawn or written without. */
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

/* At least the operands and axes that the operation table asks for: whatever shows a document takes them from there, also of one that
 * checking complains of. */
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

/* How many operands @expr reads: one more than the last. */
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

  operation->body = heddle_ncd_expr (self, node, "body", text);
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
  if (kind == NULL || result == NULL || !heddle_ncd_are_values (self, node, operands)
      || !heddle_ncd_are_axes (self, node, axes) || !result_is_free (self, node, result)
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

void
heddle_ncd_read_operation (HeddleNcdReader *self, xmlNode *node)
{
  char *values[N_OPERATION];
  const char *id;

  if (heddle_ncd_attributes (self, node, operation_attributes, N_OPERATION, values)
      && (id = heddle_ncd_new_id (self, node, values[OPERATION_ID])) != NULL)
    fill_operation (self, node, values, id);
  heddle_ncd_clear_values (values, N_OPERATION);
}
