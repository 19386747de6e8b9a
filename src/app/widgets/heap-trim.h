/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Before the first thread. */
void heddle_spare_memory_init (void);
/* A large piece of work is done: what it took goes back to the system, once nothing more has come for a while. */
void heddle_spare_memory_return (void);
/* Has a thread free what takes longer than a frame to free. @data may be NULL. */
void heddle_spare_memory_free (gpointer data, GDestroyNotify destroy);

G_END_DECLS
