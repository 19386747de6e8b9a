/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/index/extent.h"
#include "derive/region/region.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* The loop program: the one object behind the listing, the cost columns, the executor and the kernel.
 * It is a tree of bands (grid, stream) with statements at the leaves, over buffers at memory levels.
 *
 * With labels at several levels the groups of a lower one stand within each part of the upper one's: what
 * comes before the stream, its step and what comes after it each have them. It is the same groups each time:
 * what one holds stays its own from one to the next. */

/* The numbers that stand for global memory, and for no buffer, in place of a buffer. */
#define HEDDLE_GLOBAL G_MAXUINT

#define HEDDLE_NO_BUFFER G_MAXUINT

typedef enum
{
  HEDDLE_BUFFER_OPERAND, /* a kernel input, loaded */
  HEDDLE_BUFFER_INTERMEDIATE, /* computed and read inside a step */
  HEDDLE_BUFFER_STATE, /* carried from step to step */
  HEDDLE_BUFFER_RESULT, /* a kernel output, saved */
  HEDDLE_BUFFER_FACTOR, /* what a step rescales states by: held, but by convention not counted in M */
} HeddleBufferRole;

typedef struct
{
  const char *name; /* interned, unique in the program, an identifier: "Q", "S", "m", "o" */
  const char *value; /* the value it holds (id), or NULL for a state that is not a value */
  HeddleBufferRole role;
  const char *level; /* "smem" */
  guint depth; /* number of that level among the program's */
  HeddleDtype dtype; /* as stored there: operands as in global memory, all else in f32 (f64 for f64) */
  HeddleDtype counted_dtype; /* as the cost counts it: the value's own or inferred type */
  guint slot; /* buffers of one slot may share memory: each is made in place of the one before, pointwise */
  GArray *
      axes; /* of const char * (axis ids), row-major; those of an operand or a result stand for the value's by position
                       * (a kernel that reads X[y,m] as X[x,m] holds it under x, m) */
  GArray *extents; /* of HeddleExtent, one per axis */
  GPtrArray *
      windows; /* of GPtrArray of HeddleExpr, one per axis: what it is read at, NULL where that is no window; NULL: nowhere is */
  guint open_windows; /* bit i: the window along axis i is as long for any size of that axis */
  gboolean counted; /* whether M counts it in the `operands` convention */
  char *title; /* in words: "running maximum"; or NULL */
  gboolean
      again; /* an operand read again where a residency says so: held from there to its last reader, in one copy whatever the stages */
} HeddleBuffer;

typedef enum
{
  HEDDLE_NODE_BAND, /* a loop */
  HEDDLE_NODE_LOAD, /* buffer <- global value, or buffer of the level above: its tile, chunk or whole */
  HEDDLE_NODE_SAVE, /* global value, or buffer of the level above <- buffer */
  HEDDLE_NODE_COMPUTE, /* buffer <- expression of buffers */
} HeddleNodeKind;

typedef enum
{
  HEDDLE_BAND_PROGRAM, /* the root: children in order, once */
  HEDDLE_BAND_GROUP, /* parallel over ceil(n/g) tiles */
  HEDDLE_BAND_STREAM, /* in order over ceil(n/s) chunks */
} HeddleBandKind;

/**
 * HeddleNode: a node of the tree.
 *
 * COMPUTE, at each point of @buffer's axes (inside the axes' real sizes: ragged tiles are cut):
 *
 *     acc = body (sources at the point)                         where over is empty
 *     acc = monoid over `over` of body (sources at the point)   else; over the extent the sources hold
 *     buffer[point] = acc                                       where not accumulate
 *     buffer[point] = monoid (rescale * buffer[point], acc)     where accumulate (rescale NULL: 1)
 *
 * ARGUMENT(i) in body and rescale is source i at the current point: a source's axis takes the point's (or the reduced) index of
 * the same axis; where source_indices[i] is set, it gives the source's index expressions per axis instead (REINDEX), and a read
 * outside yields the monoid's unit (0 without a reduction). SIZE leaves are whole sizes of axes, INDEX leaves global indices.
 *
 * SCAN, from each first point of @along on, in order, with state = @second at the point (0 without one), which has the last state after it:
 *
 *     state = extra * state + body;  buffer[point] = state       (extra NULL: 1)
 *
 * SELECT, at each point of @buffer's axes but @along, for all points of `over` in order and then, where @ranked, of @along: where extra >= 0,
 * body goes into its place among what @buffer has along @along (one value without it), which falls, before none that is as large, and extra to
 * the same place of @second; the least is dropped. A place of -1 in @second is one that nothing has been put into.
 *
 * LOAD with `at`: each point of @buffer is the element at those indices of the value's axes, over INDEX, SIZE and ARGUMENT leaves as above; 0
 * where that is outside.
 */
