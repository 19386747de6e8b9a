/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/compile/compile.h"
#include "codegen/gpu/gpu.h"
#include "codegen/ptx/ptx.h"
#include "codegen/verify/gpu.h"
#include "codegen/verify/launch.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/sizes.h"
#include "diagram/graph/diagram.h"

/* A kernel without a race gives the same bits every time. */
#define LAUNCHES 3

/* Allocates an array filled with ones: as a number of any type that has NaNs it is one, so that what the
 * kernel does not write fails. */
static guint64
allocate_array (gpointer board, const char *name, gsize bytes, GError **error)
{
  guint64 address = heddle_gpu_allocate (board, bytes, error);

  return address != 0 && heddle_gpu_fill (board, address, 0xff, bytes, error) ? address : 0;
}

static gboolean
write_array (gpointer board, guint64 address, gconstpointer data, gsize bytes, GError **error)
{
  return heddle_gpu_write (board, address, data, bytes, error);
}

static gboolean
read_array (gpointer board, guint64 address, gpointer data, gsize bytes, GError **error)
{
  return heddle_gpu_read (board, address, data, bytes, error);
}

static gboolean
make_map (gpointer board, const HeddlePtxTensorMap *map, guint8 *bytes, GError **error)
{
  return heddle_gpu_make_map (board, map, bytes, error);
}

static const HeddleVerifyMemory real = { allocate_array, write_array, read_array, make_map };

static gboolean
release (HeddleVerifyLaunch *self, GError **error)
{
  for (guint i = 0; i < self->text->parameters->len; i++)
    {
      const HeddleKernelParameter *parameter = g_ptr_array_index (self->text->parameters, i);

      if (parameter->axis == NULL && self->values[i] != 0
          && !heddle_gpu_release (self->board, self->values[i], error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
launch (HeddleVerifyLaunch *self, HeddleGpuKernel *kernel, gboolean first, GError **error)
{
  guint n_values = self->text->parameters->len, n = n_values + self->text->maps->len;
  g_autofree guint64 *values = g_new0 (guint64, MAX (n_values, 1));
  g_autofree void **arguments = g_new (void *, MAX (n, 1));
  gboolean good;

  self->values = values;
  self->maps = heddle_kernel_maps_new (self->text, 1);
  for (guint i = 0; i < n; i++)
    arguments[i]
        = i < n_values ? (gpointer) &values[i] : self->maps + (i - n_values) * HEDDLE_PTX_TENSOR_MAP_BYTES;
  good = heddle_verify_place_arguments (self, error)
         && heddle_gpu_launch (
             self->board, kernel, heddle_kernel_text_blocks (self->text, self->sizes), arguments, error)
         && heddle_gpu_wait (self->board, error) && heddle_verify_take_outputs (self, first, error)
         && release (self, error);
  g_clear_pointer (&self->maps, g_aligned_free);
  return good;
}

gboolean
heddle_verify_on_gpu (HeddleVerifyRun *run, const HeddleKernelText *text, HeddleVerification *result,
    char **summary, GError **error)
{
  g_autoptr (HeddleCompilation) compilation = heddle_compile (text, run->cancellable, error);
  g_autoptr (HeddleGpuKernel) kernel
      = compilation ? heddle_gpu_load (run->gpu, text, compilation, error) : NULL;
  g_autoptr (HeddleSizes) sizes = heddle_loop_program_own_sizes (text->program, run->sizes);
  HeddleVerifyLaunch self = { .run = run, .sizes = sizes, .text = text, .memory = &real, .board = run->gpu };

  for (guint i = 0; kernel != NULL && i < LAUNCHES; i++)
    {
      g_autoptr (GError) fault = NULL;

      if (launch (&self, kernel, i == 0, &fault))
        continue;
      if (!g_error_matches (fault, HEDDLE_PTX_ERROR, HEDDLE_PTX_ERROR_RACE))
        {
          g_clear_pointer (&self.encoded, g_hash_table_unref);
          g_propagate_error (error, g_steal_pointer (&fault));
          return FALSE;
        }
      result->detail = g_strdup (fault->message);
      break;
    }
  g_clear_pointer (&self.encoded, g_hash_table_unref);
  *summary = g_strdup_printf (
      _ ("%u launches on %s, the same to the last bit"), LAUNCHES, heddle_gpu_get_name (run->gpu));
  return kernel != NULL;
}
