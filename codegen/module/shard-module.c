/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "codegen/base/codegen.h"
#include "codegen/base/names.h"
#include "codegen/cuda/text.h"
#include "codegen/emit/device-text.h"
#include "codegen/module/interface.h"
#include "codegen/module/module.h"
#include "codegen/module/shard-exchange.h"
#include "codegen/module/shard-module.h"
#include "derive/derivation/derive.h"
#include "derive/shard/layout.h"
#include "derive/shard/places.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/quote.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* This file prints the program of one of several GPUs, which all run the same: each holds its pieces, starts
 * the kernels of a segment, and joins the others in NCCL's collectives between them. Sizes are constants. */

#define WORKSPACE_ALIGNMENT 256

typedef struct
{
  const HeddleSharding *sharding;
  const HeddleMachine *machine;
  GPtrArray *segments; /* of HeddleGpuKernels */
  HeddleDtype dtype;
  HeddleNames *names; /* of the whole */
  char *name; /* of the function */
  GString *out;
  GPtrArray *modules; /* of HeddleModule, one for each segment */
  GPtrArray *order;
  GHashTable *bytes; /* name -> gint64 * */
  gint64 scratch_bytes; /* most that pieces in another order take */
} Writer;

static void line (Writer *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
line (Writer *self, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_string_append_vprintf (self->out, format, arguments);
  va_end (arguments);
  g_string_append_c (self->out, '\n');
}

/* Returns a link as an identifier, as "node", and its communicator. */
static const char *
link_name (const Writer *self, guint l)
{
  g_autofree char *name
      = heddle_c_identifier (((const HeddleLink *) g_ptr_array_index (self->machine->links, l))->name);

  return g_intern_string (name);
}

static const char *
comm_name (const Writer *self, guint l)
{
  g_autofree char *name = g_strconcat (link_name (self, l), "_comm", NULL);

  return g_intern_string (name);
}

static HeddleDtype
dtype_of (const Writer *self, const char *value)
{
  return heddle_diagram_dtype (self->sharding->diagram, value, self->dtype);
}

/* --- buffers --------------------------------------------------------------------------- */

/* Returns the name of a piece, as Y or Y_f_node. Partial values are combined in place: they have the name of
 * what becomes of them. */
static char *
buffer_name (const Writer *self, const char *value, const HeddleShardLayout *layout)
{
  GString *name = g_string_new (heddle_names_value (self->names, value));

  for (guint l = 0; l < self->sharding->n_links; l++)
    if (layout->how[l] == HEDDLE_SPREAD_SPLIT)
      g_string_append_printf (
          name, "_%s_%s", heddle_names_axis (self->names, layout->axis[l]), link_name (self, l));
  return g_string_free (name, FALSE);
}

static gboolean
is_argument (const Writer *self, const char *value, const HeddleShardLayout *layout)
{
  const HeddleShardLayout *given = g_hash_table_lookup (self->sharding->given, value);
  const HeddleShardLayout *left = g_hash_table_lookup (self->sharding->left, value);
  g_autofree char *name = buffer_name (self, value, layout);
  g_autofree char *in = given != NULL ? buffer_name (self, value, given) : NULL;
  g_autofree char *out = left != NULL && heddle_diagram_get_producer (self->sharding->diagram, value) != NULL
                             ? buffer_name (self, value, left)
                             : NULL;

  return g_strcmp0 (name, in) == 0 || g_strcmp0 (name, out) == 0;
}

static gint64
bytes_of (const Writer *self, const char *value, const HeddleShardLayout *layout)
{
  return heddle_shard_layout_elements (layout, self->sharding, value)
         * (gint64) heddle_dtype_bytes (dtype_of (self, value));
}

static void
add_buffer (Writer *self, const char *value, const HeddleShardLayout *layout)
{
  char *name = buffer_name (self, value, layout);
  gint64 bytes = bytes_of (self, value, layout);

  if (is_argument (self, value, layout) || g_hash_table_contains (self->bytes, name))
    {
      g_free (name);
      return;
    }
  g_ptr_array_add (self->order, name);
  g_hash_table_insert (self->bytes, name, g_memdup2 (&bytes, sizeof bytes));
}

/* Computes the number of elements before the axis on one GPU, and those from one place on it to the same
 * place on the one before, in @layout. */
static void
shape_around (const Writer *self, const HeddleShardStep *step, const HeddleShardLayout *layout, gint64 *outer,
    gint64 *run)
{
  const HeddleValue *value = heddle_diagram_get_value (self->sharding->diagram, step->value);
  gint64 total = heddle_shard_layout_elements (layout, self->sharding, step->value);

  *outer = 1;
  for (guint i = 0; i < value->axes->len && heddle_ids_index (value->axes, i) != step->axis; i++)
    {
      gint64 size = heddle_sizes_get (self->sharding->sizes, heddle_ids_index (value->axes, i));

      for (guint l = 0; l < self->sharding->n_links; l++)
        if (layout->how[l] == HEDDLE_SPREAD_SPLIT && layout->axis[l] == heddle_ids_index (value->axes, i))
          size /= self->sharding->ways[l];
      *outer *= size;
    }
  *run = total / *outer;
}

/* Returns the scratch memory of a collective. NCCL puts pieces one after the other: if the axis is not the
 * first, copies put them in order. */
static gint64
scratch_of (const Writer *self, const HeddleShardStep *step)
{
  gint64 outer, run;

  if (step->kind == HEDDLE_COLLECTIVE_ALL_TO_ALL)
    return heddle_shard_exchange_scratch (
        self->sharding, step, (gint64) heddle_dtype_bytes (dtype_of (self, step->value)));
  if (step->kind == HEDDLE_COLLECTIVE_ALL_REDUCE || step->kind == HEDDLE_COLLECTIVE_SLICE)
    return 0;
  shape_around (self, step, &step->from, &outer, &run);
  return outer > 1 ? step->bytes : 0;
}

static void
find_buffers (Writer *self)
{
  for (guint i = 0; i < self->sharding->steps->len; i++)
    {
      const HeddleShardStep *step = g_ptr_array_index (self->sharding->steps, i);

      if (step->segment == NULL)
        {
          add_buffer (self, step->value, &step->from);
          add_buffer (self, step->value, &step->to);
          self->scratch_bytes = MAX (self->scratch_bytes, scratch_of (self, step));
          continue;
        }
      for (guint k = 0; k < step->segment->diagram->outputs->len; k++)
        {
          const char *value = heddle_ids_index (step->segment->diagram->outputs, k);

          add_buffer (self, value, g_hash_table_lookup (step->segment->gives, value));
        }
    }
}

/* --- the interface --------------------------------------------------------------------- */

static GPtrArray *
arguments_of (const Writer *self, gboolean inputs)
{
  const HeddleDiagram *diagram = self->sharding->diagram;
  GPtrArray *list = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      gboolean made = heddle_diagram_get_producer (diagram, value->id) != NULL;
      const HeddleShardLayout *layout
          = g_hash_table_lookup (inputs ? self->sharding->given : self->sharding->left, value->id);

      if (layout != NULL && made != inputs)
        g_ptr_array_add (list, buffer_name (self, value->id, layout));
    }
  return list;
}

