/* SPDX-License-Identifier: MIT */
#pragma once

#include "codegen/cuda/expr.h"
#include "codegen/base/names.h"
#include "derive/program/loop-program-private.h"

G_BEGIN_DECLS

/* Lines of a kernel, and the operation (id or NULL) that each belongs to. */
typedef struct
{
  GString *text;
  GPtrArray *operations;
} HeddleCudaText;

/* The device part of a kernel of the general family, printed from a loop program. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleLoopProgram *program;
  const HeddleSizes *sizes;
  HeddleDtype dtype; /* of values without their own */
  HeddleNames *names;
  char *entry;
  guint threads;
  guint
      blocks; /* as many a multiprocessor are enough: registers are not to be saved for more; 0: there is room for all */
  gboolean wide; /* computes in double */
  HeddleCudaText *out;
  guint depth;
  const char *operation; /* what the lines printed now belong to */
  GHashTable *sections; /* of the prelude that are used */
  const HeddleNode *node; /* the statement at hand */
  const HeddleBuffer *points; /* whose points its threads go through */
  gboolean by_warps; /* a warp goes to each point, not a thread */
  GPtrArray *arguments; /* texts of its sources */
  GPtrArray *wholes; /* of those that are whole numbers, as such; NULL: of others */
  GString *inside; /* what must hold for them to be inside their arrays, or empty */
  GHashTable *indices; /* axis id -> text of its global index at the point */
  GHashTable *extents; /* axis id -> HeddleExtent + 1 of its loop at the point */
  GPtrArray *bands; /* of HeddleNode: around the statement at hand */
  GArray *accesses; /* to shared memory since the last barrier */
  const GPtrArray *maps; /* of HeddleKernelMap: behind the parameters, or NULL */
} HeddleCudaKernel;

/* Whether the axis' size is an argument of the kernel: it is grouped or streamed, and no buffer holds it whole. */
gboolean heddle_cuda_axis_at_run_time (const HeddleLoopProgram *program, const char *axis);
/* Whether the axis' size is a constant of the kernel: it is used, and not given at run time. */
gboolean heddle_cuda_axis_is_fixed (const HeddleLoopProgram *program, const char *axis);
/* Whether the axis streams within its groups. */
gboolean heddle_cuda_axis_is_split (const HeddleLoopProgram *program, const char *axis);
/* The axes that the program has to do with, in the order of its arrays: no order of the diagram's own. */
GArray *heddle_cuda_axes (const HeddleDiagram *diagram, const HeddleLoopProgram *program);
/* Those of them whose sizes are arguments of the kernel. */
GArray *heddle_cuda_run_time_axes (const HeddleDiagram *diagram, const HeddleLoopProgram *program);
/* The C type elements of a dtype are held in; %NULL: none in this family. */
const char *heddle_cuda_type (HeddleDtype dtype);
/* Whether it is a type of the prelude: the sections that load and store it. */
gboolean heddle_cuda_packed (HeddleDtype dtype, const char **load, const char **store);
/* Parts of a kernel that all families have. @body: what follows, to know what of it is used. */
gboolean heddle_cuda_print_signature (HeddleCudaKernel *self, GError **error);
void heddle_cuda_print_constants (HeddleCudaKernel *self, const HeddleCudaText *body);
/* A constant that the text uses: others would be warned of. */
void heddle_cuda_print_constant (
    HeddleCudaKernel *self, const HeddleCudaText *body, const char *name, gint64 value);
/* Takes the grid, a chain of group bands at the root, into self->bands; returns the innermost band. */
const HeddleNode *heddle_cuda_collect_groups (HeddleCudaKernel *self);
void heddle_cuda_print_groups (HeddleCudaKernel *self, const HeddleCudaText *body);
void heddle_cuda_print_count (
    HeddleCudaKernel *self, const HeddleCudaText *body, const char *axis, const char *tile);
/* Notes the sections of the prelude that elements of @dtype need. */
void heddle_cuda_use_type (HeddleCudaKernel *self, HeddleDtype dtype);
/* The condition under which any point of a tile and a chunk may satisfy the guard. Newly allocated. */
char *heddle_cuda_guard_text (HeddleCudaKernel *self, const HeddleExpr *guard);
/* Prints the __global__ function of the general family into self->out. */
gboolean heddle_cuda_kernel_print (HeddleCudaKernel *self, GError **error);

/* --- emit-comment.c: the derivation of a kernel, as the comment above it --- */
char *heddle_cuda_derivation (const HeddleDiagram *diagram, const HeddleKernel *kernel,
    const HeddleSizes *sizes, const HeddleMachine *machine, const HeddleKernelText *text,
    const char *verification);

