/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "codegen/compile/compile.h"
#include "codegen/gpu/gpu.h"
#include "codegen/ptx/ptx.h"
#include "codegen/verify/bench.h"
#include "codegen/verify/inputs.h"
#include "codegen/verify/launch.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/program/loop-program.h"
#include "diagram/analysis/reindex.h"
#include "diagram/analysis/sign.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype-bytes.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* The number of launches before those that are timed. */
#define WARM_UP 3
/* The number of elements that are drawn; longer arrays repeat them. */
#define DRAWN (1 << 20)
#define MOST_SETS 64

/* A kernel as it is launched again and again. */
typedef struct
{
  const HeddleKernelText *text;
  HeddleSizes *sizes; /* of its own axes */
  HeddleGpuKernel *kernel;
  guint blocks;
  guint64 *values; /* its arguments, those of each set after those of the one before */
  guint8 *maps; /* then tensor maps, likewise */
  guint row; /* index of the kernel of the derivation that it belongs to */
} Step;

typedef struct
{
  const HeddlePlan *plan;
  HeddleGpu *gpu;
  GPtrArray *steps; /* of Step */
  GRand *random;
  guint sets;
  GCancellable *cancellable;
} Run;

static void
step_free (Step *self)
{
  heddle_gpu_kernel_free (self->kernel);
  heddle_sizes_unref (self->sizes);
  g_free (self->values);
  g_aligned_free (self->maps);
  g_free (self);
}

