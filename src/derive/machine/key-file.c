/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/machine/key-file.h"
#include "derive/machine/machine.h"
#include "diagram/base/texts.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define MAX_FILE_BYTES (64 * 1024)

/* --- places ------------------------------------------------------------------------------- */

static gboolean
is_header (const char *line, const char *group)
{
  gsize length = strlen (group);

  return line[0] == '[' && strncmp (line + 1, group, length) == 0 && line[1 + length] == ']';
}

static gboolean
is_key (const char *line, const char *key)
{
  gsize length = strlen (key);

  return strncmp (line, key, length) == 0 && line[length + strspn (line + length, " \t")] == '=';
}

/* Returns the line of a key, or of its group; line 1 if neither is there. GKeyFile takes the last of a key
 * that is there twice. */
static guint
line_of (const HeddleKeyFile *self, const char *group, const char *key)
{
  g_auto (GStrv) lines = g_strsplit (self->text, "\n", -1);
  gboolean inside = FALSE;
  guint found = 1;

  for (guint i = 0; lines[i] != NULL; i++)
    if (lines[i][0] == '[')
      {
        inside = is_header (lines[i], group);
        found = inside ? i + 1 : found;
      }
    else if (inside && key != NULL && is_key (lines[i], key))
      found = i + 1;
  return found;
}

/* Returns the first line that a key file cannot have: GKeyFile does not say which it is. */
static guint
line_of_nonsense (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      const char *line = g_strstrip (lines[i]);
      gboolean header = line[0] == '[' && g_str_has_suffix (line, "]");

      if (line[0] != '\0' && line[0] != '#' && !header && strchr (line, '=') == NULL)
        return i + 1;
    }
  return 1;
}

void
heddle_key_file_fail (HeddleKeyFile *self, const char *group, const char *key, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  if (self->error != NULL)
    return;
  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  self->error = g_error_new (HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE, "%s:%u: [%s]%s%s: %s",
      self->path, line_of (self, group, key), group, key != NULL ? " " : "", key != NULL ? key : "", message);
}

void
heddle_key_file_check_keys (
    HeddleKeyFile *self, const char *group, const char *const *known, const char *problem)
{
  g_auto (GStrv) keys = g_key_file_get_keys (self->file, group, NULL, NULL);

  for (char **key = keys; key != NULL && *key != NULL; key++)
    if (!g_strv_contains (known, *key))
      heddle_key_file_fail (self, group, *key, "%s", problem);
}

/* Returns whether the text fits in one line, as terminals and comments of code show it. */
static gboolean
is_one_line (const char *text)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    {
      gunichar c = g_utf8_get_char (text);

      if (g_unichar_iscntrl (c) || c == 0x2028 || c == 0x2029)
        return FALSE;
    }
  return TRUE;
}

/* Returns the first backslash that begins no escape; NULL if each does. */
static char *
find_bad_escape (char *text)
{
  for (; (text = strchr (text, '\\')) != NULL; text += 2)
    if (text[1] == '\0' || strchr ("sntr\\", text[1]) == NULL)
      return text;
  return NULL;
}

/* Returns the text of a key. GLib reports one error for each bad backslash, the second over the first, so it
 * is given the first alone. A text that is not UTF-8, in which no character ends for certain, GLib refuses by
 * itself. */
static char *
get_string (HeddleKeyFile *self, const char *group, const char *key, GError **error)
{
  g_autofree char *raw = g_key_file_get_value (self->file, group, key, error);
  char *bad = raw != NULL && g_utf8_validate (raw, -1, NULL) ? find_bad_escape (raw) : NULL;

  if (raw == NULL)
    return NULL;
  if (bad != NULL)
    {
      if (bad[1] != '\0')
        *g_utf8_next_char (bad + 1) = '\0';
      g_key_file_set_value (self->file, group, key, raw);
    }
  return g_key_file_get_string (self->file, group, key, error);
}

/* --- values ------------------------------------------------------------------------------- */

