/* SPDX-License-Identifier: MIT */
/* Stands in for NVIDIA's driver: a GPU whose memory is simulated and whose kernels are interpreted. It is newer than any, so that it gets
 * PTX and not code; where it gets code alone, the PTX of the same kernels is the file $STAND_IN_PTX. What is wrong with a launch comes out when it
 * is waited for, as on a GPU.
 *
 * $STAND_IN_ARCH: its compute capability, as 90; $STAND_IN_COMPLETION: late, early or drawn; $STAND_IN_SEED; $STAND_IN_RACES: whether races are told. */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "codegen/ptx/launch.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/instructions/tensor-map.h"

#define MOST_ARGUMENTS 64

typedef struct
{
  HeddlePtxModule *module;
  char *entry;
  int shared_bytes;
} Function;

static HeddlePtxMemory *memory;
static char *fault;
static char *refusal; /* of the image at last */
static GPtrArray *functions; /* of Function */
static guint users; /* of the context */
static guint64 clock_ticks; /* instructions run so far */

static void
function_free (gpointer data)
{
  g_free (((Function *) data)->entry);
  g_free (data);
}

/* More dynamic shared memory than this is to be asked for. */
#define SHARED_BY_DEFAULT (48 * 1024)
#define ARCHITECTURE 75
#define ARCHITECTURE_MINOR 76

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
  *text = status == LAUNCH_FAILED && fault != NULL   ? fault
          : status == WRONG_IMAGE && refusal != NULL ? refusal
                                                     : "the stand-in says no";
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
  const char *arch = g_getenv ("STAND_IN_ARCH");

  if (arch != NULL && (attribute == ARCHITECTURE || attribute == ARCHITECTURE_MINOR))
    {
      *value = attribute == ARCHITECTURE ? atoi (arch) / 10 : atoi (arch) % 10;
      return DONE;
    }
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
  if (users++ == 0)
    {
      memory = heddle_ptx_memory_new ();
      functions = g_ptr_array_new_with_free_func (function_free);
    }
  *context = memory;
  return DONE;
}

