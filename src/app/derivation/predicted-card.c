/* SPDX-License-Identifier: MIT */

#include "config.h"

#include <glib/gi18n.h>

#include "app/derivation/format.h"
#include "app/derivation/predicted-card.h"

static const char *const units[] = { "l2", "tensor", "smem", "special", "fp32", "dram" };

struct _HeddlePredictedCard
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  GtkLabel *time, *bound, *speed;
  GtkLevelBar *bars[G_N_ELEMENTS (units)];
  GtkLabel *times[G_N_ELEMENTS (units)];
  GtkLabel *serial, *moved, *waves;
};

G_DEFINE_FINAL_TYPE (HeddlePredictedCard, heddle_predicted_card, GTK_TYPE_BOX)

/* The sum of each unit's time over the kernels. */
static double
unit_seconds (const HeddleDerivation *derivation, const char *unit)
{
  double sum = 0;

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);
      const struct
      {
        const char *unit;
        double seconds;
      } rows[]
          = { { "tensor", kernel->tensor_s }, { "special", kernel->special_s }, { "fp32", kernel->fp32_s },
              { "dram", kernel->dram_s }, { "l2", kernel->l2_s }, { "smem", kernel->smem_s } };

      for (guint j = 0; j < G_N_ELEMENTS (rows); j++)
        if (g_str_equal (rows[j].unit, unit))
          sum += rows[j].seconds;
    }
  return sum;
}

static const char *
bound_of (const HeddleDerivation *derivation)
{
  const HeddleKernel *slowest = NULL;

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      if (slowest == NULL || kernel->expected_s > slowest->expected_s)
        slowest = kernel;
    }
  return slowest ? slowest->bound : NULL;
}

static void
update_units (HeddlePredictedCard *self, const HeddleDerivation *derivation)
{
  double largest = 0;

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    largest = MAX (largest, unit_seconds (derivation, units[i]));
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      double seconds = unit_seconds (derivation, units[i]);
      g_autofree char *text = heddle_format_seconds (seconds);

      gtk_level_bar_set_value (self->bars[i], largest > 0 ? seconds / largest : 0);
      gtk_label_set_text (self->times[i], text);
    }
}

static void
update_sums (HeddlePredictedCard *self, const HeddleDerivation *derivation)
{
  g_autofree char *moved = heddle_format_bytes (derivation->transfer_bytes), *serial = NULL, *waves = NULL;
  double seconds = 0, efficiency = 0, groups = 0;

  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      seconds += kernel->serial_s;
      efficiency += kernel->waves * kernel->expected_s;
      groups += kernel->groups;
    }
  serial = heddle_format_seconds (seconds);
  waves = derivation->expected_s > 0 ? g_strdup_printf (
              _ ("%.0f groups, %.1f %%"), groups, 100 * efficiency / derivation->expected_s)
                                     : g_strdup ("");
  gtk_label_set_text (self->serial, serial);
  gtk_label_set_text (self->moved, moved);
  gtk_label_set_text (self->waves, waves);
}

void
heddle_predicted_card_update (HeddlePredictedCard *self)
{
  const char *why = NULL;
  HeddleDerivation *derivation = heddle_editor_get_shown_derivation (self->editor);
  g_autofree char *time = NULL, *speed = NULL, *bound = NULL;

  if (derivation == NULL)
    {
      heddle_editor_get_derivation (self->editor, &why);
      gtk_label_set_text (self->time, "–");
      gtk_label_set_text (self->bound, "");
      gtk_label_set_text (self->speed, why ? why : _ ("Nothing to derive yet"));
      return;
    }
  time = heddle_format_seconds (derivation->expected_s);
  bound = g_strdup_printf (_ ("%s-bound"), heddle_format_unit (bound_of (derivation)));
  speed = g_strdup_printf (_ ("%.0f TFLOP/s in %u kernels"),
      derivation->expected_s > 0 ? derivation->flops / derivation->expected_s / 1e12 : 0,
      derivation->kernels->len);
  gtk_label_set_text (self->time, time);
  gtk_label_set_text (self->bound, bound);
  gtk_label_set_text (self->speed, speed);
  update_units (self, derivation);
  update_sums (self, derivation);
}

