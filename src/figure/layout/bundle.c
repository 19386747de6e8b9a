/* SPDX-License-Identifier: MIT */
#include "diagram/document/ornament.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram-order.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"
#include "figure/layout/bundle.h"

/* A diagram in which the axes of a bundle are one axis wherever they stay together, as ids and meaning of all else stay. An operation keeps a
 * bundle when each array that it touches has all of the bundle's axes side by side or none, and when it does the same along all of them. Where
 * it does not, the bundle's wire parts before the operation, and the wires come together after it. */

#define SPLIT_PREFIX "split:"
#define MOST_BUNDLES 64

typedef struct
{
  HeddleDiagram *diagram; /* the one drawn */
  const HeddleDiagram *source;
  const GPtrArray *bundles; /* of HeddleBundle: all that are drawn */
  const HeddleBundle *bundle; /* the one at hand */
  GHashTable *bundled; /* ids of values that have it as one axis */
  GHashTable *converted; /* id of a value -> that of the other way to draw it */
} Bundler;

/* --- where a bundle is whole ----------------------------------------------------------------------- */

typedef enum
{
  NONE,
  WHOLE,
  PART,
} Share;

static Share
share_of (const GArray *axes, const HeddleBundle *bundle, gboolean together)
{
  guint n = 0;
  int first = G_MAXINT, last = -1;

  for (guint i = 0; i < axes->len; i++)
    if (heddle_ids_contain (bundle->axes, heddle_ids_index (axes, i)))
      {
        n++;
        first = MIN (first, (int) i);
        last = i;
      }
  if (n == 0)
    return NONE;
  return n == bundle->axes->len && (!together || last - first + 1 == (int) n) ? WHOLE : PART;
}

/* The order of an input's axes is part of what it is; that of an intermediate's is as it is drawn. */
static Share
share_of_value (const HeddleDiagram *diagram, const char *id, const HeddleBundle *bundle)
{
  const HeddleValue *value = heddle_diagram_get_value (diagram, id);

  return value != NULL ? share_of (value->axes, bundle, value->role != HEDDLE_ROLE_INTERMEDIATE) : NONE;
}

typedef struct
{
  const GPtrArray *bundles; /* of HeddleBundle */
  guint member;
} Renaming;

/* A leaf of axis number `member` of any bundle becomes that bundle's. */
static HeddleExpr *
rename_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Renaming *renaming = data;
  const HeddleExprKind kind = heddle_expr_get_kind (leaf);

  if (kind != HEDDLE_EXPR_INDEX && kind != HEDDLE_EXPR_SIZE)
    return NULL;
  for (guint i = 0; i < renaming->bundles->len; i++)
    {
      const HeddleBundle *bundle = renaming->bundles->pdata[i];
      if (renaming->member < bundle->axes->len
          && heddle_expr_get_symbol (leaf) == heddle_ids_index (bundle->axes, renaming->member))
        return kind == HEDDLE_EXPR_INDEX ? heddle_expr_index (bundle->id) : heddle_expr_size (bundle->id);
    }
  return NULL;
}

static HeddleExpr *
rename_expr (HeddleExpr *expr, const GPtrArray *bundles, guint member)
{
  return heddle_expr_substitute (expr, rename_leaf, &(Renaming){ bundles, member });
}

/* The indices of the bundle's axes are the same but for the number of the axis. */
static gboolean
indices_agree (const Bundler *self, const HeddleOperation *operation, const HeddleValue *operand)
{
  g_autoptr (HeddleExpr) model = NULL;

  for (guint i = 0; i < self->bundle->axes->len; i++)
    {
      const int at = heddle_ids_find (operand->axes, heddle_ids_index (self->bundle->axes, i));
      g_autoptr (HeddleExpr) index = rename_expr (operation->indices->pdata[at], self->bundles, i);
      if (model != NULL && !heddle_expr_equal (model, index))
        return FALSE;
      if (model == NULL)
        model = g_steal_pointer (&index);
    }
  return TRUE;
}

static gboolean
uses_member (const HeddleExpr *index, const HeddleBundle *bundle)
{
  for (guint i = 0; i < bundle->axes->len; i++)
    if (heddle_expr_uses (index, HEDDLE_EXPR_INDEX, heddle_ids_index (bundle->axes, i)))
      return TRUE;
  return FALSE;
}

