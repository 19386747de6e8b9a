/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/widgets/format.h"
#include "app/derivation/predicted-card.h"
#include "app/widgets/explain.h"
#include "app/editor/derive.h"
#include "app/editor/preview.h"
#include "app/editor/target.h"
#include "app/widgets/scene-paintable.h"
#include "app/widgets/wrap-box.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/legality/refusal.h"
#include "derive/machine/machine.h"
#include "derive/report/forecast.h"
#include "diagram/document/schedule.h"

/* Reasons of kernels that cannot be made, in the tooltip. */
#define MOST_REASONS 12
/* A line, at least; less of large text, which leaves no room for more. */
#define CAPTION_CHARS 30
#define LARGE_CHARS 22

struct _HeddlePredictedCard
{
  GtkBox parent_instance;

  HeddleEditor *editor;
  HeddleOutlook *outlook;
  GtkLabel *figure, *unit, *bound, *caption, *opaque_reason;
  GtkWidget *grid;
  GtkLevelBar *bars[HEDDLE_N_UNITS];
  GtkLabel *times[HEDDLE_N_UNITS];
  GtkLabel *serial, *moved, *waves;
  char *parts, *speed; /* of what is shown, for their cards; or NULL */
  double unit_s[HEDDLE_N_UNITS], serial_s, bytes, n_groups, efficiency; /* what is shown */
};

G_DEFINE_FINAL_TYPE (HeddlePredictedCard, heddle_predicted_card, GTK_TYPE_BOX)

/* A row stands for a part of the time; a unit's times are those of heddle_forecast_units. */
static const struct
{
  const char *row, *sentence;
} sentences[] = {
  { "tensor", N_ ("The time that the tensor cores need for all products of matrices, at their full rate.") },
  { "special", N_ ("The time of exponentials, roots and the like on the special-function units.") },
  { "fp32", N_ ("The time of additions and multiplications outside of the tensor cores.") },
  { "dram", N_ ("The time of all reads from and writes to global memory.") },
  { "l2", N_ ("The time of all loads and stores of blocks through the L2 cache.") },
  { "smem", N_ ("The time of all reads from and writes to shared memory by threads.") },
  { "serial", N_ ("The sum of the times above: the time if no two units worked at once.") },
  { "moved", N_ ("What all blocks together load into shared memory and store from it.") },
  { "time", N_ ("How long all kernels take, one after the other: the parts of the time, added up.") },
  { "bound", N_ ("What most of the time goes into; less of it would help most.") },
  { "speed", N_ ("Operations of the diagram in each second, beside what the tensor cores could do.") },
  { "waves",
      N_ ("Blocks run in waves, as many at a time as the GPU holds. The last wave is seldom full: so much "
          "of the GPU works on average.") },
};

static char *
dup_value (HeddlePredictedCard *self, const char *row)
{
  double largest = 0;

  if (g_str_equal (row, "serial"))
    return heddle_format_seconds (self->serial_s);
  if (g_str_equal (row, "time") || g_str_equal (row, "bound"))
    return g_strdup (self->parts != NULL ? self->parts : "–");
  if (g_str_equal (row, "speed"))
    return g_strdup (self->speed != NULL ? self->speed : "–");
  if (g_str_equal (row, "moved"))
    return heddle_format_bytes (self->bytes);
  if (g_str_equal (row, "waves"))
    return g_strdup_printf (_ ("%.0f groups, %.1f %%"), self->n_groups, 100 * self->efficiency);
  for (guint i = 0; i < HEDDLE_N_UNITS; i++)
    largest = MAX (largest, self->unit_s[i]);
  for (guint i = 0; i < HEDDLE_N_UNITS; i++)
    if (g_str_equal (heddle_forecast_units[i], row))
      {
        g_autofree char *time = heddle_format_seconds (self->unit_s[i]);

        return largest > 0 ? g_strdup_printf (_ ("%s, %.0f %% of the longest, which bounds the kernels"),
                   time, 100 * self->unit_s[i] / largest)
                           : g_steal_pointer (&time);
      }
  return g_strdup ("");
}

