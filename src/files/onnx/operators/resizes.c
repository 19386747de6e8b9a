/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "diagram/base/array.h"
#include "files/onnx/context.h"
#include "files/onnx/flow.h"
#include "files/onnx/importer.h"
#include "files/onnx/model.h"
#include "files/onnx/resample.h"
#include "files/onnx/table.h"

/* This file resizes pictures, each dimension by itself. */

/* The formulas that turn a place of the result, $0, into one of the input; a is the scale. */
static const struct
{
  const char *mode, *text;
} positions[] = {
  { "half_pixel", "($0 + 0.5)/a - 0.5" },
  { "half_pixel_symmetric", "c + ($0 + 0.5)/a - 0.5" },
  { "pytorch_half_pixel", "($0 + 0.5)/a - 0.5" },
  { "asymmetric", "$0/a" },
  { "align_corners", "$0/a" },
  { "tf_half_pixel_for_nn", "($0 + 0.5)/a" },
  { "tf_crop_and_resize", "b + c*$0" },
};

/* The attributes of the node. */
typedef struct
{
  const char *mode; /* of places */
  const char *policy; /* which sizes are kept */
  gboolean antialias;
  HeddleResampling how;
} Manner;

static const char *
find_position (const char *mode)
{
  for (guint i = 0; i < G_N_ELEMENTS (positions); i++)
    if (g_str_equal (positions[i].mode, mode))
      return positions[i].text;
  return NULL;
}

