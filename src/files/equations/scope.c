/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "diagram/base/texts.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/equations/arena.h"
#include "files/equations/indices.h"
#include "files/equations/invoke.h"
#include "files/equations/nearest.h"
#include "files/equations/node.h"
#include "files/equations/report.h"
#include "files/equations/scope.h"
#include "files/equations/sums.h"

/* The number of names up to which the nearest one is searched: a text of a stranger may have an error for
 * each of them. */
#define MOST_NAMES 1000

/* The place of a name, which decides what that of an axis means: its size or, in an index or a predicate, its
 * index. */
typedef enum
{
  PLACE_VALUE,
  PLACE_INDEX,
  PLACE_PREDICATE,
} Place;

static gboolean resolve (HeddleEqScope *self, HeddleEqNode *node, Place place);

/* --- what names mean ----------------------------------------------------------------- */

static gboolean
is_broken (HeddleEqScope *self, const char *name)
{
  if (self->names->broken == NULL || !g_hash_table_contains (self->names->broken, name))
    return FALSE;
  self->broken = TRUE;
  return TRUE;
}

/* Resolves an axis' size or index, given by its word or by its place. */
static gboolean
resolve_axis (HeddleEqScope *self, HeddleEqNode *node)
{
  node->axis = g_hash_table_lookup (self->names->axes, node->name);
  if (node->axis == NULL)
    {
      if (!is_broken (self, node->name))
        heddle_eq_error (self->line, node->column,
            _ ("“%s” is not an axis: expected an index that an array is read at"), node->name);
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

/* Returns "; did you mean softmax?", or an empty text. @calls says that an axis or a function may stand
 * there, too. */
static char *
dup_hint (const HeddleEqScope *self, const char *name, gboolean calls)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GHashTable *const tables[] = { self->names->values, calls ? self->names->axes : NULL };
  const GPtrArray *functions = heddle_equations_get_functions ();
  const char *nearest = NULL;

  if (g_hash_table_size (tables[0]) > MOST_NAMES)
    return g_strdup ("");
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      GHashTableIter iter;
      gpointer known;

      if (tables[i] == NULL)
        continue;
      g_hash_table_iter_init (&iter, tables[i]);
      while (g_hash_table_iter_next (&iter, &known, NULL))
        g_ptr_array_add (names, known);
    }
  for (guint i = 0; i < functions->len; i++)
    g_ptr_array_add (names, g_ptr_array_index (functions, i));
  g_ptr_array_sort (names, heddle_texts_compare);
  nearest = heddle_equations_find_nearest (name, names);
  return nearest != NULL ? g_strdup_printf (_ ("; did you mean %s?"), nearest) : g_strdup ("");
}

static void
complain_of_array (HeddleEqScope *self, const HeddleEqNode *node)
{
  g_autofree char *hint = dup_hint (self, node->name, FALSE);

  if (g_hash_table_contains (self->names->axes, node->name))
    heddle_eq_error (self->line, node->column, _ ("“%s” is an axis: expected an array"), node->name);
  else
    heddle_eq_error (self->line, node->column,
        _ ("“%s” is not known: expected an array declared or computed above%s"), node->name, hint);
}

