/* SPDX-License-Identifier: MIT */
/* Stands in for CUDA's runtime (libcudart), on the stand-in for the driver: host programs and libraries that nvcc made with -cudart none run on it as they
 * are. Their fat binaries have to hold PTX that is not compressed. Launches are made at once, in whichever stream. */

#include "config.h"

#include <string.h>

#include "driver.h"

typedef struct
{
  unsigned x, y, z;
} Extent;

/* A kernel by the address of its stub on the host. */
typedef struct
{
  void *module;
  const char *name;
  void *function;
} Kernel;

typedef struct
{
  Extent grid, block;
  size_t shared_bytes;
  void *stream;
} Configuration;

/* By the numbers of driver_types.h. */
enum
{
  WRONG_FUNCTION = 98,
  SYMBOL_FOUND = 0,
  SYMBOL_NOT_FOUND = 1,
  COPY_TO_DEVICE = 1,
  COPY_FROM_DEVICE = 2,
  COPY_ON_DEVICE = 3,
  COPY_AS_IT_LIES = 4,
};

/* cudaLaunchConfig_t. */
typedef struct
{
  Extent grid, block;
  size_t shared_bytes;
  void *stream;
  const LaunchAttribute *attributes;
  unsigned n_attributes;
} RuntimeConfig;

#define WRAPPER_MAGIC 0x466243b1

static GHashTable *kernels; /* of Kernel */
static void *context;
static int last;
static Configuration pushed[16];
static guint n_pushed;

static int
note (int status)
{
  if (status != DONE)
    last = status;
  return status;
}

