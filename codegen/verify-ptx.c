/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/ptx/ptx.h"
#include "codegen/verify.h"

/* Ways to run a kernel: warps as they come or in a drawn order, asynchronous copies made as late as may be, at once, or at
 * drawn moments. The second is left out where nothing is copied so. */
static const struct
{
  guint64 seed; /* added to the run's own; 0: no order is drawn */
  HeddlePtxCompletion completion;
} orders[] = {
  { 0, HEDDLE_PTX_LATE },
  { 4, HEDDLE_PTX_EARLY },
  { 1, HEDDLE_PTX_DRAWN },
  { 2, HEDDLE_PTX_DRAWN },
  { 3, HEDDLE_PTX_DRAWN },
};
#define MANY_INSTRUCTIONS 100000000

/* One launch of an interpreted kernel: device memory and where each array lies in it. */
typedef struct
{
  HeddleVerifyRun *run;
  HeddleSizes *sizes; /* of the kernel's own axes */
  const HeddleKernelText *text;
  HeddlePtxModule *module;
  HeddlePtxMemory *memory;
  guint64 *values; /* the kernel's arguments: addresses and sizes */
  guint8 *maps; /* then tensor maps */
} Launch;

static gsize
bytes_of (const Launch *self, const HeddleKernelParameter *parameter)
{
  const HeddleValue *value = heddle_diagram_get_value (self->text->program->diagram, parameter->value);

  return heddle_sizes_elements (self->sizes, value) * heddle_dtype_bytes (parameter->dtype);
}

/* An array of the parameter's shape. */
static HeddleArray *
new_array (const Launch *self, const HeddleKernelParameter *parameter, GError **error)
{
  const HeddleValue *value = heddle_diagram_get_value (self->text->program->diagram, parameter->value);
  g_autofree gint64 *shape = g_new (gint64, MAX (value->axes->len, 1));

  for (guint i = 0; i < value->axes->len; i++)
    shape[i] = heddle_sizes_get (self->sizes, heddle_ids_index (value->axes, i));
  return heddle_array_new (parameter->dtype, value->axes->len, shape, error);
}

static gboolean
write_array (Launch *self, const HeddleKernelParameter *parameter, guint64 address, GError **error)
{
  const HeddleArray *array = g_hash_table_lookup (self->run->arrays, parameter->value);
  guint size = heddle_dtype_bytes (parameter->dtype);
  g_autofree char *bytes = g_malloc (MAX (1, array->n_elements * size));

  for (gint64 i = 0; i < array->n_elements; i++)
    heddle_dtype_encode (parameter->dtype, array->data[i], bytes + i * size);
  return heddle_ptx_memory_write (self->memory, address, bytes, array->n_elements * size, error);
}

static HeddleArray *
read_array (Launch *self, const HeddleKernelParameter *parameter, guint64 address, GError **error)
{
  guint size = heddle_dtype_bytes (parameter->dtype);
  g_autoptr (HeddleArray) array = new_array (self, parameter, error);
  g_autofree char *bytes = array != NULL ? g_malloc (MAX (1, array->n_elements * size)) : NULL;

  if (array == NULL
      || !heddle_ptx_memory_read (self->memory, address, bytes, array->n_elements * size, error))
    return NULL;
  for (gint64 i = 0; i < array->n_elements; i++)
    array->data[i] = heddle_dtype_decode (parameter->dtype, bytes + i * size);
  return g_steal_pointer (&array);
}

static gboolean
place_arguments (Launch *self, GError **error)
{
  for (guint i = 0; i < self->text->parameters->len; i++)
    {
      const HeddleKernelParameter *parameter = g_ptr_array_index (self->text->parameters, i);

      if (parameter->axis != NULL)
        {
          self->values[i] = heddle_sizes_get (self->sizes, parameter->axis);
          continue;
        }
      self->values[i]
          = heddle_ptx_memory_allocate (self->memory, parameter->name, bytes_of (self, parameter), error);
      if (self->values[i] == 0
          || (!parameter->output && !write_array (self, parameter, self->values[i], error)))
        return FALSE;
    }
  return TRUE;
}

