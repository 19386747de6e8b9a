/* SPDX-License-Identifier: MIT */

#include <string.h>

#include "diagram/base/dtype.h"
#include "diagram/base/quote.h"
#include "diagram/document/ornament.h"
#include "diagram/document/presentation.h"
#include "diagram/document/schedule.h"
#include "diagram/expression/expr.h"
#include "diagram/expression/print.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"
#include "files/base/files.h"
#include "files/ncd/private.h"
#include "files/ncd/write.h"

/* The text of a document, in canonical form: one element a line in a fixed order, so that one change is one
 * hunk. */
typedef struct
{
  GString *out;
  guint depth;
  gboolean pending; /* a start tag is not yet closed */
  const HeddleSnapshot *snapshot;
  const HeddleDiagram *diagram;
} Writer;

static void
append_escaped (GString *out, const char *text, gboolean attribute)
{
  g_autofree char *quoted = heddle_quote_xml (text, attribute);

  g_string_append (out, quoted);
}

static void
indent (Writer *self)
{
  for (guint i = 0; i < self->depth; i++)
    g_string_append (self->out, "  ");
}

static void
close_start_tag (Writer *self)
{
  if (self->pending)
    g_string_append (self->out, ">\n");
  self->pending = FALSE;
}

static void
begin (Writer *self, const char *name)
{
  close_start_tag (self);
  indent (self);
  g_string_append_printf (self->out, "<%s", name);
  self->pending = TRUE;
  self->depth++;
}

static void
end (Writer *self, const char *name)
{
  self->depth--;
  if (self->pending)
    {
      g_string_append (self->out, "/>\n");
      self->pending = FALSE;
      return;
    }
  indent (self);
  g_string_append_printf (self->out, "</%s>\n", name);
}

static void
attribute (Writer *self, const char *name, const char *value)
{
  if (value == NULL)
    return;
  g_string_append_printf (self->out, " %s=\"", name);
  append_escaped (self->out, value, TRUE);
  g_string_append_c (self->out, '"');
}

static void
attribute_number (Writer *self, const char *name, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  for (int digits = 15; digits <= 17; digits++)
    {
      g_autofree char *format = g_strdup_printf ("%%.%dg", digits);

      g_ascii_formatd (text, sizeof text, format, value);
      if (g_ascii_strtod (text, NULL) == value)
        break;
    }
  attribute (self, name, text);
}

static void
attribute_ids (Writer *self, const char *name, const GArray *ids)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; ids != NULL && i < ids->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", heddle_ids_index (ids, i));
  if (text->len > 0)
    attribute (self, name, text->str);
}

/* Writes <name attribute…>text</name> on one line, because its white space counts. */
static void
text_element (Writer *self, const char *name, const char *place, const char *text)
{
  begin (self, name);
  attribute (self, "place", place);
  g_string_append_c (self->out, '>');
  self->pending = FALSE;
  append_escaped (self->out, text, FALSE);
  g_string_append_printf (self->out, "</%s>\n", name);
  self->depth--;
}

static void
write_comment (Writer *self, const char *comment)
{
  const char *mark;

  if (comment == NULL)
    return;
  mark = strchr (comment, HEDDLE_COMMENT_MARK);
  if (mark == NULL || mark > comment)
    {
      g_autofree char *above = mark ? g_strndup (comment, mark - comment) : g_strdup (comment);

      text_element (self, "comment", NULL, above);
    }
  if (mark != NULL)
    text_element (self, "comment", "after", mark + 1);
}

/* Writes the foreign elements kept from the file, which are stored as "parent id TAB xml". */
static void
write_extensions (Writer *self, const char *parent)
{
  gsize length = strlen (parent);

  for (guint i = 0; i < self->snapshot->extensions->len; i++)
    {
      const char *kept = g_ptr_array_index (self->snapshot->extensions, i);

      if (strncmp (kept, parent, length) != 0 || kept[length] != '\t')
        continue;
      close_start_tag (self);
      indent (self);
      g_string_append_printf (self->out, "%s\n", kept + length + 1);
    }
}

