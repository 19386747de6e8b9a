/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "codegen/base/codegen.h"
#include "codegen/base/names.h"
#include "codegen/device-resource.h"
#include "codegen/module/reference.h"
#include "derive/region/inputs.h"
#include "diagram/analysis/term.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/parse.h"
#include "diagram/expression/tree.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/calls.h"
#include "diagram/graph/diagram-names.h"
#include "diagram/graph/diagram-order.h"
#include "diagram/graph/operation-table.h"
#include "diagram/graph/operation.h"

/* This file prints reference code: the meaning of a diagram, in readable Python, by einsum and named axes.
 * Each operation works in a frame, the axes of its result and those that it reduces; operands are placed in
 * it, 1 long along the axes that they have not, and broadcasting does the rest. */

typedef struct
{
  const HeddleSnapshot *snapshot;
  const HeddleDiagram *diagram;
  const HeddleSizes *sizes;
  HeddleNames *names;
  GHashTable *words; /* identifier of the names -> that of Python */
  GHashTable *taken; /* identifiers of Python */
  GHashTable *functions; /* steps of scans -> their names in Python, which all functions know */
  GHashTable *marked; /* ids of values that are read at indices, which may be outside */
  const HeddleOperation *operation; /* the current one */
  GArray *frame;
  GString *out;
} Reference;

/* The words of Python, and those of the text above the function. */
static const char *const reserved[] = { "False", "None", "True", "and", "as", "assert", "async", "await",
  "break", "class", "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global",
  "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
  "with", "yield", "arange", "as_array", "whole", "permute", "reshape", "spread", "exp", "log", "sqrt", "sin",
  "cos", "tanh", "absolute", "floor", "ceil", "erf", "power", "remainder", "least", "largest", "choose",
  "einsum", "clip", "stack", "concatenate", "total", "descending", "where", "rsqrt", "sigmoid", "relu",
  "gated", "gelu", "silu", "place", "over", "inside", "read", "join", "scan", "places_of_largest", "math",
  "np", "jnp", "torch", "on_arrays", "along", "slice", "tuple", "map", "zip", "iter", "next", "range",
  "float", "int", "len", "enumerate", "isinstance", NULL };

/* --- names -------------------------------------------------------------------------------------- */

/* Returns an identifier that nothing else has. */
static const char *
fresh_word (Reference *self, const char *wish)
{
  GString *word = g_string_new (wish);
  char *text;

  while (g_strv_contains (reserved, word->str) || g_hash_table_contains (self->taken, word->str))
    g_string_append_c (word, '_');
  text = g_string_free (word, FALSE);
  g_hash_table_add (self->taken, text);
  return text;
}

static const char *
word_of (Reference *self, const char *name)
{
  const char *word = g_hash_table_lookup (self->words, name);

  if (word == NULL)
    {
      word = fresh_word (self, name);
      g_hash_table_insert (self->words, g_strdup (name), (gpointer) word);
    }
  return word;
}

static const char *
axis_word (Reference *self, const char *axis)
{
  return word_of (self, heddle_names_axis (self->names, axis));
}

static const char *
value_word (Reference *self, const char *value)
{
  return word_of (self, heddle_names_value (self->names, value));
}

static const GArray *
axes_of (const Reference *self, const char *value)
{
  return heddle_diagram_get_value (self->diagram, value)->axes;
}

