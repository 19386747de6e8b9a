/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <glib/gstdio.h>

#include "codegen/base/kernel-text.h"
#include "codegen/compile/audit.h"
#include "codegen/compile/compile.h"
#include "codegen/compile/disk-cache.h"
#include "codegen/compile/memory-cache.h"
#include "codegen/emit/device-text.h"
#include "codegen/emit/duplicates.h"
#include "derive/derivation/derive.h"

/* Returns whether the compiler @name ("nvrtc" or "nvcc") may be used. HEDDLE_COMPILER=nvrtc or nvcc allows
 * that one alone; HEDDLE_COMPILER=none makes everything as on a machine without CUDA. */
static gboolean
compiler_is_wanted (const char *name)
{
  static const char *const names[] = { "nvrtc", "nvcc", "none", NULL };
  const char *wanted = g_getenv ("HEDDLE_COMPILER");

  return wanted == NULL || !g_strv_contains (names, wanted) || g_str_equal (wanted, name);
}

static gboolean
has_nvcc (void)
{
  g_autofree char *nvcc = heddle_nvcc_find ();

  return nvcc != NULL;
}

gboolean
heddle_compile_is_available (char **why)
{
  if (heddle_nvrtc_is_available () || has_nvcc ())
    return TRUE;
  if (why != NULL)
    *why = g_strdup (_ ("no CUDA compiler on this machine: neither NVRTC (libnvrtc.so) nor nvcc was found. "
                        "They come with NVIDIA's "
                        "CUDA Toolkit; everything but compiling works without them."));
  return FALSE;
}

static char *nvrtc_find_build (void);
static char *nvcc_find_build (void);

/* Compiles by NVRTC or nvcc. What this very build of the compiler made of the same text, in this process or an
 * earlier one, is not compiled again. */
static HeddleCompilation *
compile_or_remember (const HeddleKernelText *text, GCancellable *cancellable, GError **error)
{
  const gboolean nvrtc = heddle_nvrtc_is_available ();
  g_autofree char *build = nvrtc ? nvrtc_find_build () : nvcc_find_build ();
  g_autofree char *key = heddle_memory_cache_key (build != NULL ? build
                                                  : nvrtc       ? "nvrtc"
                                                                : "nvcc",
      text->arch, text->device);
  HeddleCompilation *self = heddle_memory_cache_get (key);

  if (self != NULL)
    return self;
  self = build != NULL ? heddle_disk_cache_get (key) : NULL;
  if (self == NULL)
    {
      self = nvrtc ? heddle_nvrtc_compile (text->device, text->arch, cancellable, error)
                   : heddle_nvcc_compile (text->device, text->arch, cancellable, error);
      if (self == NULL)
        return NULL;
      if (build != NULL)
        heddle_disk_cache_put (key, self);
    }
  heddle_memory_cache_put (key, self);
  return self;
}

HeddleCompilation *
heddle_compile (const HeddleKernelText *text, GCancellable *cancellable, GError **error)
{
  g_autofree char *why = NULL;
  HeddleCompilation *self;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (!heddle_compile_is_available (&why))
    {
      g_set_error_literal (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_MISSING, why);
      return NULL;
    }
  self = compile_or_remember (text->duplicate_of != NULL ? text->duplicate_of : text, cancellable, error);
  if (self != NULL)
    {
      self->shared_bytes += text->shared_bytes;
      self->audited = heddle_audit_read (self->cubin, heddle_kernel_text_entry (text), &self->audit);
    }
  return self;
}

HeddleCompilation *
heddle_compile_device (GPtrArray *texts, GCancellable *cancellable, GError **error)
{
  g_autofree char *device = heddle_codegen_device (texts);
  const HeddleKernelText *first;
  HeddleKernelText all = { .device = device };

  if (texts->len == 0)
    {
      heddle_derive_set_empty (error);
      return NULL;
    }
  first = g_ptr_array_index (texts, 0);
  all.arch = first->arch;
  all.entry = first->entry;
  return texts->len == 1 ? heddle_compile (first, cancellable, error)
                         : heddle_compile (&all, cancellable, error);
}