char *
heddle_predicted_card_explain (HeddlePredictedCard *self, const char *row)
{
  g_return_val_if_fail (HEDDLE_IS_PREDICTED_CARD (self), NULL);

  for (guint i = 0; i < G_N_ELEMENTS (sentences); i++)
    if (g_str_equal (sentences[i].row, row))
      {
        g_autofree char *value = dup_value (self, row);

        return g_strdup_printf (_ ("%s\nHere: %s"), _ (sentences[i].sentence), value);
      }
  return NULL;
}

static char *
explain (GtkWidget *widget, double x, double y, gpointer data)
{
  GtkWidget *card = gtk_widget_get_ancestor (widget, HEDDLE_TYPE_PREDICTED_CARD);

  return heddle_predicted_card_explain (HEDDLE_PREDICTED_CARD (card), data);
}

static void
explain_row (GtkWidget *widget, const char *row)
{
  heddle_explain_set (widget, explain, (gpointer) row, HEDDLE_PAGE_DERIVING);
}

static void
update_units (HeddlePredictedCard *self, const HeddleForecast *forecast)
{
  double largest = 0;

  for (guint i = 0; i < HEDDLE_N_UNITS; i++)
    largest = MAX (largest, forecast->unit_s[i]);
  for (guint i = 0; i < HEDDLE_N_UNITS; i++)
    {
      g_autofree char *text = heddle_format_seconds (forecast->unit_s[i]);

      self->unit_s[i] = forecast->unit_s[i];
      gtk_level_bar_set_value (self->bars[i], largest > 0 ? forecast->unit_s[i] / largest : 0);
      gtk_label_set_text (self->times[i], text);
    }
}

static void
update_sums (HeddlePredictedCard *self, const HeddleForecast *forecast)
{
  g_autofree char *moved = heddle_format_bytes (forecast->bytes);
  g_autofree char *serial = heddle_format_seconds (forecast->serial_s);
  g_autofree char *waves
      = g_strdup_printf (_ ("%.0f groups, %.1f %%"), forecast->groups, 100 * forecast->efficiency);

  self->serial_s = forecast->serial_s;
  self->bytes = forecast->bytes;
  self->n_groups = forecast->groups;
  self->efficiency = forecast->efficiency;
  gtk_label_set_text (self->serial, serial);
  gtk_label_set_text (self->moved, moved);
  gtk_label_set_text (self->waves, waves);
}

/* Shows "0.42 ms" as a large figure and a small unit. */
static void
set_figure (HeddlePredictedCard *self, const char *quantity)
{
  const char *space = strchr (quantity, ' ');
  g_autofree char *figure = space ? g_strndup (quantity, space - quantity) : g_strdup (quantity);

  gtk_label_set_text (self->figure, figure);
  gtk_label_set_text (self->unit, space ? space + 1 : "");
}

static void
set_bound (HeddlePredictedCard *self, const char *text, gboolean bad)
{
  gtk_label_set_text (self->bound, text);
  g_clear_pointer (&self->parts, g_free);
  g_clear_pointer (&self->speed, g_free);
  gtk_widget_set_visible (GTK_WIDGET (self->bound), *text != '\0');
  if (bad)
    gtk_widget_add_css_class (GTK_WIDGET (self->bound), "bad");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->bound), "bad");
}

static double
tensor_roof (HeddlePredictedCard *self)
{
  const HeddleMachine *machine = heddle_editor_get_machine (self->editor);

  return machine != NULL ? machine->tensor_flops[heddle_editor_get_dtype (self->editor)] : 0;
}

/* Returns a sentence for each part of the time that is not 0. */
static char *
describe_parts (const HeddleForecast *forecast)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < HEDDLE_TIME_N_PARTS; i++)
    {
      g_autofree char *sentence = NULL;

      if (forecast->parts[i] <= 0.)
        continue;
      sentence = heddle_time_part_sentence (forecast->parts, i, forecast->bound, forecast->efficiency);
      g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", sentence);
    }
  return g_string_free (text, FALSE);
}

