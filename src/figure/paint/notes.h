/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/ornament.h"
#include "diagram/document/schedule.h"
#include "figure/paint/paint.h"

/* Notes are the annotations of a presentation. Each kind has a drawer, which measures first, so that the note can be
 * placed, and paints then. */

#define HEDDLE_NOTE_PAD 8. /* px, between the edge of a card and its text */

/* The rectangle that holds all that is drawn of an object. */
typedef struct
{
  double x1, y1, x2, y2;
  gboolean found;
  int ground; /* number of the item that is its backdrop, or -1 */
  gboolean carded; /* one item is as large as all of it and filled … */
  HeddleColor card; /* …with this */
} HeddleNoteArea;

/* A note while it is drawn: what is to be said, then (after measuring) how large, then (placed) where. In px. */
typedef struct
{
  HeddlePainter *painter;
  const HeddleAnnotation *note;
  const HeddleNoteArea *target; /* or NULL */
  char *text; /* instead of the note's own, or NULL */
  double x, y, width, height;
} HeddleNote;

/* A drawer is for one kind of note: it has its size and its look. */
typedef struct
{
  void (*measure) (HeddleNote *self);
  void (*paint) (HeddleNote *self);
} HeddleNoteDrawer;

#define HEDDLE_NOTE_SIZE 13. /* px, of its text */

extern const HeddleNoteDrawer heddle_note_card, heddle_note_legend;
extern const HeddleNoteDrawer heddle_note_array, heddle_note_arrow, heddle_note_banner;

/* Paints the notes of the presentation on top; the wedges of callouts go below the drawing, at item number @ground,
 * over the backdrops. */
void heddle_paint_notes (HeddlePainter *self, const HeddlePresentation *presentation, guint ground);
