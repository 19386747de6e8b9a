/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "codegen/base/codegen.h"
#include "codegen/base/names.h"
#include "codegen/module/interface.h"
#include "codegen/module/module.h"
#include "codegen/module/python-data.h"
#include "codegen/module/python-size.h"
#include "codegen/module/python.h"
#include "derive/region/view.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/quote.h"
#include "codegen/device-resource.h"

/* A Python module in one file: an operator of PyTorch with its kernels inside, for one GPU or several. */

/* The words of Python, and those of its own functions that the module calls or may come to call. */
static const char *const taken[] = { "False", "None", "True", "and", "as", "assert", "async", "await",
  "break", "class", "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global",
  "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
  "with", "yield", "abs", "all", "any", "bool", "bytes", "dict", "divmod", "enumerate", "filter", "float",
  "frozenset", "getattr", "hasattr", "hash", "id", "int", "isinstance", "issubclass", "iter", "len", "list",
  "map", "max", "min", "next", "object", "pow", "print", "property", "range", "repr", "reversed", "round",
  "set", "setattr", "slice", "sorted", "str", "sum", "super", "tuple", "type", "vars", "zip", "Exception",
  "OSError", "RuntimeError", "TypeError", "ValueError", "self", NULL };

/* Returns a name that is no word of Python. No identifier of generated code ends in an underscore, so one
 * that does is free. */
static char *
python_word (const char *name)
{
  return g_strconcat (name, g_strv_contains (taken, name) ? "_" : "", NULL);
}

typedef struct
{
  const HeddleDiagram *diagram;
  GPtrArray *gpus; /* of HeddleGpuKernels */
  HeddleModule *modules; /* one for each; lines go to the first */
  GArray *extra; /* axes that no array read has */
  GArray *derived; /* those that follow from others */
} Python;

/* --- the interface --- */

static gboolean
is_read (const HeddleModule *module, const char *axis)
{
  for (guint i = 0; i < module->inputs->len; i++)
    if (heddle_ids_contain (
            heddle_diagram_get_value (module->diagram, heddle_ids_index (module->inputs, i))->axes, axis))
      return TRUE;
  return FALSE;
}

/* Sorts the sizes that are arguments: they are those of arrays that are read, follow from others, or must be
 * given. */
static void
sort_axes (Python *self)
{
  const HeddleModule *module = &self->modules[0];
  g_autoptr (GArray) known = heddle_ids_new ();

  for (guint i = 0; i < module->diagram->axes->len; i++)
    {
      const char *axis = ((HeddleAxis *) g_ptr_array_index (module->diagram->axes, i))->id;

      if (is_read (module, axis) || !heddle_ids_contain (module->axes, axis))
        heddle_ids_append (known, axis);
    }
  for (guint i = 0; i < module->axes->len; i++)
    {
      const char *axis = heddle_ids_index (module->axes, i);
      g_autofree char *size = heddle_python_size (module, axis, known);

      if (size != NULL)
        heddle_ids_append (self->derived, axis);
      else if (!is_read (module, axis))
        heddle_ids_append (self->extra, axis);
      heddle_ids_append (known, axis);
    }
}

/* Checks that every GPU's kernels read and give back the same arrays. */
static gboolean
check_interfaces (const Python *self, GError **error)
{
  for (guint i = 1; i < self->gpus->len; i++)
    for (guint l = 0; l < 2; l++)
      {
        const GArray *ours = l == 0 ? self->modules[0].inputs : self->modules[0].outputs;
        const GArray *theirs = l == 0 ? self->modules[i].inputs : self->modules[i].outputs;
        gboolean good = ours->len == theirs->len;

        for (guint k = 0; good && k < ours->len; k++)
          good = heddle_ids_contain (theirs, heddle_ids_index (ours, k));
        if (!good)
          {
            g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
                _ ("the kernels for two GPUs read different arrays: export a file for each"));
            return FALSE;
          }
      }
  return TRUE;
}