typedef struct _HeddleNode HeddleNode;
struct _HeddleNode
{
  HeddleNodeKind kind;
  /* BAND */
  HeddleBandKind band;
  const char *axis; /* axis id */
  gint64 size; /* g or s; the last tile or chunk may be smaller */
  guint
      depth; /* number of its level: a loop within those of the levels above goes through their part of the axis */
  GPtrArray *children; /* of HeddleNode */
  HeddleExpr *
      guard; /* STREAM, and GROUP within a step: it runs only if this is not 0, all of it or nothing; over SIZE and, of the
                current tile or chunk, INDEX (its first index) and VARIABLE (its last one: see guard.h). NULL: every step runs */
  /* the rest */
  guint buffer; /* index into the program's buffers */
  guint
      upper; /* LOAD, SAVE: the buffer of the level above that it is read from or written to; HEDDLE_GLOBAL: the global value */
  const char *operation; /* the operation this comes from (id) or NULL */
  HeddleExpr *body, *rescale;
  GArray *sources; /* of guint: buffers */
  GPtrArray *source_indices; /* per source: NULL or GPtrArray of HeddleExpr */
  gboolean accumulate;
  HeddleMonoid monoid;
  GArray *over; /* axis ids reduced */
  HeddleComputeForm form;
  guint second; /* SCAN, SELECT: another buffer that is read and written; HEDDLE_NO_BUFFER: none */
  const char *along; /* SCAN, SELECT: an axis of the buffer, or NULL */
  HeddleExpr *extra; /* SCAN: the factor; SELECT: the place */
  gboolean ranked;
  GPtrArray *at; /* LOAD: of HeddleExpr; NULL: the buffer's own part of the value */
  const char *
      partial; /* SAVE: the partial state written, at the number of the group that the split axis is in; NULL: the buffer's value */
  guint
      column; /* the diagram column the cost of this belongs to: position in the region's operations + 1; 0: before the first */
};

/* A whole value that crosses a link above global memory, before the program runs or after it. */
typedef struct
{
  const char *value; /* id */
  const char *level,
      *below; /* at both ends of the link (interned); the lower one is nearer to global memory, or is it */
  guint number; /* of the upper level among those above */
  gboolean global; /* whether the lower one is global memory */
  gboolean out; /* to the upper level; else from it */
  gboolean after; /* the program has run; else it is about to */
} HeddleMove;

typedef struct _HeddleLoopProgram HeddleLoopProgram;
struct _HeddleLoopProgram
{
  gatomicrefcount ref_count;
  const HeddleDiagram
      *diagram; /* held by the caller's snapshot, which must outlive the program; or its own */
  HeddleDiagram **
      own_diagram; /* of a split program and its combine step, which share it (an atomic box): with the axis of parts and the partial states; or NULL */
  char *name; /* "attention" or the fused values: "P_O" */
  GArray *
      levels; /* of const char *: those that its axes are labelled at, outermost first; statements compute at the last */
  GPtrArray *buffers; /* of HeddleBuffer */
  HeddleNode *root;
  GArray *inputs, *outputs; /* of const char *: global values read and written */
  GArray *spilled; /* of const char *: values it writes to global memory only to read them again itself */
  GArray *operations; /* of const char *: the region's, in order: a node's column counts in this */
  GArray *moves; /* of HeddleMove, in order; NULL: nothing crosses beyond global memory */
  guint stages; /* copies of each streamed operand that M counts, for overlap; >= 1 */
  gconstpointer
      unread; /* of a program just made: the first HeddleReread that no statement came of; it is of those who made it. NULL: none */
  /* Split-K: the axis that is both grouped and streamed, whose groups write partial states for @combine to
   * merge. What @combine reads besides those is among the inputs, what it writes among the outputs. */
  const char
      *split; /* axis id; NULL: none, or nothing to merge. Of a combine step: the axis its parts are of */
  gint64 split_size; /* g of it */
  const char *parts; /* the axis (id in own_diagram) that numbers the groups, of both programs */
  GArray *partials; /* of const char *: the partial states, in the order of their saves; of both programs */
  HeddleLoopProgram *combine; /* the second kernel; NULL: none */
};

/* Adds a reference to the program and returns it; threads may do so at the same time. */
HeddleLoopProgram *heddle_loop_program_ref (HeddleLoopProgram *self);
/* Drops a reference; the last one frees the program and its reference to the combine step. */
void heddle_loop_program_unref (HeddleLoopProgram *self);
/* Returns buffer number @i, owned by @self. */
const HeddleBuffer *heddle_loop_program_get_buffer (const HeddleLoopProgram *self, guint i);

/* Returns the loop of @kind (GROUP or STREAM) over @axis (an id), owned by @self, or NULL. */
HeddleNode *heddle_loop_program_get_band (
    const HeddleLoopProgram *self, const char *axis, HeddleBandKind kind);
/* Returns the loop of @kind (GROUP or STREAM) along @axis, of the innermost level down to number @depth
 * that has one, owned by @self; NULL where there is none. */
HeddleNode *heddle_loop_program_get_band_at (
    const HeddleLoopProgram *self, const char *axis, HeddleBandKind kind, guint depth);
/* Returns how many elements of @axis buffers of extent @extent hold at most: its size n, its tile min (g,
 * n) or its chunk min (s, n). */
gint64 heddle_loop_program_extent (
    const HeddleLoopProgram *self, const HeddleSizes *sizes, const char *axis, HeddleExtent extent);

/* Returns a new array with the ids of the global values that the statements of the program itself load:
 * inputs, then partial states, then outputs. Where there is a combine step, what that alone loads is not
 * among them. */
GArray *heddle_loop_program_reads (const HeddleLoopProgram *self);
/* Returns a new array with the ids of the global values that the statements of the program itself save:
 * partial states, then outputs, then values that it writes only to read them again. */
GArray *heddle_loop_program_writes (const HeddleLoopProgram *self);
/* Returns a new reference to the sizes of the program's own diagram: where there is a combine step, with
 * the number of parts of the split axis, ceil (n / g). */
HeddleSizes *heddle_loop_program_own_sizes (const HeddleLoopProgram *self, const HeddleSizes *sizes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleLoopProgram, heddle_loop_program_unref)

/* Returns a new buffer without axes. @name is interned and unique in its program. */
HeddleBuffer *heddle_buffer_new (const char *name, HeddleBufferRole role);
/* Frees the buffer with its axes, windows and title. */
void heddle_buffer_free (HeddleBuffer *self);
