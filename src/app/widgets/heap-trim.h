/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Gives freed memory back to the system. Laying out or deriving a large diagram takes a hundred megabytes for a moment,
 * which the C library would otherwise keep. */

/* Limits the C library to one arena of memory. Call it before the first thread starts. */
void heddle_heap_trim_init (void);
/* Says that a large piece of work is done: the heap is trimmed once 1.5 s have passed without another call. */
void heddle_heap_trim_when_idle (void);
/* Calls @destroy with @data in a thread of its own, for what takes longer than a frame to free. @data may be NULL. */
void heddle_heap_trim_free (gpointer data, GDestroyNotify destroy);
