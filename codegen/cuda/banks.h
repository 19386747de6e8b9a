/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Shared memory has banks that serve one lane at a time each: lanes that meet in one wait for each other. */

/* The number of banks, each 4 bytes wide. */
#define HEDDLE_BANKS 32

/* Returns the largest number of lanes that meet in a bank if @n vectors are @stride elements apart. */
guint heddle_banks_meetings (gint64 stride, guint n);
/* Returns the largest number of lanes that meet in a bank if @down rows of @along neighbours are written. */
guint heddle_banks_meetings_of_rows (gint64 stride, guint down, guint along);
