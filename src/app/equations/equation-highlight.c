/* SPDX-License-Identifier: MIT */

#include <string.h>

#include "app/editor/selection.h"
#include "app/equations/equation-highlight.h"
#include "diagram/graph/diagram.h"

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

/* A line of the text that is being coloured. */
typedef struct
{
  GtkTextBuffer *buffer;
  HeddleEditor *editor;
  gboolean dark;
  int number;
  const char *text;
} Line;

static void
apply (const Line *line, const char *from, const char *to, Tag tag)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_iter_at_line_offset (
      line->buffer, &start, line->number, g_utf8_pointer_to_offset (line->text, from));
  gtk_text_buffer_get_iter_at_line_offset (
      line->buffer, &end, line->number, g_utf8_pointer_to_offset (line->text, to));
  gtk_text_buffer_apply_tag (line->buffer, get_tag (line->buffer, tag, line->dark), &start, &end);
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

const char *
heddle_equation_skip_name (const char *text)
{
  return is_name_start (text) ? skip_name (text) : text;
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
highlight_name (const Line *line, const char *from, const char *to)
{
  const HeddleDiagram *diagram = heddle_editor_get_diagram (line->editor);
  g_autofree char *name = g_strndup (from, to - from);
  const HeddleAxis *axis = diagram != NULL ? heddle_diagram_find_axis (diagram, name) : NULL;
  const HeddleValue *value = diagram != NULL ? heddle_diagram_find_value (diagram, name) : NULL;
  const char *id = axis != NULL ? axis->id : value != NULL ? value->id : NULL;

  if (axis != NULL)
    apply (line, from, to, TAG_AXIS);
  else if (value == NULL && (*to == '(' || *to == '['))
    apply (line, from, to, TAG_FUNCTION);
  if (id != NULL && heddle_editor_is_selected (line->editor, id))
    apply (line, from, to, TAG_SELECTED);
}

static void
highlight_line (const Line *line)
{
  const char *c = line->text;

  while (*c != '\0')
    {
      const char *from = c;

      if (*c == '#')
        {
          c += strlen (c);
          apply (line, from, c, TAG_COMMENT);
        }
      else if (is_name_start (c))
        {
          c = skip_name (c);
          highlight_name (line, from, c);
        }
      else if (g_ascii_isdigit (*c))
        {
          c = skip_number (c);
          apply (line, from, c, TAG_NUMBER);
        }
      if (c == from)
        c = g_utf8_next_char (c);
    }
}

void
heddle_equation_highlight (GtkTextBuffer *buffer, HeddleEditor *editor, gboolean dark, int first, int last)
{
  first = MAX (first, 0);
  last = MIN (last, gtk_text_buffer_get_line_count (buffer) - 1);
  for (int i = first; i <= last; i++)
    {
      g_autofree char *text = NULL;
      GtkTextIter start, end;

      gtk_text_buffer_get_iter_at_line (buffer, &start, i);
      end = start;
      if (!gtk_text_iter_ends_line (&end))
        gtk_text_iter_forward_to_line_end (&end);
      for (guint tag = 0; tag < N_TAGS; tag++)
        gtk_text_buffer_remove_tag (buffer, get_tag (buffer, tag, dark), &start, &end);
      text = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
      highlight_line (&(Line){ buffer, editor, dark, i, text });
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
