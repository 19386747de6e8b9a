/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib-object.h>

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

/* The properties of a kind of expression: one table row each. */
typedef struct
{
  HeddleExprKind kind;
  const char *name; /* the function name or operator sign in equations: "exp", "+" */
  guint arity; /* 0 for leaves */
  gboolean is_function; /* printed as name (a, b); otherwise as an operator */
  guint precedence; /* binding strength as an operator (or=1 … ^=8); leaves and calls 10 */
  gboolean is_special; /* runs on the GPU's special-function unit (exp, log, rsqrt, sin, cos, tanh …) */
} HeddleExprKindInfo;

/* Returns the boxed type whose copy is a reference. */
GType heddle_expr_get_type (void);
/* Adds a reference, from any thread, and returns @self. */
HeddleExpr *heddle_expr_ref (HeddleExpr *self);
/* Drops a reference, from any thread; the last one frees the node and drops its children. */
void heddle_expr_unref (HeddleExpr *self);

/* Returns a new leaf: a number. NaN, which equations cannot spell, is written as 0/0. Like all constructors
 * it returns a new reference; those below take ownership of (steal) the children given. */
HeddleExpr *heddle_expr_number (double value);
/* Returns a new leaf: the current element of operand number @operand, from 0. */
HeddleExpr *heddle_expr_argument (guint operand);
/* Returns a new leaf: the size of the axis of that id, which is interned. */
HeddleExpr *heddle_expr_size (const char *axis_id);
/* Returns a new leaf: the index along the axis of that id, from 0, at the current point. */
HeddleExpr *heddle_expr_index (const char *axis_id);
/* Returns a new leaf: the variable of that name, which is interned. */
HeddleExpr *heddle_expr_variable (const char *name);
/* Returns a new node with one child, which is taken. The negation of a number is a number, so that -0.5 has
 * one spelling as a tree. */
HeddleExpr *heddle_expr_unary (HeddleExprKind kind, HeddleExpr *a);
/* Returns a new node with two children, which are taken. */
HeddleExpr *heddle_expr_binary (HeddleExprKind kind, HeddleExpr *a, HeddleExpr *b);
/* Returns a new choice: @then where @predicate is not 0, else @otherwise; all three are taken. */
HeddleExpr *heddle_expr_where (HeddleExpr *predicate, HeddleExpr *then, HeddleExpr *otherwise);
/* Returns a node of any kind with the children of an array (stolen). */
HeddleExpr *heddle_expr_node (HeddleExprKind kind, HeddleExpr **children, guint n_children);

/* Returns the kind of the topmost node. */
HeddleExprKind heddle_expr_get_kind (const HeddleExpr *self);
/* Returns the value of a number. */
double heddle_expr_get_number (const HeddleExpr *self);
/* Returns whether the expression is the number @number. */
gboolean heddle_expr_is_number (const HeddleExpr *self, double number);
/* Returns the number of the operand that an argument stands for. */
guint heddle_expr_get_operand (const HeddleExpr *self);
/* Returns the id of the axis of a size or an index, or the name of a variable; interned. */
const char *heddle_expr_get_symbol (const HeddleExpr *self);
/* Returns how many children the node has; a leaf has none. */
guint heddle_expr_get_n_children (const HeddleExpr *self);
/* Returns child @i, which @self owns. */
HeddleExpr *heddle_expr_get_child (const HeddleExpr *self, guint i);

/* A visitor of heddle_expr_walk(); FALSE stops the walk. */
typedef gboolean (*HeddleExprVisit) (const HeddleExpr *node, gpointer data);

/* Returns a new reference to what replaces a leaf, or NULL to keep the leaf. */
typedef HeddleExpr *(*HeddleExprReplace) (const HeddleExpr *leaf, gpointer data);

/* --- evaluation ------------------------------------------------------------------- */

/* Finds the value of leaf @leaf (ARGUMENT, SIZE, INDEX or VARIABLE). Returns %FALSE if it is unknown. */
typedef gboolean (*HeddleExprLookup) (const HeddleExpr *leaf, double *value, gpointer data);

/* An expression compiled once and evaluated often: its leaves become numbered slots. */
typedef struct _HeddleExprProgram HeddleExprProgram;

/* --- text ------------------------------------------------------------------------- */

/* Returns the text of a leaf (newly allocated), or %NULL for the default: number "%.17g" shortest form, "$0"
 * for an argument, the axis id for a size, "index(id)" for an index, the name of a variable. */
typedef char *(*HeddleExprName) (const HeddleExpr *leaf, gpointer data);

/* Turns a bare name into a leaf for the parser, or returns %NULL if it is unknown, which is an error. The
 * parser reads scalar text: numbers, inf, + - * / ^ comparisons, and or not, function calls, "$0" arguments,
 * size(q), index(q), juxtaposition as product. Without a @symbol function every bare name is a VARIABLE.
 * Depth is bounded at 500. Errors are %HEDDLE_DIAGRAM_ERROR_SYNTAX, whose message begins with "COLUMN: ". */
typedef HeddleExpr *(*HeddleExprSymbol) (const char *name, gpointer data);

/* --- algebra ---------------------------------------------------------------------- */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleExpr, heddle_expr_unref)

#define HEDDLE_TYPE_EXPR (heddle_expr_get_type ())