static char *
prototype (const Writer *self)
{
  g_autoptr (GPtrArray) inputs = arguments_of (self, TRUE), outputs = arguments_of (self, FALSE);
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *head = g_strdup_printf ("%s (", self->name);

  for (guint i = 0; i < inputs->len; i++)
    g_ptr_array_add (list, g_strdup_printf ("const void *%s", (char *) g_ptr_array_index (inputs, i)));
  for (guint i = 0; i < outputs->len; i++)
    g_ptr_array_add (list, g_strdup_printf ("void *%s", (char *) g_ptr_array_index (outputs, i)));
  g_ptr_array_add (list, g_strdup ("void *workspace"));
  g_ptr_array_add (list, g_strdup ("size_t workspace_bytes"));
  for (guint l = 0; l < self->sharding->n_links; l++)
    if (self->sharding->ways[l] > 1)
      g_ptr_array_add (list, g_strdup_printf ("ncclComm_t %s", comm_name (self, l)));
  g_ptr_array_add (list, g_strdup ("cudaStream_t stream"));
  return heddle_cuda_wrap (head, list, ", ", ")");
}

/* Returns whether the axis of the link also lies along an earlier one. */
static gboolean
is_cut_before (const HeddleShardLayout *layout, guint l)
{
  for (guint k = 0; k < l; k++)
    if (layout->axis[k] == layout->axis[l])
      return TRUE;
  return FALSE;
}

