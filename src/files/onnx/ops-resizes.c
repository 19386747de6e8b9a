/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "files/onnx/import.h"

/* Pictures of other sizes: each dimension on its own, a point being a sum of points near where it comes from. */

#define MOST_TAPS 4

/* How a place of the result is turned into one of the input: `text` over it as $0 with a the scale. */
typedef struct
{
  const char *mode, *text;
} Position;

static const Position positions[] = {
  { "half_pixel", "($0 + 0.5)/a - 0.5" },
  { "pytorch_half_pixel", "($0 + 0.5)/a - 0.5" },
  { "asymmetric", "$0/a" },
  { "align_corners", "$0/a" },
  { "tf_half_pixel_for_nn", "($0 + 0.5)/a" },
};

/* The weights of the points near by, over what is left of the place behind its whole part; a is the coefficient of the cubic. */
typedef struct
{
  const char *mode;
  int first; /* the first point, from the whole part */
  guint n;
  const char *weights[MOST_TAPS];
} Kernel;

#define FAR(r) "((a*(" r ") - 5*a)*(" r ") + 8*a)*(" r ") - 4*a"
#define NEAR(r) "((a + 2)*(" r ") - (a + 3))*(" r ")*(" r ") + 1"

static const Kernel kernels[] = {
  { "linear", 0, 2, { "1 - $0", "$0" } },
  { "cubic", -1, 4, { FAR ("$0 + 1"), NEAR ("$0"), NEAR ("1 - $0"), FAR ("2 - $0") } },
};

static const Position nearest[] = {
  { "round_prefer_floor", "ceil($0 - 0.5)" },
  { "round_prefer_ceil", "floor($0 + 0.5)" },
  { "floor", "floor($0)" },
  { "ceil", "ceil($0)" },
};

static HeddleExpr *
replace_place (const HeddleExpr *leaf, gpointer place)
{
  return heddle_expr_get_kind (leaf) == HEDDLE_EXPR_ARGUMENT ? heddle_expr_ref (place) : NULL;
}

/* @text with $0 as @place. */
static HeddleExpr *
at_place (const char *text, HeddleExpr *place, double a)
{
  g_autoptr (HeddleExpr) expr = heddle_import_expr (text, a, 0., 0.);

  return heddle_expr_substitute (expr, replace_place, place);
}

static const char *
find_text (const Position *texts, guint n, const char *mode)
{
  for (guint i = 0; i < n; i++)
    if (g_str_equal (texts[i].mode, mode))
      return texts[i].text;
  return NULL;
}

static HeddleExpr *
clamped (HeddleExpr *place, gint64 size)
{
  return heddle_expr_binary (HEDDLE_EXPR_MIN,
      heddle_expr_binary (HEDDLE_EXPR_MAX, place, heddle_expr_number (0.)),
      heddle_expr_number ((double) size - 1.));
}

static int
read_dim (HeddleImport *self, const HeddleFlow *flow, guint dim, HeddleExpr *index, const HeddleFlow *shape)
{
  HeddleExpr *indices[HEDDLE_ONNX_MAX_RANK];
  HeddleFlow read = *shape;

  for (guint i = 0; i < flow->rank; i++)
    indices[i] = i == dim ? index : heddle_dim_index (self->sketch, &flow->dims[i]);
  heddle_flow_reindex (self->sketch, flow, indices, NULL, 0, &read);
  return read.value;
}

/* A sum over the points of @kernel. */
static void
interpolate (HeddleImport *self, HeddleFlow *flow, guint dim, HeddleExpr *place, const Kernel *kernel,
    const HeddleFlow *shape)
{
  g_autoptr (HeddleExpr) whole = heddle_expr_unary (HEDDLE_EXPR_FLOOR, heddle_expr_ref (place));
  g_autoptr (HeddleExpr) rest
      = heddle_expr_binary (HEDDLE_EXPR_SUB, heddle_expr_ref (place), heddle_expr_ref (whole));
  double a = heddle_onnx_node_float (self->node, "cubic_coeff_a", -0.75);
  int values[MOST_TAPS], axes[HEDDLE_ONNX_MAX_RANK];
  HeddleExpr *sum = NULL;
  guint n = 0;

  for (guint i = 0; i < kernel->n; i++)
    {
      HeddleExpr *near = heddle_expr_binary (
          HEDDLE_EXPR_ADD, heddle_expr_ref (whole), heddle_expr_number (kernel->first + (int) i));
      HeddleExpr *term = heddle_expr_binary (
          HEDDLE_EXPR_MUL, at_place (kernel->weights[i], rest, a), heddle_expr_argument (i));

      values[i] = read_dim (self, flow, dim, clamped (near, flow->dims[dim].size), shape);
      sum = sum == NULL ? term : heddle_expr_binary (HEDDLE_EXPR_ADD, sum, term);
    }
  for (guint i = 0; i < shape->rank; i++)
    if (shape->dims[i].axis >= 0)
      axes[n++] = heddle_sketch_find (self->sketch, shape->dims[i].axis);
  *flow = *shape;
  flow->value
      = heddle_sketch_map (self->sketch, values, kernel->n, axes, n, sum, heddle_onnx_dtype (flow->type));
}

/* What the attributes say. */
typedef struct
{
  const char *position; /* NULL: not understood */
  const char *rounding;
  const Kernel *kernel; /* NULL: the nearest point */
  gboolean corners; /* the first and the last point stay where they are */
  gboolean alone; /* one point is the first */
} Manner;