/* Returns the axes as "q d". */
static char *
axes_text (Reference *self, const GArray *axes)
{
  GString *text = g_string_new ("\"");

  for (guint i = 0; i < axes->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", axis_word (self, heddle_ids_index (axes, i)));
  g_string_append_c (text, '"');
  return g_string_free (text, FALSE);
}

/* Returns the shape as (q, d,). */
static char *
shape_text (Reference *self, const GArray *axes)
{
  GString *text = g_string_new ("(");

  for (guint i = 0; i < axes->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", axis_word (self, heddle_ids_index (axes, i)));
  g_string_append (text, axes->len == 1 ? ",)" : ")");
  return g_string_free (text, FALSE);
}

/* --- expressions ---------------------------------------------------------------------------------- */

static const char *const functions[HEDDLE_N_EXPR_KINDS] = {
  [HEDDLE_EXPR_EXP] = "exp",
  [HEDDLE_EXPR_LOG] = "log",
  [HEDDLE_EXPR_SQRT] = "sqrt",
  [HEDDLE_EXPR_RSQRT] = "rsqrt",
  [HEDDLE_EXPR_SIN] = "sin",
  [HEDDLE_EXPR_COS] = "cos",
  [HEDDLE_EXPR_TANH] = "tanh",
  [HEDDLE_EXPR_ERF] = "erf",
  [HEDDLE_EXPR_SIGMOID] = "sigmoid",
  [HEDDLE_EXPR_RELU] = "relu",
  [HEDDLE_EXPR_GELU] = "gelu",
  [HEDDLE_EXPR_SILU] = "silu",
  [HEDDLE_EXPR_ABS] = "absolute",
  [HEDDLE_EXPR_FLOOR] = "floor",
  [HEDDLE_EXPR_CEIL] = "ceil",
  [HEDDLE_EXPR_POW] = "power",
  [HEDDLE_EXPR_MOD] = "remainder",
  [HEDDLE_EXPR_MIN] = "least",
  [HEDDLE_EXPR_MAX] = "largest",
  [HEDDLE_EXPR_WHERE] = "where",
};

static const char *const signs[HEDDLE_N_EXPR_KINDS] = {
  [HEDDLE_EXPR_ADD] = "+",
  [HEDDLE_EXPR_SUB] = "-",
  [HEDDLE_EXPR_MUL] = "*",
  [HEDDLE_EXPR_DIV] = "/",
  [HEDDLE_EXPR_LT] = "<",
  [HEDDLE_EXPR_LE] = "<=",
  [HEDDLE_EXPR_GT] = ">",
  [HEDDLE_EXPR_GE] = ">=",
  [HEDDLE_EXPR_EQ] = "==",
  [HEDDLE_EXPR_NE] = "!=",
};

static void print_expr (Reference *self, const HeddleExpr *expr);

static void
print_number (Reference *self, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isfinite (number))
    g_string_append (self->out, g_ascii_dtostr (text, sizeof text, number));
  else
    g_string_append_printf (self->out, "float(\"%s\")", isnan (number) ? "nan" : number > 0 ? "inf" : "-inf");
}

/* Prints a value in the axes of the frame. */
static void
print_operand (Reference *self, const char *value)
{
  const GArray *axes = axes_of (self, value);
  g_autofree char *from = axes_text (self, axes), *to = axes_text (self, self->frame);

  if (heddle_ids_equal (axes, self->frame) || axes->len == 0)
    g_string_append (self->out, value_word (self, value));
  else
    g_string_append_printf (self->out, "place(%s, %s, %s)", value_word (self, value), from, to);
}

static void
print_index (Reference *self, const char *axis)
{
  const char *word = axis_word (self, axis);
  g_autofree char *to = axes_text (self, self->frame);

  g_string_append_printf (self->out, "place(arange(%s), \"%s\", %s)", word, word, to);
}

/* Prints the number of the current point among those that are reduced. */
static void
print_place (Reference *self)
{
  g_string_append (self->out, "(0.0");
  for (guint i = 0; i < self->operation->axes->len; i++)
    {
      g_string_append (self->out, " + ");
      print_index (self, heddle_ids_index (self->operation->axes, i));
      for (guint k = i + 1; k < self->operation->axes->len; k++)
        g_string_append_printf (
            self->out, " * %s", axis_word (self, heddle_ids_index (self->operation->axes, k)));
    }
  g_string_append_c (self->out, ')');
}

static char *
stage_word (Reference *self, const char *stage)
{
  return g_strdup_printf ("%s.%s", heddle_names_value (self->names, self->operation->result), stage);
}

static void
print_variable (Reference *self, const char *name)
{
  g_autofree char *key = stage_word (self, name);

  if (g_str_equal (name, "place"))
    print_place (self);
  else
    g_string_append (self->out, g_hash_table_lookup (self->words, key));
}

static void
print_leaf (Reference *self, const HeddleExpr *expr)
{
  switch ((guint) heddle_expr_get_kind (expr))
    {
    case HEDDLE_EXPR_NUMBER:
      print_number (self, heddle_expr_get_number (expr));
      return;
    case HEDDLE_EXPR_ARGUMENT:
      print_operand (self, heddle_ids_index (self->operation->operands, heddle_expr_get_operand (expr)));
      return;
    case HEDDLE_EXPR_SIZE:
      g_string_append (self->out, axis_word (self, heddle_expr_get_symbol (expr)));
      return;
    case HEDDLE_EXPR_INDEX:
      print_index (self, heddle_expr_get_symbol (expr));
      return;
    default:
      print_variable (self, heddle_expr_get_symbol (expr));
    }
}

/* Prints a comparison or what joins comparisons; they give 1 and 0. */
static void
print_logic (Reference *self, const HeddleExpr *expr)
{
  HeddleExprKind kind = heddle_expr_get_kind (expr);
  gboolean compares = signs[kind] != NULL;

  g_string_append (self->out, kind == HEDDLE_EXPR_NOT ? "((" : compares ? "((" : "(((");
  print_expr (self, heddle_expr_get_child (expr, 0));
  if (kind == HEDDLE_EXPR_NOT)
    {
      g_string_append (self->out, " == 0) * 1.0)");
      return;
    }
  if (compares)
    g_string_append_printf (self->out, " %s ", signs[kind]);
  else
    g_string_append_printf (self->out, " != 0) %s (", kind == HEDDLE_EXPR_AND ? "&" : "|");
  print_expr (self, heddle_expr_get_child (expr, 1));
  g_string_append (self->out, compares ? ") * 1.0)" : " != 0)) * 1.0)");
}

static void
print_call (Reference *self, const HeddleExpr *expr)
{
  g_string_append_printf (self->out, "%s(", functions[heddle_expr_get_kind (expr)]);
  for (guint i = 0; i < heddle_expr_get_n_children (expr); i++)
    {
      if (i > 0)
        g_string_append (self->out, ", ");
      print_expr (self, heddle_expr_get_child (expr, i));
    }
  g_string_append_c (self->out, ')');
}

static void
print_expr (Reference *self, const HeddleExpr *expr)
{
  HeddleExprKind kind = heddle_expr_get_kind (expr);

  if (heddle_expr_get_n_children (expr) == 0)
    print_leaf (self, expr);
  else if (functions[kind] != NULL)
    print_call (self, expr);
  else if (kind == HEDDLE_EXPR_NEG)
    {
      g_string_append (self->out, "(-");
      print_expr (self, heddle_expr_get_child (expr, 0));
      g_string_append_c (self->out, ')');
    }
  else if (kind == HEDDLE_EXPR_ADD || kind == HEDDLE_EXPR_SUB || kind == HEDDLE_EXPR_MUL
           || kind == HEDDLE_EXPR_DIV)
    {
      g_string_append_c (self->out, '(');
      print_expr (self, heddle_expr_get_child (expr, 0));
      g_string_append_printf (self->out, " %s ", signs[kind]);
      print_expr (self, heddle_expr_get_child (expr, 1));
      g_string_append_c (self->out, ')');
    }
  else
    print_logic (self, expr);
}

/* --- operations ------------------------------------------------------------------------------------- */

static void
begin_line (Reference *self, const char *word)
{
  g_string_append_printf (self->out, "    %s = ", word);
}

/* Prints an expression that is computed in a frame, as an array of the result's axes. */
static void
print_result (Reference *self, const HeddleExpr *expr)
{
  const GArray *axes = axes_of (self, self->operation->result);
  g_autofree char *from = axes_text (self, self->frame), *to = axes_text (self, axes),
                  *shape = shape_text (self, axes);

  begin_line (self, value_word (self, self->operation->result));
  g_string_append (self->out, "spread(");
  if (!heddle_ids_equal (self->frame, axes))
    g_string_append (self->out, "place(");
  print_expr (self, expr);
  if (!heddle_ids_equal (self->frame, axes))
    g_string_append_printf (self->out, ", %s, %s)", from, to);
  g_string_append_printf (self->out, ", %s)\n", shape);
}

static void
print_map (Reference *self)
{
  self->frame = heddle_ids_copy (axes_of (self, self->operation->result));
  print_result (self, self->operation->body);
}

/* Returns the letter of an axis in a call of einsum. */
static char
letter_of (const GArray *axes, const char *axis)
{
  int at = heddle_ids_find (axes, axis);

  return (char) (at < 26 ? 'a' + at : 'A' + at - 26);
}

#define MOST_LETTERS 52

static gboolean
print_contract (Reference *self, GError **error)
{
  const HeddleOperation *operation = self->operation;
  g_autoptr (GArray) axes = heddle_ids_new (), kept = heddle_ids_new ();
  const GArray *wanted = axes_of (self, operation->result);
  g_autofree char *from = NULL, *to = axes_text (self, wanted), *shape = shape_text (self, wanted);

  for (guint i = 0; i < operation->operands->len; i++)
    for (guint k = 0; k < axes_of (self, heddle_ids_index (operation->operands, i))->len; k++)
      heddle_ids_append_once (
          axes, heddle_ids_index (axes_of (self, heddle_ids_index (operation->operands, i)), k));
  if (axes->len > MOST_LETTERS)
    {
      g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
          _ ("“%s” multiplies arrays of more than %u axes, but einsum has only that many letters"),
          value_word (self, operation->result), MOST_LETTERS);
      return FALSE;
    }
  begin_line (self, value_word (self, operation->result));
  for (guint k = 0; k < wanted->len; k++)
    if (heddle_ids_contain (axes, heddle_ids_index (wanted, k)))
      heddle_ids_append (kept, heddle_ids_index (wanted, k));
  g_string_append (self->out, kept->len == wanted->len ? "einsum(\"" : "spread(place(einsum(\"");
  for (guint i = 0; i < operation->operands->len; i++)
    {
      const GArray *own = axes_of (self, heddle_ids_index (operation->operands, i));

      g_string_append (self->out, i > 0 ? "," : "");
      for (guint k = 0; k < own->len; k++)
        g_string_append_c (self->out, letter_of (axes, heddle_ids_index (own, k)));
    }
  g_string_append (self->out, "->");
  for (guint k = 0; k < kept->len; k++)
    g_string_append_c (self->out, letter_of (axes, heddle_ids_index (kept, k)));
  g_string_append_c (self->out, '"');
  for (guint i = 0; i < operation->operands->len; i++)
    g_string_append_printf (self->out, ", %s", value_word (self, heddle_ids_index (operation->operands, i)));
  from = axes_text (self, kept);
  if (g_str_equal (from, to))
    g_string_append_c (self->out, ')');
  else
    g_string_append_printf (self->out, "), %s, %s), %s)", from, to, shape);
  for (guint i = 0; i < operation->axes->len; i++)
    if (!heddle_ids_contain (axes, heddle_ids_index (operation->axes, i)))
      g_string_append_printf (self->out, " * %s", axis_word (self, heddle_ids_index (operation->axes, i)));
  g_string_append_c (self->out, '\n');
  return TRUE;
}