static char *
shape_text (const Writer *self, const char *id, const HeddleShardLayout *layout)
{
  const HeddleValue *value = heddle_diagram_get_value (self->sharding->diagram, id);
  GString *text = g_string_new (heddle_dtype_to_string (dtype_of (self, id)));

  g_string_append_c (text, '[');
  for (guint i = 0; i < value->axes->len; i++)
    {
      const char *axis = heddle_ids_index (value->axes, i);
      gint64 size = heddle_sizes_get (self->sharding->sizes, axis);

      for (guint l = 0; l < self->sharding->n_links; l++)
        if (layout->how[l] == HEDDLE_SPREAD_SPLIT && layout->axis[l] == axis)
          size /= self->sharding->ways[l];
      g_string_append_printf (
          text, "%s%s=%" G_GINT64_FORMAT, i > 0 ? ", " : "", heddle_names_axis (self->names, axis), size);
    }
  g_string_append_c (text, ']');
  for (guint l = 0; l < self->sharding->n_links; l++)
    if (layout->how[l] == HEDDLE_SPREAD_SPLIT)
      g_string_append_printf (text,
          is_cut_before (layout, l) ? ", of that piece of %s piece r on rank r of %s"
                                    : ", piece r of %s on rank r of %s",
          heddle_names_axis (self->names, layout->axis[l]), comm_name (self, l));
  return g_string_free (text, FALSE);
}

static void
print_arrays (Writer *self, GHashTable *layouts, gboolean inputs)
{
  const HeddleDiagram *diagram = self->sharding->diagram;

  for (guint i = 0; i < diagram->values->len; i++)
    {
      const HeddleValue *value = g_ptr_array_index (diagram->values, i);
      const HeddleShardLayout *layout = g_hash_table_lookup (layouts, value->id);
      g_autofree char *name = NULL, *shape = NULL;

      if (layout == NULL || (heddle_diagram_get_producer (diagram, value->id) == NULL) != inputs)
        continue;
      name = buffer_name (self, value->id, layout);
      shape = shape_text (self, value->id, layout);
      line (self, "//     %s: %s, %s%s", name, shape, inputs ? "read" : "written",
          heddle_sharding_is_places (self->sharding, value->id) ? ": 0, 1, 2 … over all GPUs" : "");
    }
}

static void
print_usage (Writer *self)
{
  g_autofree char *call = prototype (self);
  g_auto (GStrv) lines = g_strsplit (call, "\n", -1);

  line (self, "// Every GPU of %u calls, from a thread or a process of its own:\n//", self->sharding->gpus);
  for (guint i = 0; lines[i] != NULL; i++)
    line (self, "//   %s%s%s", i == 0 ? "int " : "", lines[i], lines[i + 1] == NULL ? ";" : "");
  print_arrays (self, self->sharding->given, TRUE);
  print_arrays (self, self->sharding->left, FALSE);
  for (guint l = 0; l < self->sharding->n_links; l++)
    if (self->sharding->ways[l] > 1)
      line (self, "//     %s: a communicator of the %u GPUs that differ there alone", comm_name (self, l),
          self->sharding->ways[l]);
  line (self, "//     workspace: %s_workspace () bytes on the device, aligned to %d", self->name,
      WORKSPACE_ALIGNMENT);
  line (self, "//   It returns 0, a code of a launcher below, or -1000 minus an ncclResult_t. What is summed "
              "over GPUs is summed in the\n"
              "//   arrays' own data type.");
}

/* --- the steps ------------------------------------------------------------------------- */

static const char *
nccl_type (HeddleDtype dtype)
{
  switch (dtype)
    {
    case HEDDLE_DTYPE_F16:
      return "ncclHalf";
    case HEDDLE_DTYPE_BF16:
      return "ncclBfloat16";
    case HEDDLE_DTYPE_F32:
      return "ncclFloat";
    case HEDDLE_DTYPE_F64:
      return "ncclDouble";
    default:
      return NULL;
    }
}

