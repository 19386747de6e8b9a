/* SPDX-License-Identifier: MIT */
/* Stands in for NVIDIA's driver: a GPU whose memory is simulated and whose kernels are interpreted. It is newer than any, so that it gets
 * PTX and not code. What is wrong with a launch comes out when it is waited for, as on a GPU. */

#include "config.h"

#include <string.h>

#include "codegen/ptx/launch.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/ptx.h"

enum
{
  DONE = 0,
  WRONG_VALUE = 1,
  NO_MEMORY = 2,
  NO_DEVICE = 100,
  WRONG_IMAGE = 200,
  NOT_FOUND = 500,
  LAUNCH_FAILED = 719,
};

#define MOST_ARGUMENTS 64

typedef struct
{
  HeddlePtxModule *module;
  char *entry;
  int shared_bytes;
} Function;

static HeddlePtxMemory *memory;
static char *fault;
static GPtrArray *functions; /* of Function */
static guint64 clock_ticks; /* instructions run so far */

static void
function_free (gpointer data)
{
  g_free (((Function *) data)->entry);
  g_free (data);
}

int cuInit (unsigned flags);
int cuGetExportTable (const void **table, const void *id);
int cuGetErrorString (int status, const char **text);
int cuDeviceGetCount (int *count);
int cuDeviceGet (int *device, int ordinal);
int cuDeviceGetName (char *name, int length, int device);
int cuDeviceGetAttribute (int *value, int attribute, int device);
int cuDriverGetVersion (int *version);
int cuMemGetInfo_v2 (size_t *free_bytes, size_t *bytes);
int cuDevicePrimaryCtxRetain (void **context, int device);
int cuDevicePrimaryCtxRelease_v2 (int device);
int cuCtxSetCurrent (void *context);
int cuCtxSynchronize (void);
int cuMemAlloc_v2 (guint64 *address, size_t bytes);
int cuMemFree_v2 (guint64 address);
int cuMemcpyHtoD_v2 (guint64 address, const void *data, size_t bytes);
int cuMemcpyDtoH_v2 (void *data, guint64 address, size_t bytes);
int cuMemsetD8_v2 (guint64 address, unsigned char byte, size_t bytes);
int cuModuleLoadData (void **module, const void *image);
int cuModuleUnload (void *module);
int cuModuleGetFunction (void **function, void *module, const char *name);
int cuFuncSetAttribute (void *function, int attribute, int value);
int cuLaunchKernel (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
    unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **arguments, void **extra);
int cuEventCreate (void **event, unsigned flags);
int cuEventRecord (void *event, void *stream);
int cuEventElapsedTime (float *milliseconds, void *first, void *second);
int cuEventDestroy_v2 (void *event);

int
cuInit (unsigned flags)
{
  if (g_getenv ("STAND_IN_WITHOUT_GPU") != NULL)
    return NO_DEVICE;
  return DONE;
}

/* NVRTC asks for one, where there is a driver, and goes on without. */
int
cuGetExportTable (const void **table, const void *id)
{
  *table = NULL;
  return NOT_FOUND;
}

int
cuGetErrorString (int status, const char **text)
{
  *text = status == LAUNCH_FAILED && fault != NULL ? fault : "the stand-in says no";
  return DONE;
}

int
cuDeviceGetCount (int *count)
{
  *count = 1;
  return DONE;
}

int
cuDeviceGet (int *device, int ordinal)
{
  *device = ordinal;
  return ordinal == 0 ? DONE : WRONG_VALUE;
}

int
cuDeviceGetName (char *name, int length, int device)
{
  g_strlcpy (name, "Stand-in GPU", length);
  return DONE;
}

/* By the numbers of cuda.h. What it is like is made up: one processor at 1 GHz, and memory of 64 bits at 1 GHz. */
static const struct
{
  int attribute, value;
} attributes[] = {
  { 1, 1024 }, /* threads per block */
  { 10, 32 }, /* threads of a warp */
  { 13, 1000000 }, /* clock in kHz */
  { 16, 1 }, /* processors */
  { 36, 1000000 }, /* memory clock in kHz */
  { 37, 64 }, /* bits of the memory's bus */
  { 38, 4096 }, /* bytes of the L2 */
  { 39, 2048 }, /* threads of a processor */
  { 75, 99 }, /* compute capability 99.0 */
  { 76, 0 }, { 81, 228 * 1024 }, /* bytes of shared memory of a processor */
  { 82, 65536 }, /* registers of a processor */
  { 97, 227 * 1024 }, /* bytes of shared memory of a block */
  { 106, 32 }, /* blocks of a processor */
  { 111, 1024 }, /* bytes of shared memory of a block that the system has */
};

int
cuDeviceGetAttribute (int *value, int attribute, int device)
{
  for (gsize i = 0; i < G_N_ELEMENTS (attributes); i++)
    if (attributes[i].attribute == attribute)
      {
        *value = attributes[i].value;
        return DONE;
      }
  return WRONG_VALUE;
}

int
cuDriverGetVersion (int *version)
{
  *version = 13000;
  return DONE;
}

/* $STAND_IN_FREE: how many bytes are free. */
int
cuMemGetInfo_v2 (size_t *free_bytes, size_t *bytes)
{
  const char *given = g_getenv ("STAND_IN_FREE");

  *bytes = 1 << 30;
  *free_bytes = given != NULL ? g_ascii_strtoull (given, NULL, 10) : *bytes;
  return DONE;
}

