/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/differentiate/differentiate.h"

G_BEGIN_DECLS

/* Where a value may stand for reads outside an array: see evaluate-private.h. The evaluator leaves such terms out of a reduction over an
 * axis of the read, so a derivative has to as well. This is known here without sizes and values, so it is what may be. */
typedef struct
{
  GArray *read_axes; /* ids */
  char *
      condition; /* the text of the read's indices that may be outside; two marks of equal text are the same; "": several */
  const char *read; /* that of the one read which is outside wherever the value is; NULL: of several */
  gboolean direct; /* a read and nothing more: its cotangent outside goes nowhere */
  gboolean vanishes; /* the value is 0 there */
  HeddleExpr *
      inside; /* where the value is not, over indices; NULL: not known, as where a choice or several reads made it */
} HeddleReadMark;

/* What is at work while a diagram is being reversed. */
typedef struct
{
  const HeddleDiagram *forward;
  HeddleDiagram *backward; /* a copy of it, with the operations of the backward pass added */
  HeddleSizes *sizes; /* NULL: not all are given */
  GHashTable *active; /* ids of the values that depend on what is differentiated by */
  GHashTable *contributions; /* value id -> GArray of cotangents' ids, to be added up */
  GHashTable
      *fresh; /* id of a cotangent made for one value, which may give it its name -> id of that value … */
  GHashTable *shared; /* … unless they are among these, which turned out to be another one's too */
  guint first; /* the operation of @backward with which the rule at work began */
  GHashTable *names; /* taken */
  GHashTable *marks; /* value id -> HeddleReadMark; absent: none */
  GError *error; /* the first one */
} HeddleReverse;

/* --- differentiate-build.c: adding to the backward diagram. Ids of new values; bodies are stolen. --- */
const HeddleValue *heddle_reverse_value (const HeddleReverse *self, const char *id);
/* A name for the cotangent of @name, from now on taken. Newly allocated. */
char *heddle_reverse_take_name (HeddleReverse *self, const char *name);
/* @operands: those of the body's arguments; unused ones are dropped. */
const char *heddle_reverse_map (
    HeddleReverse *self, const GArray *axes, HeddleExpr *body, const GArray *operands);
const char *heddle_reverse_reindex (
    HeddleReverse *self, const GArray *axes, const char *operand, GPtrArray *indices);
const char *heddle_reverse_scan (
    HeddleReverse *self, const char *kind, const GArray *axes, const GArray *operands, const GArray *core);
/* @core: axes of the operand that go; the others stay in the order of @axes. @exact: %FALSE where reads outside are to be left out. */
const char *heddle_reverse_reduce (HeddleReverse *self, const char *kind, const GArray *axes,
    const char *operand, const GArray *core, gboolean exact);
/* The sum over the axes of @operands that are not in @axes of their product. */
const char *heddle_reverse_contract (
    HeddleReverse *self, const GArray *axes, const GArray *operands, gboolean exact);
/* @cotangent is one term of that of @value_id, whose axes it has. @fresh: it was made for it. */
void heddle_reverse_contribute (
    HeddleReverse *self, const char *value_id, const char *cotangent, gboolean fresh);
/* Whether it was made for that value, with its axes in their order, and for no other. */
gboolean heddle_reverse_is_own (const HeddleReverse *self, const char *value_id, const char *cotangent);
/* The sum of all contributions, with which a rule begins; called "d…" where the value has a name; NULL: there is none. */
const char *heddle_reverse_total (HeddleReverse *self, const char *value_id);
/* Remembers an error about the value; @format has one %s. */
void heddle_reverse_fail (HeddleReverse *self, const char *value_id, const char *format);
void heddle_reverse_fail_outside (HeddleReverse *self, const char *value_id);
gboolean heddle_reverse_is_active (const HeddleReverse *self, const char *value_id);

/* --- the rules: each contributes to the operands of @operation, given its result's cotangent --- */
void heddle_reverse_map_rule (HeddleReverse *self, const HeddleOperation *operation, const char *cotangent);
void heddle_reverse_contract_rule (
    HeddleReverse *self, const HeddleOperation *operation, const char *cotangent);
void heddle_reverse_reduce_rule (
    HeddleReverse *self, const HeddleOperation *operation, const char *cotangent);
void heddle_reverse_reindex_rule (
    HeddleReverse *self, const HeddleOperation *operation, const char *cotangent);

void heddle_reverse_concat_rule (
    HeddleReverse *self, const HeddleOperation *operation, const char *cotangent);
void heddle_reverse_scan_rule (HeddleReverse *self, const HeddleOperation *operation, const char *cotangent);
/* One term of the cotangent of @id: @body over @wide, of @operands, summed over the axes that the value has not. */
void heddle_reverse_contribute_body (
    HeddleReverse *self, const char *id, const GArray *wide, HeddleExpr *body, const GArray *operands);

/* --- differentiate-merge.c --- */
/* The cotangent of what a REINDEX reads, where that merges or splits axes and every point is read once; NULL: it is not so. */
const char *heddle_reverse_unmerge (
    HeddleReverse *self, const HeddleOperation *operation, const char *cotangent);

/* --- differentiate-outside.c --- */
void heddle_read_mark_free (HeddleReadMark *self);
/* Finds the mark of the result. */
void heddle_reverse_mark (HeddleReverse *self, const HeddleOperation *operation);
/* The mark of operand @i that a reduction over @core takes; NULL: none. */
const HeddleReadMark *heddle_reverse_taken (
    const HeddleReverse *self, const char *operand, const GArray *core);
/* @body as it is, but said for what is outside (0) too where a sum over @core would leave it out. */
HeddleExpr *heddle_reverse_say_outside (
    const HeddleReverse *self, HeddleExpr *body, const GArray *operands, const GArray *core);
/* The text of the indices of a REINDEX that may be outside; "": none. Newly allocated. */
char *heddle_reverse_read_condition (const HeddleReverse *self, const HeddleOperation *operation);

/* --- differentiate-tidy.c --- */
/* Reads of products that the way back has added become products of reads. */
void heddle_reverse_slide_reads (HeddleReverse *self);

/* --- small things --- */
/* Appends the factors of @body, a product of arguments that stand for @operands. %FALSE: it is no such product. */
gboolean heddle_reverse_factors (const HeddleExpr *body, const GArray *operands, GArray *factors);
GArray *heddle_axes_minus (const GArray *axes, const GArray *others);
GArray *heddle_axes_union (const HeddleReverse *self, const GArray *values);

G_END_DECLS
