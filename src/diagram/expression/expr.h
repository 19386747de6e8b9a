/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * HeddleExpr:
 *
 * An immutable, reference-counted scalar expression. One language serves sizes, scalars,
 * predicates of indices, the meaning of operations, stream lemmas, costs and generated code.
 *
 * Leaves: numbers (infinity included); the value of operand i of an operation at the current
 * point (`ARGUMENT`); the size and the index of an axis (by axis id, an interned string); a
 * named variable (`VARIABLE`, interned: a stage of a reduction such as "m", a label such as "g_q").
 */
typedef struct _HeddleExpr HeddleExpr;

typedef enum
{
  /* leaves */
  HEDDLE_EXPR_NUMBER,
  HEDDLE_EXPR_ARGUMENT,
  HEDDLE_EXPR_SIZE,
  HEDDLE_EXPR_INDEX,
  HEDDLE_EXPR_VARIABLE,
  /* one child */
  HEDDLE_EXPR_NEG,
  HEDDLE_EXPR_NOT,
  HEDDLE_EXPR_EXP,
  HEDDLE_EXPR_LOG,
  HEDDLE_EXPR_SQRT,
  HEDDLE_EXPR_RSQRT,
  HEDDLE_EXPR_SIN,
  HEDDLE_EXPR_COS,
  HEDDLE_EXPR_TANH,
  HEDDLE_EXPR_ERF,
  HEDDLE_EXPR_SIGMOID,
  HEDDLE_EXPR_RELU,
  HEDDLE_EXPR_GELU,
  HEDDLE_EXPR_SILU,
  HEDDLE_EXPR_ABS,
  HEDDLE_EXPR_FLOOR,
  HEDDLE_EXPR_CEIL,
  /* two children */
  HEDDLE_EXPR_ADD,
  HEDDLE_EXPR_SUB,
  HEDDLE_EXPR_MUL,
  HEDDLE_EXPR_DIV,
  HEDDLE_EXPR_POW,
  HEDDLE_EXPR_MOD,
  HEDDLE_EXPR_MIN,
  HEDDLE_EXPR_MAX,
  HEDDLE_EXPR_LT,
  HEDDLE_EXPR_LE,
  HEDDLE_EXPR_GT,
  HEDDLE_EXPR_GE,
  HEDDLE_EXPR_EQ,
  HEDDLE_EXPR_NE,
  HEDDLE_EXPR_AND,
  HEDDLE_EXPR_OR,
  /* three children: where (predicate, then, else) */
  HEDDLE_EXPR_WHERE,
} HeddleExprKind;

#define HEDDLE_N_EXPR_KINDS (HEDDLE_EXPR_WHERE + 1)

/* What is known of a kind of expression: one table row each. */
typedef struct
{
  HeddleExprKind kind;
  const char *name; /* the function name or operator sign in equations: "exp", "+" */
  guint arity; /* 0 for leaves */
  gboolean is_function; /* printed as name (a, b); otherwise as an operator */
  guint precedence; /* binding strength as an operator (or=1 … ^=8); leaves and calls 10 */
  gboolean is_special; /* runs on the GPU's special-function unit (exp, log, rsqrt, sin, cos, tanh …) */
} HeddleExprKindInfo;

const HeddleExprKindInfo *heddle_expr_kind_info (HeddleExprKind kind);
/* The kind of the function called @name in equations with @arity arguments. */
gboolean heddle_expr_kind_from_function (const char *name, guint arity, HeddleExprKind *kind);

GType heddle_expr_get_type (void);
HeddleExpr *heddle_expr_ref (HeddleExpr *self);
void heddle_expr_unref (HeddleExpr *self);

/* Constructors return a new reference and take ownership of (steal) the children given. */
HeddleExpr *heddle_expr_number (double value); /* NaN: 0/0 */
HeddleExpr *heddle_expr_argument (guint operand);
HeddleExpr *heddle_expr_size (const char *axis_id);
HeddleExpr *heddle_expr_index (const char *axis_id);
HeddleExpr *heddle_expr_variable (const char *name);
HeddleExpr *heddle_expr_unary (HeddleExprKind kind, HeddleExpr *a);
HeddleExpr *heddle_expr_binary (HeddleExprKind kind, HeddleExpr *a, HeddleExpr *b);
HeddleExpr *heddle_expr_where (HeddleExpr *predicate, HeddleExpr *then, HeddleExpr *otherwise);
/* A node of any kind with the children of an array (stolen). */
HeddleExpr *heddle_expr_node (HeddleExprKind kind, HeddleExpr **children, guint n_children);

HeddleExprKind heddle_expr_get_kind (const HeddleExpr *self);
double heddle_expr_get_number (const HeddleExpr *self); /* NUMBER */
guint heddle_expr_get_operand (const HeddleExpr *self); /* ARGUMENT */
const char *heddle_expr_get_symbol (
    const HeddleExpr *self); /* SIZE, INDEX: the axis id; VARIABLE: its name (interned) */
guint heddle_expr_get_n_children (const HeddleExpr *self);
HeddleExpr *heddle_expr_get_child (const HeddleExpr *self, guint i); /* transfer none */

gboolean heddle_expr_equal (const HeddleExpr *a, const HeddleExpr *b);
guint heddle_expr_hash (const HeddleExpr *self);