static const char *
enter_stage (Reference *self, const char *stage)
{
  char *key = stage_word (self, stage);
  g_autofree char *wish = g_strdup_printf ("%s_%s", value_word (self, self->operation->result), stage);
  const char *word = fresh_word (self, wish);

  g_hash_table_insert (self->words, key, (gpointer) word);
  return word;
}

/* Returns the name of the mark of a value that is read at indices, which says where they are inside. */
static const char *
mark_of (Reference *self, const char *value)
{
  return g_hash_table_lookup (self->marked, value);
}

static void
print_count (Reference *self)
{
  const char *operand = heddle_ids_index (self->operation->operands, 0);
  g_autofree char *frame = axes_text (self, self->frame), *gone = axes_text (self, self->operation->axes);

  begin_line (self, enter_stage (self, "n"));
  if (mark_of (self, operand) != NULL)
    {
      g_string_append_printf (
          self->out, "over(\"sum\", %s * 1.0, %s, %s)\n", mark_of (self, operand), frame, gone);
      return;
    }
  g_string_append_c (self->out, '1');
  for (guint i = 0; i < self->operation->axes->len; i++)
    g_string_append_printf (
        self->out, " * %s", axis_word (self, heddle_ids_index (self->operation->axes, i)));
  g_string_append_c (self->out, '\n');
}

