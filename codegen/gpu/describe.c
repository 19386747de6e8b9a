/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/base/codegen.h"
#include "codegen/gpu/describe.h"
#include "codegen/gpu/gpu.h"
#include "diagram/base/dtype.h"

/* The GPU of this machine as its driver describes it. */

/* The attributes of CUdevice_attribute, in NVIDIA's cuda.h. */
enum
{
  MAX_THREADS_PER_BLOCK = 1,
  WARP_SIZE = 10,
  CLOCK_KHZ = 13,
  PROCESSORS = 16,
  MEMORY_CLOCK_KHZ = 36,
  MEMORY_BUS_BITS = 37,
  CACHE_BYTES = 38,
  MAX_THREADS_PER_SM = 39,
  MAJOR = 75,
  MINOR = 76,
  SHARED_BYTES_PER_SM = 81,
  REGISTERS_PER_SM = 82,
  SHARED_BYTES_PER_BLOCK = 97,
  MAX_BLOCKS_PER_SM = 106,
  RESERVED_SHARED_BYTES = 111,
};

/* The operations that an SM does in a clock, by compute capability, from NVIDIA's CUDA C++ Programming Guide
 * (arithmetic instructions) and whitepapers: two FLOPs of each fp32 lane, and FLOPs of its tensor cores on
 * 16-bit operands. Kernels are chosen by these until rates are measured. */
static const struct
{
  int version;
  const char *arch;
  double fp32, tensor;
} generations[] = {
  { 80, "sm_80", 128., 2048. },
  { 86, "sm_86", 256., 1024. },
  { 87, "sm_86", 256., 1024. },
  { 89, "sm_89", 256., 1024. },
  { 90, "sm_90a", 256., 4096. },
  { 100, "sm_100a", 256., 8192. },
  { 120, "sm_120", 256., 1024. },
};

/* The unit in which registers are given to warps (CUDA occupancy calculator: all since compute capability
 * 3.0). */
#define REGISTER_GRANULARITY 256
#define SPECIAL_PER_CLOCK 16. /* all of them (Programming Guide, arithmetic instructions) */
#define SHARED_BYTES_PER_CLOCK 128. /* 32 banks of 4 bytes */
#define CACHE_TO_DRAM 2. /* an L2 is some such times as fast as its DRAM */

/* Finds the generation of a GPU. Code of an architecture with a letter runs on that one alone; code of
 * another one also on later ones. */
static gboolean
find_generation (HeddleMachine *machine, int version, double *fp32, double *tensor)
{
  gboolean found = FALSE;

  for (gsize i = 0; i < G_N_ELEMENTS (generations); i++)
    {
      gboolean alone = g_str_has_suffix (generations[i].arch, "a");

      if (alone ? generations[i].version != version : generations[i].version > version)
        continue;
      g_free (machine->arch);
      machine->arch = g_strdup (generations[i].arch);
      *fp32 = generations[i].fp32;
      *tensor = generations[i].tensor;
      found = TRUE;
    }
  return found;
}

typedef struct
{
  const HeddleGpu *gpu;
  GError **error;
  gboolean failed;
} Asker;

static int
ask (Asker *self, int attribute)
{
  int value = 0;

  if (!self->failed && !heddle_gpu_ask (self->gpu, attribute, &value, self->error))
    self->failed = TRUE;
  return value;
}

static HeddleLevel *
add_level (HeddleMachine *self, const char *name, const char *title, guint count, gint64 capacity)
{
  HeddleLevel *level = heddle_level_new (name);

  level->title = g_strdup (title);
  level->parent = (int) self->levels->len - 1;
  level->count = count;
  level->capacity_bytes = level->total_bytes = capacity;
  g_ptr_array_add (self->levels, level);
  return level;
}

