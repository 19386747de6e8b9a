/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "codegen/base/codegen.h"
#include "codegen/compile/compile.h"
#include "codegen/compile/nvrtc.h"
#include "codegen/compile/process.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The processes in which NVRTC compiles. One that has answered is kept for the next question, since it takes a tenth of a second to start. */

#define NVRTC_ERROR_OUT_OF_MEMORY 1 /* of nvrtc.h */

static const HeddleBounds compiler_bounds = HEDDLE_COMPILER_BOUNDS;

typedef struct
{
  HeddleProcess *process;
  guint generation; /* of the program that it is */
  int major, minor;
} Worker;

static GMutex mutex;
static GQueue idle = G_QUEUE_INIT; /* of Worker */
static char *program; /* NULL: that of the environment */
static HeddleBounds bounds = HEDDLE_COMPILER_BOUNDS;
static guint generation;
static int available = -1; /* -1: nobody has asked yet */

static void
worker_free (Worker *self)
{
  heddle_process_free (self->process);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Worker, worker_free)

void
heddle_nvrtc_set_program (const char *path, const HeddleBounds *own)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

  g_free (program);
  program = g_strdup (path);
  bounds = own != NULL ? *own : compiler_bounds;
  available = -1;
  generation++;
  g_queue_clear_full (&idle, (GDestroyNotify) worker_free);
}

/* --- messages -------------------------------------------------------------------------- */

/* The length, and as many bytes. */
static gsize
whole_message (const guint8 *data, gsize length)
{
  guint64 bytes;

  if (length < sizeof bytes)
    return 0;
  memcpy (&bytes, data, sizeof bytes);
  return length - sizeof bytes >= bytes ? sizeof bytes + bytes : 0;
}

static GBytes *
make_question (const char *arch, const char *source)
{
  g_autoptr (GVariant) variant = g_variant_ref_sink (g_variant_new ("(^ay^ay)", arch, source));
  const guint64 length = g_variant_get_size (variant);
  GByteArray *message = g_byte_array_new ();

  g_byte_array_append (message, (const guint8 *) &length, sizeof length);
  g_byte_array_append (message, g_variant_get_data (variant), (guint) length);
  return g_byte_array_free_to_bytes (message);
}

/* What it says to @question. */
static GVariant *
ask (Worker *self, GBytes *question, const char *type, GCancellable *cancellable, GError **error)
{
  GByteArray *message = g_byte_array_new ();
  g_autoptr (GBytes) whole = NULL, bytes = NULL;
  gboolean answered
      = heddle_process_ask (self->process, question, whole_message, message, cancellable, error);

  whole = g_byte_array_free_to_bytes (message);
  if (!answered)
    return NULL;
  bytes = g_bytes_new_from_bytes (whole, sizeof (guint64), g_bytes_get_size (whole) - sizeof (guint64));
  return g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (type), bytes, FALSE));
}

/* --- processes ------------------------------------------------------------------------- */

/* A new one, greeted. */
static Worker *
start (const char *path, const HeddleBounds *own, guint own_generation, GCancellable *cancellable,
    GError **error)
{
  const char *arguments[] = { path, HEDDLE_NVRTC_WORKER, NULL };
  g_autoptr (Worker) self = g_new0 (Worker, 1);
  g_autoptr (GVariant) greeting = NULL;

  self->generation = own_generation;
  self->process = heddle_process_start ("NVRTC", arguments, own, HEDDLE_PROCESS_OUTPUT, error);
  if (self->process == NULL)
    return NULL;
  greeting = ask (self, NULL, HEDDLE_NVRTC_GREETING, cancellable, error);
  if (greeting == NULL)
    return NULL;
  g_variant_get (greeting, HEDDLE_NVRTC_GREETING, &self->major, &self->minor);
  return g_steal_pointer (&self);
}

/* %NULL: none is idle. The mutex is held. */
static Worker *
take_idle (void)
{
  Worker *worker;

  while ((worker = g_queue_pop_head (&idle)) != NULL)
    {
      if (heddle_process_is_there (worker->process))
        return worker;
      worker_free (worker);
    }
  return NULL;
}

