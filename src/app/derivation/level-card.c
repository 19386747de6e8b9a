/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n.h>

#include "app/derivation/format.h"
#include "app/derivation/level-card.h"
#include "app/derivation/level-half.h"
#include "app/derivation/proposal.h"
#include "app/level-swatch.h"

struct _HeddleLevelCard
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  char *level; /* name */
  GtkLabel *used, *capacity;
  GtkLevelBar *gauge;
  GtkBox *labels, *sizes;
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

/* The most any kernel holds at the level; global memory holds what kernels read and write. */
static double
bytes_held (HeddleLevelCard *self, const HeddleDerivation *derivation)
{
  double most = 0;

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      for (guint j = 0; j < kernel->levels->len; j++)
        {
          const HeddleLevelCost *cost = g_ptr_array_index (kernel->levels, j);

          if (g_str_equal (cost->level, self->level))
            most = MAX (most, (double) cost->memory_bytes);
        }
    }
  return most;
}

static double
bytes_stored (HeddleLevelCard *self, const HeddleDerivation *derivation)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  const HeddleDiagram *diagram = heddle_editor_get_diagram (self->editor);
  const HeddleSizes *sizes = heddle_editor_get_sizes (self->editor, NULL);
  double bytes = 0;

  for (guint i = 0; sizes != NULL && i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);
      const GArray *lists[] = { kernel->program ? kernel->program->inputs : NULL,
        kernel->program ? kernel->program->outputs : NULL };

      for (guint l = 0; l < 2; l++)
        for (guint j = 0; lists[l] != NULL && j < lists[l]->len; j++)
          {
            const char *id = heddle_ids_index (lists[l], j);
            const HeddleValue *value = heddle_diagram_get_value (diagram, id);

            if (value != NULL && g_hash_table_add (seen, (gpointer) id))
              bytes += (double) heddle_sizes_elements (sizes, value)
                       * heddle_dtype_bytes (
                           heddle_diagram_dtype (diagram, id, heddle_editor_get_dtype (self->editor)));
          }
    }
  return bytes;
}

static void
update_gauge (HeddleLevelCard *self, const HeddleLevel *level)
{
  HeddleDerivation *derivation = heddle_editor_get_shown_derivation (self->editor);
  gboolean top = level->parent < 0;
  double held = derivation == NULL ? 0
                : top              ? bytes_stored (self, derivation)
                                   : bytes_held (self, derivation);
  double capacity = level->capacity_bytes > 0 ? level->capacity_bytes : level->total_bytes;
  g_autofree char *used = heddle_format_bytes (held), *of = heddle_format_bytes (capacity);
  g_autofree char *rate = level->bandwidth > 0 ? heddle_format_rate (level->bandwidth) : NULL;
  g_autofree char *right = level->cache ? g_strdup_printf ("%s", of)
                           : rate       ? g_strdup_printf (_ ("of %s · %s"), of, rate)
                                        : g_strdup_printf (_ ("of %s"), of);
  gboolean full = capacity > 0 && held > capacity;

  if (level->cache)
    gtk_label_set_text (self->used, _ ("a cache: priced, not labelled"));
  else
    gtk_label_set_text (self->used, held > 0 ? used : _ ("empty"));
  gtk_label_set_text (self->capacity, capacity > 0 ? right : "");
  gtk_level_bar_set_value (self->gauge, capacity > 0 ? MIN (1, held / capacity) : 0);
  if (full)
    gtk_widget_add_css_class (GTK_WIDGET (self), "over-full");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "over-full");
}

/* --- labels at the level --- */

static void
on_label_clicked (GtkButton *button, HeddleLevelCard *self)
{
  const char *axis = g_object_get_data (G_OBJECT (button), "axis");
  HeddleLabelKind kind = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "kind"));
  g_autoptr (HeddleProposal) proposal = heddle_proposal_new (self->editor, axis, self->level, kind, 0);
  g_autofree char *name = g_strdup (proposal->name);

  heddle_editor_set_preview_schedule (self->editor, g_steal_pointer (&proposal->schedule));
  heddle_editor_commit_preview (self->editor, name);
}

static void
add_label (HeddleLevelCard *self, const HeddleLabel *label)
{
  const HeddleAxis *axis = heddle_diagram_get_axis (heddle_editor_get_diagram (self->editor), label->axis);
  g_autofree char *text = NULL;
  GtkWidget *button;

  if (axis == NULL)
    return;
  text = g_strdup_printf ("%s %s %" G_GINT64_FORMAT "  ×", axis->name,
      label->kind == HEDDLE_LABEL_GROUP ? _ ("group") : _ ("stream"), label->size);
  button = gtk_button_new_with_label (text);
  gtk_widget_add_css_class (button, "level-label");
  if (label->inactive != NULL)
    gtk_widget_add_css_class (button, "dim-label");
  gtk_widget_set_tooltip_text (button, label->inactive ? label->inactive : _ ("Take this label away"));
  g_object_set_data (G_OBJECT (button), "axis", (gpointer) label->axis);
  g_object_set_data (G_OBJECT (button), "kind", GINT_TO_POINTER (label->kind));
  g_signal_connect (button, "clicked", G_CALLBACK (on_label_clicked), self);
  gtk_box_append (self->labels, button);
}