/* Prints a stage. What is read outside is left out of the reduction. */
static void
print_stage (Reference *self, const HeddleStage *stage)
{
  const char *mark = mark_of (self, heddle_ids_index (self->operation->operands, 0));
  g_autofree char *frame = axes_text (self, self->frame), *gone = axes_text (self, self->operation->axes),
                  *shape = shape_text (self, self->frame);

  begin_line (self, enter_stage (self, stage->name));
  g_string_append_printf (
      self->out, "over(\"%s\", spread(as_array(", heddle_monoid_to_string (stage->monoid));
  if (mark != NULL)
    g_string_append_printf (self->out, "where(%s, ", mark);
  print_expr (self, stage->body);
  if (mark != NULL)
    {
      g_string_append (self->out, ", ");
      print_number (self, heddle_monoid_unit (stage->monoid));
      g_string_append_c (self->out, ')');
    }
  g_string_append_printf (self->out, "), %s), %s, %s)\n", shape, frame, gone);
}

static gboolean
counts (const HeddleTerm *term)
{
  const char *n = g_intern_string ("n");
  gboolean counted = heddle_expr_uses (term->result, HEDDLE_EXPR_VARIABLE, n);

  for (guint i = 0; i < term->n_stages; i++)
    counted = counted || heddle_expr_uses (term->stages[i].body, HEDDLE_EXPR_VARIABLE, n);
  return counted;
}