/* The tensor map of an argument that is placed; nothing, where rows are not aligned: kernels do not use it then. */
static gboolean
make_map (Launch *self, const HeddleKernelMap *of, guint8 bytes[HEDDLE_PTX_TENSOR_MAP_BYTES], GError **error)
{
  const guint size = heddle_dtype_bytes (of->dtype);
  HeddlePtxTensorMap map = { .element_bytes = (guint8) size, .rank = (guint8) of->n, .swizzled = TRUE };
  guint64 stride = size;

  for (guint i = 0; i < self->text->parameters->len; i++)
    if (((const HeddleKernelParameter *) g_ptr_array_index (self->text->parameters, i))->value == of->value)
      map.address = self->values[i];
  for (guint k = 0; k < of->n; k++)
    {
      guint from = of->n - 1 - k;

      map.sizes[k] = (guint64) heddle_sizes_get (self->sizes, of->axes[from]);
      map.box[k] = (guint16) of->box[from];
      stride *= map.sizes[k];
      if (k + 1 < of->n)
        map.strides[k] = stride;
    }
  memset (bytes, 0, HEDDLE_PTX_TENSOR_MAP_BYTES);
  return map.strides[0] % 16 != 0 || heddle_ptx_tensor_map_encode (&map, bytes, error);
}

static gboolean
make_maps (Launch *self, GError **error)
{
  for (guint i = 0; i < self->text->maps->len; i++)
    if (!make_map (self, g_ptr_array_index (self->text->maps, i),
            self->maps + i * HEDDLE_PTX_TENSOR_MAP_BYTES, error))
      return FALSE;
  return TRUE;
}

static guint
blocks_of (const Launch *self)
{
  gint64 blocks = 1;

  for (guint i = 0; i < self->text->tiles->len; i++)
    {
      const HeddleKernelTile *tile = g_ptr_array_index (self->text->tiles, i);

      blocks *= (heddle_sizes_get (self->sizes, tile->axis) + tile->size - 1) / tile->size;
    }
  return MIN (blocks, G_MAXINT);
}

