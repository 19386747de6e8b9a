/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

/* Adds a text to the object being built; a NULL @value is written as null. */
void heddle_json_text (JsonBuilder *self, const char *name, const char *value);
/* Adds a whole number to the object being built. */
void heddle_json_int (JsonBuilder *self, const char *name, gint64 value);
/* Adds a number to the object being built, as heddle_json_number () writes it. */
void heddle_json_double (JsonBuilder *self, const char *name, double value);
/* Adds a truth value to the object being built. */
void heddle_json_bool (JsonBuilder *self, const char *name, gboolean value);
/* Begins an object: a member called @name, or with NULL an element of an array or the whole document. */
void heddle_json_begin_object (JsonBuilder *self, const char *name);
/* Begins an array: a member called @name, or with NULL an element of another array. */
void heddle_json_begin_array (JsonBuilder *self, const char *name);
/* Returns what was built as indented text, newly allocated, in which nothing is left that a terminal would
 * obey. */
char *heddle_json_to_text (JsonBuilder *self);
/* Returns whether nothing in @text is nested more than @deepest levels deep. To be asked before strangers'
 * JSON is parsed: json-glib calls itself for each level, until the stack is full. */
gboolean heddle_json_is_shallow (const char *text, gsize length, guint deepest);