int
cuDevicePrimaryCtxRelease_v2 (int device)
{
  if (--users > 0)
    return DONE;
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
cuCtxPushCurrent_v2 (void *context)
{
  return cuCtxSetCurrent (context);
}

int
cuCtxPopCurrent_v2 (void **context)
{
  *context = memory;
  return DONE;
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

/* Parts of a fat binary, as cuobjdump lists them: from the head of each on. */
typedef struct
{
  guint32 magic;
  guint16 version, head_bytes;
  guint64 bytes;
} FatHead;

typedef struct
{
  guint16 kind, version;
  guint32 head_bytes;
  guint64 bytes;
} FatPart;

#define FAT_MAGIC 0xba55ed50
#define FAT_PTX 1

/* The PTX among the parts, which are not compressed; the last of several. */
static const char *
find_ptx (const void *image)
{
  const guint8 *at = image, *end;
  const char *found = NULL;
  FatHead head;
  FatPart part;

  memcpy (&head, at, sizeof head);
  if (head.magic != FAT_MAGIC)
    return NULL;
  end = at + head.head_bytes + head.bytes;
  for (at += head.head_bytes; at + sizeof part <= end; at += part.head_bytes + part.bytes)
    {
      memcpy (&part, at, sizeof part);
      if (part.kind == FAT_PTX)
        found = (const char *) at + part.head_bytes;
    }
  return found;
}

int
cuModuleLoadData (void **module, const void *image)
{
  const char *text = memcmp (image,
                         "\x7f"
                         "ELF",
                         4) == 0
                         ? NULL
                         : image,
             *given = g_getenv ("STAND_IN_PTX");
  g_autofree char *file = NULL;
  g_autoptr (GError) error = NULL;
  guint32 magic;

  memcpy (&magic, image, sizeof magic);
  if (magic == FAT_MAGIC)
    text = find_ptx (image);
  if (text == NULL && given != NULL && g_file_get_contents (given, &file, NULL, &error))
    text = file;
  *module = text != NULL ? heddle_ptx_module_new (text, -1, &error) : NULL;
  g_free (refusal);
  refusal = g_strdup (error != NULL ? error->message : "there is no PTX in the image, and no $STAND_IN_PTX");
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
  made->shared_bytes = SHARED_BY_DEFAULT;
  *function = made;
  return DONE;
}

#define MOST_SHARED 8
#define MORE_BLOCKS_OF_A_CLUSTER 14

int
cuFuncSetAttribute (void *function, int attribute, int value)
{
  if (attribute == MORE_BLOCKS_OF_A_CLUSTER)
    return DONE;
  if (attribute != MOST_SHARED || value < 0 || value > 227 * 1024)
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

static HeddlePtxCompletion
completion (void)
{
  const char *name = g_getenv ("STAND_IN_COMPLETION");

  return g_strcmp0 (name, "early") == 0   ? HEDDLE_PTX_EARLY
         : g_strcmp0 (name, "drawn") == 0 ? HEDDLE_PTX_DRAWN
                                          : HEDDLE_PTX_LATE;
}

/* Blocks of a cluster along x, y, z, where an attribute says it. */
#define CLUSTER_DIMENSION 4

static const unsigned *
find_cluster (const LaunchConfig *config)
{
  for (unsigned i = 0; i < config->n_attributes; i++)
    if (config->attributes[i].id == CLUSTER_DIMENSION)
      return config->attributes[i].values;
  return NULL;
}

static void
run (const Function *self, const HeddlePtxLaunch *config, void **arguments, guint n)
{
  HeddlePtxArgument given[MOST_ARGUMENTS];
  HeddlePtxStats stats = { 0 };
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    {
      HeddlePtxParameter parameter;

      heddle_ptx_module_get_parameter (self->module, self->entry, i, &parameter);
      given[i] = (HeddlePtxArgument){ arguments[i], parameter.size };
    }
  if (!heddle_ptx_launch (self->module, self->entry, memory, config, given, n, NULL, &stats, &error)
      && fault == NULL)
    fault = g_strdup (error->message);
  clock_ticks += ticks_of (&stats);
}

int
cuLaunchKernelEx (const LaunchConfig *config, void *function, void **arguments, void **extra)
{
  const Function *self = function;
  const unsigned *cluster = find_cluster (config);
  HeddlePtxLaunch launch = { .dynamic_shared_bytes = config->shared_bytes,
    .seed = g_getenv ("STAND_IN_SEED") != NULL ? g_ascii_strtoull (g_getenv ("STAND_IN_SEED"), NULL, 10) : 0,
    .completion = completion (),
    .check_races = g_getenv ("STAND_IN_RACES") != NULL };
  guint n = heddle_ptx_module_get_n_parameters (self->module, self->entry);

  if ((int) config->shared_bytes > self->shared_bytes || n > MOST_ARGUMENTS)
    return WRONG_VALUE;
  for (guint i = 0; i < 3; i++)
    {
      launch.grid[i] = config->grid[i];
      launch.block[i] = config->block[i];
      launch.cluster[i] = cluster != NULL ? cluster[i] : 0;
    }
  run (self, &launch, arguments, n);
  return DONE;
}

int
cuLaunchKernel (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
    unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **arguments, void **extra)
{
  const LaunchConfig config = { .grid = { grid_x, grid_y, grid_z },
    .block = { block_x, block_y, block_z },
    .shared_bytes = shared_bytes,
    .stream = stream };

  return cuLaunchKernelEx (&config, function, arguments, extra);
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

/* The arguments of the driver's own function. Of all that it can make, what the interpreter knows; the rest is refused. */
int
cuTensorMapEncodeTiled (void *bytes, int type, guint32 rank, void *array, const guint64 *sizes,
    const guint64 *strides, const guint32 *box, const guint32 *steps, int interleave, int swizzle,
    int promotion, int fill)
{
  static const guint8 element_bytes[] = { 1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4 },
                      swizzles[] = { 0, 32, 64, 128 };
  HeddlePtxTensorMap map = { .address = (guint64) array, .type = (guint8) type, .rank = (guint8) rank };

  if (type < 0 || type >= (int) G_N_ELEMENTS (element_bytes) || rank < 1 || rank > HEDDLE_PTX_TENSOR_MAP_RANK
      || interleave != 0 || swizzle < 0 || swizzle > 3 || fill != 0 || (gsize) bytes % 64 != 0)
    return WRONG_VALUE;
  map.element_bytes = element_bytes[type];
  map.swizzle = swizzles[swizzle];
  for (guint i = 0; i < rank; i++)
    {
      if (steps[i] != 1 || box[i] > 256)
        return WRONG_VALUE;
      map.sizes[i] = sizes[i];
      map.box[i] = (guint16) box[i];
      if (i + 1 < rank)
        map.strides[i] = strides[i];
    }
  return heddle_ptx_tensor_map_encode (&map, bytes, NULL) ? DONE : WRONG_VALUE;
}
