/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "diagram/base/dtype.h"
#include "diagram/expression/tree.h"
#include "files/onnx/flow-places.h"
#include "files/onnx/flow.h"
#include "files/onnx/reshaped.h"
#include "files/onnx/sketch-emit.h"
#include "files/onnx/tensor.h"
#include "diagram/analysis/merge.h"

gint64
heddle_flow_count (const HeddleFlow *self)
{
  gint64 n = 1;

  for (guint i = 0; i < self->rank; i++)
    if (self->dims[i].size == 0)
      return 0;
  for (guint i = 0; i < self->rank; i++)
    n = n > G_MAXINT64 / self->dims[i].size ? G_MAXINT64 : n * self->dims[i].size;
  return n;
}

HeddleDim
heddle_dim_new (HeddleSketch *sketch, gint64 size, const char *name)
{
  return (HeddleDim){ size, size == 1 ? -1 : heddle_sketch_add_axis (sketch, size, name, 3) };
}

HeddleExpr *
heddle_dim_index (HeddleSketch *sketch, const HeddleDim *dim)
{
  return dim->axis < 0 ? heddle_expr_number (0.) : heddle_sketch_index (sketch, dim->axis);
}

/* Collects the axes that the dimensions have, in order, and returns their number. */
static guint
axes_of (HeddleSketch *sketch, const HeddleFlow *flow, int *axes)
{
  guint n = 0;

  for (guint i = 0; i < flow->rank; i++)
    if (flow->dims[i].axis >= 0)
      axes[n++] = heddle_sketch_find (sketch, flow->dims[i].axis);
  return n;
}

/* --- labels --------------------------------------------------------------------------------- */

static gboolean
find_sizes (const HeddleLabelled *operands, guint n, HeddleLabelling *self)
{
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < operands[i].flow->rank; j++)
      {
        int label = operands[i].labels[j];
        gint64 size = operands[i].flow->dims[j].size;

        if (self->sizes[label] <= 1)
          self->sizes[label] = size;
        else if (size > 1 && size != self->sizes[label])
          return FALSE;
      }
  return TRUE;
}

static gboolean
is_of_another (HeddleSketch *sketch, const HeddleLabelling *self, int label, int axis)
{
  for (int i = 0; i < HEDDLE_MAX_LABELS; i++)
    if (i != label && self->sizes[i] > 0 && self->axes[i] >= 0
        && heddle_sketch_find (sketch, self->axes[i]) == heddle_sketch_find (sketch, axis))
      return TRUE;
  return FALSE;
}

static void
choose_axis (HeddleSketch *sketch, HeddleLabelling *self, int label, const HeddleDim *dim)
{
  if (dim->axis < 0 || dim->size != self->sizes[label])
    return;
  if (self->axes[label] < 0)
    self->axes[label] = is_of_another (sketch, self, label, dim->axis)
                            ? heddle_sketch_add_like (sketch, dim->axis)
                            : heddle_sketch_find (sketch, dim->axis);
  else if (!is_of_another (sketch, self, label, dim->axis))
    heddle_sketch_merge (sketch, self->axes[label], dim->axis);
}

gboolean
heddle_label (HeddleSketch *sketch, const HeddleLabelled *operands, guint n, HeddleLabelling *labelling)
{
  for (int i = 0; i < HEDDLE_MAX_LABELS; i++)
    labelling->axes[i] = -1;
  if (!find_sizes (operands, n, labelling))
    return FALSE;
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < operands[i].flow->rank; j++)
      choose_axis (sketch, labelling, operands[i].labels[j], &operands[i].flow->dims[j]);
  return TRUE;
}

