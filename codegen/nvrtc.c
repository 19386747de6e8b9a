/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>

#include "codegen/compiler.h"

/* NVRTC, opened at run time: the program runs where there is none. Names and types as in NVIDIA's nvrtc.h. */
typedef struct _nvrtcProgram *nvrtcProgram;

typedef struct
{
  int major, minor;
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
  return version != NULL && version (&nvrtc->major, &nvrtc->minor) == 0;
}

/* Opened once and kept: loading takes a tenth of a second. %NULL: not on this machine. */
static const Nvrtc *
get_nvrtc (void)
{
  static Nvrtc nvrtc;
  static gsize state;

  if (g_once_init_enter (&state))
    {
      void *library = open_library ();

      g_once_init_leave (&state, library != NULL && find_symbols (library, &nvrtc) ? 1 : 2);
    }
  return state == 1 ? &nvrtc : NULL;
}

gboolean
heddle_nvrtc_is_available (void)
{
  return get_nvrtc () != NULL;
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
  if (length != NULL)
    *length = size;
  return text;
}

static HeddleCompilation *
take_results (const Nvrtc *nvrtc, nvrtcProgram program, double milliseconds, GError **error)
{
  g_autoptr (HeddleCompilation) self = g_new0 (HeddleCompilation, 1);
  size_t size = 0;
  char *cubin;

  self->ptx = read_text (program, nvrtc->ptx_size, nvrtc->ptx, NULL);
  cubin = read_text (program, nvrtc->cubin_size, nvrtc->cubin, &size);
  self->log = read_text (program, nvrtc->log_size, nvrtc->log, NULL);
  if (self->ptx == NULL || cubin == NULL)
    {
      g_free (cubin);
      g_set_error_literal (
          error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_COMPILE, _ ("NVRTC gave no code"));
      return NULL;
    }
  self->cubin = g_bytes_new_take (cubin, size);
  self->compiler = g_strdup_printf ("NVRTC %d.%d", nvrtc->major, nvrtc->minor);
  self->milliseconds = milliseconds;
  heddle_compilation_read_log (self);
  return g_steal_pointer (&self);
}

HeddleCompilation *
heddle_nvrtc_compile (const char *source, const char *arch, GError **error)
{
  const Nvrtc *nvrtc = get_nvrtc ();
  g_autofree char *option = g_strconcat ("--gpu-architecture=", arch, NULL), *log = NULL;
  const char *options[] = { option, "--std=c++17", "--ptxas-options=-v" };
  HeddleCompilation *result = NULL;
  nvrtcProgram program;
  gint64 start = g_get_monotonic_time ();
  int status;

  g_return_val_if_fail (nvrtc != NULL, NULL);
  status = nvrtc->create (&program, source, "kernel.cu", 0, NULL, NULL);
  if (status == 0)
    {
      status = nvrtc->compile (program, G_N_ELEMENTS (options), options);
      if (status == 0)
        result = take_results (nvrtc, program, (g_get_monotonic_time () - start) / 1e3, error);
      else
        log = read_text (program, nvrtc->log_size, nvrtc->log, NULL);
      nvrtc->destroy (&program);
    }
  if (status != 0)
    g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_COMPILE, "NVRTC: %s\n%s",
        nvrtc->error_string (status), log ? log : "");
  return result;
}
