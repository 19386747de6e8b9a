/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/widgets/format.h"
#include "app/derivation/label-chips.h"
#include "app/derivation/level-card.h"
#include "app/derivation/level-fill.h"
#include "app/derivation/level-half.h"
#include "app/derivation/level-keep.h"
#include "app/derivation/place-chip.h"
#include "app/derivation/size-row.h"
#include "app/editor/preview.h"
#include "app/editor/target.h"
#include "app/widgets/explain.h"
#include "app/widgets/level-drag.h"
#include "app/widgets/level-swatch.h"
#include "app/widgets/scene-paintable.h"
#include "app/widgets/wrap-box.h"
#include "derive/machine/machine.h"
#include "derive/report/roofline.h"

/* Chips beside the title; more go below. */
#define INLINE_CHIPS 2

struct _HeddleLevelCard
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  char *level; /* name */
  GtkLabel *used, *capacity;
  GtkLevelBar *gauge;
  GtkBox *chips, *places, *more_chips;
  GtkWidget *more; /* scrolls them: many labels make no wide card */
  HeddleSizeRow *sizes;
  HeddleLevelKeep *keep; /* where an array is dropped */
  GtkWidget *halves[2];
};

G_DEFINE_FINAL_TYPE (HeddleLevelCard, heddle_level_card, GTK_TYPE_BOX)

static const HeddleLevel *
find_level (HeddleLevelCard *self)
{
  const HeddleMachine *machine = heddle_editor_get_machine (self->editor);
  int i = machine ? heddle_machine_find_level (machine, self->level) : -1;

  return i >= 0 ? g_ptr_array_index (machine->levels, i) : NULL;
}

/* --- how full --- */

static void
update_gauge (HeddleLevelCard *self, const HeddleLevel *level)
{
  HeddleLevelFill fill = heddle_level_fill (self->editor, level);

  gtk_level_bar_set_value (self->gauge, CLAMP (fill.part, 0, 1));
  gtk_label_set_text (self->used, fill.used);
  gtk_label_set_text (self->capacity, fill.capacity);
  if (fill.part > 1)
    gtk_widget_add_css_class (GTK_WIDGET (self), "over-full");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "over-full");
  heddle_level_fill_clear (&fill);
}

static char *
explain (GtkWidget *widget, double x, double y, gpointer data)
{
  HeddleLevelCard *self = data;

  return heddle_level_explain (self->editor, self->level);
}

/* Returns the same with what can be done by the handle. */
static char *
explain_with (HeddleLevelCard *self, const char *use)
{
  g_autofree char *level = heddle_level_explain (self->editor, self->level);

  return g_strdup_printf ("%s\n%s", level, use);
}

static char *
explain_handle (GtkWidget *widget, double x, double y, gpointer data)
{
  return explain_with (data, _ ("Drag it over operations to make them one kernel"));
}

static char *
explain_outermost (GtkWidget *widget, double x, double y, gpointer data)
{
  return explain_with (data, _ ("Drag it over a kernel to take it apart"));
}

double
heddle_level_card_get_fill (HeddleLevelCard *self)
{
  return gtk_level_bar_get_value (self->gauge);
}

/* --- labels at the level --- */

static void
update_labels (HeddleLevelCard *self)
{
  g_autoptr (GPtrArray) labels = heddle_label_chips_find (self->editor, self->level);
  const guint n_inline = MAX (1, (guint) (INLINE_CHIPS / heddle_text_scale ()));

  heddle_label_chips_update (self->editor, self->chips, labels, 0, n_inline);
  heddle_label_chips_update (self->editor, self->more_chips, labels, n_inline, G_MAXUINT);
  gtk_widget_set_visible (self->more, labels->len > n_inline);
}

/* --- arrays kept at the level --- */

