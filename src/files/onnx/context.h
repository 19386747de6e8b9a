/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/array.h"
#include "diagram/expression/expr.h"
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"

G_BEGIN_DECLS

/* --- what rows use */
G_GNUC_PRINTF (2, 3) gboolean heddle_import_refuse (HeddleImport *self, const char *format, ...);
/* Whether @indices are i64 or i32, at which alone nodes read: what is read at other numbers has no meaning. Refuses the node where they are not. */
gboolean heddle_import_check_indices (HeddleImport *self, const HeddleFlow *indices);
/* Returns the number of inputs of the node at hand, without those left out at its end. */
guint heddle_import_n_inputs (HeddleImport *self);
/* Input @i; NULL: left out. */
const HeddleFlow *heddle_import_input (HeddleImport *self, guint i);
/* Whether output @i is to be made. */
gboolean heddle_import_has_output (HeddleImport *self, guint i);
/* Makes a copy of @flow output @i of the node at hand, where that is wanted. Returns TRUE. */
gboolean heddle_import_give (HeddleImport *self, guint i, const HeddleFlow *flow);
/* The numbers of input @i, which have to be known. Transfer full; NULL: refused. */
HeddleArray *heddle_import_constant (HeddleImport *self, guint i);
/* Whole numbers: of input @i where it is given, else of the attribute (where @attribute is not NULL). @found FALSE: of neither. */
gboolean heddle_import_ints (
    HeddleImport *self, int input, const char *attribute, GArray **ints, gboolean *found);
/* Whether a number of @flow may be below 0: it is not known, or is. */
gboolean heddle_import_has_negative (HeddleImport *self, const HeddleFlow *flow);
/* An attribute of the same, one number. */
gboolean heddle_import_number (HeddleImport *self, guint input, double otherwise, double *number);
/* Axis @axis of @rank dimensions, counted from the end where it is below 0. */
gboolean heddle_import_axis (HeddleImport *self, gint64 axis, guint rank, guint *found);
/* Expressions over $0 …, with the letters a, b and c as the numbers given. */
HeddleExpr *heddle_import_expr (const char *text, double a, double b, double c);
/* Maps the inputs at hand, all of them given. */
gboolean heddle_import_map (
    HeddleImport *self, guint output, const HeddleFlow *const *inputs, guint n, HeddleExpr *body, int type);
/* A number as an array without dimensions, or with these. */
gboolean heddle_import_fill (
    HeddleImport *self, HeddleExpr *body, const HeddleDim *dims, guint rank, int type, HeddleFlow *flow);
/* A new array whose numbers are known. */
HeddleFlow heddle_import_known (HeddleImport *self, HeddleArray *numbers, int type);
/* Without elements, in the shape of @like, so that all its numbers are known. */
HeddleFlow heddle_import_empty (HeddleImport *self, const HeddleFlow *like);
/* Output @i is such. */
gboolean heddle_import_give_empty (HeddleImport *self, guint i, const HeddleFlow *like);
/* Returns a new array of @n known whole numbers, of one dimension. */
HeddleFlow heddle_import_known_ints (HeddleImport *self, const gint64 *numbers, guint n);

G_END_DECLS
