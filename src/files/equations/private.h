/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/base/files.h"

G_BEGIN_DECLS

/* The text of equations in three forms: nodes (what is written), trees (the operations it means) and a diagram.
 *
 *   reading: line -> tokens -> statement of nodes -> scoped (every sum written out) -> tree -> operations of the diagram
 *   writing: operations -> tree -> nodes -> line, each line tried by reading it back */

/* What hostile text is held to. */
#define HEDDLE_EQ_MAX_BYTES (16 * 1024 * 1024)
#define HEDDLE_EQ_MAX_NESTING 500
#define HEDDLE_EQ_MAX_DEPTH 4000 /* of an expression: long chains count by their length */
#define HEDDLE_EQ_MAX_NODES 1000000
#define HEDDLE_EQ_MAX_STATEMENTS 100000
#define HEDDLE_EQ_MAX_INDICES 64 /* different ones in a statement, so that sets of them are bits */
#define HEDDLE_EQ_MAX_ERRORS 1000
#define HEDDLE_EQ_MAX_DEFINITION_DEPTH 64 /* definitions that call, or hold, definitions that … */

/* --- equations-arena.c: memory that goes all at once ------------------------------- */

typedef struct
{
  GPtrArray *blocks;
  char *next;
  gsize left;
  GStringChunk *names;
  guint n_nodes;
} HeddleEqArena;

HeddleEqArena *heddle_eq_arena_new (void);
void heddle_eq_arena_free (HeddleEqArena *self);
gpointer heddle_eq_alloc (HeddleEqArena *self, gsize size); /* zeroed */
const char *heddle_eq_name (HeddleEqArena *self, const char *start, gssize length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleEqArena, heddle_eq_arena_free)

/* --- equations-report.c: problems with their places -------------------------------- */

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

/* @column in characters, from 1. */
void heddle_eq_error (HeddleEqLine *line, guint column, const char *format, ...) G_GNUC_PRINTF (3, 4);
void heddle_eq_warning (HeddleEqLine *line, guint column, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Puts the place in a problem that was found elsewhere. */
void heddle_eq_place (const HeddleEqLine *line, guint column, HeddleProblem *problem);

/* --- equations-lex.c --------------------------------------------------------------- */

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

/* The tokens of a line, the last of kind END; @comment: what follows the `#`, of the arena, or NULL. %FALSE: an error was reported. */
gboolean heddle_eq_lex (HeddleEqArena *arena, HeddleEqLine *line, GArray *tokens, const char **comment);
/* `t` and digits: what a value without a name is called in text. */
gboolean heddle_eq_is_label (const char *name);

/* --- equations-node.c -------------------------------------------------------------- */

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
  HeddleEqIndex *axes; /* REDUCE */
  double options[HEDDLE_MAX_OPTIONS];
  HeddleEqNode *repeat; /* CALL: how often, or NULL */
  gboolean shared; /* CALL */
  gboolean bare; /* READ: of an array given to a call, without its indices */
  gboolean implicit; /* REDUCE: nobody wrote this sum */
  gboolean parenthesised; /* stands in parentheses of its own */
  /* set by scoping */
  guint64 free; /* the indices that occur free: bits of the scope */
  gboolean has_array; /* reads one, anywhere */
  const HeddleValue *value; /* READ */
  const char *axis; /* SIZE, INDEX: the id */
  const HeddleDiagram *callee; /* CALL */
};

HeddleEqNode *heddle_eq_node (
    HeddleEqArena *arena, HeddleEqKind kind, guint column, HeddleEqNode *const *children, guint n_children);
HeddleEqNode *heddle_eq_number (HeddleEqArena *arena, guint column, double number);
HeddleEqNode *heddle_eq_leaf (HeddleEqArena *arena, HeddleEqKind kind, guint column, const char *name);
HeddleEqNode *heddle_eq_apply (HeddleEqArena *arena, HeddleExprKind apply, guint column,
    HeddleEqNode *const *children, guint n_children);
HeddleEqNode *heddle_eq_reduce (
    HeddleEqArena *arena, const HeddleOperationKind *operation, guint column, HeddleEqNode *child);
/* Of several operands: a concatenation, a recurrence. */
HeddleEqNode *heddle_eq_reduce_all (HeddleEqArena *arena, const HeddleOperationKind *operation, guint column,
    HeddleEqNode *const *children, guint n);
/* `0 + 1 - 2 …`, `0 * 1 / 2 …` of a sum or product: the scalar expression of already translated children (taken). */
HeddleExpr *heddle_eq_chain (HeddleEqKind kind, const guint8 *marks, HeddleExpr **children, guint n);

/* --- names --------------------------------------------------------------------------- */

