/* SPDX-License-Identifier: MIT */

/* Every word, number, level, label, sign and roof has a card: a sentence, the values of this diagram, and a page of the help. */

#include <glib/gstdio.h>

#include "app/canvas/canvas.h"
#include "app/canvas/private.h"
#include "app/canvas/scene.h"
#include "app/canvas/scene-index.h"
#include "app/canvas/view.h"
#include "app/derivation/actions.h"
#include "app/derivation/kernel-resources.h"
#include "app/derivation/level-strip.h"
#include "app/derivation/pane.h"
#include "app/derivation/predicted-card.h"
#include "app/derivation/roofline-chart.h"
#include "app/derivation/steps-card.h"
#include "app/derivation/suggestion-actions.h"
#include "app/editor/derive.h"
#include "app/editor/editor.h"
#include "app/equations/equation-bar.h"
#include "app/guide/help-window.h"
#include "app/widgets/explain.h"
#include "app/window/window.h"
#include "desk.h"
#include "robot.h"

#define LAST_LINE "\nF1: more of this in the help"

/* FlashAttention, with all panes of the derivation. */
static HeddleWindow *
open_derived (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  HeddleEditor *editor = heddle_window_get_editor (window);

  heddle_derivation_fuse (editor);
  heddle_derivation_suggest (editor);
  robot_until (!heddle_editor_is_searching (editor) && heddle_editor_get_derivation (editor, NULL) != NULL);
  robot_settle (GTK_WIDGET (window));
  return window;
}

/* Returns the card at the middle of @widget, its own or that of what it is in. */
static char *
card_of (GtkWidget *widget)
{
  for (; widget != NULL; widget = gtk_widget_get_parent (widget))
    {
      char *text = heddle_explain_get (
          widget, gtk_widget_get_width (widget) / 2., gtk_widget_get_height (widget) / 2.);

      if (text != NULL)
        return text;
    }
  return NULL;
}

/* Checks all words and bars below @root, and returns how many they are. */
static guint
check_words (GtkWidget *root)
{
  const gboolean word = GTK_IS_LABEL (root) && *gtk_label_get_text (GTK_LABEL (root)) != '\0';
  guint n = 0;

  if (!gtk_widget_get_mapped (root))
    return 0;
  if (word || GTK_IS_LEVEL_BAR (root) || GTK_IS_PICTURE (root))
    {
      g_autofree char *card = card_of (root);

      if (card == NULL)
        g_error ("no card at %s “%s”", G_OBJECT_TYPE_NAME (root),
            word ? gtk_label_get_text (GTK_LABEL (root)) : "");
      g_assert_true (g_str_has_suffix (card, LAST_LINE));
      g_assert_cmpuint (strlen (card), >, strlen (LAST_LINE) + 10);
      n++;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += check_words (child);
  return n;
}

static void
test_strip (void)
{
  HeddleWindow *window = open_derived ();
  GtkWidget *strip = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_LEVEL_STRIP, NULL, NULL);
  GtkWidget *predicted = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_PREDICTED_CARD, NULL, NULL);
  HeddleLevelCard *smem = heddle_level_strip_get_card (HEDDLE_LEVEL_STRIP (strip), "smem");
  GtkWidget *chip = robot_find (GTK_WIDGET (smem), GTK_TYPE_MENU_BUTTON, NULL, NULL);
  g_autofree char *level
      = card_of (GTK_WIDGET (gtk_widget_get_first_child (gtk_widget_get_first_child (GTK_WIDGET (smem)))));
  g_autofree char *label = card_of (chip);

  g_assert_cmpuint (check_words (strip), >, 12);
  g_assert_cmpuint (check_words (predicted), >, 12);
  g_assert_nonnull (strstr (level, "Shared memory is small and fast"));
  g_assert_nonnull (strstr (level, " of 227 KiB = "));
  g_assert_nonnull (strstr (label, "Groups of y: 4096 / 64 = 64")); /* g_y = 64 */
  robot_close (window);
}