/* One that is idle, or else a new one. */
static Worker *
take_worker (GCancellable *cancellable, GError **error)
{
  g_autofree char *path = NULL;
  HeddleBounds own;
  guint own_generation;
  Worker *worker;

  g_mutex_lock (&mutex);
  worker = take_idle ();
  path = g_strdup (program != NULL ? program : g_getenv ("HEDDLE_NVRTC_PROGRAM"));
  own = bounds;
  own_generation = generation;
  g_mutex_unlock (&mutex);
  if (worker != NULL)
    return worker;
  if (path != NULL)
    return start (path, &own, own_generation, cancellable, error);
  g_set_error_literal (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_MISSING,
      _ ("no program was named in which NVRTC runs"));
  return NULL;
}

/* For the next question; no more are kept than can work at once. */
static void
keep_worker (Worker *worker)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

  if (worker->generation == generation && g_queue_get_length (&idle) < g_get_num_processors ())
    g_queue_push_head (&idle, worker);
  else
    worker_free (worker);
}

gboolean
heddle_nvrtc_is_available (void)
{
  Worker *worker;
  int known;

  if (!heddle_compiler_is_wanted ("nvrtc"))
    return FALSE;
  g_mutex_lock (&mutex);
  known = available;
  g_mutex_unlock (&mutex);
  if (known >= 0)
    return known;
  worker = take_worker (NULL, NULL);
  g_mutex_lock (&mutex);
  available = worker != NULL;
  g_mutex_unlock (&mutex);
  if (worker != NULL)
    keep_worker (worker);
  return worker != NULL;
}

/* --- compiling ------------------------------------------------------------------------- */

static char *
read_text (GVariant *answer, guint child)
{
  g_autoptr (GVariant) bytes = g_variant_get_child_value (answer, child);

  return g_strndup (g_variant_get_data (bytes), g_variant_get_size (bytes));
}

static void
fail (int status, const char *words, const char *log, gint64 bytes, GError **error)
{
  if (status == NVRTC_ERROR_OUT_OF_MEMORY)
    g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_COMPILE,
        _ ("NVRTC needs more than %.1f GiB of memory, the bound"), (double) bytes / (1 << 30));
  else
    g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_COMPILE, "NVRTC: %s\n%s", words, log);
}

static HeddleCompilation *
take_results (const Worker *worker, GVariant *answer, GError **error)
{
  g_autoptr (HeddleCompilation) self = g_new0 (HeddleCompilation, 1);
  g_autoptr (GVariant) cubin = g_variant_get_child_value (answer, 4);
  g_autofree char *words = read_text (answer, 1);
  int status;

  g_variant_get_child (answer, 0, "i", &status);
  g_variant_get_child (answer, 2, "d", &self->milliseconds);
  self->ptx = read_text (answer, 3);
  self->cubin = g_variant_get_data_as_bytes (cubin);
  self->log = read_text (answer, 5);
  if (status != 0)
    {
      fail (status, words, self->log, heddle_process_get_bounds (worker->process)->bytes, error);
      return NULL;
    }
  if (*self->ptx == '\0' || g_bytes_get_size (self->cubin) == 0)
    {
      g_set_error_literal (
          error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_COMPILE, _ ("NVRTC gave no code"));
      return NULL;
    }
  self->compiler = g_strdup_printf ("NVRTC %d.%d", worker->major, worker->minor);
  heddle_compilation_read_log (self);
  return g_steal_pointer (&self);
}

HeddleCompilation *
heddle_nvrtc_compile (const char *source, const char *arch, GCancellable *cancellable, GError **error)
{
  g_autoptr (Worker) worker = take_worker (cancellable, error);
  g_autoptr (GBytes) question = make_question (arch, source);
  g_autoptr (GVariant) answer = NULL;
  HeddleCompilation *result;

  if (worker == NULL)
    return NULL;
  answer = ask (worker, question, HEDDLE_NVRTC_ANSWER, cancellable, error);
  if (answer == NULL)
    return NULL;
  result = take_results (worker, answer, error);
  if (result != NULL)
    keep_worker (g_steal_pointer (&worker));
  return result;
}
