/* SPDX-License-Identifier: MIT */
#include "diagram/expression/evaluate.h"
#include "diagram/expression/kind.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/operation-table.h"
#include "figure/layout/box.h"
#include "figure/layout/combine.h"
#include "figure/layout/graph.h"
#include "figure/layout/node-title.h"
#include "figure/layout/source.h"
#include "figure/typeset/math-expr.h"

#include <math.h>
#include <string.h>

/* This is written on operations. A formula that would widen its column is broken into lines where a reader
 * would break it. */

#define WIDEST 118. /* px of a formula in one line */
#define FORMULA_SIZE 15.
#define IN_SIGHT 4 /* columns */

typedef struct
{
  const HeddleDiagram *diagram;
  const char *const *names; /* of the operands; NULL: a dot */
  guint n;
  const HeddleExpr *whole; /* the body */
} Names;

/* --- lines ----------------------------------------------------------------------------------------- */

static char *
print (const Names *names, const HeddleExpr *expr)
{
  return heddle_math_from_part (expr, names->whole, names->diagram, names->names, names->n);
}

static const char *
breaking_sign (HeddleExprKind kind)
{
  switch (kind)
    {
    case HEDDLE_EXPR_ADD:
      return "+ ";
    case HEDDLE_EXPR_SUB:
      return "- ";
    case HEDDLE_EXPR_AND:
      return "{\\wedge} ";
    case HEDDLE_EXPR_OR:
      return "{\\vee} ";
    default:
      return NULL;
    }
}

static void append_lines (GString *lines, const Names *names, const HeddleExpr *expr);
static char *print_in_lines (const Names *names, const HeddleExpr *expr);

/* Another line, or the same if both have room in it. */
static void
append_piece (GString *lines, const char *sign, const char *piece)
{
  const char *last = strrchr (lines->str, '\n');
  g_autofree char *joined = g_strdup_printf ("%s %s%s", last != NULL ? last + 1 : lines->str, sign, piece);
  const gboolean fits = heddle_title_width (joined, HEDDLE_FONT_MATH, FORMULA_SIZE) <= WIDEST;

  g_string_append_printf (lines, "%s%s%s", fits ? " " : "\n", sign, piece);
}

/* Prints one side of a sign: in parentheses, and in one line, where it would not be read as one. */
static char *
print_term (const Names *names, const HeddleExpr *expr, guint least)
{
  if (heddle_expr_kind_info (heddle_expr_get_kind (expr))->precedence >= least)
    return print_in_lines (names, expr);
  g_autofree char *plain = print (names, expr);
  return g_strdup_printf ("(%s)", plain);
}

static void
append_where (GString *lines, const Names *names, const HeddleExpr *expr)
{
  g_autofree char *when = print (names, heddle_expr_get_child (expr, 0));
  g_autofree char *then = print (names, heddle_expr_get_child (expr, 1));
  g_autofree char *otherwise = print (names, heddle_expr_get_child (expr, 2));
  double value;

  if (heddle_expr_evaluate (heddle_expr_get_child (expr, 2), NULL, NULL, &value, NULL) && value == -INFINITY)
    {
      append_lines (lines, names, heddle_expr_get_child (expr, 1));
      g_string_append_printf (lines, "\n\\mathrm{if}\\ %s", when);
      return;
    }
  g_string_append_printf (lines, "\\mathrm{where}(%s,\n%s,\\,%s)", when, then, otherwise);
}

static void
append_lines (GString *lines, const Names *names, const HeddleExpr *expr)
{
  const HeddleExprKind kind = heddle_expr_get_kind (expr);
  g_autofree char *plain = print (names, expr);

  if (kind == HEDDLE_EXPR_WHERE && heddle_title_width (plain, HEDDLE_FONT_MATH, FORMULA_SIZE) > WIDEST)
    append_where (lines, names, expr);
  else if (breaking_sign (kind) != NULL && heddle_expr_get_n_children (expr) == 2
           && heddle_title_width (plain, HEDDLE_FONT_MATH, FORMULA_SIZE) > WIDEST)
    {
      const guint precedence = heddle_expr_kind_info (kind)->precedence;
      g_autofree char *first = print_term (names, heddle_expr_get_child (expr, 0), precedence);
      g_autofree char *second = print_term (names, heddle_expr_get_child (expr, 1), precedence + 1);
      g_string_append (lines, first);
      append_piece (lines, breaking_sign (kind), second);
    }
  else
    g_string_append (lines, plain);
}

