/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/cuda/kernel.h"

/* The text of a kernel. Each line remembers the operation that it belongs to, so that the diagram can be
 * found from the code. */

/* Makes an empty text, which the caller frees or appends. */
HeddleCudaText *heddle_cuda_text_new (void);

/* Frees @self, which must not be NULL; ids of operations are borrowed and stay. */
void heddle_cuda_text_free (HeddleCudaText *self);

/* Returns how many lines the text has. */
guint heddle_cuda_text_n_lines (const HeddleCudaText *self);
/* Returns whether the identifier occurs outside comments. */
gboolean heddle_cuda_text_uses (const HeddleCudaText *self, const char *identifier);

/* Prints one line at the depth of the kernel, two spaces for each level, for the current operation; an empty
 * line is not indented. */
void heddle_cuda_line (HeddleCudaKernel *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Makes the lines from here on go into a text of their own; returns the one before, to be given back with
 * heddle_cuda_end (). */
HeddleCudaText *heddle_cuda_begin (HeddleCudaKernel *self);

/* Lets lines go into @before again, and gives the text that was begun by heddle_cuda_begin (); the caller owns
 * it. */
HeddleCudaText *heddle_cuda_end (HeddleCudaKernel *self, HeddleCudaText *before);
/* Appends and frees @text. */
void heddle_cuda_append (HeddleCudaKernel *self, HeddleCudaText *text);
/* Returns @head, then @items, as many to a line as fit, then @tail. Newly allocated. */
char *heddle_cuda_wrap (const char *head, GPtrArray *items, const char *separator, const char *tail);

/* Prints a constant if the text uses it: the compiler would warn of an unused one. */
void heddle_cuda_print_constant (
    HeddleCudaKernel *self, const HeddleCudaText *body, const char *name, gint64 value);
