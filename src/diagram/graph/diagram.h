/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/operation-table.h"

G_BEGIN_DECLS

/* Ids are interned strings (g_intern_string): two ids are equal iff their pointers are. They are derived from names
 * with a suffix ("a.q", "v.S", "o.S", "o.S-2") and never change once given. Ids are unique within a diagram. */

/**
 * HeddleAxis: a named dimension of a diagram. Identity is (diagram, id); equal size does not make two axes the same.
 */
typedef struct
{
  gatomicrefcount ref_count;
  const char *id;
  char *name; /* as spelt in the source: "x", "\\bar x", "c_{i}" */
  HeddleExpr *size; /* over SIZE leaves of other axes; NULL: not given (may be a size inferred by checks) */
} HeddleAxis;

typedef enum
{
  HEDDLE_ROLE_INTERMEDIATE, /* made by an operation */
  HEDDLE_ROLE_INPUT,
  HEDDLE_ROLE_PARAMETER,
} HeddleValueRole;

/**
 * HeddleValue: an array flowing through the diagram: a bundle of axis wires in order (none: a scalar).
 */
typedef struct
{
  gatomicrefcount ref_count;
  const char *id;
  char *name; /* NULL: unnamed; printed inline where read once, else as t1 … */
  HeddleDtype dtype;
  HeddleValueRole role;
  GArray *axes; /* of const char * (axis ids); an axis may occur once only: a diagonal is a reindexing */
  char *
      comment; /* whole-line comments above its statement and (after a '\n' '\f' mark) the trailing one; or NULL. See files/equations. */
} HeddleValue;

/**
 * HeddleOperation: reads operands, makes a value, a call one or more. It is woven (mapped) over every axis that is not a core axis.
 *
 * MAP: result = body over ARGUMENT(i), SIZE, INDEX; the result's axes are declared by the result value and contain those of
 * all operands (missing ones are broadcast). CONTRACT: sum over @axes of the product of operands. REDUCE, NORMALISE: over
 * @axes of the one operand. REINDEX: result[…] = operand[indices…], one expression per axis of the operand over INDEX leaves
 * of the result's axes, SIZE leaves and numbers; a read outside gives 0, or is left out of the reduction that reads it. With more operands
 * it is a gather: ARGUMENT(i), i >= 1, in an index is the whole number that operand i has at the result's point. CONCAT: the
 * operands end to end along the core axis. SCAN: a state along the core axis. SELECT: places of the largest along the first core axis, in
 * order along the second. CALL: the
 * diagram @callee on the operands: its inputs, then the parameters among its arguments; each operand's trailing axes are those of what it
 * stands for, by position, and the leading ones are woven. The results' trailing axes are those of the callee's outputs. Calls are taken
 * apart by heddle_snapshot_flatten(); what evaluates or derives a diagram knows none.
 */
typedef struct
{
  gatomicrefcount ref_count;
  const char *id;
  const HeddleOperationKind *kind;
  GArray *operands; /* of const char * (value ids) */
  const char *result; /* value id */
  GArray *axes; /* core axes, of const char * (axis ids) */
  HeddleExpr *body; /* MAP only */
  GPtrArray *indices; /* REINDEX only: of HeddleExpr */
  double options[HEDDLE_MAX_OPTIONS];
  GArray *more_results; /* of const char * (value ids): the second, third … value that is made; NULL: none */
  const char *callee; /* CALL only: the id of a diagram of the same document */
  GPtrArray *
      sizes; /* CALL only: of HeddleExpr, what the axes among the callee's arguments are given; NULL: there are none */
  HeddleExpr *
      repeat; /* CALL only: how often the outputs become the inputs, over SIZE leaves and numbers; NULL: once */
  gboolean shared; /* CALL only: each time with the same parameters */
} HeddleOperation;

/**
 * HeddleDiagram: a typed hypergraph. Operations are kept in an order in which each comes after those it reads from.
 * Copying is cheap: axes, values and operations are shared until edited.
 */
