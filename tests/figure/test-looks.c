/* SPDX-License-Identifier: MIT */
#include "diagram/document/document.h"
#include "diagram/document/ornament.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "figure/layout/figure-spec.h"
#include "figure/page/compose.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"
#include "figure-case.h"
#include "figure-check.h"

#include <math.h>
#include <string.h>

/* How a person would have things drawn otherwise than they are by themselves. */

typedef struct
{
  HeddleSnapshot *snapshot;
  HeddleDiagram *diagram;
  HeddlePresentation *presentation;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->snapshot = figure_case_read (data);
  self->diagram = heddle_snapshot_get_diagram (self->snapshot, NULL);
  self->presentation = heddle_snapshot_get_presentation (self->snapshot, self->diagram);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  heddle_snapshot_unref (self->snapshot);
}

static HeddleScene *
compose (const Fixture *self)
{
  const HeddleFigure figure = { .diagram = self->diagram, .presentation = self->presentation };

  return heddle_figure_compose (self->snapshot, &figure);
}

static HeddleLook *
look (const Fixture *self, const char *object, HeddleLookKind kind, const char *label)
{
  HeddleLook *added = heddle_presentation_add (self->presentation, heddle_ornament_kind ("look"));

  added->object = g_intern_string (object);
  added->look = kind;
  added->label = g_strdup (label);
  return added;
}

static HeddleAnnotation *
note (const Fixture *self, HeddleNoteKind kind, const char *text)
{
  HeddleAnnotation *added = heddle_presentation_add (self->presentation, heddle_ornament_kind ("annotation"));

  added->kind = kind;
  added->text = g_strdup (text);
  return added;
}

static void
fill (const Fixture *self, const char *object, const char *class)
{
  HeddleFill *added = g_new0 (HeddleFill, 1);

  added->object = g_intern_string (object);
  added->fill = g_strdup (class);
  g_ptr_array_add (self->presentation->fills, added);
}

static const HeddleItem *
item_at (const HeddleScene *scene, guint i)
{
  return heddle_scene_get_item (scene, i);
}

static const HeddleItem *
find_text (const HeddleScene *scene, const char *text)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    if (item_at (scene, i)->kind == HEDDLE_ITEM_TEXT && g_str_equal (item_at (scene, i)->text, text))
      return item_at (scene, i);
  return NULL;
}

static guint
count_part (const HeddleScene *scene, HeddlePart part, const char *object)
{
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    n += item_at (scene, i)->part == part && g_strcmp0 (item_at (scene, i)->object, object) == 0;
  return n;
}

static gboolean
is_color (const HeddleColor *color, guint32 rgb)
{
  const HeddleColor wanted = heddle_color_rgb (rgb, 1.);

  return fabs (color->r - wanted.r) + fabs (color->g - wanted.g) + fabs (color->b - wanted.b) < 0.001;
}

/* --- operations -------------------------------------------------------------------------------------- */

static const FigureCase norm = { "norm", "X : f32[h=4, n=8, b=2]\n"
                                         "A[h,n,b] = batchnorm[h, b](X[h,n,b])\n"
                                         "B[h,n,b] = relu(A[h,n,b])\n"
                                         "C[h,n,b] = exp(B[h,n,b])\n" };

static const FigureCase boxed = { "boxed", "X : f32[h=4, n=8]\n"
                                           "param W : f32[n, k=3]\n"
                                           "C[h,k] = X[h,n] W[n,k]\n"
                                           "D[h,k] = relu(C[h,k])\n"
                                           "E[h,k] = exp(D[h,k])\n" };
static const FigureCase attend = { "attend", "Y : f32[y=4, m=8]\n"
                                             "K : f32[x=4, k=8]\n"
                                             "V : f32[x, k]\n"
                                             "param W_Q : f32[m, k]\n"
                                             "Q[y,k] = Y[y,m] W_Q[m,k]\n"
                                             "S[y,x] = Q[y,k] K[x,k]\n"
                                             "P[y,x] = softmax[x](S[y,x])\n"
                                             "O[y,k] = P[y,x] V[x,k]\n" };
static const FigureCase read_late = { "late", "X : f32[x=8, c=4]\n"
                                              "param W : f32[w=3, c, f=5]\n"
                                              "A[x,c] = exp(X[x,c])\n"
                                              "B[x,c] = tanh(A[x,c])\n"
                                              "C[x,c] = exp(B[x,c])\n"
                                              "D[x,c] = tanh(C[x,c])\n"
                                              "t[x,w,c] = D[x+w-1,c]\n"
                                              "Y[x,f] = t[x,w,c] W[w,c,f]\n" };

