/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/edit.h"
#include "diagram/edit/replace.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation.h"

/* The old object that each new one replaces: matched first by name or label, then, within a statement, by kind and
 * position. */
typedef struct
{
  const HeddleDiagram *old, *new;
  GHashTable *ids; /* new id -> the id it gets */
  GHashTable *taken; /* ids given */
  GHashTable *suffixes; /* stem -> every suffix below this number is taken */
} Matching;

static void
match (Matching *self, const char *new_id, const char *old_id)
{
  if (g_hash_table_contains (self->ids, new_id) || g_hash_table_contains (self->taken, old_id))
    return;
  g_hash_table_insert (self->ids, (gpointer) new_id, (gpointer) old_id);
  g_hash_table_add (self->taken, (gpointer) old_id);
}

static gboolean
is_matched (const Matching *self, const char *new_id, const char *old_id)
{
  return new_id != NULL && old_id != NULL && g_hash_table_lookup (self->ids, new_id) == old_id;
}

static void
match_names (Matching *self)
{
  for (guint i = 0; i < self->new->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->new->axes, i);
      const HeddleAxis *old = heddle_diagram_find_axis (self->old, axis->name);
      if (old != NULL)
        match (self, axis->id, old->id);
    }
  for (guint i = 0; i < self->new->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (self->new->values, i);
      const HeddleValue *old = heddle_diagram_find_value (self->old, value->name);
      if (old != NULL)
        match (self, value->id, old->id);
    }
}

/* Returns whether a text named the unnamed value by its label. */
static gboolean
is_labelled (const HeddleDiagram *diagram, const HeddleValue *value)
{
  g_autofree char *label = value->name == NULL ? heddle_diagram_value_label (diagram, value->id) : NULL;
  return label != NULL && g_str_has_prefix (value->id, "v.")
         && strcmp (value->id + strlen ("v."), label) == 0;
}

/* Matches unnamed values that a text names with the unnamed values that have these labels. */
static void
match_labels (Matching *self)
{
  g_autoptr (GHashTable) olds
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL); /* label -> id */
  for (guint i = 0; i < self->old->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (self->old->values, i);
      if (value->name == NULL)
        g_hash_table_insert (olds, heddle_diagram_value_label (self->old, value->id), (gpointer) value->id);
    }
  for (guint i = 0; i < self->new->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (self->new->values, i);
      const char *old
          = is_labelled (self->new, value) ? g_hash_table_lookup (olds, value->id + strlen ("v.")) : NULL;
      if (old != NULL)
        match (self, value->id, old);
    }
}

/* Matches the producers of each two matched values if they are of one kind. */
static void
match_producers (Matching *self)
{
  for (guint i = 0; i < self->new->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->new->operations, i);
      const char *old_value = g_hash_table_lookup (self->ids, operation->result);
      const HeddleOperation *old = heddle_diagram_get_producer (self->old, old_value);
      if (old != NULL && old->kind == operation->kind)
        match (self, operation->id, old->id);
    }
}

static gboolean
is_unnamed (const HeddleDiagram *diagram, const HeddleOperation *operation)
{
  const HeddleValue *value = heddle_diagram_get_value (diagram, operation->result);
  return value != NULL && value->name == NULL;
}

/* Pairs unnamed operations of the same kind in order. Each old one is visited once: a list of n costs n. */
static void
match_in_order (Matching *self, const GPtrArray *news, const GPtrArray *olds)
{
  for (guint i = 0, next = 0; i < news->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (news, i);
      if (!is_unnamed (self->new, operation) || g_hash_table_contains (self->ids, operation->result))
        continue;
      for (guint j = next; j < olds->len; j++)
        {
          const HeddleOperation *old = g_ptr_array_index (olds, j);
          if (old->kind != operation->kind || !is_unnamed (self->old, old)
              || g_hash_table_contains (self->taken, old->result))
            continue;
          match (self, operation->result, old->result);
          match (self, operation->id, old->id);
          next = j + 1;
          break;
        }
    }
}

