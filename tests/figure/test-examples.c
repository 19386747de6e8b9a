/* SPDX-License-Identifier: MIT */

/* What is shown of every example that is shipped, as a paper gets it. */

#include "figure-check.h"
#include "published.h"

#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/compose.h"
#include "figure/page/figure.h"
#include "figure/scene/scene.h"
#include "files/exchange/load.h"

#include <string.h>

static HeddleSnapshot *
load (const char *path)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (GError) error = NULL;
  HeddleSnapshot *snapshot = heddle_file_load (path, problems, &error);

  g_assert_no_error (error);
  g_assert_nonnull (snapshot);
  return snapshot;
}

/* A page, and half of one. No column of the examples is wider than that. */
static const double widths[] = { 972., 468. };

static void
check (const char *name, const HeddleFigure *figure)
{
  g_autoptr (HeddleScene) scene = heddle_figure_render (figure);

  figure_check_labels_apart (name, scene);
  figure_check_labels_off_boxes (name, scene);
  figure_check_labels_off_wires (name, scene);
  figure_check_print (name, scene);
  figure_check_wires_meet (name, scene);
  if (figure->wrap > 0.)
    {
      double x, y, width, height;
      heddle_scene_get_bounds (scene, &x, &y, &width, &height);
      g_assert_cmpfloat (width, <=, figure->wrap);
    }
}

/* --- how often wires cross ------------------------------------------------------------------------------- */

/* As counted in the figures when they were last looked at. Others have at most as many as a diagram that can still be read. */
static const struct
{
  const char *name;
  guint most;
} crossings[] = {
  { "associated-transpose.ncd", 2 },
  { "attention-backward.ncd", 12 },
  { "attention-is-all-you-need.ncd", 0 },
  { "attention.ncd", 1 }, /* the transposed keys, as published */
  { "average-pooling.ncd", 0 },
  { "batch-norm.ncd", 0 },
  { "broadcasting.ncd", 0 },
  { "causal-attention.ncd", 1 },
  { "composition.ncd", 0 },
  { "concatenation.ncd", 3 },
  { "convolution.ncd", 0 },
  { "cross-entropy.ncd", 2 },
  { "decoder-transformer.ncd", 0 },
  { "deepseek-v3.ncd", 6 },
  { "depthwise-convolution.ncd", 1 },
  { "diagonal.ncd", 0 },
  { "digit-recogniser.ncd", 0 },
  { "dilated-convolution.ncd", 0 },
  { "elementwise.ncd", 0 },
  { "embedding.ncd", 0 },
  { "flash-decoding.ncd", 2 }, /* 4 as written */
  { "fp8-attention.ncd", 1 },
  { "grouped-query-attention.ncd", 5 },
  { "identity-resnet.ncd", 1 },
  { "image-convolution.ncd", 2 },
  { "indexing.ncd", 0 },
  { "inner-broadcasting.ncd", 0 },
  { "inner-product.ncd", 0 },
  { "layer-norm.ncd", 0 },
  { "layernorm-linear.ncd", 0 },
  { "linear-recurrence.ncd", 10 },
  { "lstm.ncd", 0 },
  { "matrix-chain.ncd", 0 },
  { "matrix-product.ncd", 0 },
  { "max-pooling.ncd", 0 },
  { "mixtral.ncd", 0 },
  { "mixture-of-experts.ncd", 16 },
  { "multi-head-attention.ncd", 5 },
  { "multi-head-latent-attention.ncd", 16 },
  { "multi-query-attention.ncd", 1 },
  { "offloaded-decode.ncd", 7 },
  { "outer-broadcasting.ncd", 0 },
  { "outer-product-shift.ncd", 1 },
  { "outer-product.ncd", 0 },
  { "pairwise-distances.ncd", 1 },
  { "quadratic-form.ncd", 0 }, /* 2 as written */
  { "quantised-linear.ncd", 2 },
  { "repeat.ncd", 0 },
  { "residual-mlp.ncd", 2 },
  { "residual-tower.ncd", 0 },
  { "rms-norm.ncd", 0 },
  { "rmsnorm-linear.ncd", 0 },
  { "rotary-embedding.ncd", 1 },
  { "row-norms.ncd", 0 },
  { "self-attention.ncd", 3 },
  { "sequence-parallel-attention.ncd", 3 },
  { "sliding-window-attention.ncd", 1 },
  { "softmax.ncd", 0 },
  { "spherical-attention.ncd", 1 },
  { "strided-convolution.ncd", 0 },
  { "swiglu.ncd", 2 },
  { "tensor-parallel-mlp.ncd", 2 },
  { "trace-of-a-product.ncd", 0 },
  { "transpose.ncd", 1 },
  { "transposed-convolution.ncd", 1 },
  { "unet.ncd", 0 },
  { "unit-and-cup.ncd", 3 },
  { "vision-transformer.ncd", 2 },
  { "visual-attention.ncd", 3 },
};
#define MOST_CROSSINGS 60
#define WIDEST_ATTENTION                                                                                     \
  440. /* px; it was 552 while bends began past the last operation, and 460 while wires were named again in sight */

