/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"
#include "files/equations/reader.h"

G_BEGIN_DECLS

/* all of a text */
void heddle_eq_reader_init (HeddleEqReader *self, HeddleEqDocument *document, HeddleDiagram *diagram);
void heddle_eq_reader_clear (HeddleEqReader *self);
/* Reads equations. @file_name for messages. All problems found go into @problems (of HeddleProblem, appended); NULL when any is an error. */
HeddleSnapshot *heddle_equations_read (
    const char *text, gssize length, const char *file_name, GPtrArray *problems);

G_END_DECLS
