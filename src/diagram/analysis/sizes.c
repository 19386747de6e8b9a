/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "diagram/analysis/sizes-infer.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/error.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"

struct _HeddleSizes
{
  gatomicrefcount ref_count;
  GHashTable *sizes; /* axis id -> gint64 */
};

/* The limit of inference rounds: more than any known diagram needs; each round is linear. */
#define MAX_INFERENCES 64

typedef enum
{
  AXIS_NEW,
  AXIS_OPEN, /* waits for what its size depends on */
  AXIS_DONE,
  AXIS_FAILED,
} AxisState;

/* The state of resolving sizes. */
typedef struct
{
  const HeddleDiagram *diagram;
  GHashTable *overrides; /* axis name -> gint64, or NULL */
  GHashTable *states; /* axis id -> AxisState */
  GHashTable *renamed; /* axis id -> the axis before it in a chain of renames (union-find) */
  GHashTable *sized; /* first axis of a chain -> the axis of the chain whose size is given or inferred */
  GHashTable *inferred; /* axis id -> HeddleExpr: a size that follows from how it is read */
  HeddleSizes *sizes;
  HeddleSizesReport report;
  gpointer data;
} Resolver;

/* --- renames --------------------------------------------------------------------- */

static const char *
find_first (GHashTable *renamed, const char *id)
{
  const char *first = id;
  for (const char *next; (next = g_hash_table_lookup (renamed, first)) != NULL;)
    first = next;
  /* shorten the way for those who come later */
  for (const char *next; id != first && (next = g_hash_table_lookup (renamed, id)) != NULL; id = next)
    g_hash_table_insert (renamed, (gpointer) id, (gpointer) first);
  return first;
}

static void
join (const HeddleOperation *operation, const HeddleAxis *read, const HeddleAxis *as, gpointer data)
{
  GHashTable *renamed = data;
  const char *a = find_first (renamed, read->id), *b = find_first (renamed, as->id);
  if (a != b)
    g_hash_table_insert (renamed, (gpointer) b, (gpointer) a);
}

static gboolean
is_sized (const Resolver *self, const HeddleAxis *axis)
{
  return axis->size != NULL
         || (self->overrides != NULL && axis->name != NULL
             && g_hash_table_contains (self->overrides, axis->name));
}

/* Returns whether the size says no more than that the axis is as long as another one of its chain. */
static gboolean
is_repeated (const Resolver *self, const HeddleAxis *axis)
{
  const char *first = find_first (self->renamed, axis->id);
  return axis->size != NULL && heddle_expr_get_kind (axis->size) == HEDDLE_EXPR_SIZE
         && find_first (self->renamed, heddle_expr_get_symbol (axis->size)) == first;
}

static void
find_sized (Resolver *self)
{
  for (guint i = self->diagram->axes->len; i-- > 0;)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->diagram->axes, i);
      if (is_sized (self, axis) && !is_repeated (self, axis))
        g_hash_table_insert (
            self->sized, (gpointer) find_first (self->renamed, axis->id), (gpointer) axis->id);
    }
}

/* --- what is not given but follows --- */

static gboolean
is_known (const HeddleAxis *axis, gpointer data)
{
  Resolver *self = data;
  return g_hash_table_contains (self->sized, find_first (self->renamed, axis->id));
}

/* Records the size that a read gives to an axis. The first read decides; takes @size. */
static void
note_inferred (const char *axis_id, HeddleExpr *size, gpointer data)
{
  Resolver *self = data;
  if (g_hash_table_contains (self->inferred, axis_id))
    heddle_expr_unref (size);
  else
    g_hash_table_insert (self->inferred, (gpointer) axis_id, size);
}

static void
add_inferred (Resolver *self)
{
  for (guint i = self->diagram->axes->len; i-- > 0;)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->diagram->axes, i);
      if (g_hash_table_contains (self->inferred, axis->id))
        g_hash_table_insert (
            self->sized, (gpointer) find_first (self->renamed, axis->id), (gpointer) axis->id);
    }
}

/* Infers sizes until no new one is found: what one inference gives may be what the next one needs. */
static void
infer (Resolver *self)
{
  for (guint before = G_MAXUINT, round = 0;
       round < MAX_INFERENCES && g_hash_table_size (self->inferred) != before; round++)
    {
      before = g_hash_table_size (self->inferred);
      heddle_sizes_infer (self->diagram, is_known, note_inferred, self);
      add_inferred (self);
    }
}

