/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"

/* Checks every call of a document against the diagram that it calls, and that definitions do not call
 * themselves; if nothing is wrong and each diagram by itself is @whole, checks the first diagram with its
 * calls expanded. */
void heddle_check_calls (const HeddleSnapshot *snapshot, gboolean whole, GPtrArray *problems);