int
cuDevicePrimaryCtxRetain (void **context, int device)
{
  memory = heddle_ptx_memory_new ();
  functions = g_ptr_array_new_with_free_func (function_free);
  *context = memory;
  return DONE;
}

int
cuDevicePrimaryCtxRelease_v2 (int device)
{
  heddle_ptx_memory_free (g_steal_pointer (&memory));
  g_clear_pointer (&functions, g_ptr_array_unref);
  g_clear_pointer (&fault, g_free);
  return DONE;
}

int
cuCtxSetCurrent (void *context)
{
  return context == memory ? DONE : WRONG_VALUE;
}

int
cuCtxSynchronize (void)
{
  return fault != NULL ? LAUNCH_FAILED : DONE;
}

int
cuMemAlloc_v2 (guint64 *address, size_t bytes)
{
  *address = heddle_ptx_memory_allocate (memory, "array", bytes, NULL);
  return *address != 0 ? DONE : NO_MEMORY;
}

int
cuMemFree_v2 (guint64 address)
{
  return heddle_ptx_memory_release (memory, address, NULL) ? DONE : WRONG_VALUE;
}

int
cuMemcpyHtoD_v2 (guint64 address, const void *data, size_t bytes)
{
  return heddle_ptx_memory_write (memory, address, data, bytes, NULL) ? DONE : WRONG_VALUE;
}

int
cuMemcpyDtoH_v2 (void *data, guint64 address, size_t bytes)
{
  if (fault != NULL)
    return LAUNCH_FAILED;
  return heddle_ptx_memory_read (memory, address, data, bytes, NULL) ? DONE : WRONG_VALUE;
}

int
cuMemsetD8_v2 (guint64 address, unsigned char byte, size_t bytes)
{
  g_autofree char *data = g_malloc (MAX (bytes, 1));

  memset (data, byte, bytes);
  return heddle_ptx_memory_write (memory, address, data, bytes, NULL) ? DONE : WRONG_VALUE;
}

int
cuModuleLoadData (void **module, const void *image)
{
  *module = heddle_ptx_module_new (image, -1, NULL);
  return *module != NULL ? DONE : WRONG_IMAGE;
}

int
cuModuleUnload (void *module)
{
  heddle_ptx_module_free (module);
  return DONE;
}

int
cuModuleGetFunction (void **function, void *module, const char *name)
{
  Function *made;

  if (!heddle_ptx_module_has_kernel (module, name))
    return NOT_FOUND;
  made = g_new0 (Function, 1);
  g_ptr_array_add (functions, made);
  made->module = module;
  made->entry = g_strdup (name);
  *function = made;
  return DONE;
}

int
cuFuncSetAttribute (void *function, int attribute, int value)
{
  if (attribute != 8 || value < 0 || value > 227 * 1024)
    return WRONG_VALUE;
  ((Function *) function)->shared_bytes = value;
  return DONE;
}

/* An instruction takes a nanosecond; with $STAND_IN_CLOCK=traffic they take none, and a byte of global memory that is moved does. */
static guint64
ticks_of (const HeddlePtxStats *stats)
{
  if (g_strcmp0 (g_getenv ("STAND_IN_CLOCK"), "traffic") == 0)
    return 32 * (stats->global_sectors_read + stats->global_sectors_written);
  return stats->instructions;
}

int
cuLaunchKernel (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
    unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **arguments, void **extra)
{
  const Function *self = function;
  HeddlePtxArgument given[MOST_ARGUMENTS];
  HeddlePtxStats stats = { 0 };
  HeddlePtxLaunch config = { .grid = { grid_x, grid_y, grid_z },
    .block = { block_x, block_y, block_z },
    .dynamic_shared_bytes = shared_bytes,
    .completion = HEDDLE_PTX_LATE };
  guint n = heddle_ptx_module_get_n_parameters (self->module, self->entry);
  g_autoptr (GError) error = NULL;

  if ((int) shared_bytes > self->shared_bytes || n > MOST_ARGUMENTS)
    return WRONG_VALUE;
  for (guint i = 0; i < n; i++)
    {
      HeddlePtxParameter parameter;

      heddle_ptx_module_get_parameter (self->module, self->entry, i, &parameter);
      given[i] = (HeddlePtxArgument){ arguments[i], parameter.size };
    }
  if (!heddle_ptx_launch (self->module, self->entry, memory, &config, given, n, NULL, &stats, &error)
      && fault == NULL)
    fault = g_strdup (error->message);
  clock_ticks += ticks_of (&stats);
  return DONE;
}

int
cuEventCreate (void **event, unsigned flags)
{
  *event = g_new0 (guint64, 1);
  return DONE;
}

int
cuEventRecord (void *event, void *stream)
{
  *(guint64 *) event = clock_ticks;
  return DONE;
}

int
cuEventElapsedTime (float *milliseconds, void *first, void *second)
{
  *milliseconds = (*(guint64 *) second - *(guint64 *) first) / 1e6f;
  return DONE;
}

int
cuEventDestroy_v2 (void *event)
{
  g_free (event);
  return DONE;
}
