/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "files/equations-private.h"

/* Values within values within a statement: more than this is not read easily. */
#define DEEPEST 12

/* How the statements of a diagram are written is settled by trying: each line is read back, and what does not come out as it was
 * becomes a statement of its own. */
typedef struct
{
  HeddleEqPlan *plan;
  HeddleEqArena *arena;
  GHashTable *roots; /* value id -> HeddleEqNode: the right side */
} Planner;

/* --- what is a statement anyway ------------------------------------------------------ */

static gboolean
is_argument (const HeddleExpr *leaf, guint operand)
{
  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_ARGUMENT && heddle_expr_get_operand (leaf) == operand;
}

typedef struct
{
  guint operand, count;
} Uses;

static gboolean
count_uses (const HeddleExpr *node, gpointer data)
{
  Uses *uses = data;

  uses->count += is_argument (node, uses->operand);
  return TRUE;
}

/* Whether a value made by @producer can stand within the operation that reads it. A function of a function would be one function; an
 * identity vanishes; what is read twice would be computed twice. */
static gboolean
can_stand_within (const HeddleOperation *producer, const HeddleOperation *reader)
{
  Uses uses = { (guint) heddle_ids_find (reader->operands, producer->result), 0 };

  if (reader->kind->form == HEDDLE_FORM_REINDEX)
    return FALSE;
  if (producer->kind->form == HEDDLE_FORM_MAP
      && heddle_expr_get_kind (producer->body) == HEDDLE_EXPR_ARGUMENT)
    return FALSE;
  if (reader->kind->form != HEDDLE_FORM_MAP)
    return TRUE;
  heddle_expr_walk (reader->body, count_uses, &uses);
  return producer->kind->form != HEDDLE_FORM_MAP
         && (uses.count == 1 || producer->kind->form == HEDDLE_FORM_REINDEX);
}

static gboolean
is_own_anyway (const HeddleDiagram *diagram, const HeddleValue *value)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (diagram, value->id);
  g_autoptr (GPtrArray) readers = NULL;

  if (value->comment != NULL || value->dtype != HEDDLE_DTYPE_UNSET
      || heddle_diagram_count_readers (diagram, value->id) != 1
      || (diagram->explicit_outputs && heddle_ids_contain (diagram->outputs, value->id)))
    return TRUE;
  readers = heddle_diagram_get_readers (diagram, value->id);
  return !can_stand_within (producer, g_ptr_array_index (readers, 0));
}

static gboolean
is_named (const HeddleDiagram *diagram, const char *value_id)
{
  const HeddleValue *value = heddle_diagram_get_value (diagram, value_id);

  return value->name != NULL || heddle_diagram_get_producer (diagram, value_id) == NULL;
}

gboolean
heddle_eq_plan_is_own (const HeddleEqPlan *self, const char *value_id)
{
  return is_named (self->diagram, value_id) || g_hash_table_contains (self->own, value_id);
}

static gboolean
is_own (const HeddleDiagram *diagram, const char *value_id, gpointer plan)
{
  return heddle_eq_plan_is_own (plan, value_id);
}

/* --- names --------------------------------------------------------------------------- */

const char *
heddle_eq_plan_label (const HeddleEqPlan *self, const char *value_id)
{
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, value_id);

  return value->name != NULL ? value->name : g_hash_table_lookup (self->labels, value_id);
}

static gboolean
is_taken (const HeddleEqPlan *self, const char *name)
{
  return g_hash_table_contains (self->names.values, name) || g_hash_table_contains (self->names.axes, name);
}

/* The next of t1, t2 … that is free. */
static void
label (HeddleEqPlan *self, const HeddleValue *value, guint *n)
{
  char *name;

  for (;;)
    {
      name = g_strdup_printf ("t%u", ++*n);
      if (!is_taken (self, name))
        break;
      g_free (name);
    }
  g_hash_table_insert (self->labels, (gpointer) value->id, name);
  g_hash_table_insert (self->names.values, name, (gpointer) value);
}

static void
forget_labels (HeddleEqPlan *self)
{
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, self->labels);
  while (g_hash_table_iter_next (&iter, NULL, &name))
    g_hash_table_remove (self->names.values, name);
  g_hash_table_remove_all (self->labels);
}

