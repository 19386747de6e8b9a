/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

/* The order ideals of a window of operations: the sets that contain, with each operation, all operations
 * of the window that it depends on. Bits of a guint64 stand for operations. */

typedef struct
{
  guint first, n; /* operations: of the diagram's from @first on */
  guint64 *before; /* per operation: those whose results it reads */
  guint64
      *beside; /* per operation: those it shares a value with: reads from, is read by, or reads the same as */
  GArray *ideals; /* of guint64, smaller ones first */
  gboolean all; /* whether @ideals has all of them; else only those along the diagram's order */
} HeddleOrderIdeals;

/* Returns the order ideals of @n operations from number @first on, newly allocated; @n is at most
 * %HEDDLE_MAX_WINDOW. */
HeddleOrderIdeals *heddle_order_ideals_new (const HeddleDiagram *diagram, guint first, guint n);
/* Frees the order ideals with their tables. */
void heddle_order_ideals_free (HeddleOrderIdeals *self);
/* Returns whether the operations of @set are connected by the values they share. */
gboolean heddle_order_ideals_is_connected (const HeddleOrderIdeals *self, guint64 set);
/* Is a GHashFunc for sets, of which @set points to one: they differ in few bits, which the hash spreads. */
guint heddle_order_ideals_hash_set (gconstpointer set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleOrderIdeals, heddle_order_ideals_free)