static const char *
nccl_operation (const HeddleShardLayout *from)
{
  static const char *const names[] = { [HEDDLE_MONOID_SUM] = "ncclSum",
    [HEDDLE_MONOID_PROD] = "ncclProd",
    [HEDDLE_MONOID_MAX] = "ncclMax",
    [HEDDLE_MONOID_MIN] = "ncclMin" };

  return from->mean ? "ncclAvg" : names[from->monoid];
}

static void
print_status (Writer *self, const char *call)
{
  line (self, "  nccl_result = %s;\n  if (nccl_result != ncclSuccess)\n    return -1000 - (int) nccl_result;",
      call);
}

/* Copies of piece r between its place in an array and pieces one after the other. */
static void
print_copies (Writer *self, const HeddleShardStep *step, const char *whole, const char *pieces, gboolean out)
{
  gint64 outer, run, n = self->sharding->ways[step->link];
  const HeddleShardLayout *split = out ? &step->to : &step->from;
  g_autofree char *one = NULL, *all = NULL;

  shape_around (self, step, split, &outer, &run);
  run *= heddle_dtype_bytes (dtype_of (self, step->value));
  one = g_strdup_printf ("%s + rank * %" G_GINT64_FORMAT, pieces, outer * run);
  all = g_strdup_printf ("%s + rank * %" G_GINT64_FORMAT, whole, run);
  line (self, "  for (int rank = 0; rank < %" G_GINT64_FORMAT "; ++rank)\n    {", n);
  line (self,
      "      cuda_status = cudaMemcpy2DAsync (%s, %" G_GINT64_FORMAT ",\n          %s, %" G_GINT64_FORMAT
      ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", cudaMemcpyDeviceToDevice, stream);",
      out ? one : all, out ? run : n * run, out ? all : one, out ? n * run : run, run, outer);
  line (self, "      if (cuda_status != cudaSuccess)\n        return cuda_status;\n    }");
}

static void
print_slice (Writer *self, const HeddleShardStep *step, const char *from, const char *to)
{
  gint64 outer, run, n = self->sharding->ways[step->link];

  shape_around (self, step, &step->to, &outer, &run);
  run *= heddle_dtype_bytes (dtype_of (self, step->value));
  line (self,
      "  {\n    int rank;\n    nccl_result = ncclCommUserRank (%s, &rank);\n    if (nccl_result != "
      "ncclSuccess)\n      return -1000 - (int) nccl_result;",
      comm_name (self, step->link));
  line (self,
      "    cuda_status = cudaMemcpy2DAsync (%s, %" G_GINT64_FORMAT
      ", static_cast<const char *> (%s) + rank * %" G_GINT64_FORMAT ",\n        %" G_GINT64_FORMAT
      ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", cudaMemcpyDeviceToDevice, stream);",
      to, run, from, run, n * run, run, outer);
  line (self, "    if (cuda_status != cudaSuccess)\n      return cuda_status;\n  }");
}

