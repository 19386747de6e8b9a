/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/derivation/level-fill.h"
#include "app/derivation/level-strip.h"
#include "app/derivation/link-row.h"
#include "app/editor/flat.h"
#include "app/editor/target.h"
#include "app/edits/axis-drag.h"
#include "app/widgets/explain.h"
#include "app/widgets/level-swatch.h"
#include "derive/machine/machine.h"
#include "diagram/graph/diagram.h"

#define INDENT 10 /* px from each level to the one within it */

struct _HeddleLevelStrip
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  char *machine; /* the cards are of this one */
  GPtrArray *machines; /* as they were read then */
  GtkWidget *tensor; /* the row of the tensor cores; NULL: there is no machine */
  GtkLevelBar *gauge; /* in it */
  GtkLabel *busy, *rate;
};

G_DEFINE_FINAL_TYPE (HeddleLevelStrip, heddle_level_strip, GTK_TYPE_BOX)

/* Returns how many levels are one in the other; those beyond the outermost come after them. */
static guint
find_depth (const HeddleMachine *machine)
{
  guint depth = 0;

  while (
      depth < machine->levels->len && ((HeddleLevel *) g_ptr_array_index (machine->levels, depth))->above < 0)
    depth++;
  return depth;
}

/* --- the tensor cores, within all of them: they hold nothing and take no label --- */

static void
update_tensor (HeddleLevelStrip *self)
{
  HeddleLevelFill fill = heddle_level_fill_tensor (self->editor);

  gtk_widget_set_visible (self->tensor, *fill.capacity != '\0');
  gtk_level_bar_set_value (self->gauge, CLAMP (fill.part, 0, 1));
  gtk_label_set_text (self->busy, fill.used);
  gtk_label_set_text (self->rate, fill.capacity);
  heddle_level_fill_clear (&fill);
}

static GtkLabel *
add_caption (GtkWidget *row, gboolean dim)
{
  GtkWidget *label = gtk_label_new ("");

  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "numeric");
  if (dim)
    gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_hexpand (label, !dim);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END); /* the row is no wider than a level's */
  gtk_box_append (GTK_BOX (row), label);
  return GTK_LABEL (label);
}

static char *
explain_tensor (GtkWidget *widget, double x, double y, gpointer data)
{
  return heddle_level_explain (HEDDLE_LEVEL_STRIP (data)->editor, "tensor");
}

static void
add_tensor (HeddleLevelStrip *self, guint depth)
{
  GtkWidget *row = self->tensor = gtk_box_new (GTK_ORIENTATION_VERTICAL, 5);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *title = gtk_label_new (_ ("Tensor cores"));

  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  self->gauge = GTK_LEVEL_BAR (gtk_level_bar_new ());
  gtk_widget_add_css_class (row, "level-card");
  gtk_widget_add_css_class (title, "heading");
  gtk_widget_add_css_class (GTK_WIDGET (self->gauge), "tensor");
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self->gauge), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Tensor cores"), -1);
  heddle_explain_set (row, explain_tensor, self, HEDDLE_PAGE_DERIVING);
  gtk_box_append (GTK_BOX (head), heddle_level_swatch_new ("tensor"));
  gtk_box_append (GTK_BOX (head), title);
  self->busy = add_caption (head, FALSE);
  self->rate = add_caption (head, TRUE);
  gtk_box_append (GTK_BOX (row), head);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->gauge));
  gtk_widget_set_margin_start (row, INDENT * depth);
  gtk_box_append (GTK_BOX (self), row);
}

/* --- all of them --- */

static void
rebuild (HeddleLevelStrip *self, const HeddleMachine *machine)
{
  const guint depth = machine != NULL ? find_depth (machine) : 0;
  GtkWidget *child;

  g_clear_pointer (&self->machines, g_ptr_array_unref);
  self->machines = g_ptr_array_ref (heddle_editor_get_machines (self->editor));
  g_free (self->machine);
  self->machine = g_strdup (machine != NULL ? machine->name : NULL);
  self->tensor = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_box_remove (GTK_BOX (self), child);
  for (guint i = 0; machine != NULL && i < machine->levels->len; i++)
    {
      if (i == depth)
        add_tensor (self, depth);
      gtk_box_append (GTK_BOX (self), heddle_level_card_new (self->editor, i));
    }
  if (machine != NULL && depth == machine->levels->len)
    add_tensor (self, depth);
  for (guint i = 0; machine != NULL && i < machine->links->len; i++)
    gtk_box_append (GTK_BOX (self), heddle_link_row_new (self->editor, i));
}