static gboolean
resolve_read (HeddleEqScope *self, HeddleEqNode *node)
{
  gboolean good = TRUE;

  node->has_array = TRUE;
  node->value = g_hash_table_lookup (self->names->values, node->name);
  if (node->value == NULL && !is_broken (self, node->name))
    {
      complain_of_array (self, node);
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

/* Warns of a name that is an index in a condition and a size after it: whoever means both must say so. */
static void
warn_of_size (HeddleEqScope *self, const HeddleEqNode *node)
{
  if (self->condition != NULL && heddle_eq_node_tells_index (self->condition, node->name))
    heddle_eq_warning (self->line, node->column,
        _ ("%s is the index in the condition and the size here: expected size(%s) or index(%s)"), node->name,
        node->name, node->name);
}

static gboolean
resolve_name (HeddleEqScope *self, HeddleEqNode *node, Place place)
{
  const HeddleValue *value = g_hash_table_lookup (self->names->values, node->name);

  if (value == NULL && g_hash_table_contains (self->names->axes, node->name))
    {
      node->kind = place == PLACE_VALUE ? HEDDLE_EQ_SIZE : HEDDLE_EQ_INDEX;
      if (node->kind == HEDDLE_EQ_SIZE)
        warn_of_size (self, node);
      return resolve_axis (self, node);
    }
  if (value == NULL && is_broken (self, node->name))
    return FALSE;
  if (value == NULL)
    {
      g_autofree char *hint = dup_hint (self, node->name, TRUE);

      heddle_eq_error (self->line, node->column,
          _ ("“%s” is not known: expected an array, an axis or a function%s"), node->name, hint);
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

gboolean
heddle_eq_is_made (const HeddleEqNode *node, guint axis)
{
  return node->operation->form == HEDDLE_FORM_CONCAT
         || (node->operation->form == HEDDLE_FORM_SELECT && axis == 1);
}

/* Returns the one index that all arguments have and the left side of the statement has not, if they have no
 * other ones; 0 if there is none, or several. */
static guint64
shared_index (const HeddleEqScope *self, const HeddleEqNode *node, guint64 common)
{
  guint64 inside = common & ~self->left;

  for (guint i = 0; i < node->n_children; i++)
    if (node->children[i]->free != common)
      return 0;
  return (inside & (inside - 1)) == 0 ? inside : 0;
}

/* Finds the indices of a concatenation. What all arguments have is mapped; each has one index of its own
 * besides, which goes. If the same array is joined to itself, all have one index that the left side has
 * not. */
static gboolean
join_indices (HeddleEqScope *self, HeddleEqNode *node, guint64 along)
{
  guint64 common = node->children[0]->free;

  for (guint i = 1; i < node->n_children; i++)
    common &= node->children[i]->free;
  node->joined = shared_index (self, node, common);
  if (node->joined != 0)
    {
      node->free = (common & ~node->joined) | along;
      return TRUE;
    }
  for (guint i = 0; i < node->n_children; i++)
    {
      guint64 own = node->children[i]->free & ~common;

      if (own != 0 && (own & (own - 1)) == 0)
        continue;
      heddle_eq_error (self->line, node->children[i]->column,
          _ ("expected an argument with one index of its own, which the others have not, and all others in "
             "common"));
      return FALSE;
    }
  node->free = common | along;
  return TRUE;
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
      if (heddle_eq_is_made (node, i))
        bit = bit & node->free ? 0 : bit;
      else if ((bit & node->free) == 0)
        bit = 0;
      if (bit == 0)
        {
          heddle_eq_error (self->line, axis->column,
              heddle_eq_is_made (node, i)
                  ? _ ("%s occurs inside %s[…](…), which makes it: expected another index")
                  : _ ("%s does not occur inside %s[…](…): expected an index of what is reduced"),
              axis->name, node->operation->id);
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
  if (node->operation->form == HEDDLE_FORM_SELECT)
    node->free ^= bound;
  return node->operation->form != HEDDLE_FORM_CONCAT || join_indices (self, node, bound);
}

static gboolean
resolve_children (HeddleEqScope *self, HeddleEqNode *node, Place place)
{
  const HeddleEqNode *outer = self->condition;
  gboolean is_where = node->kind == HEDDLE_EQ_APPLY && node->apply == HEDDLE_EXPR_WHERE, good = TRUE;

  for (guint i = 0; i < node->n_children; i++)
    {
      self->condition = is_where && i > 0 ? node->children[0] : outer;
      good &= resolve (self, node->children[i], is_where && i == 0 ? PLACE_PREDICATE : place);
      node->free |= node->children[i]->free;
      node->has_array |= node->children[i]->has_array;
    }
  self->condition = outer;
  return good;
}

static gboolean eq_scope_call (HeddleEqScope *self, HeddleEqNode *node, gboolean root);

/* Resolves a node and everything below it, so that every unknown name is reported. */
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
    case HEDDLE_EQ_CALL:
      return eq_scope_call (self, node, FALSE);
    default:
      return resolve_children (self, node, place);
    }
}

/* Finds what every name in a part of a statement means. FALSE means that errors were reported. */
static gboolean
eq_resolve (HeddleEqScope *self, HeddleEqNode *node)
{
  return resolve (self, node, PLACE_VALUE);
}

/* --- doors --------------------------------------------------------------------------- */

gboolean
heddle_eq_scope (HeddleEqScope *self, HeddleEqNode **root, guint64 left)
{
  g_autoptr (GArray) bits = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 missing;
  gboolean good;

  self->left = left;
  good = (*root)->kind == HEDDLE_EQ_CALL ? eq_scope_call (self, *root, TRUE)
                                         : resolve (self, *root, PLACE_VALUE);
  if (!good || (*root)->kind == HEDDLE_EQ_CALL)
    return good;
  missing = (*root)->free & ~left;
  heddle_eq_order_of_appearance (*root, &missing, bits);
  for (guint i = 0; i < bits->len; i++)
    good &= heddle_eq_bind_index (self, root, g_array_index (bits, guint64, i));
  if (good)
    heddle_eq_find_slips (self, *root, left, 0);
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

/* Replaces an array that is given without its indices by a read at its own. */
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
  return eq_resolve (self, call->children[i]) && check_rank (self, call, call->children[i], formal);
}

/* Finds what a call's arguments mean and, unless it is a statement's @root, which axes its result has. FALSE
 * means that errors were reported. */
static gboolean
eq_scope_call (HeddleEqScope *self, HeddleEqNode *node, gboolean root)
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
  if (node->n_axes > 0 && !g_hash_table_contains (self->names->axes, node->axes[0].name))
    {
      heddle_eq_error (self->line, node->axes[0].column,
          _ ("“%s” is not known: expected the axis that %s is scanned along"), node->axes[0].name,
          node->name);
      good = FALSE;
    }
  if (!good || root)
    return good;
  axes = heddle_eq_result_axes (self, node);
  for (guint i = 0; axes != NULL && i < axes->len; i++)
    node->free |= heddle_eq_scope_bit (self, axis_name (self, heddle_ids_index (axes, i)), node->column);
  return axes != NULL;
}