/* Returns the rate as a formula. */
static char *
describe_speed (const HeddleForecast *forecast)
{
  g_autofree char *flops = heddle_format_count (forecast->flops);
  g_autofree char *time = heddle_format_seconds (forecast->seconds);
  g_autofree char *rate = heddle_format_number (forecast->flops / forecast->seconds / 1e12, 3);

  return g_strdup_printf (_ ("%s FLOP / %s = %s TFLOP/s"), flops, time, rate);
}

static void
show_times (HeddlePredictedCard *self, const HeddleForecast *forecast, gboolean baseline)
{
  g_autofree char *time = heddle_format_seconds (forecast->seconds);
  g_autofree char *bound = heddle_format_limit (forecast);
  g_autofree char *parts = describe_parts (forecast);
  double rate = forecast->flops / forecast->seconds, roof = tensor_roof (self);
  g_autofree char *number = heddle_format_number (rate / 1e12, 3);
  g_autofree char *speed = roof > 0 ? g_strdup_printf (
                               _ ("%.0f TFLOP/s, %.0f %% of the tensor roof"), rate / 1e12, 100 * rate / roof)
                                    : g_strdup_printf (_ ("%s TFLOP/s"), number);
  g_autofree char *caption = baseline
                                 ? g_strdup_printf (_ ("one equation at a time, each at its best\n%s"), speed)
                                 : g_steal_pointer (&speed);

  set_figure (self, time);
  set_bound (self, bound, FALSE);
  self->parts = g_steal_pointer (&parts);
  self->speed = describe_speed (forecast);
  gtk_label_set_text (self->caption, caption);
  gtk_widget_show (self->grid);
  update_units (self, forecast);
  update_sums (self, forecast);
}

static void
show_no_fit (HeddlePredictedCard *self, const HeddleForecast *forecast)
{
  g_autofree char *needs = heddle_format_memory (forecast->needs, forecast->in_values);
  g_autofree char *capacity = heddle_format_memory (forecast->capacity, forecast->in_values);
  g_autofree char *level = forecast->full_level ? g_ascii_strup (forecast->full_level, -1) : NULL;
  g_autofree char *caption
      = level != NULL ? g_strdup_printf (_ ("of the %s that %s has: one tile must hold less. "
                                            "Group or stream one more axis, or make tiles smaller."),
            capacity, level)
                      : g_strdup (_ ("A tile needs more than the level holds."));

  set_figure (self, level != NULL ? needs : "–");
  set_bound (self, _ ("does not fit"), TRUE);
  gtk_label_set_text (self->caption, caption);
  gtk_widget_hide (self->grid);
}

static void
show_words (HeddlePredictedCard *self, const char *bound, const char *text)
{
  set_figure (self, "–");
  set_bound (self, bound, *bound != '\0');
  gtk_label_set_text (self->caption, text);
  gtk_widget_hide (self->grid);
}

static const char *
first_refusal (const HeddleDerivation *derivation)
{
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      if (kernel->refusals->len > 0)
        return ((HeddleRefusal *) g_ptr_array_index (kernel->refusals, 0))->reason;
    }
  return _ ("A label cannot be where it is.");
}

/* The abstract machine has no times: what is moved is what counts. */
static void
show_transfers (HeddlePredictedCard *self, const HeddleForecast *forecast)
{
  g_autofree char *moved = heddle_format_count (forecast->values);

  set_figure (self, moved);
  set_bound (self, "", FALSE);
  gtk_label_set_text (self->caption, _ ("values moved; this machine has no times"));
  gtk_widget_hide (self->grid);
}

static void
show_forecast (HeddlePredictedCard *self, const HeddleForecast *forecast, gboolean baseline)
{
  if (!forecast->fits)
    show_no_fit (self, forecast);
  else if (forecast->seconds > 0)
    show_times (self, forecast, baseline);
  else
    show_transfers (self, forecast);
}

/* Shows what is priced though no kernel can be made of it, and why: all in the tooltip where there is much.
 * */