/* Reads @flow at one index a dimension. */
static int
read_at (HeddleSketch *sketch, const HeddleFlow *flow, HeddleExpr **by_dim, const int *more, guint n_more,
    const int *axes, guint n_axes)
{
  const GArray *own = heddle_sketch_axes (sketch, flow->value);
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  int operands[HEDDLE_ONNX_MAX_RANK + 1] = { flow->value }, made;

  for (guint i = 0; i < n_more; i++)
    operands[i + 1] = more[i];
  for (guint i = 0; i < flow->rank; i++)
    for (guint j = 0; flow->dims[i].axis >= 0 && j < own->len; j++)
      if (g_array_index (own, int, j) == heddle_sketch_find (sketch, flow->dims[i].axis))
        indices[j] = heddle_expr_ref (by_dim[i]);
  for (guint i = 0; i < flow->rank; i++)
    g_clear_pointer (&by_dim[i], heddle_expr_unref);
  made = n_more == 0 ? heddle_flow_read_places (sketch, flow->value, indices, axes, n_axes) : -1;
  for (guint j = 0; made >= 0 && j < own->len; j++)
    heddle_expr_unref (indices[j]);
  return made >= 0 ? made
                   : heddle_sketch_reindex (sketch, operands, 1 + n_more, axes, n_axes, indices,
                       heddle_sketch_dtype (sketch, flow->value));
}

int
heddle_label_view (HeddleSketch *sketch, const HeddleLabelled *operand, const HeddleLabelling *labelling)
{
  const HeddleFlow *flow = operand->flow;
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  int axes[HEDDLE_ONNX_MAX_RANK];
  gboolean same = TRUE;
  guint n = 0;

  for (guint i = 0; i < flow->rank; i++)
    {
      int wanted = labelling->axes[operand->labels[i]];
      gboolean there = FALSE;

      if (flow->dims[i].size != labelling->sizes[operand->labels[i]])
        wanted = -1;
      wanted = wanted >= 0 ? heddle_sketch_find (sketch, wanted) : -1;
      same = same && (flow->dims[i].axis < 0 || heddle_sketch_find (sketch, flow->dims[i].axis) == wanted);
      indices[i] = wanted < 0 ? heddle_expr_number (0.) : heddle_sketch_index (sketch, wanted);
      for (guint j = 0; j < n; j++)
        there = there || axes[j] == wanted;
      if (wanted >= 0 && flow->dims[i].axis >= 0 && !there)
        axes[n++] = wanted;
    }
  if (!same)
    return read_at (sketch, flow, indices, NULL, 0, axes, n);
  for (guint i = 0; i < flow->rank; i++)
    heddle_expr_unref (indices[i]);
  return flow->value;
}

void
heddle_label_result (
    const HeddleLabelling *labelling, const int *labels, guint rank, int type, HeddleFlow *result)
{
  *result = (HeddleFlow){ .type = type, .rank = rank };
  for (guint i = 0; i < rank; i++)
    result->dims[i] = (HeddleDim){ MAX (labelling->sizes[labels[i]], 1),
      labelling->sizes[labels[i]] > 0 ? labelling->axes[labels[i]] : -1 };
}

/* --- elementwise -------------------------------------------------------------------------------- */

typedef struct
{
  HeddleExpr *const *arguments;
  guint n;
} Arguments;

static HeddleExpr *
replace_argument (const HeddleExpr *leaf, gpointer data)
{
  const Arguments *self = data;

  if (heddle_expr_get_kind (leaf) != HEDDLE_EXPR_ARGUMENT || heddle_expr_get_operand (leaf) >= self->n)
    return NULL;
  return heddle_expr_ref (self->arguments[heddle_expr_get_operand (leaf)]);
}

/* Binds each argument of the body to a number, or to an operand that is read, and returns the number of
 * those. */
static guint
bind_arguments (HeddleSketch *sketch, const HeddleLabelled *operands, guint n,
    const HeddleLabelling *labelling, HeddleExpr **arguments, int *values)
{
  guint n_read = 0;
  double number;

  for (guint i = 0; i < n; i++)
    if (heddle_flow_scalar (sketch, operands[i].flow, &number))
      arguments[i] = heddle_expr_number (
          operands[i].flow->type == HEDDLE_ONNX_FLOAT ? heddle_onnx_as_written ((float) number) : number);
    else if (heddle_sketch_body_of_places (sketch, operands[i].flow->value) == NULL
             && heddle_flow_is_uniform (sketch, operands[i].flow->value, &number))
      arguments[i] = heddle_expr_number (number);
    else if ((arguments[i] = heddle_flow_places (sketch, &operands[i], labelling)) == NULL)
      {
        arguments[i] = heddle_expr_argument (n_read);
        values[n_read++] = heddle_label_view (sketch, &operands[i], labelling);
      }
  return n_read;
}

