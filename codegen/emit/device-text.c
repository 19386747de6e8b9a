/* SPDX-License-Identifier: MIT */
#include "codegen/base/codegen.h"
#include "codegen/base/prelude.h"
#include "codegen/emit/device-text.h"

char *
heddle_module_prelude (GPtrArray *texts)
{
  g_autoptr (GHashTable) sections = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (texts, i);
      GHashTableIter iter;
      gpointer section;

      g_hash_table_iter_init (&iter, text->sections);
      while (g_hash_table_iter_next (&iter, &section, NULL))
        g_hash_table_add (sections, section);
    }
  return heddle_prelude_text (sections);
}

char *
heddle_codegen_device (GPtrArray *texts)
{
  g_autofree char *prelude = heddle_module_prelude (texts);
  GString *out = g_string_new (prelude);

  for (guint i = 0; i < texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (texts, i);

      if (text->duplicate_of == NULL)
        g_string_append_printf (out, "\n%s", text->kernel);
    }
  return g_string_free (out, FALSE);
}