/* Returns whether the index number @at is one of a bundle's that agree. */
static gboolean
is_of_bundle (const Bundler *self, const HeddleOperation *operation, const HeddleValue *operand, guint at)
{
  for (guint i = 0; i < self->bundles->len; i++)
    {
      const HeddleBundle *bundle = self->bundles->pdata[i];
      Bundler other = *self;
      other.bundle = bundle;
      if (heddle_ids_contain (bundle->axes, heddle_ids_index (operand->axes, at))
          && share_of_value (self->diagram, operand->id, bundle) == WHOLE)
        return indices_agree (&other, operation, operand);
    }
  return FALSE;
}

/* An index that speaks of the bundle's axes parts them, unless it belongs to a bundle of the operand and all of that do so alike. */
static gboolean
reindex_keeps (const Bundler *self, const HeddleOperation *operation)
{
  const HeddleValue *operand
      = heddle_diagram_get_value (self->diagram, heddle_ids_index (operation->operands, 0));

  if (operand == NULL || operation->indices == NULL || operation->indices->len != operand->axes->len)
    return FALSE;
  if (share_of_value (self->diagram, operand->id, self->bundle) == WHOLE
      && !indices_agree (self, operation, operand))
    return FALSE;
  for (guint i = 0; i < operand->axes->len; i++)
    if (uses_member (operation->indices->pdata[i], self->bundle)
        && !is_of_bundle (self, operation, operand, i))
      return FALSE;
  return TRUE;
}

static gboolean
keeps (const Bundler *self, const HeddleOperation *operation)
{
  for (guint i = 0; i < operation->operands->len; i++)
    if (share_of_value (self->diagram, heddle_ids_index (operation->operands, i), self->bundle) == PART)
      return FALSE;
  for (guint i = 0; i < heddle_operation_n_results (operation); i++)
    if (share_of_value (self->diagram, heddle_operation_get_result (operation, i), self->bundle) == PART)
      return FALSE;
  if (operation->axes != NULL && share_of (operation->axes, self->bundle, FALSE) == PART)
    return FALSE;
  return operation->kind->form != HEDDLE_FORM_REINDEX || reindex_keeps (self, operation);
}

/* --- putting the bundle in ---------------------------------------------------------------------------- */

/* The first of the bundle's axes becomes the bundle, the others go. */
static void
merge_axes (GArray *axes, const HeddleBundle *bundle)
{
  gboolean put = FALSE;

  for (guint i = 0; i < axes->len; i++)
    if (heddle_ids_contain (bundle->axes, heddle_ids_index (axes, i)))
      {
        if (put)
          g_array_remove_index (axes, i--);
        else
          heddle_ids_index (axes, i) = bundle->id;
        put = TRUE;
      }
}

static void
merge_indices (const Bundler *self, HeddleOperation *operation)
{
  const HeddleValue *operand
      = heddle_diagram_get_value (self->source, heddle_ids_index (operation->operands, 0));
  GPtrArray *merged = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  gboolean put = FALSE;

  for (guint i = 0; i < operation->indices->len && i < operand->axes->len; i++)
    {
      const int member = heddle_ids_find (self->bundle->axes, heddle_ids_index (operand->axes, i));
      if (member >= 0 && put)
        continue;
      put |= member >= 0;
      g_ptr_array_add (merged, member >= 0 ? rename_expr (operation->indices->pdata[i], self->bundles, member)
                                           : heddle_expr_ref (operation->indices->pdata[i]));
    }
  g_ptr_array_unref (operation->indices);
  operation->indices = merged;
}

static void
bundle_operation (const Bundler *self, const char *id)
{
  HeddleOperation *operation = heddle_diagram_edit_operation (self->diagram, id);

  if (operation->axes != NULL)
    merge_axes (operation->axes, self->bundle);
  if (operation->kind->form == HEDDLE_FORM_REINDEX && operation->indices != NULL)
    merge_indices (self, operation);
  if (operation->body == NULL)
    return;
  for (guint i = 0; i < self->bundle->axes->len; i++)
    {
      HeddleExpr *body = rename_expr (operation->body, self->bundles, i);
      heddle_expr_unref (operation->body);
      operation->body = body;
    }
}

/* --- where it parts -------------------------------------------------------------------------------------- */

