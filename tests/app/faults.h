/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* From now on warnings that are the toolkit's own, and that it gets over, are left out. @any: also those that only come when things are done that
 * no other test does, and any other warning tells which widget it is of and ends the program. What it was called with first holds. */
void faults_watch (gboolean any);
