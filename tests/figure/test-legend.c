/* SPDX-License-Identifier: MIT */

/* A legend says what is drawn, all of it, and nothing else. */

#include "derive/derivation/derive.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/problem.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "figure/page/compose.h"
#include "figure/page/figure.h"
#include "figure/page/legend-sample.h"
#include "figure/page/legend.h"
#include "files/equations/document.h"
#include "files/exchange/load.h"

#include <string.h>

static HeddleSnapshot *
load_path (const char *path)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (GError) error = NULL;
  HeddleSnapshot *snapshot = heddle_file_load (path, problems, &error);

  g_assert_no_error (error);
  g_assert_nonnull (snapshot);
  return snapshot;
}

static HeddleSnapshot *
load (const char *name)
{
  g_autofree char *path = g_build_filename (heddle_data_directory (), "examples", name, NULL);

  return load_path (path);
}

/* Returns the signs of a scene, each as its sentence, in their order. */
static char *
list_signs (const HeddleScene *scene)
{
  GString *list = g_string_new (NULL);

  for (HeddleMeaning meaning = HEDDLE_MEANING_NONE + 1; meaning < HEDDLE_N_MEANINGS; meaning++)
    if (heddle_legend_has (scene, HEDDLE_THEME_PAPER, meaning))
      g_string_append_printf (list, "%s\n", heddle_meaning_sentence (meaning));
  return g_string_free (list, FALSE);
}

static void
assert_signs (const char *name, const char *expected)
{
  g_autoptr (HeddleSnapshot) snapshot = load (name);
  const HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };
  g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);
  g_autofree char *signs = list_signs (scene);

  g_assert_cmpstr (signs, ==, expected);
}

static void
test_signs (void)
{
  assert_signs ("attention.ncd", "A line is an axis of an array\n"
                                 "Two arrays exist side by side\n"
                                 "Two arrays are multiplied and summed over the axis\n"
                                 "The product is multiplied by this factor\n"
                                 "Softmax makes the axis positive with the sum 1\n"
                                 "Axes change places\n");
  assert_signs ("convolution.ncd", "A line is an axis of an array\n"
                                   "A linear layer multiplies by its own weights\n"
                                   "The axis is read where the formula says\n");
  assert_signs ("residual-mlp.ncd", "A line is an axis of an array\n"
                                    "Two arrays exist side by side\n"
                                    "The array is read in several places\n"
                                    "A linear layer multiplies by its own weights\n"
                                    "The function is applied to each element\n"
                                    "Arrays are combined element by element\n");
}

/* The text of all items. */
static char *
text_of (const HeddleScene *scene)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    if (heddle_scene_get_item (scene, i)->kind == HEDDLE_ITEM_TEXT)
      g_string_append (text, heddle_scene_get_item (scene, i)->text);
  return g_string_free (text, FALSE);
}

static char *
without_spaces (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);

  return g_strjoinv ("", words);
}

/* With labels, what they and the levels' lines mean is said too; below the figure, and no wider than it. */
static void
test_derived (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "figure", "labelled-attention.ncd", NULL);
  g_autoptr (HeddleSnapshot) snapshot = load_path (path);
  HeddleDiagram *diagram = heddle_snapshot_get_diagram (snapshot, NULL);
  const HeddleSchedule *schedule = heddle_snapshot_find_schedule (snapshot, diagram);
  g_autoptr (HeddleSizes) sizes = heddle_sizes_new (diagram, NULL, NULL);
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("h100", 0, NULL);
  const HeddleDeriveOptions options = { .machine = machine, .dtype = HEDDLE_DTYPE_F16, .stages = 1 };
  g_autoptr (HeddleDerivation) derivation = heddle_derive (diagram, schedule, sizes, &options, NULL, NULL);
  HeddleFigure figure = { .diagram = diagram,
    .schedule = schedule,
    .sizes = sizes,
    .derivation = derivation,
    .show = HEDDLE_SHOW_LABELS | HEDDLE_SHOW_COLUMNS };
  g_autoptr (HeddleScene) plain = heddle_figure_compose (snapshot, &figure);
  g_autofree char *signs = list_signs (plain);
  double x, y, width, height, more_width, more_height;
  static const HeddleMeaning expected[]
      = { HEDDLE_MEANING_KERNEL, HEDDLE_MEANING_GROUP, HEDDLE_MEANING_STREAM, HEDDLE_MEANING_CARRIED,
          HEDDLE_MEANING_COSTS, HEDDLE_MEANING_GMEM, HEDDLE_MEANING_SMEM };

  g_assert_nonnull (derivation);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    if (strstr (signs, heddle_meaning_sentence (expected[i])) == NULL)
      g_error ("“%s” is not among %s", heddle_meaning_sentence (expected[i]), signs);
  g_assert_null (strstr (signs, heddle_meaning_sentence (HEDDLE_MEANING_TENSOR)));
  figure.legend = TRUE;
  g_autoptr (HeddleScene) whole = heddle_figure_compose (snapshot, &figure);
  g_autofree char *text = text_of (whole);
  g_autofree char *solid = without_spaces (text);
  g_auto (GStrv) lines = g_strsplit (signs, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *line = without_spaces (lines[i]);

      if (strstr (solid, line) == NULL)
        g_error ("“%s” is not said below the figure", lines[i]);
    }
  heddle_scene_get_bounds (plain, &x, &y, &width, &height);
  heddle_scene_get_bounds (whole, &x, &y, &more_width, &more_height);
  g_assert_cmpfloat (more_width, <=, width + 1.);
  g_assert_cmpfloat (more_height, >, height);
}