static void
collect_names (HeddleEqPlan *self)
{
  const HeddleDiagram *diagram = self->diagram;

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      if (axis->name != NULL)
        g_hash_table_insert (self->names.axes, axis->name, (gpointer) axis->id);
    }
  for (guint i = 0; i < diagram->values->len; i++)
    {
      HeddleValue *value = g_ptr_array_index (diagram->values, i);
      if (value->name != NULL)
        g_hash_table_insert (self->names.values, value->name, value);
    }
}

/* --- trees to nodes ------------------------------------------------------------------ */

static HeddleEqNode *node_of (Planner *self, const HeddleEqTree *tree);

typedef struct
{
  Planner *planner;
  const HeddleEqTree *tree;
} Arguments;

static HeddleEqNode *
argument_node (guint operand, gpointer data)
{
  Arguments *arguments = data;

  if (operand >= arguments->tree->operands->len)
    return heddle_eq_number (arguments->planner->arena, 0, 0.);
  return node_of (arguments->planner, g_ptr_array_index (arguments->tree->operands, operand));
}

static HeddleEqNode *
translate (Planner *self, const HeddleEqTree *tree, const HeddleExpr *expr)
{
  Arguments arguments = { self, tree };
  HeddleEqTranslation translation = { self->arena, self->plan->diagram, argument_node, &arguments };

  return heddle_eq_node_from_expr (&translation, expr);
}

static HeddleEqNode *
read_node (Planner *self, const HeddleEqTree *value, GPtrArray *indices)
{
  guint n = indices != NULL ? indices->len : value->axes->len;
  g_autofree HeddleEqNode **children = g_new (HeddleEqNode *, n);
  HeddleEqNode *node;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (HeddleExpr) plain
          = indices == NULL ? heddle_expr_index (heddle_ids_index (value->axes, i)) : NULL;

      children[i] = translate (self, value, plain != NULL ? plain : g_ptr_array_index (indices, i));
    }
  node = heddle_eq_node (self->arena, HEDDLE_EQ_READ, 0, children, n);
  node->value = heddle_diagram_get_value (self->plan->diagram, value->value);
  node->name = heddle_eq_plan_label (self->plan, value->value);
  return node;
}

static void
set_axes (Planner *self, HeddleEqNode *node, const GArray *over)
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
contraction_node (Planner *self, const HeddleEqTree *tree)
{
  g_autoptr (GPtrArray) factors = g_ptr_array_new ();
  HeddleEqNode *node;

  for (guint i = 0; i < tree->operands->len; i++)
    g_ptr_array_add (factors, node_of (self, g_ptr_array_index (tree->operands, i)));
  node = heddle_eq_node (
      self->arena, HEDDLE_EQ_PRODUCT, 0, (HeddleEqNode *const *) factors->pdata, factors->len);
  node = heddle_eq_reduce (self->arena, heddle_operation_kind ("sum"), 0, node);
  set_axes (self, node, tree->over);
  return node;
}

static HeddleEqNode *
node_of (Planner *self, const HeddleEqTree *tree)
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
      return read_node (self, g_ptr_array_index (tree->operands, 0), tree->indices);
    case HEDDLE_FORM_CONTRACT:
      return contraction_node (self, tree);
    default:
      node = heddle_eq_reduce (
          self->arena, tree->kind, 0, node_of (self, g_ptr_array_index (tree->operands, 0)));
      set_axes (self, node, tree->over);
      memcpy (node->options, tree->options, sizeof node->options);
      return node;
    }
}

/* --- trying -------------------------------------------------------------------------- */

static char *
line_text (Planner *self, const HeddleEqTree *tree, const HeddleEqNode *root)
{
  GString *text = g_string_new (heddle_eq_plan_label (self->plan, tree->value));
  g_autofree char *right = heddle_eq_node_to_string (root, FALSE, FALSE);

  for (guint i = 0; i < tree->axes->len; i++)
    {
      const HeddleAxis *axis
          = heddle_diagram_get_axis (self->plan->diagram, heddle_ids_index (tree->axes, i));

      g_string_append_printf (
          text, "%c%s", i == 0 ? '[' : ',', axis != NULL && axis->name != NULL ? axis->name : "?");
    }
  g_string_append_printf (text, "%s = %s", tree->axes->len > 0 ? "]" : "", right);
  return g_string_free (text, FALSE);
}

