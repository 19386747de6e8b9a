/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/analysis/merge.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/arena.h"
#include "files/equations/elaborate.h"
#include "files/equations/indices.h"
#include "files/equations/merge.h"
#include "files/equations/node.h"
#include "files/equations/report.h"
#include "files/equations/tree.h"
#include "files/equations/words.h"

/* This file reads and writes `(h u)`, several axes as one. In an index it is h * size(u) + u. On the left it
 * is an axis of its own, called hu, along which the right side, which has h and u apart, is laid out. */

/* --- names ------------------------------------------------------------------------------- */

/* Returns the letters and digits of all names, then the primes. A word of the language gets one prime more.
 * Newly allocated. */
static char *
merged_name (const char *const *names, guint n)
{
  GString *text = g_string_new (NULL);
  guint primes = 0;

  for (guint i = 0; i < n; i++)
    for (const char *at = names[i]; *at != '\0'; at = g_utf8_next_char (at))
      {
        gunichar c = g_utf8_get_char (at);

        primes += c == '\'';
        if (g_unichar_isalnum (c))
          g_string_append_unichar (text, c);
      }
  while (primes-- > 0)
    g_string_append_c (text, '\'');
  if (heddle_eq_is_reserved (text->str))
    g_string_append_c (text, '\'');
  return g_string_free (text, FALSE);
}

/* --- reading ------------------------------------------------------------------------------ */

/* Parses the names in parentheses, two or more. */
static GArray *
parse_members (HeddleEqParser *self)
{
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (HeddleEqIndex));

  self->at++;
  while (!heddle_eq_at (self, ")"))
    {
      const HeddleEqToken *token = heddle_eq_need_name (self, _ ("the name of an axis"));
      HeddleEqIndex member;

      if (token == NULL)
        return NULL;
      member = (HeddleEqIndex){ token->text, token->column };
      for (guint i = 0; i < members->len; i++)
        if (g_array_index (members, HeddleEqIndex, i).name == member.name)
          {
            heddle_eq_error (self->line, member.column, _ ("%s occurs twice"), member.name);
            return NULL;
          }
      g_array_append_val (members, member);
    }
  self->at++;
  if (members->len >= 2 && members->len <= HEDDLE_EQ_MAX_INDICES)
    return g_steal_pointer (&members);
  heddle_eq_error (self->line, heddle_eq_peek (self)->column,
      _ ("expected two axes or more to be merged, side by side as in (h u)"));
  return NULL;
}

gboolean
heddle_eq_parse_merged_slot (HeddleEqParser *self, HeddleEqSlot *slot)
{
  guint column = heddle_eq_peek (self)->column;
  g_autoptr (GArray) members = parse_members (self);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *name = NULL;

  if (members == NULL)
    return FALSE;
  slot->n_members = members->len;
  slot->members = heddle_eq_alloc (self->arena, members->len * sizeof (HeddleEqIndex));
  for (guint i = 0; i < members->len; i++)
    {
      slot->members[i] = g_array_index (members, HeddleEqIndex, i);
      g_ptr_array_add (names, (gpointer) slot->members[i].name);
    }
  name = merged_name ((const char *const *) names->pdata, names->len);
  slot->name = heddle_eq_name (self->arena, name, -1);
  slot->column = column;
  return TRUE;
}

HeddleEqNode *
heddle_eq_parse_merged_index (HeddleEqParser *self)
{
  guint column = heddle_eq_peek (self)->column;
  g_autoptr (GArray) members = parse_members (self);
  HeddleEqNode *node = NULL;

  for (guint i = 0; members != NULL && i < members->len; i++)
    {
      const HeddleEqIndex *member = &g_array_index (members, HeddleEqIndex, i);
      HeddleEqNode *own = heddle_eq_leaf (self->arena, HEDDLE_EQ_INDEX, member->column, member->name);
      HeddleEqNode *pair[2] = { node, NULL };

      if (node != NULL)
        {
          pair[1] = heddle_eq_leaf (self->arena, HEDDLE_EQ_SIZE, member->column, member->name);
          pair[0] = heddle_eq_node (self->arena, HEDDLE_EQ_PRODUCT, column, pair, 2);
          pair[1] = own;
          own = heddle_eq_node (self->arena, HEDDLE_EQ_SUM, column, pair, 2);
        }
      node = own;
    }
  return node != NULL ? heddle_eq_parser_checked (self, node) : NULL;
}

/* --- what a left side means ----------------------------------------------------------------- */

