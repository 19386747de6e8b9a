/* SPDX-License-Identifier: MIT */

#include "app/editor/kernel-axes.h"

typedef struct
{
  const HeddleDiagram *diagram;
  GHashTable *kernels;
} Index;

static void
note_axis (const Index *self, const char *axis, guint kernel)
{
  GArray *kernels = g_hash_table_lookup (self->kernels, axis);

  if (kernels == NULL)
    {
      kernels = g_array_new (FALSE, FALSE, sizeof (guint));
      g_hash_table_insert (self->kernels, (gpointer) axis, kernels);
    }
  if (kernels->len == 0 || g_array_index (kernels, guint, kernels->len - 1) != kernel)
    g_array_append_val (kernels, kernel);
}

static void
note_value (const Index *self, const char *value, guint kernel)
{
  const HeddleValue *v = heddle_diagram_get_value (self->diagram, value);

  for (guint i = 0; v != NULL && i < v->axes->len; i++)
    note_axis (self, heddle_ids_index (v->axes, i), kernel);
}

static void
note_operation (const Index *self, const HeddleOperation *operation, guint kernel)
{
  note_value (self, operation->result, kernel);
  if (operation->indices != NULL)
    return; /* it reads elsewhere along its operand's axes, and varies along its own */
  for (guint i = 0; i < operation->operands->len; i++)
    note_value (self, heddle_ids_index (operation->operands, i), kernel);
}

GHashTable *
heddle_kernel_axes_new (const HeddleDerivation *derivation, const HeddleDiagram *diagram)
{
  const Index self
      = { diagram, g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_array_unref) };

  g_return_val_if_fail (derivation != NULL && diagram != NULL, self.kernels);

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      for (guint k = 0; k < kernel->operations->len; k++)
        {
          const HeddleOperation *operation
              = heddle_diagram_get_operation (diagram, heddle_ids_index (kernel->operations, k));

          if (operation != NULL)
            note_operation (&self, operation, i);
        }
    }
  return self.kernels;
}