/* What the line is read as, or NULL when it cannot be read. */
static HeddleEqTree *
read_back (Planner *self, const char *text, const GArray *axes)
{
  g_autoptr (HeddleEqArena) arena = heddle_eq_arena_new ();
  g_autoptr (GArray) tokens = g_array_new (FALSE, FALSE, sizeof (HeddleEqToken));
  HeddleEqReport report = { NULL, NULL, 0 };
  HeddleEqLine line = { &report, 1, text, strlen (text), 0 };
  HeddleEqScope scope = { arena, &self->plan->names, &line };
  const char *comment;
  HeddleEqStatement *statement;
  HeddleEqTree *tree = NULL;
  guint64 left = 0;

  if (!heddle_eq_lex (arena, &line, tokens, &comment))
    return NULL;
  statement = heddle_eq_parse (arena, &line, tokens);
  if (statement == NULL)
    return NULL;
  for (guint i = 0; i < statement->slots->len && line.n_errors == 0; i++)
    {
      const char *name = g_array_index (statement->slots, HeddleEqSlot, i).name;

      if (g_hash_table_contains (self->plan->names.axes, name))
        left |= heddle_eq_scope_bit (&scope, name, 0);
    }
  if (line.n_errors == 0 && statement->kind == HEDDLE_EQ_ASSIGN
      && heddle_eq_scope (&scope, &statement->expression, left))
    tree = heddle_eq_elaborate (&scope, statement->expression, axes);
  heddle_eq_statement_free (statement);
  return tree;
}

/* The first operation that does not come out as it was, or NULL. */
static const HeddleEqTree *
try (Planner *self, const HeddleEqTree *tree, const HeddleEqNode *root)
{
  g_autofree char *text = line_text (self, tree, root);
  g_autoptr (HeddleEqTree) read = read_back (self, text, tree->axes);

  return read != NULL ? heddle_eq_tree_difference (tree, read) : tree;
}

/* --- sums that need not be written --------------------------------------------------- */

static gboolean
is_contraction (const HeddleEqNode *node)
{
  return node->kind == HEDDLE_EQ_REDUCE && g_str_equal (node->operation->id, "sum")
         && node->children[0]->kind == HEDDLE_EQ_PRODUCT;
}

/* The product with the factors of its factor @at in the place of that. */
static HeddleEqNode *
splice (Planner *self, const HeddleEqNode *product, guint at, const HeddleEqNode *inner)
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
  Planner *planner;
  const HeddleEqTree *tree;
  HeddleEqNode *root;
} Trial;

static gboolean
replace (Trial *self, HeddleEqNode **slot, HeddleEqNode *node)
{
  HeddleEqNode *before = *slot;

  *slot = node;
  if (try (self->planner, self->tree, self->root) == NULL)
    return TRUE;
  *slot = before;
  return FALSE;
}

/* `* (1 / v)` as `/ v`, where that is read as the same. */
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

  if (node->kind == HEDDLE_EQ_READ)
    return;
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

/* --- planning ------------------------------------------------------------------------ */

static void
cut (Planner *self, const HeddleEqTree *tree, guint *n_labels)
{
  const char *id = tree->value;

  if (tree->kind == NULL || heddle_eq_plan_is_own (self->plan, id))
    return;
  g_hash_table_add (self->plan->own, (gpointer) id);
  label (self->plan, heddle_diagram_get_value (self->plan->diagram, id), n_labels);
}

/* Makes what comes out otherwise a statement of its own, or else something that the statement reads. %FALSE: nothing was left to be cut. */
static gboolean
cut_at (Planner *self, const HeddleEqTree *tree, const HeddleEqTree *difference, guint *n_labels)
{
  guint before = g_hash_table_size (self->plan->own);

  if (difference != tree)
    cut (self, difference, n_labels);
  for (guint i = 0; i < tree->operands->len && g_hash_table_size (self->plan->own) == before; i++)
    cut (self, g_ptr_array_index (tree->operands, i), n_labels);
  return g_hash_table_size (self->plan->own) > before;
}

static void
plan_statement (Planner *self, const char *id, guint *n_labels)
{
  for (;;)
    {
      g_autoptr (HeddleEqTree) tree
          = heddle_eq_tree_from_diagram (self->plan->diagram, id, is_own, self->plan);
      Trial trial = { self, tree, node_of (self, tree) };
      const HeddleEqTree *difference = try (self, tree, trial.root);

      if (difference != NULL && cut_at (self, tree, difference, n_labels))
        continue;
      if (difference == NULL)
        make_implicit (&trial, &trial.root);
      g_hash_table_insert (self->roots, (gpointer) id, trial.root);
      return;
    }
}

