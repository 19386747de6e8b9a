/* SPDX-License-Identifier: MIT */
#include "codegen/base/names.h"
#include "codegen/emit/duplicates.h"
#include "codegen/module/interface.h"
#include "codegen/module/python-data.h"
#include "derive/program/loop-program.h"
#include "derive/region/view.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/quote.h"
#include "diagram/graph/diagram.h"

/* This file prints what a Python module knows of its kernels, as literals. */

const char *
heddle_python_dtype (HeddleDtype dtype)
{
  static const char *const names[HEDDLE_N_DTYPES] = { [HEDDLE_DTYPE_F64] = "float64",
    [HEDDLE_DTYPE_F32] = "float32",
    [HEDDLE_DTYPE_TF32] = "float32",
    [HEDDLE_DTYPE_F16] = "float16",
    [HEDDLE_DTYPE_BF16] = "bfloat16",
    [HEDDLE_DTYPE_E4M3] = "float8_e4m3fn",
    [HEDDLE_DTYPE_E5M2] = "float8_e5m2",
    [HEDDLE_DTYPE_I64] = "int64",
    [HEDDLE_DTYPE_I32] = "int32",
    [HEDDLE_DTYPE_BOOL] = "bool" };

  return names[dtype];
}

char *
heddle_python_names (const HeddleModule *names, const GArray *axes)
{
  GString *out = g_string_new ("(");

  for (guint i = 0; i < axes->len; i++)
    g_string_append_printf (
        out, "%s\"%s\"", i > 0 ? ", " : "", heddle_names_axis (names->names, heddle_ids_index (axes, i)));
  g_string_append (out, axes->len == 1 ? ",)" : ")");
  return g_string_free (out, FALSE);
}

/* Returns the name of an axis: axes of the diagram have those of the first module; axes of split kernels have
 * their own, after a dot. */
static char *
axis_name (const HeddleModule *first, const HeddleModule *self, const char *axis)
{
  if (heddle_module_find_split (self, axis) != NULL)
    return g_strdup_printf ("parts.%s", heddle_names_axis (self->names, axis));
  return g_strdup (heddle_names_axis (first->names, axis));
}

/* Returns the name of an array: arrays of the diagram have those of the first module; arrays of the workspace
 * belong to this GPU. */
static char *
value_name (const HeddleModule *first, const HeddleModule *self, const char *value)
{
  if (heddle_ids_contain (self->workspace, value))
    return g_strdup_printf ("workspace.%s", heddle_names_value (self->names, value));
  return g_strdup (heddle_names_value (first->names, value));
}

static gboolean
is_used (const HeddleModule *self, const char *axis)
{
  for (guint i = 0; i < self->texts->len; i++)
    if (heddle_ids_contain (((HeddleKernelText *) g_ptr_array_index (self->texts, i))->fixed_axes, axis))
      return TRUE;
  return FALSE;
}

/* Prints every size that is no argument: of kernels, and of the arrays between them. */
static void
print_fixed (HeddleModule *out, const HeddleModule *first, const HeddleModule *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->diagram->axes, i);

      if (is_used (self, axis->id) && heddle_module_find_split (self, axis->id) == NULL)
        g_string_append_printf (text, "%s\"%s\": %" G_GINT64_FORMAT, text->len > 0 ? ", " : "",
            heddle_names_axis (first->names, axis->id), heddle_sizes_get (self->sizes, axis->id));
    }
  heddle_module_line (out, "        \"fixed\": {%s},", text->str);
}

static void
print_equal (HeddleModule *out, const HeddleModule *first, const HeddleModule *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint t = 0; t < self->texts->len; t++)
    {
      const GArray *pairs = ((HeddleKernelText *) g_ptr_array_index (self->texts, t))->equal_axes;

      for (guint i = 0; i + 1 < pairs->len; i += 2)
        g_string_append_printf (text, "(\"%s\", \"%s\"), ",
            heddle_names_axis (first->names, heddle_ids_index (pairs, i)),
            heddle_names_axis (first->names, heddle_ids_index (pairs, i + 1)));
    }
  heddle_module_line (out, "        \"equal\": (%s),", text->str);
}

static void
print_alignment (HeddleModule *out, const HeddleModule *first, const HeddleModule *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->inputs->len; i++)
    {
      const char *value = heddle_ids_index (self->inputs, i);

      g_string_append_printf (text, "%s\"%s\": %u", i > 0 ? ", " : "",
          heddle_names_value (first->names, value), heddle_module_alignment (self, value));
    }
  heddle_module_line (out, "        \"alignment\": {%s},", text->str);
}

