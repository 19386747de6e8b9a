/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"
#include "files/equations/arena.h"
#include "files/equations/call.h"
#include "files/equations/elaborate.h"
#include "files/equations/invoke.h"
#include "files/equations/node.h"
#include "files/equations/parser.h"
#include "files/equations/private.h"
#include "files/equations/report.h"
#include "files/equations/scope.h"
#include "files/equations/tree.h"

/* --- reading -------------------------------------------------------------------------- */

/* ^ NUMBER, ^ NAME or ^ (size) */
static gboolean
parse_repeat (HeddleEqParser *self, HeddleEqNode **repeat)
{
  const HeddleEqToken *token;

  if (!heddle_eq_accept (self, "^"))
    return TRUE;
  token = heddle_eq_peek (self);
  if (token->kind == HEDDLE_EQ_TOKEN_NUMBER)
    *repeat = heddle_eq_number (self->arena, token->column, token->number);
  else if (token->kind == HEDDLE_EQ_TOKEN_NAME)
    *repeat = heddle_eq_leaf (self->arena, HEDDLE_EQ_NAME, token->column, token->text);
  else if (heddle_eq_at (self, "("))
    return (*repeat = heddle_eq_parse_primary (self)) != NULL;
  else
    return heddle_eq_expected (self, _ ("how often: a number or the name of an axis")) != NULL;
  self->at++;
  return TRUE;
}

HeddleEqNode *
heddle_eq_parse_invocation (HeddleEqParser *self, const HeddleEqToken *token)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new ();
  HeddleEqNode *repeat = NULL, *node;

  if (!parse_repeat (self, &repeat))
    return NULL;
  if (!heddle_eq_accept (self, "("))
    return heddle_eq_expected (self, _ ("“(” and what the definition is given"));
  if (!heddle_eq_accept (self, ")") && !heddle_eq_parse_list (self, arguments, ")"))
    return NULL;
  node = heddle_eq_node (
      self->arena, HEDDLE_EQ_CALL, token->column, (HeddleEqNode *const *) arguments->pdata, arguments->len);
  node->name = heddle_eq_parser_definition (self, token->text);
  node->repeat = repeat;
  return heddle_eq_parser_checked (self, node);
}

/* --- scoping ---------------------------------------------------------------------------- */

GArray *
heddle_eq_callee_slots (const HeddleDiagram *callee)
{
  g_autoptr (GArray) formals = heddle_diagram_get_formals (callee);
  GArray *slots = heddle_ids_new ();

  for (guint i = 0; i < formals->len; i++)
    if (!heddle_ids_contain (callee->arguments, heddle_ids_index (formals, i)))
      heddle_ids_append (slots, heddle_ids_index (formals, i));
  g_array_append_vals (slots, callee->arguments->data, callee->arguments->len);
  return slots;
}

static gboolean
check_count (HeddleEqScope *self, const HeddleEqNode *node, guint wanted)
{
  if (node->n_children == wanted)
    return TRUE;
  heddle_eq_error (self->line, node->column,
      g_dngettext (
          GETTEXT_PACKAGE, "%s takes %u argument: found %u", "%s takes %u arguments: found %u", wanted),
      node->name, wanted, node->n_children);
  return FALSE;
}

static const char *
axis_name (const HeddleEqScope *self, const char *id)
{
  GHashTableIter iter;
  gpointer name, axis;

  g_hash_table_iter_init (&iter, self->names->axes);
  while (g_hash_table_iter_next (&iter, &name, &axis))
    if (axis == id)
      return name;
  return id;
}

/* An array given without its indices is read at its own. */
static void
spell_out (HeddleEqScope *self, HeddleEqNode *node)
{
  const HeddleValue *value
      = node->kind == HEDDLE_EQ_NAME ? g_hash_table_lookup (self->names->values, node->name) : NULL;

  if (value == NULL)
    return;
  node->kind = HEDDLE_EQ_READ;
  node->bare = TRUE;
  node->n_children = value->axes->len;
  node->children = heddle_eq_alloc (self->arena, MAX (value->axes->len, 1) * sizeof (HeddleEqNode *));
  for (guint i = 0; i < value->axes->len; i++)
    node->children[i] = heddle_eq_leaf (
        self->arena, HEDDLE_EQ_INDEX, node->column, axis_name (self, heddle_ids_index (value->axes, i)));
}

static gboolean
check_rank (
    HeddleEqScope *self, const HeddleEqNode *call, const HeddleEqNode *node, const HeddleValue *formal)
{
  g_autoptr (GArray) axes = heddle_eq_free_axes (self, node);

  if (axes->len >= formal->axes->len)
    return TRUE;
  heddle_eq_error (self->line, node->column, _ ("%s takes %s with %u axes or more, found %u"), call->name,
      formal->name, formal->axes->len, axes->len);
  return FALSE;
}

static gboolean
scope_argument (HeddleEqScope *self, HeddleEqNode *call, guint i, const char *slot)
{
  const HeddleValue *formal = heddle_diagram_get_value (call->callee, slot);
  g_autoptr (HeddleExpr) size = NULL;

  if (formal == NULL)
    {
      size = heddle_eq_size (self->names, self->line, call->children[i]);
      return size != NULL;
    }
  spell_out (self, call->children[i]);
  return heddle_eq_resolve (self, call->children[i]) && check_rank (self, call, call->children[i], formal);
}