typedef struct
{
  char *id; /* interned */
  char *name; /* "attention" */
  GPtrArray *axes; /* of HeddleAxis, in order of appearance */
  GPtrArray *values; /* of HeddleValue, in order of appearance */
  GPtrArray *operations; /* of HeddleOperation */
  GArray *
      outputs; /* of const char * value ids; meaningful when explicit_outputs; set before statements are looked up */
  gboolean explicit_outputs; /* FALSE: the outputs are the results nobody reads */
  GArray *
      arguments; /* what calls give besides the inputs, in order: ids of parameters, and of axes, whose size is given */
  char *comment; /* comment lines at the end of the text, or NULL */
  struct _HeddleDiagramIndex *index; /* private: lookups by id and name; NULL: to be built when needed */
} HeddleDiagram;

HeddleDiagram *heddle_diagram_new (const char *name);
HeddleDiagram *heddle_diagram_copy (const HeddleDiagram *self);
void heddle_diagram_free (HeddleDiagram *self);

/* --- looking --- all transfer none, NULL when there is none */
const HeddleAxis *heddle_diagram_get_axis (const HeddleDiagram *self, const char *id);
const HeddleValue *heddle_diagram_get_value (const HeddleDiagram *self, const char *id);
const HeddleOperation *heddle_diagram_get_operation (const HeddleDiagram *self, const char *id);
const HeddleAxis *heddle_diagram_find_axis (const HeddleDiagram *self, const char *name);
const HeddleValue *heddle_diagram_find_value (const HeddleDiagram *self, const char *name);
/* The operation that makes @value_id; NULL for inputs. */
const HeddleOperation *heddle_diagram_get_producer (const HeddleDiagram *self, const char *value_id);
/* What an operation makes: its result and those after it. */
guint heddle_operation_n_results (const HeddleOperation *operation);
const char *heddle_operation_get_result (const HeddleOperation *operation, guint i);
/* What a call of the diagram reads: its inputs, then the parameters among its arguments. Value ids, transfer container. */
GArray *heddle_diagram_get_formals (const HeddleDiagram *self);
gboolean heddle_diagram_has_calls (const HeddleDiagram *self);
gboolean heddle_diagram_is_flat (const HeddleDiagram *self, GError **error);
/* A definition that is all outside: it has no operations, and nothing makes what it gives. What calls it is a box of which the types are known. */
gboolean heddle_diagram_is_box (const HeddleDiagram *self);
/* How many operand slots read @value_id. */
guint heddle_diagram_count_readers (const HeddleDiagram *self, const char *value_id);
GPtrArray *heddle_diagram_get_readers (const HeddleDiagram *self,
    const char *value_id); /* of HeddleOperation (none), transfer container; an operation once */
/* Value ids, in order: explicit ones, or results nobody reads. Transfer container. */
GArray *heddle_diagram_get_outputs (const HeddleDiagram *self);
gboolean heddle_diagram_is_output (const HeddleDiagram *self, const char *value_id);
GArray *heddle_diagram_get_inputs (
    const HeddleDiagram *self); /* inputs and parameters, in order of appearance */
/* The name to show for a value: its own, or "t1", "t2" … by order of appearance, avoiding taken names. Newly allocated. */
char *heddle_diagram_value_label (const HeddleDiagram *self, const char *value_id);
int heddle_diagram_index_of_operation (const HeddleDiagram *self, const char *id);
/* Whether @value_id is made, at whatever distance, of what an array read (a reindexing) makes. */
gboolean heddle_diagram_follows_read (const HeddleDiagram *self, const char *value_id);
/* The operations of a named (or output) value's statement: its producer and the producers of the unnamed values that it alone
 * reads, once, recursively; in order. Transfer container, of HeddleOperation. An unnamed value read more than once is a statement
 * of its own (it prints as t1). */
GPtrArray *heddle_diagram_statement_operations (const HeddleDiagram *self, const char *value_id);
/* The value whose statement @operation_id belongs to. */
const char *heddle_diagram_statement_of (const HeddleDiagram *self, const char *operation_id);

#define heddle_ids_index(array, i) (g_array_index ((array), const char *, (i)))
GArray *heddle_ids_new (void);
GArray *heddle_ids_copy (const GArray *ids); /* NULL-safe: an empty array */
void heddle_ids_append (GArray *ids, const char *id);
int heddle_ids_find (const GArray *ids, const char *id); /* -1: absent */
static inline gboolean
heddle_ids_contain (const GArray *ids, const char *id)
{
  return heddle_ids_find (ids, id) >= 0;
}
gboolean heddle_ids_equal (const GArray *a, const GArray *b);