static guint64
bit_of (HeddleEqScope *scope, const char *name, guint column)
{
  return g_hash_table_contains (scope->names->axes, name) ? heddle_eq_scope_bit (scope, name, column) : 0;
}

guint64
heddle_eq_left_bits (HeddleEqScope *scope, const HeddleEqStatement *statement)
{
  guint64 left = 0;

  for (guint i = 0; i < statement->slots->len && scope->line->n_errors == 0; i++)
    {
      const HeddleEqSlot *slot = &g_array_index (statement->slots, HeddleEqSlot, i);

      if (slot->n_members == 0)
        left |= bit_of (scope, slot->name, slot->column);
      for (guint j = 0; j < slot->n_members; j++)
        left |= bit_of (scope, slot->members[j].name, slot->members[j].column);
    }
  return left;
}

static GArray *
member_axes (const HeddleEqScope *scope, const HeddleEqSlot *slot)
{
  GArray *axes = heddle_ids_new ();

  for (guint i = 0; i < slot->n_members; i++)
    heddle_ids_append (axes, g_hash_table_lookup (scope->names->axes, slot->members[i].name));
  return axes;
}

/* Returns the axes of the left side, with merged ones split. */
static GArray *
apart (const HeddleEqScope *scope, const HeddleEqStatement *statement)
{
  GArray *axes = heddle_ids_new ();

  for (guint i = 0; i < statement->slots->len; i++)
    {
      const HeddleEqSlot *slot = &g_array_index (statement->slots, HeddleEqSlot, i);
      g_autoptr (GArray) members = member_axes (scope, slot);

      if (slot->n_members == 0)
        heddle_ids_append (axes, g_hash_table_lookup (scope->names->axes, slot->name));
      g_array_append_vals (axes, members->data, members->len);
    }
  return axes;
}

/* Returns the array itself if the operation only reads it as it is: it needs none before it is laid out. */
static HeddleEqTree *
without_identity (HeddleEqTree *tree)
{
  HeddleEqTree *operand;

  if (tree->kind->form != HEDDLE_FORM_REINDEX || tree->operands->len > 1)
    return tree;
  operand = g_ptr_array_index (tree->operands, 0);
  for (guint i = 0; i < tree->indices->len; i++)
    {
      const HeddleExpr *index = g_ptr_array_index (tree->indices, i);

      if (heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX
          || heddle_expr_get_symbol (index) != heddle_ids_index (operand->axes, i))
        return tree;
    }
  if (operand->axes->len != tree->axes->len)
    return tree;
  operand = g_ptr_array_steal_index (tree->operands, 0);
  heddle_eq_tree_free (tree);
  return operand;
}

/* Returns the index on the left of an axis of what is laid out. */
static HeddleExpr *
index_of (const HeddleEqScope *scope, const HeddleEqStatement *statement, const char *axis)
{
  for (guint i = 0; i < statement->slots->len; i++)
    {
      const HeddleEqSlot *slot = &g_array_index (statement->slots, HeddleEqSlot, i);
      g_autoptr (GArray) members = member_axes (scope, slot);
      int part = heddle_ids_find (members, axis);

      if (part >= 0)
        return heddle_merge_part (
            g_hash_table_lookup (scope->names->axes, slot->name), members, (guint) part);
    }
  return heddle_expr_index (axis);
}

/* Checks that no axis is on the left both by itself and within another one. */
static gboolean
check_apart (HeddleEqScope *scope, const HeddleEqStatement *statement, const GArray *axes)
{
  for (guint i = 0; i < axes->len; i++)
    if (heddle_ids_find (axes, heddle_ids_index (axes, i)) != (int) i)
      {
        heddle_eq_error (
            scope->line, statement->column, _ ("an axis occurs twice on the left: expected each once"));
        return FALSE;
      }
  return TRUE;
}

HeddleEqTree *
heddle_eq_elaborate_left (HeddleEqScope *scope, const HeddleEqStatement *statement, const GArray *axes)
{
  g_autoptr (GArray) parts = apart (scope, statement);
  HeddleEqTree *tree, *self;

  if (!check_apart (scope, statement, parts))
    return NULL;
  tree = heddle_eq_elaborate (scope, statement->expression, parts);
  if (tree == NULL || heddle_ids_equal (parts, axes))
    return tree;
  tree = without_identity (tree);
  self = heddle_eq_reindex_new (tree);
  for (guint i = 0; i < tree->axes->len; i++)
    g_ptr_array_add (self->indices, index_of (scope, statement, heddle_ids_index (tree->axes, i)));
  g_array_append_vals (self->axes, axes->data, axes->len);
  return self;
}

