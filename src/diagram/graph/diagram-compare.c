/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "diagram/base/texts.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/print.h"
#include "diagram/graph/diagram-compare.h"
#include "diagram/graph/diagram-names.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

/* Isomorphism by colours: every value gets a number such that equal numbers mean equal making, from the
 * inputs down; then the numbers are refined by who reads the value, and so on until nothing changes. Two
 * diagrams whose colours occur equally often are taken to be isomorphic: exact but for contrived diagrams of
 * many unnamed copies of one thing (colour refinement: Weisfeiler and Leman, 1968). */

/* The limit of refinement rounds: more than any known diagram needs; each round is linear. */
#define MAX_ROUNDS 16

/* The separator of the parts of a description; no name contains it. */
#define NEXT '\x1f'

typedef struct
{
  const HeddleDiagram *diagram;
  GHashTable *colours; /* value id -> number */
} Side;

typedef struct
{
  Side sides[2];
  GHashTable *numbers; /* description -> number, common to both sides; NULL: hashes do */
} Comparison;

/* --- descriptions ---------------------------------------------------------------- */

static char *
leaf_text (const HeddleExpr *leaf, gpointer diagram)
{
  HeddleExprKind kind = heddle_expr_get_kind (leaf);
  if (kind != HEDDLE_EXPR_SIZE && kind != HEDDLE_EXPR_INDEX)
    return NULL;
  const char *name = heddle_axis_name (diagram, heddle_expr_get_symbol (leaf));
  return g_strdup_printf (kind == HEDDLE_EXPR_SIZE ? "size(%s)" : "index(%s)", name);
}

static char *
expr_text (const HeddleDiagram *diagram, const HeddleExpr *expr)
{
  return expr != NULL ? heddle_expr_to_string (expr, leaf_text, (gpointer) diagram) : g_strdup ("");
}

static void
describe_axes (GString *text, const HeddleDiagram *diagram, const GArray *axes, gboolean sorted)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (guint i = 0; i < axes->len; i++)
    g_ptr_array_add (names, (gpointer) heddle_axis_name (diagram, heddle_ids_index (axes, i)));
  if (sorted)
    g_ptr_array_sort (names, heddle_texts_compare);
  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (text, "%s%c", (const char *) g_ptr_array_index (names, i), NEXT);
  g_string_append_c (text, NEXT);
}

static void
describe_value (GString *text, const HeddleDiagram *diagram, const HeddleValue *value)
{
  g_string_append_printf (text, "%s%c%d%c%d%c", value->name != NULL ? value->name : "", NEXT, value->dtype,
      NEXT, value->role, NEXT);
  describe_axes (text, diagram, value->axes, FALSE);
}

static guint
colour_of (const Side *side, const char *value_id)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (side->colours, value_id));
}

static void
describe_call (GString *text, const Side *side, const HeddleOperation *operation)
{
  if (operation->callee == NULL)
    return;
  g_autofree char *repeat = expr_text (side->diagram, operation->repeat);
  g_string_append_printf (
      text, "%s%c%s%c%d%c", operation->callee, NEXT, repeat, NEXT, operation->shared, NEXT);
  for (guint i = 0; operation->sizes != NULL && i < operation->sizes->len; i++)
    {
      g_autofree char *size = expr_text (side->diagram, g_ptr_array_index (operation->sizes, i));
      g_string_append_printf (text, "%s%c", size, NEXT);
    }
}

static void
describe_operation (GString *text, const Side *side, const HeddleOperation *operation)
{
  g_string_append_printf (text, "%s%c", operation->kind != NULL ? operation->kind->id : "?", NEXT);
  describe_axes (text, side->diagram, operation->axes, TRUE);
  g_autofree char *body = expr_text (side->diagram, operation->body);
  g_string_append_printf (text, "%s%c", body, NEXT);
  for (guint i = 0; operation->indices != NULL && i < operation->indices->len; i++)
    {
      g_autofree char *index = expr_text (side->diagram, g_ptr_array_index (operation->indices, i));
      g_string_append_printf (text, "%s%c", index, NEXT);
    }
  for (guint i = 0; i < HEDDLE_MAX_OPTIONS; i++)
    g_string_append_printf (text, "%.17g%c", operation->options[i], NEXT);
  describe_call (text, side, operation);
  for (guint i = 0; i < operation->operands->len; i++)
    g_string_append_printf (text, "%u,", colour_of (side, heddle_ids_index (operation->operands, i)));
}

/* --- colours --------------------------------------------------------------------- */

static guint
number_of (Comparison *self, const GString *description)
{
  gpointer number;
  if (self->numbers == NULL)
    return g_str_hash (description->str);
  if (!g_hash_table_lookup_extended (self->numbers, description->str, NULL, &number))
    {
      number = GUINT_TO_POINTER (g_hash_table_size (self->numbers) + 1);
      g_hash_table_insert (self->numbers, g_strdup (description->str), number);
    }
  return GPOINTER_TO_UINT (number);
}

