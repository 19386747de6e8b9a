/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <dlfcn.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>

#include "codegen/emit/duplicates.h"
#include "codegen/gpu/gpu.h"

/* The driver's interface, as in NVIDIA's cuda.h: names, types and the attributes that are asked for. */
enum
{
  DEVICE_CACHE_BYTES = 38,
  DEVICE_MAJOR = 75,
  DEVICE_MINOR = 76,
  FUNCTION_DYNAMIC_SHARED_BYTES = 8,
};

typedef int (*MapEncode) (void *map, int type, guint32 rank, void *array, const guint64 *sizes,
    const guint64 *strides, const guint32 *box, const guint32 *steps, int interleave, int swizzle,
    int promotion, int fill);

typedef struct
{
  int (*init) (unsigned flags);
  int (*error_string) (int status, const char **text);
  int (*device_count) (int *count);
  int (*device_get) (int *device, int ordinal);
  int (*device_name) (char *name, int length, int device);
  int (*device_attribute) (int *value, int attribute, int device);
  int (*driver_version) (int *version);
  int (*memory_info) (size_t *free_bytes, size_t *bytes);
  int (*context_retain) (void **context, int device);
  int (*context_release) (int device);
  int (*context_set) (void *context);
  int (*synchronize) (void);
  int (*allocate) (guint64 *address, size_t bytes);
  int (*release) (guint64 address);
  int (*to_device) (guint64 address, const void *data, size_t bytes);
  int (*to_host) (void *data, guint64 address, size_t bytes);
  int (*fill) (guint64 address, unsigned char byte, size_t bytes);
  int (*module_load) (void **module, const void *image);
  int (*module_unload) (void *module);
  int (*module_function) (void **function, void *module, const char *name);
  int (*function_set) (void *function, int attribute, int value);
  int (*launch) (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
      unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **arguments,
      void **extra);
  int (*event_new) (void **event, unsigned flags);
  int (*event_record) (void *event, void *stream);
  int (*event_between) (float *milliseconds, void *first, void *second);
  int (*event_free) (void *event);
  MapEncode map_encode; /* NULL: the driver is older */
} Driver;

struct _HeddleGpu
{
  const Driver *driver;
  int device, major, minor, cache_bytes;
  char name[128];
  void *context;
  GPtrArray *events; /* by the numbers of marks */
  GHashTable *allocations; /* of guint64 addresses */
};

struct _HeddleGpuKernel
{
  HeddleGpu *gpu;
  void *module, *function;
  guint threads;
  guint shared_bytes;
};

/* --- opening ------------------------------------------------------------------------- */

static gboolean
find_symbols (void *library, Driver *driver)
{
  const struct
  {
    const char *name;
    void **pointer;
  } symbols[] = {
    { "cuInit", (void **) &driver->init },
    { "cuGetErrorString", (void **) &driver->error_string },
    { "cuDeviceGetCount", (void **) &driver->device_count },
    { "cuDeviceGet", (void **) &driver->device_get },
    { "cuDeviceGetName", (void **) &driver->device_name },
    { "cuDeviceGetAttribute", (void **) &driver->device_attribute },
    { "cuDriverGetVersion", (void **) &driver->driver_version },
    { "cuMemGetInfo_v2", (void **) &driver->memory_info },
    { "cuDevicePrimaryCtxRetain", (void **) &driver->context_retain },
    { "cuDevicePrimaryCtxRelease_v2", (void **) &driver->context_release },
    { "cuCtxSetCurrent", (void **) &driver->context_set },
    { "cuCtxSynchronize", (void **) &driver->synchronize },
    { "cuMemAlloc_v2", (void **) &driver->allocate },
    { "cuMemFree_v2", (void **) &driver->release },
    { "cuMemcpyHtoD_v2", (void **) &driver->to_device },
    { "cuMemcpyDtoH_v2", (void **) &driver->to_host },
    { "cuMemsetD8_v2", (void **) &driver->fill },
    { "cuModuleLoadData", (void **) &driver->module_load },
    { "cuModuleUnload", (void **) &driver->module_unload },
    { "cuModuleGetFunction", (void **) &driver->module_function },
    { "cuFuncSetAttribute", (void **) &driver->function_set },
    { "cuLaunchKernel", (void **) &driver->launch },
    { "cuEventCreate", (void **) &driver->event_new },
    { "cuEventRecord", (void **) &driver->event_record },
    { "cuEventElapsedTime", (void **) &driver->event_between },
    { "cuEventDestroy_v2", (void **) &driver->event_free },
  };

  for (guint i = 0; i < G_N_ELEMENTS (symbols); i++)
    if ((*symbols[i].pointer = dlsym (library, symbols[i].name)) == NULL)
      return FALSE;
  driver->map_encode = (MapEncode) dlsym (library, "cuTensorMapEncodeTiled"); /* since CUDA 12 */
  return TRUE;
}