static void
match_statements (Matching *self)
{
  for (guint i = 0; i < self->new->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (self->new->values, i);
      const HeddleValue *old = heddle_diagram_find_value (self->old, value->name);
      if (old == NULL || !is_matched (self, value->id, old->id))
        continue;
      g_autoptr (GPtrArray) news = heddle_diagram_statement_operations (self->new, value->id);
      g_autoptr (GPtrArray) olds = heddle_diagram_statement_operations (self->old, old->id);
      match_in_order (self, news, olds);
    }
}

/* Returns the operations that are unnamed statements: their values are outputs or are read more than once. */
static GPtrArray *
unnamed_statements (const HeddleDiagram *diagram)
{
  GPtrArray *operations = g_ptr_array_new ();
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      if (is_unnamed (diagram, operation)
          && heddle_diagram_statement_of (diagram, operation->id) == operation->result)
        g_ptr_array_add (operations, operation);
    }
  return operations;
}

static void
match_unnamed_statements (Matching *self)
{
  g_autoptr (GPtrArray) news = unnamed_statements (self->new), olds = unnamed_statements (self->old);
  match_in_order (self, news, olds);
  for (guint i = 0; i < news->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (news, i);
      const char *old_value = g_hash_table_lookup (self->ids, operation->result);
      if (old_value == NULL)
        continue;
      g_autoptr (GPtrArray) inner = heddle_diagram_statement_operations (self->new, operation->result);
      g_autoptr (GPtrArray) old_inner = heddle_diagram_statement_operations (self->old, old_value);
      match_in_order (self, inner, old_inner);
    }
}

/* --- giving ids ------------------------------------------------------------------ */

/* Returns the final id of an object. What is new gets an id as if it were added after all that is matched, of the shape
 * "prefix.name". */
static const char *
final_id (Matching *self, const char *new_id, const char *prefix, const char *name)
{
  const char *id = g_hash_table_lookup (self->ids, new_id);
  if (id != NULL)
    return id;
  g_autofree char *part = heddle_id_from_name (name != NULL ? name : "");
  g_autofree char *text = g_strconcat (prefix, ".", part, NULL);
  const char *stem = g_intern_string (text);
  guint n = MAX (2, GPOINTER_TO_UINT (g_hash_table_lookup (self->suffixes, stem)));
  for (id = stem; g_hash_table_contains (self->taken, id); n++)
    {
      g_autofree char *candidate = g_strdup_printf ("%s-%u", stem, n);
      id = g_intern_string (candidate);
    }
  g_hash_table_insert (self->suffixes, (gpointer) stem, GUINT_TO_POINTER (n));
  match (self, new_id, id);
  return id;
}

static const char *
translate (const Matching *self, const char *new_id)
{
  const char *id = new_id != NULL ? g_hash_table_lookup (self->ids, new_id) : NULL;
  return id != NULL ? id : new_id;
}

static void
translate_ids (const Matching *self, GArray *ids)
{
  for (guint i = 0; i < ids->len; i++)
    heddle_ids_index (ids, i) = translate (self, heddle_ids_index (ids, i));
}

static HeddleExpr *
translate_leaf (const HeddleExpr *leaf, gpointer data)
{
  HeddleExprKind kind = heddle_expr_get_kind (leaf);
  if (kind == HEDDLE_EXPR_SIZE)
    return heddle_expr_size (translate (data, heddle_expr_get_symbol (leaf)));
  if (kind == HEDDLE_EXPR_INDEX)
    return heddle_expr_index (translate (data, heddle_expr_get_symbol (leaf)));
  return NULL;
}

static HeddleExpr *
translate_expr (Matching *self, HeddleExpr *expr)
{
  return expr != NULL ? heddle_expr_substitute (expr, translate_leaf, self) : NULL;
}

/* --- the draft ------------------------------------------------------------------- */

static void
draft_values (Matching *self, HeddleDiagram *draft)
{
  for (guint i = 0; i < self->new->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (self->new->values, i);
      const char *name = is_labelled (self->new, value) ? value->id + strlen ("v.") : value->name;
      HeddleValue *copy = heddle_diagram_add_value (
          draft, final_id (self, value->id, "v", name), value->name, value->role, value->dtype, value->axes);
      translate_ids (self, copy->axes);
      copy->comment = g_strdup (value->comment);
    }
}

