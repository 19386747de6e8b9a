/* SPDX-License-Identifier: MIT */
#include "diagram/base/dtype.h"
#include "diagram/document/snapshot.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"
#include "files/equations/arena.h"
#include "files/equations/labels.h"
#include "files/equations/lex.h"
#include "files/equations/line.h"
#include "files/equations/merge.h"
#include "files/equations/plan.h"
#include "files/equations/planner.h"
#include "files/equations/topk.h"
#include "files/equations/tree.h"

/* The depth of values within values within a statement: more is not read easily. */
#define DEEPEST 12

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

/* Returns whether an operation is what a left side with merged axes means. */
static gboolean
reads_merged (const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  return operation->kind->form == HEDDLE_FORM_REINDEX && operation->operands->len == 1
         && heddle_eq_is_merge (diagram, heddle_diagram_get_value (diagram, operation->result)->axes,
             heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0))->axes,
             operation->indices);
}

/* Returns whether an array is joined to itself: which of its axes goes is shown only on the left side of a
 * statement of its own. */
static gboolean
joins_itself (const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  if (operation->kind->form != HEDDLE_FORM_CONCAT)
    return FALSE;
  for (guint i = 1; i < operation->operands->len; i++)
    if (!heddle_ids_same_set (
            heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0))->axes,
            heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, i))->axes))
      return FALSE;
  return TRUE;
}

/* Returns whether a value made by @producer can be written within the operation that reads it. A function of
 * a function would be one function; an identity vanishes; what is read twice would be computed twice. */
static gboolean
can_stand_within (
    const HeddleDiagram *diagram, const HeddleOperation *producer, const HeddleOperation *reader)
{
  Uses uses = { (guint) heddle_ids_find (reader->operands, producer->result), 0 };

  if (producer->shared || joins_itself (diagram, producer))
    return FALSE;
  if (reader->kind->form == HEDDLE_FORM_REINDEX)
    return uses.operand > 0 ? producer->kind->form == HEDDLE_FORM_REINDEX
                            : reads_merged (diagram, reader) && !reads_merged (diagram, producer);
  if (reads_merged (diagram, producer))
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
  if (heddle_operation_n_results (producer) > 1)
    return TRUE;
  readers = heddle_diagram_get_readers (diagram, value->id);
  return !can_stand_within (diagram, producer, g_ptr_array_index (readers, 0));
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

/* Gives a value the name by which it is shown elsewhere, too. */
static void
label (HeddleEqPlan *self, const HeddleValue *value)
{
  char *name = heddle_diagram_value_label (self->diagram, value->id);

  g_hash_table_insert (self->labels, (gpointer) value->id, name);
  g_hash_table_insert (self->names.values, name, (gpointer) value);
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

/* --- planning ------------------------------------------------------------------------ */

static void
cut (HeddleEqPlanner *self, const HeddleEqTree *tree)
{
  const char *id = tree->value;

  if (tree->kind == NULL || heddle_eq_plan_is_own (self->plan, id))
    return;
  g_hash_table_add (self->plan->own, (gpointer) id);
  label (self->plan, heddle_diagram_get_value (self->plan->diagram, id));
}

/* Makes a statement of its own of what would be read back differently, or else of something that the
 * statement reads. Returns %FALSE if nothing was left to be cut. */
static gboolean
cut_at (HeddleEqPlanner *self, const HeddleEqTree *tree, const HeddleEqTree *difference)
{
  guint before = g_hash_table_size (self->plan->own);

  if (difference != tree)
    cut (self, difference);
  for (guint i = 0; i < tree->operands->len && g_hash_table_size (self->plan->own) == before; i++)
    cut (self, g_ptr_array_index (tree->operands, i));
  return g_hash_table_size (self->plan->own) > before;
}

static void
plan_statement (HeddleEqPlanner *self, const char *id)
{
  for (;;)
    {
      g_autoptr (HeddleEqTree) tree
          = heddle_eq_tree_from_diagram (self->plan->diagram, id, is_own, self->plan);
      HeddleEqNode *root = heddle_eq_planner_node (self, tree);
      const HeddleEqTree *difference = heddle_eq_planner_try (self, tree, root);

      if (difference != NULL && cut_at (self, tree, difference))
        continue;
      if (difference == NULL)
        root = heddle_eq_planner_shorten (self, tree, root);
      g_hash_table_insert (self->roots, (gpointer) id, root);
      return;
    }
}

/* Finds the unnamed values that are statements whatever the text around them. */
static void
plan_own (HeddleEqPlan *self)
{
  g_autoptr (GHashTable) depths = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);
      guint depth = 1;

      for (guint j = 0; j < operation->operands->len; j++)
        {
          const char *operand = heddle_ids_index (operation->operands, j);
          if (!heddle_eq_plan_is_own (self, operand))
            depth = MAX (depth, 1 + GPOINTER_TO_UINT (g_hash_table_lookup (depths, operand)));
        }
      for (guint j = 0; j < heddle_operation_n_results (operation); j++)
        {
          const HeddleValue *value
              = heddle_diagram_get_value (self->diagram, heddle_operation_get_result (operation, j));

          g_hash_table_insert (depths, (gpointer) value->id, GUINT_TO_POINTER (depth));
          if (value->name == NULL && (depth > DEEPEST || is_own_anyway (self->diagram, value)))
            g_hash_table_add (self->own, (gpointer) value->id);
        }
    }
}

