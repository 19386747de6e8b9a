/* SPDX-License-Identifier: MIT */
#include "codegen/base/threads.h"
#include "codegen/compile/compile.h"
#include "codegen/module/compile-all.h"
#include "codegen/plan/plan.h"

/* The kernels of a module, each text compiled once and beside the others. */

typedef struct
{
  GPtrArray *texts;
  GCancellable *cancellable;
  HeddleCompilation **made; /* per text; NULL: it is another one, or could not be compiled */
  GError **errors; /* per text */
} Compilations;

static void
compile_one (guint i, gpointer data)
{
  Compilations *self = data;
  const HeddleKernelText *text = g_ptr_array_index (self->texts, i);

  if (text->duplicate_of == NULL || !g_ptr_array_find (self->texts, text->duplicate_of, NULL))
    self->made[i] = heddle_compile (text, self->cancellable, &self->errors[i]);
}

/* Takes the cubins in order up to the first that failed, and then fails with its error. */
static gboolean
take_cubins (Compilations *self, GPtrArray *cubins, GError **error)
{
  gboolean good = TRUE;

  for (guint i = 0; i < self->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (self->texts, i);
      guint first = i;

      if (self->made[i] == NULL && self->errors[i] == NULL)
        g_ptr_array_find (self->texts, text->duplicate_of, &first);
      if (good && self->made[first] != NULL)
        g_ptr_array_add (cubins, g_bytes_ref (self->made[first]->cubin));
      else if (good)
        {
          g_propagate_error (error, g_steal_pointer (&self->errors[first]));
          good = FALSE;
        }
    }
  return good;
}

gboolean
heddle_gpu_kernels_compile (HeddleGpuKernels *self, GCancellable *cancellable, GError **error)
{
  guint n = self->texts->len;
  g_autofree HeddleCompilation **made = g_new0 (HeddleCompilation *, n + 1);
  g_autofree GError **errors = g_new0 (GError *, n + 1);
  Compilations all = { self->texts, cancellable, made, errors };
  gboolean good;

  heddle_threads_run (n, 0, compile_one, &all);
  self->cubins = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  good = take_cubins (&all, self->cubins, error);
  for (guint i = 0; i < n; i++)
    {
      heddle_compilation_free (made[i]);
      g_clear_error (&errors[i]);
    }
  return good;
}

void
heddle_gpu_kernels_free (HeddleGpuKernels *self)
{
  g_clear_pointer (&self->plan, heddle_plan_free);
  g_clear_pointer (&self->texts, g_ptr_array_unref);
  g_clear_pointer (&self->cubins, g_ptr_array_unref);
  g_free (self);
}
