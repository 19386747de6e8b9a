/* SPDX-License-Identifier: MIT */
#include "codegen/plan/joined-axes.h"
#include "derive/index/saturate.h"
#include "diagram/analysis/merge.h"
#include "diagram/analysis/sizes-keep.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"
#include "diagram/rewrite/read.h"
#include "diagram/rewrite/tools.h"

/* This file joins the axes of sums. R[x,p,r] T[y,p,r] becomes R[x,d] T[y,d], where d stands for (p r). Going from the
 * sum back to the inputs it finds how each value with one of the two axes is made along d:
 *
 *     a map is computed at each d, where it was at each p and r;
 *     a reindexing reads at p = floor (d / size of r) and r = mod (d, size of r);
 *     a product is one of factors along d;
 *     and any other value is read at those p and r. That is free for a parameter, which is laid out that way, and cheap
 *     for what has one of the two axes, which is smaller. */

/* How a value gets the joined axis. */
typedef enum
{
  AS_MAP = 1,
  AS_REINDEX,
  AS_CONTRACT,
  AS_READ
} Way;

typedef struct
{
  HeddleDiagram *diagram;
  HeddleSizes **sizes; /* those of the diagram's axes */
  const char *sum; /* the id of the operation */
  const char *outer, *inner; /* the two axes */
  const char *joined; /* the one that stands for both */
  GHashTable *ways; /* value id -> Way, for each value that gets the joined axis */
  GHashTable *made; /* value id -> the id of what is made along the joined axis */
} Joining;

/* --- the two axes --- */

static const GArray *
axes_of (const Joining *self, const char *value)
{
  return heddle_diagram_get_value (self->diagram, value)->axes;
}

static gboolean
has (const Joining *self, const char *value, const char *axis)
{
  return heddle_ids_contain (axes_of (self, value), axis);
}

static gboolean
has_one (const Joining *self, const char *value)
{
  return has (self, value, self->outer) || has (self, value, self->inner);
}

static gboolean
has_both (const Joining *self, const char *value)
{
  return has (self, value, self->outer) && has (self, value, self->inner);
}

/* Returns whether the inner axis follows the outer one. */
static gboolean
are_adjacent (const Joining *self, const char *value)
{
  return has_both (self, value)
         && heddle_ids_find (axes_of (self, value), self->inner)
                == heddle_ids_find (axes_of (self, value), self->outer) + 1;
}

/* Returns how long both axes are together. */
static gint64
joined_length (const Joining *self)
{
  return heddle_saturating_multiply (
      heddle_sizes_get (*self->sizes, self->outer), heddle_sizes_get (*self->sizes, self->inner));
}

/* Finds two axes of the sum that lie side by side in both factors, and together are no longer than an axis may be. */
static gboolean
find_pair (Joining *self, const HeddleOperation *sum)
{
  const GArray *axes = axes_of (self, heddle_ids_index (sum->operands, 0));

  for (guint i = 0; i + 1 < axes->len; i++)
    {
      self->outer = heddle_ids_index (axes, i);
      self->inner = heddle_ids_index (axes, i + 1);
      if (heddle_ids_contain (sum->axes, self->outer) && heddle_ids_contain (sum->axes, self->inner)
          && are_adjacent (self, heddle_ids_index (sum->operands, 1))
          && joined_length (self) <= HEDDLE_MAX_SIZE)
        return TRUE;
    }
  return FALSE;
}

/* --- whether it can be done --- */

static Way
way_of (const Joining *self, const char *value)
{
  return (Way) GPOINTER_TO_UINT (g_hash_table_lookup (self->ways, value));
}

static void
need (Joining *self, const char *value)
{
  if (has_one (self, value) && way_of (self, value) == 0)
    g_hash_table_insert (self->ways, (gpointer) value, GUINT_TO_POINTER (AS_READ));
}

/* Returns whether nobody reads the value as it was once all others are made along the joined axis. */
static gboolean
becomes_unread (const Joining *self, const char *value)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (self->diagram, value);

  for (guint i = 0; i < readers->len; i++)
    {
      const HeddleOperation *reader = g_ptr_array_index (readers, i);
      Way way = way_of (self, reader->result);

      if (reader->id != self->sum && (way == 0 || way == AS_READ))
        return FALSE;
    }
  return !heddle_diagram_is_output (self->diagram, value);
}