static void
print_collective (Writer *self, const HeddleShardStep *step)
{
  g_autofree char *from = buffer_name (self, step->value, &step->from),
                  *to = buffer_name (self, step->value, &step->to);
  g_autofree char *call = NULL, *chars = NULL;
  const char *type = nccl_type (dtype_of (self, step->value)), *comm = comm_name (self, step->link);
  gint64 piece = heddle_shard_layout_elements (
      step->kind == HEDDLE_COLLECTIVE_ALL_GATHER ? &step->from : &step->to, self->sharding, step->value);
  gboolean ordered = scratch_of (self, step) == 0;

  line (self,
      "\n  // %s of %s: %" G_GINT64_FORMAT " bytes over %u GPUs, each sends %.15g (predicted %.4g us)",
      heddle_collective_to_string (step->kind), heddle_names_value (self->names, step->value), step->bytes,
      self->sharding->ways[step->link], step->sent_bytes, step->seconds * 1e6);
  switch (step->kind)
    {
    case HEDDLE_COLLECTIVE_ALL_TO_ALL:
      heddle_shard_print_exchange (self->out, self->sharding, step,
          (gint64) heddle_dtype_bytes (dtype_of (self, step->value)), from, to, comm);
      return;
    case HEDDLE_COLLECTIVE_SLICE:
      print_slice (self, step, from, to);
      return;
    case HEDDLE_COLLECTIVE_ALL_REDUCE:
      call = g_strdup_printf ("ncclAllReduce (%s, %s, %" G_GINT64_FORMAT ", %s, %s, %s, stream)", from, to,
          piece, type, nccl_operation (&step->from), comm);
      print_status (self, call);
      return;
    case HEDDLE_COLLECTIVE_ALL_GATHER:
      call = g_strdup_printf ("ncclAllGather (%s, %s, %" G_GINT64_FORMAT ", %s, %s, stream)", from,
          ordered ? to : "in_pieces", piece, type, comm);
      print_status (self, call);
      chars = g_strdup_printf ("static_cast<char *> (%s)", to);
      if (!ordered)
        print_copies (self, step, chars, "in_pieces", FALSE);
      return;
    case HEDDLE_COLLECTIVE_REDUCE_SCATTER:
      chars = g_strdup_printf ("static_cast<const char *> (%s)", from);
      if (!ordered)
        print_copies (self, step, chars, "in_pieces", TRUE);
      call = g_strdup_printf ("ncclReduceScatter (%s, %s, %" G_GINT64_FORMAT ", %s, %s, %s, stream)",
          ordered ? from : "in_pieces", to, piece, type, nccl_operation (&step->from), comm);
      print_status (self, call);
      return;
    }
}

/* Prints the call of a segment's launcher, with the arguments in the module's order. */
static void
print_segment (Writer *self, const HeddleShardSegment *segment, const HeddleModule *module)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *head = g_strdup_printf ("  launch_status = %s (", module->name), *call = NULL;

  for (guint i = 0; i < module->inputs->len; i++)
    {
      const char *value = heddle_ids_index (module->inputs, i);

      g_ptr_array_add (list, buffer_name (self, value, g_hash_table_lookup (segment->needs, value)));
    }
  for (guint i = 0; i < module->outputs->len; i++)
    {
      const char *value = heddle_ids_index (module->outputs, i);

      g_ptr_array_add (list, buffer_name (self, value, g_hash_table_lookup (segment->gives, value)));
    }
  for (guint i = 0; i < module->axes->len; i++)
    g_ptr_array_add (list, g_strdup_printf ("%" G_GINT64_FORMAT,
                               heddle_sizes_get (module->sizes, heddle_ids_index (module->axes, i))));
  if (module->workspace->len > 0)
    {
      g_ptr_array_add (list, g_strdup ("of_launcher"));
      g_ptr_array_add (list, g_strdup ("of_launcher_bytes"));
    }
  g_ptr_array_add (list, g_strdup ("stream"));
  call = heddle_cuda_wrap (head, list, ", ", ");");
  line (self, "\n%s\n  if (launch_status != 0)\n    return launch_status;", call);
}

/* --- the function ---------------------------------------------------------------------- */

static gint64
padded (gint64 bytes)
{
  return (bytes + WORKSPACE_ALIGNMENT - 1) / WORKSPACE_ALIGNMENT * WORKSPACE_ALIGNMENT;
}

/* Prints the function that asks the segments for the size of their workspaces. */
static void
print_inner_bytes (Writer *self)
{
  line (self, "static size_t\n%s_inner_bytes ()\n{\n  size_t most = 0;", self->name);
  for (guint i = 0; i < self->modules->len; i++)
    {
      const HeddleModule *module = g_ptr_array_index (self->modules, i);
      g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);
      g_autofree char *head
          = g_strdup_printf ("  const size_t bytes_%u = %s_workspace (", i + 1, module->name);
      g_autofree char *call = NULL;

      if (module->workspace->len == 0)
        continue;
      for (guint k = 0; k < module->axes->len; k++)
        g_ptr_array_add (list, g_strdup_printf ("%" G_GINT64_FORMAT,
                                   heddle_sizes_get (module->sizes, heddle_ids_index (module->axes, k))));
      call = heddle_cuda_wrap (head, list, ", ", ");");
      line (self, "%s\n  most = bytes_%u > most ? bytes_%u : most;", call, i + 1, i + 1);
    }
  line (self, "  return most;\n}\n");
}