/* In the column of what it is applied to: the one after it begins further left, and no wire lies between. */
static void
test_attached (Fixture *self, gconstpointer data)
{
  g_autoptr (HeddleScene) before = compose (self);
  look (self, "o.B", HEDDLE_LOOK_ATTACHED, "R");
  g_autoptr (HeddleScene) after = compose (self);

  g_assert_nonnull (find_text (after, "R"));
  g_assert_cmpfloat (find_text (after, "exp")->x, <, find_text (before, "exp")->x - 30.);
  g_assert_cmpuint (count_part (before, HEDDLE_PART_WIRE, "v.A"), >, 0);
  g_assert_cmpuint (count_part (after, HEDDLE_PART_WIRE, "v.A"), ==, 0);
  figure_check_labels_apart ("attached", after);
}

/* Under a box: what follows begins no further right, and nothing lies on the map. */
static void
test_attached_under (Fixture *self, gconstpointer data)
{
  look (self, "o.C", HEDDLE_LOOK_BOX, "3");
  g_autoptr (HeddleScene) before = compose (self);
  look (self, "o.D", HEDDLE_LOOK_ATTACHED, "R");
  g_autoptr (HeddleScene) after = compose (self);
  const HeddleItem *map = find_text (after, "R"), *box = find_text (after, "3");

  g_assert_cmpfloat (map->y, >, box->y + 20.); /* the box reaches 16 px under the middle of its wires */
  g_assert_cmpfloat (fabs (map->x - box->x), <, 12.);
  g_assert_cmpfloat (find_text (after, "exp")->x, <, find_text (before, "exp")->x - 30.);
  figure_check_labels_apart ("under", after);
  figure_check_labels_off_wires ("under", after);
}

/* Without its ground an operation takes no more room than what is drawn of it. */
static void
test_bare (Fixture *self, gconstpointer data)
{
  static const char *const objects[] = { "o.Q", "o.S", "o.P", "o.O" };
  g_autoptr (HeddleScene) before = compose (self);
  double x, y, width, height, bare_width, bare_height;

  for (guint i = 0; i < G_N_ELEMENTS (objects); i++)
    fill (self, objects[i], "none");
  look (self, "o.P", HEDDLE_LOOK_USUAL, "{}");
  g_autoptr (HeddleScene) after = compose (self);
  heddle_scene_get_bounds (before, &x, &y, &width, &height);
  heddle_scene_get_bounds (after, &x, &y, &bare_width, &bare_height);
  g_assert_cmpfloat (bare_width, <, width - 60.);
  g_assert_cmpfloat (bare_height, <=, height);
  for (guint i = 0; i < heddle_scene_get_n_items (after); i++)
    g_assert_true (
        item_at (after, i)->part != HEDDLE_PART_BOX); /* nor has the crossing before the product one */
  figure_check_wires_meet ("bare", after);
  figure_check_labels_apart ("bare", after);
  figure_check_labels_off_wires ("bare", after);
}

/* The wire that a window reads is named behind it, and not before it too. */
static void
test_named_behind (Fixture *self, gconstpointer data)
{
  g_autoptr (HeddleScene) glyph = compose (self);
  look (self, "o.t", HEDDLE_LOOK_WINDOW, "3");
  g_autoptr (HeddleScene) trapezoid = compose (self);

  g_assert_cmpuint (count_part (glyph, HEDDLE_PART_AXIS_LABEL, "a.x"), >,
      count_part (trapezoid, HEDDLE_PART_AXIS_LABEL, "a.x"));
  g_assert_cmpuint (count_part (trapezoid, HEDDLE_PART_AXIS_LABEL, "a.x"), >, 0);
}

/* A map in the place of a norm's title: the box is as wide as the map needs, and no higher over the wires than it. */
static void
test_attached_room (Fixture *self, gconstpointer data)
{
  look (self, "o.B", HEDDLE_LOOK_ATTACHED, "R");
  g_autoptr (HeddleScene) scene = compose (self);
  const HeddleItem *map = find_text (scene, "R");

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = item_at (scene, i);
      if (item->part != HEDDLE_PART_BOX || item->kind != HEDDLE_ITEM_PATH)
        continue;
      const Box box = figure_check_box (item);
      g_assert_cmpfloat (box.width, <=, 48.);
      g_assert_cmpfloat_with_epsilon (box.y, map->y - 15.5, 1.);
      g_assert_cmpfloat_with_epsilon (
          box.y + box.height, 47., 1.); /* the lowest wire, at 40, turns up to the circle */
    }
}

/* The wire that a window makes for the linear map lies close over the next, and what the map makes goes on straight from that one. A sum
 * takes it likewise. */