/* Prints the parts of a split axis: which axis it is, and how much of it one part has. */
static void
print_parts (HeddleModule *out, const HeddleModule *first, const HeddleModule *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->texts->len; i++)
    {
      const HeddleLoopProgram *program
          = ((const HeddleKernelText *) g_ptr_array_index (self->texts, i))->program;
      g_autofree char *name = program->parts != NULL ? axis_name (first, self, program->parts) : NULL;

      if (name != NULL && heddle_module_find_split (self, program->parts) == program)
        g_string_append_printf (text, "%s\"%s\": (\"%s\", %" G_GINT64_FORMAT ")", text->len > 0 ? ", " : "",
            name, heddle_names_axis (first->names, program->split), heddle_module_split_tile (self, program));
    }
  heddle_module_line (out, "        \"parts\": {%s},", text->str);
}

static void
print_workspace (HeddleModule *out, const HeddleModule *first, const HeddleModule *self)
{
  heddle_module_line (out, "        \"workspace\": (");
  for (guint i = 0; i < self->workspace->len; i++)
    {
      const char *id = heddle_ids_index (self->workspace, i);
      const HeddleValue *value = heddle_diagram_get_value (self->diagram, id);
      g_autofree char *name = value_name (first, self, id);
      g_autoptr (GString) axes = g_string_new (NULL);

      for (guint k = 0; k < value->axes->len; k++)
        {
          g_autofree char *axis = axis_name (first, self, heddle_ids_index (value->axes, k));

          g_string_append_printf (axes, "\"%s\", ", axis);
        }
      heddle_module_line (out, "            (\"%s\", \"%s\", (%s)),", name,
          heddle_python_dtype (heddle_module_dtype (self, id)), axes->str);
    }
  heddle_module_line (out, "        ),");
}

/* Prints the place in an array at which another one lies. */
static void
print_views (HeddleModule *out, const HeddleModule *first, const HeddleModule *self)
{
  heddle_module_line (out, "        \"views\": (");
  for (guint i = 0; i < self->views->len; i++)
    {
      const HeddleOperation *view = g_ptr_array_index (self->views, i);
      const char *base = heddle_names_value (first->names, heddle_ids_index (view->operands, 0));
      g_autofree char *name = value_name (first, self, view->result);
      const HeddleView where = heddle_module_view (self, view);
      const GArray *axes = heddle_diagram_get_value (self->diagram, view->result)->axes;
      g_autofree char *begin
          = where.cut ? g_strdup_printf ("%" G_GINT64_FORMAT, where.first) : g_strdup ("None");
      g_autoptr (GString) places = g_string_new (NULL), names = g_string_new (NULL);

      for (guint k = 0; k < where.places; k++)
        g_string_append_printf (places, "%" G_GINT64_FORMAT ", ", heddle_module_view_place (view, k));
      for (guint k = 0; k < axes->len; k++)
        {
          const char *axis = heddle_ids_index (axes, k);
          g_autofree char *label = axis_name (first, self, axis);

          if (heddle_ids_contain (self->axes, axis))
            g_string_append_printf (names, "\"%s\", ", label);
          else
            g_string_append_printf (names, "%" G_GINT64_FORMAT ", ", heddle_sizes_get (self->sizes, axis));
        }
      heddle_module_line (out, "            (\"%s\", \"%s\", (%s), %s, (%s), %u),", name, base, places->str,
          begin, names->str, heddle_module_alignment (self, view->result));
    }
  heddle_module_line (out, "        ),");
}

/* --- kernels --- */

static char *
arguments_text (const HeddleModule *first, const HeddleModule *self, const HeddleKernelText *text)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < text->parameters->len; i++)
    {
      const HeddleKernelParameter *parameter = g_ptr_array_index (text->parameters, i);
      g_autofree char *name = parameter->axis != NULL ? axis_name (first, self, parameter->axis)
                                                      : value_name (first, self, parameter->value);

      g_string_append_printf (out, "(\"%s\", \"%s\"), ", parameter->axis != NULL ? "size" : "array", name);
    }
  return g_string_free (out, FALSE);
}

