/* SPDX-License-Identifier: MIT */
#include "codegen/base/names.h"
#include "codegen/module/python-size.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/tree.h"
#include "diagram/graph/diagram.h"

/* The size of an axis that follows from others', in Python. */

static gboolean print (const HeddleModule *names, const HeddleExpr *expr, gboolean up, GString *out);

/* Prints a quotient. Sizes are whole: it is exact, or rounded as it is asked to be. */
static gboolean
print_quotient (const HeddleModule *names, const HeddleExpr *expr, gboolean up, GString *out)
{
  gboolean good;

  g_string_append (out, up ? "-(-" : "(");
  good = print (names, heddle_expr_get_child (expr, 0), FALSE, out);
  g_string_append (out, " // ");
  good = good && print (names, heddle_expr_get_child (expr, 1), FALSE, out);
  g_string_append (out, ")");
  return good;
}

static gboolean
print_two (const HeddleModule *names, const HeddleExpr *expr, const char *sign, GString *out)
{
  gboolean good;

  g_string_append (out, "(");
  good = print (names, heddle_expr_get_child (expr, 0), FALSE, out);
  g_string_append_printf (out, " %s ", sign);
  good = good && print (names, heddle_expr_get_child (expr, 1), FALSE, out);
  g_string_append (out, ")");
  return good;
}

static gboolean
print_leaf (const HeddleModule *names, const HeddleExpr *expr, GString *out)
{
  double number;

  if (heddle_expr_get_kind (expr) == HEDDLE_EXPR_SIZE)
    {
      g_string_append_printf (
          out, "sizes[\"%s\"]", heddle_names_axis (names->names, heddle_expr_get_symbol (expr)));
      return TRUE;
    }
  number = heddle_expr_get_number (expr);
  g_string_append_printf (out, "%" G_GINT64_FORMAT, (gint64) number);
  return number == (double) (gint64) number;
}

/* Prints the expression; with @up a quotient is rounded up. */
static gboolean
print (const HeddleModule *names, const HeddleExpr *expr, gboolean up, GString *out)
{
  switch ((guint) heddle_expr_get_kind (expr))
    {
    case HEDDLE_EXPR_NUMBER:
    case HEDDLE_EXPR_SIZE:
      return print_leaf (names, expr, out);
    case HEDDLE_EXPR_ADD:
      return print_two (names, expr, "+", out);
    case HEDDLE_EXPR_SUB:
      return print_two (names, expr, "-", out);
    case HEDDLE_EXPR_MUL:
      return print_two (names, expr, "*", out);
    case HEDDLE_EXPR_MOD:
      return print_two (names, expr, "%", out);
    case HEDDLE_EXPR_DIV:
      return print_quotient (names, expr, up, out);
    case HEDDLE_EXPR_FLOOR:
    case HEDDLE_EXPR_CEIL:
      return print (
          names, heddle_expr_get_child (expr, 0), heddle_expr_get_kind (expr) == HEDDLE_EXPR_CEIL, out);
    default:
      return FALSE;
    }
}

/* The test whether every size in an expression is known: an axis of an array that is read, or a constant. */
typedef struct
{
  const HeddleModule *module;
  const GArray *known;
  gboolean some;
} Sizes;

static gboolean
is_known (const HeddleExpr *node, gpointer data)
{
  Sizes *self = data;

  if (heddle_expr_get_kind (node) != HEDDLE_EXPR_SIZE)
    return TRUE;
  self->some = TRUE;
  return heddle_ids_contain (self->known, heddle_expr_get_symbol (node));
}

/* Returns the size of an axis in Python by those of the @known axes; %NULL if it does not follow from
 * them. */
char *
heddle_python_size (const HeddleModule *module, const char *axis, const GArray *known)
{
  const HeddleExpr *size = heddle_diagram_get_axis (module->diagram, axis)->size;
  g_autoptr (GString) out = g_string_new (NULL);
  Sizes sizes = { module, known, FALSE };

  if (size == NULL || !heddle_expr_walk (size, is_known, &sizes) || !sizes.some
      || !print (module, size, FALSE, out))
    return NULL;
  return g_string_free (g_steal_pointer (&out), FALSE);
}