static void
show_opaque (HeddlePredictedCard *self, const HeddleDerivation *derivation)
{
  g_autoptr (GString) all = g_string_new (NULL);
  const HeddleKernel *first = NULL;
  g_autofree char *text = NULL;
  guint n = 0;

  for (guint i = 0; derivation != NULL && i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      if (kernel->opaque_reason == NULL)
        continue;
      first = first != NULL ? first : kernel;
      if (n++ < MOST_REASONS)
        g_string_append_printf (all, "%s%s: %s", n > 1 ? "\n" : "", kernel->title, kernel->opaque_reason);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->opaque_reason), n > 0);
  if (n == 0)
    return;
  if (n == 1)
    text = g_strdup_printf (_ ("No kernel %s: %s. It is priced as what it reads and writes."), first->title,
        first->opaque_reason);
  else
    text = g_strdup_printf (ngettext ("%u operation has no kernel: it is priced as what it reads and writes. "
                                      "%s: %s …",
                                "%u operations have no kernel: they are priced as what they read and write. "
                                "%s: %s …",
                                n),
        n, first->title, first->opaque_reason);
  gtk_label_set_text (self->opaque_reason, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->opaque_reason), all->str);
}

void
heddle_predicted_card_update (HeddlePredictedCard *self)
{
  HeddleDerivation *derivation = heddle_editor_get_shown_derivation (self->editor);
  const HeddleSchedule *schedule = heddle_editor_get_shown_schedule (self->editor);
  const HeddleForecast *start = heddle_outlook_get_start (self->outlook);
  const char *why = NULL;

  show_opaque (self, derivation);
  if (derivation == NULL)
    {
      const char *formulas = heddle_editor_get_formulas (self->editor);
      g_autofree char *both = NULL;

      heddle_editor_get_derivation (self->editor, &why);
      if (why != NULL && formulas != NULL)
        both = g_strdup_printf (_ ("%s. Values moved, as formulas:\n%s"), why, formulas);
      show_words (self, "", both != NULL ? both : why != NULL ? why : _ ("Deriving…"));
    }
  else if (derivation->illegal)
    show_words (self, _ ("not legal"), first_refusal (derivation));
  else if (schedule != NULL && schedule->regions->len > 0)
    {
      HeddleForecast forecast = heddle_editor_forecast (self->editor, derivation);

      show_forecast (self, &forecast, FALSE);
    }
  else if (start != NULL)
    show_forecast (self, start, TRUE);
  else
    show_words (self, "", _ ("Deriving…"));
}

static void
heddle_predicted_card_dispose (GObject *object)
{
  HeddlePredictedCard *self = HEDDLE_PREDICTED_CARD (object);

  g_clear_object (&self->outlook);
  g_clear_object (&self->editor);
  g_clear_pointer (&self->parts, g_free);
  g_clear_pointer (&self->speed, g_free);
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
  gtk_widget_add_css_class (label, css_class);
  gtk_widget_add_css_class (label, "numeric");
  return GTK_LABEL (label);
}

/* Adds a sum in a row of its own width: long titles and long values are in different ones. */
static GtkLabel *
add_sum (GtkGrid *grid, int row, const char *title, const char *what)
{
  GtkWidget *box = heddle_wrap_box_new (10);
  GtkLabel *name = new_label (title, "dim-label", 0), *value = new_label ("", "caption", 1);

  gtk_widget_add_css_class (GTK_WIDGET (name), "caption");
  gtk_widget_set_hexpand (GTK_WIDGET (value), TRUE);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (box), GTK_WIDGET (name));
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (box), GTK_WIDGET (value));
  explain_row (box, what);
  gtk_grid_attach (grid, box, 0, row, 3, 1);
  return value;
}