/* Returns the expression for the size of an axis; NULL if it is to be that of an axis it renames. */
static HeddleExpr *
size_of (const Resolver *self, const HeddleAxis *axis)
{
  return axis->size != NULL ? axis->size : g_hash_table_lookup (self->inferred, axis->id);
}

/* --- resolving ------------------------------------------------------------------- */

static void G_GNUC_PRINTF (3, 4) fail (Resolver *self, const HeddleAxis *axis, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_hash_table_insert (self->states, (gpointer) axis->id, GINT_TO_POINTER (AXIS_FAILED));
  if (self->report != NULL)
    self->report (axis->id, message, self->data);
}

static void
accept (Resolver *self, const HeddleAxis *axis, double size)
{
  const char *name = axis->name != NULL ? axis->name : axis->id;
  if (!(size >= 1) || size != floor (size))
    fail (self, axis, _ ("The size of %s is %.10g: sizes are whole numbers of at least 1"), name, size);
  else if (size > (double) HEDDLE_MAX_SIZE)
    fail (self, axis, _ ("The size of %s is %.10g: sizes go up to 2^40"), name, size);
  else
    {
      gint64 whole = (gint64) size;
      g_hash_table_insert (self->sizes->sizes, (gpointer) axis->id, g_memdup2 (&whole, sizeof whole));
      g_hash_table_insert (self->states, (gpointer) axis->id, GINT_TO_POINTER (AXIS_DONE));
    }
}

static AxisState
state_of (Resolver *self, const char *id)
{
  return (AxisState) GPOINTER_TO_INT (g_hash_table_lookup (self->states, id));
}

/* A visitor that finds the first thing in a size that cannot be known. */
typedef struct
{
  Resolver *resolver;
  GArray *stack;
  const HeddleExpr *unknown;
  gboolean cyclic, failed;
} Needs;

static void
need (Needs *needs, const char *id)
{
  AxisState state = state_of (needs->resolver, id);
  needs->cyclic |= state == AXIS_OPEN;
  needs->failed |= state == AXIS_FAILED;
  if (state == AXIS_NEW)
    heddle_ids_append (needs->stack, id);
}

static gboolean
visit_leaf (const HeddleExpr *node, gpointer data)
{
  Needs *needs = data;
  HeddleExprKind kind = heddle_expr_get_kind (node);
  gboolean is_size
      = kind == HEDDLE_EXPR_SIZE
        && heddle_diagram_get_axis (needs->resolver->diagram, heddle_expr_get_symbol (node)) != NULL;
  if (is_size)
    need (needs, heddle_expr_get_symbol (node));
  else if (kind == HEDDLE_EXPR_SIZE || kind == HEDDLE_EXPR_INDEX || kind == HEDDLE_EXPR_VARIABLE
           || kind == HEDDLE_EXPR_ARGUMENT)
    needs->unknown = node;
  return needs->unknown == NULL && !needs->cyclic;
}

static const char *
symbol_of (const HeddleExpr *leaf)
{
  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_ARGUMENT ? "$" : heddle_expr_get_symbol (leaf);
}

static void
evaluate (Resolver *self, const HeddleAxis *axis)
{
  double size;
  g_autoptr (GError) error = NULL;
  if (heddle_expr_evaluate (size_of (self, axis), heddle_sizes_lookup, self->sizes, &size, &error))
    accept (self, axis, size);
  else
    fail (self, axis, _ ("The size of %s: %s"), axis->name != NULL ? axis->name : axis->id, error->message);
}

/* Gives an axis without a size the size of an axis that it renames. */
static void
resolve_unsized (Resolver *self, const HeddleAxis *axis, Needs *needs)
{
  const char *twin = g_hash_table_lookup (self->sized, find_first (self->renamed, axis->id));
  if (twin == NULL)
    {
      fail (self, axis, _ ("The size of %s is not given"), axis->name != NULL ? axis->name : axis->id);
      return;
    }
  need (needs, twin);
  const gint64 *size = g_hash_table_lookup (self->sizes->sizes, twin);
  if (size != NULL)
    accept (self, axis, (double) *size);
}

