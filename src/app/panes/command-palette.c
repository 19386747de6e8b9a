/* SPDX-License-Identifier: MIT */

#include <string.h>

#include <glib/gi18n.h>

#include "app/panes/command-palette.h"
#include "app/widgets/format.h"
#include "app/widgets/tooltip.h"
#include "app/widgets/wrap-box.h"
#include "app/widgets/lost-focus.h"

struct _HeddleCommandPalette
{
  GtkWindow parent_instance;

  GtkWindow *window; /* not held: it is what this is transient for */
  GtkWidget *search;
  GtkListBox *list;
};

G_DEFINE_FINAL_TYPE (HeddleCommandPalette, heddle_command_palette, GTK_TYPE_WINDOW)

/* A row holds one command. */
typedef struct
{
  char *title, *folded; /* as it is shown; and as it is compared */
  char *action;
  GVariant *target; /* or NULL */
} Command;

static void
command_free (gpointer data)
{
  Command *self = data;

  g_free (self->title);
  g_free (self->folded);
  g_free (self->action);
  g_clear_pointer (&self->target, g_variant_unref);
  g_free (self);
}

static const Command *
command_of (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "command");
}

/* By which other words a command is looked for: what programs like this one call it. */
static const struct
{
  const char *action, *words;
} others[] = {
  { "win.tidy", N_ ("layout, arrange, clean up") },
  { "win.fit", N_ ("zoom to all, whole figure") },
  { "win.group", N_ ("function, component, module") },
  { "win.export", N_ ("save figure, picture, PDF, SVG, PNG") },
  { "win.derivation-open", N_ ("levels, roofline, performance") },
};

/* Returns the text that is compared with what is typed: its name, and the other words for it. */
static char *
fold_with_words (const char *title, const char *action)
{
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_str_equal (others[i].action, action))
      {
        g_autofree char *all = g_strdup_printf ("%s, %s", title, _ (others[i].words));

        return heddle_fold_case (all);
      }
  return heddle_fold_case (title);
}

/* Returns whether the letters of @needle come in @text, in their order. */
static gboolean
has_letters (const char *text, const char *needle)
{
  for (; *needle != '\0'; needle = g_utf8_next_char (needle))
    {
      const gunichar letter = g_utf8_get_char (needle);

      if (letter == ' ')
        continue;
      text = g_utf8_strchr (text, -1, letter);
      if (text == NULL)
        return FALSE;
      text = g_utf8_next_char (text);
    }
  return TRUE;
}

static gboolean
matches (GtkListBoxRow *row, gpointer data)
{
  HeddleCommandPalette *self = data;
  g_autofree char *needle = heddle_fold_case (gtk_editable_get_text (GTK_EDITABLE (self->search)));

  return has_letters (command_of (row)->folded, needle);
}

/* Returns the rank of an entry: what begins with what was typed, then what contains it, then the rest in
 * the order of the menu. */
static int
rank (const Command *command, const char *needle)
{
  const char *found = *needle != '\0' ? strstr (command->folded, needle) : NULL;

  return found == command->folded ? 0 : found != NULL ? 1 : 2;
}

static int
compare (GtkListBoxRow *a, GtkListBoxRow *b, gpointer data)
{
  HeddleCommandPalette *self = data;
  g_autofree char *needle = heddle_fold_case (gtk_editable_get_text (GTK_EDITABLE (self->search)));

  return rank (command_of (a), needle) - rank (command_of (b), needle);
}

static GtkListBoxRow *
first_shown (HeddleCommandPalette *self)
{
  GtkListBoxRow *row = NULL;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    if (gtk_widget_get_child_visible (GTK_WIDGET (row)))
      return row;
  return NULL;
}

static void
on_search (HeddleCommandPalette *self)
{
  gtk_list_box_invalidate_sort (self->list);
  gtk_list_box_invalidate_filter (self->list);
  gtk_list_box_select_row (self->list, first_shown (self));
}