static Way
try_map (Joining *self, const HeddleOperation *map)
{
  if (map->operands->len > 0 && !becomes_unread (self, map->result))
    return AS_READ;
  for (guint i = 0; i < map->operands->len; i++)
    need (self, heddle_ids_index (map->operands, i));
  return AS_MAP;
}

/* Returns the index at which the reindexing reads what its operand is read of, and that array in @source; its own
 * indices and operand if the operand is no read. Transfer full. */
static GPtrArray *
indices_of (const Joining *self, const HeddleOperation *read, const char **source)
{
  GPtrArray *indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref), *further;

  *source = heddle_ids_index (read->operands, 0);
  for (guint i = 0; i < read->indices->len; i++)
    g_ptr_array_add (indices, heddle_expr_ref (g_ptr_array_index (read->indices, i)));
  further = heddle_rewrite_indices_of_both (self->diagram, read);
  if (further == NULL)
    return indices;
  g_ptr_array_unref (indices);
  *source = heddle_ids_index (heddle_diagram_get_producer (self->diagram, *source)->operands, 0);
  return further;
}

static Way
try_reindex (Joining *self, const HeddleOperation *read)
{
  const char *source;

  if (read->operands->len != 1 || !heddle_rewrite_stays_inside (self->diagram, read))
    return AS_READ;
  g_ptr_array_unref (indices_of (self, read, &source));
  if (has_both (self, source))
    need (self, source);
  return AS_REINDEX;
}

static Way
try_contract (Joining *self, const HeddleOperation *product)
{
  if (!has_both (self, product->result) || !becomes_unread (self, product->result))
    return AS_READ;
  for (guint i = 0; i < product->operands->len; i++)
    if (has_one (self, heddle_ids_index (product->operands, i))
        && !has_both (self, heddle_ids_index (product->operands, i)))
      return AS_READ;
  for (guint i = 0; i < product->operands->len; i++)
    need (self, heddle_ids_index (product->operands, i));
  return AS_CONTRACT;
}

/* Finds how the operation's result gets the joined axis. Returns FALSE if it would be copied. */
static gboolean
try_operation (Joining *self, const HeddleOperation *operation)
{
  Way way = AS_READ;

  if (operation->kind->form == HEDDLE_FORM_MAP)
    way = try_map (self, operation);
  else if (operation->kind->form == HEDDLE_FORM_REINDEX)
    way = try_reindex (self, operation);
  else if (operation->kind->form == HEDDLE_FORM_CONTRACT)
    way = try_contract (self, operation);
  g_hash_table_insert (self->ways, (gpointer) operation->result, GUINT_TO_POINTER (way));
  return way != AS_READ || !has_both (self, operation->result);
}

/* Returns whether what no operation makes is free to read along the joined axis. */
static gboolean
try_given (const Joining *self)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->ways);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (heddle_diagram_get_producer (self->diagram, key) == NULL && has_both (self, key)
        && (heddle_diagram_get_value (self->diagram, key)->role != HEDDLE_ROLE_PARAMETER
            || !are_adjacent (self, key)))
      return FALSE;
  return TRUE;
}

/* Finds a way for each value that the sum needs along the joined axis. */
static gboolean
find_ways (Joining *self, const HeddleOperation *sum)
{
  for (guint i = 0; i < sum->operands->len; i++)
    {
      need (self, heddle_ids_index (sum->operands, i));
      if (!becomes_unread (self, heddle_ids_index (sum->operands, i)))
        return FALSE;
    }
  for (guint i = (guint) heddle_diagram_index_of_operation (self->diagram, sum->id); i-- > 0;)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);

      if (way_of (self, operation->result) != 0 && !try_operation (self, operation))
        return FALSE;
    }
  return try_given (self);
}

/* --- indices --- */

static HeddleExpr *
split_leaf (const HeddleExpr *leaf, gpointer data)
{
  const Joining *self = data;
  g_autoptr (GArray) both = NULL;
  gboolean inner;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_INDEX
      || (heddle_expr_get_symbol (leaf) != self->outer && heddle_expr_get_symbol (leaf) != self->inner))
    return NULL;
  inner = heddle_expr_get_symbol (leaf) == self->inner;
  both = heddle_ids_new ();
  heddle_ids_append (both, self->outer);
  heddle_ids_append (both, self->inner);
  return heddle_merge_part (self->joined, both, inner);
}

static gboolean
is_index (const HeddleExpr *expr, const char *axis)
{
  return heddle_expr_get_kind (expr) == HEDDLE_EXPR_INDEX && heddle_expr_get_symbol (expr) == axis;
}