/* Unnamed values that are statements whatever the text around them. */
static void
plan_own (HeddleEqPlan *self)
{
  g_autoptr (GHashTable) depths = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);
      const HeddleValue *value = heddle_diagram_get_value (self->diagram, operation->result);
      guint depth = 1;

      for (guint j = 0; j < operation->operands->len; j++)
        {
          const char *operand = heddle_ids_index (operation->operands, j);
          if (!heddle_eq_plan_is_own (self, operand))
            depth = MAX (depth, 1 + GPOINTER_TO_UINT (g_hash_table_lookup (depths, operand)));
        }
      g_hash_table_insert (depths, (gpointer) value->id, GUINT_TO_POINTER (depth));
      if (value->name == NULL && (depth > DEEPEST || is_own_anyway (self->diagram, value)))
        g_hash_table_add (self->own, (gpointer) value->id);
    }
}

static void
label_own (HeddleEqPlan *self, guint *n)
{
  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);
      const HeddleValue *value = heddle_diagram_get_value (self->diagram, operation->result);

      if (value->name == NULL && g_hash_table_contains (self->own, value->id))
        label (self, value, n);
    }
}

static void
rename_reads (const HeddleEqPlan *self, HeddleEqNode *node)
{
  if (node->kind == HEDDLE_EQ_READ && node->value != NULL)
    node->name = heddle_eq_plan_label (self, node->value->id);
  for (guint i = 0; i < node->n_children; i++)
    rename_reads (self, node->children[i]);
}

/* Backwards, so that what is cut from a statement comes after it and is planned too. */
static void
plan_lines (Planner *self)
{
  const HeddleDiagram *diagram = self->plan->diagram;
  guint n = 0;

  label_own (self->plan, &n);
  for (guint i = diagram->operations->len; i-- > 0;)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      if (heddle_eq_plan_is_own (self->plan, operation->result))
        plan_statement (self, operation->result, &n);
    }
  forget_labels (self->plan);
  n = 0;
  label_own (self->plan, &n);
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      HeddleEqNode *root = g_hash_table_lookup (self->roots, operation->result);

      if (root == NULL)
        continue;
      g_autoptr (HeddleEqTree) tree
          = heddle_eq_tree_from_diagram (diagram, operation->result, is_own, self->plan);
      rename_reads (self->plan, root);
      g_hash_table_insert (self->plan->lines, (gpointer) operation->result, line_text (self, tree, root));
    }
}

HeddleEqPlan *
heddle_eq_plan_new (const HeddleDiagram *diagram)
{
  HeddleEqPlan *self = g_new0 (HeddleEqPlan, 1);
  Planner planner = { self, heddle_eq_arena_new (), g_hash_table_new (NULL, NULL) };

  self->diagram = diagram;
  self->own = g_hash_table_new (NULL, NULL);
  self->labels = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->lines = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->names.values = g_hash_table_new (g_str_hash, g_str_equal);
  self->names.axes = g_hash_table_new (g_str_hash, g_str_equal);
  collect_names (self);
  plan_own (self);
  plan_lines (&planner);
  g_hash_table_unref (planner.roots);
  heddle_eq_arena_free (planner.arena);
  return self;
}

void
heddle_eq_plan_free (HeddleEqPlan *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->own);
  g_hash_table_unref (self->labels);
  g_hash_table_unref (self->lines);
  g_hash_table_unref (self->names.values);
  g_hash_table_unref (self->names.axes);
  g_free (self);
}

/**
 * heddle_equations_find_value:
 * @diagram: a diagram without errors
 * @name: a name
 *
 * Returns: (transfer none) (nullable): the value that is called @name where the diagram is written as equations, be it its own name or,
 * of a value without one, `t1` and the like
 */
const HeddleValue *
heddle_equations_find_value (const HeddleDiagram *diagram, const char *name)
{
  g_autoptr (HeddleEqPlan) plan = NULL;
  const HeddleValue *value;

  g_return_val_if_fail (diagram != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  value = heddle_diagram_find_value (diagram, name);
  if (value != NULL || !heddle_eq_is_label (name))
    return value;
  plan = heddle_eq_plan_new (diagram);
  return g_hash_table_lookup (plan->names.values, name);
}
