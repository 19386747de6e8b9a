/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

/* The order ideals of a window of operations: the sets that contain, with each operation, all operations
 * of the window that it depends on. Bits of a guint64 stand for operations. */

G_BEGIN_DECLS

typedef struct
{
  guint first, n; /* operations: of the diagram's from @first on */
  guint64 *before; /* per operation: those whose results it reads */
  guint64
      *beside; /* per operation: those it shares a value with: reads from, is read by, or reads the same as */
  GArray *downsets; /* of guint64, smaller ones first */
  gboolean all; /* whether @ideals has all of them; else only those along the diagram's order */
} HeddleDownsets;

/* Returns the downsets of @n operations from number @first on, newly allocated; @n is at most
 * %HEDDLE_MAX_WINDOW. */
HeddleDownsets *heddle_downsets_new (const HeddleDiagram *diagram, guint first, guint n);
/* Frees the downsets with their tables. */
void heddle_downsets_free (HeddleDownsets *self);
/* Tells whether the operations of @set are connected by the values they share. */
gboolean heddle_downsets_is_connected (const HeddleDownsets *self, guint64 set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleDownsets, heddle_downsets_free)

G_END_DECLS
