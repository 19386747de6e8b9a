/* SPDX-License-Identifier: MIT */
#include "codegen/ptx/module.h"

static void
function_free (gpointer data)
{
  PtxFunction *self = data;
  g_free (self->name);
  g_array_unref (self->parameters);
  g_array_unref (self->results);
  g_array_unref (self->code);
  g_array_unref (self->local_addresses);
  g_ptr_array_unref (self->variables);
  g_free (self);
}

static void
variable_free (gpointer data)
{
  PtxVariable *self = data;
  g_free (self->name);
  g_byte_array_unref (self->initial);
  g_array_unref (self->relocations);
  g_free (self);
}

/* Calls live in the blocks of the module; only their lists are apart. */
static void
call_clear (gpointer data)
{
  PtxCall *self = data;
  g_array_unref (self->arguments);
  g_array_unref (self->results);
}

HeddlePtxModule *
ptx_module_empty (const char *text, gsize length)
{
  HeddlePtxModule *self = g_new0 (HeddlePtxModule, 1);
  self->text = g_strndup (text, length);
  self->functions = g_ptr_array_new_with_free_func (function_free);
  self->variables = g_ptr_array_new_with_free_func (variable_free);
  self->kernels = g_ptr_array_new ();
  self->constants = g_array_new (FALSE, FALSE, sizeof (PtxConstant));
  self->calls = g_ptr_array_new_with_free_func (call_clear);
  self->blocks = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/* Allocates zeroed memory that lives as long as the module; returns NULL if there is nothing to hold. */
gpointer
ptx_module_alloc (HeddlePtxModule *self, gsize size)
{
  if (size == 0)
    return NULL;
  gpointer block = g_malloc0 (size);
  g_ptr_array_add (self->blocks, block);
  return block;
}

void
heddle_ptx_module_free (HeddlePtxModule *self)
{
  g_return_if_fail (self != NULL);
  g_ptr_array_unref (self->functions);
  g_ptr_array_unref (self->variables);
  g_ptr_array_unref (self->kernels);
  g_array_unref (self->constants);
  g_ptr_array_unref (self->calls);
  g_ptr_array_unref (self->blocks);
  g_free (self->text);
  g_free (self);
}

/* Returns the kernel @name that has a body; NULL if there is none. */
const PtxFunction *
ptx_module_find_kernel (const HeddlePtxModule *self, const char *name)
{
  for (guint i = 0; i < self->kernels->len; i++)
    {
      const PtxFunction *kernel = g_ptr_array_index (self->kernels, i);
      if (kernel->defined && g_str_equal (kernel->name, name))
        return kernel;
    }
  return NULL;
}

/* Returns the text of an instruction on one line, for messages. */
char *
ptx_module_text (const HeddlePtxModule *self, const PtxInstruction *in)
{
  gsize length = MIN (in->text_length, 160);
  g_autofree char *text = g_utf8_make_valid (self->text + in->text, length);
  for (char *p = text; *p != '\0'; p++)
    if (g_ascii_isspace (*p))
      *p = ' ';
  return g_strdup (g_strstrip (text));
}

guint
heddle_ptx_module_get_n_kernels (const HeddlePtxModule *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->kernels->len;
}

const char *
heddle_ptx_module_get_kernel (const HeddlePtxModule *self, guint index)
{
  g_return_val_if_fail (self != NULL && index < self->kernels->len, NULL);
  return ((const PtxFunction *) g_ptr_array_index (self->kernels, index))->name;
}

gboolean
heddle_ptx_module_has_kernel (const HeddlePtxModule *self, const char *kernel)
{
  g_return_val_if_fail (self != NULL && kernel != NULL, FALSE);
  return ptx_module_find_kernel (self, kernel) != NULL;
}

guint
heddle_ptx_module_get_n_parameters (const HeddlePtxModule *self, const char *kernel)
{
  g_return_val_if_fail (self != NULL && kernel != NULL, 0);
  const PtxFunction *function = ptx_module_find_kernel (self, kernel);
  g_return_val_if_fail (function != NULL, 0);
  return function->parameters->len;
}

gboolean
heddle_ptx_module_get_parameter (
    const HeddlePtxModule *self, const char *kernel, guint index, HeddlePtxParameter *parameter)
{
  g_return_val_if_fail (self != NULL && kernel != NULL && parameter != NULL, FALSE);
  const PtxFunction *function = ptx_module_find_kernel (self, kernel);
  if (function == NULL || index >= function->parameters->len)
    return FALSE;
  const PtxParameter *formal = &g_array_index (function->parameters, PtxParameter, index);
  *parameter = (HeddlePtxParameter){ formal->name, formal->size, formal->align, formal->offset };
  return TRUE;
}

/* Returns whether a launch of @kernel needs the shared variable. A variable of the module counts if the
 * kernel names it, or if any function does that the kernel might call. */
static gboolean
needs_variable (const HeddlePtxModule *self, const PtxFunction *kernel, const PtxVariable *variable)
{
  if (variable->owner == kernel || g_ptr_array_find (kernel->variables, variable, NULL))
    return TRUE;
  for (guint i = 0; kernel->calls && i < self->functions->len; i++)
    {
      const PtxFunction *function = g_ptr_array_index (self->functions, i);
      if (!function->entry && g_ptr_array_find (function->variables, variable, NULL))
        return TRUE;
    }
  return FALSE;
}

/* Places the static shared variables of a kernel, the dynamic ones behind them. @offsets, one per variable of the
 * module, may be NULL. Returns the static bytes; @start is where dynamic memory begins. */
gsize
ptx_module_layout_shared (
    const HeddlePtxModule *self, const PtxFunction *kernel, gsize *offsets, gsize *start)
{
  gsize bytes = 0, align = 16;
  for (guint i = 0; i < self->variables->len; i++)
    {
      const PtxVariable *variable = g_ptr_array_index (self->variables, i);
      if (variable->space != PTX_SHARED || !needs_variable (self, kernel, variable))
        continue;
      if (variable->dynamic)
        {
          align = MAX (align, variable->align);
          continue;
        }
      bytes = (bytes + variable->align - 1) & ~(variable->align - 1);
      if (offsets != NULL)
        offsets[i] = bytes;
      bytes += variable->size;
    }
  *start = (bytes + align - 1) & ~(align - 1);
  for (guint i = 0; offsets != NULL && i < self->variables->len; i++)
    if (((const PtxVariable *) g_ptr_array_index (self->variables, i))->dynamic)
      offsets[i] = *start;
  return bytes;
}

gsize
heddle_ptx_module_get_static_shared (const HeddlePtxModule *self, const char *kernel)
{
  g_return_val_if_fail (self != NULL && kernel != NULL, 0);
  const PtxFunction *function = ptx_module_find_kernel (self, kernel);
  gsize start;
  return function != NULL ? ptx_module_layout_shared (self, function, NULL, &start) : 0;
}
