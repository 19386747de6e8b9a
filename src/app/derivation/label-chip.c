/* SPDX-License-Identifier: MIT */

#include <inttypes.h>

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/derivation/actions.h"
#include "app/derivation/label-chip.h"
#include "app/derivation/proposal.h"
#include "app/editor/flat.h"
#include "app/editor/preview.h"
#include "app/widgets/scene-paintable.h"
#include "app/widgets/explain.h"
#include "diagram/analysis/sizes.h"
#include "diagram/graph/diagram.h"
#include "figure/scene/scene.h"

struct _HeddleLabelChip
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  const char *axis;
  char *level;
  HeddleLabelKind kind;
  gint64 size;
  GtkMenuButton *button;
  GtkPicture *picture;
  GtkSpinButton *spin; /* while the popover is open */
  double scrolled; /* what of a step was scrolled so far */
  char *spoken; /* in words */
  guint gesture; /* serial of the stay of the pointer or the focus: one undo step */
};

G_DEFINE_FINAL_TYPE (HeddleLabelChip, heddle_label_chip, GTK_TYPE_BOX)

static guint last_gesture;

/* --- what it shows --- */

static const char *
axis_name (HeddleLabelChip *self)
{
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (self->editor);
  const HeddleAxis *axis = diagram != NULL ? heddle_diagram_get_axis (diagram, self->axis) : NULL;

  return axis != NULL ? axis->name : self->axis;
}

static void
show (HeddleLabelChip *self)
{
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  g_autofree char *source = g_strdup_printf (
      "%s_{%s} = %" PRId64, self->kind == HEDDLE_LABEL_GROUP ? "g" : "s", axis_name (self), self->size);
  char *spoken = g_strdup_printf (heddle_proposal_find_link (self->editor, self->level) != NULL
                                      ? _ ("%s in pieces of %" PRId64 ", one on each GPU")
                                  : self->kind == HEDDLE_LABEL_GROUP ? _ ("%s in groups of %" PRId64)
                                                                     : _ ("%s in steps of %" PRId64),
      axis_name (self), self->size);
  g_autoptr (GdkPaintable) paintable = heddle_math_paintable_new (source, 15, dark);

  gtk_picture_set_paintable (self->picture, paintable);
  g_free (self->spoken);
  self->spoken = spoken;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

static const HeddleLabel *
find_label (const HeddleSchedule *schedule, const char *axis, const char *level, HeddleLabelKind kind)
{
  for (guint i = 0; schedule != NULL && i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      for (guint j = 0; j < region->labels->len; j++)
        {
          const HeddleLabel *label = g_ptr_array_index (region->labels, j);

          if (label->axis == axis && label->kind == kind && g_str_equal (label->level, level))
            return label;
        }
    }
  return NULL;
}

char *
heddle_label_explain (HeddleEditor *editor, const char *axis, const char *level, HeddleLabelKind kind)
{
  const HeddleLabel *label = find_label (heddle_editor_get_shown_schedule (editor), axis, level, kind);
  const HeddleSizes *sizes = heddle_editor_get_flat_sizes (editor);
  const HeddleAxis *of = heddle_diagram_get_axis (heddle_editor_get_flat_diagram (editor), axis);
  const gboolean group = kind == HEDDLE_LABEL_GROUP;
  const gint64 size = sizes != NULL && of != NULL ? heddle_sizes_get (sizes, axis) : 0;
  const char *sentence = group ? _ ("Groups of this size run in parallel, each on a part of the axis.")
                               : _ ("Pieces of this size follow one another; one at a time is held.");
  g_autofree char *parts = NULL;

  if (label == NULL || of == NULL)
    return NULL;
  if (size <= 0 || label->size <= 0)
    return g_strdup (sentence);
  parts = g_strdup_printf ("%" G_GINT64_FORMAT " / %" G_GINT64_FORMAT " = %" G_GINT64_FORMAT, size,
      label->size, (size + label->size - 1) / label->size);
  return g_strdup_printf (
      group ? _ ("%s\nGroups of %s: %s") : _ ("%s\nSteps over %s: %s"), sentence, of->name, parts);
}

static char *
explain (GtkWidget *widget, double x, double y, gpointer data)
{
  HeddleLabelChip *self = data;
  g_autofree char *words = heddle_label_explain (self->editor, self->axis, self->level, self->kind);
  g_autofree char *tip = g_strdup_printf (_ ("%s; scroll to change"), self->spoken);

  return words != NULL ? g_strdup_printf ("%s\n%s", words, tip) : g_steal_pointer (&tip);
}

gboolean
heddle_label_chip_is_for (HeddleLabelChip *self, const HeddleLabel *label)
{
  return self->axis == label->axis && self->kind == label->kind && g_str_equal (self->level, label->level);
}

void
heddle_label_chip_update (HeddleLabelChip *self, const HeddleLabel *label)
{
  self->size = label->size;
  if (label->inactive != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self), "inactive");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "inactive");
  show (self);
  if (self->spin != NULL && gtk_spin_button_get_value_as_int (self->spin) != self->size)
    gtk_spin_button_set_value (self->spin, self->size);
}

/* --- changing the size --- */

static void
begin_gesture (HeddleLabelChip *self)
{
  self->gesture = ++last_gesture;
}