static gint64
own_bytes (const Writer *self)
{
  gint64 bytes = padded (self->scratch_bytes);

  for (guint i = 0; i < self->order->len; i++)
    bytes += padded (*(gint64 *) g_hash_table_lookup (self->bytes, g_ptr_array_index (self->order, i)));
  return bytes;
}

static void
print_workspace (Writer *self)
{
  gint64 at = 0;

  line (self, "  const size_t of_launcher_bytes = %s_inner_bytes ();", self->name);
  line (self,
      "  if (workspace_bytes < %s_workspace () || (workspace_bytes > 0 && (!workspace || (size_t) workspace "
      "%% %d)))\n    return -4;",
      self->name, WORKSPACE_ALIGNMENT);
  line (self, "  char *const workspace_at = static_cast<char *> (workspace);");
  for (guint i = 0; i < self->order->len; i++)
    {
      const char *name = g_ptr_array_index (self->order, i);

      line (self, "  void *const %s = workspace_at + %" G_GINT64_FORMAT ";", name, at);
      at += padded (*(gint64 *) g_hash_table_lookup (self->bytes, name));
    }
  if (self->scratch_bytes > 0)
    line (self, "  char *const in_pieces = workspace_at + %" G_GINT64_FORMAT ";", at);
  line (self, "  void *const of_launcher = workspace_at + %" G_GINT64_FORMAT ";",
      at + padded (self->scratch_bytes));
  line (self, "  cudaError_t cuda_status = cudaSuccess;\n  ncclResult_t nccl_result = ncclSuccess;\n  int "
              "launch_status = 0;\n"
              "  (void) of_launcher, (void) of_launcher_bytes, (void) cuda_status, (void) nccl_result;");
}

static void
print_function (Writer *self)
{
  g_autofree char *head = prototype (self);
  guint n = 0;

  print_inner_bytes (self);
  line (self,
      "extern \"C\" size_t\n%s_workspace (void)\n{\n  return %" G_GINT64_FORMAT " + %s_inner_bytes ();\n}\n",
      self->name, own_bytes (self), self->name);
  line (self, "extern \"C\" int\n%s\n{", head);
  print_workspace (self);
  for (guint i = 0; i < self->sharding->steps->len; i++)
    {
      const HeddleShardStep *step = g_ptr_array_index (self->sharding->steps, i);

      if (step->segment != NULL)
        print_segment (self, step->segment, g_ptr_array_index (self->modules, n++));
      else
        print_collective (self, step);
    }
  line (self, "  return 0;\n}\n");
  line (self, "extern \"C\" const char *\n%s_message (int status)\n{", self->name);
  line (self,
      "  if (status <= -1000)\n    return ncclGetErrorString (static_cast<ncclResult_t> (-1000 - status));");
  line (self, "  return %s_message (status);\n}",
      ((HeddleModule *) g_ptr_array_index (self->modules, 0))->name);
}

/* --- the file -------------------------------------------------------------------------- */

static void
module_free (HeddleModule *self)
{
  heddle_module_clear (self);
  if (self->out != NULL)
    g_string_free (self->out, TRUE);
  g_free (self);
}

static void
print_segments (Writer *self)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new ();
  g_autofree char *prelude = NULL;

  for (guint i = 0; i < self->segments->len; i++)
    g_ptr_array_extend (
        texts, ((const HeddleGpuKernels *) g_ptr_array_index (self->segments, i))->texts, NULL, NULL);
  prelude = heddle_module_prelude (texts);
  g_string_append (self->out, prelude);
  for (guint i = 0; i < self->segments->len; i++)
    {
      const HeddleGpuKernels *kernels = g_ptr_array_index (self->segments, i);
      HeddleModule *module = g_new0 (HeddleModule, 1);

      heddle_module_init (
          module, kernels->plan->whole, kernels->texts, kernels->plan->sizes, kernels->plan->dtype);
      g_ptr_array_add (self->modules, module);
      for (guint k = 0; k < kernels->texts->len; k++)
        {
          const HeddleKernelText *text = g_ptr_array_index (kernels->texts, k);

          if (text->duplicate_of == NULL)
            g_string_append_printf (self->out, "\n%s\n%s", text->comment, text->kernel);
        }
      line (self, "%s", "");
      heddle_module_print_launcher (module);
      g_string_append (self->out, module->out->str);
    }
}