static void
draft_operations (Matching *self, HeddleDiagram *draft)
{
  for (guint i = 0; i < self->new->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->new->operations, i);
      const HeddleValue *result = heddle_diagram_get_value (self->new, operation->result);
      const char *id = final_id (self, operation->id, "o", result != NULL ? result->name : NULL);
      g_autoptr (GArray) operands = heddle_ids_copy (operation->operands);
      g_autoptr (GArray) axes = heddle_ids_copy (operation->axes);
      translate_ids (self, operands);
      translate_ids (self, axes);
      HeddleOperation *copy = heddle_diagram_add_operation (
          draft, id, operation->kind, operands, translate (self, operation->result), axes, -1);
      heddle_operation_copy_details (copy, operation, translate_leaf, self);
      for (guint j = 1; j < heddle_operation_n_results (operation); j++)
        heddle_diagram_add_result (draft, copy, translate (self, heddle_operation_get_result (operation, j)));
    }
}

static HeddleDiagram *
new_draft (Matching *self)
{
  HeddleDiagram *draft = heddle_diagram_new (self->old->name);
  draft->id = self->old->id;
  /* sizes may refer to axes that come later */
  for (guint i = 0; i < self->new->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->new->axes, i);
      heddle_diagram_add_axis (draft, final_id (self, axis->id, "a", axis->name), axis->name, NULL);
    }
  for (guint i = 0; i < self->new->axes->len; i++)
    {
      HeddleAxis *axis = g_ptr_array_index (draft->axes, i);
      axis->size = translate_expr (self, ((HeddleAxis *) g_ptr_array_index (self->new->axes, i))->size);
    }
  draft_values (self, draft);
  draft_operations (self, draft);
  g_array_append_vals (draft->outputs, self->new->outputs->data, self->new->outputs->len);
  translate_ids (self, draft->outputs);
  g_array_append_vals (draft->arguments, self->new->arguments->data, self->new->arguments->len);
  translate_ids (self, draft->arguments);
  draft->explicit_outputs = self->new->explicit_outputs;
  draft->comment = g_strdup (self->new->comment);
  return draft;
}

/* --- the schedule ---------------------------------------------------------------- */

/* Fuses each new unnamed operation with its statement if the end of the statement is fused. */
static void
join_regions (HeddleSchedule *schedule, const HeddleDiagram *diagram, const HeddleDiagram *draft)
{
  for (guint i = 0; i < draft->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (draft->operations, i);
      const char *statement = heddle_diagram_statement_of (draft, operation->id);
      if (statement == operation->result || heddle_diagram_get_operation (diagram, operation->id) != NULL)
        continue;
      const HeddleOperation *end = heddle_diagram_get_producer (draft, statement);
      HeddleRegion *region = end != NULL ? heddle_schedule_region_of (schedule, end->id) : NULL;
      if (region != NULL)
        g_array_insert_val (
            region->operations, (guint) heddle_ids_find (region->operations, end->id), operation->id);
    }
}

void
heddle_edit_replace_diagram (HeddleSnapshot *snapshot, HeddleDiagram *diagram, HeddleDiagram *replacement)
{
  g_return_if_fail (diagram != NULL && replacement != NULL);
  Matching matching = { diagram, replacement, g_hash_table_new (NULL, NULL), g_hash_table_new (NULL, NULL),
    g_hash_table_new (NULL, NULL) };
  match_names (&matching);
  match_labels (&matching);
  match_producers (&matching);
  match_statements (&matching);
  match_unnamed_statements (&matching);
  HeddleDiagram *draft = new_draft (&matching);
  g_autoptr (GPtrArray) schedules = heddle_snapshot_list_schedules (snapshot, diagram);
  for (guint i = 0; i < schedules->len; i++)
    join_regions (g_ptr_array_index (schedules, i), diagram, draft);
  heddle_edit_accept (snapshot, diagram, draft);
  g_hash_table_unref (matching.ids);
  g_hash_table_unref (matching.taken);
  g_hash_table_unref (matching.suffixes);
  heddle_diagram_free (replacement);
}