static gboolean
is_inner_size (const Joining *self, const HeddleExpr *expr)
{
  double n;

  return !heddle_expr_uses (expr, HEDDLE_EXPR_INDEX, NULL)
         && heddle_expr_evaluate (expr, heddle_sizes_lookup, *self->sizes, &n, NULL)
         && n == (double) heddle_sizes_get (*self->sizes, self->inner);
}

/* Splits (rest + outer) * size of inner + inner. Returns FALSE if the index is none such; @rest: (out) (nullable),
 * transfer none. */
static gboolean
match_pair (const Joining *self, const HeddleExpr *index, const HeddleExpr **rest)
{
  const HeddleExpr *product, *at;

  *rest = NULL;
  if (heddle_expr_get_kind (index) != HEDDLE_EXPR_ADD
      || !is_index (heddle_expr_get_child (index, 1), self->inner))
    return FALSE;
  product = heddle_expr_get_child (index, 0);
  if (heddle_expr_get_kind (product) != HEDDLE_EXPR_MUL
      || !is_inner_size (self, heddle_expr_get_child (product, 1)))
    return FALSE;
  at = heddle_expr_get_child (product, 0);
  if (is_index (at, self->outer))
    return TRUE;
  if (heddle_expr_get_kind (at) != HEDDLE_EXPR_ADD || !is_index (heddle_expr_get_child (at, 1), self->outer))
    return FALSE;
  *rest = heddle_expr_get_child (at, 0);
  return !heddle_expr_uses (*rest, HEDDLE_EXPR_INDEX, self->outer)
         && !heddle_expr_uses (*rest, HEDDLE_EXPR_INDEX, self->inner);
}

/* Returns the index with the joined axis in place of the two. Transfer full. */
static HeddleExpr *
join_index (const Joining *self, HeddleExpr *index)
{
  const HeddleExpr *rest;
  HeddleExpr *joined;

  if (!match_pair (self, index, &rest))
    return heddle_expr_substitute (index, split_leaf, (gpointer) self);
  joined = heddle_expr_index (self->joined);
  if (rest == NULL)
    return joined;
  return heddle_expr_binary (HEDDLE_EXPR_ADD,
      heddle_expr_binary (
          HEDDLE_EXPR_MUL, heddle_expr_ref ((HeddleExpr *) rest), heddle_expr_size (self->inner)),
      joined);
}

/* --- the joined axis --- */

/* Returns whether a value that gets the joined axis, or the sum, has @axis already. */
static gboolean
is_taken (const Joining *self, const char *axis)
{
  const HeddleOperation *sum = heddle_diagram_get_operation (self->diagram, self->sum);
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->ways);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      const HeddleOperation *producer = heddle_diagram_get_producer (self->diagram, key);

      if (has (self, key, axis) || (producer != NULL && heddle_ids_contain (producer->axes, axis)))
        return TRUE;
    }
  for (guint i = 0; i < sum->operands->len; i++)
    if (has (self, heddle_ids_index (sum->operands, i), axis))
      return TRUE;
  return has (self, sum->result, axis) || heddle_ids_contain (sum->axes, axis);
}

/* Returns the axis that a reindexing reads at both in order, if it is as long as both and free; or NULL. */
static const char *
axis_that_is_split (const Joining *self, const HeddleOperation *read)
{
  const char *source, *found = NULL;
  const gint64 n = joined_length (self);
  g_autoptr (GPtrArray) indices = indices_of (self, read, &source);

  for (guint i = 0; i < indices->len && found == NULL; i++)
    {
      const char *axis = heddle_ids_index (axes_of (self, source), i);
      const HeddleExpr *rest;

      if (match_pair (self, g_ptr_array_index (indices, i), &rest) && rest == NULL
          && heddle_sizes_get (*self->sizes, axis) == n && !is_taken (self, axis))
        found = axis;
    }
  return found;
}

/* Adds an axis that is as long as both together, and named after them. */
static const char *
add_axis (Joining *self)
{
  const char *outer = heddle_diagram_get_axis (self->diagram, self->outer)->name,
             *inner = heddle_diagram_get_axis (self->diagram, self->inner)->name;
  g_autofree char *name = g_strconcat (outer, inner, NULL);
  const char *joined;
  HeddleSizes *sizes;

  for (guint i = 2; heddle_diagram_find_axis (self->diagram, name) != NULL; i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s%s_%u", outer, inner, i);
    }
  joined = heddle_diagram_add_axis (self->diagram, NULL, name,
      heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_size (self->outer), heddle_expr_size (self->inner)))
               ->id;
  sizes = heddle_sizes_with (*self->sizes, joined, joined_length (self));
  heddle_sizes_unref (*self->sizes);
  *self->sizes = sizes;
  return joined;
}