/* --- writing -------------------------------------------------------------------------------- */

/* Returns the axes that @merged consists of, if it has the name that reading gives it. */
static GArray *
find_members (
    const HeddleDiagram *diagram, const GArray *operand_axes, const GPtrArray *indices, const char *merged)
{
  g_autoptr (GArray) axes = heddle_merge_find (operand_axes, indices, merged);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *name = NULL;

  for (guint i = 0; axes != NULL && i < axes->len; i++)
    g_ptr_array_add (names, (gpointer) heddle_diagram_get_axis (diagram, heddle_ids_index (axes, i))->name);
  if (axes == NULL)
    return NULL;
  name = merged_name ((const char *const *) names->pdata, names->len);
  return g_str_equal (name, heddle_diagram_get_axis (diagram, merged)->name) ? g_steal_pointer (&axes) : NULL;
}

gboolean
heddle_eq_is_merge (
    const HeddleDiagram *diagram, const GArray *axes, const GArray *operand_axes, const GPtrArray *indices)
{
  guint covered = 0;
  gboolean merges = FALSE;

  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);
      g_autoptr (GArray) members = find_members (diagram, operand_axes, indices, axis);
      int own = heddle_ids_find (operand_axes, axis);

      if (members == NULL
          && (own < 0 || (guint) own >= indices->len
              || heddle_expr_get_kind (g_ptr_array_index (indices, (guint) own)) != HEDDLE_EXPR_INDEX
              || heddle_expr_get_symbol (g_ptr_array_index (indices, (guint) own)) != axis))
        return FALSE;
      merges |= members != NULL;
      covered += members != NULL ? members->len : 1;
    }
  return merges && covered == operand_axes->len;
}

/* Appends @axis of what a statement makes as `(h u)`, or else by its name. */
void
heddle_eq_append_left (
    GString *text, const HeddleDiagram *diagram, const HeddleEqTree *tree, const char *axis)
{
  g_autoptr (GArray) members = NULL;
  const HeddleAxis *own = heddle_diagram_get_axis (diagram, axis);

  if (heddle_eq_tree_is_merge (diagram, tree))
    members = find_members (
        diagram, ((HeddleEqTree *) g_ptr_array_index (tree->operands, 0))->axes, tree->indices, axis);
  if (members == NULL)
    g_string_append (text, own != NULL && own->name != NULL ? own->name : "?");
  for (guint i = 0; members != NULL && i < members->len; i++)
    g_string_append_printf (text, "%s%s%s", i == 0 ? "(" : " ",
        heddle_diagram_get_axis (diagram, heddle_ids_index (members, i))->name,
        i + 1 == members->len ? ")" : "");
}

gboolean
heddle_eq_tree_is_merge (const HeddleDiagram *diagram, const HeddleEqTree *tree)
{
  return tree->kind != NULL && tree->kind->form == HEDDLE_FORM_REINDEX && tree->operands->len == 1
         && heddle_eq_is_merge (diagram, tree->axes,
             ((HeddleEqTree *) g_ptr_array_index (tree->operands, 0))->axes, tree->indices);
}

/* Collects the names that an index merges, in reverse. Returns %FALSE if it merges none. */
static gboolean
collect_members (const HeddleEqNode *node, GPtrArray *names)
{
  while (node->kind == HEDDLE_EQ_SUM)
    {
      const HeddleEqNode *product = node->children[0], *last = node->children[1];

      if (node->n_children != 2 || node->marks[1] || product->kind != HEDDLE_EQ_PRODUCT
          || product->n_children != 2 || product->marks[1] || last->kind != HEDDLE_EQ_INDEX
          || product->children[1]->kind != HEDDLE_EQ_SIZE
          || !g_str_equal (product->children[1]->name, last->name))
        return FALSE;
      g_ptr_array_add (names, (gpointer) last->name);
      node = product->children[0];
    }
  g_ptr_array_add (names, (gpointer) node->name);
  return node->kind == HEDDLE_EQ_INDEX && names->len > 1;
}

gboolean
heddle_eq_append_merge (GString *text, const HeddleEqNode *node)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  if (!collect_members (node, names))
    return FALSE;
  for (guint i = names->len; i-- > 0;)
    g_string_append_printf (text, "%s%s%s", i + 1 == names->len ? "(" : " ",
        (const char *) g_ptr_array_index (names, i), i == 0 ? ")" : "");
  return TRUE;
}