static guint
most_crossings (const char *path)
{
  for (gsize i = 0; i < G_N_ELEMENTS (crossings); i++)
    {
      g_autofree char *name = g_path_get_basename (path);
      if (g_str_equal (name, crossings[i].name))
        return crossings[i].most;
    }
  return MOST_CROSSINGS;
}

static void
test_crossings (gconstpointer data)
{
  g_autoptr (HeddleSnapshot) snapshot = load (data);
  const HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };
  g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);

  const guint n = figure_count_crossings (scene);

  g_test_message ("%u wires cross in %s", n, (const char *) data);
  g_assert_cmpuint (n, <=, most_crossings (data));
}

#define MOST_IN_ALL 252 /* in all diagrams of all examples, as they are drawn in their files */

static guint
count_in_file (const char *path)
{
  g_autoptr (HeddleSnapshot) snapshot = load (path);
  guint n = 0;

  for (guint i = 0; i < snapshot->diagrams->len; i++)
    {
      const HeddleDiagram *diagram = snapshot->diagrams->pdata[i];
      const HeddleFigure figure
          = { .diagram = diagram, .presentation = heddle_snapshot_find_presentation (snapshot, diagram) };
      g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);
      n += figure_count_crossings (scene);
    }
  return n;
}

static void
test_crossings_in_all (gconstpointer folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      n += g_str_has_suffix (name, ".ncd") ? count_in_file (path) : 0;
    }
  g_test_message ("%u wires cross in all examples", n);
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <=, MOST_IN_ALL);
}

/* Every diagram of the file, without and with its levels, in one line and in lines of a column. */
static void
test_example (gconstpointer data)
{
  const char *path = data;
  g_autoptr (HeddleSnapshot) snapshot = load (path);

  for (guint i = 0; i < snapshot->diagrams->len; i++)
    {
      const HeddleDiagram *diagram = snapshot->diagrams->pdata[i];
      HeddleFigure figure = {
        .diagram = diagram,
        .schedule = heddle_snapshot_find_schedule (snapshot, diagram),
        .presentation = heddle_snapshot_find_presentation (snapshot, diagram),
      };
      check (path, &figure);
      for (guint j = 0; j < G_N_ELEMENTS (widths); j++)
        {
          figure.wrap = widths[j];
          check (path, &figure);
        }
      figure.wrap = 0.;
      figure.show = HEDDLE_SHOW_LABELS;
      check (path, &figure);
    }
}

/* A wire that goes on lower begins to bend beside the last operation, as soon as it keeps clear of it; a crossing is no wider than two wires
 * need. */
static void
test_close (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("HEDDLE_DATADIR"), "examples", "attention.ncd", NULL);
  g_autoptr (HeddleSnapshot) snapshot = load (path);
  const HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };
  g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);
  double x, y, width, height;

  heddle_scene_get_bounds (scene, &x, &y, &width, &height);
  g_assert_cmpfloat (width, <, WIDEST_ATTENTION);
}

/* --- the figures after the paper -------------------------------------------------------------------------- */

/* Each alone, and with all that stands beside it. Maps that are attached by hand stand in the boxes of others. */
static void
test_figure (gconstpointer path)
{
  g_autoptr (HeddleSnapshot) snapshot = load (path);

  for (guint i = 0; i < snapshot->diagrams->len; i++)
    {
      const HeddleDiagram *diagram = snapshot->diagrams->pdata[i];
      const HeddleFigure figure
          = { .diagram = diagram, .presentation = heddle_snapshot_find_presentation (snapshot, diagram) };
      g_autoptr (HeddleScene) alone = heddle_figure_render (&figure);
      g_autoptr (HeddleScene) whole = heddle_figure_compose (snapshot, &figure);
      figure_check_labels_apart (path, alone);
      figure_check_labels_off_wires (path, whole);
      figure_check_print (path, whole);
    }
}

#define MOST_AREA 1.25 /* of a figure's area in the paper */
#define MEDIAN_AREA 1.
#define LEAST_LETTERS 0.9 /* of the names of axes in the paper, where both are printed equally wide */

static int
by_value (gconstpointer a, gconstpointer b)
{
  const double difference = *(const double *) a - *(const double *) b;

  return difference < 0. ? -1 : difference > 0.;
}