/* Adds the axes whose sizes an expression has to the table. */
static gboolean
note_size (const HeddleExpr *node, gpointer sizes)
{
  if (heddle_expr_get_kind (node) == HEDDLE_EXPR_SIZE)
    g_hash_table_add (sizes, (gpointer) heddle_expr_get_symbol (node));
  return TRUE;
}

/* Returns whether the size of @axis is computed from that of @on. Each axis between them is looked at once. */
static gboolean
depends_on (const Joining *self, const char *axis, const char *on)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) waiting = heddle_ids_new ();

  heddle_ids_append (waiting, axis);
  for (guint i = 0; i < waiting->len; i++)
    {
      const HeddleExpr *size = heddle_diagram_get_axis (self->diagram, heddle_ids_index (waiting, i))->size;
      g_autoptr (GHashTable) sizes = g_hash_table_new (NULL, NULL);
      GHashTableIter iter;
      gpointer of;

      if (size != NULL)
        heddle_expr_walk (size, note_size, sizes);
      g_hash_table_iter_init (&iter, sizes);
      while (g_hash_table_iter_next (&iter, &of, NULL))
        {
          if (of == on)
            return TRUE;
          if (g_hash_table_add (seen, of))
            heddle_ids_append (waiting, of);
        }
    }
  return FALSE;
}

static void
set_size (Joining *self, const char *axis, HeddleExpr *size)
{
  HeddleAxis *changed = heddle_diagram_edit_axis (self->diagram, axis);

  g_clear_pointer (&changed->size, heddle_expr_unref);
  changed->size = size;
}

/* Says that @axis is as long as both together, for whatever sizes the kernels are given. Returns FALSE if their sizes
 * are computed from one another in another way. */
static gboolean
tie (Joining *self, const char *axis)
{
  if (!depends_on (self, self->outer, axis) && !depends_on (self, self->inner, axis))
    set_size (self, axis,
        heddle_expr_binary (HEDDLE_EXPR_MUL, heddle_expr_size (self->outer), heddle_expr_size (self->inner)));
  else if (!depends_on (self, self->outer, self->inner) && !depends_on (self, axis, self->inner))
    set_size (self, self->inner,
        heddle_expr_binary (HEDDLE_EXPR_DIV, heddle_expr_size (axis), heddle_expr_size (self->outer)));
  else
    return FALSE;
  return TRUE;
}

/* Takes the axis that was split into the two, or else a new one. */
static void
find_joined (Joining *self)
{
  const char *split = NULL;

  for (guint i = 0; split == NULL && i < self->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);

      if (way_of (self, operation->result) == AS_REINDEX)
        split = axis_that_is_split (self, operation);
    }
  self->joined = split != NULL && tie (self, split) ? split : add_axis (self);
}

/* --- what is made along it --- */

/* Returns the axes with the joined one in place of the two. Transfer full. */
static GArray *
join_axes (const Joining *self, const GArray *axes)
{
  gboolean both = heddle_ids_contain (axes, self->outer) && heddle_ids_contain (axes, self->inner),
           seen = FALSE;
  GArray *joined = heddle_ids_new ();

  for (guint i = 0; i < axes->len; i++)
    {
      const char *axis = heddle_ids_index (axes, i);

      if (axis != self->outer && axis != self->inner)
        heddle_ids_append (joined, axis);
      else if (both && !seen)
        seen = TRUE;
      else
        heddle_ids_append (joined, self->joined);
    }
  return joined;
}

static const char *
joined_value (const Joining *self, const char *value)
{
  const char *made = g_hash_table_lookup (self->made, value);

  return made != NULL ? made : value;
}

/* Adds an operation after the one that makes @value, with a result along the joined axis, and returns it. */
static HeddleOperation *
add_operation (Joining *self, const char *value, const char *kind, const GArray *operands, const GArray *core)
{
  const HeddleValue *old = heddle_diagram_get_value (self->diagram, value);
  const HeddleOperation *producer = heddle_diagram_get_producer (self->diagram, value);
  g_autoptr (GArray) axes = join_axes (self, old->axes);
  const HeddleValue *made
      = heddle_diagram_add_value (self->diagram, NULL, NULL, HEDDLE_ROLE_INTERMEDIATE, old->dtype, axes);

  g_hash_table_insert (self->made, (gpointer) value, (gpointer) made->id);
  return heddle_diagram_add_operation (self->diagram, NULL, heddle_operation_kind (kind), operands, made->id,
      core, producer != NULL ? heddle_diagram_index_of_operation (self->diagram, producer->id) + 1 : 0);
}

