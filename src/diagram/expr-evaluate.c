/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "diagram/error.h"
#include "diagram/expr-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* --- the meaning of each kind --------------------------------------------------------- */

static double
sigmoid (double x)
{
  double e = exp (-fabs (x));

  return x >= 0. ? 1. / (1. + e) : e / (1. + e);
}

/* x times a weight that goes to 0 faster than x to -inf. */
static double
gated (double x, double weight)
{
  return x == -INFINITY ? 0. : x * weight;
}

/* The remainder with the sign of the divisor, as in Python: indices wrap around. */
static double
modulo (double a, double b)
{
  double remainder = fmod (a, b);

  return remainder != 0. && (remainder < 0.) != (b < 0.) ? remainder + b : remainder;
}

/* The greater one; NaN where there is one, which fmax() would hide. */
static double
maximum (double a, double b)
{
  if (isnan (a) || isnan (b))
    return NAN;
  return a > b ? a : b;
}

/**
 * heddle_expr_apply:
 * @kind: a kind with children
 * @arguments: as many values as it has children
 *
 * One application of @kind: the single definition of every function's meaning. Predicates give 0 or 1 and take anything but 0
 * as true; `gelu` is x Phi (x) with the error function (Hendrycks & Gimpel, arXiv 1606.08415), not its tanh approximation; `min`
 * and `max` pass NaN on; `mod` has the sign of the divisor.
 *
 * Returns: the value
 */
double
heddle_expr_apply (HeddleExprKind kind, const double *arguments)
{
  double a, b;

  g_return_val_if_fail (kind < HEDDLE_N_EXPR_KINDS && heddle_expr_kind_info (kind)->arity > 0, NAN);

  a = arguments[0];
  b = heddle_expr_kind_info (kind)->arity > 1 ? arguments[1] : 0.;
  switch (kind)
    {
    case HEDDLE_EXPR_NEG:
      return -a;
    case HEDDLE_EXPR_NOT:
      return a == 0.;
    case HEDDLE_EXPR_EXP:
      return exp (a);
    case HEDDLE_EXPR_LOG:
      return log (a);
    case HEDDLE_EXPR_SQRT:
      return sqrt (a);
    case HEDDLE_EXPR_RSQRT:
      return 1. / sqrt (a);
    case HEDDLE_EXPR_SIN:
      return sin (a);
    case HEDDLE_EXPR_COS:
      return cos (a);
    case HEDDLE_EXPR_TANH:
      return tanh (a);
    case HEDDLE_EXPR_ERF:
      return erf (a);
    case HEDDLE_EXPR_SIGMOID:
      return sigmoid (a);
    case HEDDLE_EXPR_RELU:
      return maximum (a, 0.);
    case HEDDLE_EXPR_GELU:
      return gated (a, 0.5 * erfc (-a * G_SQRT2 / 2.));
    case HEDDLE_EXPR_SILU:
      return gated (a, sigmoid (a));
    case HEDDLE_EXPR_ABS:
      return fabs (a);
    case HEDDLE_EXPR_FLOOR:
      return floor (a);
    case HEDDLE_EXPR_CEIL:
      return ceil (a);
    case HEDDLE_EXPR_ADD:
      return a + b;
    case HEDDLE_EXPR_SUB:
      return a - b;
    case HEDDLE_EXPR_MUL:
      return a * b;
    case HEDDLE_EXPR_DIV:
      return a / b;
    case HEDDLE_EXPR_POW:
      return pow (a, b);
    case HEDDLE_EXPR_MOD:
      return modulo (a, b);
    case HEDDLE_EXPR_MIN:
      return -maximum (-a, -b);
    case HEDDLE_EXPR_MAX:
      return maximum (a, b);
    case HEDDLE_EXPR_LT:
      return a < b;
    case HEDDLE_EXPR_LE:
      return a <= b;
    case HEDDLE_EXPR_GT:
      return a > b;
    case HEDDLE_EXPR_GE:
      return a >= b;
    case HEDDLE_EXPR_EQ:
      return a == b;
    case HEDDLE_EXPR_NE:
      return a != b;
    case HEDDLE_EXPR_AND:
      return a != 0. && b != 0.;
    case HEDDLE_EXPR_OR:
      return a != 0. || b != 0.;
    case HEDDLE_EXPR_WHERE:
      return a != 0. ? b : arguments[2];
    case HEDDLE_EXPR_NUMBER:
    case HEDDLE_EXPR_ARGUMENT:
    case HEDDLE_EXPR_SIZE:
    case HEDDLE_EXPR_INDEX:
    case HEDDLE_EXPR_VARIABLE:
      break;
    }
  g_assert_not_reached ();
}

/**
 * heddle_expr_evaluate:
 * @self: an expression
 * @lookup: (nullable) (scope call): gives the values of leaves; %NULL for a constant expression
 * @data: passed to @lookup
 * @value: (out): the value
 * @error: return location for %HEDDLE_DIAGRAM_ERROR_UNKNOWN_SYMBOL, which names the leaf that @lookup does not know
 *
 * The value in IEEE double: 1/0 is inf, 0/0 NaN.
 *
 * Returns: whether every leaf was known
 */