/* Returns the position of the value among the operation's results. */
static int
place_of_result (const HeddleOperation *operation, const char *value_id)
{
  return operation->result == value_id ? 0 : heddle_ids_find (operation->more_results, value_id) + 1;
}

static void
colour_one (Comparison *self, Side *side, const HeddleValue *value, const HeddleOperation *producer)
{
  g_autoptr (GString) text = g_string_new ("made ");
  g_string_append_printf (text, "%u%c", colour_of (side, value->id), NEXT);
  describe_value (text, side->diagram, value);
  if (producer != NULL)
    {
      g_string_append_printf (text, "%d ", place_of_result (producer, value->id));
      describe_operation (text, side, producer);
    }
  g_hash_table_insert (side->colours, (gpointer) value->id, GUINT_TO_POINTER (number_of (self, text)));
}

/* Colours each value by how it is made, from the inputs down. */
static void
colour_by_making (Comparison *self, Side *side)
{
  const HeddleDiagram *diagram = side->diagram;
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      if (heddle_diagram_get_producer (diagram, value->id) == NULL)
        colour_one (self, side, value, NULL);
    }
  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      for (guint j = 0; j < heddle_operation_n_results (operation); j++)
        {
          const HeddleValue *value
              = heddle_diagram_get_value (diagram, heddle_operation_get_result (operation, j));
          if (value != NULL && heddle_diagram_get_producer (diagram, value->id) == operation)
            colour_one (self, side, value, operation);
        }
    }
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;
  return (x > y) - (x < y);
}

/* Colours each value by its uses: the colours of what reads it and in which place. */
static void
colour_by_use (Comparison *self, Side *side)
{
  const HeddleDiagram *diagram = side->diagram;
  GHashTable *colours = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      g_autoptr (GPtrArray) readers = heddle_diagram_get_readers (diagram, value->id);
      g_autoptr (GArray) uses = g_array_new (FALSE, FALSE, sizeof (guint64));
      for (guint j = 0; j < readers->len; j++)
        {
          const HeddleOperation *reader = g_ptr_array_index (readers, j);
          for (guint k = 0; k < reader->operands->len; k++)
            {
              guint64 use = (guint64) colour_of (side, reader->result) << 32 | k;
              if (heddle_ids_index (reader->operands, k) == value->id)
                g_array_append_val (uses, use);
            }
        }
      g_array_sort (uses, compare_numbers);
      g_autoptr (GString) text = g_string_new ("used ");
      g_string_append_printf (text, "%u%c", colour_of (side, value->id), NEXT);
      for (guint j = 0; j < uses->len; j++)
        g_string_append_printf (text, "%" G_GUINT64_FORMAT ",", g_array_index (uses, guint64, j));
      g_hash_table_insert (colours, (gpointer) value->id, GUINT_TO_POINTER (number_of (self, text)));
    }
  g_hash_table_unref (side->colours);
  side->colours = colours;
}

/* Returns a map from each colour to the number of values of the side that have it. */
static GHashTable *
count_colours (const Side *side)
{
  GHashTable *counts = g_hash_table_new (NULL, NULL);
  GHashTableIter iter;
  gpointer colour;
  g_hash_table_iter_init (&iter, side->colours);
  while (g_hash_table_iter_next (&iter, NULL, &colour))
    g_hash_table_insert (
        counts, colour, GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (counts, colour)) + 1));
  return counts;
}

static guint
n_colours (const Comparison *self)
{
  g_autoptr (GHashTable) a = count_colours (&self->sides[0]), b = count_colours (&self->sides[1]);
  return g_hash_table_size (a) + g_hash_table_size (b);
}

/* --- differences: each NULL or the first one found, newly allocated --------------- */

static const char *
argument_name (const HeddleDiagram *diagram, guint i)
{
  const char *id = heddle_ids_index (diagram->arguments, i);
  const HeddleValue *value = heddle_diagram_get_value (diagram, id);
  return value != NULL ? value->name : heddle_axis_name (diagram, id);
}

static char *
compare_axes (const HeddleDiagram *a, const HeddleDiagram *b)
{
  for (guint i = 0; i < a->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (a->axes, i);
      const HeddleAxis *other = heddle_diagram_find_axis (b, axis->name);
      const char *name = heddle_axis_name (a, axis->id);
      if (other == NULL)
        return g_strdup_printf (_ ("The axis %s is in one only"), name);
      g_autofree char *size = expr_text (a, axis->size), *other_size = expr_text (b, other->size);
      if (strcmp (size, other_size) != 0)
        return g_strdup_printf (_ ("The axis %s is %s in one and %s in the other"), name,
            *size != '\0' ? size : _ ("of no given size"),
            *other_size != '\0' ? other_size : _ ("of no given size"));
    }
  return NULL;
}

