/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Members of the object being built. Numbers are written unrounded, whole ones without a point; JSON has no NaN or infinity: null. */
void heddle_json_text (JsonBuilder *self, const char *name, const char *value); /* NULL: null */
void heddle_json_int (JsonBuilder *self, const char *name, gint64 value);
void heddle_json_double (JsonBuilder *self, const char *name, double value);
void heddle_json_number (JsonBuilder *self, double value); /* of an array */
void heddle_json_bool (JsonBuilder *self, const char *name, gboolean value);
void heddle_json_begin_object (JsonBuilder *self, const char *name); /* NULL: of an array, or the whole */
void heddle_json_begin_array (JsonBuilder *self, const char *name);
/* The object that was built. Newly allocated. */
char *heddle_json_to_text (JsonBuilder *self);

G_END_DECLS
