/* SPDX-License-Identifier: MIT */

#include "codegen/compile/nvrtc-worker.h"
#include "codegen/compile/compile.h"
#include "codegen/compile/disk-cache.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* The declarations of NVRTC, with names and types as in NVIDIA's nvrtc.h. NVRTC is opened in this process and
 * nowhere else, so that what it uses up or breaks is this process's. */
typedef struct _nvrtcProgram *nvrtcProgram;

typedef struct
{
  int major, minor;
  char *build;
  const char *(*error_string) (int result);
  int (*create) (nvrtcProgram *program, const char *source, const char *name, int n_headers,
      const char *const *headers, const char *const *include_names);
  int (*destroy) (nvrtcProgram *program);
  int (*compile) (nvrtcProgram program, int n_options, const char *const *options);
  int (*log_size) (nvrtcProgram program, size_t *size);
  int (*log) (nvrtcProgram program, char *log);
  int (*ptx_size) (nvrtcProgram program, size_t *size);
  int (*ptx) (nvrtcProgram program, char *ptx);
  int (*cubin_size) (nvrtcProgram program, size_t *size);
  int (*cubin) (nvrtcProgram program, char *cubin);
} Nvrtc;

static void *
open_library (void)
{
  static const char *const names[] = { "libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
    "/usr/local/cuda/lib64/libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so.13",
    "/usr/local/cuda/lib64/libnvrtc.so.12", "libnvrtc.so.11.2" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      void *library = dlopen (names[i], RTLD_NOW | RTLD_LOCAL);

      if (library != NULL)
        return library;
    }
  return NULL;
}

/* Returns which file the library with @symbol is, "" if nobody can tell. */
static char *
find_build (void *symbol)
{
  Dl_info info;
  char *build = dladdr (symbol, &info) != 0 && info.dli_fname != NULL
                    ? heddle_disk_cache_build_of (info.dli_fname)
                    : NULL;

  return build != NULL ? build : g_strdup ("");
}

static gboolean
find_symbols (void *library, Nvrtc *nvrtc)
{
  const struct
  {
    const char *name;
    void **pointer;
  } symbols[] = {
    { "nvrtcGetErrorString", (void **) &nvrtc->error_string },
    { "nvrtcCreateProgram", (void **) &nvrtc->create },
    { "nvrtcDestroyProgram", (void **) &nvrtc->destroy },
    { "nvrtcCompileProgram", (void **) &nvrtc->compile },
    { "nvrtcGetProgramLogSize", (void **) &nvrtc->log_size },
    { "nvrtcGetProgramLog", (void **) &nvrtc->log },
    { "nvrtcGetPTXSize", (void **) &nvrtc->ptx_size },
    { "nvrtcGetPTX", (void **) &nvrtc->ptx },
    { "nvrtcGetCUBINSize", (void **) &nvrtc->cubin_size },
    { "nvrtcGetCUBIN", (void **) &nvrtc->cubin },
  };
  int (*version) (int *major, int *minor) = dlsym (library, "nvrtcVersion");

  for (guint i = 0; i < G_N_ELEMENTS (symbols); i++)
    if ((*symbols[i].pointer = dlsym (library, symbols[i].name)) == NULL)
      return FALSE;
  if (version == NULL || version (&nvrtc->major, &nvrtc->minor) != 0)
    return FALSE;
  nvrtc->build = find_build (version);
  return TRUE;
}

static char *
read_text (nvrtcProgram program, int (*size_of) (nvrtcProgram program, size_t *size),
    int (*read) (nvrtcProgram program, char *text), size_t *length)
{
  size_t size = 0;
  char *text;

  if (size_of (program, &size) != 0 || size == 0)
    return NULL;
  text = g_malloc0 (size + 1);
  if (read (program, text) != 0)
    g_clear_pointer (&text, g_free);
  else
    *length = size;
  return text;
}

/* --- answering ------------------------------------------------------------------------- */