static void
test_areas (void)
{
  g_autoptr (GArray) areas = g_array_new (FALSE, FALSE, sizeof (double));

  for (const Published *one = published_at (0); one != NULL; one = published_at (areas->len))
    {
      g_autofree char *path = g_build_filename (g_getenv ("HEDDLE_DATADIR"), "figures", one->name, NULL);
      g_autoptr (HeddleSnapshot) snapshot = load (path);
      const HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
      const HeddleFigure figure
          = { .diagram = diagram, .presentation = heddle_snapshot_find_presentation (snapshot, diagram) };
      g_autoptr (HeddleScene) scene = heddle_figure_compose (snapshot, &figure);
      double x, y, width, height;

      heddle_scene_get_bounds (scene, &x, &y, &width, &height);
      const double area = published_area (one, width, height), letters = published_letters (one, width);
      g_test_message ("%s takes %.2f of the published area; at its width letters are %.2f as large",
          one->name, area, letters);
      g_assert_cmpfloat (area, <=, MOST_AREA);
      g_assert_cmpfloat (letters, >=, LEAST_LETTERS);
      g_array_append_val (areas, area);
    }
  g_array_sort (areas, by_value);
  g_assert_cmpfloat (g_array_index (areas, double, areas->len / 2), <=, MEDIAN_AREA);
}

/* Whether a ground of the background holds the label from side to side. */
static gboolean
lies_on_ground (const HeddleScene *scene, const HeddleItem *label)
{
  const Box text = figure_check_box (label);

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      const Box box = figure_check_box (item);
      if (item->part == HEDDLE_PART_BACKGROUND && item->kind == HEDDLE_ITEM_PATH && box.x <= text.x
          && box.x + box.width >= text.x + text.width && box.y <= label->y && box.y + box.height >= label->y)
        return TRUE;
    }
  return FALSE;
}

/* Columns on shaded bands say at each what the data is, and no name is wider than its band. */
static void
test_shaded (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("HEDDLE_DATADIR"), "figures", "rediagram.ncd", NULL);
  g_autoptr (HeddleSnapshot) snapshot = load (path);
  const HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  const HeddleFigure figure
      = { .diagram = diagram, .presentation = heddle_snapshot_find_presentation (snapshot, diagram) };
  g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);
  g_autoptr (GPtrArray) names = heddle_scene_get_object_items (scene, "a.s");
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      if (item->part == HEDDLE_PART_AXIS_LABEL && item->kind == HEDDLE_ITEM_TEXT)
        g_assert_true (lies_on_ground (scene, item));
    }
  for (guint i = 0; i < names->len; i++)
    n += g_strcmp0 (((const HeddleItem *) names->pdata[i])->text, "3") == 0;
  g_assert_cmpuint (n, ==, 2); /* before f and after it */
}

static void
add_figures (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("HEDDLE_DATADIR"), "figures", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  g_test_add_func ("/figures/areas", test_areas);
  g_test_add_func ("/figures/shaded", test_shaded);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *test = g_strconcat ("/figures/", name, NULL);
      if (g_str_has_suffix (name, ".ncd"))
        g_test_add_data_func_full (test, g_build_filename (folder, name, NULL), test_figure, g_free);
    }
}

/* --- what was too high ------------------------------------------------------------------------------------- */

#define HIGHEST_LINEAR 80. /* px; it was 400 while a map reached over what had ended between its wires */

/* The heads of the values lie above what is left of them, and far below the queries: the last linear map has them side by side. */
static void
test_gathered (void)
{
  g_autofree char *path
      = g_build_filename (g_getenv ("HEDDLE_DATADIR"), "examples", "multi-head-latent-attention.ncd", NULL);
  g_autoptr (HeddleSnapshot) snapshot = load (path);
  const HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };
  g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);
  g_autoptr (GPtrArray) items = heddle_scene_get_object_items (scene, "o.Y");
  guint boxes = 0;

  for (guint i = 0; i < items->len; i++)
    {
      const HeddleItem *item = items->pdata[i];
      if (item->part != HEDDLE_PART_BOX || item->kind != HEDDLE_ITEM_PATH)
        continue;
      g_assert_cmpfloat (figure_check_box (item).height, <, HIGHEST_LINEAR);
      boxes++;
    }
  g_assert_cmpuint (boxes, ==, 1);
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_build_filename (g_getenv ("HEDDLE_DATADIR"), "examples", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_test_init (&argc, &argv, NULL);
  g_assert_nonnull (dir);
  g_test_add_func ("/examples/close", test_close);
  g_test_add_func ("/examples/gathered", test_gathered);
  g_test_add_data_func ("/examples/crossings-in-all", folder, test_crossings_in_all);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      if (!g_str_has_suffix (name, ".ncd"))
        continue;
      g_autofree char *test = g_strconcat ("/examples/", name, NULL);
      g_autofree char *crossing = g_strconcat ("/examples/crossings/", name, NULL);
      g_test_add_data_func_full (test, g_build_filename (folder, name, NULL), test_example, g_free);
      g_test_add_data_func_full (crossing, g_build_filename (folder, name, NULL), test_crossings, g_free);
    }
  add_figures ();
  return g_test_run ();
}
