/* SPDX-License-Identifier: MIT */
#pragma once

#include <libxml/tree.h>
#include "files/ncd/private.h"

/* Reports an error at the place of @node, or at no place where it is NULL; the file gives no document then. */
void heddle_ncd_report (HeddleNcdReader *self, xmlNode *node, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Reports a warning at the place of @node: something is left out, and the file is read. */
void heddle_ncd_warn (HeddleNcdReader *self, xmlNode *node, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Returns whether a node is the element @name of the format's own namespace. */
gboolean heddle_ncd_is (const xmlNode *node, const char *name);
/* Frees the @n strings that heddle_ncd_attributes () filled in, but not the array. */
void heddle_ncd_clear_values (char **values, guint n);
/* Fills @values with an element's attributes, one for each row and NULL where absent, to be cleared with
 * heddle_ncd_clear_values () in any case. FALSE means that one is missing or unknown, which was reported. */
gboolean heddle_ncd_attributes (HeddleNcdReader *self, xmlNode *node, const HeddleNcdAttribute *attributes,
    guint n_attributes, char **values);
/* Deals with a child that is not known here: an extension is kept with its @parent, anything else is reported. */
void heddle_ncd_other_child (HeddleNcdReader *self, xmlNode *child, const char *parent);
/* Returns @text as an interned id; NULL means that it has other signs than letters, digits, “_”, “.” and “-”,
 * or too many, which was reported. */
const char *heddle_ncd_id (HeddleNcdReader *self, xmlNode *node, const char *text);
/* Returns the ids in a text that are separated by spaces; wrong ones are reported and left out. NULL has
 * none. The caller owns the array. */
GArray *heddle_ncd_ids (HeddleNcdReader *self, xmlNode *node, const char *text);
/* Reads the finite number that an attribute @name is. FALSE means that it is none, which was reported. */
gboolean heddle_ncd_number (
    HeddleNcdReader *self, xmlNode *node, const char *name, const char *text, double *value);
/* Reads the whole number from 1 to 2^40 that an attribute @name is. FALSE means that it is none, which was
 * reported. */
gboolean heddle_ncd_whole (
    HeddleNcdReader *self, xmlNode *node, const char *name, const char *text, gint64 *value);
/* Returns the text within an element, newly allocated; "" where there is none. */
char *heddle_ncd_text (xmlNode *node);
/* Returns the tree of a file that is not trusted, to be freed with xmlFreeDoc (): UTF-8, no document type,
 * bounded in size, depth and count. NULL means that an error was reported. */
xmlDoc *heddle_ncd_parse (HeddleNcdReader *self);

/* Returns whether the bytes from @p to @end, which need no 0 after them, begin with @prefix. */
gboolean heddle_ncd_starts (const char *p, const char *end, const char *prefix);
