/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"
#include "files/equations/arena.h"
#include "files/equations/invoke.h"
#include "files/equations/labels.h"
#include "files/equations/lex.h"
#include "files/equations/line.h"
#include "files/equations/merge.h"
#include "files/equations/nest.h"
#include "files/equations/node.h"
#include "files/equations/parse.h"
#include "files/equations/print.h"
#include "files/equations/scope.h"
#include "files/equations/tree.h"

/* --- trees to nodes ------------------------------------------------------------------ */

typedef struct
{
  HeddleEqPlanner *planner;
  const HeddleEqTree *tree;
} Arguments;

static HeddleEqNode *
argument_node (guint operand, gpointer data)
{
  Arguments *arguments = data;

  if (operand >= arguments->tree->operands->len)
    return heddle_eq_number (arguments->planner->arena, 0, 0.);
  return heddle_eq_planner_node (arguments->planner, g_ptr_array_index (arguments->tree->operands, operand));
}

static HeddleEqNode *
translate (HeddleEqPlanner *self, const HeddleEqTree *tree, const HeddleExpr *expr)
{
  Arguments arguments = { self, tree };
  HeddleEqTranslation translation = { self->arena, self->plan->diagram, argument_node, &arguments };

  return heddle_eq_node_from_expr (&translation, expr);
}

/* Returns a read of @value at the indices of @gather; at its own if that is NULL. */
static HeddleEqNode *
read_node (HeddleEqPlanner *self, const HeddleEqTree *value, const HeddleEqTree *gather)
{
  GPtrArray *indices = gather != NULL ? gather->indices : NULL;
  guint n = indices != NULL ? indices->len : value->axes->len;
  g_autofree HeddleEqNode **children = g_new (HeddleEqNode *, n);
  HeddleEqNode *node;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (HeddleExpr) plain
          = indices == NULL ? heddle_expr_index (heddle_ids_index (value->axes, i)) : NULL;

      children[i] = translate (self, gather, plain != NULL ? plain : g_ptr_array_index (indices, i));
    }
  node = heddle_eq_node (self->arena, HEDDLE_EQ_READ, 0, children, n);
  node->value = heddle_diagram_get_value (self->plan->diagram, value->value);
  node->name = heddle_eq_plan_label (self->plan, value->value);
  return node;
}

static void
set_axes (HeddleEqPlanner *self, HeddleEqNode *node, const GArray *over)
{
  node->n_axes = over->len;
  node->axes = heddle_eq_alloc (self->arena, over->len * sizeof (HeddleEqIndex));
  for (guint i = 0; i < over->len; i++)
    {
      const HeddleAxis *axis = heddle_diagram_get_axis (self->plan->diagram, heddle_ids_index (over, i));

      node->axes[i].name = axis != NULL && axis->name != NULL ? axis->name : heddle_ids_index (over, i);
    }
}

static HeddleEqNode *
contraction_node (HeddleEqPlanner *self, const HeddleEqTree *tree)
{
  g_autoptr (GPtrArray) factors = g_ptr_array_new ();
  HeddleEqNode *node;

  for (guint i = 0; i < tree->operands->len; i++)
    g_ptr_array_add (factors, heddle_eq_planner_node (self, g_ptr_array_index (tree->operands, i)));
  node = heddle_eq_node (
      self->arena, HEDDLE_EQ_PRODUCT, 0, (HeddleEqNode *const *) factors->pdata, factors->len);
  node = heddle_eq_reduce (self->arena, heddle_operation_kind ("sum"), 0, node);
  set_axes (self, node, tree->over);
  return node;
}

/* Returns an operand; an array that has a name is given without its indices. */
static HeddleEqNode *
operand_node (HeddleEqPlanner *self, const HeddleEqTree *tree)
{
  HeddleEqNode *node = heddle_eq_planner_node (self, tree);

  node->bare = tree->kind == NULL;
  return node;
}

/* Returns a call with its arrays and sizes in the order of what is called; if that is not known, arrays come
 * first. */
