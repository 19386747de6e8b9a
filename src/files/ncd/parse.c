/* SPDX-License-Identifier: MIT */

#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "diagram/base/problem.h"
#include "files/base/files.h"
#include "files/ncd/parse.h"

/* --- problems with their places --- */

/* Finds the start and length of line @line (from 1) of the text. */
static const char *
find_line (const HeddleNcdReader *self, guint line, gsize *length)
{
  const char *p = self->text, *text_end = self->text + self->length, *newline;

  for (guint i = 1; i < line && p < text_end; i++)
    {
      newline = memchr (p, '\n', text_end - p);
      p = newline ? newline + 1 : text_end;
    }
  newline = memchr (p, '\n', text_end - p);
  *length = (newline ? newline : text_end) - p;
  return p;
}

static void
report_severity_at (HeddleNcdReader *self, HeddleSeverity severity, guint line, guint column, char *message)
{
  HeddleProblem *problem = heddle_problem_new (severity, NULL, "%s", message);
  gsize length;

  problem->file = g_strdup (self->file_name);
  problem->line = line;
  problem->column = column;
  if (line > 0)
    {
      const char *start = find_line (self, line, &length);

      if (length <= 400)
        problem->source_line = g_utf8_make_valid (start, length);
    }
  g_ptr_array_add (self->problems, problem);
  self->errors += severity == HEDDLE_SEVERITY_ERROR;
  g_free (message);
}

static void
report_at (HeddleNcdReader *self, guint line, guint column, char *message)
{
  report_severity_at (self, HEDDLE_SEVERITY_ERROR, line, column, message);
}

/* Returns the column of an element: the tree keeps lines, and the column is where its tag begins on that
 * line. */
static guint
column_of (const HeddleNcdReader *self, const xmlNode *node, guint line)
{
  g_autofree char *tag = NULL;
  const char *start, *found;
  gsize length;

  if (node->type != XML_ELEMENT_NODE)
    return 1;
  tag = g_strdup_printf ("<%s", (const char *) node->name);
  start = find_line (self, line, &length);
  found = g_strstr_len (start, length, tag);
  return found ? g_utf8_strlen (start, found - start) + 1 : 1;
}

/* Returns the line of text. The tree keeps the line on which it ends: its words begin as many lines earlier
 * as line breaks follow their start. */
static long
line_of (xmlNode *node)
{
  long line = xmlGetLineNo (node);
  const char *text = node->type == XML_TEXT_NODE ? (const char *) node->content : NULL;

  if (text == NULL)
    return line;
  for (text += strspn (text, " \t\r\n"); (text = strchr (text, '\n')) != NULL; text++)
    line--;
  return line;
}

