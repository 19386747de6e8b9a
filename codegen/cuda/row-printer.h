/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/names.h"
#include "codegen/cuda/kernel.h"
#include "codegen/cuda/rows.h"
#include "derive/index/extent.h"
#include "derive/program/loop-program.h"

/* This file holds what all printers of kernels with rows in registers know: the rows, names of their axes,
 * and what a thread has of them. */

/* A phase: statements along the columns that share one loop, up to a reduction that others wait for. */
typedef struct
{
  HeddleCudaKernel *cuda;
  const HeddleRows *rows;
  guint reductions; /* printed so far */
  GArray
      *declared; /* of guint: buffers with one value a row that are variables here, where rows are streamed */
} HeddleRowPrinter;

/* A constant of a kernel, printed where the kernel uses it. */
typedef struct
{
  const char *name; /* NULL ends a list */
  gint64 value;
} HeddleRowConstant;

/* Lets the section @section of the prelude, a static string, be printed with the kernel. */
void heddle_row_printer_use (HeddleRowPrinter *self, const char *section);
/* Returns a buffer of the program by its number; it is owned by the program. */
const HeddleBuffer *heddle_row_printer_buffer (const HeddleRowPrinter *self, guint buffer);
/* Returns whether a buffer holds a value for each column, and not one a row. */
gboolean heddle_row_printer_has_columns (const HeddleRowPrinter *self, guint buffer);
/* Returns how much of @axis a block or a step has. */
HeddleExtent heddle_row_printer_extent (const HeddleRowPrinter *self, const char *axis);
/* Returns how many elements of @axis that is at most. */
gint64 heddle_row_printer_length (const HeddleRowPrinter *self, const char *axis);
/* Returns a name of the axis of the columns; it is owned by the names. */
const char *heddle_row_printer_columns_name (const HeddleRowPrinter *self, HeddleAxisName part);
/* Defines the global index of each axis at the current point: of the columns that of the first element of a
 * vector, or, with @element, of the element of it that a loop is at. */
void heddle_row_printer_define_indices (HeddleRowPrinter *self, gboolean element);
/* Prints a loop over the elements of a vector around @line, which may be several lines. */
void heddle_row_printer_over_elements (HeddleRowPrinter *self, const char *line);
/* Prints the read of a vector from where in the array's row it is, up to where that ends: "load_part
 * (X[step], X + …)". */
void heddle_row_printer_vector (
    HeddleRowPrinter *self, const char *held, const char *value, const char *offset);
/* Prints a kernel of rows or sums: its signature, the constants of a list that its body uses, and the body,
 * which @print_body prints with @printer. @in_pairs asks for stores of two elements at once. Returns FALSE
 * with an error where it has no signature. */
gboolean heddle_row_printer_print (HeddleCudaKernel *self, gboolean in_pairs,
    const HeddleRowConstant *constants, void (*print_body) (gpointer printer), gpointer printer,
    GError **error);
