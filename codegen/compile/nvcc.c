/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gstdio.h>

#include "codegen/base/codegen.h"
#include "codegen/compile/compile.h"
#include "codegen/compile/nvcc.h"
#include "codegen/compile/process.h"

char *
heddle_nvcc_find (void)
{
  char *path;

  if (!heddle_compiler_is_wanted ("nvcc"))
    return NULL;
  path = g_find_program_in_path ("nvcc");
  if (path == NULL && g_file_test ("/usr/local/cuda/bin/nvcc", G_FILE_TEST_IS_EXECUTABLE))
    path = g_strdup ("/usr/local/cuda/bin/nvcc");
  return path;
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
      || !g_file_get_contents (ptx, &self->ptx, NULL, error)
      || !g_file_get_contents (cubin, &bytes, &length, error))
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
