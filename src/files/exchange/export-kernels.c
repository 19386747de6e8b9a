/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/base/codegen.h"
#include "codegen/compile/compile.h"
#include "codegen/emit/emit.h"
#include "codegen/module/compile-all.h"
#include "codegen/module/launches.h"
#include "codegen/module/library.h"
#include "codegen/module/module.h"
#include "codegen/module/python.h"
#include "codegen/module/shard-module.h"
#include "codegen/plan/plan.h"
#include "codegen/verify/plan.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/shard/layout.h"
#include "derive/shard/shard.h"
#include "derive/shard/small.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram-order.h"
#include "diagram/graph/operation.h"
#include "files/equations/write.h"
#include "files/exchange/export-kernels.h"

/* The kernels of an export. */
typedef struct
{
  const HeddleSnapshot *snapshot;
  const HeddleDiagram *diagram;
  const HeddleExportOptions *options;
  GCancellable *cancellable;
  GPtrArray *gpus; /* of HeddleGpuKernels: the first has all that a file for one GPU is about */
} Kernels;

static GBytes *
bytes_of_text (char *text)
{
  return text ? g_bytes_new_take (text, strlen (text)) : NULL;
}

/* Returns a line for the head comments of the kernels on how they were checked. */
static char *
verify (const Kernels *self, const HeddlePlan *plan, GError **error)
{
  if (self->options->no_verify)
    return g_strdup ("NOT VERIFIED: verification was switched off");
  return heddle_plan_verify_line (plan, self->options->seed, self->cancellable, error);
}

static gboolean
add_gpu (Kernels *self, const char *gpu, GError **error)
{
  const HeddleExportOptions *how = self->options;
  HeddleGpuKernels *kernels = g_new0 (HeddleGpuKernels, 1);
  g_autofree char *line = NULL;

  g_ptr_array_add (self->gpus, kernels);
  kernels->plan
      = heddle_plan_new (self->diagram, heddle_snapshot_find_schedule (self->snapshot, self->diagram), gpu,
          how->dtype, how->family, how->sizes, self->cancellable, error);
  line = kernels->plan ? verify (self, kernels->plan, error) : NULL;
  if (line == NULL)
    return FALSE;
  kernels->texts = heddle_codegen_emit_all (kernels->plan->diagram, kernels->plan->derivation,
      kernels->plan->sizes, kernels->plan->machine, kernels->plan->dtype, kernels->plan->family, line, error);
  return kernels->texts != NULL;
}

static const HeddleGpuKernels *
first_of (const Kernels *self)
{
  return g_ptr_array_index (self->gpus, 0);
}

static void
rank_value (GHashTable *ranks, const char *value)
{
  if (!g_hash_table_contains (ranks, value))
    g_hash_table_insert (ranks, (gpointer) value, GUINT_TO_POINTER (g_hash_table_size (ranks)));
}

/* Compares values by their rank; those that no operation uses come last, by their names. */
static int
compare_ranks (gconstpointer a, gconstpointer b, gpointer ranks)
{
  const HeddleValue *one = *(const HeddleValue *const *) a, *other = *(const HeddleValue *const *) b;
  gpointer rank, other_rank;
  gboolean has = g_hash_table_lookup_extended (ranks, one->id, NULL, &rank);
  gboolean other_has = g_hash_table_lookup_extended (ranks, other->id, NULL, &other_rank);

  if (has && other_has)
    return (int) GPOINTER_TO_UINT (rank) - (int) GPOINTER_TO_UINT (other_rank);
  return has != other_has ? other_has - has : g_strcmp0 (one->name, other->name);
}

/* Returns the diagram as text, with each array declared where it is read first, so that the order in which a
 * file has them makes no difference. */
static char *
write_equations (const HeddleDiagram *diagram)
{
  g_autoptr (HeddleDiagram) copy = heddle_diagram_copy (diagram);
  g_autoptr (GHashTable) ranks = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < diagram->operations->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);

      for (guint j = 0; j < operation->operands->len; j++)
        rank_value (ranks, heddle_ids_index (operation->operands, j));
      for (guint j = 0; j < heddle_operation_n_results (operation); j++)
        if (heddle_operation_get_result (operation, j) != NULL)
          rank_value (ranks, heddle_operation_get_result (operation, j));
    }
  g_ptr_array_sort_with_data (copy->values, compare_ranks, ranks);
  return heddle_equations_write (copy);
}

