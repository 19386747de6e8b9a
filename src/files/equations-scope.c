/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "files/equations-private.h"

/* Where a name stands decides what that of an axis means: its size, or in an index or a predicate its index. */
typedef enum
{
  PLACE_VALUE,
  PLACE_INDEX,
  PLACE_PREDICATE,
} Place;

static gboolean resolve (HeddleEqScope *self, HeddleEqNode *node, Place place);

/* --- what names mean ----------------------------------------------------------------- */

guint64
heddle_eq_scope_bit (HeddleEqScope *self, const char *name, guint column)
{
  const char *id = g_hash_table_lookup (self->names->axes, name);

  for (guint i = 0; i < self->n_axes; i++)
    if (self->axes[i] == id)
      return G_GUINT64_CONSTANT (1) << i;
  if (self->n_axes == HEDDLE_EQ_MAX_INDICES)
    {
      heddle_eq_error (
          self->line, column, _ ("more than %d different indices in one statement"), HEDDLE_EQ_MAX_INDICES);
      return 0;
    }
  self->axes[self->n_axes] = id;
  self->axis_names[self->n_axes] = name;
  return G_GUINT64_CONSTANT (1) << self->n_axes++;
}

static gboolean
is_broken (HeddleEqScope *self, const char *name)
{
  if (self->names->broken == NULL || !g_hash_table_contains (self->names->broken, name))
    return FALSE;
  self->broken = TRUE;
  return TRUE;
}

/* An axis' size or index, said outright or by its place. */
static gboolean
resolve_axis (HeddleEqScope *self, HeddleEqNode *node)
{
  node->axis = g_hash_table_lookup (self->names->axes, node->name);
  if (node->axis == NULL)
    {
      if (!is_broken (self, node->name))
        heddle_eq_error (self->line, node->column,
            _ ("“%s” is no axis: expected an index that an array is read at"), node->name);
      return FALSE;
    }
  if (node->kind == HEDDLE_EQ_INDEX)
    node->free = heddle_eq_scope_bit (self, node->name, node->column);
  return node->kind == HEDDLE_EQ_SIZE || node->free != 0;
}

static char *
axes_text (HeddleEqScope *self, const HeddleValue *value)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < value->axes->len; i++)
    {
      const char *id = heddle_ids_index (value->axes, i);
      GHashTableIter iter;
      gpointer name, axis;

      g_hash_table_iter_init (&iter, self->names->axes);
      while (g_hash_table_iter_next (&iter, &name, &axis))
        if (axis == id)
          g_string_append_printf (text, "%s%s", i > 0 ? "," : "", (char *) name);
    }
  return g_string_free (text, FALSE);
}

static gboolean
resolve_read (HeddleEqScope *self, HeddleEqNode *node)
{
  gboolean good = TRUE;

  node->has_array = TRUE;
  node->value = g_hash_table_lookup (self->names->values, node->name);
  if (node->value == NULL && !is_broken (self, node->name))
    {
      heddle_eq_error (self->line, node->column,
          g_hash_table_contains (self->names->axes, node->name)
              ? _ ("“%s” is an axis: expected an array")
              : _ ("“%s” is not known: expected an array declared or computed above"),
          node->name);
      good = FALSE;
    }
  for (guint i = 0; i < node->n_children; i++)
    {
      good &= resolve (self, node->children[i], PLACE_INDEX);
      node->free |= node->children[i]->free;
    }
  if (node->value == NULL || node->value->axes->len == node->n_children)
    return good && node->value != NULL;
  g_autofree char *axes = axes_text (self, node->value);
  heddle_eq_error (self->line, node->column, _ ("expected %u indices for %s[%s], found %u"),
      node->value->axes->len, node->name, axes, node->n_children);
  return FALSE;
}