gboolean
heddle_flow_map_labelled (HeddleSketch *sketch, const HeddleLabelled *operands, guint n, const int *labels,
    guint rank, HeddleExpr *body, int type, HeddleFlow *result)
{
  HeddleLabelling labelling = { { 0 } };
  g_autofree HeddleExpr **arguments = g_new0 (HeddleExpr *, n + 1);
  g_autofree int *values = g_new0 (int, n + 1);
  Arguments replacement = { arguments, n };
  int axes[HEDDLE_ONNX_MAX_RANK];
  gboolean good = heddle_label (sketch, operands, n, &labelling);
  HeddleExpr *made;
  guint n_read;

  if (good)
    {
      n_read = bind_arguments (sketch, operands, n, &labelling, arguments, values);
      heddle_label_result (&labelling, labels, rank, type, result);
      made = heddle_expr_substitute (body, replace_argument, &replacement);
      result->value = heddle_sketch_map (sketch, values, n_read, axes, axes_of (sketch, result, axes),
          n_read < n ? heddle_flow_tidy (made) : made, heddle_onnx_dtype (type));
      for (guint i = 0; i < n; i++)
        heddle_expr_unref (arguments[i]);
    }
  heddle_expr_unref (body);
  return good;
}

/* Maps with NumPy's broadcasting. */
static gboolean
map_broadcast (HeddleSketch *sketch, const HeddleFlow *const *operands, guint n, HeddleExpr *body, int type,
    HeddleFlow *result)
{
  g_autofree HeddleLabelled *labelled = g_new0 (HeddleLabelled, n + 1);
  int labels[HEDDLE_ONNX_MAX_RANK];
  guint rank = 0;

  for (guint i = 0; i < n; i++)
    rank = MAX (rank, operands[i]->rank);
  for (guint i = 0; i < rank; i++)
    labels[i] = (int) i;
  for (guint i = 0; i < n; i++)
    {
      labelled[i].flow = operands[i];
      for (guint j = 0; j < operands[i]->rank; j++)
        labelled[i].labels[j] = (int) (rank - operands[i]->rank + j);
    }
  return heddle_flow_map_labelled (sketch, labelled, n, labels, rank, body, type, result);
}

static guint
broadcast_shape (const HeddleFlow *const *operands, guint n, gint64 *shape)
{
  guint rank = 0;

  for (guint i = 0; i < n; i++)
    rank = MAX (rank, operands[i]->rank);
  for (guint i = 0; i < rank; i++)
    {
      shape[i] = 1;
      for (guint k = 0; k < n; k++)
        if (operands[k]->rank + i >= rank)
          shape[i] = MAX (shape[i], operands[k]->dims[operands[k]->rank + i - rank].size);
    }
  return rank;
}

gboolean
heddle_flow_map (HeddleSketch *sketch, const HeddleFlow *const *operands, guint n, HeddleExpr *body, int type,
    HeddleFlow *result)
{
  g_autofree const HeddleFlow **before = g_memdup2 (operands, n * sizeof *operands);
  gint64 shape[HEDDLE_ONNX_MAX_RANK];
  HeddleFlow made;
  guint rank;

  if (!heddle_flow_operands_apart (sketch, before, n))
    return map_broadcast (sketch, operands, n, body, type, result);
  rank = broadcast_shape (operands, n, shape);
  if (!map_broadcast (sketch, before, n, body, type, &made))
    return FALSE;
  heddle_flow_reshape (sketch, &made, shape, rank, result);
  return TRUE;
}