static void
update_places (HeddleLevelCard *self)
{
  const HeddleSchedule *schedule = heddle_editor_get_shown_schedule (self->editor);
  GtkWidget *chip = gtk_widget_get_first_child (GTK_WIDGET (self->places));

  for (guint i = 0; schedule != NULL && i < schedule->residency->len; i++)
    {
      const HeddleResidency *place = g_ptr_array_index (schedule->residency, i);

      if (!g_str_equal (place->level, self->level))
        continue;
      if (chip != NULL && heddle_place_chip_is_for (HEDDLE_PLACE_CHIP (chip), place))
        chip = gtk_widget_get_next_sibling (chip);
      else
        gtk_box_insert_child_after (self->places, heddle_place_chip_new (self->editor, place),
            chip != NULL ? gtk_widget_get_prev_sibling (chip)
                         : gtk_widget_get_last_child (GTK_WIDGET (self->places)));
    }
  while (chip != NULL)
    {
      GtkWidget *next = gtk_widget_get_next_sibling (chip);

      gtk_box_remove (self->places, chip);
      chip = next;
    }
}

void
heddle_level_card_update (HeddleLevelCard *self)
{
  const HeddleLevel *level = find_level (self);

  if (level == NULL)
    return;
  update_gauge (self, level);
  update_labels (self);
  update_places (self);
}

void
heddle_level_card_set_carried (HeddleLevelCard *self, const char *axis)
{
  if (axis == NULL)
    heddle_level_keep_forget (self->keep);
  for (guint i = 0; i < G_N_ELEMENTS (self->halves); i++)
    if (self->halves[i] != NULL)
      heddle_level_half_set_carried (HEDDLE_LEVEL_HALF (self->halves[i]), axis);
}

GtkWidget *
heddle_level_card_get_keep (HeddleLevelCard *self)
{
  return GTK_WIDGET (self->keep);
}

GtkWidget *
heddle_level_card_get_half (HeddleLevelCard *self, HeddleLabelKind kind)
{
  g_return_val_if_fail (kind <= HEDDLE_LABEL_STREAM, NULL);

  return self->halves[kind];
}

/* --- the widget --- */

static void
heddle_level_card_dispose (GObject *object)
{
  HeddleLevelCard *self = HEDDLE_LEVEL_CARD (object);

  g_clear_object (&self->editor);
  g_clear_pointer (&self->level, g_free);
  G_OBJECT_CLASS (heddle_level_card_parent_class)->dispose (object);
}

static void
heddle_level_card_class_init (HeddleLevelCardClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_level_card_dispose;
}

static void
heddle_level_card_init (HeddleLevelCard *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 5);
  gtk_widget_add_css_class (GTK_WIDGET (self), "level-card");
}

static GtkWidget *
new_caption (const char *text, gboolean dim)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "numeric");
  if (dim)
    gtk_widget_add_css_class (label, "dim-label");
  return label;
}

/* "× 132", or what it moves. */
static char *
describe_level (const HeddleMachine *machine, const HeddleLevel *level)
{
  const double most = heddle_roofline_level_rate (machine, level);
  g_autofree char *rate = most > 0 ? heddle_format_rate (most) : NULL;

  if (level->cache)
    return rate ? g_strdup_printf (_ ("a cache, %s"), rate) : g_strdup (_ ("a cache"));
  if (level->count > 1)
    return g_strdup_printf ("× %u", level->count);
  return g_strdup (rate ? rate : "");
}

/* A cache takes nothing on purpose. */
static void
offer_to_paint (HeddleLevelCard *self, GtkWidget *handle, const HeddleLevel *level)
{
  const HeddleMachine *machine = heddle_editor_get_machine (self->editor);
  const gboolean outermost = g_ptr_array_index (machine->levels, 0) == level;

  if (!outermost && !level->labels)
    return;
  heddle_level_drag_offer (handle, level->name, heddle_format_place (level->title));
  heddle_explain_set (handle, outermost ? explain_outermost : explain_handle, self, HEDDLE_PAGE_DERIVING);
}

