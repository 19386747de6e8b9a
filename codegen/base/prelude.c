/* SPDX-License-Identifier: MIT */

#include <gio/gio.h>
#include <string.h>

#include "codegen/base/prelude.h"
#include "codegen/device-resource.h"

static void
append_sections (GString *out, const char *path, GHashTable *sections)
{
  g_autoptr (GBytes) file
      = g_resource_lookup_data (heddle_device_get_resource (), path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_autofree char *text = g_strndup (g_bytes_get_data (file, NULL), g_bytes_get_size (file));
  g_auto (GStrv) parts = g_strsplit (text, "//// ", -1);

  for (guint i = 1; parts[i] != NULL; i++)
    {
      char *body = strchr (parts[i], '\n');
      g_autofree char *name = g_strndup (parts[i], body - parts[i]);

      if (!g_hash_table_contains (sections, name))
        continue;
      g_strchomp (body);
      g_string_append_printf (out, "%s\n", out->len > 0 ? body : body + 1);
    }
}

/* Appends "%0, %1, … %63" from @first on. */
static void
append_operands (GString *out, guint first, guint n)
{
  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "%s%%%u", i > 0 ? ", " : "", first + i);
}

/* Appends the comment on the function, and its template's arguments: for 16-bit elements either axis of a
 * factor may be contiguous. */
static void
append_head (GString *out, guint columns, gboolean bytes, gboolean registers)
{
  const char *rows = registers ? " in registers" : "";

  if (bytes)
    g_string_append_printf (out,
        "\n// Adds, or puts, the product of 64 rows%s and %u columns, 32 deep, of 8-bit elements: done some "
        "time "
        "before it is waited for.\n",
        rows, columns);
  else
    g_string_append_printf (out,
        "\n// Adds, or puts, the product of 64 rows%s and %u columns, 16 deep: done some time before it is "
        "waited for. 1: a factor\n"
        "// whose other axis is the contiguous one.\ntemplate <%sint RIGHT_TRANSPOSED>\n",
        rows, columns, registers ? "" : "int LEFT_TRANSPOSED, ");
}

/* Appends "+f"(result[0][0]), … with four elements of a row. */
static void
append_results (GString *out, guint n)
{
  for (guint i = 0; i < n; i++)
    g_string_append_printf (out, "%s%s\"+f\"(result[%u][%u])", i > 0 ? "," : "",
        i % 8 == 0 && i > 0 ? "\n                  " : " ", i / 4, i % 4);
}

/* Appends the product of a warpgroup with @columns columns: an instruction names every register of its
 * result. */
static void
append_product (GString *out, guint columns, const char *type, gboolean registers)
{
  const gboolean bytes = g_str_equal (type, "e4m3");
  const guint n = columns / 2, scale = n + (registers ? 5 : 2);

  append_head (out, columns, bytes, registers);
  g_string_append_printf (out,
      "static __device__ __forceinline__ void\nmultiply_64x%u_%s (float (&result)[%u][4], %s,\n"
      "    unsigned long long right, int adds)\n{\n"
      "  asm volatile (\"{\\n.reg .pred adds;\\nsetp.ne.b32 adds, %%%u, 0;\\n\"\n"
      "                \"wgmma.mma_async.sync.aligned.m64n%uk%u.f32.%s.%s {",
      columns, type, n / 4, registers ? "const unsigned (&left)[4]" : "unsigned long long left", scale,
      columns, bytes ? 32 : 16, type, type);
  append_operands (out, 0, n);
  g_string_append (out, registers ? "}, {" : "}, ");
  append_operands (out, n, registers ? 4 : 1);
  g_string_append_printf (out, "%s, %%%u, adds, 1, 1%s", registers ? "}" : "", scale - 1, bytes ? "" : ", ");
  append_operands (out, scale + 1, bytes ? 0 : registers ? 1 : 2);
  g_string_append (out, ";\\n}\"\n                :");
  append_results (out, n);
  g_string_append (out, "\n                : ");
  g_string_append (
      out, registers ? "\"r\"(left[0]), \"r\"(left[1]), \"r\"(left[2]), \"r\"(left[3])" : "\"l\"(left)");
  g_string_append_printf (out, ", \"l\"(right), \"r\"(adds)%s%s);\n}\n",
      registers || bytes ? "" : ", \"n\"(LEFT_TRANSPOSED)", bytes ? "" : ", \"n\"(RIGHT_TRANSPOSED)");
}

/* Appends the sections that are not written down: "product 128 f16 shared". */
static void
append_products (GString *out, GHashTable *sections)
{
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (sections), (GCompareFunc) strcmp);

  for (const GList *name = names; name != NULL; name = name->next)
    {
      g_auto (GStrv) words = g_strsplit (name->data, " ", -1);

      if (g_str_has_prefix (name->data, HEDDLE_PRELUDE_PRODUCT) && g_strv_length (words) == 4)
        append_product (out, (guint) g_ascii_strtoull (words[1], NULL, 10), words[2],
            g_str_equal (words[3], "registers"));
    }
}

char *
heddle_prelude_text (GHashTable *sections)
{
  g_autoptr (GString) out = g_string_new (NULL);

  append_sections (out, "/io/github/heddle/Heddle/device/prelude.cuh", sections);
  append_sections (out, "/io/github/heddle/Heddle/device/tensor.cuh", sections);
  append_sections (out, "/io/github/heddle/Heddle/device/register-tile.cuh", sections);
  append_sections (out, "/io/github/heddle/Heddle/device/hopper.cuh", sections);
  append_sections (out, "/io/github/heddle/Heddle/device/coarse.cuh", sections);
  append_sections (out, "/io/github/heddle/Heddle/device/rows.cuh", sections);
  append_products (out, sections);
  return g_string_free (g_steal_pointer (&out), FALSE);
}