static void
run (HeddleCommandPalette *self, GtkListBoxRow *row)
{
  const Command *command = row != NULL ? command_of (row) : NULL;
  g_autoptr (GtkWindow) window = g_object_ref (self->window);
  g_autofree char *action = command != NULL ? g_strdup (command->action) : NULL;
  g_autoptr (GVariant) target
      = command != NULL && command->target != NULL ? g_variant_ref (command->target) : NULL;

  if (action == NULL)
    return;
  gtk_window_destroy (GTK_WINDOW (self));
  gtk_widget_activate_action_variant (GTK_WIDGET (window), action, target);
}

static void
on_row (GtkListBox *list, GtkListBoxRow *row, HeddleCommandPalette *self)
{
  run (self, row);
}

static void
on_enter (HeddleCommandPalette *self)
{
  run (self, gtk_list_box_get_selected_row (self->list));
}

static void
move (HeddleCommandPalette *self, int direction)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);

  for (int i = row != NULL ? gtk_list_box_row_get_index (row) + direction : 0;
       (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i += direction)
    if (gtk_widget_get_child_visible (GTK_WIDGET (row)))
      {
        gtk_list_box_select_row (self->list, row);
        gtk_widget_grab_focus (GTK_WIDGET (row)); /* scrolls to it */
        gtk_widget_grab_focus (self->search);
        gtk_editable_set_position (GTK_EDITABLE (self->search), -1);
        return;
      }
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
    HeddleCommandPalette *self)
{
  switch (key)
    {
    case GDK_KEY_Escape:
      gtk_window_destroy (GTK_WINDOW (self));
      return TRUE;
    case GDK_KEY_Down:
      move (self, 1);
      return TRUE;
    case GDK_KEY_Up:
      move (self, -1);
      return TRUE;
    default:
      return FALSE;
    }
}

/* --- filling --- */

/* Gives a menu's label without the underlines of its mnemonics. */
static char *
plain (const char *label)
{
  GString *text = g_string_new (NULL);

  for (const char *p = label; *p != '\0'; p++)
    if (*p != '_' || *++p == '_')
      g_string_append_c (text, *p);
    else if (*p == '\0')
      break;
    else
      g_string_append_c (text, *p);
  return g_string_free (text, FALSE);
}

static void
add_command (
    HeddleCommandPalette *self, const char *label, const char *action, GVariant *target, const char *key)
{
  GtkApplication *application = gtk_window_get_application (self->window);
  g_autofree char *detailed = g_action_print_detailed_name (action, target);
  g_auto (GStrv) accels = gtk_application_get_accels_for_action (application, detailed);
  const char *accel = key != NULL ? key : accels[0];
  GtkWidget *box = heddle_wrap_box_new (12), *title = NULL, *row = NULL;
  Command *command = g_new0 (Command, 1);

  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  command->title = plain (label);
  command->folded = fold_with_words (command->title, action);
  command->action = g_strdup (action);
  command->target = target != NULL ? g_variant_ref_sink (target) : NULL;
  title = gtk_label_new (command->title);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_wrap (GTK_LABEL (title), TRUE);
  gtk_widget_set_hexpand (title, TRUE);
  heddle_wrap_box_append (HEDDLE_WRAP_BOX (box), title);
  if (accel != NULL)
    {
      GtkWidget *keys = gtk_shortcut_label_new (accel);

      gtk_widget_set_valign (keys, GTK_ALIGN_CENTER);
      heddle_wrap_box_append (HEDDLE_WRAP_BOX (box), keys);
    }
  row = gtk_list_box_row_new ();
  heddle_accessible_name_set (row, command->title);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), "command", command, command_free);
  gtk_list_box_append (self->list, row);
}

/* Returns whether the window could do it now. */
static gboolean
is_enabled (HeddleCommandPalette *self, const char *action)
{
  const char *dot = strchr (action, '.');
  GActionGroup *group = dot == NULL ? NULL
                        : g_str_has_prefix (action, "app.")
                            ? G_ACTION_GROUP (gtk_window_get_application (self->window))
                            : G_ACTION_GROUP (self->window);

  return group == NULL || !g_action_group_has_action (group, dot + 1)
         || g_action_group_get_action_enabled (group, dot + 1);
}