static void
print_reduce (Reference *self)
{
  g_autoptr (HeddleTerm) term = heddle_term_new_counted (self->operation);

  self->frame = heddle_ids_copy (axes_of (self, heddle_ids_index (self->operation->operands, 0)));
  if (counts (term))
    print_count (self);
  for (guint i = 0; i < term->n_stages; i++)
    print_stage (self, &term->stages[i]);
  print_result (self, term->result);
}

static void
print_reindex (Reference *self)
{
  const HeddleOperation *operation = self->operation;
  const char *from = heddle_ids_index (operation->operands, 0);
  const GArray *axes = axes_of (self, operation->result);
  g_autofree char *shape = shape_text (self, axes), *sizes = shape_text (self, axes_of (self, from));
  g_autofree char *wish = g_strdup_printf ("%s_at", value_word (self, operation->result));
  g_autofree char *inside = g_strdup_printf ("%s_inside", value_word (self, operation->result));
  const char *at = fresh_word (self, wish), *mark = fresh_word (self, inside);

  self->frame = heddle_ids_copy (axes);
  begin_line (self, at);
  g_string_append_c (self->out, '(');
  for (guint i = 0; i < operation->indices->len; i++)
    {
      print_expr (self, g_ptr_array_index (operation->indices, i));
      g_string_append (self->out, ", ");
    }
  g_string_append (self->out, ")\n");
  begin_line (self, mark);
  g_string_append_printf (self->out, "spread(inside(%s, %s), %s)\n", sizes, at, shape);
  begin_line (self, value_word (self, operation->result));
  g_string_append_printf (self->out, "read(%s, %s, %s)\n", value_word (self, from), at, shape);
  g_hash_table_insert (self->marked, (gpointer) operation->result, (gpointer) mark);
}

static void
print_concat (Reference *self)
{
  const HeddleValue *result = heddle_diagram_get_value (self->diagram, self->operation->result);
  const char *along = heddle_ids_index (self->operation->axes, 0);
  g_autofree char *shape = shape_text (self, result->axes), *to = axes_text (self, result->axes);

  begin_line (self, value_word (self, result->id));
  g_string_append (self->out, "join([");
  for (guint i = 0; i < self->operation->operands->len; i++)
    {
      const HeddleValue *operand
          = heddle_diagram_get_value (self->diagram, heddle_ids_index (self->operation->operands, i));
      const char *own = heddle_concat_own_axis (result, operand);
      g_autoptr (GArray) axes = heddle_ids_new ();
      g_autofree char *from = NULL;

      for (guint k = 0; k < operand->axes->len; k++)
        heddle_ids_append (
            axes, heddle_ids_index (operand->axes, k) == own ? along : heddle_ids_index (operand->axes, k));
      from = axes_text (self, axes);
      g_string_append_printf (
          self->out, "%splace(%s, %s, %s)", i > 0 ? ", " : "", value_word (self, operand->id), from, to);
    }
  g_string_append_printf (self->out, "], %d, %s)\n", heddle_ids_find (result->axes, along), shape);
}