static char *
module_text (const Kernels *self, char **header, GError **error)
{
  const HeddleGpuKernels *kernels = first_of (self);
  g_autofree char *equations = write_equations (self->diagram);

  return heddle_codegen_module (kernels->plan->whole, kernels->texts, kernels->plan->sizes,
      kernels->plan->dtype, equations, header, error);
}

static GBytes *
export_cuda (Kernels *self, GError **error)
{
  return bytes_of_text (module_text (self, NULL, error));
}

static GBytes *
export_header (Kernels *self, GError **error)
{
  char *header = NULL;
  g_autofree char *text = module_text (self, &header, error);

  return text ? bytes_of_text (header) : NULL;
}

static GBytes *
export_ptx (Kernels *self, GError **error)
{
  g_autoptr (HeddleCompilation) compilation
      = heddle_compile_device (first_of (self)->texts, self->cancellable, error);
  const HeddleGpuKernels *first = first_of (self);
  g_autofree char *head
      = heddle_codegen_launches (first->plan->whole, first->texts, first->plan->sizes, first->plan->dtype);

  return compilation ? bytes_of_text (g_strconcat (head, compilation->ptx, NULL)) : NULL;
}

static GBytes *
export_cubin (Kernels *self, GError **error)
{
  g_autoptr (HeddleCompilation) compilation
      = heddle_compile_device (first_of (self)->texts, self->cancellable, error);

  return compilation ? g_bytes_ref (compilation->cubin) : NULL;
}

static GBytes *
export_python (Kernels *self, GError **error)
{
  g_autofree char *equations = write_equations (self->diagram);

  for (guint i = 0; i < self->gpus->len; i++)
    if (!heddle_gpu_kernels_compile (g_ptr_array_index (self->gpus, i), self->cancellable, error))
      return NULL;
  return bytes_of_text (heddle_codegen_python (self->diagram, self->gpus, equations, error));
}

/* Returns the machines that a library is for; its kernels are made for the first one. */
static GPtrArray *
list_machines (const Kernels *self, GError **error)
{
  g_autoptr (GPtrArray) machines = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_machine_free);

  g_ptr_array_add (machines, heddle_machine_copy (first_of (self)->plan->machine));
  for (guint i = 0; self->options->more_gpus != NULL && self->options->more_gpus[i] != NULL; i++)
    {
      HeddleMachine *machine = heddle_machine_find (self->options->more_gpus[i], 0, error);

      if (machine == NULL)
        return NULL;
      g_ptr_array_add (machines, machine);
      if (machine->arch == NULL)
        {
          g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE,
              _ ("“%s” is an abstract machine: kernels are made for a GPU such as h100-sxm"), machine->name);
          return NULL;
        }
    }
  return g_steal_pointer (&machines);
}

static GBytes *
build (Kernels *self, HeddleLibraryKind kind, GError **error)
{
  g_autoptr (GPtrArray) machines = list_machines (self, error);
  g_autofree char *source = machines ? module_text (self, NULL, error) : NULL;

  return source ? heddle_compile_library (
             source, first_of (self)->texts, machines, kind, self->cancellable, error)
                : NULL;
}

static GBytes *
export_fatbin (Kernels *self, GError **error)
{
  return build (self, HEDDLE_LIBRARY_FATBIN, error);
}

static GBytes *
export_shared (Kernels *self, GError **error)
{
  return build (self, HEDDLE_LIBRARY_SHARED, error);
}

/* The number of GPUs that a kind of file is for. */
typedef enum
{
  FOR_ONE,
  FOR_SEVERAL_ALIKE, /* the first one's kernels, compiled for each */
  FOR_EACH, /* kernels of its own for each */
} Gpus;

static const struct
{
  const char *suffix;
  GBytes *(*write) (Kernels *self, GError **error);
  Gpus gpus;
} writers[] = {
  { ".cu", export_cuda, FOR_ONE },
  { ".h", export_header, FOR_ONE },
  { ".ptx", export_ptx, FOR_ONE },
  { ".cubin", export_cubin, FOR_ONE },
  { ".fatbin", export_fatbin, FOR_SEVERAL_ALIKE },
  { ".so", export_shared, FOR_SEVERAL_ALIKE },
  { ".py", export_python, FOR_EACH },
};

