/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram-private.h"
#include "diagram/graph/ids.h"
#include "diagram/graph/operation-table.h"
#include <glib.h>

/* Ids are interned strings (g_intern_string): two ids are equal iff their pointers are. They are derived from
 * names with a suffix ("a.q", "v.S", "o.S", "o.S-2") and never change once given. Ids are unique within a
 * diagram. */

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
 * stands for, by position, and the leading ones are woven. The results' trailing axes are those of the callee's outputs. With a core axis
 * it is scanned: the outputs become the first inputs, and each other operand that is along the axis is read at one place after the
 * other; the results are along it too. Calls are taken
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

/* Makes an empty diagram whose id is made from @name (NULL: ""). The caller owns it. */
HeddleDiagram *heddle_diagram_new (const char *name);
/* Returns a copy, which the caller owns. Axes, values, operations and the index are shared until they are
 * edited. */
HeddleDiagram *heddle_diagram_copy (const HeddleDiagram *self);
/* Frees the diagram and drops what it shares; NULL is allowed. */
void heddle_diagram_free (HeddleDiagram *self);

/* --- looking --- all transfer none, NULL when there is none */
const HeddleAxis *heddle_diagram_get_axis (const HeddleDiagram *self, const char *id);
/* Returns the value of that interned id, owned by the diagram; NULL if there is none. */
const HeddleValue *heddle_diagram_get_value (const HeddleDiagram *self, const char *id);
/* Returns the operation of that interned id, owned by the diagram; NULL if there is none. */
const HeddleOperation *heddle_diagram_get_operation (const HeddleDiagram *self, const char *id);
/* Returns the operation that makes @value_id; NULL for inputs. */
const HeddleOperation *heddle_diagram_get_producer (const HeddleDiagram *self, const char *value_id);
/* Returns how many operand slots read @value_id. */
guint heddle_diagram_count_readers (const HeddleDiagram *self, const char *value_id);
GPtrArray *heddle_diagram_get_readers (const HeddleDiagram *self,
    const char *value_id); /* of HeddleOperation (none), transfer container; an operation once */
/* Returns the ids of the outputs in order: explicit ones, or results that nobody reads. Transfer
 * container. */
GArray *heddle_diagram_get_outputs (const HeddleDiagram *self);
/* Returns whether the value is among the explicit outputs; without these, whether it is made and nobody
 * reads it. */
gboolean heddle_diagram_is_output (const HeddleDiagram *self, const char *value_id);
GArray *heddle_diagram_get_inputs (
    const HeddleDiagram *self); /* inputs and parameters, in order of appearance */

/* Returns whether two copies still hold the same objects, so that neither was edited since. It takes constant
 * time. */
gboolean heddle_diagram_is_copy (const HeddleDiagram *a, const HeddleDiagram *b);

/* --- sizes */
/* The size of every axis, whole and >= 1, by axis id. @overrides (axis name -> gint64 *) may be NULL. Errors
 * are %HEDDLE_DIAGRAM_ERROR_SIZE, which names the axis (missing, cyclic, not whole, < 1, above 2^40). */
typedef struct _HeddleSizes HeddleSizes;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleDiagram, heddle_diagram_free)

/* Returns the part of an id that stands for @name: its letters, digits, "_", "." and "-". */
char *heddle_id_from_name (const char *name);
/* --- building --- @id NULL: derived from the name. The returned object is owned by the diagram and may be filled
 * in further until the diagram is next copied. Ids already taken get a suffix. */
HeddleAxis *heddle_diagram_add_axis (HeddleDiagram *self, const char *id, const char *name, HeddleExpr *size);
/* Adds a value over @axes (ids, copied), owned by the diagram. An @id of NULL is made from @name, and an
 * id that is taken gets a suffix; @name may be NULL. */
HeddleValue *heddle_diagram_add_value (HeddleDiagram *self, const char *id, const char *name,
    HeddleValueRole role, HeddleDtype dtype, const GArray *axes);
/* Adds an operation. @result must be a value already added, without a producer; @position -1 means at the
 * end. */