/* What names mean. */
typedef struct
{
  GHashTable *values; /* name -> HeddleValue */
  GHashTable *axes; /* name -> axis id */
  GHashTable *broken; /* names whose definition failed: a set, or NULL */
  GHashTable *definitions; /* full name -> HeddleDiagram that may be called; or NULL */
  const char *within; /* the full name of the definition that the names stand in; NULL: none */
} HeddleEqNames;

/* --- equations-nest.c: definitions within definitions ---------------------------------- */

/* The full name of @name within @within (or NULL). */
char *heddle_eq_join_definition (const char *within, const char *name);
/* The full name of what @name means as a definition, as it is in the table; NULL: it means none. */
const char *heddle_eq_find_definition (const HeddleEqNames *names, const char *name);
/* The shortest name that means the definition here: a part of @full. */
const char *heddle_eq_short_definition (const HeddleEqNames *names, const char *full);
/* Whether what the definition @full is called within its own is a definition around that too. */
gboolean heddle_eq_is_shadow (const HeddleEqNames *names, const char *full);
/* Whether @full is to be written within another one of @definitions, called @within (newly allocated). */
gboolean heddle_eq_is_within (GHashTable *definitions, const char *full, char **within);

/* --- equations-parse.c ------------------------------------------------------------- */

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
  HeddleEqStatement *places; /* of a topk: the statement before this one; see equations-topk.c. Or NULL */
  gboolean is_formal; /* DECLARE: of a definition's first line; its type may be told again */
};

/* @names: what may be called, and where the line stands */
HeddleEqStatement *heddle_eq_parse (
    HeddleEqArena *arena, HeddleEqLine *line, const GArray *tokens, const HeddleEqNames *names);
void heddle_eq_statement_free (HeddleEqStatement *self);
/* Whether a name means something already: a function, a reduction, a word of the language. */
gboolean heddle_eq_is_reserved (const char *name);

/* --- equations-scope.c ------------------------------------------------------------- */

typedef struct
{
  HeddleEqArena *arena;
  const HeddleEqNames *names;
  HeddleEqLine *line;
  const char *axes[HEDDLE_EQ_MAX_INDICES]; /* ids */
  const char *axis_names[HEDDLE_EQ_MAX_INDICES];
  guint n_axes;
  gboolean broken; /* something it reads is broken: what is wrong with it has been said */
} HeddleEqScope;

/* The bit of an axis in this scope; 0, with an error, when there are too many. */
guint64 heddle_eq_scope_bit (HeddleEqScope *self, const char *name, guint column);
/* Finds what every name means and writes out the sums over indices that are not of @left (bits). %FALSE: errors were reported. */
gboolean heddle_eq_scope (HeddleEqScope *self, HeddleEqNode **root, guint64 left);
/* Whether the operation makes that one of its axes, rather than reading along it. */
gboolean heddle_eq_is_made (const HeddleEqNode *node, guint axis);
/* Sizes: names are those of axes. */
HeddleExpr *heddle_eq_size (const HeddleEqNames *names, HeddleEqLine *line, const HeddleEqNode *node);

/* The bits of @left that are free in a scoped node, in the order in which they are first read; they go from @left. */
void heddle_eq_order_of_appearance (const HeddleEqNode *node, guint64 *left, GArray *bits);
/* What every name in a part of a statement means. */
gboolean heddle_eq_resolve (HeddleEqScope *self, HeddleEqNode *node);

/* --- equations-sums.c -------------------------------------------------------------- */

/* Writes out the sum over an index that is free and not on the left, from the top down. %FALSE: there is no place for it. */
gboolean heddle_eq_bind_index (HeddleEqScope *self, HeddleEqNode **slot, guint64 bit);
/* Warns of a left index that two factors inside a norm share and that occurs again outside it: channel-wise attention, mostly meant to be
 * attention. */
void heddle_eq_find_slips (HeddleEqScope *self, const HeddleEqNode *node, guint64 left, guint64 outside);

/* --- equations-tree.c: operations that are not yet of a diagram -------------------- */

typedef struct _HeddleEqTree HeddleEqTree;
struct _HeddleEqTree
{
  const HeddleOperationKind *kind; /* NULL: the value alone */
  const char *value; /* the id; NULL: not of a diagram */
  GArray *axes; /* of the result */
  GArray *over; /* core axes */
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

HeddleEqTree *heddle_eq_tree_value (const HeddleValue *value);
HeddleEqTree *heddle_eq_tree_new (const HeddleOperationKind *kind);
void heddle_eq_tree_free (HeddleEqTree *self);
GPtrArray *heddle_eq_trees_new (void);
/* One more result, with these axes. */
void heddle_eq_tree_add_result (HeddleEqTree *self, const GArray *axes);
/* The operation that makes @value and, where @is_own denies it, those that make its operands. */
typedef gboolean (*HeddleEqIsOwn) (const HeddleDiagram *diagram, const char *value_id, gpointer data);
HeddleEqTree *heddle_eq_tree_from_diagram (
    const HeddleDiagram *diagram, const char *value_id, HeddleEqIsOwn is_own, gpointer data);
/* Where @other differs: the first such operation of @self, or NULL. */
const HeddleEqTree *heddle_eq_tree_difference (const HeddleEqTree *self, const HeddleEqTree *other);
/* Adds its operations and the values they make, the last called @name. */
HeddleValue *heddle_eq_tree_emit (
    const HeddleEqTree *self, HeddleDiagram *diagram, const char *name, HeddleDtype dtype);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleEqTree, heddle_eq_tree_free)