static void
start (void)
{
  if (context == NULL)
    cuDevicePrimaryCtxRetain (&context, 0);
  if (kernels == NULL)
    kernels = g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

void **__cudaRegisterFatBinary (void *wrapper);
void __cudaRegisterFatBinaryEnd (void **handle);
void __cudaUnregisterFatBinary (void **handle);
void __cudaRegisterFunction (void **handle, const void *stub, char *device, const char *name, int limit,
    void *thread, void *block, void *block_dim, void *grid_dim, int *warps);
void __cudaRegisterVar (void **handle, char *host, char *device, const char *name, int ext, size_t bytes,
    int constant, int global);
char __cudaInitModule (void **handle);
unsigned __cudaPushCallConfiguration (Extent grid, Extent block, size_t shared_bytes, void *stream);
int __cudaPopCallConfiguration (Extent *grid, Extent *block, size_t *shared_bytes, void *stream);
int __cudaGetKernel (void **kernel, const void *stub);
int __cudaLaunchKernel (
    void *kernel, Extent grid, Extent block, void **arguments, size_t shared_bytes, void *stream);
int cudaLaunchKernel (
    const void *stub, Extent grid, Extent block, void **arguments, size_t shared_bytes, void *stream);
int cudaLaunchKernelExC (const RuntimeConfig *config, const void *stub, void **arguments);
int cudaFuncSetAttribute (const void *stub, int attribute, int value);
int cudaMalloc (void **address, size_t bytes);
int cudaFree (void *address);
int cudaMemcpy (void *to, const void *from, size_t bytes, int kind);
int cudaMemcpyAsync (void *to, const void *from, size_t bytes, int kind, void *stream);
int cudaMemset (void *address, int byte, size_t bytes);
int cudaMemsetAsync (void *address, int byte, size_t bytes, void *stream);
int cudaDeviceSynchronize (void);
int cudaStreamSynchronize (void *stream);
int cudaStreamCreate (void **stream);
int cudaStreamDestroy (void *stream);
int cudaEventCreate (void **event);
int cudaEventRecord (void *event, void *stream);
int cudaEventSynchronize (void *event);
int cudaEventElapsedTime (float *milliseconds, void *first, void *second);
int cudaEventElapsedTime_v2 (float *milliseconds, void *first, void *second);
int cudaEventDestroy (void *event);
int cudaGetLastError (void);
int cudaPeekAtLastError (void);
const char *cudaGetErrorString (int status);
const char *cudaGetErrorName (int status);
int cudaGetDevice (int *device);
int cudaSetDevice (int device);
int cudaGetDeviceCount (int *count);
int cudaDeviceGetAttribute (int *value, int attribute, int device);
int cudaGetDriverEntryPoint (const char *name, void **function, unsigned long long flags, int *found);
int cudaGetDriverEntryPointByVersion (
    const char *name, void **function, unsigned version, unsigned long long flags, int *found);

/* --- what nvcc writes into a program --- */

void **
__cudaRegisterFatBinary (void *data)
{
  struct
  {
    int magic, version;
    const void *image;
  } wrapper;
  void **handle = g_new0 (void *, 1);

  start ();
  memcpy (&wrapper, data, sizeof wrapper);
  if (wrapper.magic == WRAPPER_MAGIC)
    note (cuModuleLoadData (handle, wrapper.image));
  return handle;
}

void
__cudaRegisterFatBinaryEnd (void **handle)
{
}

void
__cudaUnregisterFatBinary (void **handle)
{
  g_clear_pointer (handle, cuModuleUnload);
  g_free (handle);
}

void
__cudaRegisterFunction (void **handle, const void *stub, char *device, const char *name, int limit,
    void *thread, void *block, void *block_dim, void *grid_dim, int *warps)
{
  Kernel *kernel = g_new0 (Kernel, 1);

  kernel->module = *handle;
  kernel->name = name;
  g_hash_table_insert (kernels, (gpointer) stub, kernel);
}

/* Variables on the device are what the PTX says; hosts do not reach them here. */
void
__cudaRegisterVar (void **handle, char *host, char *device, const char *name, int ext, size_t bytes,
    int constant, int global)
{
}

char
__cudaInitModule (void **handle)
{
  return 1;
}

unsigned
__cudaPushCallConfiguration (Extent grid, Extent block, size_t shared_bytes, void *stream)
{
  if (n_pushed == G_N_ELEMENTS (pushed))
    return 1;
  pushed[n_pushed++] = (Configuration){ grid, block, shared_bytes, stream };
  return 0;
}

int
__cudaPopCallConfiguration (Extent *grid, Extent *block, size_t *shared_bytes, void *stream)
{
  const Configuration *top = &pushed[--n_pushed];

  *grid = top->grid;
  *block = top->block;
  *shared_bytes = top->shared_bytes;
  memcpy (stream, &top->stream, sizeof top->stream);
  return DONE;
}

/* --- kernels --- */

static Kernel *
find_kernel (const void *stub)
{
  Kernel *kernel = kernels != NULL ? g_hash_table_lookup (kernels, stub) : NULL;

  if (kernel == NULL || kernel->module == NULL)
    return NULL;
  if (kernel->function == NULL
      && cuModuleGetFunction (&kernel->function, kernel->module, kernel->name) != DONE)
    return NULL;
  return kernel;
}

static int
launch (const Kernel *kernel, Extent grid, Extent block, void **arguments, size_t shared_bytes, void *stream)
{
  if (kernel == NULL)
    return note (WRONG_FUNCTION);
  return note (cuLaunchKernel (kernel->function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
      (unsigned) shared_bytes, stream, arguments, NULL));
}

int
__cudaGetKernel (void **kernel, const void *stub)
{
  *kernel = find_kernel (stub);
  return note (*kernel != NULL ? DONE : WRONG_FUNCTION);
}

int
__cudaLaunchKernel (
    void *kernel, Extent grid, Extent block, void **arguments, size_t shared_bytes, void *stream)
{
  return launch (kernel, grid, block, arguments, shared_bytes, stream);
}

int
cudaLaunchKernel (
    const void *stub, Extent grid, Extent block, void **arguments, size_t shared_bytes, void *stream)
{
  return launch (find_kernel (stub), grid, block, arguments, shared_bytes, stream);
}

int
cudaLaunchKernelExC (const RuntimeConfig *config, const void *stub, void **arguments)
{
  const Kernel *kernel = find_kernel (stub);
  const LaunchConfig given = { .grid = { config->grid.x, config->grid.y, config->grid.z },
    .block = { config->block.x, config->block.y, config->block.z },
    .shared_bytes = (unsigned) config->shared_bytes,
    .stream = config->stream,
    .attributes = config->attributes,
    .n_attributes = config->n_attributes };

  return note (
      kernel != NULL ? cuLaunchKernelEx (&given, kernel->function, arguments, NULL) : WRONG_FUNCTION);
}

int
cudaFuncSetAttribute (const void *stub, int attribute, int value)
{
  const Kernel *kernel = find_kernel (stub);

  if (kernel == NULL)
    return note (WRONG_FUNCTION);
  return note (cuFuncSetAttribute (kernel->function, attribute, value));
}

/* --- memory --- */

int
cudaMalloc (void **address, size_t bytes)
{
  guint64 made = 0;
  int status;

  start ();
  status = cuMemAlloc_v2 (&made, bytes);
  *address = (void *) (gsize) made;
  return note (status);
}

int
cudaFree (void *address)
{
  return address == NULL ? DONE : note (cuMemFree_v2 ((gsize) address));
}

static int
copy_on_device (void *to, const void *from, size_t bytes)
{
  g_autofree void *between = g_malloc (MAX (bytes, 1));
  int status = cuMemcpyDtoH_v2 (between, (gsize) from, bytes);

  return status != DONE ? status : cuMemcpyHtoD_v2 ((gsize) to, between, bytes);
}

/* Whether simulated memory lies there: below all that a program of the host has, and above what it never gets. */
static gboolean
is_on_device (const void *address)
{
  return (gsize) address >= G_GUINT64_CONSTANT (1) << 32 && (gsize) address < G_GUINT64_CONSTANT (1) << 44;
}

int
cudaMemcpy (void *to, const void *from, size_t bytes, int kind)
{
  start ();
  if (kind == COPY_AS_IT_LIES)
    kind = is_on_device (to) ? (is_on_device (from) ? COPY_ON_DEVICE : COPY_TO_DEVICE)
                             : (is_on_device (from) ? COPY_FROM_DEVICE : 0);
  if (kind == COPY_TO_DEVICE)
    return note (cuMemcpyHtoD_v2 ((gsize) to, from, bytes));
  if (kind == COPY_FROM_DEVICE)
    return note (cuMemcpyDtoH_v2 (to, (gsize) from, bytes));
  if (kind == COPY_ON_DEVICE)
    return note (copy_on_device (to, from, bytes));
  memmove (to, from, bytes);
  return DONE;
}

int
cudaMemcpyAsync (void *to, const void *from, size_t bytes, int kind, void *stream)
{
  return cudaMemcpy (to, from, bytes, kind);
}

int
cudaMemset (void *address, int byte, size_t bytes)
{
  return note (cuMemsetD8_v2 ((gsize) address, (unsigned char) byte, bytes));
}

int
cudaMemsetAsync (void *address, int byte, size_t bytes, void *stream)
{
  return cudaMemset (address, byte, bytes);
}

/* --- streams, events and errors --- */

int
cudaDeviceSynchronize (void)
{
  return note (cuCtxSynchronize ());
}

int
cudaStreamSynchronize (void *stream)
{
  return cudaDeviceSynchronize ();
}

int
cudaStreamCreate (void **stream)
{
  *stream = g_new0 (int, 1);
  return DONE;
}

int
cudaStreamDestroy (void *stream)
{
  g_free (stream);
  return DONE;
}

int
cudaEventCreate (void **event)
{
  return note (cuEventCreate (event, 0));
}

int
cudaEventRecord (void *event, void *stream)
{
  return note (cuEventRecord (event, stream));
}

int
cudaEventSynchronize (void *event)
{
  return cudaDeviceSynchronize ();
}

int
cudaEventElapsedTime (float *milliseconds, void *first, void *second)
{
  return note (cuEventElapsedTime (milliseconds, first, second));
}

int
cudaEventElapsedTime_v2 (float *milliseconds, void *first, void *second)
{
  return cudaEventElapsedTime (milliseconds, first, second);
}

int
cudaEventDestroy (void *event)
{
  return note (cuEventDestroy_v2 (event));
}

int
cudaGetLastError (void)
{
  int status = last;

  last = DONE;
  return status;
}

int
cudaPeekAtLastError (void)
{
  return last;
}

const char *
cudaGetErrorString (int status)
{
  const char *text = "no error";

  if (status != DONE)
    cuGetErrorString (status, &text);
  return text;
}

const char *
cudaGetErrorName (int status)
{
  return cudaGetErrorString (status);
}

/* --- the device --- */

int
cudaGetDevice (int *device)
{
  *device = 0;
  return DONE;
}

int
cudaSetDevice (int device)
{
  return note (device == 0 ? DONE : WRONG_VALUE);
}

int
cudaGetDeviceCount (int *count)
{
  return note (cuDeviceGetCount (count));
}

int
cudaDeviceGetAttribute (int *value, int attribute, int device)
{
  return note (cuDeviceGetAttribute (value, attribute, device));
}

int
cudaGetDriverEntryPoint (const char *name, void **function, unsigned long long flags, int *found)
{
  const gboolean known = g_str_equal (name, "cuTensorMapEncodeTiled");

  *function = known ? (void *) cuTensorMapEncodeTiled : NULL;
  if (found != NULL)
    *found = known ? SYMBOL_FOUND : SYMBOL_NOT_FOUND;
  return DONE;
}

int
cudaGetDriverEntryPointByVersion (
    const char *name, void **function, unsigned version, unsigned long long flags, int *found)
{
  return cudaGetDriverEntryPoint (name, function, flags, found);
}
