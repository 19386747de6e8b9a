/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "target.h"

#include <string.h>

#include "codegen/ptx/launch.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"
#include "codegen/ptx/ptx.h"

#define MOST_PARAMETERS 16
#define MOST_PARAMETER_BYTES 256
#define BUFFER_BYTES 8192

typedef struct
{
  guint8 bytes[MOST_PARAMETERS][MOST_PARAMETER_BYTES];
  HeddlePtxArgument arguments[MOST_PARAMETERS];
} Arguments;

/* A buffer for each parameter of 8 bytes, 5 for each other. FALSE: it takes others than our kernels do. */
static gboolean
make_arguments (
    const HeddlePtxModule *module, const char *kernel, HeddlePtxMemory *memory, guint n, Arguments *self)
{
  static guint8 buffer[BUFFER_BYTES];

  memset (buffer, 0x3c, sizeof buffer);
  for (guint i = 0; i < n; i++)
    {
      HeddlePtxParameter parameter;
      guint64 value = 5;

      if (!heddle_ptx_module_get_parameter (module, kernel, i, &parameter)
          || parameter.size > MOST_PARAMETER_BYTES)
        return FALSE;
      if (parameter.size == 8)
        {
          value = heddle_ptx_memory_allocate (memory, "buffer", sizeof buffer, NULL);
          heddle_ptx_memory_write (memory, value, buffer, sizeof buffer, NULL);
        }
      memcpy (self->bytes[i], &value, sizeof value);
      self->arguments[i] = (HeddlePtxArgument){ self->bytes[i], parameter.size };
    }
  return TRUE;
}

static void
launch (const HeddlePtxModule *module, const char *kernel)
{
  const HeddlePtxLaunch how = { .grid = { 2, 1, 1 },
    .block = { 64, 1, 1 },
    .dynamic_shared_bytes = 4096,
    .seed = 3,
    .max_instructions = 40000,
    .completion = HEDDLE_PTX_DRAWN,
    .check_races = TRUE };
  const guint n = heddle_ptx_module_get_n_parameters (module, kernel);
  g_autoptr (HeddlePtxMemory) memory = heddle_ptx_memory_new ();
  Arguments arguments = { 0 };
  HeddlePtxStats stats;

  if (n <= MOST_PARAMETERS && make_arguments (module, kernel, memory, n, &arguments))
    heddle_ptx_launch (module, kernel, memory, &how, arguments.arguments, n, NULL, &stats, NULL);
}

static void
run_ptx (const char *data, gsize length, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePtxModule) module = heddle_ptx_module_new (data, (gssize) length, &error);
  guint n = module != NULL ? heddle_ptx_module_get_n_kernels (module) : 0;

  if (module == NULL && error == NULL)
    target_fail ("PTX that is refused comes with a reason", data, NULL);
  for (guint i = 0; i < MIN (n, 3u); i++)
    {
      const char *kernel = heddle_ptx_module_get_kernel (module, i);

      if (heddle_ptx_module_has_kernel (module, kernel))
        launch (module, kernel);
    }
}

const FuzzTarget targets_ptx[] = {
  { "ptx", NULL, run_ptx },
  { 0 },
};
