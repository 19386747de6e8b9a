/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation.h"
#include "files/onnx/fold-match.h"

/* This file finds which modules, of those that differ only by a number, are the same thing one after
 * another. */

/* The least number of operations: fewer are as easily read as a repetition of them. */
#define FEWEST 3
/* The limits of modules in one another, and of their numbers. */
#define DEEPEST 12
#define LARGEST_NUMBER 100000

/* --- siblings ------------------------------------------------------------------------------------ */

static void
sibling_free (HeddleSibling *self)
{
  g_ptr_array_unref (self->operations);
  g_hash_table_unref (self->members);
  g_free (self);
}

void
heddle_run_free (HeddleRun *self)
{
  g_free (self->path);
  g_ptr_array_unref (self->siblings);
  g_array_unref (self->constant);
  g_array_unref (self->own);
  g_ptr_array_unref (self->maps);
  g_free (self);
}

static HeddleSibling *
sibling_new (guint number)
{
  HeddleSibling *self = g_new0 (HeddleSibling, 1);

  self->number = number;
  self->operations = g_ptr_array_new ();
  self->members = g_hash_table_new (NULL, NULL);
  return self;
}

typedef struct
{
  char *path;
  guint depth;
  GPtrArray *siblings;
} Family;

static void
family_free (Family *self)
{
  g_free (self->path);
  g_ptr_array_unref (self->siblings);
  g_free (self);
}

/* Parses the number of a name, as 12 of "layers.12", and where it begins. Returns FALSE if it is part of a
 * word. */
static gboolean
parse_number (const char *start, const char *end, const char **digits, guint *number)
{
  const char *at = end;

  while (at > start && g_ascii_isdigit (at[-1]))
    at--;
  if (at == end || end - at > 6 || (at > start && at[-1] != '.' && at[-1] != '_'))
    return FALSE;
  *digits = at;
  *number = (guint) strtoul (at, NULL, 10);
  return *number < LARGEST_NUMBER;
}

static void
add_to_family (GPtrArray *families, GHashTable *by_path, char *path, guint depth, guint number,
    HeddleOperation *operation)
{
  Family *family = g_hash_table_lookup (by_path, path);
  HeddleSibling *sibling = NULL;

  if (family == NULL)
    {
      family = g_new0 (Family, 1);
      *family = (Family){ g_strdup (path), depth,
        g_ptr_array_new_with_free_func ((GDestroyNotify) sibling_free) };
      g_ptr_array_add (families, family);
      g_hash_table_insert (by_path, family->path, family);
    }
  /* The current one is among the last. */
  for (guint i = family->siblings->len; sibling == NULL && i-- > 0;)
    if (((HeddleSibling *) g_ptr_array_index (family->siblings, i))->number == number)
      sibling = g_ptr_array_index (family->siblings, i);
  if (sibling == NULL)
    g_ptr_array_add (family->siblings, sibling = sibling_new (number));
  g_ptr_array_add (sibling->operations, operation);
  g_hash_table_add (sibling->members, operation);
  g_free (path);
}

static void
add_to_families (GPtrArray *families, GHashTable *by_path, const char *module, HeddleOperation *operation)
{
  const char *start = module;

  for (guint depth = 0; depth < DEEPEST; depth++)
    {
      const char *end = strchr (start, '/'), *digits;
      guint number;

      if (end == NULL)
        end = start + strlen (start);
      if (parse_number (start, end, &digits, &number))
        add_to_family (
            families, by_path, g_strndup (module, (gsize) (digits - module)), depth, number, operation);
      if (*end == '\0')
        return;
      start = end + 1;
    }
}

static int
compare_depths (gconstpointer a, gconstpointer b)
{
  const Family *one = *(Family *const *) a, *other = *(Family *const *) b;

  return (one->depth > other->depth) - (one->depth < other->depth);
}

static GPtrArray *
find_families (const HeddleDiagram *diagram, GHashTable *modules)
{
  GPtrArray *families = g_ptr_array_new_with_free_func ((GDestroyNotify) family_free);
  g_autoptr (GHashTable) by_path = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      const char *module = g_hash_table_lookup (modules, operation->id);

      if (module != NULL)
        add_to_families (families, by_path, module, operation);
    }
  g_ptr_array_sort (families, compare_depths);
  return families;
}

static gboolean
is_read_outside (const HeddleDiagram *diagram, const HeddleSibling *self, const char *value)
{
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, value);
  gboolean outside = heddle_diagram_is_output (diagram, value);

  for (guint i = 0; i < readers->len && !outside; i++)
    outside = !g_hash_table_contains (self->members, g_ptr_array_index (readers, i));
  return outside;
}

/* Returns whether the operation is a repetition that was found within it already. */
static gboolean
is_repetition (const HeddleOperation *operation)
{
  return operation->callee != NULL
         && (operation->repeat != NULL || operation->sizes != NULL || operation->shared);
}

