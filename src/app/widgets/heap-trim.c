/* SPDX-License-Identifier: MIT */

/* Laying out, deriving and reading a large diagram each take a hundred megabytes for a moment; the C library keeps what is freed in between
 * what is not. */

#include <malloc.h>

#include "app/widgets/heap-trim.h"

#define QUIET_MS 1500

static guint quiet; /* source */

/* GLib had an allocator of its own for what is small, until 2.76. It keeps what threads freed: 27 MiB of 203 after labels were tried on 10,000
 * operations. It can be left out only before the first library is initialised. */
#ifdef __GLIBC__
static void
leave_out_slices (void)
{
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  g_slice_set_config (G_SLICE_CONFIG_ALWAYS_MALLOC, TRUE);
  G_GNUC_END_IGNORE_DEPRECATIONS
}

__attribute__ ((section (".preinit_array"), used)) static void (*const before_libraries) (void)
    = leave_out_slices;
#endif

/* With an arena for each thread what one of them frees is of no use to the next: after edits of 10,000 operations 34 MiB of 358 were holes of
 * that kind. Allocations seldom wait for one another, as the C library keeps the last few that each thread freed at hand for it.
 *
 * What is small and freed would go to bins that are emptied all at once when somebody asks for something large, mostly a frame for its pixels:
 * what workers freed was put in order in the turn after a label was let go, 25 of its 57 ms. Without those bins whoever frees does it. */
void
heddle_heap_trim_init (void)
{
#ifdef __GLIBC__
  mallopt (M_ARENA_MAX, 1);
  mallopt (M_MXFAST, 0);
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
  g_thread_unref (g_thread_new ("heap-trim", trim, NULL));
  return G_SOURCE_REMOVE;
}

void
heddle_heap_trim_when_idle (void)
{
  g_clear_handle_id (&quiet, g_source_remove);
  quiet = g_timeout_add (QUIET_MS, on_quiet, NULL);
}

typedef struct
{
  gpointer data;
  GDestroyNotify destroy;
} Spent;

static gpointer
free_spent (gpointer data)
{
  g_autofree Spent *self = data;

  self->destroy (self->data);
  return NULL;
}

void
heddle_heap_trim_free (gpointer data, GDestroyNotify destroy)
{
  Spent *spent = NULL;

  g_return_if_fail (destroy != NULL);

  if (data == NULL)
    return;
  spent = g_new (Spent, 1);
  *spent = (Spent){ data, destroy };
  g_thread_unref (g_thread_new ("spent", free_spent, spent));
}
