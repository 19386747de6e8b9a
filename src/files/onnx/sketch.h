/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "files/onnx/model.h"

/* A diagram in the making, in which axes may still turn out to be one: those of equal size that flow together
 * become one (a union-find), unless some array would then have it twice. Axes, values and operations are
 * numbers here; expressions name axes by heddle_sketch_symbol (). What is never read by anything wanted
 * leaves no trace in the diagram. */
typedef struct _HeddleSketch HeddleSketch;

/* Returns an empty sketch, which the caller owns. */
HeddleSketch *heddle_sketch_new (void);
/* Frees the sketch with its axes, values and operations. */
void heddle_sketch_free (HeddleSketch *self);
/* Makes layers that are alike stay one by one in what is made of the sketch. */
void heddle_sketch_keep_unrolled (HeddleSketch *self);

/* --- axes --- names are wishes: of two axes that become one the name of lower @rank stays. */
int heddle_sketch_add_axis (HeddleSketch *self, gint64 size, const char *name, guint rank);
/* Returns the axis that stands for all that became one with @axis. */
int heddle_sketch_find (HeddleSketch *self, int axis);
/* Returns the size of an axis. */
gint64 heddle_sketch_size (HeddleSketch *self, int axis);
/* Adds a new axis of the size of @axis, named after it, and returns it. */
int heddle_sketch_add_like (HeddleSketch *self, int axis);
/* Merges two axes. Returns %FALSE if their sizes differ, or something has or needs both. */
gboolean heddle_sketch_merge (HeddleSketch *self, int a, int b);
/* Makes sure that these axes are never merged from now on. */
void heddle_sketch_keep_apart (HeddleSketch *self, const int *axes, guint n);
/* Returns the symbol of an axis in expressions; interned. */
const char *heddle_sketch_symbol (HeddleSketch *self, int axis);
/* Returns the axis that has such a symbol, after merging. */
int heddle_sketch_axis_of (HeddleSketch *self, const char *symbol);
/* Returns the index along an axis as an expression (transfer full). */
HeddleExpr *heddle_sketch_index (HeddleSketch *self, int axis);

/* --- values */
#define HEDDLE_SKETCH_NAMED 0 /* of names the model's */

/* Adds a value with those axes, which stay apart from now on, and returns its number. */
int heddle_sketch_add_value (
    HeddleSketch *self, HeddleValueRole role, HeddleDtype dtype, const int *axes, guint n_axes);
/* Sets the name of a value. @raw is its name in the model; NULL if there is none. */
void heddle_sketch_set_name (HeddleSketch *self, int value, const char *raw);
/* Returns whether an operation makes the value and it has no other name than @raw. */
gboolean heddle_sketch_can_be_called (HeddleSketch *self, int value, const char *raw);
const GArray *heddle_sketch_axes (HeddleSketch *self, int value); /* of int, found */
/* Returns the type that the elements of a value have in the document. */
HeddleDtype heddle_sketch_dtype (HeddleSketch *self, int value);
/* Returns how a value is made that depends on its places alone; NULL if it depends on more, or has a name.
 * Transfer none. */
HeddleExpr *heddle_sketch_body_of_places (HeddleSketch *self, int value);
/* Sets the numbers of a value. */
void heddle_sketch_set_numbers (HeddleSketch *self, int value, HeddleArray *numbers);
/* Sets the numbers of a value as those of @tensor, which are read when they are wanted, but never written
 * into the diagram. @tensor must stay. */
void heddle_sketch_set_tensor (
    HeddleSketch *self, int value, const HeddleOnnxTensor *tensor, const char *folder);
/* Returns whether the value depends only on what is known. Its numbers are computed when they are asked for.
 * Transfer none. */
gboolean heddle_sketch_is_known (HeddleSketch *self, int value);

/* Returns whether the value is known and depends on no array of the model, which would stay a parameter. */
gboolean heddle_sketch_is_free (HeddleSketch *self, int value);

/* --- operations --- each gives the value that it makes. */
/* Adds a map and returns its result. @body is stolen. The axes are those of the result. */
int heddle_sketch_map (HeddleSketch *self, const int *operands, guint n_operands, const int *axes,
    guint n_axes, HeddleExpr *body, HeddleDtype dtype);
/* Adds a reindexing and returns its result. @indices (stolen) has one expression for each axis of the first
 * operand. */
int heddle_sketch_reindex (HeddleSketch *self, const int *operands, guint n_operands, const int *axes,
    guint n_axes, HeddleExpr **indices, HeddleDtype dtype);
/* Adds an operation of any other row of the operation table along the core axes, and returns its result. */
int heddle_sketch_operate (HeddleSketch *self, const char *kind, const int *operands, guint n_operands,
    const int *core, guint n_core, const int *axes, guint n_axes, double option, HeddleDtype dtype);
/* Adds a box of which only the types are known: a call of a definition without a body. Boxes of one @likeness
 * are the same function: those of the same types call one definition. @results: values that were added. */
void heddle_sketch_box (HeddleSketch *self, const char *name, const char *likeness, const int *operands,
    guint n_operands, const int *results, guint n_results);
/* Adds a call of a definition that is scanned along @axis. @text has the equations of the definition after `def`
 * and its name: "(h[u], x[u]) -> g[u]:" and the lines below. Scans of one text call one definition. @results: values
 * that were added. */
void heddle_sketch_scan (HeddleSketch *self, const char *name, const char *text, int axis,
    const int *operands, guint n_operands, const int *results, guint n_results);
/* Returns how many operands without elements operations have got so far; no diagram has such arrays. */
guint heddle_sketch_count_empty (const HeddleSketch *self);
/* Assigns operations that are added from now on to the module @path, such as "layers.0/attention"; to none if
 * it is NULL. */
void heddle_sketch_set_module (HeddleSketch *self, const char *path);
/* Sets the place, in the program that made the model, of operations that are added from now on; the caller
 * keeps the text, which may be NULL. */
void heddle_sketch_set_source (HeddleSketch *self, const char *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleSketch, heddle_sketch_free)
