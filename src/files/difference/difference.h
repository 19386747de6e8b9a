/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"
#include "files/base/files.h"
#include "files/difference/private.h"
#include "diagram/document/schedule.h"

G_BEGIN_DECLS

/* Frees a difference with its texts; the names of its kind and its diagram are borrowed. */
void heddle_difference_free (HeddleDifference *self);
/* Adds a difference of @kind (static) about @object, its sentence formatted as printf () does. */
void heddle_comparison_add (HeddleComparison *self, const char *kind, const char *object, const char *format,
    ...) G_GNUC_PRINTF (4, 5);
/* Adds “object: one → other” where the two texts differ, or says that @object was added or removed where one
 * of them is NULL. */
void heddle_comparison_add_change (
    HeddleComparison *self, const char *kind, const char *object, const char *one, const char *other);
/* Returns what a person calls the thing with that id: its name, or the name of what an operation makes, else
 * the id; newly allocated. */
char *heddle_comparison_name (const HeddleDiagram *diagram, const char *id);
/* Returns what changed from @a to @b in meaning, schedule and presentation, of HeddleDifference; an empty
 * array means that they are equal. With @diagram only the diagram of that name is compared, where both have
 * it. Things are matched by name, renamed ones by id; isomorphic diagrams do not differ in meaning. The
 * caller owns the array. */
GPtrArray *heddle_snapshot_difference (const HeddleSnapshot *a, const HeddleSnapshot *b, const char *diagram);

/* Adds what changed from schedule @a to @b: regions, labels, types and wishes. Either may be NULL. */
void heddle_comparison_schedules (HeddleComparison *self, const HeddleSchedule *a, const HeddleSchedule *b);
/* Adds what changed from presentation @a to @b: titles, nudges, fills, annotations, blocks and the like.
 * Either may be NULL. */
void heddle_comparison_presentations (
    HeddleComparison *self, const HeddlePresentation *a, const HeddlePresentation *b);

G_END_DECLS
