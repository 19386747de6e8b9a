/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Does @job for 0 to @n - 1, each begun in this order, by up to @most threads, of which the caller's is one;
 * 0 means as many as there are processors. Returns when all are done. */
void heddle_threads_run (guint n, guint most, void (*job) (guint i, gpointer data), gpointer data);