/* --- sums of products ----------------------------------------------------------------------------- */

static HeddleExpr *
product (guint n)
{
  HeddleExpr *all = heddle_expr_argument (0);

  for (guint i = 1; i < n; i++)
    all = heddle_expr_binary (HEDDLE_EXPR_MUL, all, heddle_expr_argument (i));
  return all;
}

static guint
summed_axes (HeddleSketch *sketch, const HeddleLabelling *labelling, const int *labels, guint rank, int *core)
{
  guint n = 0;

  for (int i = 0; i < HEDDLE_MAX_LABELS; i++)
    {
      gboolean stays = labelling->sizes[i] == 0 || labelling->axes[i] < 0;

      for (guint j = 0; j < rank; j++)
        stays = stays || labels[j] == i;
      if (!stays)
        core[n++] = heddle_sketch_find (sketch, labelling->axes[i]);
    }
  return n;
}

/* Keeps axes apart: one that is summed over never becomes one with an axis that stays, even if they are of
 * equal size and in no array together. */
static void
keep_sums_apart (HeddleSketch *sketch, const int *core, guint n_core, const int *axes, guint n_axes)
{
  int apart[HEDDLE_MAX_LABELS + HEDDLE_ONNX_MAX_RANK];

  memcpy (apart, core, n_core * sizeof *core);
  memcpy (apart + n_core, axes, n_axes * sizeof *axes);
  heddle_sketch_keep_apart (sketch, apart, n_core + n_axes);
}

gboolean
heddle_flow_contract (HeddleSketch *sketch, const HeddleLabelled *operands, guint n, const int *labels,
    guint rank, int type, HeddleFlow *result)
{
  HeddleLabelling labelling = { { 0 } };
  g_autofree int *values = g_new0 (int, n + 1);
  int core[HEDDLE_MAX_LABELS], axes[HEDDLE_ONNX_MAX_RANK];
  guint n_core, n_axes;
  HeddleDtype dtype = heddle_onnx_dtype (type);

  if (!heddle_label (sketch, operands, n, &labelling))
    return FALSE;
  for (guint i = 0; i < n; i++)
    values[i] = heddle_label_view (sketch, &operands[i], &labelling);
  n_core = summed_axes (sketch, &labelling, labels, rank, core);
  heddle_label_result (&labelling, labels, rank, type, result);
  n_axes = axes_of (sketch, result, axes);
  keep_sums_apart (sketch, core, n_core, axes, n_axes);
  if (n_core == 0)
    result->value = heddle_sketch_map (sketch, values, n, axes, n_axes, product (n), dtype);
  else
    result->value = heddle_sketch_operate (
        sketch, n == 1 ? "sum" : "contract", values, n, core, n_core, axes, n_axes, 0., dtype);
  return TRUE;
}

/* --- reductions -------------------------------------------------------------------------------------- */

void
heddle_flow_reduce (HeddleSketch *sketch, const HeddleFlow *flow, const char *kind, const gboolean *reduced,
    gboolean keep, int type, HeddleFlow *result)
{
  int core[HEDDLE_ONNX_MAX_RANK], axes[HEDDLE_ONNX_MAX_RANK];
  HeddleFlow left = { .type = type, .value = flow->value };
  guint n_core = 0;

  for (guint i = 0; i < flow->rank; i++)
    {
      if (reduced[i] && flow->dims[i].axis >= 0)
        core[n_core++] = heddle_sketch_find (sketch, flow->dims[i].axis);
      if (!reduced[i] || keep)
        left.dims[left.rank++] = reduced[i] ? (HeddleDim){ 1, -1 } : flow->dims[i];
    }
  if (n_core > 0)
    left.value = heddle_sketch_operate (sketch, kind, &flow->value, 1, core, n_core, axes,
        axes_of (sketch, &left, axes), 0., heddle_onnx_dtype (type));
  *result = left;
}