static void
print_scan (Reference *self)
{
  const HeddleScanRow *row = &self->operation->kind->scan;
  g_autoptr (HeddleExpr) factor = heddle_expr_literal (row->factor), term = heddle_expr_literal (row->term);
  const GArray *axes = axes_of (self, self->operation->result);
  g_autofree char *shape = shape_text (self, axes);

  self->frame = heddle_ids_copy (axes);
  begin_line (self, value_word (self, self->operation->result));
  g_string_append (self->out, "scan(");
  print_expr (self, factor);
  g_string_append (self->out, ", ");
  print_expr (self, term);
  g_string_append_printf (
      self->out, ", %d, %s)\n", heddle_ids_find (axes, heddle_ids_index (self->operation->axes, 0)), shape);
}

static void
print_select (Reference *self)
{
  const char *operand = heddle_ids_index (self->operation->operands, 0),
             *from = heddle_ids_index (self->operation->axes, 0),
             *to = heddle_ids_index (self->operation->axes, 1);
  const GArray *axes = axes_of (self, self->operation->result);
  g_autoptr (GArray) own = heddle_ids_copy (axes_of (self, operand));
  int at = heddle_ids_find (own, from);
  g_autofree char *before = NULL, *after = axes_text (self, axes);

  g_array_index (own, const char *, at) = to;
  before = axes_text (self, own);
  begin_line (self, value_word (self, self->operation->result));
  g_string_append_printf (self->out, "place(places_of_largest(%s, %d, %s), %s, %s)\n",
      value_word (self, operand), at, axis_word (self, to), before, after);
}

/* Prints what a step of a scan takes besides its states: operands at the place, or whole. */
static void
print_step_operands (Reference *self, const HeddleDiagram *step, const char *at)
{
  g_autoptr (GArray) formals = heddle_diagram_get_formals (step);

  for (guint i = heddle_operation_n_results (self->operation); i < formals->len; i++)
    {
      const char *operand = heddle_ids_index (self->operation->operands, i);
      const guint own = heddle_diagram_get_value (step, heddle_ids_index (formals, i))->axes->len;

      g_string_append_printf (self->out, ", %s", value_word (self, operand));
      if (axes_of (self, operand)->len > own)
        g_string_append_printf (self->out, "[%s]", at);
    }
}

/* Prints a scan as a loop that calls its step and keeps its states. */
static void
print_loop (Reference *self, const HeddleDiagram *step)
{
  const char *at = fresh_word (self, "at");
  const guint n = heddle_operation_n_results (self->operation);
  g_autoptr (GString) states = g_string_new (NULL), first = g_string_new (NULL), keep = g_string_new (NULL),
                      lists = g_string_new (NULL), made = g_string_new (NULL), joined = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      const char *result = value_word (self, heddle_operation_get_result (self->operation, i)),
                 *comma = i > 0 ? ", " : "";
      g_autofree char *wish = g_strconcat (result, "_now", NULL),
                      *list_wish = g_strconcat (result, "_all", NULL);
      const char *state = fresh_word (self, wish), *list = fresh_word (self, list_wish);

      g_string_append_printf (states, "%s%s", comma, state);
      g_string_append_printf (
          first, "%s%s", comma, value_word (self, heddle_ids_index (self->operation->operands, i)));
      g_string_append_printf (lists, "%s%s", comma, list);
      g_string_append_printf (made, "%s[]", comma);
      g_string_append_printf (keep, "        %s.append(%s)\n", list, state);
      g_string_append_printf (joined, "    %s = stack(%s, 0)\n", result, list);
    }
  g_string_append_printf (self->out, "    %s = %s\n    %s = %s\n    for %s in range(%s):\n        %s = %s(%s",
      states->str, first->str, lists->str, made->str, at,
      axis_word (self, heddle_ids_index (self->operation->axes, 0)), states->str,
      (const char *) g_hash_table_lookup (self->functions, step->id), states->str);
  print_step_operands (self, step, at);
  g_string_append_printf (self->out, ")\n%s%s", keep->str, joined->str);
}

