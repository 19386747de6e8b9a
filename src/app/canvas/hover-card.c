/* SPDX-License-Identifier: MIT */

#include "app/canvas/hover-card.h"
#include "app/canvas/scene-index.h"
#include "app/edits/definitions.h"
#include "diagram/graph/diagram.h"

/* ms that the pointer rests before the card comes, as GTK's own tooltips do. */
#define DELAY 500
/* px between the pointer and the card, from one place tried to the next, as far away as it may be, and around it. */
#define CLEARANCE 20.
#define STEP 14.
#define FARTHEST 320.
#define MARGIN 4.
/* px by which a place on something drawn is worse than one on nothing. */
#define COVERING 1000.

/* Returns the words for what is under the pointer, newly allocated; %NULL: nothing is, or something is being done there. */
static char *
canvas_hover_card_dup_text (HeddleCanvas *self)
{
  const HeddleHit *hit = &self->hover;
  const HeddleDiagram *diagram = self->editor != NULL ? heddle_editor_get_diagram (self->editor) : NULL;
  const HeddleValue *value = NULL;
  g_autofree char *label = NULL, *type = NULL, *path = NULL;

  if (diagram == NULL || hit->kind == HEDDLE_HIT_NOTHING || self->entry != NULL
      || self->drag != HEDDLE_DRAG_NONE || (self->menu != NULL && gtk_widget_get_visible (self->menu)))
    return NULL;
  if (hit->kind == HEDDLE_HIT_OPERATION)
    return heddle_describe_operation (self->editor, heddle_diagram_get_operation (diagram, hit->operation));
  if (hit->value == NULL)
    return hit->axis != NULL ? heddle_describe_object (self->editor, hit->axis) : NULL;
  value = heddle_diagram_get_value (diagram, hit->value);
  label = heddle_diagram_value_label (diagram, hit->value);
  type = heddle_describe_type (self->editor, value);
  path = heddle_describe_path (self->editor, value);
  return g_strdup_printf ("%s  %s\n%s", label, type, path);
}

/* Returns how bad a place is: how far it is from the pointer, and what it would cover. */
static double
get_badness (HeddleCanvas *self, const graphene_rect_t *card)
{
  graphene_rect_t scene = *card;
  g_autoptr (GArray) covered = NULL;
  const double dx = card->origin.x + card->size.width / 2 - self->pointer_x;
  const double dy = card->origin.y + card->size.height / 2 - self->pointer_y;

  graphene_rect_inset (&scene, -MARGIN, -MARGIN);
  graphene_rect_offset (&scene, -self->pan_x, -self->pan_y);
  graphene_rect_scale (&scene, 1 / self->zoom, 1 / self->zoom, &scene);
  covered = heddle_scene_index_find (self->index, &scene);
  return COVERING * covered->len + hypot (dx, dy);
}

/* Tries places below and above the pointer, each farther from it, and to its sides; none is on it. */
static graphene_rect_t
find_place (HeddleCanvas *self, int width, int height)
{
  const double sides[] = { 0, -1, 1 };
  const double most_x = gtk_widget_get_width (GTK_WIDGET (self)) - width - MARGIN;
  const double most_y = gtk_widget_get_height (GTK_WIDGET (self)) - height - MARGIN;
  graphene_rect_t best = GRAPHENE_RECT_INIT (0, 0, width, height);
  double least = G_MAXDOUBLE;

  for (double away = CLEARANCE; away < FARTHEST; away += STEP)
    for (guint i = 0; i < 2 * G_N_ELEMENTS (sides); i++)
      {
        const double x = self->pointer_x - width / 2. + sides[i / 2] * (width / 2. + CLEARANCE);
        const double y = i % 2 == 0 ? self->pointer_y + away : self->pointer_y - away - height;
        const graphene_rect_t card
            = GRAPHENE_RECT_INIT (CLAMP (x, MARGIN, MAX (most_x, MARGIN)), y, width, height);
        const double badness = y < MARGIN || y > most_y ? G_MAXDOUBLE : get_badness (self, &card);

        if (badness < least)
          {
            least = badness;
            best = card;
          }
      }
  return best;
}

static void
allocate (HeddleCanvas *self)
{
  graphene_rect_t place;
  int width, height;

  if (self->hover_card == NULL || !gtk_widget_get_visible (self->hover_card) || self->index == NULL)
    return;
  gtk_widget_measure (self->hover_card, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  gtk_widget_measure (self->hover_card, GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL, NULL);
  place = find_place (self, width, height);
  gtk_widget_size_allocate (
      self->hover_card, &(GtkAllocation){ place.origin.x, place.origin.y, width, height }, -1);
}

static void
draw (HeddleCanvas *self, GtkSnapshot *snapshot)
{
  if (self->hover_card != NULL && gtk_widget_get_visible (self->hover_card))
    gtk_widget_snapshot_child (GTK_WIDGET (self), self->hover_card, snapshot);
}

static gboolean
show (gpointer data)
{
  HeddleCanvas *self = data;
  g_autofree char *text = canvas_hover_card_dup_text (self);

  self->hovering = 0;
  if (text == NULL)
    return G_SOURCE_REMOVE;
  if (self->hover_card == NULL)
    {
      self->hover_card = gtk_label_new (NULL);
      gtk_widget_add_css_class (self->hover_card, "hover-card");
      gtk_widget_set_can_target (self->hover_card, FALSE);
      gtk_widget_set_parent (self->hover_card, GTK_WIDGET (self));
    }
  gtk_label_set_text (GTK_LABEL (self->hover_card), text);
  gtk_widget_show (self->hover_card);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  return G_SOURCE_REMOVE;
}

void
heddle_canvas_hover_card_hide (HeddleCanvas *self)
{
  g_clear_handle_id (&self->hovering, g_source_remove);
  if (self->hover_card != NULL)
    gtk_widget_hide (self->hover_card);
}

void
heddle_canvas_hover_card_follow (HeddleCanvas *self)
{
  heddle_canvas_hover_card_hide (self);
  if (self->hover.kind != HEDDLE_HIT_NOTHING)
    self->hovering = g_timeout_add (DELAY, show, self);
}

static void
on_closing (HeddleCanvas *self)
{
  heddle_canvas_hover_card_hide (self);
  self->hover_card = NULL; /* unparented with the other children */
}

void
heddle_canvas_hover_card_init (HeddleCanvas *self)
{
  g_signal_connect (self, "allocate", G_CALLBACK (allocate), NULL);
  g_signal_connect (self, "draw", G_CALLBACK (draw), NULL);
  g_signal_connect (self, "closing", G_CALLBACK (on_closing), NULL);
}
