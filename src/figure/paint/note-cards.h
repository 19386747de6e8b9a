/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/ornament.h"
#include "figure/paint/notes.h"
#include "figure/typeset/prose-pieces.h"

G_BEGIN_DECLS

const char *heddle_note_fill (const HeddleAnnotation *note);
double heddle_note_size (const HeddleAnnotation *note);
HeddleProse heddle_note_prose (const HeddleNote *self);
const char *heddle_note_text (const HeddleNote *self);
void heddle_note_measure_text (HeddleNote *self);

G_END_DECLS