/* --- the axes of a result --------------------------------------------------------------- */

/* What the trailing axes of the arguments are bound to; the leading ones are woven. */
static GHashTable *
bind_axes (HeddleEqScope *self, const HeddleEqNode *node, const GArray *slots, GArray *woven)
{
  GHashTable *bound = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < slots->len; i++)
    {
      const HeddleValue *formal = heddle_diagram_get_value (node->callee, heddle_ids_index (slots, i));
      g_autoptr (GArray) axes = formal != NULL ? heddle_eq_free_axes (self, node->children[i]) : NULL;
      guint leading = formal != NULL ? axes->len - formal->axes->len : 0;

      for (guint j = 0; j < leading; j++)
        heddle_eq_add_missing (woven, heddle_ids_index (axes, j));
      for (guint j = 0; formal != NULL && j < formal->axes->len; j++)
        if (!g_hash_table_contains (bound, heddle_ids_index (formal->axes, j)))
          g_hash_table_insert (bound, (gpointer) heddle_ids_index (formal->axes, j),
              (gpointer) heddle_ids_index (axes, leading + j));
    }
  return bound;
}

/* The axes of the one result, where the arguments say what they are called; else NULL, the error reported. */
static GArray *
result_axes (HeddleEqScope *self, const HeddleEqNode *node)
{
  g_autoptr (GArray) slots = heddle_eq_callee_slots (node->callee), axes = heddle_ids_new ();
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (node->callee);
  g_autoptr (GHashTable) bound = bind_axes (self, node, slots, axes);
  const HeddleValue *output
      = outputs->len == 1 ? heddle_diagram_get_value (node->callee, heddle_ids_index (outputs, 0)) : NULL;
  gboolean good = output != NULL;

  for (guint i = 0; good && i < output->axes->len; i++)
    {
      const char *axis = g_hash_table_lookup (bound, heddle_ids_index (output->axes, i));

      good = axis != NULL && !heddle_ids_contain (axes, axis);
      if (good)
        heddle_ids_append (axes, axis);
    }
  if (good)
    return g_steal_pointer (&axes);
  heddle_eq_error (self->line, node->column,
      _ ("the results of %s need axes that are named: expected a statement of its own, such as Z[x,m] = "
         "%s(…)"),
      node->name, node->name);
  return NULL;
}

gboolean
heddle_eq_scope_call (HeddleEqScope *self, HeddleEqNode *node, gboolean root)
{
  g_autoptr (GArray) slots = NULL, axes = NULL;
  g_autoptr (HeddleExpr) repeat = NULL;
  gboolean good;

  node->callee = g_hash_table_lookup (self->names->definitions, node->name);
  node->has_array = TRUE;
  slots = heddle_eq_callee_slots (node->callee);
  good = check_count (self, node, slots->len);
  for (guint i = 0; i < node->n_children && i < slots->len; i++)
    good &= scope_argument (self, node, i, heddle_ids_index (slots, i));
  if (node->repeat != NULL)
    good &= (repeat = heddle_eq_size (self->names, self->line, node->repeat)) != NULL;
  if (!good || root)
    return good;
  axes = result_axes (self, node);
  for (guint i = 0; axes != NULL && i < axes->len; i++)
    node->free |= heddle_eq_scope_bit (self, axis_name (self, heddle_ids_index (axes, i)), node->column);
  return axes != NULL;
}

/* --- the operation ------------------------------------------------------------------------- */

static gboolean
add_argument (HeddleEqScope *scope, HeddleEqTree *tree, const HeddleEqNode *node, const char *slot,
    const HeddleDiagram *callee)
{
  g_autoptr (GArray) axes = NULL;
  HeddleEqTree *operand;

  if (heddle_diagram_get_value (callee, slot) == NULL)
    {
      if (tree->sizes == NULL)
        tree->sizes = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
      g_ptr_array_add (tree->sizes, heddle_eq_size (scope->names, scope->line, node));
      return TRUE;
    }
  axes = heddle_eq_free_axes (scope, node);
  operand = heddle_eq_argument_tree (scope, node, axes);
  if (operand != NULL)
    g_ptr_array_add (tree->operands, operand);
  return operand != NULL;
}

HeddleEqTree *
heddle_eq_call_tree (HeddleEqScope *scope, const HeddleEqNode *node, const GArray *axes)
{
  g_autoptr (HeddleEqTree) self = heddle_eq_tree_new (heddle_operation_kind ("call"));
  g_autoptr (GArray) slots = heddle_eq_callee_slots (node->callee);
  g_autoptr (GArray) found = axes == NULL ? result_axes (scope, node) : NULL;

  if (axes == NULL && found == NULL)
    return NULL;
  g_array_append_vals (self->axes, (axes != NULL ? axes : found)->data, (axes != NULL ? axes : found)->len);
  self->callee = node->callee->id;
  self->shared = node->shared;
  self->repeat = node->repeat != NULL ? heddle_eq_size (scope->names, scope->line, node->repeat) : NULL;
  for (guint i = 0; i < slots->len; i++)
    if (!add_argument (scope, self, node->children[i], heddle_ids_index (slots, i), node->callee))
      return NULL;
  return g_steal_pointer (&self);
}