gboolean
heddle_expr_evaluate (
    const HeddleExpr *self, HeddleExprLookup lookup, gpointer data, double *value, GError **error)
{
  double arguments[3];

  g_return_val_if_fail (self != NULL && value != NULL, FALSE);

  if (self->kind == HEDDLE_EXPR_NUMBER)
    {
      *value = self->number;
      return TRUE;
    }
  if (self->n_children == 0)
    {
      g_autofree char *name = NULL;

      if (lookup != NULL && lookup (self, value, data))
        return TRUE;
      name = heddle_expr_to_string (self, NULL, NULL);
      g_set_error (
          error, HEDDLE_DIAGRAM_ERROR, HEDDLE_DIAGRAM_ERROR_UNKNOWN_SYMBOL, _ ("unknown symbol “%s”"), name);
      return FALSE;
    }
  for (guint i = 0; i < self->n_children; i++)
    if (!heddle_expr_evaluate (self->children[i], lookup, data, &arguments[i], error))
      return FALSE;
  *value = heddle_expr_apply (self->kind, arguments);
  return TRUE;
}

/* --- programs ------------------------------------------------------------------------ */

/* One step of a stack machine: push a constant or a slot, or apply a kind to the topmost values. */
typedef struct
{
  enum
  {
    PUSH_NUMBER,
    PUSH_SLOT,
    APPLY,
  } what;
  HeddleExprKind kind;
  guint arity;
  guint slot;
  double number;
} Instruction;

struct _HeddleExprProgram
{
  GArray *code; /* of Instruction */
  GPtrArray *slots; /* of HeddleExpr: the leaves */
  guint stack_size;
};

/* Values that fit here need no allocation at each run. */
#define SMALL_STACK 32

static guint
find_slot (HeddleExprProgram *self, HeddleExpr *leaf)
{
  for (guint i = 0; i < self->slots->len; i++)
    if (heddle_expr_equal (g_ptr_array_index (self->slots, i), leaf))
      return i;
  g_ptr_array_add (self->slots, heddle_expr_ref (leaf));
  return self->slots->len - 1;
}

/* Appends the code of @node, before which @depth values lie on the stack. */
static void
emit (HeddleExprProgram *self, HeddleExpr *node, guint depth)
{
  Instruction instruction = { .kind = node->kind, .arity = node->n_children };

  for (guint i = 0; i < node->n_children; i++)
    emit (self, node->children[i], depth + i);
  if (node->kind == HEDDLE_EXPR_NUMBER)
    {
      instruction.what = PUSH_NUMBER;
      instruction.number = node->number;
    }
  else if (node->n_children == 0)
    {
      instruction.what = PUSH_SLOT;
      instruction.slot = find_slot (self, node);
    }
  else
    instruction.what = APPLY;
  g_array_append_val (self->code, instruction);
  self->stack_size = MAX (self->stack_size, depth + 1);
}

/**
 * heddle_expr_compile:
 * @self: an expression
 *
 * Compiles @self to be evaluated often: each different leaf becomes a numbered slot.
 *
 * Returns: (transfer full): the program
 */
HeddleExprProgram *
heddle_expr_compile (const HeddleExpr *self)
{
  HeddleExprProgram *program;

  g_return_val_if_fail (self != NULL, NULL);

  program = g_new0 (HeddleExprProgram, 1);
  program->code = g_array_new (FALSE, FALSE, sizeof (Instruction));
  program->slots = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_expr_unref);
  emit (program, (HeddleExpr *) self, 0);
  return program;
}

/**
 * heddle_expr_program_free:
 * @self: (transfer full): a program
 *
 * Frees the program.
 */
void
heddle_expr_program_free (HeddleExprProgram *self)
{
  g_return_if_fail (self != NULL);

  g_array_unref (self->code);
  g_ptr_array_unref (self->slots);
  g_free (self);
}

/**
 * heddle_expr_program_get_n_slots:
 * @self: a program
 *
 * Returns: how many values heddle_expr_program_run() takes
 */
guint
heddle_expr_program_get_n_slots (const HeddleExprProgram *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->slots->len;
}

/**
 * heddle_expr_program_get_slot:
 * @self: a program
 * @slot: the number of a slot
 *
 * Returns: (transfer none): the leaf that the slot stands for
 */
const HeddleExpr *
heddle_expr_program_get_slot (const HeddleExprProgram *self, guint slot)
{
  g_return_val_if_fail (self != NULL && slot < self->slots->len, NULL);

  return g_ptr_array_index (self->slots, slot);
}

static double
run_on_stack (const HeddleExprProgram *self, const double *slots, double *stack)
{
  const Instruction *end = &g_array_index (self->code, Instruction, self->code->len);
  double *top = stack; /* the next free place */

  for (const Instruction *step = &g_array_index (self->code, Instruction, 0); step < end; step++)
    switch (step->what)
      {
      case PUSH_NUMBER:
        *top++ = step->number;
        break;
      case PUSH_SLOT:
        *top++ = slots[step->slot];
        break;
      case APPLY:
        top -= step->arity;
        *top = heddle_expr_apply (step->kind, top);
        top++;
        break;
      }
  return stack[0];
}

/**
 * heddle_expr_program_run:
 * @self: a program
 * @slots: the values of its slots
 *
 * The value of the expression, the same as heddle_expr_evaluate() gives. Any number of threads may run one program.
 *
 * Returns: the value
 */
double
heddle_expr_program_run (const HeddleExprProgram *self, const double *slots)
{
  double small[SMALL_STACK];
  g_autofree double *large = NULL;

  g_return_val_if_fail (self != NULL, NAN);

  if (self->stack_size <= SMALL_STACK)
    return run_on_stack (self, slots, small);
  large = g_new (double, self->stack_size);
  return run_on_stack (self, slots, large);
}