HeddleOperation *heddle_diagram_add_operation (HeddleDiagram *self, const char *id,
    const HeddleOperationKind *kind, const GArray *operands, const char *result, const GArray *axes,
    int position);
/* --- changing --- objects are shared between copies: these return one that this diagram alone owns. Finish changing an
 * object before looking something up by name or by readers: those indices are rebuilt once after an edit_… call. Ids and an
 * operation's result never change. */
HeddleAxis *heddle_diagram_edit_axis (HeddleDiagram *self, const char *id);
/* Returns the value of that id to be changed, after copying it if other diagrams share it. The diagram
 * owns it; NULL means that there is none. */
HeddleValue *heddle_diagram_edit_value (HeddleDiagram *self, const char *id);
/* Returns the operation of that id to be changed, after copying it if other diagrams share it. The diagram
 * owns it; NULL means that there is none. */
HeddleOperation *heddle_diagram_edit_operation (HeddleDiagram *self, const char *id);
/* Removes an axis, a value or an operation alone; a value goes from the lists of outputs and arguments too.
 * The caller mends what refers to it. */
void heddle_diagram_remove (HeddleDiagram *self, const char *id);

/* Returns the index, owned by this diagram alone; to be called before a change. */
HeddleDiagramIndex *heddle_diagram_own_index (HeddleDiagram *self);
/* Forgets what depends on names, on who reads what, on data types. */
void heddle_diagram_index_names_changed (HeddleDiagramIndex *index);
/* Forgets what depends on the graph: readers, positions, what follows reads, statements and data types.
 * They are built again when needed. */
void heddle_diagram_index_graph_changed (HeddleDiagramIndex *index);
/* Returns the axis of that name, owned by the diagram; NULL if there is none or @name is NULL. */
const HeddleAxis *heddle_diagram_find_axis (const HeddleDiagram *self, const char *name);
/* Returns the value of that name, owned by the diagram; NULL if there is none or @name is NULL. */
const HeddleValue *heddle_diagram_find_value (const HeddleDiagram *self, const char *name);
/* Returns the name to show for a value: its own, or `t1`, `t2` and the like (`graph/labels.h`). Newly allocated. */
char *heddle_diagram_value_label (const HeddleDiagram *self, const char *value_id);
/* Returns value id to GPtrArray of the operations that read it, owned by the diagram. A value that nobody
 * reads is absent. */
GHashTable *heddle_diagram_readers (const HeddleDiagram *self);
/* Returns the position of an operation among those of the diagram, from 0; -1 if there is none of that id. */
int heddle_diagram_index_of_operation (const HeddleDiagram *self, const char *id);
/* Returns whether @value_id depends, at whatever distance, on what a reindexing reads. */
gboolean heddle_diagram_follows_read (const HeddleDiagram *self, const char *value_id);
/* Returns the value whose statement @operation_id belongs to. */
const char *heddle_diagram_statement_of (const HeddleDiagram *self, const char *operation_id);
/* Returns the operations of a named (or output) value's statement: its producer and the producers of the
 * unnamed values that it alone reads, once, recursively; in order. Transfer container, of HeddleOperation. An
 * unnamed value read more than once is a statement of its own (it prints as t1). */
GPtrArray *heddle_diagram_statement_operations (const HeddleDiagram *self, const char *value_id);
/* Returns the data type in which a value is stored: the declared one, or the widest of its operands', which
 * is f16 where numbers of 8 bits are computed with and not only moved; or @fallback. */
HeddleDtype heddle_diagram_dtype (const HeddleDiagram *self, const char *value_id, HeddleDtype fallback);
/* Returns the data type of the first result of @operation, f32 where nothing says it, for whoever makes a diagram one operation after
 * the other: only this one is examined. @known keeps what was found for those before it; it is empty at
 * first, and compares ids by their address. */
HeddleDtype heddle_diagram_dtype_of_next (
    const HeddleDiagram *self, GHashTable *known, const HeddleOperation *operation);

/* Makes @result, a value already added that nothing makes, the last result of @operation of @self. */
void heddle_diagram_add_result (HeddleDiagram *self, HeddleOperation *operation, const char *result);