char *
heddle_nvcc_find (void)
{
  char *path;

  if (!compiler_is_wanted ("nvcc"))
    return NULL;
  path = g_find_program_in_path ("nvcc");
  if (path == NULL && g_file_test ("/usr/local/cuda/bin/nvcc", G_FILE_TEST_IS_EXECUTABLE))
    path = g_strdup ("/usr/local/cuda/bin/nvcc");
  return path;
}

/* Returns which nvcc it is, or NULL if there is none. The caller frees it. */
static char *
nvcc_find_build (void)
{
  g_autofree char *nvcc = heddle_nvcc_find ();

  return nvcc != NULL ? heddle_disk_cache_build_of (nvcc) : NULL;
}

gboolean
heddle_nvcc_run (const char *const *arguments, char **output, GCancellable *cancellable, GError **error)
{
  static const HeddleBounds bounds = HEDDLE_COMPILER_BOUNDS;
  g_autoptr (HeddleProcess) process
      = heddle_process_start ("nvcc", arguments, &bounds, HEDDLE_PROCESS_ALL_OUTPUT, error);
  g_autoptr (GByteArray) said = g_byte_array_new ();
  gboolean successful;

  if (process == NULL || !heddle_process_finish (process, said, &successful, cancellable, error))
    return FALSE;
  g_byte_array_append (said, (const guint8 *) "", 1);
  *output = g_utf8_make_valid ((const char *) said->data, -1);
  if (!successful)
    g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_COMPILE, "nvcc: %s", *output);
  return successful;
}

/* Returns whether the file is of its kind, by how each kind that nvcc writes begins: a fatbin with its magic
 * number, cubins and libraries as ELF; PTX states its version. */
static gboolean
is_of_kind (const char *data, gsize length, const char *kind)
{
  if (g_str_equal (kind, "ptx"))
    return g_strstr_len (data, (gssize) length, ".version") != NULL;
  if (g_str_equal (kind, "fatbin"))
    return length > 16 && memcmp (data, "\x50\xed\x55\xba", 4) == 0;
  return length > 64
         && memcmp (data,
                "\x7f"
                "ELF",
                4)
                == 0;
}

gboolean
heddle_nvcc_read (const char *path, const char *kind, char **data, gsize *length, GError **error)
{
  if (!g_file_get_contents (path, data, length, error))
    return FALSE;
  if (is_of_kind (*data, *length, kind))
    return TRUE;
  g_clear_pointer (data, g_free);
  g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_COMPILE,
      _ ("nvcc succeeded, but its output is not a valid %s; is the nvcc on the PATH that of the CUDA "
         "Toolkit?"),
      kind);
  return FALSE;
}

static char *
read_version (const char *nvcc)
{
  const char *arguments[] = { nvcc, "--version", NULL };
  g_autofree char *output = NULL;
  g_autoptr (GRegex) regex = g_regex_new ("release ([0-9.]+)", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *number = NULL;

  if (heddle_nvcc_run (arguments, &output, NULL, NULL) && g_regex_match (regex, output, 0, &match))
    number = g_match_info_fetch (match, 1);
  return g_strdup_printf ("nvcc %s", number ? number : "");
}

static HeddleCompilation *
compile_in (const char *directory, const char *nvcc, const char *source, const char *arch,
    GCancellable *cancellable, GError **error)
{
  g_autofree char *input = g_build_filename (directory, "kernel.cu", NULL);
  g_autofree char *ptx = g_build_filename (directory, "kernel.ptx", NULL);
  g_autofree char *cubin = g_build_filename (directory, "kernel.cubin", NULL);
  g_autofree char *option = g_strconcat ("-arch=", arch, NULL), *ignored = NULL, *bytes = NULL;
  const char *to_ptx[] = { nvcc, "-std=c++17", option, "-ptx", "-o", ptx, input, NULL };
  const char *to_cubin[]
      = { nvcc, "-std=c++17", option, "-cubin", "-Xptxas", "-v", "-o", cubin, input, NULL };
  g_autoptr (HeddleCompilation) self = g_new0 (HeddleCompilation, 1);
  gsize length;

  if (!g_file_set_contents (input, source, -1, error)
      || !heddle_nvcc_run (to_ptx, &ignored, cancellable, error)
      || !heddle_nvcc_run (to_cubin, &self->log, cancellable, error)
      || !heddle_nvcc_read (ptx, "ptx", &self->ptx, &length, error)
      || !heddle_nvcc_read (cubin, "cubin", &bytes, &length, error))
    return NULL;
  self->cubin = g_bytes_new_take (g_steal_pointer (&bytes), length);
  return g_steal_pointer (&self);
}

void
heddle_nvcc_clean (const char *directory)
{
  static const char *const files[] = { "kernel.cu", "kernel.ptx", "kernel.cubin", "kernel.so" };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (directory, files[i], NULL);

      g_unlink (path);
    }
  g_rmdir (directory);
}

