/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/array.h"
#include "diagram/expression/expr.h"
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"

/* --- what rows use */
G_GNUC_PRINTF (2, 3) gboolean heddle_import_refuse (HeddleImport *self, const char *format, ...);
/* Returns whether @indices are i64 or i32; refuses the node if they are not. Nodes read at these alone: a
 * read at other numbers has no meaning. */
gboolean heddle_import_check_indices (HeddleImport *self, const HeddleFlow *indices);
/* Returns the number of inputs of the current node, without those left out at its end. */
guint heddle_import_n_inputs (HeddleImport *self);
/* Returns input @i; NULL if it is left out. */
const HeddleFlow *heddle_import_input (HeddleImport *self, guint i);
/* Returns whether output @i is wanted. */
gboolean heddle_import_has_output (HeddleImport *self, guint i);
/* Makes a copy of @flow output @i of the current node, if that is wanted. Returns TRUE. */
gboolean heddle_import_give (HeddleImport *self, guint i, const HeddleFlow *flow);
/* Returns the numbers of input @i, which must be known; NULL if the node was refused. Transfer full. */
HeddleArray *heddle_import_constant (HeddleImport *self, guint i);
/* Finds whole numbers: those of input @i if it is given, else of the attribute (if @attribute is not NULL).
 * @found is FALSE if neither is given. */
gboolean heddle_import_ints (
    HeddleImport *self, int input, const char *attribute, GArray **ints, gboolean *found);
/* Returns whether all @lengths (%NULL is none) are within 2^31, so that a sum of a few with a size stays in its
 * range; refuses the node if one is not. */
gboolean heddle_import_check_lengths (HeddleImport *self, const GArray *lengths);
/* Returns whether a number of @flow may be below 0: one is, or it is not known. */
gboolean heddle_import_has_negative (HeddleImport *self, const HeddleFlow *flow);
/* Finds one number: that of @input if it is given, else @otherwise. */
gboolean heddle_import_number (HeddleImport *self, guint input, double otherwise, double *number);
/* Finds axis @axis of @rank dimensions, which counts from the end if it is below 0. */
gboolean heddle_import_axis (HeddleImport *self, gint64 axis, guint rank, guint *found);
/* Returns an expression over $0 …, with the letters a, b and c as the numbers given. */
HeddleExpr *heddle_import_expr (const char *text, double a, double b, double c);
/* Maps the inputs, all of which must be given. */
gboolean heddle_import_map (
    HeddleImport *self, guint output, const HeddleFlow *const *inputs, guint n, HeddleExpr *body, int type);
/* Makes a flow of one number, as an array without dimensions or with these. */
gboolean heddle_import_fill (
    HeddleImport *self, HeddleExpr *body, const HeddleDim *dims, guint rank, int type, HeddleFlow *flow);
/* Returns a new array whose numbers are known. */
HeddleFlow heddle_import_known (HeddleImport *self, HeddleArray *numbers, int type);
/* Returns a flow without elements, in the shape of @like: all its numbers are known. */
HeddleFlow heddle_import_empty (HeddleImport *self, const HeddleFlow *like);
/* Gives output @i a flow without elements, in the shape of @like. */
gboolean heddle_import_give_empty (HeddleImport *self, guint i, const HeddleFlow *like);
/* Returns a new array of @n known whole numbers, of one dimension. */
HeddleFlow heddle_import_known_ints (HeddleImport *self, const gint64 *numbers, guint n);
