/* SPDX-License-Identifier: MIT */
#pragma once

#include <libxml/tree.h>
#include "files/ncd/private.h"

G_BEGIN_DECLS

void heddle_ncd_report (HeddleNcdReader *self, xmlNode *node, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* The same of what is only left out: the file is read. */
void heddle_ncd_warn (HeddleNcdReader *self, xmlNode *node, const char *format, ...) G_GNUC_PRINTF (3, 4);
gboolean heddle_ncd_is (const xmlNode *node, const char *name);
/* Free with g_free/g_strfreev style: clears @n strings of an array filled above. */
void heddle_ncd_clear_values (char **values, guint n);
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
/* The tree of a file that is not trusted: UTF-8, no document type, bounded in size, depth and count; %NULL: reported. */
xmlDoc *heddle_ncd_parse (HeddleNcdReader *self);

G_END_DECLS