static char *
name_leaf (const HeddleExpr *leaf, gpointer data)
{
  const HeddleDiagram *diagram = data;
  HeddleExprKind kind = heddle_expr_get_kind (leaf);
  const HeddleAxis *axis;

  if (kind != HEDDLE_EXPR_SIZE && kind != HEDDLE_EXPR_INDEX)
    return NULL;
  axis = heddle_diagram_get_axis (diagram, heddle_expr_get_symbol (leaf));
  return g_strdup_printf (kind == HEDDLE_EXPR_INDEX ? "index(%s)" : "size(%s)", axis ? axis->name : "?");
}

static void
attribute_expr (Writer *self, const char *name, const HeddleExpr *expr)
{
  g_autofree char *text = NULL;

  if (expr == NULL)
    return;
  text = heddle_expr_to_string (expr, name_leaf, (gpointer) self->diagram);
  attribute (self, name, text);
}

static void
write_axis (Writer *self, const HeddleAxis *axis)
{
  begin (self, "axis");
  attribute (self, "id", axis->id);
  attribute (self, "name", axis->name);
  attribute_expr (self, "size", axis->size);
  write_extensions (self, axis->id);
  end (self, "axis");
}

static void
write_value (Writer *self, const HeddleValue *value)
{
  begin (self, "value");
  attribute (self, "id", value->id);
  attribute (self, "name", value->name);
  if (value->role != HEDDLE_ROLE_INTERMEDIATE)
    attribute (self, "role", value->role == HEDDLE_ROLE_INPUT ? "input" : "parameter");
  if (value->dtype != HEDDLE_DTYPE_UNSET)
    attribute (self, "dtype", heddle_dtype_to_string (value->dtype));
  attribute_ids (self, "axes", value->axes);
  write_comment (self, value->comment);
  write_extensions (self, value->id);
  end (self, "value");
}

static void
write_operation (Writer *self, const HeddleOperation *operation)
{
  begin (self, "operation");
  attribute (self, "id", operation->id);
  attribute (self, "kind", operation->kind->id);
  attribute_ids (self, "operands", operation->operands);
  attribute (self, "result", operation->result);
  attribute_ids (self, "more", operation->more_results);
  attribute_ids (self, "axes", operation->axes);
  attribute_expr (self, "body", operation->body);
  attribute (self, "calls", operation->callee);
  attribute_expr (self, "repeat", operation->repeat);
  attribute (self, "parameters", operation->shared ? "shared" : NULL);
  for (guint i = 0; i < HEDDLE_MAX_OPTIONS && operation->kind->options[i].name != NULL; i++)
    if (operation->options[i] != operation->kind->options[i].value)
      {
        begin (self, "option");
        attribute (self, "name", operation->kind->options[i].name);
        attribute_number (self, "value", operation->options[i]);
        end (self, "option");
      }
  for (guint i = 0; operation->indices != NULL && i < operation->indices->len; i++)
    {
      begin (self, "index");
      attribute_expr (self, "of", g_ptr_array_index (operation->indices, i));
      end (self, "index");
    }
  for (guint i = 0; operation->sizes != NULL && i < operation->sizes->len; i++)
    {
      begin (self, "size");
      attribute_expr (self, "of", g_ptr_array_index (operation->sizes, i));
      end (self, "size");
    }
  write_extensions (self, operation->id);
  end (self, "operation");
}

static void
write_diagram (Writer *self, const HeddleDiagram *diagram)
{
  self->diagram = diagram;
  begin (self, "diagram");
  attribute (self, "id", diagram->id);
  attribute (self, "name", diagram->name);
  if (diagram->explicit_outputs)
    {
      attribute_ids (self, "outputs", diagram->outputs);
      if (diagram->outputs->len == 0)
        attribute (self, "outputs", "");
    }
  attribute_ids (self, "arguments", diagram->arguments);
  for (guint i = 0; i < diagram->axes->len; i++)
    write_axis (self, g_ptr_array_index (diagram->axes, i));
  for (guint i = 0; i < diagram->values->len; i++)
    write_value (self, g_ptr_array_index (diagram->values, i));
  for (guint i = 0; i < diagram->operations->len; i++)
    write_operation (self, g_ptr_array_index (diagram->operations, i));
  write_comment (self, diagram->comment);
  write_extensions (self, diagram->id);
  end (self, "diagram");
}