static void
add_menu (HeddleCommandPalette *self, GMenuModel *menu)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
      g_autoptr (GMenuModel) submenu = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SUBMENU);
      g_autoptr (GVariant) target
          = g_menu_model_get_item_attribute_value (menu, i, G_MENU_ATTRIBUTE_TARGET, NULL);
      g_autofree char *label = NULL, *action = NULL, *key = NULL;

      if (section != NULL)
        add_menu (self, section);
      if (submenu != NULL)
        add_menu (self, submenu);
      g_menu_model_get_item_attribute (menu, i, "accel", "s", &key);
      if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &label)
          && g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action)
          && is_enabled (self, action))
        add_command (self, label, action, target, key);
    }
}

/* Adds what the header bar and keys do, and the menu does not. */
static void
add_others (HeddleCommandPalette *self)
{
  static const struct
  {
    const char *label, *action;
  } rows[] = { { N_ ("New Diagram"), "win.new" }, { N_ ("Open…"), "win.open" },
    { N_ ("Zoom In"), "win.zoom-in" }, { N_ ("Zoom Out"), "win.zoom-out" },
    { N_ ("Original Size"), "win.zoom-normal" }, { N_ ("Palette and Outline"), "win.palette-visible" },
    { N_ ("Inspector"), "win.inspector-visible" }, { N_ ("Derivation"), "win.drawer-visible" },
    { N_ ("Open or Fold the Derivation"), "win.derivation-open" },
    { N_ ("Back to what calls this definition"), "win.back" }, { N_ ("Next Tab"), "win.next-tab" },
    { N_ ("Previous Tab"), "win.previous-tab" }, { N_ ("Close the Tab"), "win.close-tab" },
    { N_ ("Quit"), "app.quit" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (is_enabled (self, rows[i].action))
      add_command (self, _ (rows[i].label), rows[i].action, NULL, NULL);
}

static void
heddle_command_palette_class_init (HeddleCommandPaletteClass *class)
{
  heddle_lost_focus_guard (GTK_WINDOW_CLASS (class));
}

static GtkWidget *
new_placeholder (void)
{
  GtkWidget *label = gtk_label_new (_ ("No such command"));

  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_margin_top (label, 18);
  return label;
}

static void
heddle_command_palette_init (HeddleCommandPalette *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8), *scrolled = gtk_scrolled_window_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_window_set_title (GTK_WINDOW (self), _ ("Command"));
  gtk_window_set_modal (GTK_WINDOW (self), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (self), 460, 420);
  self->search = gtk_search_entry_new ();
  g_object_set (self->search, "placeholder-text", _ ("Find a command"), NULL);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "commands");
  heddle_accessible_name_set (GTK_WIDGET (self->list), _ ("Command"));
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_BROWSE);
  gtk_list_box_set_filter_func (self->list, matches, self, NULL);
  gtk_list_box_set_sort_func (self->list, compare, self, NULL);
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Find a command"), -1);
  gtk_list_box_set_placeholder (self->list, new_placeholder ());
  gtk_widget_set_vexpand (scrolled, TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->list));
  g_object_set (box, "margin-top", 10, "margin-bottom", 10, "margin-start", 10, "margin-end", 10, NULL);
  gtk_box_append (GTK_BOX (box), self->search);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_window_set_child (GTK_WINDOW (self), box);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect_swapped (self->search, "changed", G_CALLBACK (on_search), self);
  g_signal_connect_swapped (self->search, "activate", G_CALLBACK (on_enter), self);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_row), self);
}

void
heddle_command_palette_open (GtkWindow *window, GMenuModel *menu)
{
  HeddleCommandPalette *self = NULL;

  g_return_if_fail (GTK_IS_WINDOW (window));
  g_return_if_fail (G_IS_MENU_MODEL (menu));

  self = g_object_new (
      HEDDLE_TYPE_COMMAND_PALETTE, "transient-for", window, "destroy-with-parent", TRUE, NULL);
  self->window = window;
  add_menu (self, menu);
  add_others (self);
  on_search (self);
  gtk_window_present (GTK_WINDOW (self));
  gtk_widget_grab_focus (self->search);
}