HeddleCompilation *
heddle_nvcc_compile (const char *source, const char *arch, GCancellable *cancellable, GError **error)
{
  g_autofree char *nvcc = heddle_nvcc_find (), *directory = NULL;
  gint64 start = g_get_monotonic_time ();
  HeddleCompilation *self;

  g_return_val_if_fail (nvcc != NULL, NULL);
  directory = g_dir_make_tmp ("heddle-XXXXXX", error);
  if (directory == NULL)
    return NULL;
  self = compile_in (directory, nvcc, source, arch, cancellable, error);
  heddle_nvcc_clean (directory);
  if (self == NULL)
    return NULL;
  self->compiler = read_version (nvcc);
  self->milliseconds = (g_get_monotonic_time () - start) / 1e3;
  heddle_compilation_read_log (self);
  return self;
}

/* The processes in which NVRTC compiles. One that has answered is kept for the next question, since it takes
 * a tenth of a second to start. */

#define NVRTC_ERROR_OUT_OF_MEMORY 1 /* of nvrtc.h */

static const HeddleBounds compiler_bounds = HEDDLE_COMPILER_BOUNDS;

typedef struct
{
  HeddleProcess *process;
  guint generation; /* of the program that it is */
  int major, minor;
  char *build; /* of the library, "": it is not known */
} Worker;

static GMutex mutex;
static GQueue idle = G_QUEUE_INIT; /* of Worker */
static char *program; /* NULL: that of the environment */
static HeddleBounds bounds = HEDDLE_COMPILER_BOUNDS;
static guint generation;
static int available = -1; /* -1: nobody has asked yet */
static char *build; /* of the library, once it is available */

static void
worker_free (Worker *self)
{
  heddle_process_free (self->process);
  g_free (self->build);
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

/* Returns the length of a message followed by its bytes. */
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

/* Returns what the compiler prints when it is asked @question. */
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

/* Starts a new worker that has answered the greeting, and returns it. */
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
  g_variant_get (greeting, HEDDLE_NVRTC_GREETING, &self->major, &self->minor, &self->build);
  return g_steal_pointer (&self);
}

/* Takes an idle worker; returns %NULL if there is none. The mutex must be held. */
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

/* Takes an idle worker, or else starts a new one. */
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
      _ ("no program is set in which to run NVRTC"));
  return NULL;
}

/* Keeps a worker for the next question; no more are kept than can work at once. */
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

  if (!compiler_is_wanted ("nvrtc"))
    return FALSE;
  g_mutex_lock (&mutex);
  known = available;
  g_mutex_unlock (&mutex);
  if (known >= 0)
    return known;
  worker = take_worker (NULL, NULL);
  g_mutex_lock (&mutex);
  available = worker != NULL;
  g_free (build);
  build = worker != NULL ? g_strdup_printf ("%d.%d %s", worker->major, worker->minor, worker->build) : NULL;
  if (worker != NULL && *worker->build == '\0')
    g_clear_pointer (&build, g_free);
  g_mutex_unlock (&mutex);
  if (worker != NULL)
    keep_worker (worker);
  return worker != NULL;
}

/* Returns which NVRTC it is, or NULL if that is not known; it must be available. The caller frees it. */
static char *
nvrtc_find_build (void)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

  return g_strdup (build);
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
        _ ("NVRTC needs more than its memory limit of %.1f GiB"), (double) bytes / (1 << 30));
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