static void
add_unit (HeddlePredictedCard *self, GtkGrid *grid, int row)
{
  const char *unit = heddle_forecast_units[row];
  GtkLabel *name = new_label (heddle_format_unit (unit), "caption", 0);

  self->bars[row] = GTK_LEVEL_BAR (gtk_level_bar_new ());
  self->times[row] = new_label ("", "caption", 1);
  gtk_widget_add_css_class (GTK_WIDGET (self->bars[row]), unit);
  gtk_widget_set_hexpand (GTK_WIDGET (self->bars[row]), TRUE);
  gtk_widget_set_valign (GTK_WIDGET (self->bars[row]), GTK_ALIGN_CENTER);
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self->bars[row]), GTK_ACCESSIBLE_PROPERTY_LABEL, heddle_format_unit (unit), -1);
  explain_row (GTK_WIDGET (name), unit);
  explain_row (GTK_WIDGET (self->bars[row]), unit);
  explain_row (GTK_WIDGET (self->times[row]), unit);
  gtk_grid_attach (grid, GTK_WIDGET (name), 0, row, 1, 1);
  gtk_grid_attach (grid, GTK_WIDGET (self->bars[row]), 1, row, 1, 1);
  gtk_grid_attach (grid, GTK_WIDGET (self->times[row]), 2, row, 1, 1);
}

/* The bound is beside the time, or below it where there is no room. */
static GtkWidget *
new_head (HeddlePredictedCard *self)
{
  GtkWidget *head = heddle_wrap_box_new (6), *time = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->figure = new_label ("", "predicted-figure", 0);
  self->unit = new_label ("", "predicted-unit", 0);
  self->bound = new_label ("", "pill-label", .5);
  gtk_widget_set_valign (GTK_WIDGET (self->unit), GTK_ALIGN_END);
  gtk_widget_set_hexpand (GTK_WIDGET (self->unit), TRUE);
  gtk_widget_set_valign (GTK_WIDGET (self->bound), GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (time), GTK_WIDGET (self->figure));
  gtk_box_append (GTK_BOX (time), GTK_WIDGET (self->unit));
  explain_row (time, "time");
  explain_row (GTK_WIDGET (self->bound), "bound");
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (head), time);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (head), GTK_WIDGET (self->bound));
  return head;
}

static GtkWidget *
new_grid (HeddlePredictedCard *self)
{
  GtkGrid *grid = GTK_GRID (gtk_grid_new ());

  gtk_grid_set_column_spacing (grid, 10);
  gtk_grid_set_row_spacing (grid, 3);
  for (guint i = 0; i < HEDDLE_N_UNITS; i++)
    add_unit (self, grid, i);
  gtk_grid_attach (grid, gtk_separator_new (GTK_ORIENTATION_HORIZONTAL), 0, HEDDLE_N_UNITS, 3, 1);
  self->serial = add_sum (grid, HEDDLE_N_UNITS + 1, _ ("If nothing overlaps"), "serial");
  self->moved = add_sum (grid, HEDDLE_N_UNITS + 2, _ ("Moved into SMEM"), "moved");
  self->waves = add_sum (grid, HEDDLE_N_UNITS + 3, _ ("Waves"), "waves");
  return GTK_WIDGET (grid);
}

static void
heddle_predicted_card_init (HeddlePredictedCard *self)
{
  const int chars = MAX (LARGE_CHARS, (int) (CAPTION_CHARS / heddle_text_scale ()));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 5);
  gtk_box_append (GTK_BOX (self), new_head (self));
  self->caption = new_label ("", "caption", 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->caption), "dim-label");
  gtk_label_set_wrap (self->caption, TRUE);
  gtk_label_set_width_chars (self->caption, chars);
  gtk_label_set_max_width_chars (self->caption, 34);
  explain_row (GTK_WIDGET (self->caption), "speed");
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->caption));
  self->grid = new_grid (self);
  gtk_box_append (GTK_BOX (self), self->grid);
  self->opaque_reason = new_label ("", "caption", 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->opaque_reason), "opaque-reason");
  gtk_label_set_wrap (self->opaque_reason, TRUE);
  gtk_label_set_width_chars (self->opaque_reason, chars);
  gtk_label_set_max_width_chars (self->opaque_reason, 34);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->opaque_reason));
}

GtkWidget *
heddle_predicted_card_new (HeddleEditor *editor, HeddleOutlook *outlook)
{
  HeddlePredictedCard *self = g_object_new (HEDDLE_TYPE_PREDICTED_CARD, NULL);

  self->editor = g_object_ref (editor);
  self->outlook = g_object_ref (outlook);
  heddle_predicted_card_update (self);
  return GTK_WIDGET (self);
}