/* Looks at the axis on top of the stack: pushes what it needs, or settles it. */
static void
step (Resolver *self, GArray *stack)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (self->diagram, heddle_ids_index (stack, stack->len - 1));
  const char *name = axis->name != NULL ? axis->name : axis->id;
  Needs needs = { .resolver = self, .stack = stack };
  const gint64 *override = self->overrides != NULL ? g_hash_table_lookup (self->overrides, name) : NULL;
  guint depth = stack->len;

  g_hash_table_insert (self->states, (gpointer) axis->id, GINT_TO_POINTER (AXIS_OPEN));
  if (override != NULL)
    accept (self, axis, (double) *override);
  else if (size_of (self, axis) == NULL)
    resolve_unsized (self, axis, &needs);
  else
    heddle_expr_walk (size_of (self, axis), visit_leaf, &needs);

  if (needs.cyclic)
    fail (self, axis, _ ("The size of %s depends on itself"), name);
  else if (needs.unknown != NULL)
    fail (self, axis, _ ("The size of %s depends on %s, which is not an axis of the diagram"), name,
        symbol_of (needs.unknown));
  else if (needs.failed)
    g_hash_table_insert (self->states, (gpointer) axis->id, GINT_TO_POINTER (AXIS_FAILED));
  else if (stack->len == depth && state_of (self, axis->id) == AXIS_OPEN)
    evaluate (self, axis);
  if (state_of (self, axis->id) != AXIS_OPEN)
    g_array_set_size (stack, depth - 1);
}

static void
resolve (Resolver *self, const HeddleAxis *axis)
{
  g_autoptr (GArray) stack = heddle_ids_new ();
  heddle_ids_append (stack, axis->id);
  while (stack->len > 0)
    {
      AxisState state = state_of (self, heddle_ids_index (stack, stack->len - 1));
      if (state == AXIS_DONE || state == AXIS_FAILED)
        g_array_set_size (stack, stack->len - 1);
      else
        step (self, stack);
    }
}

static void sizes_visit_renames (const HeddleDiagram *diagram, HeddleSizesRename visit, gpointer data);

HeddleSizes *
heddle_sizes_resolve (
    const HeddleDiagram *diagram, GHashTable *overrides, HeddleSizesReport report, gpointer data)
{
  g_autoptr (GHashTable) states = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) renamed = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) sized = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) inferred
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_expr_unref);
  HeddleSizes *sizes = g_new0 (HeddleSizes, 1);
  g_atomic_ref_count_init (&sizes->ref_count);
  sizes->sizes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  Resolver resolver = { diagram, overrides, states, renamed, sized, inferred, sizes, report, data };

  sizes_visit_renames (diagram, join, renamed);
  find_sized (&resolver);
  infer (&resolver);
  for (guint i = 0; i < diagram->axes->len; i++)
    resolve (&resolver, g_ptr_array_index (diagram->axes, i));
  return sizes;
}

/* --- public ---------------------------------------------------------------------- */

static void
keep_first (const char *axis_id, const char *message, gpointer data)
{
  GError **error = data;
  if (*error == NULL)
    g_set_error_literal (error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_SIZE, message);
}

HeddleSizes *
heddle_sizes_new (const HeddleDiagram *diagram, GHashTable *overrides, GError **error)
{
  g_return_val_if_fail (diagram != NULL, NULL);
  GError *first = NULL;
  g_autoptr (HeddleSizes) sizes = heddle_sizes_resolve (diagram, overrides, keep_first, &first);
  heddle_sizes_report_disagreements (sizes, diagram, keep_first, &first);
  if (first == NULL)
    return g_steal_pointer (&sizes);
  g_propagate_error (error, first);
  return NULL;
}