/* --- equations-elaborate.c --------------------------------------------------------- */

/* The operations that a scoped expression means, the last with the axes @left (ids). NULL: an error was reported. */
HeddleEqTree *heddle_eq_elaborate (HeddleEqScope *scope, const HeddleEqNode *root, const GArray *left);
/* The free indices of a scoped expression, as axis ids in the order in which they occur. */
GArray *heddle_eq_free_axes (const HeddleEqScope *scope, const HeddleEqNode *node);

/* --- equations-invoke.c: calls of definitions ---------------------------------------- */

/* What the arguments of a call are, in the order in which they are written: of the callee's values and axes. */
GArray *heddle_eq_callee_slots (const HeddleDiagram *callee);
/* Finds what a call's arguments mean and, unless it is a statement's @root, which axes its result has. */
gboolean heddle_eq_scope_call (HeddleEqScope *self, HeddleEqNode *node, gboolean root);
/* The operation; @axes: of the result, or NULL where scoping found them. */
HeddleEqTree *heddle_eq_call_tree (HeddleEqScope *scope, const HeddleEqNode *node, const GArray *axes);

/* --- equations-merge.c: `(h u)` --- */

/* The indices on the left, merged ones apart. */
guint64 heddle_eq_left_bits (HeddleEqScope *scope, const HeddleEqStatement *statement);
/* As heddle_eq_elaborate(), of a statement with @axes, merged where it says so. */
HeddleEqTree *heddle_eq_elaborate_left (
    HeddleEqScope *scope, const HeddleEqStatement *statement, const GArray *axes);
/* Whether a read merges axes and does nothing else, each merged one having the name that reading gives it. */
gboolean heddle_eq_is_merge (
    const HeddleDiagram *diagram, const GArray *axes, const GArray *operand_axes, const GPtrArray *indices);
gboolean heddle_eq_tree_is_merge (const HeddleDiagram *diagram, const HeddleEqTree *tree);
void heddle_eq_append_left (
    GString *text, const HeddleDiagram *diagram, const HeddleEqTree *tree, const char *axis);
/* Appends an index that merges; %FALSE: it does not. */
gboolean heddle_eq_append_merge (GString *text, const HeddleEqNode *node);

/* --- equations-print.c ------------------------------------------------------------- */

/* @compact: as in indices and sizes, where names are sizes unless @indices. */
char *heddle_eq_node_to_string (const HeddleEqNode *node, gboolean compact, gboolean indices);
/* What stands for the operands of a scalar expression. */
typedef HeddleEqNode *(*HeddleEqArgument) (guint operand, gpointer data);
typedef struct
{
  HeddleEqArena *arena;
  const HeddleDiagram *diagram;
  HeddleEqArgument argument;
  gpointer data;
} HeddleEqTranslation;
HeddleEqNode *heddle_eq_node_from_expr (const HeddleEqTranslation *self, const HeddleExpr *expr);

/* --- equations-plan.c: which values are statements of their own --------------------- */

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

/* @is_definition: the diagram is written as one, so that what it calls may stand within it. */
HeddleEqPlan *heddle_eq_plan_new (
    const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, gboolean is_definition);
/* What a call calls, as far as it is known, and its name. */
const HeddleDiagram *heddle_eq_plan_callee (const HeddleEqPlan *self, const char *id);
char *heddle_eq_callee_name (const HeddleSnapshot *snapshot, const char *id);
void heddle_eq_plan_free (HeddleEqPlan *self);
gboolean heddle_eq_plan_is_own (const HeddleEqPlan *self, const char *value_id);
const char *heddle_eq_plan_label (const HeddleEqPlan *self, const char *value_id);

/* --- equations-topk.c --- */
/* Writes the two statements of a topk as one. */
void heddle_eq_join_choices (HeddleEqPlan *plan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleEqPlan, heddle_eq_plan_free)

/* --- equations-comment.c ----------------------------------------------------------- */

/* A value's comment is kept in one string: the lines above its statement, without their `# `, a form feed, and what follows the statement. */
char *heddle_eq_comment_join (const char *above, const char *trailing);
void heddle_eq_comment_split (const char *comment, char **above, char **trailing);

G_END_DECLS
