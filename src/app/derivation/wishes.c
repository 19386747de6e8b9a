/* SPDX-License-Identifier: MIT */

#include <glib/gi18n.h>

#include "app/widgets/format.h"
#include "app/derivation/wishes.h"
#include "app/editor/derive-job.h"
#include "app/editor/derive.h"
#include "app/editor/flat.h"
#include "app/widgets/tooltip.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/divisors-machine.h"
#include "derive/suggest/recompute-search.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/document/snapshot.h"
#include "diagram/edit/schedule.h"
#include "diagram/graph/diagram.h"

/* As large as a file may say. */
#define MOST_BYTES 1.099511627776e12

/* --- edits --- */

typedef struct
{
  HeddleEditor *editor;
  const char *reasons;
  gint64 bytes;
  const HeddleSchedule *found;
} Change;

/* The schedule of the diagram shown, which is not that of what it comes to without calls. */
static const HeddleSchedule *
own_schedule (HeddleEditor *editor)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);

  return diagram != NULL ? heddle_snapshot_find_schedule (heddle_editor_get_snapshot (editor), diagram)
                         : NULL;
}

static gboolean
set_divisors (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  const Change *change = data;

  return heddle_edit_set_divisors (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->reasons, error);
}

/* Sets the same as steps; @reason is one of the flags. */
static void
wishes_set_divisors (HeddleEditor *editor, HeddleDivisorReasons reason, gboolean wanted)
{
  const guint before = heddle_schedule_divisors (own_schedule (editor), 0);
  const guint after = wanted ? before | reason : before & ~(guint) reason;
  g_autofree char *reasons = heddle_divisors_to_string (after), *one = heddle_divisors_to_string (reason);
  g_autofree char *name
      = g_strdup_printf (wanted ? _ ("Tiles in Multiples for %s") : _ ("No Multiples for %s"), one);
  Change change = { .editor = editor, .reasons = reasons };

  if (after != before)
    heddle_editor_edit (editor, name, NULL, set_divisors, &change, NULL);
}

static gboolean
read_bytes (const char *text, gint64 *bytes, GError **error)
{
  static const struct
  {
    const char *unit;
    double bytes;
  } units[] = { { "", 1 }, { "B", 1 }, { "KB", 1e3 }, { "MB", 1e6 }, { "GB", 1e9 }, { "KiB", 1024. },
    { "MiB", 1048576. }, { "GiB", 1073741824. } };
  g_autofree char *copy = g_strstrip (g_strdup (text));
  char *rest = copy;
  double number = 0;

  *bytes = 0;
  if (*copy == '\0')
    return TRUE;
  number = g_ascii_strtod (copy, &rest);
  g_strchug (rest);
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (rest != copy && g_ascii_strcasecmp (rest, units[i].unit) == 0 && number * units[i].bytes >= 1
        && number * units[i].bytes <= MOST_BYTES)
      {
        *bytes = (gint64) (number * units[i].bytes);
        return TRUE;
      }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
      _ ("“%s” is not an amount of memory: write it as 40 GiB, 512 MB or a number of bytes up to 1024 GiB"),
      copy);
  return FALSE;
}

/* As a person would write it, so that it is read as the same. */
static char *
write_bytes (gint64 bytes)
{
  static const struct
  {
    const char *unit;
    gint64 bytes;
  } units[] = { { "GiB", 1073741824 }, { "GB", 1000000000 }, { "MiB", 1048576 }, { "MB", 1000000 },
    { "KiB", 1024 } };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (bytes > 0 && bytes % units[i].bytes == 0)
      return g_strdup_printf ("%" G_GINT64_FORMAT " %s", bytes / units[i].bytes, units[i].unit);
  return bytes > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, bytes) : g_strdup ("");
}

static gboolean
set_budget (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  const Change *change = data;

  return heddle_edit_set_budget (
      snapshot, heddle_editor_diagram_in (change->editor, snapshot), change->bytes, error);
}

/* Sets the budget; @text is "40 GiB", "2.5 MB", "1000000" bytes, or nothing for no budget. */
static gboolean
wishes_set_budget (HeddleEditor *editor, const char *text, GError **error)
{
  const HeddleSchedule *schedule = own_schedule (editor);
  Change change = { .editor = editor };
  g_autofree char *size = NULL, *name = NULL;

  if (!read_bytes (text, &change.bytes, error))
    return FALSE;
  if ((schedule != NULL ? schedule->budget : 0) == change.bytes)
    return TRUE;
  size = write_bytes (change.bytes);
  name = change.bytes > 0 ? g_strdup_printf (_ ("Memory Budget of %s"), size)
                          : g_strdup (_ ("No Memory Budget"));
  return heddle_editor_edit (editor, name, NULL, set_budget, &change, error);
}

/* --- what to work out again --- */