static gboolean
read_manner (HeddleImport *self, Manner *manner)
{
  gboolean old = self->opset < 11;
  const char *mode = heddle_onnx_node_text (self->node, "mode", "nearest");
  const char *round
      = heddle_onnx_node_text (self->node, "nearest_mode", old ? "floor" : "round_prefer_floor");

  manner->mode = heddle_onnx_node_text (
      self->node, "coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
  manner->policy = heddle_onnx_node_text (self->node, "keep_aspect_ratio_policy", "stretch");
  manner->antialias = heddle_onnx_node_int (self->node, "antialias", 0) != 0;
  manner->how = (HeddleResampling){ .place = find_position (manner->mode),
    .kernel = heddle_kernel_find (mode),
    .rounding = heddle_rounding_find (round),
    .coefficient = heddle_onnx_node_float (self->node, "cubic_coeff_a", -0.75),
    .only_inside = heddle_onnx_node_int (self->node, "exclude_outside", 0) != 0,
    .crops = g_str_equal (manner->mode, "tf_crop_and_resize"),
    .outside = heddle_onnx_node_float (self->node, "extrapolation_value", 0.) };
  if (manner->how.place != NULL && manner->how.rounding != NULL
      && (manner->how.kernel != NULL || g_str_equal (mode, "nearest")))
    return TRUE;
  return heddle_import_refuse (self, _ ("the manner “%s”, “%s”"), mode, manner->mode);
}

/* Resizes a dimension. @roi is the part that is taken, its start and its end as shares of the dimension; or
 * NULL. */
static void
resize_dim (HeddleImport *self, HeddleFlow *flow, guint dim, gint64 size, double scale, const double *roi,
    const Manner *manner)
{
  const double before = (double) flow->dims[dim].size, after = before * scale;
  HeddleResampling how = manner->how;

  how.a = scale;
  how.narrowing = manner->antialias ? MIN (scale, 1.) : 1.;
  if (how.crops)
    {
      how.c = after > 1. ? (roi[1] - roi[0]) * (before - 1.) / (after - 1.) : 0.;
      how.b = (after > 1. ? roi[0] : (roi[0] + roi[1]) / 2.) * (before - 1.);
    }
  else if (g_str_equal (manner->mode, "align_corners"))
    how.a = before > 1. ? (after - 1.) / (before - 1.) : 1.;
  else if (g_str_equal (manner->mode, "half_pixel_symmetric"))
    how.c = before / 2. * (1. - (double) size / after);
  if (!how.crops && (!(how.a > 0.) || (size == 1 && g_str_equal (manner->mode, "pytorch_half_pixel"))))
    how.place = "0*$0";
  heddle_import_resample (self, flow, dim, size, &how);
}

/* Takes the numbers of input @i; none if it is left out or empty. */
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

/* The sizes or scales of the current dimensions. */
typedef struct
{
  guint n, dims[HEDDLE_ONNX_MAX_RANK];
  double sizes[HEDDLE_ONNX_MAX_RANK], scales[HEDDLE_ONNX_MAX_RANK];
} Sizes;

/* Uses one scale for all dimensions, so that none is larger, or smaller, than its size. */
static void
keep_ratio (const HeddleFlow *input, gboolean larger, Sizes *sizes)
{
  double scale = sizes->scales[0];

  for (guint i = 1; i < sizes->n; i++)
    scale = larger ? MAX (scale, sizes->scales[i]) : MIN (scale, sizes->scales[i]);
  for (guint i = 0; i < sizes->n; i++)
    {
      sizes->scales[i] = scale;
      sizes->sizes[i] = floor ((double) input->dims[sizes->dims[i]].size * scale + 0.5);
    }
}

static gboolean
resize_by (
    HeddleImport *self, const HeddleFlow *input, const Sizes *sizes, const double *roi, const Manner *manner)
{
  HeddleFlow flow = *input;

  for (guint i = 0; i < sizes->n; i++)
    {
      const double part[] = { roi != NULL ? roi[i] : 0., roi != NULL ? roi[sizes->n + i] : 1. };

      if (!(sizes->sizes[i] >= 1. && sizes->sizes[i] < 1e9 && sizes->scales[i] > 0.))
        return heddle_import_refuse (self, _ ("an array without elements"));
      if (sizes->scales[i] != 1. || (manner->how.crops && (part[0] != 0. || part[1] != 1.)))
        resize_dim (self, &flow, sizes->dims[i], (gint64) sizes->sizes[i], sizes->scales[i], part, manner);
    }
  return heddle_import_give (self, 0, &flow);
}

static gboolean
read_dims (HeddleImport *self, const HeddleFlow *input, Sizes *sizes)
{
  const GArray *axes = heddle_onnx_node_ints (self->node, "axes");

  sizes->n = axes != NULL ? axes->len : input->rank;
  for (guint i = 0; i < sizes->n; i++)
    if (sizes->n > input->rank
        || !heddle_import_axis (
            self, axes != NULL ? g_array_index (axes, gint64, i) : i, input->rank, &sizes->dims[i]))
      return heddle_import_refuse (self, _ ("so many dimensions"));
  return TRUE;
}

/* Reads the sizes. They are given, or scales are: as an input, before version 9 as an attribute. */
static gboolean
read_sizes (HeddleImport *self, const HeddleFlow *input, Sizes *sizes)
{
  const HeddleOnnxAttribute *given = heddle_onnx_node_attribute (self->node, "scales");
  g_autoptr (HeddleArray) scales = NULL;
  g_autoptr (HeddleArray) wanted = NULL;
  const double *factors;

  if (!take_numbers (self, self->opset < 11 ? 1 : 2, &scales)
      || (self->opset >= 11 && !take_numbers (self, 3, &wanted)) || !read_dims (self, input, sizes))
    return FALSE;
  if (wanted != NULL   ? wanted->n_elements != sizes->n
      : scales != NULL ? scales->n_elements != sizes->n
                       : given == NULL || given->floats->len != sizes->n)
    return heddle_import_refuse (self, _ ("the numbers of scales"));
  factors = scales != NULL ? scales->data : given != NULL ? (const double *) given->floats->data : NULL;
  for (guint i = 0; i < sizes->n; i++)
    {
      double before = (double) input->dims[sizes->dims[i]].size;

      sizes->sizes[i] = wanted != NULL ? wanted->data[i] : floor (before * factors[i]);
      sizes->scales[i] = wanted != NULL ? wanted->data[i] / before : factors[i];
    }
  return TRUE;
}

static gboolean
resize (HeddleImport *self, const HeddleOnnxOperator *row)
{
  const HeddleFlow *input = heddle_import_input (self, 0);
  g_autoptr (HeddleArray) roi = NULL;
  Manner manner;
  Sizes sizes;

  if (input == NULL || heddle_flow_count (input) == 0)
    return heddle_import_refuse (self, _ ("an input is missing"));
  if (!read_manner (self, &manner) || !read_sizes (self, input, &sizes)
      || (manner.how.crops && !take_numbers (self, 1, &roi)))
    return FALSE;
  if (roi != NULL && roi->n_elements != 2 * sizes.n)
    return heddle_import_refuse (self, _ ("the numbers of scales"));
  if (sizes.n > 0 && !g_str_equal (manner.policy, "stretch"))
    keep_ratio (input, g_str_equal (manner.policy, "not_smaller"), &sizes);
  return resize_by (self, input, &sizes, roi != NULL ? roi->data : NULL, &manner);
}

const HeddleOnnxOperator heddle_onnx_resizes[] = {
  { "Resize", 10, 0, resize },
  { "Upsample", 7, 9, resize },
  { NULL },
};
