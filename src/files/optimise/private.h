/* SPDX-License-Identifier: MIT */
#pragma once

#include "files/optimise/optimise.h"

G_BEGIN_DECLS

/* --- pieces.c --- */

/* One of the places at which a piece stands in the model. */
typedef struct
{
  guint first; /* operation: of those of the model that are no views, in order */
  GArray *values, *axes; /* of const char *: of the model, in the order in which the piece's are met */
} HeddlePieceTime;

typedef struct
{
  HeddleDiagram *diagram; /* of the first time, with its ids */
  char *text; /* canonical: the same for all that are alike */
  GPtrArray *times; /* of HeddlePieceTime */
} HeddlePiece;

/* Cuts a flat diagram where that divides layers that are alike. Of HeddlePiece. */
GPtrArray *heddle_pieces_new (const HeddleDiagram *diagram, const HeddleSizes *sizes);
/* Its operations that say only where in a parameter something lies: they belong to no piece. Of HeddleOperation. */
GPtrArray *heddle_pieces_views (const HeddleDiagram *diagram);

/* --- search.c --- */

/* What one statement makes is one kernel, or each operation of it is: where names are left out, as in a traced model, that is too much at a time.
 * A copy in which the parts of a statement with several sums have names, so that any of them may be a kernel. */
HeddleDiagram *heddle_piece_name_parts (const HeddleDiagram *diagram);
/* Looks for the fastest kernels of a piece, with rewrites. @recall: of what was found for kernels of other pieces. */
gboolean heddle_piece_search (HeddleOptimisedPiece *self, const HeddleOptimiseOptions *options,
    HeddleRecall *recall, GCancellable *cancellable, GError **error);
/* Why kernels are not one with those after them. */
void heddle_piece_explain (HeddleOptimisedPiece *self, GCancellable *cancellable);

/* --- remember.c --- */

/* What is known of a piece from before: its plan, steps, refusals and verification. %FALSE: nothing. */
gboolean heddle_piece_recall (
    HeddleOptimisedPiece *self, const char *text, const HeddleOptimiseOptions *options);
void heddle_piece_remember (
    const HeddleOptimisedPiece *self, const char *text, const HeddleOptimiseOptions *options);

/* --- assemble.c --- */

/* The result: every piece at its places. */
gboolean heddle_optimised_assemble (HeddleOptimised *self, GPtrArray *pieces,
    const HeddleOptimiseOptions *options, GCancellable *cancellable, GError **error);

/* --- compare.c --- */

/* Evaluates the original and the result on the same random inputs. %FALSE: they differ, or cannot be evaluated. */
gboolean heddle_optimised_compare (
    HeddleOptimised *self, guint64 seed, GCancellable *cancellable, GError **error);

/* --- cost.c --- */

double heddle_optimised_dram_bytes (const HeddleMachine *machine, const HeddleKernel *kernel);
void heddle_optimised_add_cost (HeddleOptimised *self);
HeddleOptimisedCost heddle_optimised_cost_of (const HeddleMachine *machine, const HeddlePlan *plan);
/* "S P O": the values that a kernel makes for others. Newly allocated. */
char *heddle_optimised_kernel_title (const HeddleDiagram *diagram, const HeddleKernel *kernel);

/* --- findings.c --- */

/* "12.3 MB". Newly allocated. */
char *heddle_optimised_quantity (double value, const char *unit);

G_END_DECLS