/* What is found of definitions that are called has no place in the diagram shown. */
static gboolean
take_found (HeddleSnapshot *snapshot, gpointer data, GError **error)
{
  const Change *change = data;
  HeddleDiagram *diagram = heddle_editor_diagram_in (change->editor, snapshot);

  for (guint i = 0; i < change->found->recomputed->len; i++)
    {
      const HeddleRecompute *again = &g_array_index (change->found->recomputed, HeddleRecompute, i);

      if (heddle_diagram_get_value (diagram, again->value) != NULL
          && heddle_diagram_get_operation (diagram, again->column) != NULL
          && !heddle_edit_set_recomputed (snapshot, diagram, again->value, again->column, TRUE, error))
        return FALSE;
    }
  return TRUE;
}

typedef struct
{
  HeddleSchedule *schedule;
  char *explanation;
} Found;

static void
found_free (gpointer data)
{
  Found *self = data;

  g_clear_pointer (&self->schedule, heddle_schedule_free);
  g_free (self->explanation);
  g_free (self);
}

static void
search_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const HeddleDeriveJob *job = data;
  Found *found = g_new0 (Found, 1);
  GError *error = NULL;

  found->schedule = heddle_schedule_suggest_recomputed (
      job->diagram, job->schedule, job->sizes, &job->options, cancellable, &found->explanation, &error);
  if (found->schedule != NULL)
    g_task_return_pointer (task, found, found_free);
  else
    {
      found_free (found);
      g_task_return_error (task, error);
    }
}

static void
on_searched (GObject *source, GAsyncResult *result, gpointer data)
{
  HeddleEditor *editor = HEDDLE_EDITOR (source);
  const HeddleDeriveJob *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  Found *found = g_task_propagate_pointer (G_TASK (result), &error);
  Change change = { .editor = editor };

  heddle_editor_end_search (editor, g_task_get_cancellable (G_TASK (result)));
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (found == NULL)
    {
      heddle_editor_report (editor, "%s", error->message);
      return;
    }
  change.found = found->schedule;
  if (found->schedule->recomputed->len > job->schedule->recomputed->len)
    heddle_editor_edit (editor, _ ("Compute Again What Pays"), NULL, take_found, &change, NULL);
  heddle_editor_report (editor, "%s",
      found->explanation != NULL ? g_strstrip (found->explanation)
                                 : _ ("Recomputing anything brings no gain"));
  found_free (found);
}

static void
find_again (HeddleEditor *editor)
{
  HeddleSizes *sizes = heddle_editor_get_flat_sizes (editor);
  const HeddleDiagram *diagram = heddle_editor_get_flat_diagram (editor);
  HeddleDeriveOptions options;
  g_autoptr (GTask) task = NULL;

  heddle_editor_get_derive_options (editor, &options);
  if (sizes == NULL || diagram == NULL || options.machine == NULL)
    {
      heddle_editor_report (editor, _ ("Give every axis a size first"));
      return;
    }
  options.suggest = TRUE;
  options.objective = HEDDLE_OBJECTIVE_TIME;
  task = g_task_new (editor, heddle_editor_begin_search (editor), on_searched, NULL);
  g_task_set_task_data (task,
      heddle_derive_job_new (heddle_editor_get_flat_snapshot (editor), diagram,
          heddle_editor_get_schedule (editor), sizes, &options),
      (GDestroyNotify) heddle_derive_job_free);
  g_task_run_in_thread (task, search_in_thread);
}

/* --- the popover --- */

static const struct
{
  HeddleDivisorReasons reason;
  const char *title, *tip;
} reasons[] = {
  { HEDDLE_DIVISORS_MMA, N_ ("Tensor-core _instructions (mma)"),
      N_ ("Rows, columns and sums of products are multiples of the shape of one instruction, such as 16, 8 "
          "and 16") },
  { HEDDLE_DIVISORS_COPIES, N_ ("16-byte _copies"),
      N_ ("The last axis of moved arrays, so that each copy is whole") },
  { HEDDLE_DIVISORS_LINES, N_ ("128-byte _lines"),
      N_ ("The last axis of moved arrays, so that whole lines of memory are read") },
  { HEDDLE_DIVISORS_WARPS, N_ ("Four _warps"),
      N_ ("Rows of products for four warps, each with its instruction") },
};

static void
on_reason (GtkCheckButton *button, GParamSpec *pspec, HeddleEditor *editor)
{
  wishes_set_divisors (editor,
      (HeddleDivisorReasons) GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "reason")),
      gtk_check_button_get_active (button));
}

static void
on_budget (GtkEntry *entry, HeddleEditor *editor)
{
  g_autoptr (GError) error = NULL;

  if (wishes_set_budget (editor, gtk_editable_get_text (GTK_EDITABLE (entry)), &error))
    gtk_widget_remove_css_class (GTK_WIDGET (entry), "error");
  else
    {
      gtk_widget_add_css_class (GTK_WIDGET (entry), "error");
      heddle_editor_report (editor, "%s", error->message);
    }
}