/* Prints a call, which is a scan unless nobody knows what is called. */
static gboolean
print_call_of_step (Reference *self, GError **error)
{
  const HeddleDiagram *step = heddle_snapshot_get_diagram_by_id (self->snapshot, self->operation->callee);
  g_autofree char *label = heddle_diagram_value_label (self->diagram, self->operation->result);

  if (step != NULL && self->operation->axes->len == 1)
    print_loop (self, step);
  else
    g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
        _ ("%s comes from a box, and what that does is not known"), label);
  return step != NULL && self->operation->axes->len == 1;
}

static gboolean
print_form (Reference *self, GError **error)
{
  switch (self->operation->kind->form)
    {
    case HEDDLE_FORM_MAP:
      print_map (self);
      return TRUE;
    case HEDDLE_FORM_CONTRACT:
      return print_contract (self, error);
    case HEDDLE_FORM_REDUCE:
    case HEDDLE_FORM_NORMALISE:
      print_reduce (self);
      return TRUE;
    case HEDDLE_FORM_REINDEX:
      print_reindex (self);
      return TRUE;
    case HEDDLE_FORM_CONCAT:
      print_concat (self);
      return TRUE;
    case HEDDLE_FORM_SCAN:
      print_scan (self);
      return TRUE;
    case HEDDLE_FORM_CALL:
      return print_call_of_step (self, error);
    default:
      print_select (self);
      return TRUE;
    }
}

static gboolean
print_operation (Reference *self, const HeddleOperation *operation, GError **error)
{
  gboolean good;

  self->operation = operation;
  good = print_form (self, error);
  g_clear_pointer (&self->frame, g_array_unref);
  return good;
}

/* --- the whole ------------------------------------------------------------------------------------- */

static void
print_section (Reference *self, const char *library)
{
  g_autoptr (GBytes) file = g_resource_lookup_data (heddle_device_get_resource (),
      "/io/github/heddle/Heddle/device/reference.py", G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autofree char *text = g_strndup (g_bytes_get_data (file, NULL), g_bytes_get_size (file)),
                  *mark = g_strdup_printf ("# --- %s ---\n", library);
  const char *begin = strstr (text, mark) + strlen (mark), *end = strstr (begin, "# --- ");

  g_string_append_len (self->out, begin, end != NULL ? end - begin : (gssize) strlen (begin));
}

static void
print_head (Reference *self, const char *equations)
{
  g_auto (GStrv) lines = g_strsplit_set (equations, "\n\r\f\v", -1);

  g_string_append_printf (
      self->out, "# Reference code made by Heddle %s of this diagram:\n#\n", HEDDLE_VERSION);
  for (guint i = 0; lines[i] != NULL; i++)
    g_string_append_printf (self->out, "#%s%s\n", *lines[i] != '\0' ? "   " : "", lines[i]);
}

/* Prints the sizes of the axes: each is that of an array that is read, else what the diagram says. */
static void
print_sizes (Reference *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (self->diagram->values, i);

      for (guint k = 0; value->role != HEDDLE_ROLE_INTERMEDIATE && k < value->axes->len; k++)
        if (g_hash_table_add (known, (gpointer) heddle_ids_index (value->axes, k)))
          g_string_append_printf (self->out, "    %s = %s.shape[%u]\n",
              axis_word (self, heddle_ids_index (value->axes, k)), value_word (self, value->id), k);
    }
  for (guint i = 0; i < self->diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->diagram->axes, i);

      if (!g_hash_table_contains (known, axis->id))
        g_string_append_printf (self->out, "    %s = %" G_GINT64_FORMAT "\n", axis_word (self, axis->id),
            heddle_sizes_get (self->sizes, axis->id));
    }
}

static gboolean
print_arguments (Reference *self, gboolean inputs, gboolean any)
{
  for (guint i = 0; i < self->diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (self->diagram->values, i);

      if (value->role == HEDDLE_ROLE_INTERMEDIATE || (value->role == HEDDLE_ROLE_INPUT) != inputs)
        continue;
      g_string_append_printf (self->out, "%s%s", any ? ", " : "", value_word (self, value->id));
      any = TRUE;
    }
  return any;
}

