/* SPDX-License-Identifier: MIT */
#include "codegen/base/codegen.h"
#include "codegen/base/names.h"
#include "codegen/emit/duplicates.h"
#include "codegen/module/interface.h"
#include "codegen/module/launches.h"
#include "codegen/module/module.h"
#include "diagram/base/quote.h"

/* This file prints, as a comment, how to start kernels that come without a launcher. */

static char *
arguments_text (const HeddleModule *self, const HeddleKernelText *text)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < text->parameters->len; i++)
    {
      const HeddleKernelParameter *parameter = g_ptr_array_index (text->parameters, i);
      g_autofree char *size = parameter->axis != NULL ? heddle_module_size (self, parameter->axis) : NULL;

      g_string_append_printf (out, "%s%s%s", i > 0 ? ", " : "", size ? "int64 " : "",
          size ? size : heddle_names_value (self->names, parameter->value));
    }
  for (guint i = 0; i < text->maps->len; i++)
    {
      const HeddleKernelMap *map = g_ptr_array_index (text->maps, i);

      g_string_append_printf (out, ", tensor map of %s", heddle_names_value (self->names, map->value));
    }
  return g_string_free (out, FALSE);
}

/* Prints the tensor maps that the host must give to the copy hardware. */
static void
print_maps (HeddleModule *self, const HeddleKernelText *text)
{
  for (guint i = 0; i < text->maps->len; i++)
    {
      const HeddleKernelMap *map = g_ptr_array_index (text->maps, i);
      g_autofree char *box = heddle_kernel_map_box (map);

      heddle_module_line (self,
          "//   tensor map of %s, by cuTensorMapEncodeTiled (): boxes of %s (the contiguous axis last), "
          "128-byte "
          "swizzle, zeros\n//   outside; not used where rows are no multiple of 16 bytes",
          heddle_names_value (self->names, map->value), box);
    }
}

char *
heddle_codegen_launches (
    const HeddleDiagram *diagram, GPtrArray *texts, const HeddleSizes *sizes, HeddleDtype dtype)
{
  HeddleModule self;
  g_autofree char *comments = NULL;

  heddle_module_init (&self, diagram, texts, sizes, dtype);
  for (guint i = 0; i < texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (texts, i);
      g_autofree char *arguments = arguments_text (&self, text), *blocks = heddle_module_blocks (&self, text);

      heddle_module_line (&self,
          "%s// To start it: %s (%s)\n//   %s blocks of %u threads, %" G_GINT64_FORMAT
          " bytes of dynamic shared memory\n",
          text->comment, heddle_kernel_text_entry (text), arguments, blocks, text->threads,
          text->shared_bytes);
      print_maps (&self, text);
    }
  heddle_module_clear (&self);
  comments = g_string_free (self.out, FALSE);
  return heddle_quote_ascii (comments);
}
