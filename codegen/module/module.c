/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "codegen/base/codegen.h"
#include "codegen/cuda/text.h"
#include "codegen/emit/device-text.h"
#include "codegen/module/interface.h"
#include "codegen/module/launcher.h"
#include "codegen/module/module.h"
#include "derive/derivation/derive.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

void
heddle_module_line (HeddleModule *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_string_append_vprintf (self->out, format, arguments);
  va_end (arguments);
  g_string_append_c (self->out, '\n');
}

/* --- the files --- */

void
heddle_module_print_equations (HeddleModule *self, const char *equations, const char *mark)
{
  g_autofree char *hash = NULL;
  g_auto (GStrv) lines = NULL;

  if (equations == NULL)
    return;
  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, equations, -1);
  lines = g_strsplit (equations, "\n", -1);
  heddle_module_line (self, "%s\n%s The diagram, sha256 %.16s:", mark, mark, hash);
  for (guint i = 0; lines[i] != NULL && (*lines[i] != '\0' || lines[i + 1] != NULL); i++)
    {
      g_autofree char *text = heddle_cuda_comment (lines[i]);

      heddle_module_line (self, "%s%s%s", mark, *text ? "   " : "", text);
    }
}

/* The oldest CUDA that knows an architecture. */
static const char *
least_cuda (const char *arch)
{
  static const struct
  {
    const char *arch, *cuda;
  } rows[] = { { "sm_80", "11.0" }, { "sm_86", "11.1" }, { "sm_89", "11.8" }, { "sm_90", "11.8" },
    { "sm_90a", "12.0" }, { "sm_100a", "12.8" }, { "sm_120", "12.8" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (strcmp (rows[i].arch, arch) == 0)
      return rows[i].cuda;
  return "13.0";
}

static void
print_head (HeddleModule *self, const char *equations)
{
  const HeddleKernelText *text = g_ptr_array_index (self->texts, 0);
  g_autofree char *name = heddle_cuda_comment (self->diagram->name);

  heddle_module_line (self, "// %s: made by Heddle %s from the diagram below.", name, HEDDLE_VERSION);
  heddle_module_print_equations (self, equations, "//");
  heddle_module_line (self, "//\n// To call it:\n//");
  heddle_module_print_usage (self, "//  ");
  heddle_module_line (
      self, "//\n// To build it (CUDA %s or newer, a driver as new as that):", least_cuda (text->arch));
  heddle_module_line (self,
      "//   nvcc -std=c++17 -gencode=arch=compute_%s,code=%s -shared -Xcompiler -fPIC -o lib%s.so %s.cu",
      text->arch + strlen ("sm_"), text->arch, self->name, self->name);
  heddle_module_line (self, "//\n// Not offered: arrays with strides, gradients.\n");
}

static void
print_source (HeddleModule *self, const char *equations)
{
  g_autofree char *prelude = heddle_module_prelude (self->texts);

  print_head (self, equations);
  g_string_append (self->out, prelude);
  for (guint i = 0; i < self->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (self->texts, i);

      if (text->duplicate_of == NULL)
        g_string_append_printf (
            self->out, "%s%s\n%s", i > 0 || *prelude ? "\n" : "", text->comment, text->kernel);
    }
  heddle_module_line (self, "%s", "");
  heddle_module_print_launcher (self);
}

static char *
make_header (HeddleModule *self)
{
  g_autofree char *head = heddle_module_prototype (self), *guard = g_ascii_strup (self->name, -1);
  GString *source = g_steal_pointer (&self->out);
  char *header;

  self->out = g_string_new (NULL);
  heddle_module_line (self, "// %s: made by Heddle %s.", self->name, HEDDLE_VERSION);
  heddle_module_print_usage (self, "//");
  heddle_module_line (self,
      "#ifndef %s_H\n#define %s_H\n\n#include <cuda_runtime_api.h>\n#include <stddef.h>\n", guard, guard);
  heddle_module_line (self, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\nint %s;", head);
  if (self->workspace->len > 0)
    {
      g_autofree char *workspace = heddle_module_workspace_prototype (self);

      heddle_module_line (self, "size_t %s;", workspace);
    }
  heddle_module_line (
      self, "const char *%s_message (int status);\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif", self->name);
  header = g_string_free (self->out, FALSE);
  self->out = source;
  return header;
}

/**
 * heddle_codegen_module:
 * @texts: (element-type HeddleKernelText): the kernels of @diagram, in order
 * @equations: (nullable): the diagram as text, for the head comment
 * @header: (out) (optional): return location for the header that goes with it
 *
 * Puts a whole .cu together: what it is and how to call it, the building blocks, the kernels with their derivations, and one launcher
 * with a C interface named after the diagram. Values that pass from one kernel to another live in a workspace that the caller gives.
 *
 * Returns: (transfer full): the text; %NULL without kernels
 */
char *
heddle_codegen_module (const HeddleDiagram *diagram, GPtrArray *texts, const HeddleSizes *sizes,
    HeddleDtype dtype, const char *equations, char **header, GError **error)
{
  HeddleModule self;

  if (texts->len == 0)
    {
      heddle_derive_set_empty (error);
      return NULL;
    }
  heddle_module_init (&self, diagram, texts, sizes, dtype);
  print_source (&self, equations);
  if (header != NULL)
    *header = make_header (&self);
  heddle_module_clear (&self);
  return g_string_free (self.out, FALSE);
}