void
heddle_flow_need_axis (HeddleSketch *sketch, HeddleFlow *flow, guint dim)
{
  int axes[HEDDLE_ONNX_MAX_RANK];

  if (flow->dims[dim].axis >= 0)
    return;
  flow->dims[dim].axis = heddle_sketch_add_axis (sketch, 1, "u", 4);
  flow->value = heddle_sketch_map (sketch, &flow->value, 1, axes, axes_of (sketch, flow, axes),
      heddle_expr_argument (0), heddle_onnx_dtype (flow->type));
}

void
heddle_flow_normalise (HeddleSketch *sketch, const HeddleFlow *flow, const char *kind, const gboolean *along,
    double option, HeddleFlow *result)
{
  int core[HEDDLE_ONNX_MAX_RANK], axes[HEDDLE_ONNX_MAX_RANK];
  guint n_core = 0;

  *result = *flow;
  for (guint i = 0; i < flow->rank; i++)
    if (along[i])
      heddle_flow_need_axis (sketch, result, i);
  for (guint i = 0; i < flow->rank; i++)
    if (along[i])
      core[n_core++] = heddle_sketch_find (sketch, result->dims[i].axis);
  if (n_core > 0)
    result->value = heddle_sketch_operate (sketch, kind, &result->value, 1, core, n_core, axes,
        axes_of (sketch, result, axes), option, heddle_onnx_dtype (flow->type));
}

/* --- reading ------------------------------------------------------------------------------------------ */

void
heddle_flow_reindex (HeddleSketch *sketch, const HeddleFlow *flow, HeddleExpr **indices, const int *more,
    guint n_more, HeddleFlow *result)
{
  int axes[HEDDLE_ONNX_MAX_RANK];
  guint n = axes_of (sketch, result, axes);

  result->value = read_at (sketch, flow, indices, more, n_more, axes, n);
}

HeddleFlow
heddle_flow_at_place (HeddleSketch *sketch, const HeddleFlow *flow, guint place)
{
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  HeddleFlow part = *flow;

  part.rank--;
  memmove (part.dims, flow->dims + 1, part.rank * sizeof *part.dims);
  indices[0] = heddle_expr_number (place);
  for (guint i = 0; i < part.rank; i++)
    indices[1 + i] = heddle_dim_index (sketch, &part.dims[i]);
  heddle_flow_reindex (sketch, flow, indices, NULL, 0, &part);
  return part;
}

void
heddle_flow_permute (const HeddleFlow *flow, const guint *order, HeddleFlow *result)
{
  HeddleFlow permuted = *flow;

  for (guint i = 0; i < flow->rank; i++)
    permuted.dims[i] = flow->dims[order[i]];
  *result = permuted;
}

void
heddle_flow_store (HeddleSketch *sketch, HeddleFlow *flow)
{
  int axes[HEDDLE_ONNX_MAX_RANK];

  for (guint i = 0; i < flow->rank; i++)
    if (flow->dims[i].axis < 0)
      flow->dims[i].axis = heddle_sketch_add_axis (sketch, 1, "u", 4);
  flow->value = heddle_sketch_map (sketch, &flow->value, 1, axes, axes_of (sketch, flow, axes),
      heddle_expr_argument (0), heddle_onnx_dtype (flow->type));
}

/* --- numbers -------------------------------------------------------------------------------------------- */

gboolean
heddle_flow_scalar (HeddleSketch *sketch, const HeddleFlow *flow, double *number)
{
  const HeddleArray *numbers;

  if (heddle_flow_count (flow) != 1 || !heddle_sketch_is_known (sketch, flow->value))
    return FALSE;
  numbers = heddle_sketch_numbers (sketch, flow->value, NULL);
  if (numbers != NULL)
    *number = numbers->data[0];
  return numbers != NULL;
}