static char *
print_in_lines (const Names *names, const HeddleExpr *expr)
{
  GString *lines = g_string_new (NULL);

  append_lines (lines, names, expr);
  return g_string_free (lines, FALSE);
}

/* --- what is done to values --------------------------------------------------------------------------- */

static gboolean
is_argument (const HeddleExpr *expr)
{
  return heddle_expr_get_kind (expr) == HEDDLE_EXPR_ARGUMENT;
}

/* Returns what is done to the one operand, as "* c", "+ b", "exp"; NULL means that only the whole body says
 * it. */
static char *
short_body (const Names *names, const HeddleExpr *body, guint wired)
{
  static const struct
  {
    HeddleExprKind kind;
    const char *sign;
    gboolean commutes;
  } signs[] = {
    { HEDDLE_EXPR_MUL, "*", TRUE },
    { HEDDLE_EXPR_DIV, "/", FALSE },
    { HEDDLE_EXPR_ADD, "+", TRUE },
    { HEDDLE_EXPR_SUB, "-", FALSE },
  };
  const HeddleExprKind kind = heddle_expr_get_kind (body);

  if (heddle_expr_get_n_children (body) == 1 && is_argument (heddle_expr_get_child (body, 0))
      && heddle_expr_kind_info (kind)->is_function)
    return g_strdup_printf ("\\mathrm{%s}", heddle_expr_kind_info (kind)->name);
  for (gsize i = 0; i < G_N_ELEMENTS (signs); i++)
    if (signs[i].kind == kind)
      for (guint side = 0; side < 2; side++)
        {
          const HeddleExpr *argument = heddle_expr_get_child (body, side),
                           *rest = heddle_expr_get_child (body, 1 - side);
          if (!is_argument (argument) || heddle_expr_get_operand (argument) != wired
              || (side == 1 && !signs[i].commutes))
            continue;
          g_autofree char *text = print (names, rest);
          const gboolean compound = heddle_expr_kind_info (heddle_expr_get_kind (rest))->precedence <= 6;
          return g_strdup_printf (compound ? "%s (%s)" : "%s %s", signs[i].sign, text);
        }
  return NULL;
}

const char *
heddle_map_sign (const HeddleExpr *body)
{
  if (heddle_expr_get_n_children (body) != 2 || !is_argument (heddle_expr_get_child (body, 0))
      || !is_argument (heddle_expr_get_child (body, 1)))
    return NULL;
  switch (heddle_expr_get_kind (body))
    {
    case HEDDLE_EXPR_ADD:
      return "\\mathbf{+}";
    case HEDDLE_EXPR_SUB:
      return "\\mathbf{-}";
    case HEDDLE_EXPR_MUL:
      return "\\mathbf{\\times}";
    case HEDDLE_EXPR_DIV:
      return "\\mathbf{/}";
    default:
      return NULL;
    }
}

/* Returns whether it is where (predicate of indices, f ($0), otherwise). */
static gboolean
is_choice (const HeddleExpr *body, double otherwise)
{
  double value = 0.;

  return body != NULL && heddle_expr_get_kind (body) == HEDDLE_EXPR_WHERE
         && heddle_expr_evaluate (heddle_expr_get_child (body, 2), NULL, NULL, &value, NULL)
         && value == otherwise && heddle_expr_uses (heddle_expr_get_child (body, 0), HEDDLE_EXPR_INDEX, NULL)
         && heddle_expr_count (heddle_expr_get_child (body, 0), HEDDLE_EXPR_ARGUMENT) == 0
         && heddle_expr_count (heddle_expr_get_child (body, 1), HEDDLE_EXPR_ARGUMENT) > 0
         && !heddle_expr_uses (heddle_expr_get_child (body, 1), HEDDLE_EXPR_INDEX, NULL);
}

gboolean
heddle_map_is_mask (const HeddleExpr *body)
{
  return is_choice (body, -INFINITY);
}

