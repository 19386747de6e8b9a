/* SPDX-License-Identifier: MIT */
#include "derive/derivation/derive.h"
#include "derive/derivation/expand-oversized.h"
#include "derive/derivation/schedule-text.h"
#include "derive/machine/machine.h"
#include "diagram/rewrite/expand.h"

/* A softmax that is kept, or a norm, needs all of a row at once. Where no memory holds a row, it is expanded
 * before kernels are made of it: in code generation, and here so that the price is that of the kernels which
 * run. */

gboolean
heddle_derivation_fits (const HeddleDerivation *self)
{
  for (guint i = 0; i < self->kernels->len; i++)
    if (!((const HeddleKernel *) g_ptr_array_index (self->kernels, i))->fits)
      return FALSE;
  return TRUE;
}

static gboolean
is_given (const HeddleSchedule *schedule, const char *operation)
{
  return schedule != NULL && heddle_schedule_region_of (schedule, operation) != NULL;
}

/* Returns whether all kernels have a program. A kernel that is refused because it reads outside its arrays
 * has none, and its costs are not known. */
static gboolean
is_made (const HeddleDerivation *self)
{
  for (guint i = 0; i < self->kernels->len; i++)
    if (((const HeddleKernel *) g_ptr_array_index (self->kernels, i))->program == NULL)
      return FALSE;
  return TRUE;
}

static void
expand_kernel (
    HeddleDiagram *diagram, const HeddleSchedule *given, const HeddleKernel *kernel, GArray *values)
{
  for (guint i = 0; i < kernel->operations->len; i++)
    {
      const char *id = heddle_ids_index (kernel->operations, i);
      const char *value = heddle_diagram_get_operation (diagram, id)->result;

      if (!is_given (given, id) && heddle_diagram_expand_at (diagram, id))
        heddle_ids_append (values, value);
    }
}

GArray *
heddle_derivation_expand_oversized (const HeddleDerivation *self, HeddleDiagram *diagram,
    const HeddleSchedule *given, HeddleKernelRunsFunc runs, gpointer data)
{
  GArray *values = heddle_ids_new ();

  for (guint i = 0; is_made (self) && i < self->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (self->kernels, i);

      if (!kernel->fits && (runs == NULL || !runs (kernel, data)))
        expand_kernel (diagram, given, kernel, values);
    }
  return values;
}

GArray *
heddle_diagram_expand_oversized (HeddleDiagram *diagram, const HeddleSchedule *given,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options)
{
  gboolean own = given != NULL && given->regions->len > 0;
  HeddleDeriveOptions how = *options;
  HeddleSchedule *apart = heddle_schedule_fuse (diagram, given, own ? "file" : "none", NULL);
  g_autoptr (HeddleDerivation) derivation = NULL;

  how.suggest = TRUE;
  how.plain = TRUE;
  if (!heddle_machine_is_abstract (options->machine))
    derivation = heddle_derive (diagram, apart, sizes, &how, NULL, NULL);
  heddle_schedule_free (apart);
  return derivation != NULL ? heddle_derivation_expand_oversized (derivation, diagram, given, NULL, NULL)
                            : heddle_ids_new ();
}
