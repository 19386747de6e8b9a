/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/dtype.h"
#include "diagram/document/document.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* The text of equations in three forms: nodes (what is written), trees (the operations it means) and a diagram.
 *
 *   reading: line -> tokens -> statement of nodes -> scoped (every sum written out) -> tree -> operations of the diagram
 *   writing: operations -> tree -> nodes -> line, each line tried by reading it back */

/* The limits that protect from hostile text. */
#define HEDDLE_EQ_MAX_BYTES (16 * 1024 * 1024)
#define HEDDLE_EQ_MAX_NESTING 500
#define HEDDLE_EQ_MAX_DEPTH 4000 /* of an expression: long chains count by their length */
#define HEDDLE_EQ_MAX_NODES 1000000
#define HEDDLE_EQ_MAX_STATEMENTS 100000
#define HEDDLE_EQ_MAX_INDICES 64 /* different ones in a statement, so that sets of them are bits */
#define HEDDLE_EQ_MAX_ERRORS 1000
#define HEDDLE_EQ_MAX_DEFINITION_DEPTH 64 /* definitions that call, or hold, definitions that … */

/* memory that goes all at once ------------------------------- */

typedef struct
{
  GPtrArray *blocks;
  char *next;
  gsize left;
  GStringChunk *names;
  guint n_nodes;
} HeddleEqArena;

/* problems with their places -------------------------------- */

typedef struct
{
  GPtrArray *problems; /* NULL: nobody listens */
  const char *file_name;
  guint n_errors;
} HeddleEqReport;

/* A line of the text. */
typedef struct
{
  HeddleEqReport *report;
  guint number;
  const char *text; /* not ended by a NUL */
  gsize length;
  guint n_errors;
} HeddleEqLine;

/*  --------------------------------------------------------------- */

typedef enum
{
  HEDDLE_EQ_TOKEN_END,
  HEDDLE_EQ_TOKEN_NUMBER,
  HEDDLE_EQ_TOKEN_NAME,
  HEDDLE_EQ_TOKEN_SIGN,
} HeddleEqTokenKind;

typedef struct
{
  HeddleEqTokenKind kind;
  const char *text; /* of the arena: equal names are one pointer */
  double number;
  guint column;
} HeddleEqToken;

/*  -------------------------------------------------------------- */

typedef enum
{
  HEDDLE_EQ_NUMBER,
  HEDDLE_EQ_NAME, /* of an axis or a scalar array; scoping decides */
  HEDDLE_EQ_SIZE, /* of the axis `name` */
  HEDDLE_EQ_INDEX, /* along the axis `name` */
  HEDDLE_EQ_READ, /* array `name` at the children */
  HEDDLE_EQ_SUM, /* of the children; marks: those taken away */
  HEDDLE_EQ_PRODUCT, /* of the children; marks: those divided by */
  HEDDLE_EQ_APPLY, /* any other kind of scalar expression */
  HEDDLE_EQ_REDUCE, /* any other operation over axes: a reduction, a norm, a scan … */
  HEDDLE_EQ_CALL, /* of the definition `name`; the children are what it is given */
} HeddleEqKind;

typedef struct
{
  const char *name;
  guint column;
} HeddleEqIndex;

typedef struct _HeddleEqNode HeddleEqNode;
struct _HeddleEqNode
{
  HeddleEqKind kind;
  guint column;
  guint depth;
  guint n_children;
  HeddleEqNode **children;
  guint8 *marks; /* SUM, PRODUCT: one per child */
  double number; /* NUMBER */
  const char *name; /* NAME, SIZE, INDEX, READ, CALL */
  HeddleExprKind apply;
  const HeddleOperationKind *operation; /* REDUCE */
  guint n_axes;
  HeddleEqIndex *axes; /* REDUCE; CALL: the one that it is scanned along */
  double options[HEDDLE_MAX_OPTIONS];
  HeddleEqNode *repeat; /* CALL: how often, or NULL */
  gboolean shared; /* CALL */
  gboolean bare; /* READ: of an array given to a call, without its indices */
  gboolean implicit; /* REDUCE: nobody wrote this sum */
  gboolean parenthesised; /* stands in parentheses of its own */
  /* set by scoping */
  guint64 free; /* the indices that occur free: bits of the scope */
  guint64
      joined; /* of a concatenation: the index that all arguments have and that goes; 0: each has one of its own */
  gboolean has_array; /* reads one, anywhere */
  const HeddleValue *value; /* READ */
  const char *axis; /* SIZE, INDEX: the id */
  const HeddleDiagram *callee; /* CALL */
};

/* --- names --------------------------------------------------------------------------- */