static HeddleEqNode *
call_node (HeddleEqPlanner *self, const HeddleEqTree *tree)
{
  const HeddleDiagram *callee = heddle_eq_plan_callee (self->plan, tree->callee);
  g_autoptr (GArray) slots = callee != NULL ? heddle_eq_callee_slots (callee) : heddle_ids_new ();
  g_autoptr (GPtrArray) given = g_ptr_array_new ();
  g_autofree char *full = heddle_eq_callee_name (self->plan->snapshot, tree->callee);
  const char *name = heddle_eq_short_definition (&self->plan->names, full);
  guint n_sizes = tree->sizes != NULL ? tree->sizes->len : 0, array = 0, size = 0;
  HeddleEqNode *node;

  for (guint i = 0; array < tree->operands->len || size < n_sizes; i++)
    {
      gboolean wants_size
          = i < slots->len && heddle_diagram_get_axis (callee, heddle_ids_index (slots, i)) != NULL;

      if (size < n_sizes && (wants_size || array == tree->operands->len))
        g_ptr_array_add (given, translate (self, tree, g_ptr_array_index (tree->sizes, size++)));
      else
        g_ptr_array_add (given, operand_node (self, g_ptr_array_index (tree->operands, array++)));
    }
  node = heddle_eq_node (self->arena, HEDDLE_EQ_CALL, 0, (HeddleEqNode *const *) given->pdata, given->len);
  node->name = heddle_eq_name (self->arena, name, -1);
  node->repeat = tree->repeat != NULL ? translate (self, tree, tree->repeat) : NULL;
  node->shared = tree->shared;
  set_axes (self, node, tree->over);
  return node;
}

HeddleEqNode *
heddle_eq_planner_node (HeddleEqPlanner *self, const HeddleEqTree *tree)
{
  HeddleEqNode *node;

  if (tree->kind == NULL)
    return read_node (self, tree, NULL);
  switch (tree->kind->form)
    {
    case HEDDLE_FORM_MAP:
      node = translate (self, tree, tree->body);
      if (heddle_expr_get_kind (tree->body) == HEDDLE_EXPR_ARGUMENT)
        node->parenthesised = TRUE;
      return node;
    case HEDDLE_FORM_REINDEX:
      if (heddle_eq_tree_is_merge (self->plan->diagram, tree)) /* the left side says it */
        return heddle_eq_planner_node (self, g_ptr_array_index (tree->operands, 0));
      return read_node (self, g_ptr_array_index (tree->operands, 0), tree);
    case HEDDLE_FORM_CONTRACT:
      return contraction_node (self, tree);
    case HEDDLE_FORM_CALL:
      return call_node (self, tree);
    default:
      node = heddle_eq_reduce_all (self->arena, tree->kind, 0, NULL, tree->operands->len);
      for (guint i = 0; i < tree->operands->len; i++)
        node->children[i] = heddle_eq_planner_node (self, g_ptr_array_index (tree->operands, i));
      set_axes (self, node, tree->over);
      memcpy (node->options, tree->options, sizeof node->options);
      return node;
    }
}

/* --- trying -------------------------------------------------------------------------- */

/* Appends a left side, NAME[axes]. */
static void
append_left (
    HeddleEqPlanner *self, GString *text, const HeddleEqTree *tree, const char *value, const GArray *axes)
{
  g_string_append (text, heddle_eq_plan_label (self->plan, value));
  for (guint i = 0; i < axes->len; i++)
    {
      g_string_append_c (text, i == 0 ? '[' : ',');
      heddle_eq_append_left (text, self->plan->diagram, tree, heddle_ids_index (axes, i));
    }
  g_string_append (text, axes->len > 0 ? "]" : "");
}

char *
heddle_eq_planner_line (HeddleEqPlanner *self, const HeddleEqTree *tree, const HeddleEqNode *root)
{
  const HeddleOperation *operation = heddle_diagram_get_producer (self->plan->diagram, tree->value);
  GString *text = g_string_new (NULL);
  g_autofree char *right = heddle_eq_node_to_string (root, FALSE);

  append_left (self, text, tree, tree->value, tree->axes);
  for (guint i = 0; tree->more_axes != NULL && i < tree->more_axes->len; i++)
    {
      g_string_append (text, ", ");
      append_left (self, text, tree, heddle_operation_get_result (operation, i + 1),
          g_ptr_array_index (tree->more_axes, i));
    }
  g_string_append_printf (
      text, " = %s%s", root->kind == HEDDLE_EQ_CALL && root->shared ? "shared " : "", right);
  return g_string_free (text, FALSE);
}

/* Returns the operation that the line is read as, or NULL if it cannot be read. The left side is taken from
 * @written. */
static HeddleEqTree *
read_back (HeddleEqPlanner *self, const char *text, const HeddleEqTree *written)
{
  g_autoptr (HeddleEqArena) arena = heddle_eq_arena_new ();
  g_autoptr (GArray) tokens = g_array_new (FALSE, FALSE, sizeof (HeddleEqToken));
  HeddleEqReport report = { NULL, NULL, 0 };
  HeddleEqLine line = { &report, 1, text, strlen (text), 0 };
  HeddleEqScope scope = { arena, &self->plan->names, &line };
  const char *comment;
  HeddleEqStatement *statement;
  HeddleEqTree *tree = NULL;
  guint64 left;

  if (!heddle_eq_lex (arena, &line, tokens, &comment))
    return NULL;
  statement = heddle_eq_parse (arena, &line, tokens, &self->plan->names);
  if (statement == NULL)
    return NULL;
  left = heddle_eq_left_bits (&scope, statement);
  if (line.n_errors == 0 && statement->kind == HEDDLE_EQ_ASSIGN
      && heddle_eq_scope (&scope, &statement->expression, left))
    tree = heddle_eq_elaborate_left (&scope, statement, written->axes);
  for (guint i = 0; tree != NULL && written->more_axes != NULL && i < written->more_axes->len; i++)
    heddle_eq_tree_add_result (tree, g_ptr_array_index (written->more_axes, i));
  heddle_eq_statement_free (statement);
  return tree;
}

