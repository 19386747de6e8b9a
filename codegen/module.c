/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/cuda-kernel.h"
#include "codegen/prelude.h"

/* The .cu of all kernels of a diagram, with one launcher in C. */
typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSizes *sizes;
  HeddleDtype dtype;
  GPtrArray *texts;
  HeddleNames *names;
  char *name; /* of the launcher */
  GArray *inputs; /* value ids the module reads */
  GArray *outputs; /* value ids it gives back */
  GArray *workspace; /* value ids that stay inside */
  GArray *axes; /* sizes given at run time */
  GString *out;
} Module;

/* --- what goes in and out --- */

static void
add_once (GArray *ids, const char *id)
{
  if (!heddle_ids_contain (ids, id))
    heddle_ids_append (ids, id);
}

static gboolean
is_made (const Module *self, const char *value)
{
  return heddle_ids_contain (self->outputs, value) || heddle_ids_contain (self->workspace, value);
}

/* A size that one kernel takes as an argument may be a constant of another: then the module has it fixed. */
static gboolean
is_fixed (const Module *self, const char *axis)
{
  for (guint i = 0; i < self->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (self->texts, i);

      if (heddle_ids_contain (text->fixed_axes, axis))
        return TRUE;
    }
  return FALSE;
}

static void
sort_parameters (Module *self)
{
  for (guint i = 0; i < self->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (self->texts, i);

      for (guint j = 0; j < text->parameters->len; j++)
        {
          const HeddleKernelParameter *parameter = g_ptr_array_index (text->parameters, j);

          if (parameter->axis != NULL && !is_fixed (self, parameter->axis))
            add_once (self->axes, parameter->axis);
          else if (parameter->axis != NULL)
            continue;
          else if (parameter->output && heddle_diagram_is_output (self->diagram, parameter->value))
            add_once (self->outputs, parameter->value);
          else if (parameter->output)
            add_once (self->workspace, parameter->value);
          else if (!is_made (self, parameter->value))
            add_once (self->inputs, parameter->value);
        }
    }
}

/* --- pieces of text --- */

