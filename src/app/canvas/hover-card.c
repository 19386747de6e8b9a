/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/canvas/hover-card.h"
#include "app/canvas/pick.h"
#include "app/canvas/scene-index.h"
#include "app/canvas/view.h"
#include "app/derivation/label-chip.h"
#include "app/editor/target.h"
#include "app/edits/definitions.h"
#include "app/widgets/explain.h"
#include "derive/machine/machine.h"
#include "diagram/graph/diagram.h"

#define MOST_CHARS 60 /* in a line */
/* ms that the pointer rests before the card comes, as GTK's own tooltips do. */
#define DELAY 500
/* px between the pointer and the card, from one place tried to the next, as far away as it may be, and around it. */
#define CLEARANCE 20.
#define STEP 14.
#define FARTHEST 320.
#define MARGIN 4.
/* px around the pointer within which a sign is under it. */
#define REACH 2.
/* px by which a place on something drawn is worse than one on nothing. */
#define COVERING 1000.

/* Returns what the thing is with the names, types and sizes of this diagram; NULL: it is no thing of the diagram. */
static char *
describe_hit (HeddleCanvas *self, const HeddleHit *hit)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  const HeddleValue *value = NULL;
  g_autofree char *label = NULL, *type = NULL, *path = NULL;

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

/* Returns the number of the uppermost item near the place that is a part of a sign, plus 1; 0: none is. Grounds count where nothing else does. */
static guint
find_sign (HeddleCanvas *self, double x, double y)
{
  g_autoptr (GArray) near = NULL;
  guint found = 0;

  if (self->scene == NULL || self->index == NULL)
    return 0;
  heddle_canvas_to_scene (self, x, y, &x, &y);
  near = heddle_scene_index_find (
      self->index, &GRAPHENE_RECT_INIT (x - REACH, y - REACH, 2 * REACH, 2 * REACH));
  for (guint i = near->len; i-- > 0;)
    {
      const guint n = g_array_index (near, guint, i);
      const HeddleItem *item = heddle_scene_get_item (self->scene, n);

      if (item->meaning == HEDDLE_MEANING_NONE)
        continue;
      if (item->part != HEDDLE_PART_BACKGROUND)
        return n + 1;
      found = found == 0 ? n + 1 : found;
    }
  return found;
}

/* Returns what the sign of an operation means, which a ground or a title of it does not say. */
static HeddleMeaning
meaning_of_object (HeddleCanvas *self, const char *id)
{
  g_autoptr (GPtrArray) items = heddle_scene_get_object_items (self->scene, id);

  for (guint i = 0; i < items->len; i++)
    if (((const HeddleItem *) items->pdata[i])->meaning != HEDDLE_MEANING_NONE)
      return ((const HeddleItem *) items->pdata[i])->meaning;
  return HEDDLE_MEANING_NONE;
}

static const HeddleItem *
sign_item (HeddleCanvas *self, guint sign)
{
  return sign > 0 && self->scene != NULL && sign <= heddle_scene_get_n_items (self->scene)
             ? heddle_scene_get_item (self->scene, sign - 1)
             : NULL;
}

/* Returns what the labels of the axis in a hexagon say. */
static char *
describe_label (HeddleCanvas *self, const HeddleItem *item, HeddleLabelKind kind)
{
  const HeddleMachine *machine = heddle_editor_get_machine (self->editor);
  GString *text = g_string_new (NULL);

  for (guint i = 0; machine != NULL && i < machine->levels->len; i++)
    {
      const HeddleLevel *level = machine->levels->pdata[i];
      g_autofree char *label = heddle_label_explain (self->editor, item->axis, level->name, kind);

      if (label != NULL)
        g_string_append_printf (text, "%s%s: %s", text->len > 0 ? "\n" : "", level->title, label);
    }
  return g_string_free (text, FALSE);
}

/* Returns the sentence and the values for what is there; NULL: nothing is, or something is being done there. */
static char *
explain (GtkWidget *widget, double x, double y, gpointer data)
{
  HeddleCanvas *self = HEDDLE_CANVAS (widget);
  const HeddleHit hit = self->editor != NULL && heddle_editor_get_diagram (self->editor) != NULL
                            ? heddle_canvas_pick (self, x, y)
                            : (HeddleHit){ 0 };
  const HeddleItem *item = sign_item (self, find_sign (self, x, y));
  HeddleMeaning meaning = item != NULL ? item->meaning : HEDDLE_MEANING_NONE;
  g_autofree char *values = NULL;
  const char *sentence = NULL;

  if (self->editor == NULL || self->entry != NULL || self->drag != HEDDLE_DRAG_NONE
      || (self->menu != NULL && gtk_widget_get_visible (self->menu)))
    return NULL;
  if (hit.kind == HEDDLE_HIT_OPERATION)
    meaning = meaning_of_object (self, hit.operation);
  if (meaning == HEDDLE_MEANING_GROUP || meaning == HEDDLE_MEANING_STREAM)
    values = describe_label (
        self, item, meaning == HEDDLE_MEANING_GROUP ? HEDDLE_LABEL_GROUP : HEDDLE_LABEL_STREAM);
  else if (hit.kind != HEDDLE_HIT_NOTHING)
    values = describe_hit (self, &hit);
  else if (meaning == HEDDLE_MEANING_COSTS && item->text != NULL)
    values = g_strdup_printf (_ ("Here: %s"), item->text);
  sentence = heddle_meaning_sentence (meaning);
  if (sentence == NULL)
    return g_steal_pointer (&values);
  return values != NULL ? g_strdup_printf (_ ("%s.\n%s"), sentence, values)
                        : g_strdup_printf (_ ("%s."), sentence);
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
  g_autofree char *text = heddle_explain_get (GTK_WIDGET (self), self->pointer_x, self->pointer_y);

  self->hovering = 0;
  if (text == NULL)
    return G_SOURCE_REMOVE;
  if (self->hover_card == NULL)
    {
      self->hover_card = gtk_label_new (NULL);
      gtk_label_set_wrap (GTK_LABEL (self->hover_card), TRUE);
      gtk_label_set_max_width_chars (GTK_LABEL (self->hover_card), MOST_CHARS);
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
heddle_canvas_hover_card_follow (HeddleCanvas *self, gboolean other)
{
  const guint sign = self->drag == HEDDLE_DRAG_NONE && self->hover.kind == HEDDLE_HIT_NOTHING
                         ? find_sign (self, self->pointer_x, self->pointer_y)
                         : 0;

  if (!other && sign == self->hover_sign)
    return;
  self->hover_sign = sign;
  graphene_point_init (&self->hover_pan, self->pan_x, self->pan_y);
  self->hover_zoom = self->zoom;
  heddle_canvas_hover_card_hide (self);
  if (self->hover.kind != HEDDLE_HIT_NOTHING || sign > 0)
    self->hovering = g_timeout_add (DELAY, show, self);
}

/* Takes the card away where the drawing was moved below it. */
static void
on_view_changed (HeddleCanvas *self)
{
  if (self->hover_pan.x != self->pan_x || self->hover_pan.y != self->pan_y || self->hover_zoom != self->zoom)
    heddle_canvas_hover_card_hide (self);
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
  heddle_explain_register (GTK_WIDGET (self), explain, NULL, HEDDLE_PAGE_SIGNS);
  g_signal_connect (self, "allocate", G_CALLBACK (allocate), NULL);
  g_signal_connect (self, "draw", G_CALLBACK (draw), NULL);
  g_signal_connect (self, "view-changed", G_CALLBACK (on_view_changed), NULL);
  g_signal_connect (self, "closing", G_CALLBACK (on_closing), NULL);
}
