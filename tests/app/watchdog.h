/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

/* Watches the main loop: a turn is what it does between two waits, for which everything else has to wait too. */

typedef struct
{
  double wall, cpu; /* ms, of the clock and of this thread's processor time */
} WatchdogTurn;

void watchdog_start (void);
void watchdog_stop (void);
/* What is done between these two, whatever the main loop does. */
void watchdog_begin (void);
WatchdogTurn watchdog_end (void);
/* How many turns since the start took @ms of this thread's processor time or more: at least WATCHDOG_STALL_MS. */
#define WATCHDOG_STALL_MS 16.
guint watchdog_count_stalls (double ms);
/* The turns since the last time, of WatchdogTurn. Transfer full. */
GArray *watchdog_take (void);