/* --- building --- @id NULL: derived from the name. The returned object is owned by the diagram and may be filled
 * in further until the diagram is next copied. Ids already taken get a suffix. */
HeddleAxis *heddle_diagram_add_axis (HeddleDiagram *self, const char *id, const char *name, HeddleExpr *size);
HeddleValue *heddle_diagram_add_value (HeddleDiagram *self, const char *id, const char *name,
    HeddleValueRole role, HeddleDtype dtype, const GArray *axes);
/* @result must be a value already added, without a producer. @position -1: at the end. */
HeddleOperation *heddle_diagram_add_operation (HeddleDiagram *self, const char *id,
    const HeddleOperationKind *kind, const GArray *operands, const char *result, const GArray *axes,
    int position);

/* One more value that the operation makes. */
void heddle_diagram_add_result (HeddleDiagram *self, HeddleOperation *operation, const char *result);
/* Gives @self the body, the indices, the sizes, the options and what is called, as @from has them. @replace (optional): as of
 * heddle_expr_substitute(), for the leaves of their expressions. */
void heddle_operation_copy_details (
    HeddleOperation *self, const HeddleOperation *from, HeddleExprReplace replace, gpointer data);

/* --- changing --- objects are shared between copies: these return one that this diagram alone owns. Finish changing an
 * object before looking something up by name or by readers: those indices are rebuilt once after an edit_… call. Ids and an
 * operation's result never change. */
HeddleAxis *heddle_diagram_edit_axis (HeddleDiagram *self, const char *id);
HeddleValue *heddle_diagram_edit_value (HeddleDiagram *self, const char *id);
HeddleOperation *heddle_diagram_edit_operation (HeddleDiagram *self, const char *id);
void heddle_diagram_remove (HeddleDiagram *self, const char *id); /* the object alone, of any kind */
/* Puts operations into dependency order, keeping the present order where it can. %FALSE: there is a cycle. */
gboolean heddle_diagram_sort (HeddleDiagram *self);

/* --- comparing --- isomorphic: equal up to ids, order of independent operations and names of unnamed intermediates;
 * names of axes, inputs, parameters, outputs and named values count. @why (optional, newly allocated): the first difference. */
gboolean heddle_diagram_isomorphic (const HeddleDiagram *a, const HeddleDiagram *b, char **why);
/* Whether copies hold the same objects still: neither was edited since. No more than a glance. */
gboolean heddle_diagram_is_copy (const HeddleDiagram *a, const HeddleDiagram *b);

/* --- sizes --- */
/* Axis id -> whole size >= 1, every axis resolved. @overrides: axis name -> gint64 * (GHashTable of char* to gint64*), or NULL.
 * Errors: %HEDDLE_DIAGRAM_ERROR_SIZE naming the axis (missing, cyclic, not whole, < 1, above 2^40). */
typedef struct _HeddleSizes HeddleSizes;
HeddleSizes *heddle_sizes_new (const HeddleDiagram *diagram, GHashTable *overrides, GError **error);
HeddleSizes *heddle_sizes_ref (HeddleSizes *self);
void heddle_sizes_unref (HeddleSizes *self);
gint64 heddle_sizes_get (const HeddleSizes *self, const char *axis_id); /* 0: not an axis of the diagram */
/* A copy in which axis @axis_id has @size. */
HeddleSizes *heddle_sizes_with (const HeddleSizes *self, const char *axis_id, gint64 size);
/* A HeddleExprLookup: answers SIZE leaves; @data is the HeddleSizes. */
gboolean heddle_sizes_lookup (const HeddleExpr *leaf, double *value, gpointer sizes);
/* Elements of a value: the product of its axes' sizes (saturating at G_MAXINT64). */
gint64 heddle_sizes_elements (const HeddleSizes *self, const HeddleValue *value);

/* The data type a value has where it is stored: declared, or the widest of its operands', which is f16 where numbers of 8 bits are computed with and not only
 * moved; or @fallback. */
HeddleDtype heddle_diagram_dtype (const HeddleDiagram *self, const char *value_id, HeddleDtype fallback);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleDiagram, heddle_diagram_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleSizes, heddle_sizes_unref)

G_END_DECLS