/* Returns the driver, which is opened once and kept, as it demands; %NULL if it is not on this machine. */
static const Driver *
get_driver (void)
{
  static Driver driver;
  static gsize state;

  if (g_once_init_enter (&state))
    {
      void *library = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);

      g_once_init_leave (&state, library != NULL && find_symbols (library, &driver) ? 1 : 2);
    }
  return state == 1 ? &driver : NULL;
}

static gboolean
check (const Driver *driver, int status, const char *what, GError **error)
{
  const char *text = NULL;

  if (status == 0)
    return TRUE;
  driver->error_string (status, &text);
  g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_VERIFY, _ ("the GPU: %s: %s"), what,
      text != NULL ? text : _ ("unknown error"));
  return FALSE;
}

static gboolean
find_device (HeddleGpu *self, GError **error)
{
  const Driver *driver = self->driver;
  int count = 0;

  if (driver->init (0) == 0 && driver->device_count (&count) == 0 && count > 0)
    return check (driver, driver->device_get (&self->device, 0), "cuDeviceGet", error);
  g_set_error_literal (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_MISSING,
      _ ("NVIDIA’s driver finds no GPU on this computer"));
  return FALSE;
}

static gboolean
ask_device (HeddleGpu *self, GError **error)
{
  const Driver *driver = self->driver;
  int device = self->device;

  return check (driver, driver->device_name (self->name, sizeof self->name, device), "cuDeviceGetName", error)
         && check (driver, driver->device_attribute (&self->major, DEVICE_MAJOR, device),
             "cuDeviceGetAttribute", error)
         && check (driver, driver->device_attribute (&self->minor, DEVICE_MINOR, device),
             "cuDeviceGetAttribute", error)
         && check (driver, driver->device_attribute (&self->cache_bytes, DEVICE_CACHE_BYTES, device),
             "cuDeviceGetAttribute", error)
         && check (driver, driver->context_retain (&self->context, device), "cuDevicePrimaryCtxRetain", error)
         && check (driver, driver->context_set (self->context), "cuCtxSetCurrent", error);
}

HeddleGpu *
heddle_gpu_open (GError **error)
{
  g_autoptr (HeddleGpu) self = NULL;
  const Driver *driver = get_driver ();

  if (driver == NULL)
    {
      g_set_error_literal (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_MISSING,
          _ ("NVIDIA’s driver (libcuda.so.1) is not on this computer"));
      return NULL;
    }
  self = g_new0 (HeddleGpu, 1);
  self->driver = driver;
  self->events = g_ptr_array_new ();
  self->allocations = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  return find_device (self, error) && ask_device (self, error) ? g_steal_pointer (&self) : NULL;
}

void
heddle_gpu_close (HeddleGpu *self)
{
  GHashTableIter iter;
  gpointer address;

  if (self == NULL)
    return;
  g_hash_table_iter_init (&iter, self->allocations);
  while (g_hash_table_iter_next (&iter, &address, NULL))
    self->driver->release (*(guint64 *) address);
  for (guint i = 0; i < self->events->len; i++)
    self->driver->event_free (g_ptr_array_index (self->events, i));
  if (self->context != NULL)
    self->driver->context_release (self->device);
  g_ptr_array_unref (self->events);
  g_hash_table_unref (self->allocations);
  g_free (self);
}