/* --- cuda-text.c --- */
HeddleCudaText *heddle_cuda_text_new (void);
void heddle_cuda_text_free (HeddleCudaText *self);
guint heddle_cuda_text_n_lines (const HeddleCudaText *self);
/* Whether the identifier occurs outside comments. */
gboolean heddle_cuda_text_uses (const HeddleCudaText *self, const char *identifier);
void heddle_cuda_line (HeddleCudaKernel *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* From here on lines go into a text of their own; returns the one before, to be given back with heddle_cuda_end (). */
HeddleCudaText *heddle_cuda_begin (HeddleCudaKernel *self);
HeddleCudaText *heddle_cuda_end (HeddleCudaKernel *self, HeddleCudaText *before);
/* Appends and frees @text. */
void heddle_cuda_append (HeddleCudaKernel *self, HeddleCudaText *text);

/* @head, then @items, as many to a line as fit, then @tail. Newly allocated. */
char *heddle_cuda_wrap (const char *head, GPtrArray *items, const char *separator, const char *tail);

/* @text as the end of a // comment: one line, and not one that goes on with the next by a backslash. Newly allocated. */
char *heddle_cuda_comment (const char *text);
/* @text, valid UTF-8, in ASCII, as comments in PTX have to be: signs that listings have are spelt (<-, x_1), all others become \uXXXX as in C.
 * Newly allocated. */
char *heddle_cuda_ascii (const char *text);

/* --- cuda-points.c: loops of a block's threads over the points of a buffer --- */
HeddleCudaText *heddle_cuda_points_begin (HeddleCudaKernel *self, const HeddleBuffer *buffer);
void heddle_cuda_points_end (HeddleCudaKernel *self, const HeddleBuffer *buffer, HeddleCudaText *before);
/* Its own element at the point: "S[at]". */
char *heddle_cuda_element (HeddleCudaKernel *self, guint buffer);
/* Where the point is in the global array of a buffer that is loaded or saved; of a partial state, in the part of the group at hand. */
char *heddle_cuda_global_offset (HeddleCudaKernel *self, const HeddleBuffer *buffer, gboolean partial);
/* Where in a buffer the element at @indices (texts) is. */
char *heddle_cuda_offset (HeddleCudaKernel *self, const HeddleBuffer *buffer, GPtrArray *indices);
/* The index along an axis at the point, in a buffer that holds @extent of it. */
char *heddle_cuda_local_index (HeddleCudaKernel *self, const char *axis, HeddleExtent extent);
/* The same in a buffer, along its axis @i: also from or into a window. */
char *heddle_cuda_index_in (HeddleCudaKernel *self, const HeddleBuffer *buffer, guint i);
void heddle_cuda_define_index (HeddleCudaKernel *self, const char *axis, HeddleExtent extent);
/* How much of an axis is inside the array: the bound of loops over it. */
const char *heddle_cuda_count (HeddleCudaKernel *self, const char *axis, HeddleExtent extent);
HeddleExtent heddle_buffer_extent (const HeddleBuffer *buffer, guint axis);

/* --- cuda-barrier.c --- */
GArray *heddle_cuda_accesses_new (void);
void heddle_cuda_barrier (HeddleCudaKernel *self);
/* Prints a barrier where @node needs one after what came before. */
void heddle_cuda_barrier_before (HeddleCudaKernel *self, const HeddleNode *node);
/* Whether two buffers have the same points, which the same threads then go through. */
gboolean heddle_buffer_same_points (const HeddleBuffer *a, const HeddleBuffer *b);

/* --- cuda-comment.c --- */
void heddle_cuda_statement_comment (HeddleCudaKernel *self, const HeddleNode *node);

/* --- cuda-window.c --- */
/* Where the windows of a buffer that is loaded begin, and how long they are. */
void heddle_cuda_print_windows (HeddleCudaKernel *self, const HeddleBuffer *buffer);
void heddle_cuda_print_window_constants (HeddleCudaKernel *self, const HeddleCudaText *body);
const char *heddle_cuda_window_name (
    HeddleCudaKernel *self, const HeddleBuffer *buffer, guint i, HeddleAxisName part);

/* --- cuda-guard.c --- */
/* Goes on to the next step of a stream where the guard does not hold. */
void heddle_cuda_guard (HeddleCudaKernel *self, const HeddleNode *band);

/* --- cuda-forms.c --- */
/* A SCAN or a SELECT. */
void heddle_cuda_print_form (HeddleCudaKernel *self, const HeddleNode *node);
/* A LOAD at indices. */
void heddle_cuda_print_gather (HeddleCudaKernel *self, const HeddleNode *node);

/* --- cuda-lanes.c --- */
/* The axis of a reduction whose terms the lanes of a warp share out; %NULL: a thread goes through all terms of its point. */
const char *heddle_cuda_lane_axis (HeddleCudaKernel *self, const HeddleNode *node);
/* Joins the lanes' acc. */
void heddle_cuda_join_lanes (HeddleCudaKernel *self, const HeddleNode *node);

/* --- cuda-statement.c --- */
HeddleCudaContext heddle_cuda_context (HeddleCudaKernel *self);
/* The statement that sets @place, an element of @dtype, to @value. Newly allocated. */
char *heddle_cuda_to_dtype (HeddleCudaKernel *self, HeddleDtype dtype, const char *place, const char *value);
/* The texts of the sources at the point go into self->arguments, what must hold to read them into self->inside. */
void heddle_cuda_collect_arguments (HeddleCudaKernel *self, const HeddleNode *node);
/* What must hold for @text, which is @index, to be on the axis that is read along, as far as that is not known: appended to @inside. */
void heddle_cuda_guard_index (
    HeddleCudaKernel *self, const HeddleExpr *index, const char *axis, const char *text, GString *inside);
/* How much of an axis that is gone through is at hand. */
HeddleExtent heddle_cuda_reduced_extent (HeddleCudaKernel *self, const char *axis);
void heddle_cuda_statement (HeddleCudaKernel *self, const HeddleNode *node);

G_END_DECLS