HeddleArray *
heddle_flow_numbers (HeddleSketch *sketch, const HeddleFlow *flow, GError **error)
{
  const GArray *axes = heddle_sketch_axes (sketch, flow->value);
  HeddleFlow stored = *flow;
  gboolean same = TRUE;
  gint64 shape[HEDDLE_ONNX_MAX_RANK];
  const HeddleArray *numbers;
  HeddleArray *array;
  guint n = 0;

  for (guint i = 0; i < flow->rank; i++)
    if (flow->dims[i].axis >= 0)
      same = same && n < axes->len
             && g_array_index (axes, int, n++) == heddle_sketch_find (sketch, flow->dims[i].axis);
  if (!same)
    heddle_flow_store (sketch, &stored);
  numbers = heddle_sketch_numbers (sketch, stored.value, error);
  if (numbers == NULL)
    return NULL;
  for (guint i = 0; i < flow->rank; i++)
    shape[i] = flow->dims[i].size;
  array = heddle_array_new (numbers->dtype, flow->rank, shape, error);
  for (gint64 i = 0; array != NULL && i < array->n_elements; i++)
    array->data[i] = numbers->data[i];
  return array;
}

gboolean
heddle_flow_is_plain (HeddleSketch *sketch, const HeddleFlow *flow, const char *raw)
{
  const GArray *axes = heddle_sketch_axes (sketch, flow->value);

  if (flow->untyped)
    return heddle_sketch_can_be_called (sketch, flow->value, raw);
  if (axes->len != flow->rank || !heddle_sketch_can_be_called (sketch, flow->value, raw))
    return FALSE;
  for (guint i = 0; i < flow->rank; i++)
    if (flow->dims[i].axis < 0
        || g_array_index (axes, int, i) != heddle_sketch_find (sketch, flow->dims[i].axis))
      return FALSE;
  return TRUE;
}

/* A reshape is cut into the smallest runs of dimensions that hold as many elements before as after: one
 * becomes one, several become one, one becomes several, or several become several. */
typedef struct
{
  HeddleSketch *sketch;
  const HeddleFlow *from;
  HeddleFlow *to;
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
} Reshape;

static GArray *
symbols (Reshape *self, const HeddleDim *dims, guint begin, guint end)
{
  GArray *ids = heddle_ids_new ();

  for (guint i = begin; i < end; i++)
    if (dims[i].axis >= 0)
      heddle_ids_append (ids, heddle_sketch_symbol (self->sketch, dims[i].axis));
  return ids;
}

/* Returns the place within the run, of dimensions of the result. */
static HeddleExpr *
place_in_run (Reshape *self, guint begin, guint end)
{
  g_autoptr (GArray) ids = symbols (self, self->to->dims, begin, end);

  return ids->len > 0 ? heddle_merge_index (ids) : heddle_expr_number (0.);
}

/* Returns floor (place / inner) mod size. */
static HeddleExpr *
part_of (HeddleExpr *place, gint64 inner, gint64 size, gboolean is_first)
{
  HeddleExpr *part = heddle_expr_ref (place);

  if (inner > 1)
    part = heddle_expr_unary (
        HEDDLE_EXPR_FLOOR, heddle_expr_binary (HEDDLE_EXPR_DIV, part, heddle_expr_number ((double) inner)));
  if (!is_first)
    part = heddle_expr_binary (HEDDLE_EXPR_MOD, part, heddle_expr_number ((double) size));
  return part;
}

/* Reads several axes as one, in the form that the language has for it. */
static void
read_merged (Reshape *self, guint begin, guint end, int axis)
{
  g_autoptr (GArray) ids = heddle_ids_new ();
  guint part = 0;

  for (guint i = begin; i < end; i++)
    if (self->from->dims[i].axis >= 0)
      heddle_ids_append (ids, heddle_sketch_symbol (self->sketch, self->from->dims[i].axis));
  for (guint i = begin; i < end; i++)
    self->indices[i] = self->from->dims[i].axis < 0
                           ? heddle_expr_number (0.)
                           : heddle_merge_part (heddle_sketch_symbol (self->sketch, axis), ids, part++);
}