static void
print_arrays (HeddleModule *module, const char *title, const GArray *values)
{
  heddle_module_line (module, "%s = (", title);
  for (guint i = 0; i < values->len; i++)
    {
      const char *id = heddle_ids_index (values, i);
      g_autofree char *axes
          = heddle_python_names (module, heddle_diagram_get_value (module->diagram, id)->axes);

      heddle_module_line (module, "    (\"%s\", \"%s\", %s),", heddle_names_value (module->names, id),
          heddle_python_dtype (heddle_module_dtype (module, id)), axes);
    }
  heddle_module_line (module, ")");
}

/* Prints the sizes with which the kernels were planned, of the axes of what is read, in the order of the
 * arrays. */
static void
print_planned_sizes (HeddleModule *module)
{
  g_autoptr (GArray) seen = heddle_ids_new ();

  heddle_module_line (module, "_SIZES = (");
  for (guint i = 0; i < module->inputs->len; i++)
    {
      const HeddleValue *value
          = heddle_diagram_get_value (module->diagram, heddle_ids_index (module->inputs, i));

      for (guint k = 0; k < value->axes->len; k++)
        {
          const char *axis = heddle_ids_index (value->axes, k);

          if (heddle_ids_contain (seen, axis))
            continue;
          heddle_ids_append (seen, axis);
          heddle_module_line (module, "    (\"%s\", %" G_GINT64_FORMAT "),",
              heddle_names_axis (module->names, axis), heddle_sizes_get (module->sizes, axis));
        }
    }
  heddle_module_line (module, ")  # that the kernels were planned for; not what they are called with");
}

static void
print_sizes (const Python *self)
{
  HeddleModule *module = &self->modules[0];
  g_autofree char *extra = heddle_python_names (module, self->extra);

  print_planned_sizes (module);
  heddle_module_line (module, "_EXTRA = %s", extra);
  heddle_module_line (module, "_DERIVED = (");
  for (guint i = 0; i < self->derived->len; i++)
    {
      const char *axis = heddle_ids_index (self->derived, i);
      g_autoptr (GArray) all = heddle_ids_new ();
      g_autofree char *size = NULL;

      for (guint k = 0; k < module->diagram->axes->len; k++)
        heddle_ids_append (all, ((HeddleAxis *) g_ptr_array_index (module->diagram->axes, k))->id);
      size = heddle_python_size (module, axis, all);
      heddle_module_line (
          module, "    (\"%s\", lambda sizes: %s),", heddle_names_axis (module->names, axis), size);
    }
  heddle_module_line (module, ")");
}

/* Returns the schema "(Tensor a0, SymInt a1) -> (Tensor, Tensor)": names play no part in it. */
static char *
schema_text (const Python *self)
{
  const HeddleModule *module = &self->modules[0];
  GString *text = g_string_new ("(");
  guint n = 0;

  for (guint i = 0; i < module->inputs->len; i++, n++)
    g_string_append_printf (text, "%sTensor a%u", n > 0 ? ", " : "", n);
  for (guint i = 0; i < self->extra->len; i++, n++)
    g_string_append_printf (text, "%sSymInt a%u", n > 0 ? ", " : "", n);
  g_string_append (text, module->outputs->len == 1 ? ") -> " : ") -> (");
  for (guint i = 0; i < module->outputs->len; i++)
    g_string_append (text, i > 0 ? ", Tensor" : "Tensor");
  g_string_append (text, module->outputs->len == 1 ? "" : ")");
  return g_string_free (text, FALSE);
}

/* Adds to the checksum where the kernels read in given arrays: those of one layer are those of the next. */
static void
add_views (GChecksum *sum, const HeddleModule *module)
{
  for (guint i = 0; i < module->views->len; i++)
    {
      const HeddleOperation *view = g_ptr_array_index (module->views, i);
      const HeddleView where = heddle_module_view (module, view);

      for (guint k = 0; k <= where.places; k++)
        {
          g_autofree char *place = g_strdup_printf ("%u %" G_GINT64_FORMAT "\n", i,
              k < where.places ? heddle_module_view_place (view, k) : where.first);

          g_checksum_update (sum, (const guchar *) place, -1);
        }
    }
}