/* Keeps the outputs of the first order of warps; every other order has to give the same ones to the last bit. */
static gboolean
take_outputs (Launch *self, gboolean first, GError **error)
{
  for (guint i = 0; i < self->text->parameters->len; i++)
    {
      const HeddleKernelParameter *parameter = g_ptr_array_index (self->text->parameters, i);
      const HeddleArray *before = g_hash_table_lookup (self->run->arrays, parameter->value);
      g_autoptr (HeddleArray) array = NULL;

      if (!parameter->output)
        continue;
      array = read_array (self, parameter, self->values[i], error);
      if (array == NULL)
        return FALSE;
      if (first)
        g_hash_table_insert (self->run->arrays, (gpointer) parameter->value, g_steal_pointer (&array));
      else if (memcmp (before->data, array->data, array->n_elements * sizeof *array->data) != 0)
        {
          g_set_error (error, HEDDLE_PTX_ERROR, HEDDLE_PTX_ERROR_RACE,
              _ ("another order of warps gives other values of %s"), parameter->name);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
launch (Launch *self, guint order, HeddlePtxStats *stats, GError **error)
{
  HeddlePtxLaunch config = { .grid = { blocks_of (self), 1, 1 },
    .block = { self->text->threads, 1, 1 },
    .dynamic_shared_bytes = self->text->shared_bytes,
    .seed = orders[order].seed == 0 ? 0 : self->run->seed + orders[order].seed,
    .completion = orders[order].completion,
    .max_instructions = G_GUINT64_CONSTANT (40000000000),
    .check_races = TRUE };
  guint n_values = self->text->parameters->len, n = n_values + self->text->maps->len;
  g_autofree HeddlePtxArgument *arguments = g_new0 (HeddlePtxArgument, n);
  gboolean good;

  self->memory = heddle_ptx_memory_new ();
  self->values = g_new0 (guint64, n);
  self->maps = g_malloc (MAX (1, (n - n_values) * HEDDLE_PTX_TENSOR_MAP_BYTES));
  for (guint i = 0; i < n; i++)
    arguments[i] = i < n_values
                       ? (HeddlePtxArgument){ &self->values[i], sizeof self->values[i] }
                       : (HeddlePtxArgument){ self->maps + (i - n_values) * HEDDLE_PTX_TENSOR_MAP_BYTES,
                           HEDDLE_PTX_TENSOR_MAP_BYTES };
  good = place_arguments (self, error) && make_maps (self, error)
         && heddle_ptx_launch (self->module, self->text->entry, self->memory, &config, arguments, n,
             self->run->cancellable, stats, error)
         && take_outputs (self, order == 0, error);
  g_clear_pointer (&self->memory, heddle_ptx_memory_free);
  g_clear_pointer (&self->values, g_free);
  g_clear_pointer (&self->maps, g_free);
  return good;
}

/* What the interpreter found the kernel to do wrong, as opposed to what it cannot do itself. */
static gboolean
is_fault (const GError *error)
{
  static const HeddlePtxError faults[] = { HEDDLE_PTX_ERROR_ACCESS, HEDDLE_PTX_ERROR_UNDEFINED,
    HEDDLE_PTX_ERROR_DEADLOCK, HEDDLE_PTX_ERROR_RACE, HEDDLE_PTX_ERROR_TRAP };

  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    if (g_error_matches (error, HEDDLE_PTX_ERROR, faults[i]))
      return TRUE;
  return FALSE;
}

/* A fault of the kernel goes into @result; others are errors. */
static gboolean
take_fault (HeddleVerification *result, GError *fault, GError **error)
{
  if (!is_fault (fault))
    {
      g_propagate_error (error, fault);
      return FALSE;
    }
  result->detail = g_strdup (fault->message);
  g_error_free (fault);
  return TRUE;
}

/* Small runs go through every order; one that took long goes through two. */
static gboolean
launch_orders (Launch *self, HeddleVerification *result, char **summary, GError **error)
{
  HeddlePtxStats stats = { 0 };
  guint n = 0, most = G_N_ELEMENTS (orders);

  for (guint order = 0; order < G_N_ELEMENTS (orders) && n < most; order++)
    {
      GError *fault = NULL;

      if (orders[order].completion == HEDDLE_PTX_EARLY
          && stats.asynchronous_copies + stats.asynchronous_products == 0)
        continue;
      n++;
      if (!launch (self, order, &stats, &fault))
        return take_fault (result, fault, error);
      if (stats.instructions > MANY_INSTRUCTIONS)
        most = 2;
    }
  *summary = g_strdup_printf (
      _ ("%u orders of warps, %.3g instructions, %.2g more cycles than needed per access of shared memory"),
      n, (double) stats.instructions, (double) stats.bank_conflicts / MAX (1, stats.shared_accesses));
  return TRUE;
}

gboolean
heddle_verify_interpret (HeddleVerifyRun *run, const HeddleKernelText *text, HeddleVerification *result,
    char **summary, GError **error)
{
  g_autoptr (HeddleCompilation) compilation = heddle_compile (text, run->cancellable, error);
  g_autoptr (HeddlePtxModule) module
      = compilation ? heddle_ptx_module_new (compilation->ptx, -1, error) : NULL;
  g_autoptr (HeddleSizes) sizes = heddle_loop_program_own_sizes (text->program, run->sizes);
  Launch self = { .run = run, .sizes = sizes, .text = text, .module = module };

  return module != NULL && launch_orders (&self, result, summary, error);
}