/* Each step has a card with what it says and costs, and each figure of a compiled kernel one with what it is. */
static void
test_rows (void)
{
  HeddleWindow *window = open_derived ();
  GtkWidget *pane = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_DERIVATION_PANE, NULL, NULL);
  GtkWidget *steps
      = robot_find (robot_find (pane, HEDDLE_TYPE_STEPS_CARD, NULL, NULL), GTK_TYPE_LIST_BOX, NULL, NULL);
  GtkWidget *switcher = robot_find (pane, GTK_TYPE_STACK_SWITCHER, NULL, NULL);
  GtkWidget *resources = robot_find (pane, HEDDLE_TYPE_KERNEL_RESOURCES, NULL, NULL);
  g_autofree char *step = heddle_explain_get (steps, 20, 10);

  g_assert_nonnull (strstr (step, "\nOne equation at a time: "));
  g_assert_nonnull (strstr (step, " moved, "));
  g_assert_true (g_str_has_suffix (step, LAST_LINE));
  robot_click_middle (gtk_widget_get_next_sibling (gtk_widget_get_first_child (switcher)));
  robot_until (gtk_widget_get_mapped (resources));
  g_assert_cmpuint (check_words (resources), >=, 6); /* of threads and of shared memory */
  robot_close (window);
}

/* Every item of the drawing that is a sign, or stands for something. */
static void
test_canvas (void)
{
  HeddleWindow *window = open_derived ();
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  const HeddleScene *scene = NULL;
  guint n = 0;

  heddle_canvas_set_zoom (canvas, 1);
  robot_settle (GTK_WIDGET (canvas));
  scene = heddle_canvas_get_scene (canvas);
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = heddle_scene_get_item (scene, i);
      double left, top, width, height, x, y;
      g_autofree char *card = NULL;

      if (item->kind == HEDDLE_ITEM_SHADOW || (item->meaning == HEDDLE_MEANING_NONE && item->object == NULL)
          || item->part == HEDDLE_PART_BACKGROUND || item->part == HEDDLE_PART_ANNOTATION)
        continue;
      heddle_item_get_bounds (item, &left, &top, &width, &height);
      if (item->part == HEDDLE_PART_WIRE
          || item->part == HEDDLE_PART_SEPARATOR) /* its bounds are not on it */
        {
          left = item->path->data[0].x1;
          top = item->path->data[0].y1;
          width = height = 0;
        }
      heddle_canvas_to_widget (canvas, left + width / 2, top + height / 2, &x, &y);
      card = heddle_explain_get (GTK_WIDGET (canvas), x, y);
      if (card == NULL)
        g_error ("no card at item %u, part %u, meaning %u, %s", i, item->part, item->meaning, item->object);
      g_assert_true (g_str_has_suffix (card, LAST_LINE));
      n++;
    }
  g_assert_cmpuint (n, >, 40);
  robot_close (window);
}

/* What some of them say. */
static void
test_sentences (void)
{
  HeddleWindow *window = open_derived ();
  HeddleCanvas *canvas = heddle_window_get_canvas (window);
  double x, y;
  g_autofree char *softmax = NULL, *wire = NULL;

  robot_operation_point (window, desk_producer_id (window, "P"), &x, &y);
  softmax = heddle_explain_get (GTK_WIDGET (canvas), x, y);
  robot_wire_point (window, desk_value_id (window, "K"), desk_axis_id (window, "k"), &x, &y);
  wire = heddle_explain_get (GTK_WIDGET (canvas), x, y);
  g_assert_true (g_str_has_prefix (softmax, "Softmax makes the axis positive with the sum 1.\n"));
  g_assert_nonnull (strstr (wire, "K  f16[x=4096, k=128]"));
  robot_close (window);
}

/* Each roof says what bounds a kernel there. */
static void
test_roofs (void)
{
  HeddleWindow *window = open_derived ();
  GtkWidget *chart = robot_find (GTK_WIDGET (window), HEDDLE_TYPE_ROOFLINE_CHART, NULL, NULL);
  static const char *const roofs[] = { "\nTensor: at most 989 TFLOP/s", "\nfp32: at most 66.9 TFLOP/s",
    "\nGMEM: 3.35 TB/s × ", "\nL2: 9.70 TB/s × ", "\nSMEM: ", "\nnow: " };
  g_autoptr (GString) all = g_string_new (NULL);

  for (int x = 0; x < gtk_widget_get_width (chart); x += 3)
    for (int y = 0; y < gtk_widget_get_height (chart); y += 3)
      {
        g_autofree char *card = heddle_explain_get (chart, x, y);

        g_assert_nonnull (card);
        g_string_append (all, card);
      }
  for (guint i = 0; i < G_N_ELEMENTS (roofs); i++)
    if (strstr (all->str, roofs[i]) == NULL)
      g_error ("no place of the chart says “%s”: %.4000s", roofs[i] + 1, all->str);
  robot_close (window);
}