static GtkWidget *
new_title_row (HeddleLevelCard *self, const HeddleLevel *level)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8),
            *title = gtk_label_new (heddle_format_place (level->title));
  g_autofree char *words = describe_level (heddle_editor_get_machine (self->editor), level);
  GtkWidget *more = new_caption (words, TRUE), *handle = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_widget_add_css_class (handle, "level-handle");
  gtk_widget_add_css_class (title, "heading");
  gtk_widget_set_hexpand (more, TRUE);
  gtk_widget_set_halign (more, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (handle), heddle_level_swatch_new (level->name));
  gtk_box_append (GTK_BOX (handle), title);
  offer_to_paint (self, handle, level);
  gtk_box_append (GTK_BOX (row), handle);
  gtk_box_append (GTK_BOX (row), more);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->places));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->chips));
  return row;
}

static GtkWidget *
new_captions (HeddleLevelCard *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->used = GTK_LABEL (new_caption ("", FALSE));
  gtk_label_set_ellipsize (self->used, PANGO_ELLIPSIZE_END);
  self->capacity = GTK_LABEL (new_caption ("", TRUE));
  gtk_widget_set_hexpand (GTK_WIDGET (self->used), TRUE);
  gtk_widget_set_halign (GTK_WIDGET (self->used), GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->used));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->capacity));
  return row;
}

static GtkWidget *
new_body (HeddleLevelCard *self, const HeddleLevel *level)
{
  GtkWidget *body = heddle_wrap_box_new (6); /* the halves stand below in a narrow window */
  GtkWidget *column = heddle_level_keep_new (self->editor, level->name),
            *halves = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->gauge = GTK_LEVEL_BAR (gtk_level_bar_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->gauge), level->name);
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self->gauge), GTK_ACCESSIBLE_PROPERTY_LABEL, heddle_format_place (level->title), -1);
  gtk_box_append (GTK_BOX (column), new_title_row (self, level));
  gtk_box_append (GTK_BOX (column), GTK_WIDGET (self->gauge));
  gtk_box_append (GTK_BOX (column), new_captions (self));
  self->keep = HEDDLE_LEVEL_KEEP (column);
  heddle_level_keep_append_words (self->keep);
  gtk_widget_set_hexpand (column, TRUE);
  gtk_widget_set_margin_end (column, 8);
  heddle_explain_set (column, explain, self, HEDDLE_PAGE_DERIVING);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (body), column);
  for (HeddleLabelKind kind = HEDDLE_LABEL_GROUP; level->labels && kind <= HEDDLE_LABEL_STREAM; kind++)
    {
      self->halves[kind] = heddle_level_half_new (self->editor, level->name, kind, self->sizes);
      gtk_box_append (GTK_BOX (halves), self->halves[kind]);
    }
  gtk_widget_set_visible (halves, level->labels);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (body), halves);
  return body;
}

GtkWidget *
heddle_level_card_new (HeddleEditor *editor, guint index)
{
  HeddleLevelCard *self = g_object_new (HEDDLE_TYPE_LEVEL_CARD, NULL);
  const HeddleLevel *level = g_ptr_array_index (heddle_editor_get_machine (editor)->levels, index);

  self->editor = g_object_ref (editor);
  self->level = g_strdup (level->name);
  self->sizes = HEDDLE_SIZE_ROW (heddle_size_row_new (editor, level->name));
  self->chips = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5));
  self->places = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5));
  self->more_chips = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5));
  gtk_box_append (GTK_BOX (self), new_body (self, level));
  self->more = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->more), GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->more), GTK_WIDGET (self->more_chips));
  gtk_box_append (GTK_BOX (self), self->more);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->sizes));
  gtk_widget_set_margin_start (
      GTK_WIDGET (self), level->above < 0 ? 10 * index : 0); /* beyond the outermost */
  heddle_level_card_update (self);
  return GTK_WIDGET (self);
}
