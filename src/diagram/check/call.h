/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"

G_BEGIN_DECLS

/* Every call of a document against what it calls; whether definitions call themselves; and, where nothing is wrong and the diagrams on
 * their own are @whole, what the first diagram comes to. */
void heddle_check_calls (const HeddleSnapshot *snapshot, gboolean whole, GPtrArray *problems);

G_END_DECLS