static void
on_find (GtkWidget *button, HeddleEditor *editor)
{
  gtk_popover_popdown (GTK_POPOVER (gtk_widget_get_ancestor (button, GTK_TYPE_POPOVER)));
  find_again (editor);
}

static void
append (GtkWidget *box, const char *text, const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 36);
  gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (box), label);
}

static void
append_reasons (GtkWidget *box, HeddleEditor *editor)
{
  const guint held = heddle_schedule_divisors (own_schedule (editor), 0);

  append (box, _ ("Tiles in multiples for"), "heading");
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      GtkWidget *button = gtk_check_button_new_with_mnemonic (_ (reasons[i].title));

      gtk_check_button_set_active (GTK_CHECK_BUTTON (button), (held & reasons[i].reason) != 0);
      gtk_widget_set_tooltip_text (button, _ (reasons[i].tip));
      g_object_set_data (G_OBJECT (button), "reason", GUINT_TO_POINTER (reasons[i].reason));
      g_signal_connect_object (button, "notify::active", G_CALLBACK (on_reason), editor, 0);
      gtk_box_append (GTK_BOX (box), button);
    }
}

static void
append_held (GtkWidget *box, HeddleEditor *editor, gint64 budget)
{
  const HeddleDerivation *derivation = heddle_editor_get_derivation (editor, NULL);
  g_autofree char *held = derivation != NULL ? heddle_format_bytes ((double) derivation->held_bytes) : NULL;
  g_autofree char *text = NULL;

  if (derivation == NULL)
    return;
  text = g_strdup_printf (budget > 0 && derivation->held_bytes > budget
                              ? _ ("Held at most: %s, which is more than the budget")
                              : _ ("Held at most: %s"),
      held);
  append (box, text, budget > 0 && derivation->held_bytes > budget ? "error" : "dim-label");
}

static void
append_budget (GtkWidget *box, HeddleEditor *editor)
{
  const HeddleSchedule *schedule = own_schedule (editor);
  const gint64 budget = schedule != NULL ? schedule->budget : 0;
  g_autofree char *text = write_bytes (budget);
  GtkWidget *entry = gtk_entry_new (),
            *find = gtk_button_new_with_mnemonic (_ ("Find What to Compute _Again"));

  append (box, _ ("Memory budget"), "heading");
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("None; such as 40 GiB"));
  gtk_widget_set_tooltip_text (
      entry, _ ("The most of the outermost memory that may be in use at a time; Enter sets it"));
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Memory budget"), -1);
  g_signal_connect_object (entry, "activate", G_CALLBACK (on_budget), editor, 0);
  gtk_box_append (GTK_BOX (box), entry);
  append_held (box, editor, budget);
  gtk_widget_set_tooltip_text (
      find, _ ("Arrays that are recomputed where they are read, to save memory or time"));
  g_signal_connect_object (find, "clicked", G_CALLBACK (on_find), editor, 0);
  gtk_box_append (GTK_BOX (box), find);
}

static void
on_apart (GtkCheckButton *button, GParamSpec *pspec, HeddleEditor *editor)
{
  heddle_editor_set_label_calls (
      editor, gtk_check_button_get_active (button) ? HEDDLE_FLAT_CALLS_APART : HEDDLE_FLAT_CALLS_TOGETHER);
}

/* Asks for whom labels are, where a definition is called more than once. */
static void
append_calls (GtkWidget *box, HeddleEditor *editor)
{
  GtkWidget *button = gtk_check_button_new_with_mnemonic (_ ("A call may have _its own"));

  if (!heddle_editor_has_repeated_calls (editor)
      && heddle_editor_get_label_calls (editor) != HEDDLE_FLAT_CALLS_INLINED)
    return;
  append (box, _ ("Labels of definitions"), "heading");
  gtk_check_button_set_active (
      GTK_CHECK_BUTTON (button), heddle_editor_get_label_calls (editor) != HEDDLE_FLAT_CALLS_TOGETHER);
  gtk_widget_set_tooltip_text (button,
      _ ("Labels and kernels that you change hold for the one call, and for all calls of its definition "
         "otherwise"));
  g_signal_connect_object (button, "notify::active", G_CALLBACK (on_apart), editor, 0);
  gtk_box_append (GTK_BOX (box), button);
}

static void
fill (GtkMenuButton *button, gpointer data)
{
  HeddleEditor *editor = data;
  GtkWidget *popover = gtk_popover_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  append_reasons (box, editor);
  append_budget (box, editor);
  append_calls (box, editor);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_menu_button_set_popover (button, popover);
}

GtkWidget *
heddle_wishes_new (HeddleEditor *editor)
{
  GtkWidget *button = heddle_menu_button_new (
      _ ("_Wishes"), _ ("Divisors of tile sizes, the memory budget, and labels of single calls"));

  gtk_menu_button_set_create_popup_func (
      GTK_MENU_BUTTON (button), fill, g_object_ref (editor), g_object_unref);
  return button;
}
