/* SPDX-License-Identifier: MIT */

/* Laying out, deriving and reading a large diagram each take a hundred megabytes for a moment; the C library keeps what is freed in between
 * what is not. */

#include "config.h"

#include <malloc.h>

#include "app/spare-memory.h"

#define QUIET_MS 1500

static guint quiet; /* source */

/* With an arena for each thread what one of them frees is of no use to the next: after edits of 10,000 operations 34 MiB of 358 were holes of
 * that kind. Allocations seldom wait for one another, as the C library keeps the last few that each thread freed at hand for it. */
void
heddle_spare_memory_init (void)
{
#ifdef __GLIBC__
  mallopt (M_ARENA_MAX, 1);
#endif
}

static gpointer
trim (gpointer unused)
{
#ifdef __GLIBC__
  malloc_trim (0);
#endif
  return NULL;
}

/* A thread does it, for it takes longer than a frame where much was freed. */
static gboolean
on_quiet (gpointer unused)
{
  quiet = 0;
  g_thread_unref (g_thread_new ("spare-memory", trim, NULL));
  return G_SOURCE_REMOVE;
}

void
heddle_spare_memory_return (void)
{
  g_clear_handle_id (&quiet, g_source_remove);
  quiet = g_timeout_add (QUIET_MS, on_quiet, NULL);
}