/* Makes an operation as @old, of operands along the joined axis. */
static void
make_alike (Joining *self, const HeddleOperation *old)
{
  g_autoptr (GArray) operands = heddle_ids_new ();

  for (guint i = 0; i < old->operands->len; i++)
    heddle_ids_append (operands, joined_value (self, heddle_ids_index (old->operands, i)));
  heddle_operation_copy_details (
      add_operation (self, old->result, old->kind->id, operands, old->axes), old, split_leaf, self);
}

/* Returns the index along the joined axis of what is read at one index along each of the two. Takes both. */
static HeddleExpr *
index_of_both (const Joining *self, HeddleExpr *outer, HeddleExpr *inner)
{
  g_autoptr (HeddleExpr) index = heddle_expr_binary (
      HEDDLE_EXPR_ADD, heddle_expr_binary (HEDDLE_EXPR_MUL, outer, heddle_expr_size (self->inner)), inner);

  return join_index (self, index);
}

/* Returns the indices along the joined axis of a read of @source at @indices. Transfer full. */
static GPtrArray *
join_indices (const Joining *self, const char *source, const GPtrArray *indices)
{
  const GArray *axes = axes_of (self, source);
  gboolean is_made = joined_value (self, source) != source;
  int outer = is_made ? heddle_ids_find (axes, self->outer) : -1,
      inner = is_made ? heddle_ids_find (axes, self->inner) : -1;
  GPtrArray *joined = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);

  for (int i = 0; i < (int) axes->len; i++)
    if (outer < 0 || inner < 0 || (i != outer && i != inner))
      g_ptr_array_add (joined, join_index (self, g_ptr_array_index (indices, i)));
    else if (i == MAX (outer, inner))
      g_ptr_array_add (joined, index_of_both (self, heddle_expr_ref (g_ptr_array_index (indices, outer)),
                                   heddle_expr_ref (g_ptr_array_index (indices, inner))));
  return joined;
}

static gboolean
are_in_place (const Joining *self, const char *source, const GPtrArray *indices, const GArray *axes)
{
  const GArray *own = axes_of (self, source);

  for (guint i = 0; i < indices->len; i++)
    if (!is_index (g_ptr_array_index (indices, i), heddle_ids_index (own, i)))
      return FALSE;
  return heddle_ids_equal (own, axes);
}

/* Makes the read of @source at @indices along the joined axis, or takes @source where that changes nothing. */
static void
make_read (Joining *self, const char *value, const char *source, const GPtrArray *indices)
{
  const char *from = joined_value (self, source);
  const HeddleDtype dtype = heddle_diagram_get_value (self->diagram, value)->dtype;
  g_autoptr (GArray) operands = heddle_ids_new (), axes = join_axes (self, axes_of (self, value));
  GPtrArray *joined = join_indices (self, source, indices);
  HeddleOperation *made;

  if (are_in_place (self, from, joined, axes)
      && (dtype == HEDDLE_DTYPE_UNSET || dtype == heddle_diagram_get_value (self->diagram, from)->dtype))
    {
      g_hash_table_insert (self->made, (gpointer) value, (gpointer) from);
      g_ptr_array_unref (joined);
      return;
    }
  heddle_ids_append (operands, from);
  made = add_operation (self, value, "reindex", operands, NULL);
  g_clear_pointer (&made->indices, g_ptr_array_unref);
  made->indices = joined;
}

/* Makes the read of a value that stays as it is. */
static void
make_own_read (Joining *self, const char *value)
{
  const GArray *axes = axes_of (self, value);
  g_autoptr (GPtrArray) indices = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);

  for (guint i = 0; i < axes->len; i++)
    g_ptr_array_add (indices, heddle_expr_index (heddle_ids_index (axes, i)));
  make_read (self, value, value, indices);
}

static void
make_value (Joining *self, const char *value)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (self->diagram, value);
  g_autoptr (GPtrArray) indices = NULL;
  const char *source;

  switch (way_of (self, value))
    {
    case AS_MAP:
    case AS_CONTRACT:
      make_alike (self, producer);
      break;
    case AS_REINDEX:
      indices = indices_of (self, producer, &source);
      make_read (self, value, source, indices);
      break;
    case AS_READ:
    default:
      make_own_read (self, value);
      break;
    }
}