const char *
heddle_gpu_get_name (const HeddleGpu *self)
{
  return self->name;
}

gint64
heddle_gpu_get_cache_bytes (const HeddleGpu *self)
{
  return self->cache_bytes;
}

gboolean
heddle_gpu_ask (const HeddleGpu *self, int attribute, int *value, GError **error)
{
  return check (self->driver, self->driver->device_attribute (value, attribute, self->device),
      "cuDeviceGetAttribute", error);
}

gboolean
heddle_gpu_ask_memory (const HeddleGpu *self, gsize *free_bytes, gsize *bytes, GError **error)
{
  return check (self->driver, self->driver->memory_info (free_bytes, bytes), "cuMemGetInfo", error);
}

int
heddle_gpu_get_driver (const HeddleGpu *self)
{
  int version = 0;

  return self->driver->driver_version (&version) == 0 ? version : 0;
}

/* --- memory -------------------------------------------------------------------------- */

guint64
heddle_gpu_allocate (HeddleGpu *self, gsize bytes, GError **error)
{
  guint64 address = 0;

  if (!check (self->driver, self->driver->allocate (&address, MAX (bytes, 1)), "cuMemAlloc", error))
    return 0;
  g_hash_table_add (self->allocations, g_memdup2 (&address, sizeof address));
  return address;
}

gboolean
heddle_gpu_release (HeddleGpu *self, guint64 address, GError **error)
{
  g_hash_table_remove (self->allocations, &address);
  return check (self->driver, self->driver->release (address), "cuMemFree", error);
}

gboolean
heddle_gpu_write (HeddleGpu *self, guint64 address, gconstpointer data, gsize bytes, GError **error)
{
  return bytes == 0
         || check (self->driver, self->driver->to_device (address, data, bytes), "cuMemcpyHtoD", error);
}

gboolean
heddle_gpu_read (HeddleGpu *self, guint64 address, gpointer data, gsize bytes, GError **error)
{
  return bytes == 0
         || check (self->driver, self->driver->to_host (data, address, bytes), "cuMemcpyDtoH", error);
}

gboolean
heddle_gpu_fill (HeddleGpu *self, guint64 address, guint8 byte, gsize bytes, GError **error)
{
  return bytes == 0 || check (self->driver, self->driver->fill (address, byte, bytes), "cuMemsetD8", error);
}

/* --- tensor maps ---------------------------------------------------------------------- */

/* The constants of cuda.h: CU_TENSOR_MAP_DATA_TYPE_UINT8 and UINT16, CU_TENSOR_MAP_SWIZZLE_NONE, 32B, 64B and
 * 128B from 0 on, CU_TENSOR_MAP_L2_PROMOTION_L2_256B; the values of elements do not matter. */
#define MAP_OF_8_BITS 0
#define MAP_OF_16_BITS 1
#define MAP_PROMOTION_256 3

gboolean
heddle_gpu_make_map (HeddleGpu *self, const HeddlePtxTensorMap *map, guint8 *bytes, GError **error)
{
  static const guint32 ones[HEDDLE_PTX_TENSOR_MAP_RANK] = { 1, 1, 1, 1, 1 };
  guint32 box[HEDDLE_PTX_TENSOR_MAP_RANK];

  g_return_val_if_fail (map->element_bytes == 1 || map->element_bytes == 2, FALSE);

  if (self->driver->map_encode == NULL)
    {
      g_set_error_literal (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_MISSING,
          _ ("the NVIDIA driver here cannot make tensor maps: CUDA 12 or newer is needed"));
      return FALSE;
    }
  for (guint i = 0; i < map->rank; i++)
    box[i] = map->box[i];
  return check (self->driver,
      self->driver->map_encode (bytes, map->element_bytes == 1 ? MAP_OF_8_BITS : MAP_OF_16_BITS, map->rank,
          (void *) (gsize) map->address, map->sizes, map->strides, box, ones, 0,
          map->swizzle >= 128 ? 3 : map->swizzle / 32, MAP_PROMOTION_256, 0),
      "cuTensorMapEncodeTiled", error);
}