static gboolean
write_all (int fd, const void *data, gsize length)
{
  const guint8 *at = data;

  while (length > 0)
    {
      gssize written = write (fd, at, length);

      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        return FALSE;
      at += written;
      length -= (gsize) written;
    }
  return TRUE;
}

static gboolean
answer (int fd, GVariant *variant)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (variant);
  const guint64 length = g_variant_get_size (owned);

  return write_all (fd, &length, sizeof length) && write_all (fd, g_variant_get_data (owned), length);
}

static GVariant *
bytes_variant (char *data, gsize length)
{
  g_autoptr (GBytes) bytes = g_bytes_new_take (data, length);

  return g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, bytes, TRUE);
}

/* Returns the results that @program has after it was compiled, or was not. */
static GVariant *
take_results (const Nvrtc *nvrtc, nvrtcProgram program, int status, double milliseconds)
{
  gsize lengths[3] = { 0 };
  char *ptx = status == 0 ? read_text (program, nvrtc->ptx_size, nvrtc->ptx, &lengths[0]) : NULL;
  char *cubin = status == 0 ? read_text (program, nvrtc->cubin_size, nvrtc->cubin, &lengths[1]) : NULL;
  char *log = program != NULL ? read_text (program, nvrtc->log_size, nvrtc->log, &lengths[2]) : NULL;

  return g_variant_new ("(i^ayd@ay@ay@ay)", (gint32) status, nvrtc->error_string (status), milliseconds,
      bytes_variant (ptx, lengths[0]), bytes_variant (cubin, lengths[1]), bytes_variant (log, lengths[2]));
}

static GVariant *
compile (const Nvrtc *nvrtc, const char *arch, const char *source)
{
  g_autofree char *option = g_strconcat ("--gpu-architecture=", arch, NULL);
  const char *options[] = { option, "--std=c++17", "--ptxas-options=-v" };
  gint64 start = g_get_monotonic_time ();
  nvrtcProgram program = NULL;
  GVariant *results;
  int status = nvrtc->create (&program, source, "kernel.cu", 0, NULL, NULL);

  if (status == 0)
    status = nvrtc->compile (program, G_N_ELEMENTS (options), options);
  results = take_results (nvrtc, program, status, (double) (g_get_monotonic_time () - start) / 1e3);
  if (program != NULL)
    nvrtc->destroy (&program);
  return results;
}

/* --- questions ------------------------------------------------------------------------- */

static gboolean
read_all (int fd, void *data, gsize length)
{
  guint8 *at = data;

  while (length > 0)
    {
      gssize n = read (fd, at, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      at += n;
      length -= (gsize) n;
    }
  return TRUE;
}

/* Reads the next question; returns %NULL if there are no more. */
static GVariant *
read_question (int fd)
{
  guint64 length;
  guint8 *data;

  if (!read_all (fd, &length, sizeof length))
    return NULL;
  data = g_try_malloc (length);
  if (data == NULL || !read_all (fd, data, length))
    {
      g_free (data);
      return NULL;
    }
  return g_variant_ref_sink (
      g_variant_new_from_data (G_VARIANT_TYPE (HEDDLE_NVRTC_QUESTION), data, length, FALSE, g_free, data));
}

int
heddle_nvrtc_work (void)
{
  Nvrtc nvrtc;
  void *library = open_library ();
  GVariant *question;

  if (library == NULL || !find_symbols (library, &nvrtc)
      || !answer (
          STDOUT_FILENO, g_variant_new (HEDDLE_NVRTC_GREETING, nvrtc.major, nvrtc.minor, nvrtc.build)))
    return EXIT_FAILURE;
  while ((question = read_question (STDIN_FILENO)) != NULL)
    {
      const char *arch, *source;
      gboolean told;

      g_variant_get (question, "(^&ay^&ay)", &arch, &source);
      told = answer (STDOUT_FILENO, compile (&nvrtc, arch, source));
      g_variant_unref (question);
      if (!told)
        break;
    }
  _exit (EXIT_SUCCESS); /* nothing of NVRTC is to be put away */
}