static void
read_split (Reshape *self, guint begin, guint end, guint to_begin, guint to_end)
{
  g_autoptr (HeddleExpr) place = place_in_run (self, to_begin, to_end);
  gint64 inner = 1, whole = 1;

  for (guint i = begin; i < end; i++)
    whole *= self->from->dims[i].size;
  for (guint i = end; i-- > begin;)
    {
      gint64 size = self->from->dims[i].size;

      self->indices[i]
          = size == 1 ? heddle_expr_number (0.) : part_of (place, inner, size, inner * size == whole);
      inner *= size;
    }
}

static guint
count_real (const HeddleDim *dims, guint begin, guint end, guint *last)
{
  guint n = 0;

  for (guint i = begin; i < end; i++)
    if (dims[i].size != 1)
      {
        *last = i;
        n++;
      }
  return n;
}

/* Returns the name of a part: an axis is split into heads, each as wide as a key. */
static const char *
part_name (guint n_parts, guint i)
{
  static const char *const names[][3] = { { "h", "k" }, { "c", "h", "k" } };

  return n_parts == 2 || n_parts == 3 ? names[n_parts - 2][i] : "r";
}

static void
read_run (Reshape *self, guint begin, guint end, guint to_begin, guint to_end)
{
  guint from = begin, to = to_begin;
  guint n_from = count_real (self->from->dims, begin, end, &from);
  guint n_to = count_real (self->to->dims, to_begin, to_end, &to), n_made = 0;

  for (guint i = to_begin; i < to_end; i++)
    self->to->dims[i].axis = -1;
  for (guint i = to_begin; i < to_end; i++)
    if (self->to->dims[i].size != 1)
      self->to->dims[i].axis = n_from == 1 && n_to == 1
                                   ? self->from->dims[from].axis
                                   : heddle_dim_new (self->sketch, self->to->dims[i].size,
                                       part_name (n_from == 1 ? n_to : 0, n_made++))
                                         .axis;
  if (n_from > 1 && n_to == 1)
    read_merged (self, begin, end, self->to->dims[to].axis);
  else
    read_split (self, begin, end, to_begin, to_end);
}

/* Returns whether all runs are one to one, so that nothing is read anew, unless a size of 1 that has an axis
 * goes. */
static gboolean
is_same (Reshape *self)
{
  guint n = 0, m = 0;

  for (guint i = 0; i < self->from->rank; i++)
    {
      if (self->from->dims[i].axis < 0)
        continue;
      if (self->from->dims[i].size == 1)
        return FALSE;
      while (n < self->to->rank && self->to->dims[n].size == 1)
        n++;
      if (n == self->to->rank || self->to->dims[n++].axis != self->from->dims[i].axis)
        return FALSE;
    }
  for (; n < self->to->rank; n++)
    m += self->to->dims[n].size != 1;
  return m == 0;
}

/* Keeps the axes of dimensions of size 1 where the new shape has a size of 1 in the same place. */
static void
keep_ones (Reshape *self)
{
  for (guint i = 0; i < self->from->rank && i < self->to->rank; i++)
    {
      if (self->from->dims[i].size != self->to->dims[i].size)
        return;
      if (self->from->dims[i].size != 1 || self->from->dims[i].axis < 0)
        continue;
      self->to->dims[i].axis = self->from->dims[i].axis;
      g_clear_pointer (&self->indices[i], heddle_expr_unref);
      self->indices[i] = heddle_dim_index (self->sketch, &self->to->dims[i]);
    }
}

static gboolean
all_kept (Reshape *self)
{
  for (guint i = 0; i < self->from->rank; i++)
    if (self->from->dims[i].size == 1 && self->from->dims[i].axis >= 0
        && !(i < self->to->rank && self->to->dims[i].axis == self->from->dims[i].axis))
      return FALSE;
  return TRUE;
}

static gboolean
reads_nothing_new (Reshape *self)
{
  HeddleFlow from = *self->from;
  Reshape without = *self;

  if (is_same (self))
    return TRUE;
  if (!all_kept (self))
    return FALSE;
  for (guint i = 0; i < from.rank; i++)
    if (from.dims[i].size == 1)
      from.dims[i].axis = -1;
  without.from = &from;
  return is_same (&without);
}

