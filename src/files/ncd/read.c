/* SPDX-License-Identifier: MIT */

#include "diagram/document/snapshot.h"
#include "files/ncd/parse.h"
#include "files/ncd/private.h"
#include "files/ncd/read-meaning.h"
#include "files/ncd/read-schedule.h"
#include "files/ncd/read.h"

/* Parses "MAJOR.MINOR"; a newer major version is read as far as it is understood. */
static gboolean
parse_version (HeddleNcdReader *self, xmlNode *root, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, ".", 2);
  guint64 major, minor;

  if (g_strv_length (parts) != 2 || !g_ascii_string_to_unsigned (parts[0], 10, 1, 1000000, &major, NULL)
      || !g_ascii_string_to_unsigned (parts[1], 10, 0, 1000000, &minor, NULL))
    {
      heddle_ncd_report (self, root, "“%.40s” is not a version such as 1.0", text);
      return FALSE;
    }
  self->newer_major = self->snapshot->read_only = major > HEDDLE_NCD_MAJOR;
  return TRUE;
}

static gboolean
read_version (HeddleNcdReader *self, xmlNode *root)
{
  static const HeddleNcdAttribute attributes[] = { { "version", TRUE } };
  g_autofree char *version = NULL;
  xmlChar *text;
  gboolean good = TRUE;

  if (!heddle_ncd_is (root, "heddle"))
    {
      heddle_ncd_report (self, root, "not a Heddle diagram: the root element is <%s>", root->name);
      return FALSE;
    }
  text = xmlGetNoNsProp (root, (const xmlChar *) "version");
  if (text != NULL)
    good = parse_version (self, root, (const char *) text);
  xmlFree (text);
  return good && heddle_ncd_attributes (self, root, attributes, G_N_ELEMENTS (attributes), &version);
}

static void
read_section (HeddleNcdReader *self, xmlNode *section, const char *child_name,
    void (*read_child) (HeddleNcdReader *self, xmlNode *node))
{
  for (xmlNode *child = section->children; child != NULL; child = child->next)
    if (heddle_ncd_is (child, child_name))
      read_child (self, child);
    else
      heddle_ncd_other_child (self, child, (const char *) section->name);
}

static void
read_root (HeddleNcdReader *self, xmlNode *root)
{
  static const struct
  {
    const char *name, *child;
    void (*read_child) (HeddleNcdReader *self, xmlNode *node);
  } sections[] = {
    { "meaning", "diagram", heddle_ncd_read_diagram },
    { "schedule", "kernels", heddle_ncd_read_schedule },
    { "presentation", "drawing", heddle_ncd_read_presentation },
  };
  guint next = 0;

  for (xmlNode *child = root->children; child != NULL; child = child->next)
    {
      guint i = next;

      while (i < G_N_ELEMENTS (sections) && !heddle_ncd_is (child, sections[i].name))
        i++;
      if (i == G_N_ELEMENTS (sections))
        {
          heddle_ncd_other_child (self, child, "heddle");
          continue;
        }
      next = i + 1;
      if (child->properties != NULL && !self->newer_major)
        heddle_ncd_report (self, child, "<%s> has no attributes", child->name);
      read_section (self, child, sections[i].child, sections[i].read_child);
    }
  if (self->snapshot->diagrams->len == 0)
    heddle_ncd_report (self, root, "the file holds no diagram");
}

HeddleSnapshot *
heddle_ncd_read (const char *data, gsize length, const char *file_name, GPtrArray *problems)
{
  g_autoptr (HeddleSnapshot) snapshot = heddle_snapshot_new ();
  HeddleNcdReader self = {
    .file_name = file_name, .text = data, .length = length, .problems = problems, .snapshot = snapshot
  };
  xmlDoc *document;

  document = heddle_ncd_parse (&self);
  if (document == NULL)
    return NULL;
  if (read_version (&self, xmlDocGetRootElement (document)))
    read_root (&self, xmlDocGetRootElement (document));
  xmlFreeDoc (document);
  return self.errors == 0 ? g_steal_pointer (&snapshot) : NULL;
}
