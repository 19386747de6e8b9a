/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include <glib/gi18n.h>

#include "cli/options.h"

HeddleExit
heddle_options_misused (const HeddleOptions *self, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_printerr (_ ("heddle %s: error: %s; see heddle %s --help\n"), self->command, message, self->command);
  return HEDDLE_EXIT_USAGE;
}

char *
heddle_options_split (const char *argument, const char **rest)
{
  const char *sign = strchr (argument, '=');

  if (sign == NULL || sign == argument || sign[1] == '\0')
    return NULL;
  *rest = sign + 1;
  return g_strndup (argument, (gsize) (sign - argument));
}

static gboolean
read_dtypes (HeddleOptions *self, HeddleExit *status)
{
  for (char **name = self->dtype_names; name != NULL && *name != NULL; name++)
    if (!heddle_dtype_from_string (*name, &self->dtype))
      {
        *status = heddle_options_misused (self, _ ("“%s” is not a data type"), *name);
        return FALSE;
      }
  return TRUE;
}

/* --- whole numbers -------------------------------------------------------------------- */

/* A command's options, its whole numbers taken as texts: a number that is not given keeps the default,
 * whatever that is. */
typedef struct
{
  GOptionEntry *entries;
  char **texts; /* per entry; NULL: not given, or no number */
  guint n;
} Numbers;

static void
numbers_clear (Numbers *self)
{
  for (guint i = 0; i < self->n; i++)
    g_free (self->texts[i]);
  g_free (self->texts);
  g_free (self->entries);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Numbers, numbers_clear)

static gboolean
is_number (const GOptionEntry *entry)
{
  return entry->arg == G_OPTION_ARG_INT || entry->arg == G_OPTION_ARG_INT64;
}

static void
numbers_init (Numbers *self, const GOptionEntry *own)
{
  while (own != NULL && own[self->n].long_name != NULL)
    self->n++;
  self->entries = g_new0 (GOptionEntry, self->n + 1);
  self->texts = g_new0 (char *, self->n + 1);
  for (guint i = 0; i < self->n; i++)
    {
      self->entries[i] = own[i];
      if (!is_number (&own[i]))
        continue;
      self->entries[i].arg = G_OPTION_ARG_STRING;
      self->entries[i].arg_data = &self->texts[i];
    }
}

/* Reads the whole numbers into the places that the command gave. */
static gboolean
read_numbers (const HeddleOptions *self, const Numbers *numbers, const GOptionEntry *own, HeddleExit *status)
{
  for (guint i = 0; i < numbers->n; i++)
    {
      gint64 most = own[i].arg == G_OPTION_ARG_INT ? G_MAXINT : G_MAXINT64, number;

      if (numbers->texts[i] == NULL)
        continue;
      if (!g_ascii_string_to_signed (numbers->texts[i], 10, 1, most, &number, NULL))
        {
          *status = heddle_options_misused (self,
              _ ("--%s %s: expected a whole number of at least 1 and at most %" PRId64), own[i].long_name,
              numbers->texts[i], most);
          return FALSE;
        }
      if (own[i].arg == G_OPTION_ARG_INT)
        *(int *) own[i].arg_data = (int) number;
      else
        *(gint64 *) own[i].arg_data = number;
    }
  return TRUE;
}

/* --- all of them ---------------------------------------------------------------------- */

gboolean
heddle_options_parse (HeddleOptions *self, const char *parameters, const char *summary,
    const GOptionEntry *own, int argc, char **argv, HeddleExit *status)
{
  const GOptionEntry common[] = {
    { "diagram", 0, 0, G_OPTION_ARG_STRING, &self->diagram,
        N_ ("The diagram of the file (default: the first)"), N_ ("NAME") },
    { "set", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->set,
        N_ ("The size of an axis (may be given several times)"), N_ ("AXIS=SIZE") },
    { "dtype", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->dtype_names,
        N_ ("The data type of arrays that declare none"), N_ ("TYPE") },
    { "json", 0, 0, G_OPTION_ARG_NONE, &self->json, N_ ("Print one JSON object"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &self->files, NULL, NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (parameters);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) arguments = g_new0 (char *, argc + 1);
  g_autofree char *program = g_strdup_printf ("heddle %s", argv[0]);
  g_auto (Numbers) numbers = { NULL };

  for (int i = 0; i < argc; i++)
    arguments[i] = g_strdup (argv[i]);
  self->command = argv[0];
  *status = HEDDLE_EXIT_DONE;
  g_set_prgname (program);
  g_option_context_set_summary (context, _ (summary));
  numbers_init (&numbers, own);
  g_option_context_add_main_entries (context, numbers.entries, GETTEXT_PACKAGE);
  g_option_context_add_main_entries (context, common, GETTEXT_PACKAGE);
  if (!g_option_context_parse_strv (context, &arguments, &error))
    {
      *status = heddle_options_misused (self, "%s", error->message);
      return FALSE;
    }
  return read_numbers (self, &numbers, own, status) && read_dtypes (self, status);
}

void
heddle_options_clear (HeddleOptions *self)
{
  g_clear_pointer (&self->files, g_strfreev);
  g_clear_pointer (&self->diagram, g_free);
  g_clear_pointer (&self->set, g_strfreev);
  g_clear_pointer (&self->dtype_names, g_strfreev);
}

const char *
heddle_options_get_file (const HeddleOptions *self)
{
  guint n = self->files != NULL ? g_strv_length (self->files) : 0;

  if (n == 1)
    return self->files[0];
  heddle_options_misused (self, n == 0 ? _ ("a file is needed") : _ ("one file at a time"));
  return NULL;
}