HeddleSizes *
heddle_sizes_ref (HeddleSizes *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
heddle_sizes_unref (HeddleSizes *self)
{
  g_return_if_fail (self != NULL);
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_hash_table_unref (self->sizes);
  g_free (self);
}

gint64
heddle_sizes_get (const HeddleSizes *self, const char *axis_id)
{
  const gint64 *size = g_hash_table_lookup (self->sizes, axis_id);
  return size != NULL ? *size : 0;
}

HeddleSizes *
heddle_sizes_with (const HeddleSizes *self, const char *axis_id, gint64 size)
{
  g_return_val_if_fail (self != NULL && axis_id != NULL && size >= 1, NULL);
  HeddleSizes *copy = g_new0 (HeddleSizes, 1);
  g_atomic_ref_count_init (&copy->ref_count);
  copy->sizes = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  GHashTableIter iter;
  gpointer axis, known;
  g_hash_table_iter_init (&iter, self->sizes);
  while (g_hash_table_iter_next (&iter, &axis, &known))
    g_hash_table_insert (copy->sizes, axis, g_memdup2 (known, sizeof size));
  g_hash_table_insert (copy->sizes, (gpointer) axis_id, g_memdup2 (&size, sizeof size));
  return copy;
}

gboolean
heddle_sizes_lookup (const HeddleExpr *leaf, double *value, gpointer sizes)
{
  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_SIZE)
    return FALSE;
  gint64 size = heddle_sizes_get (sizes, heddle_expr_get_symbol (leaf));
  *value = (double) size;
  return size > 0;
}

gint64
heddle_sizes_elements (const HeddleSizes *self, const HeddleValue *value)
{
  gint64 elements = 1;
  for (guint i = 0; i < value->axes->len; i++)
    if (__builtin_mul_overflow (
            elements, heddle_sizes_get (self, heddle_ids_index (value->axes, i)), &elements))
      return G_MAXINT64;
  return elements;
}

/* Calls @visit for each index of a reindexing that is an axis of the result alone and reads a different
 * axis of the operand. Ids that the diagram does not have are passed over. */
static void
sizes_visit_renames (const HeddleDiagram *diagram, HeddleSizesRename visit, gpointer data)
{
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      if (operation->indices == NULL || operation->operands->len == 0)
        continue;
      const HeddleValue *operand
          = heddle_diagram_get_value (diagram, heddle_ids_index (operation->operands, 0));
      guint n = operand != NULL ? MIN (operation->indices->len, operand->axes->len) : 0;
      for (guint j = 0; j < n; j++)
        {
          const HeddleExpr *index = g_ptr_array_index (operation->indices, j);
          if (index == NULL || heddle_expr_get_kind (index) != HEDDLE_EXPR_INDEX)
            continue;
          const HeddleAxis *read = heddle_diagram_get_axis (diagram, heddle_ids_index (operand->axes, j));
          const HeddleAxis *as = heddle_diagram_get_axis (diagram, heddle_expr_get_symbol (index));
          if (read != NULL && as != NULL && read != as)
            visit (operation, read, as, data);
        }
    }
}

/* The state of comparing renamed axes. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSizes *sizes;
  HeddleSizesReport report;
  gpointer data;
} Comparison;

/* Returns "x of K", where K is an array that has the axis, an input if possible. The text is newly
 * allocated. */
static char *
origin_of (const HeddleDiagram *diagram, const HeddleAxis *axis)
{
  const HeddleValue *origin = NULL;
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      if (!heddle_ids_contain (value->axes, axis->id)
          || (origin != NULL && value->role == HEDDLE_ROLE_INTERMEDIATE))
        continue;
      origin = value;
      if (value->role != HEDDLE_ROLE_INTERMEDIATE)
        break;
    }
  const char *name = axis->name != NULL ? axis->name : axis->id;
  if (origin == NULL)
    return g_strdup (name);
  g_autofree char *label = heddle_diagram_value_label (diagram, origin->id);
  return g_strdup_printf (_ ("%s of %s"), name, label);
}

static void
compare_renamed (
    const HeddleOperation *operation, const HeddleAxis *read, const HeddleAxis *as, gpointer data)
{
  const Comparison *self = data;
  gint64 a = heddle_sizes_get (self->sizes, read->id), b = heddle_sizes_get (self->sizes, as->id);
  if (a == 0 || b == 0 || a == b)
    return;
  g_autofree char *one = origin_of (self->diagram, as), *other = origin_of (self->diagram, read);
  g_autofree char *message = g_strdup_printf (
      _ ("%s is %" PRId64 " and %s is %" PRId64 ", but one is read as the other"), one, b, other, a);
  self->report (as->id, message, self->data);
}