void
heddle_level_strip_update (HeddleLevelStrip *self)
{
  const HeddleMachine *machine = heddle_editor_get_machine (self->editor);

  if (g_strcmp0 (self->machine, machine != NULL ? machine->name : NULL) != 0
      || self->machines != heddle_editor_get_machines (self->editor))
    rebuild (self, machine);
  if (self->tensor != NULL)
    update_tensor (self);
  for (GtkWidget *card = gtk_widget_get_first_child (GTK_WIDGET (self)); card != NULL;
       card = gtk_widget_get_next_sibling (card))
    if (HEDDLE_IS_LEVEL_CARD (card))
      heddle_level_card_update (HEDDLE_LEVEL_CARD (card));
    else if (HEDDLE_IS_LINK_ROW (card))
      heddle_link_row_update (HEDDLE_LINK_ROW (card));
}

HeddleLevelCard *
heddle_level_strip_get_card (HeddleLevelStrip *self, const char *level)
{
  const HeddleMachine *machine = heddle_editor_get_machine (self->editor);
  int i = machine != NULL ? heddle_machine_find_level (machine, level) : -1;
  GtkWidget *card = gtk_widget_get_first_child (GTK_WIDGET (self));

  if (i < 0)
    return NULL;
  while (card != NULL && (!HEDDLE_IS_LEVEL_CARD (card) || i-- > 0))
    card = gtk_widget_get_next_sibling (card);
  return card != NULL ? HEDDLE_LEVEL_CARD (card) : NULL;
}

/* --- what is carried --- */

static void
set_carried (HeddleLevelStrip *self, const char *axis)
{
  for (GtkWidget *card = gtk_widget_get_first_child (GTK_WIDGET (self)); card != NULL;
       card = gtk_widget_get_next_sibling (card))
    if (HEDDLE_IS_LEVEL_CARD (card))
      heddle_level_card_set_carried (HEDDLE_LEVEL_CARD (card), axis);
    else if (HEDDLE_IS_LINK_ROW (card))
      heddle_link_row_set_carried (HEDDLE_LINK_ROW (card), axis);
}

static void
on_carried_no_more (HeddleLevelStrip *self)
{
  set_carried (self, NULL);
}

static void
on_enter (GtkDropControllerMotion *motion, double x, double y, HeddleLevelStrip *self)
{
  GdkDrop *drop = gtk_drop_controller_motion_get_drop (motion);
  GdkDrag *drag = drop != NULL ? gdk_drop_get_drag (drop) : NULL;
  g_auto (GValue) value = G_VALUE_INIT;
  const HeddleAxisDrag *carried = NULL;

  if (drag == NULL)
    return; /* it comes from another program */
  g_value_init (&value, HEDDLE_TYPE_AXIS_DRAG);
  if (!gdk_content_provider_get_value (gdk_drag_get_content (drag), &value, NULL))
    return;
  carried = g_value_get_boxed (&value);
  if (carried->axis == NULL
      || heddle_diagram_get_axis (heddle_editor_get_flat_diagram (self->editor), carried->axis) == NULL)
    return;
  set_carried (self, carried->axis);
  g_signal_connect_object (drag, "dnd-finished", G_CALLBACK (on_carried_no_more), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (drag, "cancel", G_CALLBACK (on_carried_no_more), self, G_CONNECT_SWAPPED);
}

void
heddle_level_strip_watch (HeddleLevelStrip *self, GtkWidget *widget)
{
  GtkEventController *motion = gtk_drop_controller_motion_new ();

  g_signal_connect_object (motion, "enter", G_CALLBACK (on_enter), self, 0);
  g_signal_connect_object (motion, "leave", G_CALLBACK (on_carried_no_more), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (widget, motion);
}

static void
heddle_level_strip_dispose (GObject *object)
{
  HeddleLevelStrip *self = HEDDLE_LEVEL_STRIP (object);

  g_clear_object (&self->editor);
  g_clear_pointer (&self->machine, g_free);
  g_clear_pointer (&self->machines, g_ptr_array_unref);
  G_OBJECT_CLASS (heddle_level_strip_parent_class)->dispose (object);
}

static void
heddle_level_strip_class_init (HeddleLevelStripClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_level_strip_dispose;
}

static void
heddle_level_strip_init (HeddleLevelStrip *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 5);
}

GtkWidget *
heddle_level_strip_new (HeddleEditor *editor)
{
  HeddleLevelStrip *self = g_object_new (HEDDLE_TYPE_LEVEL_STRIP, NULL);

  self->editor = g_object_ref (editor);
  heddle_level_strip_update (self);
  return GTK_WIDGET (self);
}