/* Returns what is kept, and what is done to it. */
static char *
mask_title (const Names *names, const HeddleExpr *body, guint wired)
{
  const HeddleExpr *kept = heddle_expr_get_child (body, 1);
  g_autofree char *when = print_in_lines (names, heddle_expr_get_child (body, 0));
  g_autofree char *done = short_body (names, kept, wired);

  if (is_argument (kept))
    return g_steal_pointer (&when);
  return done != NULL ? g_strdup_printf ("%s\n%s", when, done) : print_in_lines (names, body);
}

/* Returns Iverson's bracket: what is left out is 0. */
static char *
indicator_title (const Names *names, const HeddleExpr *body)
{
  g_autofree char *when = print (names, heddle_expr_get_child (body, 0));

  return g_strdup_printf ("* [\\,%s\\,]", when);
}

static char *
formula (const Names *names, const HeddleExpr *body, HeddleShape shape, guint wired)
{
  char *title = NULL;

  if (shape == HEDDLE_SHAPE_MASK)
    return mask_title (names, body, wired);
  if (shape == HEDDLE_SHAPE_JOIN)
    title = g_strdup (heddle_map_sign (body));
  else if (is_choice (body, 0.) && is_argument (heddle_expr_get_child (body, 1)))
    title = indicator_title (names, body);
  else
    title = short_body (names, body, wired);
  return title != NULL ? title : print_in_lines (names, body);
}

/* --- which operand is which ----------------------------------------------------------------------------- */

/* Returns whether @expr is a sum (or a product) of nothing but operands. */
static gboolean
is_chain (const HeddleExpr *expr, HeddleExprKind kind)
{
  return is_argument (expr)
         || (heddle_expr_get_kind (expr) == kind && is_chain (heddle_expr_get_child (expr, 0), kind)
             && is_chain (heddle_expr_get_child (expr, 1), kind));
}

/* Returns whether a reader has to know which wire is which operand: not in a function of their sum or of
 * their product, nor under a sign alone. */
static gboolean
tells_operands (const HeddleExpr *body)
{
  if (heddle_map_sign (body) != NULL)
    return FALSE;
  while (heddle_expr_get_n_children (body) == 1)
    body = heddle_expr_get_child (body, 0);
  return !is_chain (body, HEDDLE_EXPR_ADD) && !is_chain (body, HEDDLE_EXPR_MUL);
}

static gboolean
is_named (const HeddleLayout *self, const char *value)
{
  const char *name = heddle_diagram_get_value (self->diagram, value)->name;

  return name != NULL && *name != '\0';
}

/* A Greek letter for the operands that have no name of their own. */
static const char *
letter_for (const HeddleLayout *self, const HeddleOperation *operation, guint operand)
{
  static const char *const letters[] = { "\\alpha", "\\beta", "\\gamma", "\\delta", "\\epsilon", "\\zeta" };
  guint n = 0;

  for (guint i = 0; i < operand; i++)
    {
      const char *id = heddle_ids_index (operation->operands, i);
      n += !is_named (self, id) && !g_hash_table_contains (self->inlined, id);
    }
  return n < G_N_ELEMENTS (letters) ? letters[n] : NULL;
}

/* The name under which the formula speaks of an operand; NULL: it needs none, or it is an author's own. */
static const char *
operand_name (const HeddleLayout *self, const HeddleOperation *operation, guint operand)
{
  const char *id = heddle_ids_index (operation->operands, operand);

  if (operation->kind->form != HEDDLE_FORM_MAP || operation->body == NULL || !tells_operands (operation->body)
      || g_hash_table_contains (self->inlined, id) || heddle_layout_own_label (self, operation->id) != NULL)
    return NULL;
  return is_named (self, id) ? heddle_diagram_get_value (self->diagram, id)->name
                             : letter_for (self, operation, operand);
}

/* Returns whether the value's name stands at the beginning of the wire, near by. */
static gboolean
is_in_sight (const HeddleLayout *self, const HeddleMember *member)
{
  const gboolean begins
      = member->start == HEDDLE_START_LOAD
        || (member->start == HEDDLE_START_INPUT && g_hash_table_contains (self->named_inputs, member->value));

  return begins && member->to - member->from < IN_SIGHT;
}

const char *
heddle_figure_node_port (const HeddleLayout *self, const HeddleFigureNode *node, guint i)
{
  const HeddleMember *member = heddle_figure_node_member (self, node, i);

  if (node->shape != HEDDLE_SHAPE_JOIN || node->turns != NULL || is_in_sight (self, member))
    return NULL;
  return operand_name (self, node->operation, member->slot);
}