static const FigureCase window = { "read", "X : f32[x=8, c=4]\n"
                                           "param W : f32[w=3, c, f=5]\n"
                                           "axis y = 8\n"
                                           "t[y,w,c] = X[y+w-1,c]\n"
                                           "Y[y,f] = t[y,w,c] W[w,c,f]\n" };
static const FigureCase pool = { "pool", "X : f32[x=8, c=4]\n"
                                         "axis y = 4\n"
                                         "axis w = 2\n"
                                         "t[y,w,c] = X[2*y+w,c]\n"
                                         "Y[y,c] = max[w](t[y,w,c])\n" };

/* The height of the wire of @axis. */
static double
height_of (const HeddleScene *scene, const char *axis)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    if (item_at (scene, i)->part == HEDDLE_PART_WIRE && g_strcmp0 (item_at (scene, i)->axis, axis) == 0)
      {
        Place ends[2];
        figure_check_ends (item_at (scene, i), ends);
        return ends[1].y;
      }
  return G_MAXDOUBLE;
}

static void
assert_close (const HeddleScene *scene, double gap)
{
  g_assert_cmpfloat_with_epsilon (height_of (scene, "a.w"), 20., 0.01);
  g_assert_cmpfloat_with_epsilon (height_of (scene, "a.c"), 20. + gap, 0.01);
  figure_check_labels_apart ("close", scene);
  figure_check_labels_off_wires ("close", scene);
}

static void
test_close_linear (Fixture *self, gconstpointer data)
{
  g_autoptr (HeddleScene) glyph = compose (self);
  assert_close (glyph, 13.); /* the edge of the hexagon lies between */
  g_assert_cmpfloat_with_epsilon (height_of (glyph, "a.f"), 33., 0.01);
  look (self, "o.t", HEDDLE_LOOK_WINDOW, "3");
  g_autoptr (HeddleScene) trapezoid = compose (self);
  assert_close (trapezoid, 7.);
  g_assert_cmpfloat_with_epsilon (height_of (trapezoid, "a.f"), 27., 0.01);
}

static void
test_close_reduction (Fixture *self, gconstpointer data)
{
  g_autoptr (HeddleScene) scene = compose (self);

  assert_close (scene, 13.);
}

static const FigureCase average = { "average", "X : f32[x=8, c=4]\nY[c] = mean[x](X[x,c])\n" };

/* A pooling has its window, and behind it how much that takes in, over the wire to its dot, and its name under it. */
static void
test_pool (Fixture *self, gconstpointer data)
{
  const HeddleColor fill = heddle_theme_fill (HEDDLE_THEME_PAPER, "window");
  const HeddleItem *trapezoid = NULL;

  look (self, "o.Y", HEDDLE_LOOK_WINDOW, "8");
  g_autoptr (HeddleScene) scene = compose (self);
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    if (item_at (scene, i)->fill && memcmp (&item_at (scene, i)->fill_color, &fill, sizeof fill) == 0)
      trapezoid = item_at (scene, i);
  const HeddleItem *size = find_text (scene, "8"), *name = find_text (scene, "mean");
  g_assert_true (trapezoid != NULL && size != NULL && name != NULL);
  const Box place = figure_check_box (trapezoid);
  g_assert_cmpfloat (size->x, >, place.x + place.width);
  g_assert_cmpfloat (name->y, >, size->y + 13.); /* a line of its letters */
  g_assert_cmpfloat_with_epsilon (name->x + name->width / 2., size->x + size->width / 2., 2.);
  figure_check_labels_apart ("pool", scene);
  figure_check_labels_off_wires ("pool", scene);
}

/* Where every column names its wires, each has a row of its own; and no line ends where two are close. */
static void
test_close_in_vain (Fixture *self, gconstpointer data)
{
  self->presentation->bands = HEDDLE_BANDS_SHADED;
  g_autoptr (HeddleScene) shaded = compose (self);
  self->presentation->bands = HEDDLE_BANDS_PLAIN;
  self->presentation->wrap = 150.;
  g_autoptr (HeddleScene) wrapped = compose (self);

  assert_close (shaded, 20.);
  figure_check_labels_apart ("wrapped", wrapped);
  figure_check_labels_off_wires ("wrapped", wrapped);
}

/* Over a linear map: what follows begins no further right, and nothing lies on the map. */
static void
test_attached_over (Fixture *self, gconstpointer data)
{
  g_autoptr (HeddleScene) before = compose (self);
  look (self, "o.D", HEDDLE_LOOK_ATTACHED, "R");
  g_autoptr (HeddleScene) after = compose (self);
  const HeddleItem *map = find_text (after, "R"), *linear = find_text (after, "L");

  g_assert_true (map != NULL && linear != NULL);
  g_assert_cmpfloat (map->y, <, linear->y - 30.);
  g_assert_cmpfloat (fabs (map->x - linear->x), <, 16.);
  g_assert_cmpfloat (find_text (after, "exp")->x, <, find_text (before, "exp")->x - 30.);
  g_assert_cmpuint (count_part (after, HEDDLE_PART_WIRE, "v.C"), ==, 0);
  figure_check_labels_apart ("over", after);
  figure_check_labels_off_wires ("over", after);
}

