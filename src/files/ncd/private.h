/* SPDX-License-Identifier: MIT */
#pragma once

#include <libxml/tree.h>

#include "files/base/files.h"

/* The version of the format this program writes. */
#define HEDDLE_NCD_MAJOR 1
#define HEDDLE_NCD_MINOR 0

/* What a hostile file is held to. */
#define HEDDLE_NCD_MAX_BYTES (32 * 1024 * 1024)
#define HEDDLE_NCD_MAX_ELEMENTS 1000000
#define HEDDLE_NCD_MAX_ID 256

/* A comment has a part above its statement and one behind it, kept in one string with this mark between. */
#define HEDDLE_COMMENT_MARK '\f'

/* A file being read. */
typedef struct
{
  const char *file_name;
  const char *text;
  gsize length;
  GPtrArray *problems;
  guint errors;
  gboolean newer_major; /* what is not known is passed over */
  HeddleSnapshot *snapshot;
  HeddleDiagram *diagram; /* the one at hand */
  GHashTable *lines; /* object id -> xmlNode, of the diagram at hand */
} HeddleNcdReader;

/* One attribute an element may have. */
typedef struct
{
  const char *name;
  gboolean required;
} HeddleNcdAttribute;

/* The tree of a file that is not trusted: UTF-8, no document type, bounded in size, depth and count; %NULL: reported. */
xmlDoc *heddle_ncd_parse (HeddleNcdReader *self);
void heddle_ncd_report (HeddleNcdReader *self, xmlNode *node, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* The same of what is only left out: the file is read. */
void heddle_ncd_warn (HeddleNcdReader *self, xmlNode *node, const char *format, ...) G_GNUC_PRINTF (3, 4);
gboolean heddle_ncd_is (const xmlNode *node, const char *name);
/* Fills @values (one per row, NULL where absent; free with g_free); reports what is missing or unknown. */
gboolean heddle_ncd_attributes (HeddleNcdReader *self, xmlNode *node, const HeddleNcdAttribute *attributes,
    guint n_attributes, char **values);
/* A child that is not known here: kept when it is an extension, reported otherwise. */
void heddle_ncd_other_child (HeddleNcdReader *self, xmlNode *child, const char *parent);
const char *heddle_ncd_id (HeddleNcdReader *self, xmlNode *node, const char *text);
GArray *heddle_ncd_ids (HeddleNcdReader *self, xmlNode *node, const char *text);
gboolean heddle_ncd_number (
    HeddleNcdReader *self, xmlNode *node, const char *name, const char *text, double *value);
gboolean heddle_ncd_whole (
    HeddleNcdReader *self, xmlNode *node, const char *name, const char *text, gint64 *value);
char *heddle_ncd_text (xmlNode *node);

/* ncd-read-meaning.c: what may stand in an attribute of the diagram at hand; what is not is reported. */
HeddleExpr *heddle_ncd_expr (HeddleNcdReader *self, xmlNode *node, const char *attribute, const char *text);
/* An id not yet taken in the diagram, or %NULL. */
const char *heddle_ncd_new_id (HeddleNcdReader *self, xmlNode *node, const char *text);
gboolean heddle_ncd_are_axes (HeddleNcdReader *self, xmlNode *node, const GArray *ids);
gboolean heddle_ncd_are_values (HeddleNcdReader *self, xmlNode *node, const GArray *ids);
void heddle_ncd_read_operation (HeddleNcdReader *self, xmlNode *node);

void heddle_ncd_read_diagram (HeddleNcdReader *self, xmlNode *node);
void heddle_ncd_read_schedule (HeddleNcdReader *self, xmlNode *node);
/* ncd-ornament.c: whether it is one; and all of a presentation. */
gboolean heddle_ncd_read_ornament (HeddleNcdReader *self, xmlNode *node, HeddlePresentation *presentation);
int heddle_ncd_word (HeddleNcdReader *self, xmlNode *node, const char *name, const char *text,
    const char *first, const char *second);
void heddle_ncd_read_presentation (HeddleNcdReader *self, xmlNode *node);

/* Free with g_free/g_strfreev style: clears @n strings of an array filled above. */
void heddle_ncd_clear_values (char **values, guint n);
