/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"
#include "files/base/files.h"
#include "files/difference/private.h"

G_BEGIN_DECLS

void heddle_difference_free (HeddleDifference *self);
void heddle_comparison_add (HeddleComparison *self, const char *kind, const char *object, const char *format,
    ...) G_GNUC_PRINTF (4, 5);
/* Adds “object: one → other” where the two differ; %NULL: there is none. */
void heddle_comparison_add_change (
    HeddleComparison *self, const char *kind, const char *object, const char *one, const char *other);
/* What a person calls the thing with an id: a name, or the name of what an operation makes. Newly allocated. */
char *heddle_comparison_name (const HeddleDiagram *diagram, const char *id);
GPtrArray *heddle_snapshot_difference (const HeddleSnapshot *a, const HeddleSnapshot *b, const char *diagram);

G_END_DECLS
