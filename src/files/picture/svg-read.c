/* SPDX-License-Identifier: MIT */

#include <string.h>

#include "files/ncd/parse.h"
#include "files/ncd/private.h"
#include "files/ncd/read.h"
#include "files/picture/picture.h"
#include "files/picture/svg-read.h"
#include "files/picture/svg-source.h"

#define SVG_NAMESPACE "http://www.w3.org/2000/svg"

/* Returns the next node in document order below @root; NULL if there is none. */
static xmlNode *
next_node (xmlNode *node, xmlNode *root)
{
  if (node->type == XML_ELEMENT_NODE && node->children != NULL)
    return node->children;
  while (node != root && node->next == NULL)
    node = node->parent;
  return node == root ? NULL : node->next;
}

static xmlNode *
find_source (xmlNode *root)
{
  xmlNode *node = root;

  while (node != NULL && !heddle_ncd_is (node, "source"))
    node = next_node (node, root);
  return node;
}

/* Returns whether the drawing, which is everything before the source, is as it was when it was hashed. */
static gboolean
is_as_written (const HeddleNcdReader *self, xmlNode *node, const char *source)
{
  const char *mark = g_strstr_len (self->text, self->length, HEDDLE_SVG_SOURCE_START);
  xmlChar *hash = xmlGetNoNsProp (node, (const xmlChar *) "sha256");
  g_autofree char *computed
      = mark != NULL ? heddle_picture_hash (self->text, mark - self->text, source) : g_strdup ("");
  gboolean same = hash != NULL && strcmp ((const char *) hash, computed) == 0;

  xmlFree (hash);
  return same;
}

gboolean
heddle_svg_is (const char *data, gsize length)
{
  const char *p = data, *end = data + length;

  while (p < end && (p = memchr (p, '<', end - p)) != NULL)
    {
      const char *close = p + 1 < end && p[1] == '?'           ? "?>"
                          : heddle_ncd_starts (p, end, "<!--") ? "-->"
                                                               : NULL;

      if (close == NULL)
        return end - p > 4 && heddle_ncd_starts (p, end, "<svg");
      p = g_strstr_len (p, end - p, close);
      if (p == NULL)
        return FALSE;
    }
  return FALSE;
}

HeddleSnapshot *
heddle_svg_read (const char *data, gsize length, const char *file_name, GPtrArray *problems)
{
  HeddleNcdReader self = { .file_name = file_name, .text = data, .length = length, .problems = problems };
  xmlDoc *document = heddle_ncd_parse (&self);
  g_autofree char *source = NULL;
  xmlNode *node;

  if (document == NULL)
    return NULL;
  node = find_source (xmlDocGetRootElement (document));
  if (node == NULL)
    heddle_ncd_report (&self, xmlDocGetRootElement (document),
        "the picture holds no diagram: it was exported without its source, or not by Heddle");
  else
    {
      source = heddle_ncd_text (node);
      if (!is_as_written (&self, node, source))
        heddle_picture_report_stale (problems, file_name);
    }
  xmlFreeDoc (document);
  return source != NULL ? heddle_ncd_read (source, strlen (source), file_name, problems) : NULL;
}