static gboolean
resolve_name (HeddleEqScope *self, HeddleEqNode *node, Place place)
{
  const HeddleValue *value = g_hash_table_lookup (self->names->values, node->name);

  if (value == NULL && g_hash_table_contains (self->names->axes, node->name))
    {
      node->kind = place == PLACE_VALUE ? HEDDLE_EQ_SIZE : HEDDLE_EQ_INDEX;
      return resolve_axis (self, node);
    }
  if (value == NULL && is_broken (self, node->name))
    return FALSE;
  if (value == NULL)
    {
      heddle_eq_error (self->line, node->column,
          _ ("“%s” is not known: expected an array, an axis or a function"), node->name);
      return FALSE;
    }
  node->kind = HEDDLE_EQ_READ;
  node->value = value;
  node->has_array = TRUE;
  if (value->axes->len == 0)
    return TRUE;
  g_autofree char *axes = axes_text (self, value);
  heddle_eq_error (
      self->line, node->column, _ ("%s has axes: expected %s[%s]"), node->name, node->name, axes);
  return FALSE;
}

static gboolean
resolve_reduce (HeddleEqScope *self, HeddleEqNode *node)
{
  guint64 bound = 0;

  for (guint i = 0; i < node->n_axes; i++)
    {
      const HeddleEqIndex *axis = &node->axes[i];
      guint64 bit = 0;

      if (g_hash_table_contains (self->names->axes, axis->name))
        bit = heddle_eq_scope_bit (self, axis->name, axis->column);
      if ((bit & node->free) == 0)
        {
          heddle_eq_error (self->line, axis->column,
              _ ("%s does not occur inside %s[…](…): expected an index of what is reduced"), axis->name,
              node->operation->id);
          return FALSE;
        }
      if (bit & bound)
        {
          heddle_eq_error (self->line, axis->column, _ ("%s occurs twice"), axis->name);
          return FALSE;
        }
      bound |= bit;
    }
  if (node->operation->form == HEDDLE_FORM_REDUCE)
    node->free &= ~bound;
  return TRUE;
}

static gboolean
resolve_children (HeddleEqScope *self, HeddleEqNode *node, Place place)
{
  gboolean good = TRUE;

  for (guint i = 0; i < node->n_children; i++)
    {
      gboolean predicate = node->kind == HEDDLE_EQ_APPLY && node->apply == HEDDLE_EXPR_WHERE && i == 0;

      good &= resolve (self, node->children[i], predicate ? PLACE_PREDICATE : place);
      node->free |= node->children[i]->free;
      node->has_array |= node->children[i]->has_array;
    }
  return good;
}

/* Everything below is looked at, so that every unknown name is told. */
static gboolean
resolve (HeddleEqScope *self, HeddleEqNode *node, Place place)
{
  switch (node->kind)
    {
    case HEDDLE_EQ_NUMBER:
      return TRUE;
    case HEDDLE_EQ_NAME:
      return resolve_name (self, node, place);
    case HEDDLE_EQ_SIZE:
    case HEDDLE_EQ_INDEX:
      return resolve_axis (self, node);
    case HEDDLE_EQ_READ:
      return resolve_read (self, node);
    case HEDDLE_EQ_REDUCE:
      return resolve_children (self, node, place) && resolve_reduce (self, node);
    default:
      return resolve_children (self, node, place);
    }
}

/* --- implicit sums ------------------------------------------------------------------- */

/* The one child with the index; NULL: several have it. */
static HeddleEqNode **
only_child (HeddleEqNode *node, guint64 bit)
{
  HeddleEqNode **only = NULL;

  for (guint i = 0; i < node->n_children; i++)
    {
      if (!(node->children[i]->free & bit))
        continue;
      if (only != NULL)
        return NULL;
      only = &node->children[i];
    }
  return only;
}