static void
change (HeddleLabelChip *self, gint64 size)
{
  g_autofree char *key = g_strdup_printf ("label-%u", self->gesture);

  if (size != self->size)
    heddle_derivation_set_label_size (self->editor, self->axis, self->level, self->kind, size, key);
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, HeddleLabelChip *self)
{
  self->scrolled -= dy;
  while (self->scrolled >= 1 || self->scrolled <= -1)
    {
      int direction = self->scrolled > 0 ? 1 : -1;

      self->scrolled -= direction;
      change (self, heddle_proposal_next_size (self->editor, self->axis, self->level, self->size, direction));
    }
  return TRUE;
}

static void
take_away (HeddleLabelChip *self)
{
  heddle_derivation_set_label_size (self->editor, self->axis, self->level, self->kind, 0, NULL);
}

static gboolean
on_key (
    GtkEventControllerKey *controller, guint keyval, guint code, GdkModifierType state, HeddleLabelChip *self)
{
  if (self->spin != NULL)
    return FALSE;
  switch (keyval)
    {
    case GDK_KEY_Up:
    case GDK_KEY_plus:
      change (self, heddle_proposal_next_size (self->editor, self->axis, self->level, self->size, 1));
      return TRUE;
    case GDK_KEY_Down:
    case GDK_KEY_minus:
      change (self, heddle_proposal_next_size (self->editor, self->axis, self->level, self->size, -1));
      return TRUE;
    case GDK_KEY_Delete:
    case GDK_KEY_BackSpace:
      take_away (self);
      return TRUE;
    default:
      return FALSE;
    }
}

/* --- the popover --- */

static void
on_spin (HeddleLabelChip *self)
{
  change (self, gtk_spin_button_get_value_as_int (self->spin));
}

static void
on_take_away (HeddleLabelChip *self)
{
  gtk_menu_button_popdown (self->button);
  take_away (self);
}

static void
on_closed (HeddleLabelChip *self)
{
  self->spin = NULL;
  begin_gesture (self);
}

static void
fill_popover (GtkMenuButton *button, gpointer data)
{
  HeddleLabelChip *self = data;
  HeddleSizes *sizes = heddle_editor_get_flat_sizes (self->editor);
  double limit = sizes != NULL ? (double) MAX (1, heddle_sizes_get (sizes, self->axis)) : 65536;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *popover = gtk_popover_new ();
  GtkWidget *spin = gtk_spin_button_new_with_range (1, limit, 1);
  GtkWidget *remove = gtk_button_new_with_mnemonic (_ ("_Take Away"));

  gtk_spin_button_set_increments (GTK_SPIN_BUTTON (spin), 16, 64);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), self->size);
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Size"), -1);
  gtk_box_append (GTK_BOX (box), spin);
  gtk_box_append (GTK_BOX (box), remove);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  begin_gesture (self);
  self->spin = GTK_SPIN_BUTTON (spin);
  g_signal_connect_swapped (spin, "value-changed", G_CALLBACK (on_spin), self);
  g_signal_connect_swapped (remove, "clicked", G_CALLBACK (on_take_away), self);
  g_signal_connect_swapped (popover, "closed", G_CALLBACK (on_closed), self);
  gtk_menu_button_set_popover (button, popover);
}

/* --- the widget --- */

static void
heddle_label_chip_dispose (GObject *object)
{
  HeddleLabelChip *self = HEDDLE_LABEL_CHIP (object);

  self->spin = NULL;
  g_clear_object (&self->editor);
  g_clear_pointer (&self->level, g_free);
  g_clear_pointer (&self->spoken, g_free);
  G_OBJECT_CLASS (heddle_label_chip_parent_class)->dispose (object);
}

static void
heddle_label_chip_class_init (HeddleLabelChipClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_label_chip_dispose;
}

static void
heddle_label_chip_init (HeddleLabelChip *self)
{
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  self->button = GTK_MENU_BUTTON (gtk_menu_button_new ());
  self->picture = GTK_PICTURE (gtk_picture_new ());
  gtk_picture_set_can_shrink (self->picture, FALSE);
  gtk_menu_button_set_child (self->button, GTK_WIDGET (self->picture));
  gtk_menu_button_set_direction (self->button, GTK_ARROW_UP);
  gtk_menu_button_set_create_popup_func (self->button, fill_popover, self, NULL);
  heddle_explain_set (GTK_WIDGET (self->button), explain, self, HEDDLE_PAGE_DERIVING);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->button));
  gtk_widget_add_css_class (GTK_WIDGET (self), "label-chip");
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect_swapped (motion, "enter", G_CALLBACK (begin_gesture), self);
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (begin_gesture), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect_object (
      adw_style_manager_get_default (), "notify::dark", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
}

GtkWidget *
heddle_label_chip_new (HeddleEditor *editor, const HeddleLabel *label)
{
  HeddleLabelChip *self = g_object_new (HEDDLE_TYPE_LABEL_CHIP, NULL);

  self->editor = g_object_ref (editor);
  self->axis = label->axis;
  self->level = g_strdup (label->level);
  self->kind = label->kind;
  gtk_widget_add_css_class (GTK_WIDGET (self), label->level);
  if (heddle_proposal_find_link (editor, label->level) != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self), "link");
  heddle_label_chip_update (self, label);
  return GTK_WIDGET (self);
}