static const HeddleItem *
find_green (const HeddleScene *scene, guint *n)
{
  const HeddleItem *found = NULL;

  *n = 0;
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = item_at (scene, i);

      if (item->kind == HEDDLE_ITEM_PATH && item->fill && is_color (&item->fill_color, 0x00FF00))
        {
          found = item;
          (*n)++;
        }
    }
  return found;
}

static const FigureCase flat = { "flat", "X : f32[y=4, x=4]\n"
                                         "F[f=16] = X[floor(f/size(x)), mod(f, size(x))]\n"
                                         "Y[f] = exp(F[f])\n" };

/* An input lies on a card in the colour that it was given, under its name. */
static void
test_name_on_card (Fixture *self, gconstpointer data)
{
  guint n;

  fill (self, "v.X", "#00FF00");
  g_autoptr (HeddleScene) scene = compose (self);
  const HeddleItem *card = find_green (scene, &n), *name = find_text (scene, "X");

  g_assert_cmpuint (n, ==, 1);
  const Box place = figure_check_box (card);
  g_assert_cmpfloat (place.x, <, name->x);
  g_assert_cmpfloat (place.x + place.width, >, name->x + name->width);
  g_assert_cmpfloat (place.y, <, name->y - 16.);
  g_assert_cmpfloat (place.y + place.height, >, name->y);
}

/* The bar of a view lies on a ground in its colour, and takes no more room for words that it does not show. */
static void
test_view_on_ground (Fixture *self, gconstpointer data)
{
  guint n;

  fill (self, "o.F", "#00FF00");
  g_autoptr (HeddleScene) scene = compose (self);
  const HeddleItem *ground = find_green (scene, &n);

  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpfloat (figure_check_box (ground).width, <, 40.);
  g_assert_cmpfloat (find_text (scene, "exp")->x, <, 170.);
}

static const FigureCase beside = { "beside", "X : f32[n=4]\n"
                                             "Y : f32[n]\n"
                                             "A[n] = exp(X[n])\n"
                                             "B[n] = A[n] + Y[n]\n" };

static guint
count_colour (const HeddleScene *scene, guint32 rgb)
{
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    n += item_at (scene, i)->kind == HEDDLE_ITEM_PATH && item_at (scene, i)->part == HEDDLE_PART_BACKGROUND
         && is_color (&item_at (scene, i)->fill_color, rgb);
  return n;
}

/* On shaded columns what goes on under an operation has a band of its own, as an identity. */
static void
test_identity (Fixture *self, gconstpointer data)
{
  self->presentation->bands = HEDDLE_BANDS_SHADED;
  g_autoptr (HeddleScene) tuple = compose (self);
  self->presentation->separators = HEDDLE_SEPARATORS_NONE;
  g_autoptr (HeddleScene) strings = compose (self);

  g_assert_cmpuint (count_colour (tuple, 0x9DC7FE), ==, 3);
  g_assert_cmpuint (count_colour (strings, 0x9DC7FE), ==, 2);
}

/* Only with what makes its operand for it alone. */
static void
test_attached_in_vain (Fixture *self, gconstpointer data)
{
  look (self, "o.C", HEDDLE_LOOK_ATTACHED, "E");
  g_autoptr (HeddleScene) scene = compose (self);

  g_assert_nonnull (find_text (scene, "E"));
  g_assert_cmpuint (count_part (scene, HEDDLE_PART_WIRE, "v.B"), >, 0);
}

/* The circle is on the channel; the wires of the batch bend to it. */
static void
test_batch_norm (Fixture *self, gconstpointer data)
{
  g_autoptr (HeddleScene) scene = compose (self);
  double channel = 0., circle = 0.;
  guint bent = 0, straight = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = item_at (scene, i);
      const gboolean curved = item->kind == HEDDLE_ITEM_PATH && item->path->len == 2
                              && g_array_index (item->path, HeddleSegment, 1).kind == HEDDLE_SEGMENT_CURVE;
      if (item->part == HEDDLE_PART_WIRE && g_strcmp0 (item->value, "v.X") == 0)
        {
          bent += curved && g_strcmp0 (item->axis, "a.n") != 0;
          straight += !curved && g_strcmp0 (item->axis, "a.n") == 0;
          if (g_strcmp0 (item->axis, "a.n") == 0)
            channel = g_array_index (item->path, HeddleSegment, 0).y1;
        }
      else if (item->kind == HEDDLE_ITEM_PATH && item->part == HEDDLE_PART_GLYPH
               && g_strcmp0 (item->object, "o.A") == 0 && item->fill)
        {
          const Box box = figure_check_box (item);
          circle = box.y + box.height / 2.;
        }
    }
  g_assert_cmpuint (bent, ==, 4); /* h and b, in and out */
  g_assert_cmpuint (straight, ==, 1);
  g_assert_cmpfloat_with_epsilon (circle, channel, 0.01);
}