/* A view that reads @value and has @axes. */
static const char *
add_conversion (Bundler *self, const char *value_id, const GArray *axes)
{
  const HeddleValue *value = heddle_diagram_get_value (self->diagram, value_id);
  g_autofree char *name = g_strdup_printf (SPLIT_PREFIX "%s:%s", value_id, self->bundle->id);
  g_autoptr (GArray) operands = heddle_ids_new (), none = heddle_ids_new ();
  const HeddleValue *made
      = heddle_diagram_add_value (self->diagram, NULL, NULL, HEDDLE_ROLE_INTERMEDIATE, value->dtype, axes);

  heddle_ids_append (operands, value_id);
  HeddleOperation *operation = heddle_diagram_add_operation (
      self->diagram, name, heddle_operation_kind ("reindex"), operands, made->id, none, -1);
  value = heddle_diagram_get_value (self->diagram, value_id);
  if (operation->indices == NULL)
    operation->indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  for (guint i = 0; i < value->axes->len; i++)
    {
      const char *axis = heddle_ids_index (value->axes, i);
      HeddleExpr *index = heddle_expr_index (axis);
      if (axis == self->bundle->id) /* all members make it up */
        for (guint j = 0; j < self->bundle->axes->len; j++)
          {
            HeddleExpr *member = heddle_expr_index (heddle_ids_index (self->bundle->axes, j));
            if (j == 0)
              heddle_expr_unref (g_steal_pointer (&index));
            index = j == 0 ? member : heddle_expr_binary (HEDDLE_EXPR_ADD, index, member);
          }
      else if (heddle_ids_contain (self->bundle->axes, axis))
        {
          heddle_expr_unref (index);
          index = heddle_expr_unary (HEDDLE_EXPR_FLOOR, heddle_expr_index (self->bundle->id));
        }
      g_ptr_array_add (operation->indices, index);
    }
  return made->id;
}

/* Returns the value's axes with the bundle as one, or with its members. */
static GArray *
other_axes (const Bundler *self, const char *value_id)
{
  const HeddleValue *drawn = heddle_diagram_get_value (self->diagram, value_id);
  GArray *axes = heddle_ids_copy (drawn->axes);
  const int at = heddle_ids_find (axes, self->bundle->id);

  if (at < 0)
    merge_axes (axes, self->bundle);
  else
    {
      g_array_remove_index (axes, at);
      g_array_insert_vals (axes, at, self->bundle->axes->data, self->bundle->axes->len);
    }
  return axes;
}

static const char *
convert (Bundler *self, const char *value_id)
{
  const char *made = g_hash_table_lookup (self->converted, value_id);

  if (made != NULL)
    return made;
  g_autoptr (GArray) axes = other_axes (self, value_id);
  made = add_conversion (self, value_id, axes);
  g_hash_table_insert (self->converted, (gpointer) value_id, (gpointer) made);
  return made;
}

/* --- one bundle --------------------------------------------------------------------------------------------- */

static gboolean
any_reader_keeps (const Bundler *self, const char *value, GHashTable *keeping)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (self->diagram, value);

  for (guint i = 0; i < readers->len; i++)
    if (g_hash_table_contains (keeping, ((HeddleOperation *) readers->pdata[i])->id))
      return TRUE;
  return readers->len == 0;
}

static void
find_bundled (Bundler *self, GHashTable *keeping)
{
  for (guint i = 0; i < self->diagram->values->len; i++)
    {
      const HeddleValue *value = self->diagram->values->pdata[i];
      const HeddleOperation *producer = heddle_diagram_get_producer (self->diagram, value->id);
      if (share_of_value (self->diagram, value->id, self->bundle) != WHOLE)
        continue;
      if (producer != NULL ? g_hash_table_contains (keeping, producer->id)
                           : any_reader_keeps (self, value->id, keeping))
        g_hash_table_add (self->bundled, (gpointer) value->id);
    }
}

static void
rewire (Bundler *self, const char *id, gboolean kept)
{
  const HeddleOperation *operation = heddle_diagram_get_operation (self->diagram, id);

  for (guint i = 0; i < operation->operands->len; i++)
    {
      const char *value = heddle_ids_index (operation->operands, i);
      const Share share = share_of_value (self->source, value, self->bundle);
      if (share != WHOLE || kept == g_hash_table_contains (self->bundled, value))
        continue;
      const char *other = convert (self, value);
      heddle_ids_index (heddle_diagram_edit_operation (self->diagram, id)->operands, i) = other;
      operation = heddle_diagram_get_operation (self->diagram, id);
    }
}