static gboolean
add_gpus (Kernels *self, Gpus gpus, GError **error)
{
  const char *const *more = self->options->more_gpus;

  if (gpus == FOR_ONE && more != NULL && more[0] != NULL)
    {
      g_set_error_literal (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
          _ ("this kind of file is for one GPU: .py, .so and .fatbin are for several"));
      return FALSE;
    }
  if (!add_gpu (self, self->options->gpu, error))
    return FALSE;
  for (guint i = 0; gpus == FOR_EACH && more != NULL && more[i] != NULL; i++)
    if (!add_gpu (self, more[i], error))
      return FALSE;
  return TRUE;
}

/* --- several GPUs ---------------------------------------------------------------------- */

/* Adds the kernels of each segment. */
static gboolean
add_segments (Kernels *self, const HeddleSharding *sharding, const HeddleMachine *machine, HeddleDtype dtype,
    GError **error)
{
  for (guint i = 0; i < sharding->steps->len; i++)
    {
      const HeddleShardSegment *segment
          = ((const HeddleShardStep *) g_ptr_array_index (sharding->steps, i))->segment;
      HeddleGpuKernels *kernels;
      g_autofree char *verified = NULL;

      if (segment == NULL)
        continue;
      kernels = g_new0 (HeddleGpuKernels, 1);
      g_ptr_array_add (self->gpus, kernels);
      kernels->plan = heddle_plan_new_on (segment->diagram, segment->schedule, machine, dtype,
          self->options->family, NULL, self->cancellable, error);
      verified = kernels->plan != NULL ? verify (self, kernels->plan, error) : NULL;
      if (verified == NULL)
        return FALSE;
      kernels->texts = heddle_codegen_emit_all (kernels->plan->diagram, kernels->plan->derivation,
          kernels->plan->sizes, machine, dtype, kernels->plan->family, verified, error);
      if (kernels->texts == NULL)
        return FALSE;
    }
  return TRUE;
}

static GBytes *
export_shards (Kernels *self, const HeddleSchedule *schedule, const HeddleMachine *machine, gboolean header,
    GError **error)
{
  const HeddleExportOptions *how = self->options;
  HeddleDtype dtype = how->dtype != HEDDLE_DTYPE_UNSET        ? how->dtype
                      : schedule->dtype != HEDDLE_DTYPE_UNSET ? schedule->dtype
                                                              : HEDDLE_DTYPE_F16;
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (self->diagram, how->sizes, error);
  g_autoptr (HeddleSharding) sharding
      = sizes != NULL ? heddle_sharding_new (self->diagram, schedule, sizes, machine, dtype, error) : NULL;
  g_autofree char *equations = write_equations (self->diagram), *head = NULL, *text = NULL;

  if (sharding == NULL || !heddle_sharding_check (sharding, error)
      || !add_segments (self, sharding, machine, dtype, error))
    return NULL;
  text = heddle_codegen_sharded (sharding, machine, self->gpus, dtype, equations, &head, error);
  if (text == NULL)
    return NULL;
  return bytes_of_text (header ? g_steal_pointer (&head) : g_steal_pointer (&text));
}

/* Returns the machine if the schedule groups axes above its memory; NULL if it does not. */
static HeddleMachine *
find_sharded (const Kernels *self, const HeddleSchedule *schedule)
{
  const char *gpu = self->options->gpu != NULL ? self->options->gpu : schedule != NULL ? schedule->gpu : NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find (gpu != NULL ? gpu : "h100-sxm", 0, NULL);

  return machine != NULL && heddle_schedule_is_sharded (schedule, machine) ? g_steal_pointer (&machine)
                                                                           : NULL;
}

GBytes *
heddle_export_kernels (const HeddleSnapshot *snapshot, const HeddleDiagram *diagram, const char *suffix,
    const HeddleExportOptions *options, GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleDiagram) ordered = heddle_diagram_copy (diagram);
  Kernels self = { snapshot, ordered, options, cancellable,
    g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_gpu_kernels_free) };
  const HeddleSchedule *schedule = heddle_snapshot_find_schedule (snapshot, diagram);
  g_autoptr (HeddleMachine) sharded = find_sharded (&self, schedule);
  gboolean header = strcmp (suffix, ".h") == 0;
  GBytes *bytes = NULL;

  heddle_diagram_put_in_order (ordered);
  if (sharded != NULL && (header || strcmp (suffix, ".cu") == 0))
    bytes = export_shards (&self, schedule, sharded, header, error);
  else
    for (guint i = 0; i < G_N_ELEMENTS (writers); i++)
      if (strcmp (writers[i].suffix, suffix) == 0 && add_gpus (&self, writers[i].gpus, error))
        bytes = writers[i].write (&self, error);
  g_ptr_array_unref (self.gpus);
  return bytes;
}