static const FigureCase called = { "called", "def square(X[p,q,r]) -> Y[p,q,r]:\n"
                                             "  Y[p,q,r] = X[p,q,r] * X[p,q,r]\n"
                                             "\n"
                                             "A : f32[i=2, j=3, k=4]\n"
                                             "B[i,j,k] = square(A)\n" };

static guint
count_wires (const HeddleScene *scene, const char *axis, const char *value)
{
  guint n = 0;

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = item_at (scene, i);
      n += item->part == HEDDLE_PART_WIRE && g_strcmp0 (item->axis, axis) == 0
           && g_strcmp0 (item->value, value) == 0;
    }
  return n;
}

static Box
box_of (const HeddleScene *scene, const char *object)
{
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    if (item_at (scene, i)->kind == HEDDLE_ITEM_PATH && item_at (scene, i)->part == HEDDLE_PART_BOX
        && g_strcmp0 (item_at (scene, i)->object, object) == 0)
      return figure_check_box (item_at (scene, i));
  g_error ("no box of %s", object);
}

/* The box is as high as the wires that enter it. */
static void
test_over (Fixture *self, gconstpointer data)
{
  HeddleLook *own = look (self, "o.B", HEDDLE_LOOK_BOX, "s");
  g_autoptr (HeddleScene) before = compose (self);
  heddle_ids_append (own->over, g_intern_string ("a.k"));
  g_autoptr (HeddleScene) after = compose (self);
  const Box large = box_of (before, "o.B"), small = box_of (after, "o.B");

  g_assert_cmpuint (count_wires (before, "a.k", "v.A"), ==, 1);
  g_assert_cmpuint (count_wires (after, "a.k", "v.A"), ==, 1);
  g_assert_cmpfloat_with_epsilon (large.y, small.y, 0.01);
  g_assert_cmpfloat (small.height, <=, large.height - 15.);
}

/* --- panels ------------------------------------------------------------------------------------------- */

static HeddlePanel *
panel (const Fixture *self, HeddlePanelWires wires)
{
  HeddlePanel *added = heddle_presentation_add (self->presentation, heddle_ornament_kind ("panel"));

  added->diagram = ((HeddleDiagram *) self->snapshot->diagrams->pdata[1])->id;
  added->place = HEDDLE_PANEL_BELOW;
  added->wires = wires;
  return added;
}

/* No name where wires go on; an arrow's head each. */
static void
test_wires_on (Fixture *self, gconstpointer data)
{
  panel (self, HEDDLE_PANEL_APART);
  g_autoptr (HeddleScene) apart = compose (self);
  g_ptr_array_set_size (self->presentation->panels, 0);
  panel (self, HEDDLE_PANEL_ON);
  g_autoptr (HeddleScene) on = compose (self);

  g_assert_nonnull (find_text (apart, "B"));
  g_assert_nonnull (find_text (apart, "X"));
  g_assert_null (find_text (on, "B"));
  g_assert_null (find_text (on, "X"));
  g_assert_nonnull (
      find_text (on, "A")); /* what comes in at the first, and leaves at the last, has its name */
  g_assert_nonnull (find_text (on, "Y"));
  guint heads = 0;
  for (guint i = 0; i < heddle_scene_get_n_items (on); i++)
    heads += item_at (on, i)->part == HEDDLE_PART_WIRE && item_at (on, i)->fill
             && item_at (on, i)->path->len == 4;
  g_assert_cmpuint (heads, ==, 6);
}

static const FigureCase kept = { "kept", "A : f32[i=2, j=3]\n"
                                         "B[i,j] = exp(A[i,j])\n"
                                         "C[i,j] = relu(B[i,j])\n"
                                         "-> B, C\n" };

/* An output is saved by its name where it is made, an input loaded. */
static void
test_saved_output (Fixture *self, gconstpointer data)
{
  static const char *const values[] = { "v.A", "v.B" };

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    {
      HeddleSkip *skip = heddle_presentation_add (self->presentation, heddle_ornament_kind ("skip"));
      skip->value = skip->reader = g_intern_string (values[i]);
    }
  g_autoptr (HeddleScene) scene = compose (self);
  const Box saved = box_of (scene, "v.B"), loaded = box_of (scene, "v.A");

  g_assert_cmpuint (count_part (scene, HEDDLE_PART_BOX, "v.C"), ==, 0);
  g_assert_cmpfloat (saved.x, <, find_text (scene, "C")->x);
  g_assert_cmpfloat (loaded.x, <, saved.x);
}

