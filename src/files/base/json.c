/* SPDX-License-Identifier: MIT */
#include "diagram/base/quote.h"
#include "files/base/json.h"

#include <math.h>
#include <string.h>

/* The number beyond which not every whole number is a double. */
#define LARGEST_WHOLE 9007199254740992.

void
heddle_json_text (JsonBuilder *self, const char *name, const char *value)
{
  json_builder_set_member_name (self, name);
  if (value != NULL)
    json_builder_add_string_value (self, value);
  else
    json_builder_add_null_value (self);
}

void
heddle_json_int (JsonBuilder *self, const char *name, gint64 value)
{
  json_builder_set_member_name (self, name);
  json_builder_add_int_value (self, value);
}

/* Returns a number that json-glib can write: up to 1.8 it writes 1e-10 as "1e-10.0", which is no JSON, while
 * the next number has more digits. */
static double
printable (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_dtostr (text, sizeof text, value);
  return strchr (text, 'e') != NULL && strchr (text, '.') == NULL ? nextafter (value, INFINITY) : value;
}

/* Adds a number to the array being built, unrounded, a whole one without a point. JSON has no NaN or
 * infinity: they become null. */
static void
json_number (JsonBuilder *self, double value)
{
  if (!isfinite (value))
    json_builder_add_null_value (self);
  else if (value == floor (value) && fabs (value) <= LARGEST_WHOLE)
    json_builder_add_int_value (self, (gint64) value);
  else
    json_builder_add_double_value (self, printable (value));
}

void
heddle_json_double (JsonBuilder *self, const char *name, double value)
{
  json_builder_set_member_name (self, name);
  json_number (self, value);
}

void
heddle_json_bool (JsonBuilder *self, const char *name, gboolean value)
{
  json_builder_set_member_name (self, name);
  json_builder_add_boolean_value (self, value);
}

void
heddle_json_begin_object (JsonBuilder *self, const char *name)
{
  if (name != NULL)
    json_builder_set_member_name (self, name);
  json_builder_begin_object (self);
}

void
heddle_json_begin_array (JsonBuilder *self, const char *name)
{
  if (name != NULL)
    json_builder_set_member_name (self, name);
  json_builder_begin_array (self);
}

gboolean
heddle_json_is_shallow (const char *text, gsize length, guint deepest)
{
  gboolean quoted = FALSE;
  guint depth = 0;

  for (gsize i = 0; i < length; i++)
    if (text[i] == '\\' && quoted)
      i++;
    else if (text[i] == '"')
      quoted = !quoted;
    else if (!quoted && (text[i] == '[' || text[i] == '{'))
      {
        if (++depth > deepest)
          return FALSE;
      }
    else if (!quoted && (text[i] == ']' || text[i] == '}'))
      depth -= depth > 0;
  return TRUE;
}

char *
heddle_json_to_text (JsonBuilder *self)
{
  g_autoptr (JsonNode) root = json_builder_get_root (self);
  g_autofree char *text = json_to_string (root, TRUE);

  return heddle_quote_visible (text, TRUE);
}