static char *
compare_named_values (const HeddleDiagram *a, const HeddleDiagram *b)
{
  for (guint i = 0; i < a->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (a->values, i);
      if (value->name == NULL)
        continue;
      const HeddleValue *other = heddle_diagram_find_value (b, value->name);
      if (other == NULL)
        return g_strdup_printf (_ ("The value %s is in one only"), value->name);
      g_autoptr (GString) text = g_string_new (NULL), other_text = g_string_new (NULL);
      describe_value (text, a, value);
      describe_value (other_text, b, other);
      if (!g_string_equal (text, other_text))
        return g_strdup_printf (_ ("The axes, the data type or the role of %s differ"), value->name);
    }
  return NULL;
}

static char *
compare_colours (const Side *a, const Side *b)
{
  g_autoptr (GHashTable) counts = count_colours (a), others = count_colours (b);
  for (guint i = 0; i < a->diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (a->diagram->values, i);
      gpointer colour = g_hash_table_lookup (a->colours, value->id);
      if (g_hash_table_lookup (counts, colour) == g_hash_table_lookup (others, colour))
        continue;
      const HeddleOperation *producer = heddle_diagram_get_producer (a->diagram, value->id);
      const char *statement
          = producer != NULL ? heddle_diagram_statement_of (a->diagram, producer->id) : value->id;
      g_autofree char *label = heddle_diagram_value_label (a->diagram, statement);
      return g_strdup_printf (_ ("%s is made differently"), label);
    }
  return NULL;
}

static char *
compare_outputs (const Side *a, const Side *b)
{
  gboolean ordered = a->diagram->explicit_outputs && b->diagram->explicit_outputs;
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (a->diagram);
  g_autoptr (GArray) others = heddle_diagram_get_outputs (b->diagram);
  g_autoptr (GArray) left = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) right = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint i = 0; i < outputs->len; i++)
    {
      guint64 colour = colour_of (a, heddle_ids_index (outputs, i));
      g_array_append_val (left, colour);
    }
  for (guint i = 0; i < others->len; i++)
    {
      guint64 colour = colour_of (b, heddle_ids_index (others, i));
      g_array_append_val (right, colour);
    }
  if (!ordered)
    {
      g_array_sort (left, compare_numbers);
      g_array_sort (right, compare_numbers);
    }
  gboolean same = left->len == right->len
                  && (left->len == 0 || memcmp (left->data, right->data, left->len * sizeof (guint64)) == 0);
  return same ? NULL : g_strdup (_ ("The outputs differ"));
}

/* Compares by name what calls give besides the inputs. Returns what differs, or NULL. */
static char *
compare_arguments (const HeddleDiagram *a, const HeddleDiagram *b)
{
  gboolean same = a->arguments->len == b->arguments->len;
  for (guint i = 0; i < a->arguments->len && same; i++)
    same = g_strcmp0 (argument_name (a, i), argument_name (b, i)) == 0;
  return same ? NULL : g_strdup (_ ("The arguments differ"));
}

static char *
find_difference (Comparison *self)
{
  Side *a = &self->sides[0], *b = &self->sides[1];
  char *why = compare_axes (a->diagram, b->diagram);
  why = why != NULL ? why : compare_axes (b->diagram, a->diagram);
  why = why != NULL ? why : compare_named_values (a->diagram, b->diagram);
  why = why != NULL ? why : compare_named_values (b->diagram, a->diagram);
  why = why != NULL ? why : compare_arguments (a->diagram, b->diagram);
  for (guint round = 0, before = 0; why == NULL && round < MAX_ROUNDS; round++)
    {
      colour_by_making (self, a);
      colour_by_making (self, b);
      why = compare_colours (a, b);
      why = why != NULL ? why : compare_colours (b, a);
      guint now = n_colours (self);
      if (now == before)
        break;
      before = now;
      colour_by_use (self, a);
      colour_by_use (self, b);
    }
  return why != NULL ? why : compare_outputs (a, b);
}

gboolean
heddle_diagram_isomorphic (const HeddleDiagram *a, const HeddleDiagram *b, char **why)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);
  Comparison self = {
    .sides = { { a, g_hash_table_new (NULL, NULL) }, { b, g_hash_table_new (NULL, NULL) } },
    .numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
  };
  g_autofree char *difference = find_difference (&self);
  g_hash_table_unref (self.sides[0].colours);
  g_hash_table_unref (self.sides[1].colours);
  g_hash_table_unref (self.numbers);
  gboolean same = difference == NULL;
  if (why != NULL)
    *why = g_steal_pointer (&difference);
  return same;
}

GHashTable *
heddle_diagram_number_makings (const HeddleDiagram *self)
{
  Comparison comparison = { .sides = { { self, g_hash_table_new (NULL, NULL) } } };
  g_return_val_if_fail (self != NULL, NULL);
  colour_by_making (&comparison, &comparison.sides[0]);
  return comparison.sides[0].colours;
}