static void
update_labels (HeddleLevelCard *self)
{
  const HeddleSchedule *schedule = heddle_editor_get_shown_schedule (self->editor);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->labels))) != NULL)
    gtk_box_remove (self->labels, child);
  for (guint i = 0; schedule != NULL && i < schedule->regions->len; i++)
    {
      const HeddleRegion *region = g_ptr_array_index (schedule->regions, i);

      for (guint j = 0; j < region->labels->len; j++)
        {
          const HeddleLabel *label = g_ptr_array_index (region->labels, j);

          if (g_str_equal (label->level, self->level)
              && g_hash_table_add (
                  seen, g_strdup_printf ("%s %d %" G_GINT64_FORMAT, label->axis, label->kind, label->size)))
            add_label (self, label);
        }
    }
  gtk_widget_set_visible (
      GTK_WIDGET (self->labels), gtk_widget_get_first_child (GTK_WIDGET (self->labels)) != NULL);
}

void
heddle_level_card_update (HeddleLevelCard *self)
{
  const HeddleLevel *level = find_level (self);

  if (level == NULL)
    return;
  update_gauge (self, level);
  update_labels (self);
}

GtkWidget *
heddle_level_card_get_half (HeddleLevelCard *self, HeddleLabelKind kind)
{
  g_return_val_if_fail (kind <= HEDDLE_LABEL_STREAM, NULL);

  return self->halves[kind];
}

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
  gtk_box_set_spacing (GTK_BOX (self), 4);
  gtk_widget_add_css_class (GTK_WIDGET (self), "level-card");
}

static GtkWidget *
new_caption (GtkBox *row, gboolean end)
{
  GtkWidget *label = gtk_label_new ("");

  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "numeric");
  gtk_widget_set_halign (label, end ? GTK_ALIGN_END : GTK_ALIGN_START);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (row, label);
  return label;
}

static GtkWidget *
new_title_row (HeddleLevelCard *self, const HeddleLevel *level)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *title = gtk_label_new (level->title), *count;
  g_autofree char *times = g_strdup_printf ("× %u", level->count);

  gtk_widget_add_css_class (title, "heading");
  gtk_box_append (GTK_BOX (row), heddle_level_swatch_new (level->name));
  gtk_box_append (GTK_BOX (row), title);
  count = gtk_label_new (level->count > 1 ? times : "");
  gtk_widget_add_css_class (count, "dim-label");
  gtk_widget_add_css_class (count, "caption");
  gtk_widget_set_hexpand (count, TRUE);
  gtk_widget_set_halign (count, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (row), count);
  if (level->labels)
    for (HeddleLabelKind kind = HEDDLE_LABEL_GROUP; kind <= HEDDLE_LABEL_STREAM; kind++)
      {
        self->halves[kind] = heddle_level_half_new (self->editor, level->name, kind, self->sizes);
        gtk_box_append (GTK_BOX (row), self->halves[kind]);
      }
  return row;
}

GtkWidget *
heddle_level_card_new (HeddleEditor *editor, guint index)
{
  HeddleLevelCard *self = g_object_new (HEDDLE_TYPE_LEVEL_CARD, NULL);
  const HeddleLevel *level = g_ptr_array_index (heddle_editor_get_machine (editor)->levels, index);
  GtkWidget *captions = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->editor = g_object_ref (editor);
  self->level = g_strdup (level->name);
  self->sizes = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6));
  self->labels = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6));
  self->gauge = GTK_LEVEL_BAR (gtk_level_bar_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->gauge), level->name);
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self->gauge), GTK_ACCESSIBLE_PROPERTY_LABEL, level->title, -1);
  gtk_box_append (GTK_BOX (self), new_title_row (self, level));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->gauge));
  self->used = GTK_LABEL (new_caption (GTK_BOX (captions), FALSE));
  self->capacity = GTK_LABEL (new_caption (GTK_BOX (captions), TRUE));
  gtk_box_append (GTK_BOX (self), captions);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->labels));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->sizes));
  gtk_widget_set_margin_start (GTK_WIDGET (self), 10 * index);
  heddle_level_card_update (self);
  return GTK_WIDGET (self);
}