static const FigureCase early = { "early", "A : f32[i=2, j=3]\n"
                                           "param W : f32[j, k=3]\n"
                                           "param V : f32[k, l=3]\n"
                                           "param U : f32[l, m=3]\n"
                                           "B[i,j] = exp(A[i,j])\n"
                                           "C[i,k] = B[i,j] W[j,k]\n"
                                           "D[i,l] = C[i,k] V[k,l]\n"
                                           "E[i,m] = D[i,l] U[l,m]\n"
                                           "-> B, E\n" };

/* The name of what is saved early stands below the operations that follow: they do not wait for it. */
static void
test_saved_name (Fixture *self, gconstpointer data)
{
  HeddleSkip *skip = heddle_presentation_add (self->presentation, heddle_ornament_kind ("skip"));

  skip->value = skip->reader = g_intern_string ("v.B");
  g_autoptr (HeddleScene) brief = compose (self);
  HeddleLook *look = heddle_presentation_add (self->presentation, heddle_ornament_kind ("look"));
  look->object = g_intern_string ("v.B");
  look->label = g_strdup ("\\mathrm{Kept}");
  g_autoptr (HeddleScene) wordy = compose (self);

  g_assert_cmpfloat (box_of (wordy, "v.B").width, >, box_of (brief, "v.B").width + 20.);
  g_assert_cmpfloat (box_of (wordy, "o.E").x, ==, box_of (brief, "o.E").x);
  figure_check_labels_off_boxes ("early", wordy);
  figure_check_labels_apart ("early", wordy);
}

static const FigureCase torn = { "product", "A : f32[i=2, k=3]\n"
                                            "B : f32[k, j=4]\n"
                                            "C[i,j] = A[i,k] B[k,j]\n"
                                            "s = C[i,j] C[i,j]\n" };

static void
test_no_separators (Fixture *self, gconstpointer data)
{
  g_autoptr (HeddleScene) before = compose (self);
  self->presentation->separators = HEDDLE_SEPARATORS_NONE;
  g_autoptr (HeddleScene) after = compose (self);

  g_assert_cmpuint (count_part (before, HEDDLE_PART_SEPARATOR, NULL), >, 0);
  g_assert_cmpuint (count_part (after, HEDDLE_PART_SEPARATOR, NULL), ==, 0);
  g_assert_cmpuint (count_part (before, HEDDLE_PART_WIRE, "v.s"), >, 0);
  g_assert_cmpuint (count_part (after, HEDDLE_PART_WIRE, "v.s"), ==, 0);
  g_assert_cmpuint (count_wires (after, "a.i", "v.A"), >, 0);
}

/* --- copies ------------------------------------------------------------------------------------------- */

static const FigureCase fan = { "backward", "Q : f32[y=4, k=2]\n"
                                            "K : f32[x=3, k]\n"
                                            "V : f32[x, k]\n"
                                            "G : f32[y, k]\n"
                                            "P[y,x] = softmax[x](Q[y,k] K[x,k])\n"
                                            "D[y,x] = G[y,k] V[x,k]\n"
                                            "E[y] = P[y,x] D[y,x]\n"
                                            "S[y,x] = P[y,x] * (D[y,x] - E[y])\n"
                                            "T[y,k] = S[y,x] K[x,k]\n"
                                            "U[x,k] = S[y,x] Q[y,k]\n"
                                            "W[x,k] = P[y,x] G[y,k]\n" };

static guint
count_cards (const HeddleScene *scene, const char *value)
{
  g_autoptr (GPtrArray) items = heddle_scene_get_object_items ((HeddleScene *) scene, value);
  guint n = 0;

  for (guint i = 0; i < items->len; i++)
    n += ((const HeddleItem *) items->pdata[i])->kind == HEDDLE_ITEM_SHADOW;
  return n;
}

/* A copy whose wires would cross more than three others is named where it is made and where it is read; of an input, which is named
 * already, only where it is read. A person can have all of them drawn. */
static void
test_fan (Fixture *self, gconstpointer data)
{
  g_autoptr (HeddleScene) few = compose (self);
  self->presentation->copies = HEDDLE_COPIES_WIRES;
  g_autoptr (HeddleScene) wires = compose (self);

  g_assert_cmpuint (count_cards (few, "v.P"), ==, 3);
  g_assert_cmpuint (count_cards (few, "v.Q"), ==, 1);
  g_assert_cmpuint (count_cards (wires, "v.P"), ==, 0);
  g_assert_cmpuint (count_cards (wires, "v.Q"), ==, 0);
  g_assert_cmpuint (2 * figure_count_crossings (few), <, figure_count_crossings (wires));
  figure_check_labels_off_wires ("backward", few);
  figure_check_labels_off_boxes ("backward", few);
}