/* The meanings of names. */
typedef struct
{
  GHashTable *values; /* name -> HeddleValue */
  GHashTable *axes; /* name -> axis id */
  GHashTable *broken; /* names whose definition failed: a set, or NULL */
  GHashTable *definitions; /* full name -> HeddleDiagram that may be called; or NULL */
  const char *within; /* the full name of the definition that the names stand in; NULL: none */
} HeddleEqNames;

/* definitions within definitions ---------------------------------- */

/*  ------------------------------------------------------------- */

typedef enum
{
  HEDDLE_EQ_AXIS, /* axis NAME = size */
  HEDDLE_EQ_DECLARE, /* NAME : dtype[slots] */
  HEDDLE_EQ_ASSIGN, /* NAME[slots] = expression */
  HEDDLE_EQ_OUTPUTS, /* -> names */
} HeddleEqStatementKind;

typedef struct
{
  const char *name;
  guint column;
  HeddleEqNode *size; /* or NULL */
  guint n_members; /* of axes merged, `(h u)`, which are `name` together; 0: none are */
  HeddleEqIndex *members;
} HeddleEqSlot;

typedef struct _HeddleEqStatement HeddleEqStatement;
struct _HeddleEqStatement
{
  HeddleEqStatementKind kind;
  HeddleEqLine line;
  const char *name;
  guint column;
  GArray *slots; /* of HeddleEqSlot; the names of OUTPUTS */
  HeddleEqNode *expression;
  gboolean parameter;
  HeddleDtype dtype;
  const char *above, *trailing; /* comments, or NULL */
  gboolean broken; /* its left side is known, the rest is not */
  GPtrArray *others; /* of HeddleEqStatement: the second, third … array on the left, or NULL */
  gboolean is_other; /* one of those: the first has the expression */
  HeddleEqStatement *places; /* of a topk: the statement before this one; see topk.c. Or NULL */
  gboolean is_formal; /* DECLARE: of a definition's first line; its type may be given again */
};

/*  ------------------------------------------------------------- */

typedef struct
{
  HeddleEqArena *arena;
  const HeddleEqNames *names;
  HeddleEqLine *line;
  const char *axes[HEDDLE_EQ_MAX_INDICES]; /* ids */
  const char *axis_names[HEDDLE_EQ_MAX_INDICES];
  guint n_axes;
  guint64 left; /* indices of the statement's left side */
  gboolean broken; /* something it reads is broken: what is wrong with it has been said */
  const HeddleEqNode *condition; /* of the `where` whose values are being resolved, or NULL */
} HeddleEqScope;

/*  -------------------------------------------------------------- */

/* operations that are not yet of a diagram -------------------- */

typedef struct _HeddleEqTree HeddleEqTree;
struct _HeddleEqTree
{
  const HeddleOperationKind *kind; /* NULL: the value alone */
  const char *value; /* the id; NULL: not of a diagram */
  GArray *axes; /* of the result */
  GArray *over; /* core axes; CALL: the one that it is scanned along */
  HeddleExpr *body;
  GPtrArray *indices;
  GPtrArray *operands; /* of HeddleEqTree */
  double options[HEDDLE_MAX_OPTIONS];
  GPtrArray *more_axes; /* of GArray: those of the second, third … result; or NULL */
  const char *callee; /* CALL: the id */
  GPtrArray *sizes; /* CALL, or NULL */
  HeddleExpr *repeat; /* CALL, or NULL */
  gboolean shared; /* CALL */
};

/* The operation that makes @value and, where @is_own denies it, those that make its operands. */
typedef gboolean (*HeddleEqIsOwn) (const HeddleDiagram *diagram, const char *value_id, gpointer data);

/*  --------------------------------------------------------- */

/* calls of definitions ---------------------------------------- */

/* `(h u)` */

/*  ------------------------------------------------------------- */

/* Returns what stands for an operand of a scalar expression. */
typedef HeddleEqNode *(*HeddleEqArgument) (guint operand, gpointer data);
typedef struct
{
  HeddleEqArena *arena;
  const HeddleDiagram *diagram;
  HeddleEqArgument argument;
  gpointer data;
} HeddleEqTranslation;

/* which values are statements of their own --------------------- */

typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSnapshot *snapshot; /* has what is called; or NULL */
  GHashTable *own; /* value ids: statements, apart from those that are so by name */
  GHashTable *labels; /* value id -> the name to print */
  GHashTable *joined; /* places -> values (ids) of a topk, whose line says both; the values are in it too */
  GHashTable *lines; /* value id -> the statement's text */
  HeddleEqNames names;
} HeddleEqPlan;

/*  ----------------------------------------------------------- */