/* Checks that an axis that is made of several is as long as they are together. */
static void
compare_merged (const Comparison *self, const HeddleOperation *operation, const char *axis_id)
{
  const HeddleValue *operand
      = heddle_diagram_get_value (self->diagram, heddle_ids_index (operation->operands, 0));
  g_autoptr (HeddleExpr) size = operand != NULL ? heddle_sizes_of_merge (operand, operation, axis_id) : NULL;
  gint64 found = heddle_sizes_get (self->sizes, axis_id);
  double wanted;
  if (size == NULL || found == 0
      || !heddle_expr_evaluate (size, heddle_sizes_lookup, (gpointer) self->sizes, &wanted, NULL)
      || wanted == (double) found)
    return;
  g_autofree char *label = heddle_diagram_value_label (self->diagram, operand->id);
  g_autofree char *own = origin_of (self->diagram, heddle_diagram_get_axis (self->diagram, axis_id));
  g_autofree char *message
      = g_strdup_printf (_ ("%s is %" PRId64 ", but the axes of %s that it is made of have %.15g places"),
          own, found, label, wanted);
  self->report (axis_id, message, self->data);
}

/* Checks that the axis along which arrays are joined is as long as they are together, and that no more
 * elements are chosen than there are. */
static void
compare_core (const Comparison *self, const HeddleOperation *operation)
{
  const char *axis_id = heddle_ids_index (operation->axes, operation->axes->len - 1);
  gboolean joins = operation->kind->form == HEDDLE_FORM_CONCAT;
  g_autoptr (HeddleExpr) size = joins ? heddle_sizes_of_concat (self->diagram, operation)
                                      : heddle_expr_size (heddle_ids_index (operation->axes, 0));
  const HeddleAxis *axis = heddle_diagram_get_axis (self->diagram, axis_id);
  gint64 found = heddle_sizes_get (self->sizes, axis_id);
  double wanted;
  if (size == NULL || axis == NULL || found == 0
      || !heddle_expr_evaluate (size, heddle_sizes_lookup, (gpointer) self->sizes, &wanted, NULL)
      || (joins ? wanted == (double) found : wanted >= (double) found))
    return;
  g_autofree char *label = heddle_diagram_value_label (self->diagram, operation->result);
  g_autofree char *own = origin_of (self->diagram, axis);
  g_autofree char *message
      = joins ? g_strdup_printf (
            _ ("%s is %" PRId64 ", but what %s joins along it has %.15g places"), own, found, label, wanted)
              : g_strdup_printf (
                  _ ("%s is %" PRId64 ", but %s chooses among %.15g"), own, found, label, wanted);
  self->report (axis_id, message, self->data);
}

static void
compare_all_merged (const Comparison *self)
{
  for (guint i = 0; i < self->diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->diagram->operations, i);
      const HeddleValue *result = heddle_diagram_get_value (self->diagram, operation->result);
      if (operation->kind != NULL && operation->axes->len > 0
          && (operation->kind->form == HEDDLE_FORM_CONCAT || operation->kind->form == HEDDLE_FORM_SELECT))
        compare_core (self, operation);
      for (guint j = 0; operation->indices != NULL && operation->operands->len > 0 && result != NULL
                        && j < result->axes->len;
           j++)
        compare_merged (self, operation, heddle_ids_index (result->axes, j));
    }
}

void
heddle_sizes_report_disagreements (
    const HeddleSizes *sizes, const HeddleDiagram *diagram, HeddleSizesReport report, gpointer data)
{
  Comparison comparison = { diagram, sizes, report, data };
  sizes_visit_renames (diagram, compare_renamed, &comparison);
  compare_all_merged (&comparison);
}

static gboolean
is_no_size (const HeddleExpr *node, gpointer data)
{
  return heddle_expr_get_kind (node) != HEDDLE_EXPR_SIZE;
}

gboolean
heddle_axis_depends (const HeddleAxis *axis)
{
  return axis->size != NULL && !heddle_expr_walk (axis->size, is_no_size, NULL);
}

GHashTable *
heddle_sizes_get_overrides (const HeddleSizes *self, const HeddleDiagram *diagram)
{
  GHashTable *overrides = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  for (guint i = 0; i < diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (diagram->axes, i);
      gint64 size = heddle_sizes_get (self, axis->id);

      if (axis->name != NULL && size > 0 && !heddle_axis_depends (axis))
        g_hash_table_insert (overrides, axis->name, g_memdup2 (&size, sizeof size));
    }
  return overrides;
}