/* --- kernels ------------------------------------------------------------------------- */

/* Returns the code for the GPU. Code runs on its own major version from its minor one on; code of an
 * architecture with a letter, on it alone. PTX without a letter is for that version and all later ones. (CUDA
 * C++ Programming Guide, "Binary Compatibility", "PTX Compatibility".) */
static const void *
image_for (const HeddleGpu *self, const char *arch, const HeddleCompilation *compilation)
{
  char *letter = NULL;
  int version = g_str_has_prefix (arch, "sm_") ? (int) strtol (arch + 3, &letter, 10) : 0;
  int major = version / 10, minor = version % 10;

  if (version == 0)
    return NULL;
  if (self->major == major && (*letter == '\0' ? self->minor >= minor : self->minor == minor))
    return g_bytes_get_data (compilation->cubin, NULL);
  return *letter == '\0' && self->major * 10 + self->minor >= version ? compilation->ptx : NULL;
}

HeddleGpuKernel *
heddle_gpu_load (
    HeddleGpu *self, const HeddleKernelText *text, const HeddleCompilation *compilation, GError **error)
{
  const void *image = image_for (self, text->arch, compilation);
  g_autoptr (HeddleGpuKernel) kernel = g_new0 (HeddleGpuKernel, 1);

  kernel->gpu = self;
  kernel->threads = text->threads;
  kernel->shared_bytes = (guint) text->shared_bytes;
  if (image == NULL)
    {
      g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
          _ ("%s is for %s, but the GPU here, %s, is sm_%d%d: derive for a machine like it"), text->name,
          text->arch, self->name, self->major, self->minor);
      return NULL;
    }
  if (!check (self->driver, self->driver->module_load (&kernel->module, image), "cuModuleLoadData", error)
      || !check (self->driver,
          self->driver->module_function (&kernel->function, kernel->module, heddle_kernel_text_entry (text)),
          "cuModuleGetFunction", error)
      || !check (self->driver,
          self->driver->function_set (
              kernel->function, FUNCTION_DYNAMIC_SHARED_BYTES, (int) kernel->shared_bytes),
          "cuFuncSetAttribute", error))
    return NULL;
  return g_steal_pointer (&kernel);
}

void
heddle_gpu_kernel_free (HeddleGpuKernel *self)
{
  if (self == NULL)
    return;
  if (self->module != NULL)
    self->gpu->driver->module_unload (self->module);
  g_free (self);
}

gboolean
heddle_gpu_launch (HeddleGpu *self, HeddleGpuKernel *kernel, guint blocks, void **arguments, GError **error)
{
  return check (self->driver,
      self->driver->launch (
          kernel->function, blocks, 1, 1, kernel->threads, 1, 1, kernel->shared_bytes, NULL, arguments, NULL),
      "cuLaunchKernel", error);
}

gboolean
heddle_gpu_wait (HeddleGpu *self, GError **error)
{
  return check (self->driver, self->driver->synchronize (), "cuCtxSynchronize", error);
}

gboolean
heddle_gpu_mark (HeddleGpu *self, guint mark, GError **error)
{
  while (self->events->len <= mark)
    {
      void *event = NULL;

      if (!check (self->driver, self->driver->event_new (&event, 0), "cuEventCreate", error))
        return FALSE;
      g_ptr_array_add (self->events, event);
    }
  return check (self->driver, self->driver->event_record (g_ptr_array_index (self->events, mark), NULL),
      "cuEventRecord", error);
}

gboolean
heddle_gpu_between (HeddleGpu *self, guint first, guint second, double *seconds, GError **error)
{
  float milliseconds = 0;

  g_return_val_if_fail (first < self->events->len && second < self->events->len, FALSE);

  if (!check (self->driver,
          self->driver->event_between (&milliseconds, g_ptr_array_index (self->events, first),
              g_ptr_array_index (self->events, second)),
          "cuEventElapsedTime", error))
    return FALSE;
  *seconds = milliseconds / 1e3;
  return TRUE;
}
