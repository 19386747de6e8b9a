/* SPDX-License-Identifier: MIT */
#include "files/onnx/importer.h"
#include "files/onnx/tensor.h"

/* The size that stands for one that the model leaves open and nobody gave. */
#define ASSUMED_SIZE 2
/* The largest size: larger ones make no array that anyone has. */
#define LARGEST_SIZE (G_GINT64_CONSTANT (1) << 40)

/* --- types ------------------------------------------------------------------------------------ */

static gboolean
is_whole (int type)
{
  return type == HEDDLE_ONNX_INT64 || type == HEDDLE_ONNX_INT32;
}

/* Returns the usual name of axis @i of an array: whole numbers are words, one after another. */
static const char *
usual_name (int type, guint rank, guint i)
{
  static const char *const names[][4] = {
    { "i" },
    { "n", "m" },
    { "n", "s", "m" },
    { "n", "c", "h", "w" },
  };

  if (is_whole (type) && rank <= 2)
    return i + 1 == rank ? "s" : "n";
  return rank >= 1 && rank <= 4 ? names[rank - 1][i] : i == 0 ? "n" : i == 1 ? "c" : "i";
}

/* Returns the size called @name, which the model leaves open. */
static gint64
open_size (Importer *self, const char *name)
{
  const gint64 *given = self->sizes != NULL ? g_hash_table_lookup (self->sizes, name) : NULL;
  const gboolean first = g_hash_table_add (self->open, g_strdup (name));

  if (given == NULL && first)
    g_ptr_array_add (self->report->assumed, g_strdup_printf ("%s = %d", name, ASSUMED_SIZE));
  return given != NULL ? *given : ASSUMED_SIZE;
}

/* Returns the size of a dimension; one without a name is called after the array and the place: "x.0". */
static gint64
size_of (Importer *self, const HeddleOnnxDim *dim, const char *array, guint i)
{
  g_autofree char *place = NULL;

  if (dim->size >= 0)
    return dim->size;
  if (dim->name != NULL)
    return open_size (self, dim->name);
  place = g_strdup_printf ("%s.%u", array, i);
  return open_size (self, place);
}

static HeddleDim
dim_of (Importer *self, const HeddleOnnxDim *dim, const HeddleOnnxInfo *info, guint i)
{
  HeddleSketch *sketch = self->import.sketch;
  HeddleDim made = { size_of (self, dim, info->name, i), -1 };
  gpointer known = dim->name != NULL ? g_hash_table_lookup (self->named_axes, dim->name) : NULL;

  if (known != NULL && heddle_sketch_size (sketch, GPOINTER_TO_INT (known) - 1) == made.size)
    made.axis = GPOINTER_TO_INT (known) - 1;
  else
    made.axis = heddle_sketch_add_axis (sketch, made.size,
        dim->name != NULL ? dim->name : usual_name (info->type, info->dims->len, i),
        dim->name != NULL ? HEDDLE_SKETCH_NAMED : 1);
  if (dim->name != NULL && known == NULL)
    g_hash_table_insert (self->named_axes, g_strdup (dim->name), GINT_TO_POINTER (made.axis + 1));
  return made;
}

/* Gives a value distinct axes, since no axis may come twice in one: a square matrix of n by n has two. */
static void
keep_distinct (Importer *self, HeddleFlow *flow)
{
  for (guint i = 0; i < flow->rank; i++)
    for (guint j = 0; j < i; j++)
      if (flow->dims[i].axis >= 0 && flow->dims[i].axis == flow->dims[j].axis)
        flow->dims[i].axis = heddle_sketch_add_like (self->import.sketch, flow->dims[i].axis);
}

void
heddle_importer_read_info (Importer *self, const HeddleOnnxInfo *info, HeddleFlow *flow)
{
  *flow
      = (HeddleFlow){ .type = info != NULL ? info->type : 0, .untyped = info == NULL || info->dims == NULL };
  for (guint i = 0; !flow->untyped && i < info->dims->len; i++)
    flow->dims[flow->rank++] = dim_of (self, &g_array_index (info->dims, HeddleOnnxDim, i), info, i);
  keep_distinct (self, flow);
}

gboolean
heddle_importer_has_good_sizes (const HeddleFlow *flow)
{
  for (guint i = 0; i < flow->rank; i++)
    if (flow->dims[i].size < 1 || flow->dims[i].size > LARGEST_SIZE)
      return FALSE;
  return heddle_flow_count (flow) < G_MAXINT64 / 16;
}

void
heddle_importer_store (Importer *self, HeddleFlow *flow, HeddleValueRole role, const char *name)
{
  int axes[HEDDLE_ONNX_MAX_RANK];
  guint n = 0;

  for (guint i = 0; i < flow->rank; i++)
    if (flow->dims[i].axis >= 0)
      axes[n++] = flow->dims[i].axis;
  flow->value = heddle_sketch_add_value (self->import.sketch, role, heddle_onnx_dtype (flow->type), axes, n);
  heddle_sketch_set_name (self->import.sketch, flow->value, name);
  if (name != NULL)
    g_hash_table_replace (self->import.flows, g_strdup (name), g_memdup2 (flow, sizeof *flow));
}

/* --- what the model has -------------------------------------------------------------------------------- */

void
heddle_importer_add_initializer (Importer *self, const HeddleOnnxTensor *tensor)
{
  HeddleFlow flow = { .type = tensor->type, .rank = tensor->rank };

  for (guint i = 0; i < tensor->rank; i++)
    flow.dims[i]
        = (HeddleDim){ tensor->shape[i], heddle_sketch_add_axis (self->import.sketch, tensor->shape[i],
                                             i == 0   ? "o"
                                             : i == 1 ? "i"
                                                      : "k",
                                             2) };
  heddle_importer_store (self, &flow, HEDDLE_ROLE_PARAMETER, tensor->name);
  heddle_sketch_set_tensor (self->import.sketch, flow.value, tensor, self->import.model->folder);
}

void
heddle_importer_note_infos (Importer *self, GPtrArray *infos)
{
  for (guint i = 0; i < infos->len; i++)
    {
      HeddleOnnxInfo *info = g_ptr_array_index (infos, i);

      g_hash_table_insert (self->import.infos, info->name, info);
    }
}
