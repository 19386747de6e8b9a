/* SPDX-License-Identifier: MIT */

/* A box that is moved falls into line with the operations in view: by its left, middle or right with theirs, and
 * by its top, middle or bottom. A guide says with which. */

#include "app/canvas/private.h"
#include "app/canvas/scene.h"
#include "app/canvas/snap.h"
#include "app/canvas/view.h"
#include "app/editor/editor.h"
#include "diagram/graph/diagram.h"

/* What moves falls into line where it is so near, in px of the screen. */
#define REACH 5.
/* A guide goes so many px beyond what it joins. */
#define BEYOND 14.
/* Boxes that have so many px of the scene in common only touch. */
#define TOUCH 2.
/* So many neighbours in view are looked at. */
#define MOST 400

static void
add_others (HeddleCanvas *self, const graphene_rect_t *view)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);

  for (guint i = 0; i < diagram->operations->len && self->snap_others->len < MOST; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (diagram->operations, i);
      graphene_rect_t bounds;

      if (!g_hash_table_contains (self->moved, operation->id)
          && heddle_canvas_object_bounds (self, operation->id, &bounds)
          && graphene_rect_intersection (view, &bounds, NULL))
        g_array_append_val (self->snap_others, bounds);
    }
}

/* Returns whether an operation moves. */
static gboolean
find_moved (HeddleCanvas *self)
{
  GHashTableIter iter;
  gpointer id;
  gboolean found = FALSE;

  g_hash_table_iter_init (&iter, self->moved);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    {
      graphene_rect_t bounds;

      if (!heddle_canvas_object_bounds (self, id, &bounds))
        continue;
      if (found)
        graphene_rect_union (&self->snap_bounds, &bounds, &self->snap_bounds);
      else
        self->snap_bounds = bounds;
      found = TRUE;
    }
  return found;
}

void
heddle_canvas_snap_begin (HeddleCanvas *self)
{
  graphene_rect_t view;
  double x, y;

  heddle_canvas_to_scene (self, 0, 0, &x, &y);
  graphene_rect_init (&view, x, y, gtk_widget_get_width (GTK_WIDGET (self)) / self->zoom,
      gtk_widget_get_height (GTK_WIDGET (self)) / self->zoom);
  self->snap_others = g_array_new (FALSE, FALSE, sizeof (graphene_rect_t));
  if (find_moved (self))
    add_others (self, &view);
}

void
heddle_canvas_snap_end (HeddleCanvas *self)
{
  g_clear_pointer (&self->snap_others, g_array_unref);
  self->snapped_x = self->snapped_y = FALSE;
}

/* The step from @place of one to the same of another, where @size is how long each is: by beginnings, middles or ends. */
static double
least_step (double place, double size, double other, double other_size, double *at)
{
  double best = G_MAXDOUBLE;

  for (guint i = 0; i < 3; i++)
    {
      const double step = other + other_size * i / 2 - (place + size * i / 2);

      if (ABS (step) < ABS (best))
        {
          best = step;
          *at = other + other_size * i / 2;
        }
    }
  return best;
}

static void
guide (HeddleCanvas *self, gboolean vertical, double at, const graphene_rect_t *moved,
    const graphene_rect_t *other)
{
  graphene_rect_t both;

  graphene_rect_union (moved, other, &both);
  if (vertical)
    graphene_rect_init (&self->guide_x, at, both.origin.y - BEYOND, 0, both.size.height + 2 * BEYOND);
  else
    graphene_rect_init (&self->guide_y, both.origin.x - BEYOND, at, both.size.width + 2 * BEYOND, 0);
}

/* Puts into @step what brings @moved into line, and remembers the guide; FALSE: nothing is near. */
static gboolean
fall_into_line (HeddleCanvas *self, gboolean across, const graphene_rect_t *moved, double *step)
{
  const double reach = REACH / self->zoom;
  const graphene_rect_t *nearest = NULL;
  double best = G_MAXDOUBLE, line = 0, at = 0;

  for (guint i = 0; i < self->snap_others->len; i++)
    {
      const graphene_rect_t *other = &g_array_index (self->snap_others, graphene_rect_t, i);
      const double one
          = across
                ? least_step (moved->origin.x, moved->size.width, other->origin.x, other->size.width, &at)
                : least_step (moved->origin.y, moved->size.height, other->origin.y, other->size.height, &at);

      if (ABS (one) > reach || ABS (one) >= ABS (best))
        continue;
      best = one;
      line = at;
      nearest = other;
    }
  if (nearest == NULL)
    return FALSE;
  *step += best;
  guide (self, across, line, moved, nearest);
  return TRUE;
}

void
heddle_canvas_snap (HeddleCanvas *self, double *dx, double *dy, gboolean freely)
{
  graphene_rect_t moved = self->snap_bounds;

  self->snapped_x = self->snapped_y = FALSE;
  if (freely || self->snap_others == NULL || self->snap_others->len == 0)
    return;
  graphene_rect_offset (&moved, *dx, *dy);
  self->snapped_x = fall_into_line (self, TRUE, &moved, dx);
  self->snapped_y = fall_into_line (self, FALSE, &moved, dy);
}

static gboolean
shares (double a, double a_size, double b, double b_size)
{
  return MIN (a + a_size, b + b_size) - MAX (a, b) > TOUCH;
}

gboolean
heddle_canvas_has_room (HeddleCanvas *self, double dy)
{
  const graphene_rect_t *own = &self->snap_bounds;

  for (guint i = 0; self->snap_others != NULL && i < self->snap_others->len; i++)
    {
      const graphene_rect_t *other = &g_array_index (self->snap_others, graphene_rect_t, i);

      if (shares (own->origin.x, own->size.width, other->origin.x, other->size.width)
          && !shares (own->origin.y, own->size.height, other->origin.y, other->size.height)
          && shares (own->origin.y + dy, own->size.height, other->origin.y, other->size.height))
        return FALSE;
    }
  return TRUE;
}

void
heddle_canvas_draw_guides (HeddleCanvas *self, cairo_t *cr)
{
  const graphene_rect_t *const guides[]
      = { self->snapped_x ? &self->guide_x : NULL, self->snapped_y ? &self->guide_y : NULL };
  const double dashes[] = { 4 / self->zoom, 3 / self->zoom };

  cairo_save (cr);
  cairo_set_source_rgb (cr, .88, .11, .42);
  cairo_set_line_width (cr, 1 / self->zoom);
  cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
  for (guint i = 0; i < G_N_ELEMENTS (guides); i++)
    if (guides[i] != NULL)
      {
        cairo_move_to (cr, guides[i]->origin.x, guides[i]->origin.y);
        cairo_rel_line_to (cr, guides[i]->size.width, guides[i]->size.height);
        cairo_stroke (cr);
      }
  cairo_restore (cr);
}