/* Calls @visit on every node, parents first; stops where it returns %FALSE. */
typedef gboolean (*HeddleExprVisit) (const HeddleExpr *node, gpointer data);
gboolean heddle_expr_walk (const HeddleExpr *self, HeddleExprVisit visit, gpointer data);
gboolean heddle_expr_uses (
    const HeddleExpr *self, HeddleExprKind kind, const char *symbol); /* NULL: any symbol */
gboolean heddle_expr_uses_argument (const HeddleExpr *self, guint operand);
guint heddle_expr_count (const HeddleExpr *self, HeddleExprKind kind);

/* Rebuilds the expression with each leaf for which @replace returns a new reference replaced by it. */
typedef HeddleExpr *(*HeddleExprReplace) (const HeddleExpr *leaf, gpointer data);
HeddleExpr *heddle_expr_substitute (HeddleExpr *self, HeddleExprReplace replace, gpointer data);

/* --- evaluation ------------------------------------------------------------------- */

/* The value of leaf @leaf (ARGUMENT, SIZE, INDEX or VARIABLE); %FALSE: unknown. */
typedef gboolean (*HeddleExprLookup) (const HeddleExpr *leaf, double *value, gpointer data);

/* The value of the expression in IEEE double. @lookup may be %NULL for a constant. Error:
 * %HEDDLE_DIAGRAM_ERROR_UNKNOWN_SYMBOL naming the leaf. Never traps: 1/0 is inf, 0/0 NaN. Predicates give 0 or 1. */
gboolean heddle_expr_evaluate (
    const HeddleExpr *self, HeddleExprLookup lookup, gpointer data, double *value, GError **error);

/* An expression compiled once and evaluated often: its leaves become numbered slots. */
typedef struct _HeddleExprProgram HeddleExprProgram;
HeddleExprProgram *heddle_expr_compile (const HeddleExpr *self);
void heddle_expr_program_free (HeddleExprProgram *self);
guint heddle_expr_program_get_n_slots (const HeddleExprProgram *self);
const HeddleExpr *heddle_expr_program_get_slot (
    const HeddleExprProgram *self, guint slot); /* the leaf a slot stands for */
/* @slots has n_slots values. Thread-safe: the program is not changed. */
double heddle_expr_program_run (const HeddleExprProgram *self, const double *slots);
/* One application of @kind to children already evaluated: the single definition of every function's meaning. */
double heddle_expr_apply (HeddleExprKind kind, const double *arguments);

/* --- text ------------------------------------------------------------------------- */

/* The text of a leaf (newly allocated), or %NULL for the default: number "%.17g" shortest form, "$0" for
 * an argument, the axis id for a size, "index(id)" for an index, the name of a variable. */
typedef char *(*HeddleExprName) (const HeddleExpr *leaf, gpointer data);
/* Prints in the syntax of the equations with the fewest parentheses that keep the tree. */
char *heddle_expr_to_string (const HeddleExpr *self, HeddleExprName name, gpointer data);

/* Parses scalar text: numbers, inf, + - * / ^ comparisons, and or not, function calls, "$0" arguments,
 * size(q), index(q), juxtaposition as product. @symbol turns a bare name into a leaf (%NULL result: unknown, an
 * error); @symbol itself %NULL makes every bare name a VARIABLE. Depth is bounded at 500.
 * Errors: %HEDDLE_DIAGRAM_ERROR_SYNTAX, the message begins with "COLUMN: ". */
typedef HeddleExpr *(*HeddleExprSymbol) (const char *name, gpointer data);
HeddleExpr *heddle_expr_parse (const char *text, HeddleExprSymbol symbol, gpointer data, GError **error);
/* A table row's own text; aborts when it does not parse. Bare names are variables. */
HeddleExpr *heddle_expr_literal (const char *text);

/* --- algebra ---------------------------------------------------------------------- */

/* A canonical, readable equivalent over whole positive sizes: constants folded, sums of monomials in a fixed order,
 * ceil(…) and other non-polynomial parts kept as atoms: `2*q*d + 2*x*d*ceil(q/g_q)`. */
HeddleExpr *heddle_expr_simplify (HeddleExpr *self);
/* The same without zeros, ones and choices that are made; for expressions of values, kept as they are written. */
HeddleExpr *heddle_expr_tidy (HeddleExpr *self);
/* Whether it is 0 wherever argument @operand is and the others are finite, as far as tidying shows. */
gboolean heddle_expr_vanishes_with (const HeddleExpr *self, guint operand);
/* Solves "@self is @value" for the index of an axis in which @self is linear with a whole coefficient: what that index is, and where the
 * division goes out (NULL: everywhere). Both optional. */
gboolean heddle_expr_solve (const HeddleExpr *self, const char *axis_id, const HeddleExpr *value,
    HeddleExpr **solution, HeddleExpr **condition);
/* The derivative by argument @operand; the same times @cotangent, nicer than a product. 0 where there is no such argument. */
HeddleExpr *heddle_expr_derivative (const HeddleExpr *self, guint operand);
HeddleExpr *heddle_expr_pull_back (const HeddleExpr *self, guint operand, HeddleExpr *cotangent);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleExpr, heddle_expr_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleExprProgram, heddle_expr_program_free)

#define HEDDLE_TYPE_EXPR (heddle_expr_get_type ())

G_END_DECLS