/* Prints the head of a function. @formals are what it takes, in order; NULL: its inputs, then its parameters. */
static void
print_function (Reference *self, const char *name, const GArray *formals)
{
  g_string_append_printf (self->out, "\n\ndef %s(", name);
  for (guint i = 0; formals != NULL && i < formals->len; i++)
    g_string_append_printf (
        self->out, "%s%s", i > 0 ? ", " : "", value_word (self, heddle_ids_index (formals, i)));
  if (formals == NULL)
    print_arguments (self, FALSE, print_arguments (self, TRUE, FALSE));
  g_string_append (self->out, "):\n");
  print_sizes (self);
}

static gboolean
print_body (Reference *self, GError **error)
{
  g_autoptr (GArray) outputs = heddle_diagram_get_outputs (self->diagram);

  for (guint i = 0; i < self->diagram->operations->len; i++)
    if (!print_operation (self, g_ptr_array_index (self->diagram->operations, i), error))
      return FALSE;
  g_string_append (self->out, "    return ");
  for (guint i = 0; i < outputs->len; i++)
    g_string_append_printf (
        self->out, "%s%s", i > 0 ? ", " : "", value_word (self, heddle_ids_index (outputs, i)));
  g_string_append_c (self->out, '\n');
  return TRUE;
}

gboolean
heddle_codegen_reference_is_for (const char *library)
{
  return g_str_equal (library, "numpy") || g_str_equal (library, "jax") || g_str_equal (library, "torch");
}

/* Prints a function for @diagram, called @name, that takes @formals, or all that is read where that is NULL. */
static gboolean
print_diagram (
    Reference *self, const HeddleDiagram *diagram, const char *name, const GArray *formals, GError **error)
{
  g_autoptr (HeddleDiagram) ordered = heddle_diagram_copy (diagram);
  g_autoptr (HeddleNames) names = heddle_names_new (ordered, NULL);
  g_autoptr (GHashTable) words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) marked = g_hash_table_new (NULL, NULL);
  Reference inner = *self;
  GHashTableIter iter;
  gpointer function;

  heddle_diagram_put_in_order (ordered);
  inner.diagram = ordered;
  inner.names = names;
  inner.words = words;
  inner.taken = taken;
  inner.marked = marked;
  g_hash_table_iter_init (&iter, self->functions);
  while (g_hash_table_iter_next (&iter, NULL, &function))
    g_hash_table_add (taken, g_strdup (function));
  print_function (&inner, name, formals);
  return print_body (&inner, error);
}

/* Prints the functions of the steps of all scans, which @self learns. */
static gboolean
print_steps (Reference *self, const HeddleDiagram *main, GError **error)
{
  for (guint i = 0; i < self->snapshot->diagrams->len; i++)
    {
      const HeddleDiagram *step = g_ptr_array_index (self->snapshot->diagrams, i);
      g_autofree char *name = heddle_c_function (step->name);

      g_hash_table_insert (self->functions, (gpointer) step->id, (gpointer) fresh_word (self, name));
    }
  for (guint i = 0; i < self->snapshot->diagrams->len; i++)
    {
      const HeddleDiagram *step = g_ptr_array_index (self->snapshot->diagrams, i);
      g_autoptr (GArray) formals = heddle_diagram_get_formals (step);
      g_autoptr (HeddleSizes) sizes = step != main ? heddle_sizes_new (step, NULL, error) : NULL;
      Reference inner = *self;

      inner.sizes = sizes;
      if (step == main)
        continue;
      if (sizes == NULL
          || !print_diagram (&inner, step, g_hash_table_lookup (self->functions, step->id), formals, error))
        return FALSE;
    }
  return TRUE;
}

char *
heddle_codegen_reference (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram,
    const HeddleSizes *sizes, const char *library, const char *equations, GError **error)
{
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Reference self = {
    .snapshot = snapshot, .sizes = sizes, .taken = taken, .functions = known, .out = g_string_new (NULL)
  };
  gboolean good;

  g_return_val_if_fail (heddle_codegen_reference_is_for (library), NULL);

  print_head (&self, equations);
  print_section (&self, library);
  print_section (&self, "all");
  good = print_steps (&self, diagram, error)
         && print_diagram (&self, diagram, g_hash_table_lookup (known, diagram->id), NULL, error);
  return g_string_free (self.out, !good);
}
