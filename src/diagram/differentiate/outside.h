/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/differentiate/private.h"
#include "diagram/expression/expr.h"
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

/* Frees the mark with all it holds; a destroy notify of a list of marks. */
void heddle_read_mark_free (HeddleReadMark *self);
/* The mark of operand @i that a reduction over @core takes; NULL: none. */
const HeddleReadMark *heddle_reverse_taken (
    const HeddleReverse *self, const char *operand, const GArray *core);
/* The text of the indices of a REINDEX that may be outside; "": none. Newly allocated. */
char *heddle_reverse_read_condition (const HeddleReverse *self, const HeddleOperation *operation);
/* @body as it is, but said for what is outside (0) too where a sum over @core would leave it out. */
HeddleExpr *heddle_reverse_say_outside (
    const HeddleReverse *self, HeddleExpr *body, const GArray *operands, const GArray *core);
/* Finds the mark of the result. */
void heddle_reverse_mark (HeddleReverse *self, const HeddleOperation *operation);

G_END_DECLS