static void line (Module *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
line (Module *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_string_append_vprintf (self->out, format, arguments);
  va_end (arguments);
  g_string_append_c (self->out, '\n');
}

static const char *
axis_name (const Module *self, const char *axis)
{
  return heddle_names_axis (self->names, axis);
}

static const char *
value_name (const Module *self, const char *value)
{
  return heddle_names_value (self->names, value);
}

/* A size as the launcher knows it: an argument, or a number. */
static char *
size_text (const Module *self, const char *axis)
{
  if (heddle_ids_contain (self->axes, axis))
    return g_strdup (axis_name (self, axis));
  return g_strdup_printf ("%" G_GINT64_FORMAT, heddle_sizes_get (self->sizes, axis));
}

static HeddleDtype
dtype_of (const Module *self, const char *value)
{
  return heddle_diagram_dtype (self->diagram, value, self->dtype);
}

/* y * k * 2: the bytes of an array. */
static char *
bytes_text (const Module *self, const char *value)
{
  const HeddleValue *v = heddle_diagram_get_value (self->diagram, value);
  g_autoptr (GString) text = g_string_new ("(size_t) ");

  for (guint i = 0; i < v->axes->len; i++)
    {
      g_autofree char *size = size_text (self, heddle_ids_index (v->axes, i));

      g_string_append_printf (text, "%s * ", size);
    }
  g_string_append_printf (text, "%u", heddle_dtype_bytes (dtype_of (self, value)));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
type_text (const Module *self, const char *value)
{
  const HeddleValue *v = heddle_diagram_get_value (self->diagram, value);
  g_autoptr (GString) text = g_string_new (heddle_dtype_to_string (dtype_of (self, value)));

  g_string_append_c (text, '[');
  for (guint i = 0; i < v->axes->len; i++)
    {
      const char *axis = heddle_ids_index (v->axes, i);
      gboolean fixed = !heddle_ids_contain (self->axes, axis);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", axis_name (self, axis));
      if (fixed)
        g_string_append_printf (text, "=%" G_GINT64_FORMAT, heddle_sizes_get (self->sizes, axis));
    }
  g_string_append_c (text, ']');
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
prototype (const Module *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, "int %s (", self->name);
  for (guint i = 0; i < self->inputs->len; i++)
    g_string_append_printf (text, "const void *%s, ", value_name (self, heddle_ids_index (self->inputs, i)));
  for (guint i = 0; i < self->outputs->len; i++)
    g_string_append_printf (text, "void *%s, ", value_name (self, heddle_ids_index (self->outputs, i)));
  for (guint i = 0; i < self->axes->len; i++)
    g_string_append_printf (text, "long long %s, ", axis_name (self, heddle_ids_index (self->axes, i)));
  if (self->workspace->len > 0)
    g_string_append (text, "void *workspace, size_t workspace_bytes, ");
  g_string_append (text, "cudaStream_t stream)");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
workspace_prototype (const Module *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_printf (text, "size_t %s_workspace (", self->name);
  for (guint i = 0; i < self->axes->len; i++)
    g_string_append_printf (
        text, "%slong long %s", i ? ", " : "", axis_name (self, heddle_ids_index (self->axes, i)));
  g_string_append (text, self->axes->len > 0 ? ")" : "void)");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* How to call it, as a comment. */
static void
print_usage (Module *self, const char *mark)
{
  g_autofree char *call = prototype (self);
  const GArray *lists[] = { self->inputs, self->outputs };

  line (self, "%s %s;", mark, call);
  for (guint l = 0; l < 2; l++)
    for (guint i = 0; i < lists[l]->len; i++)
      {
        const char *value = heddle_ids_index (lists[l], i);
        g_autofree char *type = type_text (self, value);

        line (self, "%s   %s: %s, %s, row-major and contiguous, aligned to its elements", mark,
            value_name (self, value), type, l == 0 ? "read" : "written");
      }
  if (self->workspace->len > 0)
    line (self, "%s   workspace: %s_workspace (…) bytes on the device, aligned to 256", mark, self->name);
  line (self,
      "%s   returns 0, a negative code of its own or a positive cudaError_t: %s_message () says it in words.",
      mark, self->name);
}

/* --- the launcher --- */

static void
print_checks (Module *self)
{
  const GArray *lists[] = { self->inputs, self->outputs };

  for (guint i = 0; i < self->axes->len; i++)
    line (self, "  if (%s < 1)\n    return -2;", axis_name (self, heddle_ids_index (self->axes, i)));
  for (guint l = 0; l < 2; l++)
    for (guint i = 0; i < lists[l]->len; i++)
      {
        const char *value = heddle_ids_index (lists[l], i);

        line (self, "  if (%s == nullptr)\n    return -1;", value_name (self, value));
        line (self, "  if (reinterpret_cast<unsigned long long> (%s) %% %u != 0)\n    return -3;",
            value_name (self, value), heddle_dtype_bytes (dtype_of (self, value)));
      }
  if (self->workspace->len == 0)
    return;
  g_string_append_printf (
      self->out, "  if (workspace == nullptr || workspace_bytes < %s_workspace (", self->name);
  for (guint i = 0; i < self->axes->len; i++)
    g_string_append_printf (
        self->out, "%s%s", i ? ", " : "", axis_name (self, heddle_ids_index (self->axes, i)));
  line (self, "))\n    return -4;");
}

static void
print_workspace (Module *self)
{
  line (self, "  char *free_bytes = static_cast<char *> (workspace);");
  for (guint i = 0; i < self->workspace->len; i++)
    {
      const char *value = heddle_ids_index (self->workspace, i);
      g_autofree char *bytes = bytes_text (self, value);

      line (self, "  void *%s = free_bytes;", value_name (self, value));
      if (i + 1 < self->workspace->len)
        line (self, "  free_bytes += (%s + 255) / 256 * 256;", bytes);
    }
}

static void
print_launch (Module *self, const HeddleKernelText *text)
{
  g_autoptr (GString) blocks = g_string_new (text->tiles->len == 0 ? "1" : NULL);
  g_autoptr (GString) arguments = g_string_new (NULL);

  for (guint i = 0; i < text->tiles->len; i++)
    {
      const HeddleKernelTile *tile = g_ptr_array_index (text->tiles, i);
      g_autofree char *size = size_text (self, tile->axis);

      g_string_append_printf (blocks, "%s((%s + %" G_GINT64_FORMAT ") / %" G_GINT64_FORMAT ")",
          i ? " * " : "", size, tile->size - 1, tile->size);
    }
  for (guint i = 0; i < text->parameters->len; i++)
    {
      const HeddleKernelParameter *parameter = g_ptr_array_index (text->parameters, i);
      g_autofree char *size = parameter->axis ? size_text (self, parameter->axis) : NULL;

      g_string_append (arguments, i ? ", " : "");
      if (size != NULL)
        g_string_append (arguments, size);
      else
        g_string_append_printf (arguments, "static_cast<%s%s *> (%s)",
            parameter->output || is_made (self, parameter->value) ? "" : "const ",
            heddle_cuda_type (parameter->dtype), value_name (self, parameter->value));
    }
  line (self, "  {");
  line (self, "    const long long blocks = %s;", blocks->str);
  line (self, "    if (blocks > 2147483647)\n      return -5;");
  if (text->shared_bytes > 48 * 1024)
    {
      line (self,
          "    status = cudaFuncSetAttribute (%s, cudaFuncAttributeMaxDynamicSharedMemorySize, "
          "%" G_GINT64_FORMAT ");",
          text->entry, text->shared_bytes);
      line (self, "    if (status != cudaSuccess)\n      return status;");
    }
  line (self, "    %s<<<(unsigned) blocks, %u, %" G_GINT64_FORMAT ", stream>>> (%s);", text->entry,
      text->threads, text->shared_bytes, arguments->str);
  line (self, "    status = cudaGetLastError ();");
  line (self, "    if (status != cudaSuccess)\n      return status;");
  line (self, "  }");
}

static void
print_workspace_function (Module *self)
{
  g_autofree char *head = workspace_prototype (self);

  line (self, "extern \"C\" %s\n{", head);
  line (self, "  size_t bytes = 0;");
  for (guint i = 0; i < self->workspace->len; i++)
    {
      g_autofree char *bytes = bytes_text (self, heddle_ids_index (self->workspace, i));

      line (self, "  bytes += (%s + 255) / 256 * 256;", bytes);
    }
  line (self, "  return bytes;\n}\n");
}

static void
print_message_function (Module *self)
{
  static const char *const messages[] = { "done", "an array is a null pointer", "a size is less than 1",
    "an array is not aligned to its elements", "the workspace is missing or too small",
    "the sizes need more blocks than a grid has" };

  line (self, "extern \"C\" const char *%s_message (int status)\n{", self->name);
  line (self, "  switch (status)\n    {");
  for (guint i = 0; i < G_N_ELEMENTS (messages); i++)
    line (self, "    case %d:\n      return \"%s\";", -(int) i, messages[i]);
  line (self, "    default:\n      return cudaGetErrorString (static_cast<cudaError_t> (status));\n    }\n}");
}

static void
print_launcher (Module *self)
{
  g_autofree char *head = prototype (self);

  line (self, "// --- the launcher: what a host program calls; a run-time compiler of the kernel alone "
              "passes over it");
  line (self, "#ifndef __CUDACC_RTC__\n#include <cuda_runtime.h>\n");
  if (self->workspace->len > 0)
    print_workspace_function (self);
  line (self, "extern \"C\" %s\n{", head);
  line (self, "  cudaError_t status = cudaSuccess;");
  print_checks (self);
  if (self->workspace->len > 0)
    print_workspace (self);
  for (guint i = 0; i < self->texts->len; i++)
    print_launch (self, g_ptr_array_index (self->texts, i));
  line (self, "  return status;\n}\n");
  print_message_function (self);
  line (self, "#endif");
}

/* --- the files --- */

static void
print_equations (Module *self, const char *equations)
{
  g_autofree char *hash = NULL;
  g_auto (GStrv) lines = NULL;

  if (equations == NULL)
    return;
  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, equations, -1);
  lines = g_strsplit (equations, "\n", -1);
  line (self, "//\n// The diagram, sha256 %.16s:", hash);
  for (guint i = 0; lines[i] != NULL && (*lines[i] != '\0' || lines[i + 1] != NULL); i++)
    line (self, "//   %s", lines[i]);
}

static void
print_source (Module *self, const char *equations)
{
  g_autoptr (GHashTable) sections = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *prelude = NULL;

  line (self, "// %s: generated by Heddle %s from the diagram below.", self->diagram->name, HEDDLE_VERSION);
  print_equations (self, equations);
  line (self, "//\n// To call it:");
  print_usage (self, "//  ");
  line (self, "//\n// Not offered here: arrays with strides, autograd.");
  for (guint i = 0; i < self->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (self->texts, i);
      GHashTableIter iter;
      gpointer section;

      g_hash_table_iter_init (&iter, text->sections);
      while (g_hash_table_iter_next (&iter, &section, NULL))
        g_hash_table_add (sections, section);
    }
  prelude = heddle_prelude_text (sections);
  g_string_append_printf (self->out, "\n%s", prelude);
  for (guint i = 0; i < self->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (self->texts, i);

      g_string_append_printf (self->out, "\n%s\n%s", text->comment, text->kernel);
    }
  line (self, "%s", "");
  print_launcher (self);
}

static char *
make_header (Module *self)
{
  g_autofree char *head = prototype (self), *guard = g_ascii_strup (self->name, -1);
  GString *source = g_steal_pointer (&self->out);
  char *header;

  self->out = g_string_new (NULL);
  line (self, "// %s: generated by Heddle %s.", self->diagram->name, HEDDLE_VERSION);
  print_usage (self, "//");
  line (self, "#ifndef %s_H\n#define %s_H\n\n#include <cuda_runtime_api.h>\n#include <stddef.h>\n", guard,
      guard);
  line (self, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n%s;", head);
  if (self->workspace->len > 0)
    {
      g_autofree char *workspace = workspace_prototype (self);

      line (self, "%s;", workspace);
    }
  line (self, "const char *%s_message (int status);\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif", self->name);
  header = g_string_free (self->out, FALSE);
  self->out = source;
  return header;
}

static void
module_clear (Module *self)
{
  heddle_names_free (self->names);
  g_free (self->name);
  g_array_unref (self->inputs);
  g_array_unref (self->outputs);
  g_array_unref (self->workspace);
  g_array_unref (self->axes);
}

char *
heddle_codegen_module (const HeddleDiagram *diagram, GPtrArray *texts, const HeddleSizes *sizes,
    HeddleDtype dtype, const char *equations, char **header, GError **error)
{
  Module self = { .diagram = diagram,
    .sizes = sizes,
    .dtype = dtype,
    .texts = texts,
    .names = heddle_names_new (diagram, NULL),
    .name = heddle_c_identifier (diagram->name),
    .inputs = heddle_ids_new (),
    .outputs = heddle_ids_new (),
    .workspace = heddle_ids_new (),
    .axes = heddle_ids_new (),
    .out = g_string_new (NULL) };

  sort_parameters (&self);
  print_source (&self, equations);
  if (header != NULL)
    *header = make_header (&self);
  module_clear (&self);
  return g_string_free (self.out, FALSE);
}
