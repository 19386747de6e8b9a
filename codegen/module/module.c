/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "codegen/cuda/text.h"
#include "codegen/emit/device-text.h"
#include "codegen/module/interface.h"
#include "codegen/module/module.h"
#include "derive/derivation/derive.h"
#include "derive/region/view.h"
#include "diagram/base/quote.h"
#include "codegen/base/prelude.h"
#include "codegen/cuda/axes.h"
#include "codegen/emit/duplicates.h"
#include "diagram/analysis/sizes.h"

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
      g_autofree char *text = heddle_quote_comment (lines[i]);

      heddle_module_line (self, "%s%s%s", mark, *text ? "   " : "", text);
    }
}

/* Returns the oldest CUDA that knows an architecture. */
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

static void module_print_usage (HeddleModule *self, const char *mark);

static void
print_head (HeddleModule *self, const char *equations)
{
  const HeddleKernelText *text = g_ptr_array_index (self->texts, 0);
  g_autofree char *name = heddle_quote_comment (self->diagram->name);

  heddle_module_line (self, "// %s: made by Heddle %s from the diagram below.", name, HEDDLE_VERSION);
  heddle_module_print_equations (self, equations, "//");
  heddle_module_line (self, "//\n// To call it:\n//");
  module_print_usage (self, "//  ");
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

static char *module_workspace_prototype (const HeddleModule *self);
static char *module_prototype (const HeddleModule *self);

static char *
make_header (HeddleModule *self)
{
  g_autofree char *head = module_prototype (self), *guard = g_ascii_strup (self->name, -1);
  GString *source = g_steal_pointer (&self->out);
  char *header;

  self->out = g_string_new (NULL);
  heddle_module_line (self, "// %s: made by Heddle %s.", self->name, HEDDLE_VERSION);
  module_print_usage (self, "//");
  heddle_module_line (self,
      "#ifndef %s_H\n#define %s_H\n\n#include <cuda_runtime_api.h>\n#include <stddef.h>\n", guard, guard);
  heddle_module_line (self, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\nint %s;", head);
  if (self->workspace->len > 0)
    {
      g_autofree char *workspace = module_workspace_prototype (self);

      heddle_module_line (self, "size_t %s;", workspace);
    }
  heddle_module_line (
      self, "const char *%s_message (int status);\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif", self->name);
  header = g_string_free (self->out, FALSE);
  self->out = source;
  return header;
}

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

/* The launcher: one function in C that checks its arguments and starts the kernels in order. */

#define WORKSPACE_ALIGNMENT 256

/* The status that the launcher returns if it starts nothing: minus the place in this list. */
enum
{
  STATUS_DONE,
  STATUS_NULL,
  STATUS_SIZE,
  STATUS_ALIGNMENT,
  STATUS_WORKSPACE,
  STATUS_BLOCKS,
  STATUS_UNEQUAL,
  STATUS_MAP,
  STATUS_LENGTH,
  N_STATUSES
};

static const char *const messages[N_STATUSES]
    = { "done", "an array is a null pointer", "a size is less than 1",
        "an array is not aligned as it has to be", "the workspace is missing, misaligned or too small",
        "the sizes need more blocks than a grid has", "two sizes that have to agree differ",
        "the driver makes no tensor map of an array: it wants CUDA 12 or newer, and a GPU that has them",
        "an axis of an array that the copy hardware brings is longer than 2147483647" };

static const char *
axis_name (const HeddleModule *self, const char *axis)
{
  return heddle_names_axis (self->names, axis);
}

static const char *
value_name (const HeddleModule *self, const char *value)
{
  return heddle_names_value (self->names, value);
}

static GPtrArray *
list_new (void)
{
  return g_ptr_array_new_with_free_func (g_free);
}

/* --- what it looks like --- */

/* Adds the sizes as "long long y", or "y" alone. */
static void
add_sizes (const HeddleModule *self, GPtrArray *list, const char *type)
{
  for (guint i = 0; i < self->axes->len; i++)
    g_ptr_array_add (
        list, g_strdup_printf ("%s%s", type, axis_name (self, heddle_ids_index (self->axes, i))));
}

/* Returns the declaration of the launcher in C without its return type; newly allocated, perhaps of several
 * lines. */
static char *
module_prototype (const HeddleModule *self)
{
  g_autoptr (GPtrArray) list = list_new ();
  g_autofree char *head = g_strdup_printf ("%s (", self->name);

  for (guint i = 0; i < self->inputs->len; i++)
    g_ptr_array_add (
        list, g_strdup_printf ("const void *%s", value_name (self, heddle_ids_index (self->inputs, i))));
  for (guint i = 0; i < self->outputs->len; i++)
    g_ptr_array_add (
        list, g_strdup_printf ("void *%s", value_name (self, heddle_ids_index (self->outputs, i))));
  add_sizes (self, list, "long long ");
  if (self->workspace->len > 0)
    {
      g_ptr_array_add (list, g_strdup ("void *workspace"));
      g_ptr_array_add (list, g_strdup ("size_t workspace_bytes"));
    }
  g_ptr_array_add (list, g_strdup ("cudaStream_t stream"));
  return heddle_cuda_wrap (head, list, ", ", ")");
}

/* Returns the declaration of the function that returns the bytes of workspace, without its return type; newly
 * allocated. */
static char *
module_workspace_prototype (const HeddleModule *self)
{
  g_autoptr (GPtrArray) list = list_new ();
  g_autofree char *head = g_strdup_printf ("%s_workspace (", self->name);

  add_sizes (self, list, "long long ");
  return heddle_cuda_wrap (head, list, ", ", self->axes->len > 0 ? ")" : "void)");
}

char *
heddle_module_type_text (const HeddleModule *self, const char *value)
{
  const HeddleValue *v = heddle_diagram_get_value (self->diagram, value);
  g_autoptr (GString) text = g_string_new (heddle_dtype_to_string (heddle_module_dtype (self, value)));

  g_string_append_c (text, '[');
  for (guint i = 0; i < v->axes->len; i++)
    {
      const char *axis = heddle_ids_index (v->axes, i);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", axis_name (self, axis));
      if (!heddle_ids_contain (self->axes, axis))
        g_string_append_printf (text, "=%" G_GINT64_FORMAT, heddle_sizes_get (self->sizes, axis));
    }
  g_string_append_c (text, ']');
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static char *
alignment_text (const HeddleModule *self, const char *value)
{
  guint bytes = heddle_module_alignment (self, value);

  return bytes > heddle_dtype_bytes (heddle_module_dtype (self, value))
             ? g_strdup_printf (", aligned to %u bytes", bytes)
             : g_strdup ("");
}

/* Prints how the launcher is called, what its arrays are and what it returns, in comment lines that begin with
 * @mark. */
static void
module_print_usage (HeddleModule *self, const char *mark)
{
  g_autofree char *call = module_prototype (self);
  g_auto (GStrv) lines = g_strsplit (call, "\n", -1);
  const GArray *lists[] = { self->inputs, self->outputs };

  for (guint i = 0; lines[i] != NULL; i++)
    heddle_module_line (
        self, "%s %s%s%s", mark, i == 0 ? "int " : "", lines[i], lines[i + 1] == NULL ? ";" : "");
  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (guint i = 0; i < lists[l]->len; i++)
      {
        const char *value = heddle_ids_index (lists[l], i);
        g_autofree char *type = heddle_module_type_text (self, value),
                        *aligned = alignment_text (self, value);

        heddle_module_line (self, "%s   %s: %s, %s%s", mark, value_name (self, value), type,
            l == 0 ? "read" : "written", aligned);
      }
  if (self->workspace->len > 0)
    heddle_module_line (self, "%s   workspace: %s_workspace () bytes on the device, aligned to %d", mark,
        self->name, WORKSPACE_ALIGNMENT);
  heddle_module_line (
      self, "%s Arrays are on the current device, row-major, without gaps, aligned to their elements.", mark);
  heddle_module_line (self,
      "%s It returns 0, a negative code of its own or a positive cudaError_t; %s_message () has words for "
      "each.",
      mark, self->name);
}

/* --- checks --- */

/* Prints if (a || b) return -code; */
static void
print_check (HeddleModule *self, GPtrArray *conditions, int status)
{
  g_autofree char *text = NULL;

  if (conditions->len == 0)
    return;
  text = heddle_cuda_wrap ("  if (", conditions, " || ", ")");
  heddle_module_line (self, "%s\n    return -%d;", text, status);
}

static void
check_sizes (HeddleModule *self)
{
  g_autoptr (GPtrArray) small = list_new (), unequal = list_new ();

  for (guint i = 0; i < self->axes->len; i++)
    g_ptr_array_add (small, g_strdup_printf ("%s < 1", axis_name (self, heddle_ids_index (self->axes, i))));
  print_check (self, small, STATUS_SIZE);
  for (guint t = 0; t < self->texts->len; t++)
    {
      const HeddleKernelText *text = g_ptr_array_index (self->texts, t);

      for (guint i = 0; i + 1 < text->equal_axes->len; i += 2)
        {
          const char *one = heddle_ids_index (text->equal_axes, i);
          const char *other = heddle_ids_index (text->equal_axes, i + 1);
          g_autofree char *a = heddle_module_size (self, one), *b = heddle_module_size (self, other);

          if (heddle_ids_contain (self->axes, one) || heddle_ids_contain (self->axes, other))
            g_ptr_array_add (unequal, g_strdup_printf ("%s != %s", a, b));
        }
    }
  print_check (self, unequal, STATUS_UNEQUAL);
}

static gboolean
is_in_map (const HeddleModule *self, const char *axis)
{
  for (guint i = 0; i < self->texts->len; i++)
    {
      const GPtrArray *maps = ((const HeddleKernelText *) g_ptr_array_index (self->texts, i))->maps;

      for (guint k = 0; k < maps->len; k++)
        {
          const HeddleKernelMap *map = g_ptr_array_index (maps, k);

          for (guint a = 0; a < map->n; a++)
            if (map->axes[a] == axis)
              return TRUE;
        }
    }
  return FALSE;
}

/* Prints the checks of lengths: the copy hardware counts along an axis with 32 bits and a sign. */
static void
check_lengths (HeddleModule *self)
{
  g_autoptr (GPtrArray) conditions = list_new ();

  for (guint i = 0; i < self->axes->len; i++)
    if (is_in_map (self, heddle_ids_index (self->axes, i)))
      g_ptr_array_add (conditions,
          g_strdup_printf ("%s > %d", axis_name (self, heddle_ids_index (self->axes, i)), G_MAXINT32));
  print_check (self, conditions, STATUS_LENGTH);
}

static void
check_arrays (HeddleModule *self)
{
  g_autoptr (GPtrArray) missing = list_new (), misaligned = list_new ();
  const GArray *lists[] = { self->inputs, self->outputs };

  for (guint l = 0; l < G_N_ELEMENTS (lists); l++)
    for (guint i = 0; i < lists[l]->len; i++)
      {
        const char *value = heddle_ids_index (lists[l], i), *name = value_name (self, value);
        guint bytes = heddle_module_alignment (self, value);

        g_ptr_array_add (missing, g_strdup_printf ("!%s", name));
        if (bytes > 1)
          g_ptr_array_add (misaligned, g_strdup_printf ("(size_t) %s %% %u", name, bytes));
      }
  print_check (self, missing, STATUS_NULL);
  print_check (self, misaligned, STATUS_ALIGNMENT);
}

static void
check_workspace (HeddleModule *self)
{
  g_autoptr (GPtrArray) sizes = list_new (), conditions = list_new ();
  g_autofree char *head = g_strdup_printf ("workspace_bytes < %s_workspace (", self->name);

  if (self->workspace->len == 0)
    return;
  add_sizes (self, sizes, "");
  g_ptr_array_add (conditions, g_strdup ("!workspace"));
  g_ptr_array_add (conditions, g_strdup_printf ("(size_t) workspace %% %d", WORKSPACE_ALIGNMENT));
  g_ptr_array_add (conditions, heddle_cuda_wrap (head, sizes, ", ", ")"));
  print_check (self, conditions, STATUS_WORKSPACE);
}

/* --- what is read where it lies --- */

/* Returns the number of elements before the part that is read, in Horner's form over the axes' sizes; NULL if
 * there are none. */
static char *
offset_text (const HeddleModule *self, const HeddleOperation *view)
{
  const HeddleValue *base = heddle_diagram_get_value (self->diagram, heddle_ids_index (view->operands, 0));
  const HeddleView where = heddle_module_view (self, view);
  const guint n = where.places + (where.first > 0 ? 1 : 0);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      const gint64 place = i < where.places ? heddle_module_view_place (view, i) : where.first;
      g_autofree char *size = i > 0 ? heddle_module_size (self, heddle_ids_index (base->axes, i)) : NULL;
      g_autofree char *before = g_strdup (text->str);

      g_string_printf (text, i == 0 ? "%s%s(size_t) %" G_GINT64_FORMAT : "(%s * %s + %" G_GINT64_FORMAT ")",
          before, size != NULL ? size : "", place);
    }
  for (guint i = n; n > 0 && i < base->axes->len; i++)
    {
      g_autofree char *size = heddle_module_size (self, heddle_ids_index (base->axes, i));

      g_string_append_printf (text, " * %s", size);
    }
  return n > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* Returns the product of the sizes of the axes from @first on, or "1"; @some says whether one is an argument. */
static char *
elements_text (const HeddleModule *self, const GArray *axes, guint first, gboolean *some)
{
  GString *text = g_string_new (first < axes->len ? NULL : "1");

  for (guint i = first; i < axes->len; i++)
    {
      g_autofree char *size = heddle_module_size (self, heddle_ids_index (axes, i));

      *some |= heddle_ids_contain (self->axes, heddle_ids_index (axes, i));
      g_string_append_printf (text, "%s%s", i > first ? " * " : "", size);
    }
  return g_string_free (text, FALSE);
}

/* Checks that axes which are read as others still go through the same elements. */
static void
check_views (HeddleModule *self)
{
  g_autoptr (GPtrArray) conditions = list_new ();

  for (guint i = 0; i < self->views->len; i++)
    {
      const HeddleOperation *view = g_ptr_array_index (self->views, i);
      const HeddleView where = heddle_module_view (self, view);
      const GArray *base
          = heddle_diagram_get_value (self->diagram, heddle_ids_index (view->operands, 0))->axes;
      gboolean some = FALSE;
      g_autofree char *there = elements_text (self, base, where.places, &some),
                      *read = elements_text (
                          self, heddle_diagram_get_value (self->diagram, view->result)->axes, 0, &some),
                      *behind = elements_text (self, base, where.places + 1, &some);

      if (!where.regrouped || !some)
        continue;
      if (!where.cut)
        g_ptr_array_add (conditions, g_strdup_printf ("%s != %s", read, there));
      else
        g_ptr_array_add (conditions,
            g_strdup_printf ("%" G_GINT64_FORMAT " * %s + %s > %s", where.first, behind, read, there));
    }
  print_check (self, conditions, STATUS_UNEQUAL);
}

/* Prints a pointer into an array that is given, and checks that it is aligned as its kernels want it. */
static void
print_views (HeddleModule *self)
{
  for (guint i = 0; i < self->views->len; i++)
    {
      const HeddleOperation *view = g_ptr_array_index (self->views, i);
      const char *base = value_name (self, heddle_ids_index (view->operands, 0)),
                 *name = value_name (self, view->result),
                 *type = heddle_cuda_type (heddle_module_dtype (self, view->result));
      guint bytes = heddle_module_alignment (self, view->result);
      g_autofree char *offset = offset_text (self, view);

      heddle_module_line (self, "  const %s *%s = static_cast<const %s *> (%s)%s%s;", type, name, type, base,
          offset != NULL ? " + " : "", offset != NULL ? offset : "");
      if (bytes > heddle_dtype_bytes (heddle_module_dtype (self, view->result)))
        heddle_module_line (self, "  if ((size_t) %s %% %u)\n    return -%d;", name, bytes, STATUS_ALIGNMENT);
    }
}

static gboolean
is_viewed (const HeddleModule *self, const char *value)
{
  for (guint i = 0; i < self->views->len; i++)
    if (((const HeddleOperation *) g_ptr_array_index (self->views, i))->result == value)
      return TRUE;
  return FALSE;
}

/* --- the workspace --- */

/* Returns the bytes of an array as y * k * 2, rounded up. */
static char *
bytes_text (const HeddleModule *self, const char *value)
{
  const HeddleValue *v = heddle_diagram_get_value (self->diagram, value);
  g_autoptr (GString) text = g_string_new ("((size_t) ");

  for (guint i = 0; i < v->axes->len; i++)
    {
      g_autofree char *size = heddle_module_size (self, heddle_ids_index (v->axes, i));

      g_string_append_printf (text, "%s * ", size);
    }
  g_string_append_printf (text, "%u + %d) / %d * %d", heddle_dtype_bytes (heddle_module_dtype (self, value)),
      WORKSPACE_ALIGNMENT - 1, WORKSPACE_ALIGNMENT, WORKSPACE_ALIGNMENT);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
print_workspace_function (HeddleModule *self)
{
  g_autofree char *head = module_workspace_prototype (self);

  if (self->workspace->len == 0)
    return;
  heddle_module_line (self, "extern \"C\" size_t\n%s\n{\n  size_t bytes = 0;", head);
  for (guint i = 0; i < self->workspace->len; i++)
    {
      g_autofree char *bytes = bytes_text (self, heddle_ids_index (self->workspace, i));

      heddle_module_line (self, "  bytes += %s;", bytes);
    }
  heddle_module_line (self, "  return bytes;\n}\n");
}

static void
print_workspace (HeddleModule *self)
{
  if (self->workspace->len == 0)
    return;
  heddle_module_line (self, "  char *free_bytes = static_cast<char *> (workspace);");
  for (guint i = 0; i < self->workspace->len; i++)
    {
      const char *value = heddle_ids_index (self->workspace, i);
      g_autofree char *bytes = bytes_text (self, value);

      heddle_module_line (self, "  void *%s = free_bytes;", value_name (self, value));
      if (i + 1 < self->workspace->len)
        heddle_module_line (self, "  free_bytes += %s;", bytes);
    }
}

/* --- tensor maps --- */

static gboolean
has_maps (const HeddleModule *self)
{
  gboolean maps = FALSE;

  for (guint i = 0; i < self->texts->len; i++)
    maps |= ((const HeddleKernelText *) g_ptr_array_index (self->texts, i))->maps->len > 0;
  return maps;
}

/* Prints the function that makes tensor maps. */
static void
print_map_function (HeddleModule *self)
{
  g_autoptr (GHashTable) sections = g_hash_table_new (g_str_hash, g_str_equal);
  g_autofree char *text = NULL;

  g_hash_table_add (sections, (gpointer) "make tensor map");
  text = heddle_prelude_text (sections);
  heddle_module_line (self, "%s", text);
}

/* Returns the sizes of a tensor map as { h, x, 128 }. */
static char *
map_sizes (const HeddleModule *self, const HeddleKernelMap *map)
{
  GString *text = g_string_new ("{");

  for (guint i = 0; i < map->n; i++)
    {
      g_autofree char *size = heddle_module_size (self, map->axes[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? ", " : " ", size);
    }
  g_string_append (text, " }");
  return g_string_free (text, FALSE);
}

char *
heddle_kernel_map_box (const HeddleKernelMap *map)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < map->n; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", map->box[i]);
  return g_string_free (text, FALSE);
}

/* Returns the type of a tensor map's elements; their values do not matter. */
static const char *
map_type (HeddleDtype dtype)
{
  if (heddle_dtype_bytes (dtype) == 1)
    return "UINT8";
  return dtype == HEDDLE_DTYPE_BF16 ? "BFLOAT16" : "FLOAT16";
}

static void
print_maps (HeddleModule *self, const HeddleKernelText *text)
{
  for (guint i = 0; i < text->maps->len; i++)
    {
      const HeddleKernelMap *map = g_ptr_array_index (text->maps, i);
      g_autofree char *sizes = map_sizes (self, map), *box = heddle_kernel_map_box (map);

      heddle_module_line (self, "    static thread_local KeptTensorMap<%u> %s;", map->n, map->name);
      heddle_module_line (self,
          "    if (!make_tensor_map (&%s, CU_TENSOR_MAP_DATA_TYPE_%s, %s, %s, { %s }))\n      return -%d;",
          map->name, map_type (map->dtype), value_name (self, map->value), sizes, box, STATUS_MAP);
    }
}

/* --- the launches --- */

char *
heddle_module_blocks (const HeddleModule *self, const HeddleKernelText *text)
{
  g_autoptr (GString) blocks = g_string_new (text->tiles->len == 0 ? "1" : NULL);

  for (guint i = 0; i < text->tiles->len; i++)
    {
      const HeddleKernelTile *tile = g_ptr_array_index (text->tiles, i);
      g_autofree char *size = heddle_module_size (self, tile->axis);
      gboolean several = text->tiles->len > 1;

      g_string_append (blocks, i > 0 ? " * " : "");
      if (tile->size == 1)
        g_string_append (blocks, size);
      else
        g_string_append_printf (blocks, "%s(%s + %" G_GINT64_FORMAT ") / %" G_GINT64_FORMAT "%s",
            several ? "(" : "", size, tile->size - 1, tile->size, several ? ")" : "");
    }
  return g_string_free (g_steal_pointer (&blocks), FALSE);
}

static char *
arguments_text (const HeddleModule *self, const HeddleKernelText *text)
{
  g_autoptr (GPtrArray) list = list_new ();
  g_autofree char *head = g_strdup_printf ("%s%s<<<(unsigned) blocks, %u, %" G_GINT64_FORMAT ", stream>>> (",
      text->maps->len > 0 ? "    " : "  ", heddle_kernel_text_entry (text), text->threads,
      text->shared_bytes);

  for (guint i = 0; i < text->parameters->len; i++)
    {
      const HeddleKernelParameter *parameter = g_ptr_array_index (text->parameters, i);
      gboolean input
          = parameter->axis == NULL
            && (heddle_ids_contain (self->inputs, parameter->value) || is_viewed (self, parameter->value));

      g_ptr_array_add (
          list, parameter->axis != NULL
                    ? heddle_module_size (self, parameter->axis)
                    : g_strdup_printf ("static_cast<%s%s *> (%s)", input ? "const " : "",
                        heddle_cuda_type (parameter->dtype), value_name (self, parameter->value)));
    }
  for (guint i = 0; i < text->maps->len; i++)
    g_ptr_array_add (list,
        g_strdup_printf ("%s.map", ((const HeddleKernelMap *) g_ptr_array_index (text->maps, i))->name));
  return heddle_cuda_wrap (head, list, ", ", ");");
}

/* The bytes of dynamic shared memory beyond which more must be asked for. */
#define SHARED_BY_DEFAULT (48 * 1024)

static void
print_launch (HeddleModule *self, const HeddleKernelText *text, gboolean first)
{
  g_autofree char *blocks = heddle_module_blocks (self, text), *arguments = arguments_text (self, text);

  heddle_module_line (self, "\n  %sblocks = %s;", first ? "long long " : "", blocks);
  heddle_module_line (self, "  if (blocks > 2147483647)\n    return -%d;", STATUS_BLOCKS);
  if (text->shared_bytes > SHARED_BY_DEFAULT && text->duplicate_of == NULL)
    {
      heddle_module_line (self,
          "  status = cudaFuncSetAttribute (\n      %s, cudaFuncAttributeMaxDynamicSharedMemorySize, "
          "%" G_GINT64_FORMAT ");",
          text->entry, text->shared_bytes);
      heddle_module_line (self, "  if (status != cudaSuccess)\n    return status;");
    }
  if (text->maps->len > 0)
    heddle_module_line (self, "  {");
  print_maps (self, text);
  heddle_module_line (self, "%s", arguments);
  if (text->maps->len > 0)
    heddle_module_line (self, "  }");
  heddle_module_line (
      self, "  status = cudaGetLastError ();\n  if (status != cudaSuccess)\n    return status;");
}

static void
print_message_function (HeddleModule *self)
{
  heddle_module_line (
      self, "extern \"C\" const char *\n%s_message (int status)\n{\n  switch (status)\n    {", self->name);
  for (int i = 0; i < (has_maps (self) ? N_STATUSES : STATUS_MAP); i++)
    heddle_module_line (self, "    case %d:\n      return \"%s\";", -i, messages[i]);
  heddle_module_line (
      self, "    default:\n      return cudaGetErrorString (static_cast<cudaError_t> (status));\n    }\n}");
}

void
heddle_module_print_launcher (HeddleModule *self)
{
  g_autofree char *head = module_prototype (self);

  heddle_module_line (
      self, "// The launcher: what a host program calls. A run-time compiler wants the kernels alone.");
  heddle_module_line (self, "#ifndef __CUDACC_RTC__\n#include <cuda_runtime.h>%s\n",
      has_maps (self) ? "\n#include <cudaTypedefs.h>" : "");
  if (has_maps (self))
    print_map_function (self);
  print_workspace_function (self);
  heddle_module_line (self, "extern \"C\" int\n%s\n{", head);
  check_sizes (self);
  check_views (self);
  check_lengths (self);
  check_arrays (self);
  check_workspace (self);
  print_workspace (self);
  print_views (self);
  heddle_module_line (self, "\n  cudaError_t status;");
  for (guint i = 0; i < self->texts->len; i++)
    print_launch (self, g_ptr_array_index (self->texts, i), i == 0);
  heddle_module_line (self, "  return 0;\n}\n");
  print_message_function (self);
  heddle_module_line (self, "#endif");
}