char *
heddle_key_file_get_text (HeddleKeyFile *self, const char *group, const char *key, gboolean required)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (self->error != NULL)
    return NULL;
  text = get_string (self, group, key, &error);
  if (g_error_matches (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_INVALID_VALUE))
    {
      heddle_key_file_fail (self, group, key, "%s", error->message);
      return NULL;
    }
  if (text != NULL && !is_one_line (text))
    {
      heddle_key_file_fail (self, group, key, "%s",
          _ ("has a control character, such as the end of a line: write it as one line of text"));
      return NULL;
    }
  if (text != NULL && text[0] != '\0')
    return g_steal_pointer (&text);
  if (error != NULL && !g_error_matches (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_KEY_NOT_FOUND)
      && !g_error_matches (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_GROUP_NOT_FOUND))
    heddle_key_file_fail (self, group, key, "%s", error->message);
  else if (required)
    heddle_key_file_fail (self, group, key, "%s", _ ("is missing"));
  return NULL;
}

char **
heddle_key_file_get_list (HeddleKeyFile *self, const char *group, const char *key, gboolean required)
{
  /* What is wrong with the text is wrong with the list, and GLib would report it more than once. */
  g_autofree char *text = heddle_key_file_get_text (self, group, key, required);

  return text != NULL ? g_key_file_get_string_list (self->file, group, key, NULL, NULL) : NULL;
}

double
heddle_key_file_get_number (
    HeddleKeyFile *self, const char *group, const char *key, gboolean required, double least, double most)
{
  g_autofree char *text = heddle_key_file_get_text (self, group, key, required);
  double value;
  char *end;

  if (text == NULL)
    return 0.;
  value = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0' || !isfinite (value))
    heddle_key_file_fail (self, group, key, _ ("“%s” is not a number"), text);
  else if (value < least || value > most)
    heddle_key_file_fail (self, group, key, _ ("%s is not from %g to %g"), text, least, most);
  return self->error == NULL ? value : 0.;
}

gint64
heddle_key_file_get_whole (
    HeddleKeyFile *self, const char *group, const char *key, gboolean required, double most)
{
  double value = heddle_key_file_get_number (self, group, key, required, 0., most);

  if (value != floor (value))
    heddle_key_file_fail (self, group, key, _ ("%g is not a whole number"), value);
  return (gint64) value;
}

gboolean
heddle_key_file_get_flag (HeddleKeyFile *self, const char *group, const char *key)
{
  g_autofree char *text = heddle_key_file_get_text (self, group, key, FALSE);

  if (text == NULL || g_str_equal (text, "false"))
    return FALSE;
  if (!g_str_equal (text, "true"))
    heddle_key_file_fail (self, group, key, _ ("“%s” is neither true nor false"), text);
  return TRUE;
}

/* --- files -------------------------------------------------------------------------------- */

static char *
read_bounded (const char *path, gsize *length, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = NULL;
  g_autofree char *text = g_malloc0 (MAX_FILE_BYTES + 2);
  g_autoptr (GError) reason = NULL;

  if (g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    reason
        = g_error_new_literal (HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE, _ ("is not a regular file"));
  else if ((stream = g_file_read (file, NULL, &reason)) != NULL
           && g_input_stream_read_all (
               G_INPUT_STREAM (stream), text, MAX_FILE_BYTES + 1, length, NULL, &reason)
           && *length > MAX_FILE_BYTES)
    reason = g_error_new (HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE,
        _ ("is longer than the %d bytes such a file may have"), MAX_FILE_BYTES);
  if (reason == NULL)
    return g_steal_pointer (&text);
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE, "%s: %s", path, reason->message);
  return NULL;
}

HeddleKeyFile *
heddle_key_file_new (const char *path, GError **error)
{
  g_autoptr (HeddleKeyFile) self = g_new0 (HeddleKeyFile, 1);
  g_autoptr (GError) reason = NULL;
  gsize length = 0;

  self->path = g_strdup (path);
  self->file = g_key_file_new ();
  self->text = read_bounded (path, &length, error);
  if (self->text == NULL)
    return NULL;
  if (g_key_file_load_from_data (self->file, self->text, length, G_KEY_FILE_NONE, &reason))
    return g_steal_pointer (&self);
  g_set_error (error, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_MACHINE, "%s:%u: %s", path,
      line_of_nonsense (self->text), reason->message);
  return NULL;
}

void
heddle_key_file_free (HeddleKeyFile *self)
{
  g_free (self->path);
  g_free (self->text);
  g_key_file_unref (self->file);
  g_clear_error (&self->error);
  g_free (self);
}

GPtrArray *
heddle_key_files_in (const char *directory, const char *suffix)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, suffix))
      g_ptr_array_add (paths, g_build_filename (directory, name, NULL));
  g_ptr_array_sort (paths, heddle_texts_compare);
  return paths;
}