/* Returns the one value that others than the sibling read; NULL if it is not one. */
static const char *
find_output (const HeddleDiagram *diagram, const HeddleSibling *self)
{
  const char *output = NULL;

  for (guint i = 0; i < self->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (self->operations, i);

      if (is_repetition (operation))
        return NULL;
      for (guint j = 0; j < heddle_operation_n_results (operation); j++)
        {
          const char *result = heddle_operation_get_result (operation, j);
          gboolean outside = is_read_outside (diagram, self, result);

          if (outside && output != NULL)
            return NULL;
          if (outside)
            output = result;
        }
    }
  return output;
}

/* --- whether two are the same -------------------------------------------------------------------------- */

typedef struct
{
  const HeddleDiagram *diagram;
  GHashTable *values, *back, *axes, *axes_back; /* of the one -> of the other, and back */
  GArray *outside; /* values that the one reads and does not make, in order */
} Match;

static gboolean
pair (GHashTable *there, GHashTable *back, const char *a, const char *b, gboolean *known)
{
  const char *to = g_hash_table_lookup (there, a), *from = g_hash_table_lookup (back, b);

  *known = to != NULL;
  if (to != NULL || from != NULL)
    return to == b && from == a;
  g_hash_table_insert (there, (gpointer) a, (gpointer) b);
  g_hash_table_insert (back, (gpointer) b, (gpointer) a);
  return TRUE;
}

static gboolean
match_axis (Match *self, const char *a, const char *b)
{
  const HeddleAxis *one = heddle_diagram_get_axis (self->diagram, a),
                   *other = heddle_diagram_get_axis (self->diagram, b);
  gboolean known;

  return heddle_expr_equal (one->size, other->size) && pair (self->axes, self->axes_back, a, b, &known);
}

static gboolean
match_axes (Match *self, const GArray *a, const GArray *b)
{
  gboolean same = a->len == b->len;

  for (guint i = 0; i < a->len && same; i++)
    same = match_axis (self, heddle_ids_index (a, i), heddle_ids_index (b, i));
  return same;
}

static gboolean
match_value (Match *self, const char *a, const char *b, gboolean made)
{
  const HeddleValue *one = heddle_diagram_get_value (self->diagram, a),
                    *other = heddle_diagram_get_value (self->diagram, b);
  gboolean known;

  if (!pair (self->values, self->back, a, b, &known))
    return FALSE;
  if (known)
    return TRUE;
  if (!made)
    heddle_ids_append (self->outside, a);
  /* an input says of what type it is, and what is made of it need not */
  return (made ? one->dtype == other->dtype
               : heddle_diagram_dtype (self->diagram, a, HEDDLE_DTYPE_F32)
                     == heddle_diagram_dtype (self->diagram, b, HEDDLE_DTYPE_F32))
         && match_axes (self, one->axes, other->axes);
}

static HeddleExpr *
replace_axis (const HeddleExpr *leaf, gpointer data)
{
  HeddleExprKind kind = heddle_expr_get_kind (leaf);
  const char *to;

  if (kind != HEDDLE_EXPR_INDEX && kind != HEDDLE_EXPR_SIZE)
    return NULL;
  to = g_hash_table_lookup (((Match *) data)->axes, heddle_expr_get_symbol (leaf));
  if (to == NULL)
    return NULL;
  return kind == HEDDLE_EXPR_INDEX ? heddle_expr_index (to) : heddle_expr_size (to);
}

static gboolean
match_expr (Match *self, HeddleExpr *a, HeddleExpr *b)
{
  g_autoptr (HeddleExpr) moved = NULL;

  if (a == NULL || b == NULL)
    return a == b;
  moved = heddle_expr_substitute (a, replace_axis, self);
  return heddle_expr_equal (moved, b);
}

static gboolean
match_operation (Match *self, const HeddleOperation *a, const HeddleOperation *b)
{
  guint n_indices = a->indices != NULL ? a->indices->len : 0;
  guint n_results = heddle_operation_n_results (a);
  gboolean same = a->kind == b->kind && a->callee == b->callee && a->operands->len == b->operands->len
                  && n_results == heddle_operation_n_results (b)
                  && memcmp (a->options, b->options, sizeof a->options) == 0
                  && n_indices == (b->indices != NULL ? b->indices->len : 0);

  for (guint i = 0; i < a->operands->len && same; i++)
    same = match_value (self, heddle_ids_index (a->operands, i), heddle_ids_index (b->operands, i), FALSE);
  for (guint i = 0; i < n_results && same; i++)
    same = match_value (self, heddle_operation_get_result (a, i), heddle_operation_get_result (b, i), TRUE);
  same = same && match_axes (self, a->axes, b->axes) && match_expr (self, a->body, b->body);
  for (guint i = 0; i < n_indices && same; i++)
    same = match_expr (self, g_ptr_array_index (a->indices, i), g_ptr_array_index (b->indices, i));
  return same;
}