void
heddle_ncd_report (HeddleNcdReader *self, xmlNode *node, const char *format, ...)
{
  long line = node != NULL ? line_of (node) : 0;
  va_list arguments;

  va_start (arguments, format);
  report_at (
      self, MAX (line, 0), line > 0 ? column_of (self, node, line) : 0, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

void
heddle_ncd_warn (HeddleNcdReader *self, xmlNode *node, const char *format, ...)
{
  const long line = line_of (node);
  va_list arguments;

  va_start (arguments, format);
  report_severity_at (self, HEDDLE_SEVERITY_WARNING, MAX (line, 0),
      line > 0 ? column_of (self, node, line) : 0, g_strdup_vprintf (format, arguments));
  va_end (arguments);
}

/* The parser copies what it was reading for each error, which may be all of the file: after so many nothing
 * more is read. */
#define MOST_XML_ERRORS 20

static void
on_xml_error (void *data, xmlErrorPtr error)
{
  HeddleNcdReader *self = data;
  char *message;

  if (error->level < XML_ERR_ERROR)
    return;
  if (self->errors > MOST_XML_ERRORS)
    {
      if (error->ctxt != NULL)
        xmlStopParser (error->ctxt);
      return;
    }
  message = g_utf8_make_valid (error->message ? error->message : "not well-formed XML", -1);
  report_at (self, MAX (error->line, 0), MAX (error->int2, 0), g_strchomp (message));
}

/* --- pieces --- */

gboolean
heddle_ncd_is (const xmlNode *node, const char *name)
{
  return node->type == XML_ELEMENT_NODE && node->ns != NULL
         && strcmp ((const char *) node->ns->href, HEDDLE_NCD_NAMESPACE) == 0
         && strcmp ((const char *) node->name, name) == 0;
}

void
heddle_ncd_clear_values (char **values, guint n)
{
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&values[i], g_free);
}

static int
find_attribute (const HeddleNcdAttribute *attributes, guint n_attributes, const char *name)
{
  for (guint i = 0; i < n_attributes; i++)
    if (strcmp (attributes[i].name, name) == 0)
      return i;
  return -1;
}

static char *
attribute_text (xmlAttr *attribute)
{
  xmlChar *text = xmlNodeListGetString (attribute->doc, attribute->children, 1);
  char *copy = g_strdup (text ? (const char *) text : "");

  xmlFree (text);
  return copy;
}

gboolean
heddle_ncd_attributes (HeddleNcdReader *self, xmlNode *node, const HeddleNcdAttribute *attributes,
    guint n_attributes, char **values)
{
  guint before = self->errors;

  memset (values, 0, n_attributes * sizeof *values);
  for (xmlAttr *attribute = node->properties; attribute != NULL; attribute = attribute->next)
    {
      int i = find_attribute (attributes, n_attributes, (const char *) attribute->name);

      if (i >= 0 && attribute->ns == NULL)
        values[i] = attribute_text (attribute);
      else if (!self->newer_major)
        heddle_ncd_report (self, node, "<%s> has no attribute “%s”", node->name, attribute->name);
    }
  for (guint i = 0; i < n_attributes; i++)
    if (attributes[i].required && values[i] == NULL)
      heddle_ncd_report (self, node, "<%s> lacks the attribute “%s”", node->name, attributes[i].name);
  return self->errors == before;
}

static void
keep_extension (HeddleNcdReader *self, xmlNode *child, const char *parent)
{
  xmlBuffer *buffer = xmlBufferCreate ();

  /* The copy declares the namespaces it uses itself, so that it can stand alone. */
  xmlNode *copy = xmlDocCopyNode (child, child->doc, 1);

  if (copy != NULL && xmlNodeDump (buffer, child->doc, copy, 0, 0) >= 0)
    g_ptr_array_add (self->snapshot->extensions,
        g_strdup_printf ("%s\t%s", parent, (const char *) xmlBufferContent (buffer)));
  xmlFreeNode (copy);
  xmlBufferFree (buffer);
}

void
heddle_ncd_other_child (HeddleNcdReader *self, xmlNode *child, const char *parent)
{
  gboolean foreign;

  if (child->type == XML_TEXT_NODE && xmlIsBlankNode (child))
    return;
  if (child->type == XML_COMMENT_NODE)
    return;
  if (child->type != XML_ELEMENT_NODE)
    {
      heddle_ncd_report (self, child, "text or an instruction where only elements may be");
      return;
    }
  foreign = child->ns == NULL || strcmp ((const char *) child->ns->href, HEDDLE_NCD_NAMESPACE) != 0;
  if (parent != NULL && (heddle_ncd_is (child, "extension") || (foreign && child->ns != NULL)))
    keep_extension (self, child, parent);
  else if (!self->newer_major)
    heddle_ncd_report (self, child, "<%s> cannot be here", child->name);
}

const char *
heddle_ncd_id (HeddleNcdReader *self, xmlNode *node, const char *text)
{
  gsize length = strlen (text);

  if (length == 0 || length > HEDDLE_NCD_MAX_ID
      || strspn (text, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_.-") != length)
    {
      heddle_ncd_report (self, node, "“%.40s” is not an id: letters, digits, “_”, “.” and “-”", text);
      return NULL;
    }
  return g_intern_string (text);
}

GArray *
heddle_ncd_ids (HeddleNcdReader *self, xmlNode *node, const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text ? text : "", " \t\n", -1);
  GArray *ids = heddle_ids_new ();

  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0')
      {
        const char *id = heddle_ncd_id (self, node, words[i]);

        if (id != NULL)
          heddle_ids_append (ids, id);
      }
  return ids;
}

gboolean
heddle_ncd_number (HeddleNcdReader *self, xmlNode *node, const char *name, const char *text, double *value)
{
  char *text_end;

  *value = g_ascii_strtod (text, &text_end);
  if (text_end != text && *text_end == '\0' && isfinite (*value))
    return TRUE;
  heddle_ncd_report (self, node, "%s: “%.40s” is not a number", name, text);
  return FALSE;
}

gboolean
heddle_ncd_whole (HeddleNcdReader *self, xmlNode *node, const char *name, const char *text, gint64 *value)
{
  if (g_ascii_string_to_signed (text, 10, 1, G_GINT64_CONSTANT (1) << 40, value, NULL))
    return TRUE;
  heddle_ncd_report (self, node, "%s: “%.40s” is not a whole number of at least 1", name, text);
  return FALSE;
}

char *
heddle_ncd_text (xmlNode *node)
{
  xmlChar *content = xmlNodeGetContent (node);
  char *text = g_strdup (content ? (const char *) content : "");

  xmlFree (content);
  return text;
}

/* --- the file --- */

/* Refuses, before the parser sees it, a text with a document type, and so entities, in any disguise of
 * encoding. */
static gboolean
scan_bytes (HeddleNcdReader *self)
{
  const char *bad;

  if (self->length > HEDDLE_NCD_MAX_BYTES)
    {
      report_at (self, 0, 0, g_strdup_printf ("the file is larger than %d MiB", HEDDLE_NCD_MAX_BYTES >> 20));
      return FALSE;
    }
  if (!g_utf8_validate (self->text, self->length, &bad))
    {
      guint line = 1;

      for (const char *p = self->text; p < bad; p++)
        line += *p == '\n';
      report_at (self, line, 0, g_strdup ("the file is not UTF-8 text"));
      return FALSE;
    }
  bad = g_strstr_len (self->text, self->length, "<!DOCTYPE");
  if (bad == NULL)
    bad = g_strstr_len (self->text, self->length, "<!ENTITY");
  if (bad != NULL)
    {
      guint line = 1, column = 1;

      for (const char *p = self->text; p < bad; p++)
        if (*p == '\n')
          line++, column = 1;
        else
          column++;
      report_at (
          self, line, column, g_strdup ("a document type declaration is not allowed in a diagram file"));
      return FALSE;
    }
  return TRUE;
}

gboolean
heddle_ncd_starts (const char *p, const char *end, const char *prefix)
{
  const gsize length = strlen (prefix);

  return (gsize) (end - p) >= length && memcmp (p, prefix, length) == 0;
}

/* Returns the end of the markup at @p that is no element: a comment, marked text, an instruction. Returns
 * NULL if @p begins an element. */
static const char *
skip_markup (const char *p, const char *end)
{
  static const char *const rows[][2] = { { "<!--", "-->" }, { "<![CDATA[", "]]>" }, { "<?", "?>" } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (heddle_ncd_starts (p, end, rows[i][0]))
      {
        const char *close = g_strstr_len (p, end - p, rows[i][1]);

        return close != NULL ? close : end;
      }
  return NULL;
}

/* Returns the end of the tag at @p, and the number of its attributes. */
static const char *
skip_tag (const char *p, const char *end, guint *n_attributes)
{
  char quote = '\0';

  for (*n_attributes = 0; p < end && (quote != '\0' || *p != '>'); p++)
    if (quote == '\0' && (*p == '"' || *p == '\''))
      quote = *p;
    else if (*p == quote)
      quote = '\0';
    else if (quote == '\0' && *p == '=')
      ++*n_attributes;
  return p;
}

/* Checks the number of attributes first, since the parser compares each attribute of an element with all
 * others. */
static gboolean
scan_attributes (HeddleNcdReader *self)
{
  const char *end = self->text + self->length, *p = self->text;

  while (p < end && (p = memchr (p, '<', end - p)) != NULL)
    {
      const char *after = skip_markup (p, end);
      guint n = 0;

      p = after != NULL ? after : skip_tag (p, end, &n);
      if (n > HEDDLE_NCD_MAX_ATTRIBUTES)
        {
          report_at (self, 0, 0,
              g_strdup_printf ("an element has more than %d attributes", HEDDLE_NCD_MAX_ATTRIBUTES));
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
count_elements (HeddleNcdReader *self, xmlNode *root)
{
  guint64 n = 0;

  for (xmlNode *node = root; node != NULL;)
    {
      if (++n > HEDDLE_NCD_MAX_ELEMENTS * 2)
        {
          heddle_ncd_report (self, node, "more than %d elements", HEDDLE_NCD_MAX_ELEMENTS);
          return FALSE;
        }
      if (node->children != NULL && node->type == XML_ELEMENT_NODE)
        {
          node = node->children;
          continue;
        }
      while (node != root && node->next == NULL)
        node = node->parent;
      node = node == root ? NULL : node->next;
    }
  return TRUE;
}

xmlDoc *
heddle_ncd_parse (HeddleNcdReader *self)
{
  xmlParserCtxt *context;
  xmlDoc *document;

  if (!scan_bytes (self) || !scan_attributes (self))
    return NULL;
  context = xmlNewParserCtxt ();
  xmlSetStructuredErrorFunc (self, on_xml_error);
  document = xmlCtxtReadMemory (context, self->text, self->length, NULL, "UTF-8",
      XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES | XML_PARSE_COMPACT);
  xmlSetStructuredErrorFunc (NULL, NULL);
  xmlFreeParserCtxt (context);
  if (document == NULL && self->errors == 0)
    report_at (self, 1, 1, g_strdup ("not an XML file"));
  if (document != NULL && (self->errors > 0 || !count_elements (self, xmlDocGetRootElement (document))))
    g_clear_pointer (&document, xmlFreeDoc);
  return document;
}
