/* SPDX-License-Identifier: MIT */
#include "codegen/base/kernel-text.h"
#include "derive/program/loop-program.h"

void
heddle_kernel_parameter_free (gpointer data)
{
  HeddleKernelParameter *self = data;

  g_free (self->name);
  g_free (self);
}

void
heddle_kernel_text_free (HeddleKernelText *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->arch);
  g_free (self->entry);
  g_free (self->family_reason);
  g_free (self->family_choice);
  g_free (self->tile_program);
  g_free (self->comment);
  g_free (self->kernel);
  g_free (self->device);
  g_free (self->cuda);
  g_clear_pointer (&self->sections, g_hash_table_unref);
  g_clear_pointer (&self->line_operations, g_ptr_array_unref);
  g_clear_pointer (&self->parameters, g_ptr_array_unref);
  g_clear_pointer (&self->maps, g_ptr_array_unref);
  g_clear_pointer (&self->tiles, g_ptr_array_unref);
  g_clear_pointer (&self->fixed_axes, g_array_unref);
  g_clear_pointer (&self->equal_axes, g_array_unref);
  g_clear_pointer (&self->program, heddle_loop_program_unref);
  g_free (self);
}
