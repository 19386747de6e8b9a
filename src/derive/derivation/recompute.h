/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* This file finds the values that kernels compute again instead of reading them: the operations of their
 * statements run in each of those kernels, and what nobody reads any more is not stored. */

typedef struct
{
  GHashTable *stored; /* values that pass between kernels, or are outputs */
  GPtrArray *again; /* per part: GArray of the operations it runs besides its own */
  gboolean *idle; /* per part: no kernel needs what it makes */
} HeddleRecomputing;

/* Returns which operations each of @parts runs again, newly allocated. @parts holds arrays of operation ids,
 * and each operation of the diagram is in one of them. Returns NULL with %HEDDLE_DERIVE_ERROR_LABEL if the
 * schedule asks for something impossible. */
HeddleRecomputing *heddle_recomputing_new (
    const HeddleDiagram *diagram, const HeddleSchedule *schedule, const GPtrArray *parts, GError **error);
/* Frees the tables of what is computed again; ids in them are interned and stay. */
void heddle_recomputing_free (HeddleRecomputing *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleRecomputing, heddle_recomputing_free)