static void
write_labels (Writer *self, const GPtrArray *labels)
{
  for (guint i = 0; i < labels->len; i++)
    {
      const HeddleLabel *label = g_ptr_array_index (labels, i);

      begin (self, "label");
      attribute (self, "axis", label->axis);
      attribute (self, "level", label->level);
      attribute (self, "kind", heddle_label_kind_to_string (label->kind));
      attribute_number (self, "size", label->size);
      attribute (self, "inactive", label->inactive);
      end (self, "label");
    }
}

static void
write_region (Writer *self, const HeddleRegion *region)
{
  begin (self, "region");
  attribute (self, "id", region->id);
  attribute_ids (self, "operations", region->operations);
  write_labels (self, region->labels);
  write_extensions (self, region->id);
  end (self, "region");
}

static gboolean
schedule_is_empty (const HeddleSchedule *schedule)
{
  return schedule->call == NULL && schedule->regions->len == 0 && schedule->residency->len == 0
         && schedule->recomputed->len == 0 && schedule->layouts->len == 0 && schedule->gpu == NULL
         && schedule->dtype == HEDDLE_DTYPE_UNSET && schedule->divisors == NULL && schedule->budget == 0;
}

static void
write_schedule (Writer *self, const HeddleSchedule *schedule)
{
  if (schedule_is_empty (schedule))
    return;
  begin (self, "kernels");
  attribute (self, "diagram", schedule->diagram);
  attribute (self, "root", schedule->root);
  attribute (self, "call", schedule->call);
  attribute (self, "calls", schedule->inlined ? "inlined" : NULL);
  attribute (self, "gpu", schedule->gpu);
  if (schedule->dtype != HEDDLE_DTYPE_UNSET)
    attribute (self, "dtype", heddle_dtype_to_string (schedule->dtype));
  attribute (self, "divisors", schedule->divisors);
  if (schedule->budget > 0)
    attribute_number (self, "budget", (double) schedule->budget);
  for (guint i = 0; i < schedule->regions->len; i++)
    write_region (self, g_ptr_array_index (schedule->regions, i));
  for (guint i = 0; i < schedule->residency->len; i++)
    {
      const HeddleResidency *residency = g_ptr_array_index (schedule->residency, i);

      begin (self, "residency");
      attribute (self, "value", residency->value);
      attribute (self, "column", residency->column);
      attribute (self, "level", residency->level);
      end (self, "residency");
    }
  for (guint i = 0; i < schedule->recomputed->len; i++)
    {
      const HeddleRecompute *recompute = &g_array_index (schedule->recomputed, HeddleRecompute, i);

      begin (self, "recomputed");
      attribute (self, "value", recompute->value);
      attribute (self, "column", recompute->column);
      end (self, "recomputed");
    }
  for (guint i = 0; i < schedule->layouts->len; i++)
    {
      const HeddleValueLayout *layout = g_ptr_array_index (schedule->layouts, i);

      begin (self, "layout");
      attribute (self, "value", layout->value);
      attribute_ids (self, "axes", layout->axes);
      write_labels (self, layout->labels);
      end (self, "layout");
    }
  end (self, "kernels");
}

static void
write_field (Writer *self, const HeddleField *field, gconstpointer ornament)
{
  const char *text;
  double number;
  int word;

  switch (field->kind)
    {
    case HEDDLE_FIELD_ID:
    case HEDDLE_FIELD_OBJECT:
    case HEDDLE_FIELD_DIAGRAM:
      attribute (self, field->name, heddle_field_at (field, ornament, const char *));
      return;
    case HEDDLE_FIELD_OPERATIONS:
    case HEDDLE_FIELD_AXES:
      attribute_ids (self, field->name, heddle_field_at (field, ornament, GArray *));
      return;
    case HEDDLE_FIELD_TEXT:
      text = heddle_field_at (field, ornament, char *);
      attribute (self, field->name, text == NULL && field->required ? "" : text);
      return;
    case HEDDLE_FIELD_NUMBER:
      number = heddle_field_at (field, ornament, double);
      if (field->required || number != 0.)
        attribute_number (self, field->name, number);
      return;
    case HEDDLE_FIELD_WORD:
      word = heddle_field_at (field, ornament, int);
      attribute (self, field->name, word > 0 ? field->words[word] : NULL);
      return;
    }
}

