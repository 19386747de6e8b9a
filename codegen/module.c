/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "codegen/module.h"
#include "codegen/prelude.h"

void
heddle_module_line (HeddleModule *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_string_append_vprintf (self->out, format, arguments);
  va_end (arguments);
  g_string_append_c (self->out, '\n');
}

/* The program whose parts the axis numbers; NULL: it is an axis of the diagram. */
static const HeddleLoopProgram *
find_split (const HeddleModule *self, const char *axis)
{
  for (guint i = 0; i < self->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (self->texts, i);

      if (text->program->parts == axis)
        return text->program;
    }
  return NULL;
}

/* As the first kernel has it: no tile is larger than the axis it was made for. */
static char *
parts_text (const HeddleModule *self, const HeddleLoopProgram *split)
{
  gint64 tile = MIN (split->split_size, heddle_sizes_get (self->sizes, split->split));
  g_autofree char *size = heddle_module_size (self, split->split);

  return g_strdup_printf ("((%s + %" G_GINT64_FORMAT ") / %" G_GINT64_FORMAT ")", size, tile - 1, tile);
}

char *
heddle_module_size (const HeddleModule *self, const char *axis)
{
  const HeddleLoopProgram *split = find_split (self, axis);

  if (split != NULL)
    return parts_text (self, split);
  if (heddle_ids_contain (self->axes, axis))
    return g_strdup (heddle_names_axis (self->names, axis));
  return g_strdup_printf ("%" G_GINT64_FORMAT, heddle_sizes_get (self->sizes, axis));
}

/* --- what goes in and out --- */

static void
add_once (GArray *ids, const char *id)
{
  if (!heddle_ids_contain (ids, id))
    heddle_ids_append (ids, id);
}

static gboolean
is_made (const HeddleModule *self, const char *value)
{
  return heddle_ids_contain (self->outputs, value) || heddle_ids_contain (self->workspace, value);
}

/* A size that one kernel takes as an argument may be a constant of another: then the module has it fixed. */
static gboolean
is_fixed (const HeddleModule *self, const char *axis)
{
  for (guint i = 0; i < self->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (self->texts, i);

      if (heddle_ids_contain (text->fixed_axes, axis))
        return TRUE;
    }
  return FALSE;
}

/* Nobody in the diagram reads a partial state. */
static gboolean
is_given_back (const HeddleModule *self, const HeddleKernelText *text, const char *value)
{
  return heddle_diagram_is_output (self->diagram, value)
         && !heddle_ids_contain (text->program->partials, value);
}

static void
sort_parameters (HeddleModule *self)
{
  for (guint i = 0; i < self->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (self->texts, i);

      for (guint j = 0; j < text->parameters->len; j++)
        {
          const HeddleKernelParameter *parameter = g_ptr_array_index (text->parameters, j);

          if (parameter->axis != NULL && !is_fixed (self, parameter->axis)
              && find_split (self, parameter->axis) == NULL)
            add_once (self->axes, parameter->axis);
          else if (parameter->axis != NULL)
            continue;
          else if (parameter->output && is_given_back (self, text, parameter->value))
            add_once (self->outputs, parameter->value);
          else if (parameter->output)
            add_once (self->workspace, parameter->value);
          else if (!is_made (self, parameter->value))
            add_once (self->inputs, parameter->value);
        }
    }
}

/* --- the files --- */

static void
print_equations (HeddleModule *self, const char *equations)
{
  g_autofree char *hash = NULL;
  g_auto (GStrv) lines = NULL;

  if (equations == NULL)
    return;
  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, equations, -1);
  lines = g_strsplit (equations, "\n", -1);
  heddle_module_line (self, "//\n// The diagram, sha256 %.16s:", hash);
  for (guint i = 0; lines[i] != NULL && (*lines[i] != '\0' || lines[i + 1] != NULL); i++)
    {
      g_autofree char *text = heddle_cuda_comment (lines[i]);

      heddle_module_line (self, "//%s%s", *text ? "   " : "", text);
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
  print_equations (self, equations);
  heddle_module_line (self, "//\n// To call it:\n//");
  heddle_module_print_usage (self, "//  ");
  heddle_module_line (
      self, "//\n// To build it (CUDA %s or newer, a driver as new as that):", least_cuda (text->arch));
  heddle_module_line (self, "//   nvcc -std=c++17 -arch=%s -shared -Xcompiler -fPIC -o lib%s.so %s.cu",
      text->arch, self->name, self->name);
  heddle_module_line (self, "//\n// Not offered: arrays with strides, gradients.\n");
}

static char *
make_prelude (const HeddleModule *self)
{
  g_autoptr (GHashTable) sections = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (self->texts, i);
      GHashTableIter iter;
      gpointer section;

      g_hash_table_iter_init (&iter, text->sections);
      while (g_hash_table_iter_next (&iter, &section, NULL))
        g_hash_table_add (sections, section);
    }
  return heddle_prelude_text (sections);
}

static void
print_source (HeddleModule *self, const char *equations)
{
  g_autofree char *prelude = make_prelude (self);

  print_head (self, equations);
  g_string_append (self->out, prelude);
  for (guint i = 0; i < self->texts->len; i++)
    {
      const HeddleKernelText *text = g_ptr_array_index (self->texts, i);

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

/* The diagram with what its split kernels pass on to those that merge it. */
static HeddleDiagram *
add_partials (const HeddleDiagram *diagram, GPtrArray *texts)
{
  HeddleDiagram *all = heddle_diagram_copy (diagram);

  for (guint i = 0; i < texts->len; i++)
    {
      const HeddleLoopProgram *program = ((const HeddleKernelText *) g_ptr_array_index (texts, i))->program;

      if (program->combine == NULL)
        continue;
      heddle_diagram_add_axis (
          all, program->parts, heddle_diagram_get_axis (program->diagram, program->parts)->name, NULL);
      for (guint k = 0; k < program->partials->len; k++)
        {
          const HeddleValue *value
              = heddle_diagram_get_value (program->diagram, heddle_ids_index (program->partials, k));

          heddle_diagram_add_value (all, value->id, value->name, value->role, value->dtype, value->axes);
        }
    }
  return all;
}

static void
module_clear (HeddleModule *self)
{
  heddle_names_free (self->names);
  g_free (self->name);
  g_array_unref (self->inputs);
  g_array_unref (self->outputs);
  g_array_unref (self->workspace);
  g_array_unref (self->axes);
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
 * Returns: (transfer full): the text
 */
char *
heddle_codegen_module (const HeddleDiagram *diagram, GPtrArray *texts, const HeddleSizes *sizes,
    HeddleDtype dtype, const char *equations, char **header, GError **error)
{
  g_autoptr (HeddleDiagram) all = add_partials (diagram, texts);
  HeddleModule self = { .diagram = all,
    .sizes = sizes,
    .dtype = dtype,
    .texts = texts,
    .names = heddle_names_new (all, NULL),
    .name = heddle_c_function (diagram->name),
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