/* Returns the tensor maps, which follow the arguments, each of an array with the sides of its box. */
static char *
maps_text (const HeddleModule *first, const HeddleModule *self, const HeddleKernelText *text)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < text->maps->len; i++)
    {
      const HeddleKernelMap *map = g_ptr_array_index (text->maps, i);
      g_autofree char *box = heddle_kernel_map_box (map), *name = value_name (first, self, map->value);

      g_string_append_printf (out, "(\"%s\", (", name);
      for (guint k = 0; k < map->n; k++)
        {
          g_autofree char *axis = axis_name (first, self, map->axes[k]);

          g_string_append_printf (out, "\"%s\", ", axis);
        }
      g_string_append_printf (out, "), (%s)), ", box);
    }
  return g_string_free (out, FALSE);
}

static char *
grid_text (const HeddleModule *first, const HeddleModule *self, const HeddleKernelText *text)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < text->tiles->len; i++)
    {
      const HeddleKernelTile *tile = g_ptr_array_index (text->tiles, i);
      g_autofree char *name = axis_name (first, self, tile->axis);

      g_string_append_printf (out, "(\"%s\", %" G_GINT64_FORMAT "), ", name, tile->size);
    }
  return g_string_free (out, FALSE);
}

/* Returns binary code as text: packed by zlib, then base64. */
static char *
pack (GBytes *code)
{
  g_autoptr (GZlibCompressor) packer = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, 9);
  g_autoptr (GInputStream) bytes = g_memory_input_stream_new_from_bytes (code);
  g_autoptr (GInputStream) packed = g_converter_input_stream_new (bytes, G_CONVERTER (packer));
  g_autoptr (GOutputStream) kept = g_memory_output_stream_new_resizable ();

  g_output_stream_splice (kept, packed, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, NULL);
  return g_base64_encode (g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (kept)),
      g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (kept)));
}

#define CODE_WIDTH 120

static void
print_code (HeddleModule *out, GBytes *code)
{
  g_autofree char *text = pack (code);

  heddle_module_line (out, "                \"code\": (");
  for (const char *p = text; *p != '\0'; p += MIN (strlen (p), CODE_WIDTH))
    heddle_module_line (out, "                    \"%.*s\"", CODE_WIDTH, p);
  heddle_module_line (out, "                ),");
}

static void
print_kernel (HeddleModule *out, const HeddleModule *first, const HeddleModule *self,
    const HeddleKernelText *text, GBytes *code)
{
  g_autofree char *grid = grid_text (first, self, text), *arguments = arguments_text (first, self, text);
  g_autofree char *maps = maps_text (first, self, text);

  heddle_module_line (out,
      "            {\n                \"entry\": \"%s\",\n                \"threads\": %u,\n"
      "                \"shared\": %" G_GINT64_FORMAT ",",
      heddle_kernel_text_entry (text), text->threads, text->shared_bytes);
  heddle_module_line (
      out, "                \"grid\": (%s),\n                \"arguments\": (%s),", grid, arguments);
  if (*maps)
    heddle_module_line (out, "                \"maps\": (%s),", maps);
  if (text->duplicate_of == NULL)
    print_code (out, code);
  heddle_module_line (out, "            },");
}

/* Prints the capability of an architecture, as (9, 0) for sm_90a. */
static void
print_capability (HeddleModule *out, const char *arch)
{
  gint64 number = g_ascii_strtoll (arch + strlen ("sm_"), NULL, 10);

  heddle_module_line (out, "        \"arch\": \"%s\",\n        \"capability\": (%d, %d),", arch,
      (int) number / 10, (int) number % 10);
}

void
heddle_python_print_gpu (
    HeddleModule *out, const HeddleModule *first, const HeddleModule *self, const HeddleGpuKernels *kernels)
{
  const HeddleKernelText *text = g_ptr_array_index (self->texts, 0);
  g_autofree char *title = heddle_quote_python (kernels->plan->machine->title);

  heddle_module_line (out, "    {\n        \"gpu\": %s,", title);
  print_capability (out, text->arch);
  print_fixed (out, first, self);
  print_equal (out, first, self);
  print_alignment (out, first, self);
  print_parts (out, first, self);
  print_workspace (out, first, self);
  print_views (out, first, self);
  heddle_module_line (out, "        \"kernels\": (");
  for (guint i = 0; i < self->texts->len; i++)
    print_kernel (
        out, first, self, g_ptr_array_index (self->texts, i), g_ptr_array_index (kernels->cubins, i));
  heddle_module_line (out, "        ),\n    },");
}
