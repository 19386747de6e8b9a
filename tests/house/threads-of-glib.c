/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stddef.h>

#include <gio/gio.h>

/* Loaded before GLib in programs with ThreadSanitizer. GLib is built without it, and locks by system calls that it does not see: here it is told what
 * each of GLib's functions orders that this program uses between threads, so that what it still reports is a race. */

void __tsan_acquire (void *address) __attribute__ ((weak));
void __tsan_release (void *address) __attribute__ ((weak));

static void
acquire (const void *address)
{
  if (__tsan_acquire != NULL)
    __tsan_acquire ((void *) address);
}

static void
release (const void *address)
{
  if (__tsan_release != NULL)
    __tsan_release ((void *) address);
}

/* Defines a static pointer to GLib's own function. */
#define REAL(type, name, ...)                                                                                \
  static type (*real) (__VA_ARGS__);                                                                         \
                                                                                                             \
  if (real == NULL)                                                                                          \
  real = (type (*) (__VA_ARGS__)) dlsym (RTLD_NEXT, #name)

/* --- locks -------------------------------------------------------------------------- */

#undef g_mutex_lock
void
g_mutex_lock (GMutex *mutex)
{
  REAL (void, g_mutex_lock, GMutex *);
  real (mutex);
  acquire (mutex);
}

gboolean
g_mutex_trylock (GMutex *mutex)
{
  REAL (gboolean, g_mutex_trylock, GMutex *);
  gboolean got = real (mutex);

  if (got)
    acquire (mutex);
  return got;
}

void
g_mutex_unlock (GMutex *mutex)
{
  REAL (void, g_mutex_unlock, GMutex *);
  release (mutex);
  real (mutex);
}

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  REAL (void, g_cond_wait, GCond *, GMutex *);
  release (mutex);
  real (cond, mutex);
  acquire (mutex);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end)
{
  REAL (gboolean, g_cond_wait_until, GCond *, GMutex *, gint64);
  gboolean signalled;

  release (mutex);
  signalled = real (cond, mutex, end);
  acquire (mutex);
  return signalled;
}

#undef g_once_init_enter
gboolean (g_once_init_enter) (volatile void *location)
{
  REAL (gboolean, g_once_init_enter, volatile void *);
  gboolean first = real (location);

  if (!first)
    acquire ((const void *) location);
  return first;
}

#undef g_once_init_leave
void (g_once_init_leave) (volatile void *location, gsize result)
{
  REAL (void, g_once_init_leave, volatile void *, gsize);
  release ((const void *) location);
  real (location, result);
}

/* --- counts of references ----------------------------------------------------------- */

/* Whoever frees has seen all that those did who gave their references back. */

gboolean (g_atomic_ref_count_dec) (gatomicrefcount *count)
{
  REAL (gboolean, g_atomic_ref_count_dec, gatomicrefcount *);
  gboolean last;

  release (count);
  last = real (count);
  if (last)
    acquire (count);
  return last;
}

#define UNREF(name, type)                                                                                    \
  void (name) (type object)                                                                                  \
  {                                                                                                          \
    REAL (void, name, type);                                                                                 \
    release (object);                                                                                        \
    acquire (object);                                                                                        \
    real (object);                                                                                           \
  }

UNREF (g_array_unref, GArray *)
UNREF (g_ptr_array_unref, GPtrArray *)
UNREF (g_bytes_unref, GBytes *)
UNREF (g_hash_table_unref, GHashTable *)
UNREF (g_byte_array_unref, GByteArray *)
UNREF (g_object_unref, gpointer)

void
g_atomic_rc_box_release_full (gpointer block, GDestroyNotify clear)
{
  REAL (void, g_atomic_rc_box_release_full, gpointer, GDestroyNotify);
  release (block);
  acquire (block);
  real (block, clear);
}

/* --- work for other threads --------------------------------------------------------- */

typedef struct
{
  GFunc function;
  gpointer data;
} Pool;

static void
work (gpointer item, gpointer data)
{
  Pool *pool = data;

  acquire (item);
  pool->function (item, pool->data);
}

GThreadPool *
g_thread_pool_new (GFunc function, gpointer data, int most, gboolean exclusive, GError **error)
{
  REAL (GThreadPool *, g_thread_pool_new, GFunc, gpointer, int, gboolean, GError **);
  Pool *pool = g_new (Pool, 1); /* for good, as there are few */

  pool->function = function;
  pool->data = data;
  return real (work, pool, most, exclusive, error);
}

gboolean
g_thread_pool_push (GThreadPool *pool, gpointer item, GError **error)
{
  REAL (gboolean, g_thread_pool_push, GThreadPool *, gpointer, GError **);
  release (item);
  return real (pool, item, error);
}

static void
run_task (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GTaskThreadFunc function = (GTaskThreadFunc) g_object_get_data (G_OBJECT (task), "threads-of-glib");

  acquire (task);
  function (task, source, data, cancellable);
}

void
g_task_run_in_thread (GTask *task, GTaskThreadFunc function)
{
  REAL (void, g_task_run_in_thread, GTask *, GTaskThreadFunc);
  g_object_set_data (G_OBJECT (task), "threads-of-glib", (gpointer) function);
  release (task);
  real (task, run_task);
}

void
g_task_return_pointer (GTask *task, gpointer result, GDestroyNotify clear)
{
  REAL (void, g_task_return_pointer, GTask *, gpointer, GDestroyNotify);
  release (task);
  real (task, result, clear);
}

void
g_task_return_boolean (GTask *task, gboolean result)
{
  REAL (void, g_task_return_boolean, GTask *, gboolean);
  release (task);
  real (task, result);
}

void
g_task_return_int (GTask *task, gssize result)
{
  REAL (void, g_task_return_int, GTask *, gssize);
  release (task);
  real (task, result);
}

void
g_task_return_error (GTask *task, GError *error)
{
  REAL (void, g_task_return_error, GTask *, GError *);
  release (task);
  real (task, error);
}

gpointer
g_task_propagate_pointer (GTask *task, GError **error)
{
  REAL (gpointer, g_task_propagate_pointer, GTask *, GError **);
  acquire (task);
  return real (task, error);
}

gboolean
g_task_propagate_boolean (GTask *task, GError **error)
{
  REAL (gboolean, g_task_propagate_boolean, GTask *, GError **);
  acquire (task);
  return real (task, error);
}

gssize
g_task_propagate_int (GTask *task, GError **error)
{
  REAL (gssize, g_task_propagate_int, GTask *, GError **);
  acquire (task);
  return real (task, error);
}

/* --- work for the main loop --------------------------------------------------------- */

typedef struct
{
  GSourceFunc function;
  gpointer data;
  GDestroyNotify clear;
} Call;

static gboolean
call (gpointer data)
{
  Call *self = data;

  acquire (self);
  return self->function (self->data);
}

static void
call_clear (gpointer data)
{
  Call *self = data;

  acquire (self);
  if (self->clear != NULL)
    self->clear (self->data);
  g_free (self);
}

guint
g_idle_add_full (int priority, GSourceFunc function, gpointer data, GDestroyNotify clear)
{
  REAL (guint, g_idle_add_full, int, GSourceFunc, gpointer, GDestroyNotify);
  Call *self = g_new (Call, 1);

  *self = (Call){ function, data, clear };
  release (self);
  return real (priority, call, self, call_clear);
}

guint
g_idle_add (GSourceFunc function, gpointer data)
{
  return g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, function, data, NULL);
}