static void
print_head (Writer *self, const char *equations)
{
  g_autofree char *name = heddle_quote_comment (self->sharding->diagram->name);
  g_auto (GStrv) lines = g_strsplit (equations != NULL ? equations : "", "\n", -1);
  const HeddleGpuKernels *first = g_ptr_array_index (self->segments, 0);
  const char *arch = ((const HeddleKernelText *) g_ptr_array_index (first->texts, 0))->arch;

  line (self, "// %s over %u GPUs: made by Heddle %s from the diagram below.\n//", name, self->sharding->gpus,
      HEDDLE_VERSION);
  for (guint i = 0; lines[i] != NULL && (*lines[i] != '\0' || lines[i + 1] != NULL); i++)
    {
      g_autofree char *text = heddle_quote_comment (lines[i]);

      line (self, "//   %s", text);
    }
  line (self, "//");
  print_usage (self);
  line (self,
      "//\n// To build it, with NCCL 2.10 or newer:\n//   nvcc -std=c++17 -gencode=arch=compute_%s,code=%s "
      "-shared -Xcompiler -fPIC "
      "-o lib%s.so %s.cu -lnccl\n",
      arch + 3, arch, self->name, self->name);
}

static gboolean
check_kernels (const Writer *self, GError **error)
{
  for (guint i = 0; i < self->segments->len; i++)
    if (((const HeddleGpuKernels *) g_ptr_array_index (self->segments, i))->texts->len > 0)
      return TRUE;
  heddle_derive_set_empty (error);
  return FALSE;
}

static gboolean
check_types (const Writer *self, GError **error)
{
  for (guint i = 0; i < self->sharding->steps->len; i++)
    {
      const HeddleShardStep *step = g_ptr_array_index (self->sharding->steps, i);

      if (step->segment != NULL || nccl_type (dtype_of (self, step->value)) != NULL)
        continue;
      g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_UNSUPPORTED,
          _ ("%s has the type %s, which GPUs do not exchange here: they exchange f16, bf16, f32 and f64"),
          heddle_names_value (self->names, step->value),
          heddle_dtype_to_string (dtype_of (self, step->value)));
      return FALSE;
    }
  return TRUE;
}

static char *
make_header (const Writer *self)
{
  g_autofree char *head = prototype (self), *guard = g_ascii_strup (self->name, -1);

  return g_strdup_printf ("// %s: made by Heddle %s.\n#ifndef %s_H\n#define %s_H\n\n#include "
                          "<cuda_runtime_api.h>\n#include <nccl.h>\n"
                          "#include <stddef.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\nint "
                          "%s;\nsize_t %s_workspace (void);\n"
                          "const char *%s_message (int status);\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n",
      self->name, HEDDLE_VERSION, guard, guard, head, self->name, self->name);
}

char *
heddle_codegen_sharded (const HeddleSharding *sharding, const HeddleMachine *machine, GPtrArray *segments,
    HeddleDtype dtype, const char *equations, char **header, GError **error)
{
  Writer self = { sharding, machine, segments, dtype, heddle_names_new (sharding->diagram, NULL),
    heddle_c_function (sharding->diagram->name), g_string_new (NULL),
    g_ptr_array_new_with_free_func ((GDestroyNotify) module_free), g_ptr_array_new (),
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free) };
  gboolean good = check_kernels (&self, error) && check_types (&self, error);

  if (good)
    {
      find_buffers (&self);
      print_head (&self, equations);
      print_segments (&self);
      line (&self, "\n// What each GPU does: the launchers above, and what GPUs pass to one "
                   "another.\n#ifndef __CUDACC_RTC__\n#include <nccl.h>\n");
      print_function (&self);
      line (&self, "#endif");
      if (header != NULL)
        *header = make_header (&self);
    }
  heddle_names_free (self.names);
  g_ptr_array_unref (self.modules);
  g_ptr_array_unref (self.order);
  g_hash_table_unref (self.bytes);
  g_free (self.name);
  return g_string_free (self.out, !good);
}