static void
run_clear (Run *self)
{
  g_ptr_array_unref (self->steps);
  g_rand_free (self->random);
  heddle_gpu_close (self->gpu);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

/* --- what they run on ---------------------------------------------------------------- */

static gsize
bytes_of (const Step *step, const HeddleKernelParameter *parameter)
{
  const HeddleValue *value = heddle_diagram_get_value (step->text->program->diagram, parameter->value);

  return heddle_sizes_elements (step->sizes, value) * heddle_dtype_bytes (parameter->dtype);
}

/* Draws a normal value by Box and Muller, or its absolute value if @signs are not wanted; a whole number
 * below @limit if that is not 0. */
static double
draw (GRand *random, gint64 limit, double scale, gboolean signs)
{
  double u = 1 - g_rand_double (random), v = g_rand_double (random);
  double normal = scale * sqrt (-2 * log (u)) * cos (2 * G_PI * v);

  if (limit > 0)
    return floor (v * limit);
  return signs ? normal : fabs (normal);
}

static gboolean
fill (Run *self, const Step *step, const HeddleKernelParameter *parameter, guint64 address, GError **error)
{
  const HeddlePlan *plan = self->plan;
  const HeddleValue *value = heddle_diagram_get_value (plan->diagram, parameter->value);
  gint64 limit = heddle_reindex_limit (plan->diagram, plan->sizes, value->id);
  double scale = heddle_verify_scale (plan->diagram, plan->sizes, value);
  gboolean signs = !heddle_diagram_needs_no_sign (plan->diagram, value->id);
  gsize bytes = bytes_of (step, parameter), size = heddle_dtype_bytes (parameter->dtype);
  gsize chunk = MIN (bytes, DRAWN * size);
  g_autofree char *drawn = g_malloc (MAX (chunk, 1));
  gboolean good = TRUE;

  for (gsize i = 0; i < chunk; i += size)
    heddle_dtype_encode (parameter->dtype, draw (self->random, limit, scale, signs), drawn + i);
  for (gsize at = 0; good && at < bytes; at += chunk)
    good = heddle_gpu_write (self->gpu, address + at, drawn, MIN (chunk, bytes - at), error);
  return good;
}

/* Finds the address of the parameter's array in one set; each value has one, whichever kernels have it. */
static gboolean
place (Run *self, Step *step, guint k, GHashTable *addresses, guint64 *address, GError **error)
{
  const HeddleKernelParameter *parameter = g_ptr_array_index (step->text->parameters, k);
  const guint64 *known;

  if (parameter->axis != NULL)
    {
      *address = heddle_sizes_get (step->sizes, parameter->axis);
      return TRUE;
    }
  known = g_hash_table_lookup (addresses, parameter->value);
  if (known != NULL)
    {
      *address = *known;
      return TRUE;
    }
  *address = heddle_gpu_allocate (self->gpu, bytes_of (step, parameter), error);
  if (*address == 0 || (!parameter->output && !fill (self, step, parameter, *address, error)))
    return FALSE;
  g_hash_table_insert (addresses, (gpointer) parameter->value, g_memdup2 (address, sizeof *address));
  return TRUE;
}

static gboolean
make_maps (Run *self, Step *step, guint set, GHashTable *addresses, GError **error)
{
  const GPtrArray *maps = step->text->maps;

  for (guint k = 0; k < maps->len; k++)
    {
      const HeddleKernelMap *map = g_ptr_array_index (maps, k);
      const guint64 *address = g_hash_table_lookup (addresses, map->value);
      HeddlePtxTensorMap description;

      if (heddle_kernel_map_describe (map, step->sizes, *address, &description)
          && !heddle_gpu_make_map (self->gpu, &description,
              step->maps + (set * maps->len + k) * HEDDLE_PTX_TENSOR_MAP_BYTES, error))
        return FALSE;
    }
  return TRUE;
}

/* Allocates one set of all arrays. */
static gboolean
place_set (Run *self, guint set, GError **error)
{
  g_autoptr (GHashTable) addresses = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  for (guint i = 0; i < self->steps->len; i++)
    {
      Step *step = g_ptr_array_index (self->steps, i);
      guint n = step->text->parameters->len;

      for (guint k = 0; k < n; k++)
        if (!place (self, step, k, addresses, &step->values[set * n + k], error))
          return FALSE;
      if (!make_maps (self, step, set, addresses, error))
        return FALSE;
    }
  return TRUE;
}

/* Returns the number of sets: so many that a set has left the L2 when it is its turn again. */
static guint
count_sets (const Run *self)
{
  g_autoptr (GHashTable) counted = g_hash_table_new (g_str_hash, g_str_equal);
  double bytes = 1;

  for (guint i = 0; i < self->steps->len; i++)
    {
      const Step *step = g_ptr_array_index (self->steps, i);

      for (guint k = 0; k < step->text->parameters->len; k++)
        {
          const HeddleKernelParameter *parameter = g_ptr_array_index (step->text->parameters, k);

          if (parameter->value != NULL && g_hash_table_add (counted, (gpointer) parameter->value))
            bytes += bytes_of (step, parameter);
        }
    }
  return (guint) CLAMP (ceil (2. * heddle_gpu_get_cache_bytes (self->gpu) / bytes) + 1, 1, MOST_SETS);
}

/* --- the kernels --------------------------------------------------------------------- */

static gboolean
add_step (Run *self, const HeddleKernelText *text, guint row, GError **error)
{
  g_autoptr (HeddleCompilation) compilation = heddle_compile (text, self->cancellable, error);
  Step *step;

  if (compilation == NULL)
    return FALSE;
  step = g_new0 (Step, 1);
  step->text = text;
  step->row = row;
  step->sizes = heddle_loop_program_own_sizes (text->program, self->plan->sizes);
  step->blocks = heddle_kernel_text_blocks (text, step->sizes);
  step->values = g_new0 (guint64, MAX (1, text->parameters->len * MOST_SETS));
  step->maps = heddle_kernel_maps_new (text, MOST_SETS);
  g_ptr_array_add (self->steps, step);
  step->kernel = heddle_gpu_load (self->gpu, text, compilation, error);
  return step->kernel != NULL;
}

static gboolean
add_steps (Run *self, GError **error)
{
  const GPtrArray *kernels = self->plan->derivation->kernels;

  for (guint row = 0; row < kernels->len; row++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (kernels, row);

      for (guint i = 0; i < self->plan->texts->len; i++)
        {
          const HeddleKernelText *text = g_ptr_array_index (self->plan->texts, i);

          if ((text->program == kernel->program || text->program == kernel->program->combine)
              && !add_step (self, text, row, error))
            return FALSE;
        }
    }
  return TRUE;
}

static gboolean
launch_step (Run *self, const Step *step, guint set, GError **error)
{
  guint n = step->text->parameters->len, n_maps = step->text->maps->len;
  g_autofree void **arguments = g_new (void *, MAX (n + n_maps, 1));

  for (guint k = 0; k < n; k++)
    arguments[k] = &step->values[set * n + k];
  for (guint k = 0; k < n_maps; k++)
    arguments[n + k] = step->maps + (set * n_maps + k) * HEDDLE_PTX_TENSOR_MAP_BYTES;
  return heddle_gpu_launch (self->gpu, step->kernel, step->blocks, arguments, error);
}

/* Launches all kernels once, with a mark before each row and after the last, from number @first on. */
static gboolean
launch_all (Run *self, guint set, guint first, GError **error)
{
  guint mark = first;

  for (guint i = 0; i < self->steps->len; i++)
    {
      const Step *step = g_ptr_array_index (self->steps, i);

      if (step->row == mark - first && !heddle_gpu_mark (self->gpu, mark++, error))
        return FALSE;
      if (g_cancellable_set_error_if_cancelled (self->cancellable, error)
          || !launch_step (self, step, set, error))
        return FALSE;
    }
  return heddle_gpu_mark (self->gpu, mark, error);
}

/* --- times --------------------------------------------------------------------------- */

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Measures the time between two marks of each launch, which are @stride marks apart. */
static gboolean
measure (Run *self, HeddleTiming *timing, guint from, guint to, guint stride, guint launches, GError **error)
{
  g_autofree double *seconds = g_new (double, launches);

  for (guint i = 0; i < launches; i++)
    if (!heddle_gpu_between (self->gpu, i * stride + from, i * stride + to, &seconds[i], error))
      return FALSE;
  qsort (seconds, launches, sizeof *seconds, compare_doubles);
  timing->least_s = seconds[0];
  timing->most_s = seconds[launches - 1];
  timing->median_s = (seconds[(launches - 1) / 2] + seconds[launches / 2]) / 2;
  return TRUE;
}

static gboolean
take_times (Run *self, HeddleBench *bench, GError **error)
{
  const GPtrArray *kernels = self->plan->derivation->kernels;
  guint n = kernels->len;

  bench->total.kernel = g_strdup (_ ("total"));
  for (guint row = 0; row < n; row++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (kernels, row);
      HeddleTiming *timing = g_new0 (HeddleTiming, 1);

      timing->kernel = g_strdup (kernel->program->name);
      timing->expected_s = kernel->expected_s;
      bench->total.expected_s += kernel->expected_s;
      g_ptr_array_add (bench->timings, timing);
      if (!measure (self, timing, row, row + 1, n + 1, bench->launches, error))
        return FALSE;
    }
  return measure (self, &bench->total, 0, n, n + 1, bench->launches, error);
}

static void
timing_clear (HeddleTiming *self)
{
  g_free (self->kernel);
}

static void
timing_free (HeddleTiming *self)
{
  timing_clear (self);
  g_free (self);
}

void
heddle_bench_free (HeddleBench *self)
{
  if (self == NULL)
    return;
  timing_clear (&self->total);
  g_ptr_array_unref (self->timings);
  g_free (self->gpu);
  g_free (self->date);
  g_free (self);
}

/* Runs all launches. Everything is launched before anything is waited for: between launches the GPU does not
 * wait for this program. */
static gboolean
run_all (Run *self, HeddleBench *bench, GError **error)
{
  guint n = self->plan->derivation->kernels->len;

  for (guint i = 0; i < WARM_UP; i++)
    if (!launch_all (self, i % self->sets, 0, error))
      return FALSE;
  if (!heddle_gpu_wait (self->gpu, error))
    return FALSE;
  for (guint i = 0; i < bench->launches; i++)
    if (!launch_all (self, (WARM_UP + i) % self->sets, i * (n + 1), error))
      return FALSE;
  return heddle_gpu_wait (self->gpu, error) && take_times (self, bench, error);
}

static HeddleBench *
bench_new (
    const HeddlePlan *plan, guint launches, gboolean in_place, GCancellable *cancellable, GError **error)
{
  HeddleGpu *gpu = heddle_gpu_open (error);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr (HeddleBench) bench = NULL;

  g_return_val_if_fail (launches > 0, NULL);
  if (gpu == NULL)
    return NULL;
  g_auto (Run) run = { .plan = plan,
    .gpu = gpu,
    .steps = g_ptr_array_new_with_free_func ((GDestroyNotify) step_free),
    .random = g_rand_new_with_seed (1),
    .cancellable = cancellable };
  bench = g_new0 (HeddleBench, 1);
  bench->gpu = g_strdup (heddle_gpu_get_name (gpu));
  bench->date = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  bench->launches = launches;
  bench->timings = g_ptr_array_new_with_free_func ((GDestroyNotify) timing_free);
  if (!add_steps (&run, error))
    return NULL;
  bench->sets = run.sets = in_place ? 1 : count_sets (&run);
  for (guint set = 0; set < run.sets; set++)
    if (!place_set (&run, set, error))
      return NULL;
  return run_all (&run, bench, error) ? g_steal_pointer (&bench) : NULL;
}

HeddleBench *
heddle_plan_bench (const HeddlePlan *plan, guint launches, GCancellable *cancellable, GError **error)
{
  return bench_new (plan, launches, FALSE, cancellable, error);
}

HeddleBench *
heddle_plan_bench_in_place (const HeddlePlan *plan, guint launches, GCancellable *cancellable, GError **error)
{
  return bench_new (plan, launches, TRUE, cancellable, error);
}
