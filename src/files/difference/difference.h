/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"
#include "diagram/graph/diagram.h"
#include "files/base/files.h"
#include "files/difference/private.h"
#include "diagram/document/schedule.h"

/* Returns what changed from @a to @b, documents without errors, in meaning, schedule and presentation, of
 * HeddleDifference; an empty array means that they are equal. With @diagram only the diagram of that name
 * is compared, where both have it. Things are matched by name, renamed ones by id, and the only diagram of
 * one document with that of another whatever they are called; isomorphic diagrams do not differ in meaning.
 * The caller owns the array. */
GPtrArray *heddle_snapshot_difference (const HeddleSnapshot *a, const HeddleSnapshot *b, const char *diagram);