static void
add_levels (HeddleMachine *self, Asker *asker, gsize bytes)
{
  HeddleLevel *gmem = add_level (self, "gmem", "GMEM", 1, (gint64) bytes), *l2, *smem;

  /* two words a clock of a memory with double data rate */
  gmem->bandwidth = 2. * 1e3 * ask (asker, MEMORY_CLOCK_KHZ) * ask (asker, MEMORY_BUS_BITS) / 8.;
  l2 = add_level (self, "l2", "L2", 1, ask (asker, CACHE_BYTES));
  l2->bandwidth = CACHE_TO_DRAM * gmem->bandwidth;
  l2->cache = TRUE;
  smem = add_level (self, "smem", "SMEM", self->sms, ask (asker, SHARED_BYTES_PER_BLOCK));
  smem->total_bytes = ask (asker, SHARED_BYTES_PER_SM);
  smem->bandwidth = SHARED_BYTES_PER_CLOCK * self->sms * self->clock;
  smem->labels = TRUE;
  add_level (self, "registers", "Registers", self->sms, 4 * (gint64) ask (asker, REGISTERS_PER_SM))->labels
      = TRUE;
}

/* Returns a GPU's name in the form that a machine's name may have, as "nvidia-h100-80gb-hbm3". */
static char *
name_of (const char *title)
{
  GString *name = g_string_new (NULL);

  for (const char *p = title; *p != '\0'; p++)
    if (g_ascii_isalnum (*p))
      g_string_append_c (name, g_ascii_tolower (*p));
    else if (name->len > 0 && name->str[name->len - 1] != '-')
      g_string_append_c (name, '-');
  if (name->len > 0 && name->str[name->len - 1] == '-')
    g_string_truncate (name, name->len - 1);
  return g_string_free (name, FALSE);
}

static gboolean
describe (HeddleMachine *self, Asker *asker, gsize bytes)
{
  const char *title = heddle_gpu_get_name (asker->gpu);
  int version = ask (asker, MAJOR) * 10 + ask (asker, MINOR);
  double fp32 = 0., tensor = 0.;

  self->name = name_of (title);
  self->title = g_strdup (title);
  self->source = g_strdup_printf (_ ("what its driver says of %s"), title);
  self->sms = (guint) ask (asker, PROCESSORS);
  self->clock = 1e3 * ask (asker, CLOCK_KHZ);
  self->max_threads_per_block = (guint) ask (asker, MAX_THREADS_PER_BLOCK);
  self->max_threads_per_sm = (guint) ask (asker, MAX_THREADS_PER_SM);
  self->max_blocks_per_sm = (guint) ask (asker, MAX_BLOCKS_PER_SM);
  self->warp_size = (guint) ask (asker, WARP_SIZE);
  self->register_granularity = REGISTER_GRANULARITY;
  self->reserved_shared_bytes = ask (asker, RESERVED_SHARED_BYTES);
  self->special_per_clock = SPECIAL_PER_CLOCK;
  add_levels (self, asker, bytes);
  if (!asker->failed && !find_generation (self, version, &fp32, &tensor))
    {
      g_set_error (asker->error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
          _ ("%s is an sm_%d GPU, and kernels are made for sm_80 and newer"), title, version);
      asker->failed = TRUE;
    }
  self->fp32_flops = fp32 * self->sms * self->clock;
  self->tensor_flops[HEDDLE_DTYPE_F16] = self->tensor_flops[HEDDLE_DTYPE_BF16]
      = tensor * self->sms * self->clock;
  return !asker->failed;
}

HeddleMachine *
heddle_gpu_describe (char **driver, gsize *free_bytes, GError **error)
{
  g_autoptr (HeddleGpu) gpu = heddle_gpu_open (error);
  g_autoptr (HeddleMachine) self = heddle_machine_new ();
  Asker asker = { gpu, error, FALSE };
  gsize bytes;

  if (gpu == NULL || !heddle_gpu_ask_memory (gpu, free_bytes, &bytes, error)
      || !describe (self, &asker, bytes))
    return NULL;
  *driver = g_strdup_printf (
      "CUDA %d.%d", heddle_gpu_get_driver (gpu) / 1000, heddle_gpu_get_driver (gpu) % 1000 / 10);
  return g_steal_pointer (&self);
}
