/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/document/document.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/onnx/model.h"
#include "files/onnx/sketch.h"

typedef struct
{
  int parent; /* itself: it stands for all that became one with it */
  gint64 size;
  char *name;
  guint rank;
  GHashTable *groups; /* of those that must not become one, the numbers of the groups that it is in */
} HeddleSketchAxis;

typedef struct
{
  HeddleValueRole role;
  HeddleDtype dtype;
  GArray *axes; /* of int */
  char *raw; /* or NULL */
  char *wish; /* what it is called where that is free and it has no name; or NULL */
  int producer; /* -1: none */
  HeddleArray *numbers; /* or NULL */
  const HeddleOnnxTensor *tensor; /* where they can be read; or NULL */
  const char *folder;
  gboolean known, is_free; /* of arrays of the model */
} HeddleSketchValue;

typedef struct
{
  const HeddleOperationKind *kind;
  GArray *operands, *results, *core; /* of int */
  HeddleExpr *body;
  GPtrArray *indices; /* of HeddleExpr, or NULL */
  double option;
  char *box; /* the name of what is called, or NULL */
  char *likeness; /* of a box: the same for all that are the same function */
  char *text; /* of what is scanned: the equations of its definition, after its name; NULL: of all else */
  const char *module; /* interned; or NULL */
  const char *source; /* or NULL */
} HeddleSketchOperation;

struct _HeddleSketch
{
  GPtrArray *axes, *values, *operations;
  int n_groups;
  const char *module, *source; /* of what is added now */
  GHashTable *reshaped; /* value -> what it is a reshape of (reshaped.c); or NULL */
  guint64 work; /* the work of computing numbers */
  guint n_empty; /* operations that read arrays without elements */
  gboolean unrolled; /* layers that are alike stay one by one */
};

static inline HeddleSketchValue *
heddle_sketch_get_value (const HeddleSketch *self, int value)
{
  return g_ptr_array_index (self->values, value);
}

/* The operations and values that @wanted needs: a byte for each, of values and of operations. */
typedef struct
{
  guint8 *values, *operations;
} HeddleSketchReach;

/* The state of emitting a diagram of what is reached (sketch-emit.c). */
typedef struct
{
  HeddleSketch *sketch;
  HeddleSnapshot *snapshot;
  HeddleDiagram *diagram;
  HeddleSketchReach reach;
  GHashTable *names; /* taken */
  GHashTable *kept; /* of const char *: what the model calls what is made */
  GHashTable *modules; /* id of an operation -> its module */
  GHashTable *dtypes; /* of heddle_diagram_dtype_of_next () */
  GHashTable *boxes; /* likeness and types -> HeddleDiagram: definitions of boxes */
  const char **axis_ids, **value_ids; /* of what is there already */
  gboolean for_numbers; /* values are called k0, k1 …, and those whose numbers are known are inputs */
} HeddleSketchEmission;
