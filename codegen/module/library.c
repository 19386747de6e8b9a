/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/compile/compile.h"
#include "codegen/module/library.h"
#include "derive/machine/machine.h"

/* A library of kernels for several architectures, built by nvcc. */

/* Checks that the blocks of an architecture have enough shared memory: the kernels were made for the first
 * machine and run on all. */
static gboolean
check_shared (GPtrArray *texts, const HeddleMachine *machine, GError **error)
{
  int level = heddle_machine_find_level (machine, "smem");
  gint64 capacity
      = level < 0 ? 0 : ((const HeddleLevel *) g_ptr_array_index (machine->levels, level))->capacity_bytes;

  for (guint i = 0; i < texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (texts, i);

      if (text->shared_bytes <= capacity)
        continue;
      g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
          _ ("%s needs %.1f KiB of shared memory, and a block on %s has %.1f: name that GPU first, since "
             "kernels "
             "are made for the first"),
          text->entry, text->shared_bytes / 1024., machine->title, capacity / 1024.);
      return FALSE;
    }
  return TRUE;
}

/* Returns the compiler's option for a machine, with arch=compute_80,code=sm_80. */
static char *
code_option (const HeddleMachine *machine)
{
  const char *number = machine->arch + strlen ("sm_");

  return g_strdup_printf ("-gencode=arch=compute_%s,code=sm_%s", number, number);
}

static GPtrArray *
make_arguments (
    const char *nvcc, GPtrArray *machines, HeddleLibraryKind kind, const char *to, const char *from)
{
  static const char *const shared[] = { "-shared", "-Xcompiler", "-fPIC" };
  GPtrArray *arguments = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (arguments, g_strdup (nvcc));
  g_ptr_array_add (arguments, g_strdup ("-std=c++17"));
  for (guint i = 0; i < machines->len; i++)
    g_ptr_array_add (arguments, code_option (g_ptr_array_index (machines, i)));
  for (guint i = 0; kind == HEDDLE_LIBRARY_SHARED && i < G_N_ELEMENTS (shared); i++)
    g_ptr_array_add (arguments, g_strdup (shared[i]));
  if (kind == HEDDLE_LIBRARY_FATBIN)
    g_ptr_array_add (arguments, g_strdup ("-fatbin"));
  g_ptr_array_add (arguments, g_strdup ("-o"));
  g_ptr_array_add (arguments, g_strdup (to));
  g_ptr_array_add (arguments, g_strdup (from));
  g_ptr_array_add (arguments, NULL);
  return arguments;
}

static GBytes *
build_in (const char *directory, const char *nvcc, const char *source, GPtrArray *machines,
    HeddleLibraryKind kind, GCancellable *cancellable, GError **error)
{
  g_autofree char *from = g_build_filename (directory, "kernel.cu", NULL), *output = NULL, *bytes = NULL;
  g_autofree char *to = g_build_filename (directory, "kernel.so", NULL);
  g_autoptr (GPtrArray) arguments = make_arguments (nvcc, machines, kind, to, from);
  gsize length;

  if (!g_file_set_contents (from, source, -1, error)
      || !heddle_nvcc_run ((const char *const *) arguments->pdata, &output, cancellable, error)
      || !heddle_nvcc_read (to, kind == HEDDLE_LIBRARY_FATBIN ? "fatbin" : "so", &bytes, &length, error))
    return NULL;
  return g_bytes_new_take (g_steal_pointer (&bytes), length);
}

GBytes *
heddle_compile_library (const char *source, GPtrArray *texts, GPtrArray *machines, HeddleLibraryKind kind,
    GCancellable *cancellable, GError **error)
{
  g_autofree char *nvcc = heddle_nvcc_find (), *directory = NULL;
  GBytes *library;

  for (guint i = 0; i < machines->len; i++)
    if (!check_shared (texts, g_ptr_array_index (machines, i), error))
      return NULL;
  if (nvcc == NULL)
    {
      g_set_error_literal (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_MISSING,
          _ ("no nvcc on this machine: it builds libraries (.so, .fatbin) and comes with NVIDIA's CUDA "
             "Toolkit; "
             "export .cu, and the head of that file says how to build it elsewhere"));
      return NULL;
    }
  directory = g_dir_make_tmp ("heddle-XXXXXX", error);
  if (directory == NULL)
    return NULL;
  library = build_in (directory, nvcc, source, machines, kind, cancellable, error);
  heddle_nvcc_clean (directory);
  return library;
}
