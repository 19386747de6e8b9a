/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

G_BEGIN_DECLS

typedef struct
{
  guint first, n; /* operations: of the diagram's from @first on */
  guint64 *before; /* per operation: those whose results it reads */
  guint64
      *beside; /* per operation: those it shares a value with: reads from, is read by, or reads the same as */
  GArray *downsets; /* of guint64, smaller ones first */
  gboolean all; /* that there are; else only those along the diagram's order */
} HeddleDownsets;

/* Of at most %HEDDLE_MAX_WINDOW operations. */
HeddleDownsets *heddle_downsets_new (const HeddleDiagram *diagram, guint first, guint n);
void heddle_downsets_free (HeddleDownsets *self);
/* Whether the operations hang together by the values they share. */
gboolean heddle_downsets_is_connected (const HeddleDownsets *self, guint64 set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleDownsets, heddle_downsets_free)

G_END_DECLS