static char *
map_title (const HeddleLayout *self, const HeddleOperation *operation, HeddleShape shape)
{
  const guint n = operation->operands->len;
  g_autofree const char **given = g_new0 (const char *, n + 1);
  const Names names = { self->diagram, given, n, operation->body };
  guint wired = 0;

  if (operation->body == NULL)
    return g_strdup ("f");
  for (guint i = 0; i < n; i++)
    {
      const char *id = heddle_ids_index (operation->operands, i);
      if (shape != HEDDLE_SHAPE_JOIN && !g_hash_table_contains (self->inlined, id))
        wired = i;
      else
        given[i] = heddle_diagram_get_value (self->diagram, id)->name; /* unnamed: a dot */
      if (shape == HEDDLE_SHAPE_JOIN && operand_name (self, operation, i) != NULL)
        given[i] = operand_name (self, operation, i);
    }
  return formula (&names, operation->body, shape, wired);
}

/* Returns what the parameter's name says beyond being that of a linear map, newly allocated: Q of W_Q and of W_{Q},
 * 2 of W_2, W2 and L_2, nothing of L. */
static char *
linear_index (const char *name)
{
  const char *rest = name;

  if (g_str_equal (name, "L"))
    return g_strdup ("");
  if ((name[0] == 'W' || name[0] == 'L') && name[1] == '_')
    rest = name + 2;
  else if ((name[0] == 'W' || name[0] == 'L') && g_ascii_isdigit (name[1]))
    rest = name + 1;
  return rest[0] == '{' && g_str_has_suffix (rest, "}") ? g_strndup (rest + 1, strlen (rest) - 2)
                                                        : g_strdup (rest);
}

/* Returns L with a word or a letter of the parameter's name on top, or with its number below: a number on top would
 * be a power. */
static char *
linear_title (const HeddleLayout *self, const HeddleOperation *operation, int parameter)
{
  const char *id = heddle_ids_index (operation->operands, parameter);
  g_autofree char *name = heddle_layout_value_label (self, id), *index = linear_index (name);

  if (index[0] == '\0')
    return g_strdup ("\\mathbf{L}");
  return g_strdup_printf (
      strspn (index, "0123456789") == strlen (index) ? "\\mathbf{L}_{%s}" : "\\mathbf{L}^{%s}", index);
}

char *
heddle_figure_node_title (
    const HeddleLayout *self, const HeddleOperation *operation, HeddleShape shape, int parameter)
{
  const gboolean pools
      = shape == HEDDLE_SHAPE_REDUCE && heddle_layout_look (self, operation) == HEDDLE_LOOK_WINDOW;

  if (heddle_layout_own_label (self, operation->id) != NULL
      && !pools) /* that of a pooling is how much it takes in */
    return g_strdup (heddle_layout_own_label (self, operation->id));
  if (operation->kind->form == HEDDLE_FORM_CALL)
    return heddle_call_title (self, operation);
  switch (shape)
    {
    case HEDDLE_SHAPE_LINEAR:
      return linear_title (self, operation, parameter);
    case HEDDLE_SHAPE_FLOAT:
    case HEDDLE_SHAPE_JOIN:
    case HEDDLE_SHAPE_MASK:
      return map_title (self, operation, shape);
    case HEDDLE_SHAPE_NORMALISE:
      if (!g_str_equal (operation->kind->id, "softmax"))
        return g_strdup (operation->kind->title);
      return g_strdup (self->figure->slim ? NULL : "SoftMax");
    case HEDDLE_SHAPE_SOURCE:
      return heddle_source_title (self, operation);
    case HEDDLE_SHAPE_COMBINE:
      return heddle_combine_title (self, operation);
    case HEDDLE_SHAPE_REDUCE:
      return g_str_equal (operation->kind->id, "sum") ? NULL : g_strdup (operation->kind->id);
    case HEDDLE_SHAPE_BOX:
      return operation->kind->form == HEDDLE_FORM_MAP
                 ? map_title (self, operation, HEDDLE_SHAPE_FLOAT)
                 : g_strdup_printf ("\\mathsf{%s}", operation->kind->title);
    default:
      return NULL;
    }
}
