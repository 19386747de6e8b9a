/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>
#include "app/editor/editor.h"
#include "diagram/graph/operation-table.h"

/* HeddlePaletteEntry is something that can be put on a wire: a row of the operation table, or a map with a
 * function of its own. It is also what a drag from the palette carries. */
typedef struct
{
  const HeddleOperationKind *kind; /* NULL: an array, which goes anywhere */
  const char *body; /* of a map, over $0; NULL for the other forms */
  const char *title; /* translated */
  const char *group; /* translated */
  const char *keywords; /* translated; may be NULL */
  const char *sign; /* what is drawn between arrows for a map: "relu"; NULL: the row's glyph */
  const char *with; /* of what joins two arrays: "Add {array}", translated; NULL: as the row says */
  gboolean linear; /* brings weights of its own */
} HeddlePaletteEntry;

#define HEDDLE_TYPE_PALETTE_ENTRY (heddle_palette_entry_get_type ())
/* Returns the boxed type that a drag from the palette carries. */
GType heddle_palette_entry_get_type (void);

/* Returns every entry, by group, in the table's order; static. */
const HeddlePaletteEntry *heddle_palette_entries (guint *n_entries);
/* Returns how well @query fits: 0 is not at all; larger is better. */
guint heddle_palette_entry_match (const HeddlePaletteEntry *self, const char *query);
/* Puts it where the selection of @editor says; whether that can be done, and why not. */
gboolean heddle_palette_entry_add (const HeddlePaletteEntry *self, HeddleEditor *editor, GError **error);
/* Returns whether the entry can be put where the selection is; FALSE with @error, which says why not. */
gboolean heddle_palette_entry_can_add (const HeddlePaletteEntry *self, HeddleEditor *editor, GError **error);
/* Returns whether it waits only for the other array to be named, one being selected. */
gboolean heddle_palette_entry_needs_partner (const HeddlePaletteEntry *self, HeddleEditor *editor);
/* Puts it onto a wire. */
gboolean heddle_palette_entry_drop (const HeddlePaletteEntry *self, HeddleEditor *editor, const char *value,
    const char *axis, GError **error);
/* Returns whether it can be put there; @axis is replaced as by heddle_edits_can_insert (). */
gboolean heddle_palette_entry_can_drop (const HeddlePaletteEntry *self, HeddleEditor *editor,
    const char *value, const char **axis, GError **error);
/* Returns the picture of the entry, owned by the caller, for a light or a @dark ground. */
GdkPaintable *heddle_palette_entry_paintable (const HeddlePaletteEntry *self, gboolean dark);
/* Returns a copy, owned by the caller, with the same static words. */
HeddlePaletteEntry *heddle_palette_entry_copy (const HeddlePaletteEntry *self);
/* Frees the entry; its words are static and stay. */
void heddle_palette_entry_free (HeddlePaletteEntry *self);
