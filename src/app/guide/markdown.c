/* SPDX-License-Identifier: MIT */

#include <string.h>

#include "app/guide/markdown.h"

#define WIDTH_CHARS 72

/* --- within a line --- */

static void
append_escaped (GString *markup, const char *text, gsize length)
{
  g_autofree char *escaped = g_markup_escape_text (text, length);

  g_string_append (markup, escaped);
}

/* Appends what stands between two marks as an element; FALSE means that there is no second one. */
static gboolean
append_between (GString *markup, const char **text, const char *mark, const char *element)
{
  const gsize length = strlen (mark);
  const char *end = g_str_has_prefix (*text, mark) ? strstr (*text + length, mark) : NULL;

  if (end == NULL)
    return FALSE;
  g_string_append_printf (markup, "<%s>", element);
  append_escaped (markup, *text + length, end - *text - length);
  g_string_append_printf (markup, "</%s>", element);
  *text = end + length;
  return TRUE;
}

static gboolean
append_link (GString *markup, const char **text)
{
  const char *middle = **text == '[' ? strstr (*text, "](") : NULL;
  const char *end = middle != NULL ? strchr (middle, ')') : NULL;

  if (end == NULL)
    return FALSE;
  g_string_append (markup, "<a href=\"");
  append_escaped (markup, middle + 2, end - middle - 2);
  g_string_append (markup, "\">");
  append_escaped (markup, *text + 1, middle - *text - 1);
  g_string_append (markup, "</a>");
  *text = end + 1;
  return TRUE;
}

char *
heddle_markdown_to_markup (const char *line)
{
  GString *markup = g_string_new (NULL);

  while (*line != '\0')
    if (!append_between (markup, &line, "**", "b") && !append_between (markup, &line, "`", "tt")
        && !append_link (markup, &line))
      {
        const char *next = g_utf8_next_char (line);

        append_escaped (markup, line, next - line);
        line = next;
      }
  return g_string_free (markup, FALSE);
}

/* --- blocks --- */

typedef struct
{
  GtkWidget *box;
  GString *paragraph;
  gboolean item; /* the paragraph is one of a list */
  GCallback on_link;
  gpointer data;
} Reader;

static GtkWidget *
add_label (Reader *self, const char *text, const char *class)
{
  g_autofree char *markup = heddle_markdown_to_markup (text);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_widget_set_direction (label, GTK_TEXT_DIR_LTR); /* the pages are in English */
  gtk_label_set_markup (GTK_LABEL (label), markup);
  g_object_set (label, "wrap", TRUE, "xalign", 0., "max-width-chars", WIDTH_CHARS, "selectable", FALSE,
      "halign", GTK_ALIGN_FILL, NULL);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  if (self->on_link != NULL)
    g_signal_connect_data (label, "activate-link", self->on_link, self->data, NULL, 0);
  return label;
}

static void
add_item (Reader *self, const char *text)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *dot = gtk_label_new ("•");
  GtkWidget *label = add_label (self, text, NULL);

  gtk_widget_set_direction (row, GTK_TEXT_DIR_LTR);
  gtk_widget_set_valign (dot, GTK_ALIGN_START);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (row), dot);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (self->box), row);
}

static void
end_paragraph (Reader *self)
{
  if (self->paragraph->len > 0 && self->item)
    add_item (self, self->paragraph->str);
  else if (self->paragraph->len > 0)
    gtk_box_append (GTK_BOX (self->box), add_label (self, self->paragraph->str, NULL));
  g_string_truncate (self->paragraph, 0);
  self->item = FALSE;
}

static void
add_heading (Reader *self, const char *line)
{
  const gsize level = strspn (line, "#");
  GtkWidget *label
      = add_label (self, line + level + strspn (line + level, " "), level == 1 ? "title-1" : "title-4");

  gtk_widget_set_margin_top (label, level == 1 ? 0 : 12);
  gtk_box_append (GTK_BOX (self->box), label);
}

static void
add_line (Reader *self, const char *line)
{
  const gboolean item = g_str_has_prefix (line, "- ");

  if (*line == '\0' || *line == '#' || item)
    end_paragraph (self);
  if (*line == '#')
    add_heading (self, line);
  else if (*line != '\0')
    {
      const char *text = item ? line + 2 : line + strspn (line, " ");

      self->item |= item;
      g_string_append_printf (self->paragraph, "%s%s", self->paragraph->len > 0 ? " " : "", text);
    }
}

GtkWidget *
heddle_markdown_new (const char *text, GCallback on_link, gpointer data)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GString) paragraph = g_string_new (NULL);
  Reader self = { gtk_box_new (GTK_ORIENTATION_VERTICAL, 9), paragraph, FALSE, on_link, data };

  for (guint i = 0; lines[i] != NULL; i++)
    add_line (&self, lines[i]);
  end_paragraph (&self);
  return self.box;
}

char *
heddle_markdown_title (const char *text)
{
  const char *start = g_str_has_prefix (text, "# ") ? text + 2 : NULL;

  return start != NULL ? g_strndup (start, strcspn (start, "\n")) : NULL;
}