/* Returns a hash of everything that makes up the operator: two files of one diagram may be loaded
 * together. */
static char *
operator_hash (const Python *self)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);

  for (guint i = 0; i < self->gpus->len; i++)
    {
      const HeddleGpuKernels *kernels = g_ptr_array_index (self->gpus, i);

      for (guint k = 0; k < kernels->texts->len; k++)
        {
          const HeddleKernelText *text = g_ptr_array_index (kernels->texts, k);

          g_checksum_update (sum, (const guchar *) text->arch, -1);
          g_checksum_update (sum, (const guchar *) text->device, -1);
        }
      add_views (sum, &self->modules[i]);
    }
  return g_strndup (g_checksum_get_string (sum), 16);
}

/* --- the file --- */

/* Prints the comment above a CUDA kernel as one of Python. */
static void
print_derivation (HeddleModule *module, const HeddleKernelText *text)
{
  g_auto (GStrv) lines = g_strsplit (text->comment, "\n", -1);

  heddle_module_line (module, "#");
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "//"))
      heddle_module_line (module, "#%s", lines[i] + 2);
}

static void
print_head (const Python *self, const char *equations)
{
  HeddleModule *module = &self->modules[0];
  g_autofree char *name = heddle_quote_comment (self->diagram->name);

  heddle_module_line (module, "# %s: made by Heddle %s from the diagram below.", name, HEDDLE_VERSION);
  heddle_module_print_equations (module, equations, "#");
  for (guint i = 0; i < self->gpus->len; i++)
    {
      const HeddleGpuKernels *kernels = g_ptr_array_index (self->gpus, i);

      for (guint k = 0; k < kernels->texts->len; k++)
        if (((const HeddleKernelText *) g_ptr_array_index (kernels->texts, k))->duplicate_of == NULL)
          print_derivation (module, g_ptr_array_index (kernels->texts, k));
    }
}

/* Returns the parameters as (Q, K, V, *, n=4096): an axis that no array has is as long as planned, unless it
 * is given. */
static char *
parameters_text (const Python *self)
{
  const HeddleModule *module = &self->modules[0];
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < module->inputs->len; i++)
    {
      g_autofree char *word
          = python_word (heddle_names_value (module->names, heddle_ids_index (module->inputs, i)));

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", word);
    }
  for (guint i = 0; i < self->extra->len; i++)
    {
      const char *axis = heddle_ids_index (self->extra, i);
      g_autofree char *word = python_word (heddle_names_axis (module->names, axis));

      g_string_append_printf (text, "%s%s%s=%" G_GINT64_FORMAT, text->len > 0 ? ", " : "",
          i == 0 ? "*, " : "", word, heddle_sizes_get (module->sizes, axis));
    }
  return g_string_free (text, FALSE);
}

/* Returns the names as (Q, K, V,). */
static char *
tuple_text (const HeddleModule *module, const GArray *ids, gboolean axes)
{
  GString *text = g_string_new ("(");

  for (guint i = 0; i < ids->len; i++)
    {
      const char *id = heddle_ids_index (ids, i);
      g_autofree char *word = python_word (
          axes ? heddle_names_axis (module->names, id) : heddle_names_value (module->names, id));

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", word);
    }
  g_string_append (text, ids->len == 1 ? ",)" : ")");
  return g_string_free (text, FALSE);
}

static void
print_types (HeddleModule *module, const GArray *values, const char *verb)
{
  for (guint i = 0; i < values->len; i++)
    {
      const char *id = heddle_ids_index (values, i);
      g_autofree char *type = heddle_module_type_text (module, id);

      heddle_module_line (module, "      %s: %s, %s", heddle_names_value (module->names, id), type, verb);
    }
}