static void
add_axis (HeddleEqScope *self, HeddleEqNode *sum, guint64 bit)
{
  HeddleEqIndex *axes = heddle_eq_alloc (self->arena, (sum->n_axes + 1) * sizeof (HeddleEqIndex));

  for (guint i = 0; i < sum->n_axes; i++)
    axes[i] = sum->axes[i];
  axes[sum->n_axes] = (HeddleEqIndex){ self->axis_names[g_bit_nth_lsf (bit, -1)], sum->column };
  sum->axes = axes;
  sum->n_axes++;
  sum->free &= ~bit;
}

static void
wrap (HeddleEqScope *self, HeddleEqNode **slot, guint64 bit)
{
  HeddleEqNode *sum = heddle_eq_reduce (self->arena, heddle_operation_kind ("sum"), (*slot)->column, *slot);

  sum->implicit = TRUE;
  sum->free = (*slot)->free;
  sum->has_array = (*slot)->has_array;
  *slot = sum;
  add_axis (self, sum, bit);
}

static gboolean
cannot_bind (HeddleEqScope *self, const HeddleEqNode *node, guint64 bit)
{
  const char *name = self->axis_names[g_bit_nth_lsf (bit, -1)];

  heddle_eq_error (self->line, node->column,
      _ ("%s is not on the left and stands in no product of two factors: expected %s on the left or "
         "sum[%s](…)"),
      name, name, name);
  return FALSE;
}

static gboolean
is_own_axis (const HeddleEqScope *self, const HeddleEqNode *node, guint64 bit)
{
  for (guint i = 0; i < node->n_axes; i++)
    if (g_str_equal (node->axes[i].name, self->axis_names[g_bit_nth_lsf (bit, -1)]))
      return TRUE;
  return FALSE;
}

/* Puts the sum over an index that is not on the left, from the top down. A chain of calls is as deep as its nesting. */
static gboolean
bind_index (HeddleEqScope *self, HeddleEqNode **slot, guint64 bit)
{
  HeddleEqNode *node = *slot, **only = only_child (node, bit);
  gboolean good = TRUE;

  if (node->kind == HEDDLE_EQ_SUM)
    {
      for (guint i = 0; i < node->n_children; i++)
        if (node->children[i]->free & bit)
          good &= bind_index (self, &node->children[i], bit);
    }
  else if (node->kind == HEDDLE_EQ_PRODUCT && only == NULL)
    {
      wrap (self, slot, bit);
      return TRUE;
    }
  else if (node->kind == HEDDLE_EQ_REDUCE && node->implicit && only_child (node->children[0], bit) == NULL)
    {
      add_axis (self, node, bit);
      return TRUE;
    }
  else if (node->kind == HEDDLE_EQ_READ || only == NULL || is_own_axis (self, node, bit)
           || (node->kind == HEDDLE_EQ_APPLY && node->apply == HEDDLE_EXPR_WHERE && only == node->children))
    return cannot_bind (self, node, bit);
  else
    good = bind_index (self, only, bit);
  node->free &= ~bit;
  return good;
}

/* --- the slip ------------------------------------------------------------------------ */

/* The indices that two factors of some product inside share. */
static guint64
shared_in_products (const HeddleEqNode *node)
{
  guint64 shared = 0, seen = 0;

  for (guint i = 0; i < node->n_children; i++)
    {
      const HeddleEqNode *child = node->children[i];

      if (node->kind == HEDDLE_EQ_PRODUCT)
        shared |= seen & child->free;
      seen |= child->free;
      if (child->kind != HEDDLE_EQ_READ)
        shared |= shared_in_products (child) & child->free;
    }
  return shared;
}

static void
warn (HeddleEqScope *self, const HeddleEqNode *norm, guint64 slips)
{
  const char *name = self->axis_names[g_bit_nth_lsf (slips, -1)];
  const char *over = norm->axes[0].name;

  heddle_eq_warning (self->line, norm->column,
      _ ("%s is on the left, so that %s[%s] is taken for each %s on its own; to sum over it inside, give the "
         "index another name there"),
      name, norm->operation->id, over, name);
}