static guint
count_sizes (const gint64 *shape, guint rank)
{
  guint n = 0;

  for (guint i = 0; i < rank; i++)
    n += shape[i] != 1;
  return n;
}

/* Returns whether no run turns several dimensions into several others. */
static gboolean
is_plain (const HeddleFlow *flow, const gint64 *shape, guint rank)
{
  guint i = 0, j = 0;

  while (i < flow->rank || j < rank)
    {
      guint begin = i, to_begin = j, last;
      gint64 before = i < flow->rank ? flow->dims[i++].size : 1, after = j < rank ? shape[j++] : 1;

      while (before != after)
        if (before < after)
          before *= flow->dims[i++].size;
        else
          after *= shape[j++];
      if (count_real (flow->dims, begin, i, &last) > 1 && count_sizes (shape + to_begin, j - to_begin) > 1)
        return FALSE;
    }
  return TRUE;
}

static gboolean
has_shape (const HeddleFlow *flow, const gint64 *shape, guint rank)
{
  for (guint i = 0; i < rank && flow->rank == rank; i++)
    if (flow->dims[i].size != shape[i])
      return FALSE;
  return flow->rank == rank;
}

static gboolean
has_elements (const gint64 *shape, guint rank)
{
  for (guint i = 0; i < rank; i++)
    if (shape[i] == 0)
      return FALSE;
  return TRUE;
}

/* Reads at the first place, which nothing has: such an operation is counted as one without elements. */
static void
reshape_nothing (
    HeddleSketch *sketch, const HeddleFlow *flow, const gint64 *shape, guint rank, HeddleFlow *result)
{
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  HeddleFlow to = { .type = flow->type, .rank = rank };

  for (guint i = 0; i < rank; i++)
    to.dims[i] = heddle_dim_new (sketch, shape[i], "u");
  for (guint i = 0; i < flow->rank; i++)
    indices[i] = heddle_expr_number (0.);
  heddle_flow_reindex (sketch, flow, indices, NULL, 0, &to);
  *result = to;
}

void
heddle_flow_reshape (
    HeddleSketch *sketch, const HeddleFlow *flow, const gint64 *shape, guint rank, HeddleFlow *result)
{
  const HeddleFlow *source = heddle_flow_before_reshape (sketch, flow);
  guint last;
  /* An array that is split again, or gets back what has the size 1, was never merged. */
  gboolean undone = source != NULL
                    && (has_shape (source, shape, rank)
                        || (count_sizes (shape, rank) > count_real (flow->dims, 0, flow->rank, &last)
                            && is_plain (source, shape, rank)));
  const HeddleFlow from = undone ? *source : *flow;
  HeddleFlow to = { .type = from.type, .rank = rank, .value = from.value };
  Reshape self = { sketch, &from, &to, { NULL } };
  guint i = 0, j = 0;

  if (heddle_flow_count (flow) == 0 || !has_elements (shape, rank))
    {
      reshape_nothing (sketch, flow, shape, rank, result);
      return;
    }
  for (guint k = 0; k < rank; k++)
    to.dims[k] = (HeddleDim){ shape[k], -1 };
  while (i < from.rank || j < rank)
    {
      guint begin = i, to_begin = j;
      gint64 before = i < from.rank ? from.dims[i++].size : 1, after = j < rank ? shape[j++] : 1;

      while (before != after)
        if (before < after)
          before *= from.dims[i++].size;
        else
          after *= shape[j++];
      read_run (&self, begin, i, to_begin, j);
    }
  keep_ones (&self);
  if (!reads_nothing_new (&self))
    {
      heddle_flow_reindex (sketch, &from, self.indices, NULL, 0, &to);
      heddle_flow_note_reshape (sketch, &from, &to);
    }
  else
    for (guint k = 0; k < from.rank; k++)
      heddle_expr_unref (self.indices[k]);
  *result = to;
}