static void
label_own (HeddleEqPlan *self)
{
  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);

      for (guint j = 0; j < heddle_operation_n_results (operation); j++)
        {
          const HeddleValue *value
              = heddle_diagram_get_value (self->diagram, heddle_operation_get_result (operation, j));

          if (value->name == NULL && g_hash_table_contains (self->own, value->id))
            label (self, value);
        }
    }
}

/* Plans the lines, the last one first, so that what is cut from a statement comes after it and is planned
 * too. */
static void
plan_lines (HeddleEqPlanner *self)
{
  const HeddleDiagram *diagram = self->plan->diagram;

  label_own (self->plan);
  for (guint i = diagram->operations->len; i-- > 0;)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      if (heddle_eq_plan_is_own (self->plan, operation->result))
        plan_statement (self, operation->result);
    }
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      HeddleEqNode *root = g_hash_table_lookup (self->roots, operation->result);

      if (root == NULL)
        continue;
      g_autoptr (HeddleEqTree) tree
          = heddle_eq_tree_from_diagram (diagram, operation->result, is_own, self->plan);
      g_hash_table_insert (
          self->plan->lines, (gpointer) operation->result, heddle_eq_planner_line (self, tree, root));
    }
}

static gboolean
is_called (const HeddleDiagram *diagram, const char *id)
{
  for (guint i = 0; i < diagram->operations->len; i++)
    if (((const HeddleOperation *) g_ptr_array_index (diagram->operations, i))->callee == id)
      return TRUE;
  return FALSE;
}

/* Returns the definitions that the diagram may call. The first diagram is named after its file, which the
 * text does not know. */
static GHashTable *
collect_definitions (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram)
{
  GHashTable *definitions = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; snapshot != NULL && i < snapshot->diagrams->len; i++)
    {
      HeddleDiagram *other = g_ptr_array_index (snapshot->diagrams, i);

      if (other->id != diagram->id && (i > 0 || is_called (diagram, other->id)))
        g_hash_table_insert (definitions, other->name, other);
    }
  return definitions;
}

HeddleEqPlan *
heddle_eq_plan_new (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, gboolean is_definition)
{
  HeddleEqPlan *self = g_new0 (HeddleEqPlan, 1);
  HeddleEqPlanner planner = { self, heddle_eq_arena_new (), g_hash_table_new (NULL, NULL) };

  self->diagram = diagram;
  self->snapshot = snapshot;
  self->names.definitions = collect_definitions (snapshot, diagram);
  self->names.within = is_definition ? diagram->name : NULL;
  self->own = g_hash_table_new (NULL, NULL);
  self->labels = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->joined = g_hash_table_new (NULL, NULL);
  self->lines = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->names.values = g_hash_table_new (g_str_hash, g_str_equal);
  self->names.axes = g_hash_table_new (g_str_hash, g_str_equal);
  collect_names (self);
  plan_own (self);
  plan_lines (&planner);
  heddle_eq_join_choices (self);
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
  g_hash_table_unref (self->joined);
  g_hash_table_unref (self->names.values);
  g_hash_table_unref (self->names.axes);
  g_hash_table_unref (self->names.definitions);
  g_free (self);
}

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
  plan = heddle_eq_plan_new (NULL, diagram, FALSE);
  return g_hash_table_lookup (plan->names.values, name);
}