static void
write_ornaments (Writer *self, const HeddleOrnamentKind *kind, const GPtrArray *list)
{
  for (guint i = 0; i < list->len; i++)
    {
      begin (self, kind->element);
      for (const HeddleField *field = kind->fields; field->name != NULL; field++)
        write_field (self, field, list->pdata[i]);
      end (self, kind->element);
    }
}

static void
write_presentation (Writer *self, const HeddlePresentation *presentation)
{
  if (heddle_presentation_is_empty (presentation))
    return;
  begin (self, "drawing");
  attribute (self, "diagram", presentation->diagram);
  attribute (self, "title", presentation->title);
  if (presentation->wrap > 0.)
    attribute_number (self, "wrap", presentation->wrap);
  attribute (self, "definitions", presentation->definitions == HEDDLE_DEFINITIONS_BELOW ? "below" : NULL);
  attribute (self, "columns", presentation->bands == HEDDLE_BANDS_SHADED ? "shaded" : NULL);
  attribute (self, "separators", presentation->separators == HEDDLE_SEPARATORS_NONE ? "none" : NULL);
  attribute (self, "copies", presentation->copies == HEDDLE_COPIES_WIRES ? "wires" : NULL);
  for (guint i = 0; i < presentation->nudges->len; i++)
    {
      const HeddleNudge *nudge = &g_array_index (presentation->nudges, HeddleNudge, i);

      begin (self, "nudge");
      attribute (self, "object", nudge->object);
      attribute_number (self, "dx", nudge->dx);
      attribute_number (self, "dy", nudge->dy);
      end (self, "nudge");
    }
  for (guint i = 0; i < presentation->fills->len; i++)
    {
      const HeddleFill *fill = g_ptr_array_index (presentation->fills, i);

      begin (self, "fill");
      attribute (self, "object", fill->object);
      attribute (self, "class", fill->fill);
      end (self, "fill");
    }
  for (const HeddleOrnamentKind *kind = heddle_ornament_kinds (); kind->element != NULL; kind++)
    write_ornaments (self, kind, heddle_ornament_list (kind, presentation));
  end (self, "drawing");
}

char *
heddle_ncd_write (const HeddleSnapshot *snapshot, gsize *length, GError **error)
{
  Writer self
      = { .out = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"), .snapshot = snapshot };

  if (snapshot->read_only)
    {
      g_string_free (self.out, TRUE);
      g_set_error_literal (error, HEDDLE_FILES_ERROR, HEDDLE_FILES_ERROR_READ_ONLY,
          "the document was written by a newer version of Heddle and is open for reading only");
      return NULL;
    }
  begin (&self, "heddle");
  attribute (&self, "xmlns", HEDDLE_NCD_NAMESPACE);
  g_string_append_printf (self.out, " version=\"%d.%d\"", HEDDLE_NCD_MAJOR, HEDDLE_NCD_MINOR);
  begin (&self, "meaning");
  for (guint i = 0; i < snapshot->diagrams->len; i++)
    write_diagram (&self, g_ptr_array_index (snapshot->diagrams, i));
  write_extensions (&self, "meaning");
  end (&self, "meaning");
  begin (&self, "schedule");
  for (guint i = 0; i < snapshot->schedules->len; i++)
    write_schedule (&self, g_ptr_array_index (snapshot->schedules, i));
  write_extensions (&self, "schedule");
  end (&self, "schedule");
  begin (&self, "presentation");
  for (guint i = 0; i < snapshot->presentations->len; i++)
    write_presentation (&self, g_ptr_array_index (snapshot->presentations, i));
  write_extensions (&self, "presentation");
  end (&self, "presentation");
  write_extensions (&self, "heddle");
  end (&self, "heddle");
  if (length != NULL)
    *length = self.out->len;
  return g_string_free (self.out, FALSE);
}