static const FigureCase residual = { "residual", "X : f32[b=2, n=3, y=4, x=5]\n"
                                                 "N[b,n,y,x] = softmax[n](X[b,n,y,x])\n"
                                                 "Y[b,n,y,x] = X[b,n,y,x] + N[b,n,y,x]\n" };

/* The wires of a copy cross those that they leave: of an input with four axes six times, and it is named instead. */
static void
test_own_fan (Fixture *self, gconstpointer data)
{
  g_autoptr (HeddleScene) named = compose (self);
  self->presentation->copies = HEDDLE_COPIES_WIRES;
  g_autoptr (HeddleScene) wires = compose (self);

  g_assert_cmpuint (count_cards (named, "v.X"), ==, 1);
  g_assert_cmpuint (figure_count_crossings (wires), ==, figure_count_crossings (named) + 6);
}

static const FigureCase ribbons = { "ribbons", "X : f32[t=4, m=2]\n"
                                               "A[t,m] = relu(X[t,m])\n"
                                               "B[t,m] = exp(X[t,m])\n"
                                               "C[t,m] = tanh(X[t,m])\n"
                                               "D[t,m] = -X[t,m]\n" };

/* The copies of an array do not cross one another: each crosses only the lower wire from which it is copied, and stands no further from the
 * next than two ribbons need. */
static void
test_ribbons (Fixture *self, gconstpointer data)
{
  g_autoptr (HeddleScene) scene = compose (self);
  double x, y, width, height;

  heddle_scene_get_bounds (scene, &x, &y, &width, &height);
  g_assert_cmpuint (figure_count_crossings (scene), ==, 3);
  g_assert_cmpfloat (width, <, 325.);
  figure_check_wires_meet ("ribbons", scene);
}

/* --- notes ---------------------------------------------------------------------------------------------- */

static void
test_layers (Fixture *self, gconstpointer data)
{
  HeddleAnnotation *under = note (self, HEDDLE_NOTE_CARD, "ground"),
                   *over = note (self, HEDDLE_NOTE_CARD, "over");
  under->layer = HEDDLE_LAYER_UNDER;
  under->width = under->height = 300.;
  under->size = 21.;
  over->fill = g_strdup ("#123456");
  g_autoptr (HeddleScene) scene = compose (self);
  const guint n = heddle_scene_get_n_items (scene);

  g_assert_cmpstr (item_at (scene, 0)->object, ==, under->id);
  g_assert_cmpstr (item_at (scene, n - 1)->object, ==, over->id);
  g_assert_cmpfloat (find_text (scene, "ground")->size, ==, 21.);
  g_assert_cmpfloat (find_text (scene, "over")->size, ==, 13.);
}

/* Words by their kinds, marks over them; a comment and a string to their ends. */
static void
test_listing (Fixture *self, gconstpointer data)
{
  note (self, HEDDLE_NOTE_LISTING,
      "def run(x):  # if it \\fill{copy}{is}\n  return 12.5 * f('for y')\n{{ 'open");
  g_autoptr (HeddleScene) scene = compose (self);
  guint marks = 0;

  g_assert_true (is_color (&find_text (scene, "def")->fill_color, 0xB3192A));
  g_assert_true (is_color (&find_text (scene, "run")->fill_color, 0x6E35C9));
  g_assert_true (is_color (&find_text (scene, "12.5")->fill_color, 0x0550AE));
  g_assert_true (is_color (&find_text (scene, "'for\302\240y'")->fill_color, 0x0A3069));
  g_assert_true (is_color (&find_text (scene, "#\302\240if\302\240it\302\240")->fill_color, 0x57606A));
  g_assert_true (is_color (&find_text (scene, "is")->fill_color, 0x57606A));
  g_assert_true (is_color (&find_text (scene, "'open")->fill_color, 0x0A3069));
  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    marks
        += item_at (scene, i)->part == HEDDLE_PART_ANNOTATION && item_at (scene, i)->kind == HEDDLE_ITEM_PATH;
  g_assert_cmpuint (marks, ==, 1);
  g_assert_null (find_text (scene, "\302\240"));
  g_assert_cmpfloat (find_text (scene, "12.5")->y, >, find_text (scene, "def")->y + 10.);
}

