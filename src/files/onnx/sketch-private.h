/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/onnx/sketch.h"

G_BEGIN_DECLS

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
  int producer; /* -1: none */
  HeddleArray *numbers; /* or NULL */
  const HeddleOnnxTensor *tensor; /* where they can be read; or NULL */
  const char *folder;
  gboolean known;
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
  const char *module; /* interned; or NULL */
  const char *source; /* or NULL */
} HeddleSketchOperation;

struct _HeddleSketch
{
  GPtrArray *axes, *values, *operations;
  int n_groups;
  const char *module, *source; /* of what is added now */
  GHashTable *reshaped; /* value -> what it is a reshape of (reshaped.c); or NULL */
  guint64 work; /* that finding out numbers took */
};

static inline HeddleSketchValue *
heddle_sketch_get_value (const HeddleSketch *self, int value)
{
  return g_ptr_array_index (self->values, value);
}

/* Which operations and values @wanted needs: a byte for each, of values and of operations. */
typedef struct
{
  guint8 *values, *operations;
} HeddleSketchReach;

HeddleSketchReach heddle_sketch_reach (HeddleSketch *self, const GArray *wanted, gboolean for_numbers);
void heddle_sketch_reach_clear (HeddleSketchReach *self);

/* sketch-emit.c: a diagram of what is reached. */
typedef struct
{
  HeddleSketch *sketch;
  HeddleSnapshot *snapshot;
  HeddleDiagram *diagram;
  HeddleSketchReach reach;
  GHashTable *names; /* taken */
  GHashTable *modules; /* id of an operation -> its module */
  GHashTable *boxes; /* likeness and types -> HeddleDiagram: definitions of boxes */
  const char **axis_ids, **value_ids; /* of what is there already */
  gboolean for_numbers; /* values are called k0, k1 …, and those whose numbers are known are inputs */
} HeddleSketchEmission;

void heddle_sketch_emit (HeddleSketchEmission *self, const GArray *wanted);
void heddle_sketch_emission_clear (HeddleSketchEmission *self);
/* names.c: @raw as a name of the language that is not in @names (of names, with the last number that was given to one), to which it is added. */
char *heddle_sketch_choose_name (GHashTable *names, const char *raw);
void heddle_sketch_take_name (GHashTable *names, const char *name, guint last);
const char *heddle_sketch_emit_axis (HeddleSketchEmission *self, int axis);
/* The comment of what is called something else than in the model. */
char *heddle_onnx_comment (const char *raw);
/* @comment (nullable, stolen) with where the value is made. */
char *heddle_onnx_comment_on_source (char *comment, const char *source);
/* What the parts of a parameter, one after another, are called in the model (heddle_onnx_raw_parts ()). */
char *heddle_onnx_comment_of_parts (const GPtrArray *raw);
/* fold.c: modules that are the same one after another as repetitions, the others as backdrops. */
void heddle_sketch_fold (HeddleSketchEmission *self);
/* sketch-blocks.c: backdrops for the modules of a diagram that was emitted. @modules: id of an operation -> its module. */
void heddle_sketch_add_blocks (HeddleSketchEmission *self, HeddleDiagram *diagram, GHashTable *modules);
const char *heddle_sketch_emit_value (HeddleSketchEmission *self, int value);
/* sketch-box.c */
void heddle_sketch_emit_box (HeddleSketchEmission *self, const HeddleSketchOperation *operation);

G_END_DECLS