static gboolean
match (Match *self, const HeddleSibling *a, const HeddleSibling *b)
{
  gboolean same = a->operations->len == b->operations->len;

  for (guint i = 0; i < a->operations->len && same; i++)
    same = match_operation (self, g_ptr_array_index (a->operations, i), g_ptr_array_index (b->operations, i));
  return same && g_hash_table_lookup (self->values, a->output) == b->output;
}

/* --- runs --------------------------------------------------------------------------------------------- */

static gboolean
is_parameter (const HeddleDiagram *diagram, const char *id)
{
  return heddle_diagram_get_value (diagram, id)->role == HEDDLE_ROLE_PARAMETER;
}

/* Sorts what a sibling reads from outside: it is the same for all, a parameter that each has or, for one
 * value, what the sibling before makes. */
static gboolean
sort_outside (HeddleRun *run, const Match *found, const char *before)
{
  gboolean first = run->maps->len == 0;
  const char *carried = NULL;

  for (guint i = 0; i < found->outside->len; i++)
    {
      const char *a = heddle_ids_index (found->outside, i), *b = g_hash_table_lookup (found->values, a);
      gboolean own = a != b && is_parameter (found->diagram, a) && is_parameter (found->diagram, b);

      if (a != b && !own && (carried != NULL || b != before))
        return FALSE;
      if (a != b && !own)
        carried = a;
      else if (first)
        heddle_ids_append (own ? run->own : run->constant, a);
      else if (!heddle_ids_contain (own ? run->own : run->constant, a))
        return FALSE;
    }
  if (first)
    run->carried = carried;
  return carried != NULL && carried == run->carried;
}

/* Returns whether @next continues @run. */
static gboolean
go_on (const HeddleDiagram *diagram, HeddleRun *run, const HeddleSibling *last, const HeddleSibling *next)
{
  const HeddleSibling *first = g_ptr_array_index (run->siblings, 0);
  g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, last->output);
  g_autoptr (GHashTable) values = g_hash_table_new (NULL, NULL), back = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) axes = g_hash_table_new (NULL, NULL), axes_back = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) outside = heddle_ids_new ();
  Match found = { diagram, values, back, axes, axes_back, outside };

  if (next->output == NULL || heddle_diagram_is_output (diagram, last->output))
    return FALSE;
  for (guint i = 0; i < readers->len; i++)
    if (!g_hash_table_contains (next->members, g_ptr_array_index (readers, i)))
      return FALSE;
  if (!match (&found, first, next) || !sort_outside (run, &found, last->output))
    return FALSE;
  g_ptr_array_add (run->maps, g_steal_pointer (&values));
  return TRUE;
}

static HeddleRun *
run_new (const char *path)
{
  HeddleRun *self = g_new0 (HeddleRun, 1);

  self->path = g_strdup (path);
  self->siblings = g_ptr_array_new_with_free_func ((GDestroyNotify) sibling_free);
  self->constant = heddle_ids_new ();
  self->own = heddle_ids_new ();
  self->maps = g_ptr_array_new_with_free_func ((GDestroyNotify) g_hash_table_unref);
  return self;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const HeddleSibling *one = *(HeddleSibling *const *) a, *other = *(HeddleSibling *const *) b;

  return (one->number > other->number) - (one->number < other->number);
}

/* Takes the siblings that are used out of the family. */
static HeddleRun *
find_run (const HeddleDiagram *diagram, Family *family)
{
  g_autoptr (HeddleRun) run = NULL;

  g_ptr_array_sort (family->siblings, compare_numbers);
  for (guint i = 0; family->siblings->len > 1 && i < family->siblings->len; i++)
    {
      HeddleSibling *sibling = g_ptr_array_index (family->siblings, i);

      sibling->output = sibling->operations->len >= FEWEST ? find_output (diagram, sibling) : NULL;
    }
  while (family->siblings->len > 1)
    {
      HeddleSibling *last = g_ptr_array_steal_index (family->siblings, 0);

      g_clear_pointer (&run, heddle_run_free);
      run = run_new (family->path);
      g_ptr_array_add (run->siblings, last);
      while (family->siblings->len > 0 && last->output != NULL
             && go_on (diagram, run, last, g_ptr_array_index (family->siblings, 0)))
        g_ptr_array_add (run->siblings, last = g_ptr_array_steal_index (family->siblings, 0));
      if (run->siblings->len > 1)
        return g_steal_pointer (&run);
    }
  return NULL;
}

HeddleRun *
heddle_run_find (const HeddleDiagram *diagram, GHashTable *modules)
{
  g_autoptr (GPtrArray) families = find_families (diagram, modules);

  for (guint i = 0; i < families->len; i++)
    {
      HeddleRun *run = find_run (diagram, g_ptr_array_index (families, i));

      if (run != NULL)
        return run;
    }
  return NULL;
}