/* A ground in a formula lies under what is in it and over nothing. */
static void
test_formula_on_grounds (Fixture *self, gconstpointer data)
{
  note (self, HEDDLE_NOTE_TEXT, "$\\frac{\\fill{core}{Q \\fill{transpose}{T}}}{z}$");
  g_autoptr (HeddleScene) scene = compose (self);
  guint order[4] = { 0 };

  for (guint i = 0; i < heddle_scene_get_n_items (scene); i++)
    {
      const HeddleItem *item = item_at (scene, i);
      if (item->part != HEDDLE_PART_ANNOTATION)
        continue;
      if (item->kind == HEDDLE_ITEM_PATH && item->fill)
        order[is_color (&item->fill_color, 0xBFD4B4) ? 2 : 0] = i;
      else if (item->kind == HEDDLE_ITEM_TEXT && g_str_has_prefix (item->text, "Q"))
        order[1] = i;
      else if (item->kind == HEDDLE_ITEM_TEXT && g_str_equal (item->text, "T"))
        order[3] = i;
    }
  g_assert_cmpuint (order[0], <, order[1]);
  g_assert_cmpuint (order[1], <, order[2]);
  g_assert_cmpuint (order[2], <, order[3]);
  g_assert_cmpuint (item_at (scene, order[1])->label, !=, item_at (scene, order[3])->label);
}

static const FigureCase copied = { "copied", "A : f32[i=2]\n"
                                             "B[i] = exp(A[i])\n"
                                             "C[i] = relu(A[i])\n"
                                             "D[i] = B[i] * C[i]\n" };

static void
test_copies (Fixture *self, gconstpointer data)
{
  g_autoptr (HeddleScene) before = compose (self);
  fill (self, "v.A", "copy");
  g_autoptr (HeddleScene) after = compose (self);

  g_assert_cmpuint (count_part (before, HEDDLE_PART_BACKGROUND, "v.A"), ==, 0);
  g_assert_cmpuint (count_part (after, HEDDLE_PART_BACKGROUND, "v.A"), ==, 2); /* a shadow and a card */
}

/* High lines of prose are further apart. */
static void
test_high_lines (Fixture *self, gconstpointer data)
{
  note (self, HEDDLE_NOTE_TEXT, "p\nq\n$\\frac{\\frac{a}{b}}{\\frac{c}{d}}$\nz");
  g_autoptr (HeddleScene) scene = compose (self);
  const double step = find_text (scene, "q")->y - find_text (scene, "p")->y;

  g_assert_cmpfloat_with_epsilon (step, 13. * 1.35, 0.01);
  g_assert_cmpfloat (find_text (scene, "z")->y - find_text (scene, "q")->y, >, 2. * step + 8.);
}

#define ADD(name, case_name, test) g_test_add (name, Fixture, case_name, set_up, test, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/figure/looks/attached", &norm, test_attached);
  ADD ("/figure/looks/attached-under", &boxed, test_attached_under);
  ADD ("/figure/looks/attached-over", &boxed, test_attached_over);
  ADD ("/figure/looks/name-on-card", &flat, test_name_on_card);
  ADD ("/figure/looks/view-on-ground", &flat, test_view_on_ground);
  ADD ("/figure/looks/identity", &beside, test_identity);
  ADD ("/figure/looks/bare", &attend, test_bare);
  ADD ("/figure/looks/named-behind", &read_late, test_named_behind);
  ADD ("/figure/looks/attached-in-vain", &norm, test_attached_in_vain);
  ADD ("/figure/looks/attached-room", &norm, test_attached_room);
  ADD ("/figure/looks/close/linear", &window, test_close_linear);
  ADD ("/figure/looks/close/reduction", &pool, test_close_reduction);
  ADD ("/figure/looks/pool", &average, test_pool);
  ADD ("/figure/looks/close/in-vain", &window, test_close_in_vain);
  ADD ("/figure/looks/batch-norm", &norm, test_batch_norm);
  ADD ("/figure/looks/over", &called, test_over);
  ADD ("/figure/looks/wires-on", &called, test_wires_on);
  ADD ("/figure/looks/saved-output", &kept, test_saved_output);
  ADD ("/figure/looks/saved-name", &early, test_saved_name);
  ADD ("/figure/looks/no-separators", &torn, test_no_separators);
  ADD ("/figure/looks/fan", &fan, test_fan);
  ADD ("/figure/looks/own-fan", &residual, test_own_fan);
  ADD ("/figure/looks/ribbons", &ribbons, test_ribbons);
  ADD ("/figure/looks/layers", &torn, test_layers);
  ADD ("/figure/looks/listing", &torn, test_listing);
  ADD ("/figure/looks/formula-on-grounds", &torn, test_formula_on_grounds);
  ADD ("/figure/looks/copies", &copied, test_copies);
  ADD ("/figure/looks/high-lines", &torn, test_high_lines);
  return g_test_run ();
}