/* A call that is scanned has a loop above its box, as wide as the box at most, and the axis' name above that. */
static void
test_loop (void)
{
  for (gboolean scanned = FALSE; scanned <= TRUE; scanned++)
    {
      g_autofree char *text = g_strdup_printf ("def f(h[u], x[u]) -> g[u]:\n  g[u] = tanh(h[u] + x[u])\n\n"
                                               "X : [time, u]\nH : [u]\nG[time,u] = f%s\n",
          scanned ? "[time](H, X)" : "(X, X)");
      g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
      g_autoptr (HeddleSnapshot) snapshot = heddle_equations_read (text, -1, "loop.eq", problems);
      g_assert_nonnull (snapshot);
      const HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };
      g_autoptr (HeddleScene) scene = heddle_figure_compose (snapshot, &figure);
      double left = 0., top = 0., right = 0.;
      guint n = 0;

      for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
        {
          const HeddleItem *item = heddle_scene_get_item (scene, i);
          double x, y, width, height;

          heddle_item_get_bounds (item, &x, &y, &width, &height);
          if (item->part == HEDDLE_PART_BOX && item->kind == HEDDLE_ITEM_PATH)
            {
              left = right > left ? MIN (left, x) : x;
              top = right > 0. ? MIN (top, y) : y;
              right = MAX (right, x + width);
            }
        }
      for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
        {
          const HeddleItem *item = heddle_scene_get_item (scene, i);
          double x, y, width, height;

          if (item->meaning != HEDDLE_MEANING_LOOP)
            continue;
          heddle_item_get_bounds (item, &x, &y, &width, &height);
          g_assert_cmpfloat (x, >=, left);
          g_assert_cmpfloat (x + width, <=, right);
          g_assert_cmpfloat (y + height, <=, top + 2.); /* lines are as wide as that */
          n++;
        }
      g_assert_cmpuint (n > 0, ==, scanned);
    }
}

/* Each sign has a sample that fits into its row, but for soft shadows, and words that no other has. */
static void
test_samples (void)
{
  g_autoptr (GHashTable) sentences = g_hash_table_new (g_str_hash, g_str_equal);

  for (HeddleMeaning meaning = HEDDLE_MEANING_NONE + 1; meaning < HEDDLE_N_MEANINGS; meaning++)
    {
      HeddlePainter painter = heddle_painter_for (HEDDLE_THEME_DARK);

      g_assert_nonnull (heddle_meaning_sentence (meaning));
      g_assert_true (g_hash_table_add (sentences, (gpointer) heddle_meaning_sentence (meaning)));
      heddle_paint_sample (&painter, meaning);
      g_assert_cmpuint (heddle_scene_get_n_items (painter.scene), >, 0);
      for (guint i = 0; i < heddle_scene_get_n_items (painter.scene); i++)
        {
          const HeddleItem *item = heddle_scene_get_item (painter.scene, i);
          double x, y, width, height;

          heddle_item_get_bounds (item, &x, &y, &width, &height);
          if (item->kind != HEDDLE_ITEM_SHADOW
              && (x < -HEDDLE_SAMPLE_WIDTH / 2. || x + width > HEDDLE_SAMPLE_WIDTH / 2.
                  || y < -HEDDLE_SAMPLE_HEIGHT / 2. || y + height > HEDDLE_SAMPLE_HEIGHT / 2.))
            g_error ("%s: %.1f × %.1f at %.1f, %.1f", heddle_meaning_sentence (meaning), width, height, x, y);
        }
      heddle_scene_unref (painter.scene);
    }
}

/* All that is drawn of an operation or an array in any example has a meaning. */
static void
test_examples (void)
{
  g_autofree char *folder = g_build_filename (heddle_data_directory (), "examples", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = NULL;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      if (!g_str_has_suffix (name, ".ncd"))
        continue;
      g_autoptr (HeddleSnapshot) snapshot = load (name);
      const HeddleFigure figure = { .diagram = heddle_snapshot_get_diagram (snapshot, NULL) };
      g_autoptr (HeddleScene) scene = heddle_figure_render (&figure);

      for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
        {
          const HeddleItem *item = heddle_scene_get_item (scene, i);

          if ((item->part == HEDDLE_PART_GLYPH || item->part == HEDDLE_PART_WIRE) && item->object != NULL
              && item->meaning == HEDDLE_MEANING_NONE)
            g_error ("%s: item %u of %s, part %u, means nothing", name, i, item->object, item->part);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/legend/signs", test_signs);
  g_test_add_func ("/legend/derived", test_derived);
  g_test_add_func ("/legend/loop", test_loop);
  g_test_add_func ("/legend/samples", test_samples);
  g_test_add_func ("/legend/examples", test_examples);
  return g_test_run ();
}
