/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/base/codegen.h"
#include "codegen/base/kernel-text.h"
#include "codegen/compile/audit.h"
#include "codegen/compile/cache.h"
#include "codegen/compile/compile.h"
#include "codegen/compile/nvcc.h"
#include "codegen/compile/nvrtc.h"
#include "codegen/emit/device-text.h"
#include "codegen/emit/duplicates.h"
#include "derive/derivation/derive.h"

void
heddle_compilation_free (HeddleCompilation *self)
{
  if (self == NULL)
    return;
  g_free (self->ptx);
  g_clear_pointer (&self->cubin, g_bytes_unref);
  g_free (self->log);
  g_free (self->compiler);
  g_free (self);
}

/* Adds up every number that stands before @words in the log. */
static gint64
sum_before (const char *log, const char *words)
{
  gint64 sum = 0;

  for (const char *found = log; (found = strstr (found, words)) != NULL; found += strlen (words))
    {
      const char *digit = found;

      while (digit > log && g_ascii_isspace (digit[-1]))
        digit--;
      while (digit > log && g_ascii_isdigit (digit[-1]))
        digit--;
      sum += g_ascii_strtoll (digit, NULL, 10);
    }
  return sum;
}

void
heddle_compilation_read_log (HeddleCompilation *self)
{
  const char *log = self->log ? self->log : "";

  self->registers = sum_before (log, "registers");
  self->spill_bytes = sum_before (log, "bytes spill stores") + sum_before (log, "bytes spill loads");
  self->local_bytes = sum_before (log, "bytes stack frame");
  self->shared_bytes = sum_before (log, "bytes smem");
}

gboolean
heddle_compiler_is_wanted (const char *name)
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

static HeddleCompilation *
compile_or_remember (const HeddleKernelText *text, GCancellable *cancellable, GError **error)
{
  gboolean nvrtc = heddle_nvrtc_is_available ();
  g_autofree char *key = heddle_compile_cache_key (nvrtc ? "nvrtc" : "nvcc", text->arch, text->device);
  HeddleCompilation *self = heddle_compile_cache_get (key);

  if (self != NULL)
    return self;
  self = nvrtc ? heddle_nvrtc_compile (text->device, text->arch, cancellable, error)
               : heddle_nvcc_compile (text->device, text->arch, cancellable, error);
  if (self != NULL)
    heddle_compile_cache_put (key, self);
  return self;
}

/**
 * heddle_compile:
 * @text: a kernel
 *
 * Compiles the device part for its architecture: by NVRTC, or by nvcc, each in a process of its own within bounds of time and memory. No GPU is needed. The same text is compiled once
 * only, and a kernel that differs from one before it in names alone is that one, to be started by heddle_kernel_text_entry(); what is
 * reported of it, the time too, is then what it was.
 *
 * Returns: (transfer full): PTX, cubin and what they take; or %NULL with %HEDDLE_CODEGEN_ERROR_MISSING where there is no
 * compiler, %HEDDLE_CODEGEN_ERROR_COMPILE with its log or the bound that it overran
 */
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

/**
 * heddle_compile_device:
 * @texts: (element-type HeddleKernelText): kernels of one diagram for one GPU
 *
 * Compiles them together: one PTX or cubin holds them all.
 */
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

/* --- in a worker thread --- */

/* What a compiler needs of a kernel, kept while it works. */
static HeddleKernelText *
copy_for_compiler (const HeddleKernelText *text)
{
  HeddleKernelText *copy = g_new0 (HeddleKernelText, 1);

  text = text->duplicate_of != NULL ? text->duplicate_of : text;
  copy->device = g_strdup (text->device);
  copy->arch = g_strdup (text->arch);
  copy->entry = g_strdup (text->entry);
  copy->shared_bytes = text->shared_bytes;
  return copy;
}

static void
compile_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  HeddleCompilation *self = heddle_compile (data, cancellable, &error);

  if (self != NULL)
    g_task_return_pointer (task, self, (GDestroyNotify) heddle_compilation_free);
  else
    g_task_return_error (task, error);
}

void
heddle_compile_async (
    const HeddleKernelText *text, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);

  g_task_set_source_tag (task, heddle_compile_async);
  g_task_set_task_data (task, copy_for_compiler (text), (GDestroyNotify) heddle_kernel_text_free);
  g_task_set_return_on_cancel (task, TRUE);
  g_task_run_in_thread (task, compile_thread);
}

HeddleCompilation *
heddle_compile_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