static void
apply_bundle (Bundler *self)
{
  g_autoptr (GHashTable) keeping = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) operations = heddle_ids_new ();
  GHashTableIter iter;
  gpointer value;

  self->bundled = g_hash_table_new (NULL, NULL);
  self->converted = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = self->diagram->operations->pdata[i];
      heddle_ids_append (operations, operation->id);
      if (keeps (self, operation))
        g_hash_table_add (keeping, (gpointer) operation->id);
    }
  find_bundled (self, keeping);
  for (guint i = 0; i < operations->len; i++)
    if (g_hash_table_contains (keeping, heddle_ids_index (operations, i)))
      bundle_operation (self, heddle_ids_index (operations, i));
  g_hash_table_iter_init (&iter, self->bundled);
  while (g_hash_table_iter_next (&iter, &value, NULL))
    merge_axes (heddle_diagram_edit_value (self->diagram, value)->axes, self->bundle);
  for (guint i = 0; i < operations->len; i++)
    rewire (self, heddle_ids_index (operations, i),
        g_hash_table_contains (keeping, heddle_ids_index (operations, i)));
  heddle_diagram_sort (self->diagram);
  g_hash_table_unref (self->bundled);
  g_hash_table_unref (self->converted);
}

/* An axis whose label is shown keeps its own wire. */
static gboolean
is_labelled (const HeddleFigure *figure, const HeddleBundle *bundle)
{
  if (figure->schedule == NULL || !(figure->show & HEDDLE_SHOW_LABELS))
    return FALSE;
  for (guint i = 0; i < figure->schedule->regions->len; i++)
    {
      const HeddleRegion *region = figure->schedule->regions->pdata[i];
      for (guint j = 0; j < region->labels->len; j++)
        if (heddle_ids_contain (bundle->axes, ((HeddleLabel *) region->labels->pdata[j])->axis))
          return TRUE;
    }
  return FALSE;
}

static gboolean
is_drawable (const HeddleFigure *figure, const HeddleBundle *bundle)
{
  for (guint i = 0; i < bundle->axes->len; i++)
    if (heddle_diagram_get_axis (figure->diagram, heddle_ids_index (bundle->axes, i)) == NULL)
      return FALSE;
  return bundle->axes->len >= 2 && heddle_diagram_get_axis (figure->diagram, bundle->id) == NULL
         && heddle_diagram_get_value (figure->diagram, bundle->id) == NULL
         && heddle_diagram_get_operation (figure->diagram, bundle->id) == NULL && bundle->name != NULL
         && *bundle->name != '\0' && !is_labelled (figure, bundle);
}

HeddleDiagram *
heddle_bundles_apply (const HeddleFigure *figure)
{
  const GPtrArray *all = figure->presentation != NULL ? figure->presentation->bundles : NULL;
  g_autoptr (GPtrArray) bundles = g_ptr_array_new ();

  for (guint i = 0; all != NULL && i < MIN (all->len, MOST_BUNDLES); i++)
    if (is_drawable (figure, all->pdata[i]))
      g_ptr_array_add (bundles, all->pdata[i]);
  if (bundles->len == 0)
    return NULL;
  HeddleDiagram *diagram = heddle_diagram_copy (figure->diagram);
  for (guint i = 0; i < bundles->len; i++)
    {
      const HeddleBundle *bundle = bundles->pdata[i];
      g_autoptr (HeddleDiagram) before = heddle_diagram_copy (diagram);
      Bundler bundler = { .diagram = diagram, .source = before, .bundles = bundles, .bundle = bundle };
      heddle_diagram_add_axis (diagram, bundle->id, bundle->name, NULL);
      apply_bundle (&bundler);
    }
  return diagram;
}

gboolean
heddle_bundles_contain (const HeddlePresentation *presentation, const char *axis)
{
  for (guint i = 0; presentation != NULL && axis != NULL && i < presentation->bundles->len; i++)
    if (((HeddleBundle *) presentation->bundles->pdata[i])->id == axis)
      return TRUE;
  return FALSE;
}

gboolean
heddle_bundles_is_split (const HeddleOperation *operation)
{
  return g_str_has_prefix (operation->id, SPLIT_PREFIX);
}