static HeddleHelpWindow *
find_help (void)
{
  for (guint i = 0; i < g_list_model_get_n_items (gtk_window_get_toplevels ()); i++)
    {
      g_autoptr (GObject) window = g_list_model_get_item (gtk_window_get_toplevels (), i);

      if (HEDDLE_IS_HELP_WINDOW (window) && gtk_widget_get_mapped (GTK_WIDGET (window)))
        return HEDDLE_HELP_WINDOW (window);
    }
  return NULL;
}

/* F1 opens the page of what is under the pointer. */
static void
check_page (HeddleWindow *window, GtkWidget *widget, const char *page)
{
  HeddleHelpWindow *help = NULL;

  robot_move (widget, gtk_widget_get_width (widget) / 2., gtk_widget_get_height (widget) / 2.);
  robot_settle (widget);
  robot_key (GTK_WIDGET (heddle_window_get_canvas (window)), GDK_KEY_F1, 0);
  robot_until ((help = find_help ()) != NULL);
  g_assert_cmpstr (heddle_help_window_get_page (help), ==, page);
  gtk_window_close (GTK_WINDOW (help));
  robot_until (find_help () == NULL);
}

static void
test_help (void)
{
  HeddleWindow *window = open_derived ();

  check_page (window, GTK_WIDGET (heddle_window_get_canvas (window)), HEDDLE_PAGE_SIGNS);
  check_page (
      window, robot_find (GTK_WIDGET (window), HEDDLE_TYPE_ROOFLINE_CHART, NULL, NULL), HEDDLE_PAGE_DERIVING);
  robot_close (window);
}

/* Returns the card of the first place in the equations that is @word. */
static char *
card_in_equations (HeddleWindow *window, const char *word)
{
  GtkWidget *view
      = robot_find (GTK_WIDGET (heddle_window_get_equation_bar (window)), GTK_TYPE_TEXT_VIEW, NULL, NULL);
  GtkTextIter start;
  GdkRectangle place;
  int x = 0, y = 0;

  gtk_text_buffer_get_start_iter (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), &start);
  g_assert_true (gtk_text_iter_forward_search (&start, word, 0, &start, NULL, NULL));
  gtk_text_view_get_iter_location (GTK_TEXT_VIEW (view), &start, &place);
  gtk_text_view_buffer_to_window_coords (GTK_TEXT_VIEW (view), GTK_TEXT_WINDOW_WIDGET,
      place.x + place.width / 2, place.y + place.height / 2, &x, &y);
  return heddle_explain_get (view, x, y);
}

/* A name in the equations says what type it has, an axis its size, and a number nothing. */
static void
test_equations (void)
{
  HeddleWindow *window = robot_open ("examples/attention.ncd");
  static const struct
  {
    const char *word, *card;
  } cases[] = { { "K :", "K: f16[x=4096, k=128] = 1\302\240MiB" }, { "x=4096", "x: axis of 4096" },
    { "softmax", "softmax: function" }, { "4096", NULL } };

  heddle_equation_bar_set_collapsed (heddle_window_get_equation_bar (window), FALSE);
  robot_settle (GTK_WIDGET (window));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *card = card_in_equations (window, cases[i].word);
      g_autofree char *wanted = cases[i].card != NULL ? g_strconcat (cases[i].card, LAST_LINE, NULL) : NULL;

      g_assert_cmpstr (card, ==, wanted);
    }
  robot_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  robot_start ();
  g_test_add_func ("/cards/strip", test_strip);
  g_test_add_func ("/cards/rows", test_rows);
  g_test_add_func ("/cards/canvas", test_canvas);
  g_test_add_func ("/cards/sentences", test_sentences);
  g_test_add_func ("/cards/roofs", test_roofs);
  g_test_add_func ("/cards/equations", test_equations);
  g_test_add_func ("/cards/help", test_help);
  return g_test_run ();
}