static gboolean
read_manner (HeddleImport *self, const HeddleOnnxOperator *row, Manner *manner)
{
  gboolean old = self->opset < 11;
  const char *mode = heddle_onnx_node_text (self->node, "mode", "nearest");
  const char *place = heddle_onnx_node_text (
      self->node, "coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
  const char *round
      = heddle_onnx_node_text (self->node, "nearest_mode", old ? "floor" : "round_prefer_floor");

  *manner = (Manner){ find_text (positions, G_N_ELEMENTS (positions), place),
    find_text (nearest, G_N_ELEMENTS (nearest), round), NULL, g_str_equal (place, "align_corners"),
    g_str_equal (place, "pytorch_half_pixel") };
  for (guint i = 0; i < G_N_ELEMENTS (kernels); i++)
    if (g_str_equal (kernels[i].mode, mode))
      manner->kernel = &kernels[i];
  if (manner->position == NULL || manner->rounding == NULL
      || (manner->kernel == NULL && !g_str_equal (mode, "nearest"))
      || heddle_onnx_node_int (self->node, "exclude_outside", 0) != 0
      || heddle_onnx_node_int (self->node, "antialias", 0) != 0
      || !g_str_equal (heddle_onnx_node_text (self->node, "keep_aspect_ratio_policy", "stretch"), "stretch"))
    return heddle_import_refuse (self, _ ("the manner “%s”, “%s”"), mode, place);
  return TRUE;
}

static void
resize_dim (HeddleImport *self, HeddleFlow *flow, guint dim, gint64 size, double scale, const Manner *manner)
{
  gint64 before = flow->dims[dim].size;
  HeddleFlow shape = *flow;
  g_autoptr (HeddleExpr) index = NULL;
  g_autoptr (HeddleExpr) place = NULL;

  if (manner->corners)
    scale = before > 1 ? ((double) before * scale - 1.) / ((double) before - 1.) : 1.;
  if (manner->alone && size == 1)
    scale = 0.;
  shape.dims[dim] = heddle_dim_new (self->sketch, size, "r");
  index = heddle_dim_index (self->sketch, &shape.dims[dim]);
  place = scale > 0. ? at_place (manner->position, index, scale) : heddle_expr_number (0.);
  if (manner->kernel != NULL)
    {
      interpolate (self, flow, dim, place, manner->kernel, &shape);
      return;
    }
  shape.value = read_dim (self, flow, dim, clamped (at_place (manner->rounding, place, 0.), before), &shape);
  *flow = shape;
}

/* Numbers of input @i, none where it is left out or empty. */
static gboolean
take_numbers (HeddleImport *self, guint i, HeddleArray **numbers)
{
  const HeddleFlow *input = heddle_import_input (self, i);

  *numbers = NULL;
  if (input == NULL || heddle_flow_count (input) == 0)
    return TRUE;
  *numbers = heddle_import_constant (self, i);
  return *numbers != NULL;
}

static gboolean
resize_by (HeddleImport *self, const HeddleFlow *input, const double *scales, const double *sizes,
    const guint *dims, guint n, const Manner *manner)
{
  HeddleFlow flow = *input;

  for (guint i = 0; i < n; i++)
    {
      double before = (double) flow.dims[dims[i]].size;
      double size = sizes != NULL ? sizes[i] : floor (before * scales[i]);

      if (!(size >= 1. && size < 1e9))
        return heddle_import_refuse (self, _ ("an array without elements"));
      if (size != before)
        resize_dim (self, &flow, dims[i], (gint64) size, sizes != NULL ? size / before : scales[i], manner);
    }
  return heddle_import_give (self, 0, &flow);
}

static gboolean
resize (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  const HeddleOnnxAttribute *given = heddle_onnx_node_attribute (self->node, "scales");
  const GArray *axes = heddle_onnx_node_ints (self->node, "axes");
  guint at_scales = self->opset < 11 ? 1 : 2, dims[HEDDLE_ONNX_MAX_RANK], n;
  g_autoptr (HeddleArray) scales = NULL;
  g_autoptr (HeddleArray) sizes = NULL;
  Manner manner;

  if (input == NULL || !read_manner (self, row, &manner) || !take_numbers (self, at_scales, &scales)
      || (self->opset >= 11 && !take_numbers (self, 3, &sizes)))
    return heddle_import_refuse (self, _ ("an input is missing"));
  n = axes != NULL ? axes->len : input->rank;
  for (guint i = 0; i < n; i++)
    if (n > input->rank
        || !heddle_import_axis (
            self, axes != NULL ? g_array_index (axes, gint64, i) : i, input->rank, &dims[i]))
      return heddle_import_refuse (self, _ ("so many dimensions"));
  if (sizes != NULL    ? sizes->n_elements != n
      : scales != NULL ? scales->n_elements != n
                       : given == NULL || given->floats->len != n)
    return heddle_import_refuse (self, _ ("the numbers of scales"));
  return resize_by (self, input,
      scales != NULL  ? scales->data
      : given != NULL ? (double *) given->floats->data
                      : NULL,
      sizes != NULL ? sizes->data : NULL, dims, n, &manner);
}

const HeddleOnnxOperator heddle_onnx_resizes[] = {
  { "Resize", 10, 0, resize },
  { "Upsample", 7, 9, resize },
  { NULL },
};
