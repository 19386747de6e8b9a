/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"

/* Has a worker thread search the best labels for what is fused, and makes them an undo step when they are
 * found. Where sizes are missing, or there is nothing to derive, the editor says so in a message. */
void heddle_derivation_suggest (HeddleEditor *editor);