static void
heddle_predicted_card_dispose (GObject *object)
{
  g_clear_object (&HEDDLE_PREDICTED_CARD (object)->editor);
  G_OBJECT_CLASS (heddle_predicted_card_parent_class)->dispose (object);
}

static void
heddle_predicted_card_class_init (HeddlePredictedCardClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = heddle_predicted_card_dispose;
}

static GtkLabel *
new_label (const char *text, const char *css_class, float xalign)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  gtk_label_set_wrap (GTK_LABEL (label), xalign == 0);
  gtk_widget_add_css_class (label, css_class);
  gtk_widget_add_css_class (label, "numeric");
  return GTK_LABEL (label);
}

static GtkLabel *
add_sum (GtkGrid *grid, int row, const char *title)
{
  GtkLabel *name = new_label (title, "caption", 0), *value = new_label ("", "caption", 1);

  gtk_widget_set_hexpand (GTK_WIDGET (value), TRUE);
  gtk_grid_attach (grid, GTK_WIDGET (name), 0, row, 2, 1);
  gtk_grid_attach (grid, GTK_WIDGET (value), 2, row, 1, 1);
  return value;
}

static void
add_unit (HeddlePredictedCard *self, GtkGrid *grid, int row)
{
  GtkLabel *name = new_label (heddle_format_unit (units[row]), "caption", 0);

  self->bars[row] = GTK_LEVEL_BAR (gtk_level_bar_new ());
  self->times[row] = new_label ("", "caption", 1);
  gtk_widget_add_css_class (GTK_WIDGET (self->bars[row]), units[row]);
  gtk_widget_set_hexpand (GTK_WIDGET (self->bars[row]), TRUE);
  gtk_widget_set_valign (GTK_WIDGET (self->bars[row]), GTK_ALIGN_CENTER);
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self->bars[row]), GTK_ACCESSIBLE_PROPERTY_LABEL, heddle_format_unit (units[row]), -1);
  gtk_grid_attach (grid, GTK_WIDGET (name), 0, row, 1, 1);
  gtk_grid_attach (grid, GTK_WIDGET (self->bars[row]), 1, row, 1, 1);
  gtk_grid_attach (grid, GTK_WIDGET (self->times[row]), 2, row, 1, 1);
}

static void
heddle_predicted_card_init (HeddlePredictedCard *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkGrid *grid = GTK_GRID (gtk_grid_new ());
  guint n = G_N_ELEMENTS (units);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 6);
  self->time = new_label ("", "title-1", 0);
  self->bound = new_label ("", "pill-label", 1);
  self->speed = new_label ("", "caption", 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->time), TRUE);
  gtk_widget_set_valign (GTK_WIDGET (self->bound), GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->time));
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->bound));
  gtk_box_append (GTK_BOX (self), head);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->speed));
  gtk_grid_set_column_spacing (grid, 10);
  gtk_grid_set_row_spacing (grid, 5);
  for (guint i = 0; i < n; i++)
    add_unit (self, grid, i);
  self->serial = add_sum (grid, n, _ ("If nothing overlaps"));
  self->moved = add_sum (grid, n + 1, _ ("Moved into SMEM"));
  self->waves = add_sum (grid, n + 2, _ ("Waves"));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (grid));
}

GtkWidget *
heddle_predicted_card_new (HeddleEditor *editor)
{
  HeddlePredictedCard *self = g_object_new (HEDDLE_TYPE_PREDICTED_CARD, NULL);

  self->editor = g_object_ref (editor);
  heddle_predicted_card_update (self);
  return GTK_WIDGET (self);
}