static void
print_function (const Python *self)
{
  HeddleModule *module = &self->modules[0];
  g_autofree char *name = python_word (module->name), *parameters = parameters_text (self);
  g_autofree char *arrays = tuple_text (module, module->inputs, FALSE),
                  *extra = tuple_text (module, self->extra, TRUE);

  heddle_module_line (module,
      "\n\ndef %s(%s):\n    \"\"\"Computes on the current stream, and does not wait for it.\n", name,
      parameters);
  print_types (module, module->inputs, "read");
  print_types (module, module->outputs, "returned");
  heddle_module_line (module,
      "\n    Arrays are tensors on one GPU, row-major without gaps. Others are refused with words.\n"
      "    Works under torch.compile. A CUDA graph can capture a call once another one loaded the kernels\n"
      "    on that GPU: it waits for nothing, and takes memory from PyTorch alone. What a call works out of\n"
      "    shapes and addresses is kept for the next ones, from whichever thread. Not offered: gradients,\n"
      "    strides, batches of arrays with lengths of their own.\n    \"\"\"\n    return _call(%s, %s)",
      arrays, extra);
}

static void
print_runtime (HeddleModule *module)
{
  g_autoptr (GBytes) file = g_resource_lookup_data (heddle_device_get_resource (),
      "/io/github/heddle/Heddle/device/module.py", G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  g_autofree char *text = g_strndup (g_bytes_get_data (file, NULL), g_bytes_get_size (file));

  g_string_append (module->out, strstr (text, "# --- what runs them"));
}

static void
print (const Python *self, const char *equations)
{
  HeddleModule *module = &self->modules[0];
  g_autofree char *hash = operator_hash (self), *schema = schema_text (self);

  print_head (self, equations);
  heddle_module_line (module,
      "\nimport base64 as _base64\nimport ctypes as _ctypes\nimport threading as _threading\nimport zlib as "
      "_zlib\n\n"
      "import torch as _torch\n\n# --- what the kernels are ---\n\n_NAME = \"%s\"\n"
      "_OPERATOR = \"heddle::%s_%s\"\n_SCHEMA = \"%s\"",
      module->name, module->name, hash, schema);
  print_arrays (module, "_INPUTS", module->inputs);
  print_arrays (module, "_OUTPUTS", module->outputs);
  print_sizes (self);
  heddle_module_line (module, "_GPUS = (");
  for (guint i = 0; i < self->gpus->len; i++)
    heddle_python_print_gpu (module, module, &self->modules[i], g_ptr_array_index (self->gpus, i));
  heddle_module_line (module, ")\n");
  print_runtime (module);
  print_function (self);
}

/**
 * heddle_codegen_python:
 * @gpus: (element-type HeddleGpuKernels): the kernels of @diagram, compiled, for each GPU
 * @equations: (nullable): the diagram as text, for the head comment
 *
 * Puts a Python module together: one file with an operator of PyTorch, which checks its arguments, picks the kernels of the device they are
 * on and starts them by NVIDIA's driver.
 *
 * Returns: (transfer full): the text; %NULL where two GPUs' kernels do not have one interface
 */
char *
heddle_codegen_python (const HeddleDiagram *diagram, GPtrArray *gpus, const char *equations, GError **error)
{
  Python self = { diagram, gpus, g_new0 (HeddleModule, gpus->len), heddle_ids_new (), heddle_ids_new () };
  char *text = NULL;

  for (guint i = 0; i < gpus->len; i++)
    {
      const HeddleGpuKernels *kernels = g_ptr_array_index (gpus, i);

      heddle_module_init (
          &self.modules[i], kernels->plan->whole, kernels->texts, kernels->plan->sizes, kernels->plan->dtype);
    }
  sort_axes (&self);
  if (check_interfaces (&self, error))
    {
      print (&self, equations);
      text = g_string_free (g_steal_pointer (&self.modules[0].out), FALSE);
    }
  for (guint i = 0; i < gpus->len; i++)
    {
      if (self.modules[i].out != NULL)
        g_string_free (self.modules[i].out, TRUE);
      heddle_module_clear (&self.modules[i]);
    }
  g_array_unref (self.extra);
  g_array_unref (self.derived);
  g_free (self.modules);
  return text;
}
