/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/region/memo.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* The ways in which a COMPUTE treats the points it goes through. */
typedef enum
{
  HEDDLE_COMPUTE_FOLD, /* a value at each point, or all of `over` combined */
  HEDDLE_COMPUTE_SCAN, /* a state that moves along an axis of the buffer, which has it after each point */
  HEDDLE_COMPUTE_SELECT, /* the largest of what is gone through, in order, and their places */
} HeddleComputeForm;

/* The meaning of a region of a diagram (the operations of one kernel): one list of definitions in dependency
 * order. Every operation is split into its reductions and its pointwise rest; all later reasoning is about
 * this list, never about kinds of operations. */

/* def[point of axes] = body, or monoid over `over` of body. ARGUMENT(i) in a body is definition i at the same
 * point. */
typedef struct
{
  const char *value; /* the value it is (id), or NULL: a stage */
  const char *operation; /* where it comes from (id); NULL: an input */
  guint column; /* position of the operation in the region + 1; 0: an input */
  const char *name; /* of a stage: "m" */
  const char *title; /* of a stage, in words */
  gboolean input, output;
  GArray *axes; /* ids; of an input by position of the value's, renamed where it is read under other names */
  guint64
      whole; /* bit i: axis i is read at indices of its own and is held to the window of those, or, of an input, whole, whatever its labels */
  GPtrArray *
      windows; /* of an input, or of what is read elsewhere than where it is made: of GPtrArray of HeddleExpr, per axis what it is read at; NULL where it is held whole or to its labels; NULL: no window */
  gboolean reduces;
  HeddleMonoid monoid;
  GArray *over; /* ids; empty unless reduces */
  HeddleExpr *body; /* NULL for inputs */
  GPtrArray *
      indices; /* of HeddleExpr: body is one ARGUMENT, read at these, one per axis of it; NULL: at the same point */
  GPtrArray *
      at; /* of an input: of HeddleExpr, where each point is read of the value's axes; NULL: at the same point */
  HeddleComputeForm form; /* as of a COMPUTE of loop-program.h; over: what a SELECT goes through */
  const char *
      along; /* SCAN: the axis that its state moves along; SELECT: the axis that its result is in order along, or NULL */
  HeddleExpr *extra; /* SCAN: the factor, NULL: 1; SELECT: the place */
  gboolean ranked; /* SELECT: goes through its own result's axis too */
  gboolean places; /* SELECT: the places of the SELECT that body is the ARGUMENT of */
} HeddleDefinition;

typedef struct
{
  const HeddleDiagram *diagram;
  GArray *operations; /* ids, in the diagram's order */
  GPtrArray *definitions; /* of HeddleDefinition */
  GArray *inputs, *outputs; /* value ids, each once */
  GArray *axes; /* every axis: the outputs' in order, then the others */
} HeddleRegionTerm;

/* The values that are stored although kernels compute again what others make, and the operations of a region
 * that are only there for that. */
typedef struct
{
  GHashTable *stored; /* value ids */
  GHashTable *again; /* operation ids: another kernel runs them, too, and stores what they make */
} HeddleStoring;

/* Returns the term of a region. Fails with %HEDDLE_DERIVE_ERROR_REGION if the operations cannot be one
 * kernel, and with _PROGRAM if no loop program describes them. If @sizes is NULL, axes read under other names
 * are assumed to agree in size. */
HeddleRegionTerm *heddle_region_term_new (
    const HeddleDiagram *diagram, const GArray *operations, const HeddleSizes *sizes, GError **error);
/* Returns the term of a kernel that computes again what another one makes. With @gathered, everything that is read at indices of its own crosses element by element, as often as it is read: nothing is held whole for that. Without @storing it
 * is made as they make it. @memo is what regions of this diagram at these sizes share, or NULL. */
HeddleRegionTerm *heddle_region_term_new_storing (const HeddleDiagram *diagram, const GArray *operations,
    const HeddleSizes *sizes, gboolean gathered, const HeddleStoring *storing, HeddleRegionMemo *memo,
    GError **error);
/* Frees the term with its definitions; NULL is allowed. */
void heddle_region_term_free (HeddleRegionTerm *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleRegionTerm, heddle_region_term_free)