/* Returns the values that get the joined axis, those that no operation makes first, then in the diagram's order. */
static GArray *
values_in_order (const Joining *self)
{
  GArray *values = heddle_ids_new ();

  for (guint i = 0; i < self->diagram->values->len; i++)
    {
      const char *value = ((const HeddleValue *) g_ptr_array_index (self->diagram->values, i))->id;

      if (way_of (self, value) != 0 && heddle_diagram_get_producer (self->diagram, value) == NULL)
        heddle_ids_append (values, value);
    }
  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const char *value
          = ((const HeddleOperation *) g_ptr_array_index (self->diagram->operations, i))->result;

      if (way_of (self, value) != 0)
        heddle_ids_append (values, value);
    }
  return values;
}

static void
join_sum (Joining *self)
{
  const HeddleOperation *sum = heddle_diagram_get_operation (self->diagram, self->sum);
  g_autoptr (GArray) operands = heddle_ids_new (), axes = join_axes (self, sum->axes);

  for (guint i = 0; i < sum->operands->len; i++)
    heddle_ids_append (operands, joined_value (self, heddle_ids_index (sum->operands, i)));
  heddle_rewrite_become (self->diagram, self->sum, sum->kind->id, operands, axes, NULL, NULL);
}

/* --- what is not read any more --- */

/* Removes a value that nobody reads, and gives its name to what was made in its place. */
static void
remove_value (Joining *self, const char *value)
{
  const char *made = g_hash_table_lookup (self->made, value);
  g_autofree char *name = g_strdup (heddle_diagram_get_value (self->diagram, value)->name);

  heddle_rewrite_remove (self->diagram, value);
  if (made == NULL || name == NULL || heddle_diagram_get_value (self->diagram, made)->name != NULL)
    return;
  heddle_diagram_edit_value (self->diagram, made)->name = g_steal_pointer (&name);
  heddle_diagram_index_names_changed (heddle_diagram_own_index (self->diagram));
}

/* Removes the values of @read that nobody reads any more. */
static void
remove_unread (Joining *self, GHashTable *read)
{
  for (guint i = self->diagram->operations->len; i-- > 0;)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);

      if (g_hash_table_contains (read, operation->result)
          && heddle_diagram_count_readers (self->diagram, operation->result) == 0
          && heddle_operation_n_results (operation) == 1)
        remove_value (self, operation->result);
    }
}

/* Returns the values that somebody reads and that are no outputs. */
static GHashTable *
list_read (const Joining *self)
{
  GHashTable *read = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const char *value
          = ((const HeddleOperation *) g_ptr_array_index (self->diagram->operations, i))->result;

      if (heddle_diagram_count_readers (self->diagram, value) > 0
          && !heddle_diagram_is_output (self->diagram, value))
        g_hash_table_add (read, (gpointer) value);
    }
  return read;
}

static void
join (Joining *self)
{
  g_autoptr (GHashTable) read = list_read (self);
  g_autoptr (GArray) values = NULL;
  g_autoptr (HeddleDiagram) before = heddle_diagram_copy (self->diagram);

  find_joined (self);
  self->made = g_hash_table_new (NULL, NULL);
  values = values_in_order (self);
  for (guint i = 0; i < values->len; i++)
    make_value (self, heddle_ids_index (values, i));
  join_sum (self);
  remove_unread (self, read);
  heddle_sizes_keep (self->diagram, before);
  g_hash_table_unref (self->made);
}

gboolean
heddle_plan_join_axes (HeddleDiagram *diagram, HeddleSizes **sizes, const char *sum)
{
  g_autoptr (GHashTable) ways = g_hash_table_new (NULL, NULL);
  Joining self = { .diagram = diagram, .sizes = sizes, .sum = sum, .ways = ways };
  const HeddleOperation *operation = heddle_diagram_get_operation (diagram, sum);

  if (operation == NULL || operation->kind->form != HEDDLE_FORM_CONTRACT || operation->operands->len != 2
      || heddle_ids_index (operation->operands, 0) == heddle_ids_index (operation->operands, 1)
      || !find_pair (&self, operation) || !find_ways (&self, operation))
    return FALSE;
  self.sum = operation->id;
  join (&self);
  return TRUE;
}