/* A left index that two factors inside a norm share and that occurs again outside it: channel-wise attention, mostly meant to be attention. */
static void
find_slips (HeddleEqScope *self, const HeddleEqNode *node, guint64 left, guint64 outside)
{
  guint64 before = outside, after[HEDDLE_EQ_MAX_INDICES];
  guint n = MIN (node->n_children, HEDDLE_EQ_MAX_INDICES);

  if (node->kind == HEDDLE_EQ_READ)
    return;
  if (node->kind == HEDDLE_EQ_REDUCE && node->operation->form == HEDDLE_FORM_NORMALISE
      && (outside & left) != 0)
    {
      guint64 slips = shared_in_products (node->children[0]) & left & outside & node->free;

      for (guint i = 0; i < node->n_axes; i++)
        slips &= ~heddle_eq_scope_bit (self, node->axes[i].name, 0);
      if (slips != 0)
        {
          warn (self, node, slips);
          return;
        }
    }
  if (n > 0)
    after[n - 1] = 0;
  for (guint i = n; i-- > 1;)
    after[i - 1] = after[i] | node->children[i]->free;
  for (guint i = 0; i < n; i++)
    {
      find_slips (self, node->children[i], left, before | after[i]);
      before |= node->children[i]->free;
    }
}

/* --- doors --------------------------------------------------------------------------- */

/* The free indices, in the order in which they are first read. */
static void
order_of_appearance (const HeddleEqNode *node, guint64 *left, GArray *bits)
{
  if ((node->free & *left) == 0)
    return;
  if (node->kind == HEDDLE_EQ_INDEX)
    {
      *left &= ~node->free;
      g_array_append_val (bits, node->free);
      return;
    }
  for (guint i = 0; i < node->n_children && *left != 0; i++)
    order_of_appearance (node->children[i], left, bits);
}

gboolean
heddle_eq_scope (HeddleEqScope *self, HeddleEqNode **root, guint64 left)
{
  g_autoptr (GArray) bits = g_array_new (FALSE, FALSE, sizeof (guint64));
  gboolean good = resolve (self, *root, PLACE_VALUE);
  guint64 missing;

  if (!good)
    return FALSE;
  missing = (*root)->free & ~left;
  order_of_appearance (*root, &missing, bits);
  for (guint i = 0; i < bits->len; i++)
    good &= bind_index (self, root, g_array_index (bits, guint64, i));
  if (good)
    find_slips (self, *root, left, 0);
  return good;
}

/* --- sizes --------------------------------------------------------------------------- */

HeddleExpr *
heddle_eq_size (const HeddleEqNames *names, HeddleEqLine *line, const HeddleEqNode *node)
{
  HeddleExpr **children;
  const char *axis;
  guint n = 0;

  if (node->kind == HEDDLE_EQ_NUMBER)
    return heddle_expr_number (node->number);
  if (node->kind == HEDDLE_EQ_NAME || node->kind == HEDDLE_EQ_SIZE)
    {
      axis = names->axes != NULL ? g_hash_table_lookup (names->axes, node->name) : NULL;
      if (axis != NULL)
        return heddle_expr_size (axis);
    }
  if (node->n_children == 0 || node->kind == HEDDLE_EQ_READ || node->kind == HEDDLE_EQ_REDUCE)
    {
      heddle_eq_error (line, node->column,
          names->axes != NULL ? _ ("expected numbers and sizes of axes") : _ ("expected a number"));
      return NULL;
    }
  children = g_newa (HeddleExpr *, node->n_children);
  while (n < node->n_children && (children[n] = heddle_eq_size (names, line, node->children[n])) != NULL)
    n++;
  if (n == node->n_children)
    return node->kind == HEDDLE_EQ_APPLY ? heddle_expr_node (node->apply, children, n)
                                         : heddle_eq_chain (node->kind, node->marks, children, n);
  while (n > 0)
    heddle_expr_unref (children[--n]);
  return NULL;
}
