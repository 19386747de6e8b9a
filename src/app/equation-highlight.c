/* SPDX-License-Identifier: MIT */

#include <string.h>

#include "app/equation-highlight.h"

typedef enum
{
  TAG_AXIS,
  TAG_FUNCTION,
  TAG_NUMBER,
  TAG_COMMENT,
  TAG_SELECTED,
  N_TAGS
} Tag;

static const char *const tag_names[N_TAGS] = { "axis", "function", "number", "comment", "selected" };
/* light, dark */
static const char *const tag_colors[N_TAGS][2] = {
  [TAG_AXIS] = { "#1a7f6b", "#6fd3bd" },
  [TAG_FUNCTION] = { "#813d9c", "#dc8add" },
  [TAG_NUMBER] = { "#c64600", "#ffa348" },
  [TAG_COMMENT] = { "#77767b", "#9a9996" },
  [TAG_SELECTED] = { "#1a5fb4", "#99c1f1" },
};

static GtkTextTag *
get_tag (GtkTextBuffer *buffer, Tag tag, gboolean dark)
{
  GtkTextTagTable *table = gtk_text_buffer_get_tag_table (buffer);
  GtkTextTag *object = gtk_text_tag_table_lookup (table, tag_names[tag]);

  if (object == NULL)
    object = gtk_text_buffer_create_tag (buffer, tag_names[tag], NULL);
  g_object_set (object, "foreground", tag_colors[tag][dark], NULL);
  if (tag == TAG_SELECTED)
    g_object_set (object, "background", dark ? "#1f3d63" : "#d5e5fa", "weight", PANGO_WEIGHT_BOLD, NULL);
  return object;
}

static void
apply (GtkTextBuffer *buffer, const char *text, const char *from, const char *to, Tag tag, gboolean dark)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_iter_at_offset (buffer, &start, g_utf8_pointer_to_offset (text, from));
  gtk_text_buffer_get_iter_at_offset (buffer, &end, g_utf8_pointer_to_offset (text, to));
  gtk_text_buffer_apply_tag (buffer, get_tag (buffer, tag, dark), &start, &end);
}

static gboolean
is_name_start (const char *c)
{
  return *c == '\\' || g_unichar_isalpha (g_utf8_get_char (c));
}

/* A name as language's grammar has it: \bar x, c_{i+1}, x'. */
static const char *
skip_name (const char *c)
{
  if (*c == '\\')
    {
      c++;
      while (g_ascii_isalpha (*c))
        c++;
      if (*c == ' ' && is_name_start (c + 1))
        return skip_name (c + 1);
    }
  while (g_unichar_isalnum (g_utf8_get_char (c)))
    c = g_utf8_next_char (c);
  if (*c == '_' && c[1] == '{' && strchr (c, '}') != NULL)
    c = strchr (c, '}') + 1;
  else if (*c == '_')
    for (c++; g_unichar_isalnum (g_utf8_get_char (c));)
      c = g_utf8_next_char (c);
  while (*c == '\'')
    c++;
  return c;
}

static const char *
skip_number (const char *c)
{
  while (g_ascii_isdigit (*c) || *c == '.')
    c++;
  if ((*c == 'e' || *c == 'E')
      && (g_ascii_isdigit (c[1]) || (strchr ("+-", c[1]) != NULL && g_ascii_isdigit (c[2]))))
    for (c += 2; g_ascii_isdigit (*c);)
      c++;
  return c;
}

static void
highlight_name (GtkTextBuffer *buffer, HeddleEditor *editor, const char *text, const char *from,
    const char *to, gboolean dark)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (editor);
  g_autofree char *name = g_strndup (from, to - from);
  const HeddleAxis *axis = diagram != NULL ? heddle_diagram_find_axis (diagram, name) : NULL;
  const HeddleValue *value = diagram != NULL ? heddle_diagram_find_value (diagram, name) : NULL;
  const char *id = axis != NULL ? axis->id : value != NULL ? value->id : NULL;

  if (axis != NULL)
    apply (buffer, text, from, to, TAG_AXIS, dark);
  else if (value == NULL && (*to == '(' || *to == '['))
    apply (buffer, text, from, to, TAG_FUNCTION, dark);
  if (id != NULL && heddle_editor_is_selected (editor, id))
    apply (buffer, text, from, to, TAG_SELECTED, dark);
}

static const char *
end_of_line (const char *c)
{
  const char *end = strchr (c, '\n');

  return end != NULL ? end : c + strlen (c);
}

void
heddle_equation_highlight (GtkTextBuffer *buffer, HeddleEditor *editor, gboolean dark)
{
  g_autofree char *text = NULL;
  GtkTextIter start, end;
  const char *c = NULL, *from = NULL;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  for (guint i = 0; i < N_TAGS; i++)
    gtk_text_buffer_remove_tag (buffer, get_tag (buffer, i, dark), &start, &end);
  text = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
  for (c = text; *c != '\0';)
    {
      from = c;
      if (*c == '#')
        {
          c = end_of_line (c);
          apply (buffer, text, from, c, TAG_COMMENT, dark);
        }
      else if (is_name_start (c))
        {
          c = skip_name (c);
          highlight_name (buffer, editor, text, from, c, dark);
        }
      else if (g_ascii_isdigit (*c))
        {
          c = skip_number (c);
          apply (buffer, text, from, c, TAG_NUMBER, dark);
        }
      else
        c = g_utf8_next_char (c);
      if (c == from) /* a lone backslash */
        c = g_utf8_next_char (c);
    }
}

static GtkTextTag *
error_tag (GtkTextBuffer *buffer)
{
  GtkTextTag *tag = gtk_text_tag_table_lookup (gtk_text_buffer_get_tag_table (buffer), "error");

  if (tag == NULL)
    tag = gtk_text_buffer_create_tag (buffer, "error", "underline", PANGO_UNDERLINE_ERROR, "underline-rgba",
        &(GdkRGBA){ .88, .11, .14, 1 }, NULL);
  return tag;
}

void
heddle_equation_mark_error (GtkTextBuffer *buffer, guint line, guint column)
{
  GtkTextIter start, end;

  if (line == 0)
    return;
  gtk_text_buffer_get_iter_at_line_offset (buffer, &start, line - 1, 0);
  if (column > 0)
    for (guint i = 1; i < column && !gtk_text_iter_ends_line (&start); i++)
      gtk_text_iter_forward_char (&start);
  /* At the end of a line there is nothing to underline but what comes before. */
  if (gtk_text_iter_ends_line (&start) && !gtk_text_iter_starts_line (&start))
    gtk_text_iter_backward_char (&start);
  end = start;
  do
    if (!gtk_text_iter_forward_char (&end))
      break;
  while (!gtk_text_iter_ends_line (&end) && g_unichar_isalnum (gtk_text_iter_get_char (&end)));
  gtk_text_buffer_apply_tag (buffer, error_tag (buffer), &start, &end);
}

void
heddle_equation_clear_errors (GtkTextBuffer *buffer)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_text_buffer_remove_tag (buffer, error_tag (buffer), &start, &end);
}