const HeddleEqTree *
heddle_eq_planner_try (HeddleEqPlanner *self, const HeddleEqTree *tree, const HeddleEqNode *root)
{
  g_autofree char *text = heddle_eq_planner_line (self, tree, root);
  g_autoptr (HeddleEqTree) read = read_back (self, text, tree);

  return read != NULL ? heddle_eq_tree_difference (tree, read) : tree;
}

/* --- sums that need not be written --------------------------------------------------- */

static gboolean
is_contraction (const HeddleEqNode *node)
{
  return node->kind == HEDDLE_EQ_REDUCE && g_str_equal (node->operation->id, "sum")
         && node->children[0]->kind == HEDDLE_EQ_PRODUCT;
}

/* Returns the product with its factor @at replaced by the factors of that. */
static HeddleEqNode *
splice (HeddleEqPlanner *self, const HeddleEqNode *product, guint at, const HeddleEqNode *inner)
{
  guint n = product->n_children + inner->n_children - 1;
  g_autofree HeddleEqNode **children = g_new (HeddleEqNode *, n);
  HeddleEqNode *node;

  memcpy (children, product->children, at * sizeof *children);
  memcpy (children + at, inner->children, inner->n_children * sizeof *children);
  memcpy (children + at + inner->n_children, product->children + at + 1,
      (product->n_children - at - 1) * sizeof *children);
  node = heddle_eq_node (self->arena, HEDDLE_EQ_PRODUCT, 0, children, n);
  memcpy (node->marks, product->marks, at);
  memcpy (node->marks + at + inner->n_children, product->marks + at + 1, product->n_children - at - 1);
  return node;
}

typedef struct
{
  HeddleEqPlanner *planner;
  const HeddleEqTree *tree;
  HeddleEqNode *root;
} Trial;

static gboolean
replace (Trial *self, HeddleEqNode **slot, HeddleEqNode *node)
{
  HeddleEqNode *before = *slot;

  *slot = node;
  if (heddle_eq_planner_try (self->planner, self->tree, self->root) == NULL)
    return TRUE;
  *slot = before;
  return FALSE;
}

/* Changes `* (1 / v)` to `/ v`, where that is read as the same. */
static void
make_divisors (Trial *self, HeddleEqNode *product)
{
  for (guint i = 1; i < product->n_children; i++)
    {
      HeddleEqNode *inverse = product->children[i];

      if (product->marks[i] || inverse->kind != HEDDLE_EQ_PRODUCT || inverse->n_children != 2
          || !inverse->marks[1] || inverse->children[0]->kind != HEDDLE_EQ_NUMBER
          || inverse->children[0]->number != 1.)
        continue;
      product->marks[i] = 1;
      if (!replace (self, &product->children[i], inverse->children[1]))
        product->marks[i] = 0;
    }
}

/* Leaves out the sums that reading puts back. */
static void
make_implicit (Trial *self, HeddleEqNode **slot)
{
  HeddleEqNode *node = *slot;

  if (node->kind == HEDDLE_EQ_READ || node->kind == HEDDLE_EQ_CALL)
    return; /* what a call is given keeps its sums: nothing there says which axes are left */
  if (node->kind == HEDDLE_EQ_PRODUCT)
    for (guint i = 0; i < node->n_children; i++)
      if (is_contraction (node->children[i]) && !node->marks[i]
          && replace (self, slot, splice (self->planner, node, i, node->children[i]->children[0])))
        {
          make_implicit (self, slot);
          return;
        }
  if (is_contraction (node) && replace (self, slot, node->children[0]))
    node = *slot;
  if (node->kind == HEDDLE_EQ_PRODUCT)
    make_divisors (self, node);
  for (guint i = 0; i < node->n_children; i++)
    make_implicit (self, &node->children[i]);
}

HeddleEqNode *
heddle_eq_planner_shorten (HeddleEqPlanner *self, const HeddleEqTree *tree, HeddleEqNode *root)
{
  Trial trial = { self, tree, root };

  make_implicit (&trial, &trial.root);
  return trial.root;
}
