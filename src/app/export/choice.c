/* SPDX-License-Identifier: MIT */

#include <gio/gio.h>

#include "app/export/choice.h"
#include "app/widgets/settings.h"
#include "derive/report/roofline.h"
#include "files/exchange/export.h"
#include "files/picture/venue.h"

#define INCH 72.
#define DEFAULT_DPI 192.

/* These are the words of the command line, by the number of what they choose. */
static const char *const width_words[] = { "natural", "venue", "custom" };
static const char *const wrap_words[] = { "document", "none", "custom" };
static const char *const picture_words[] = { "diagram", "roofline", "costs", "expanded", "steps" };
static const char *const show_words[] = { "", "labels", "columns", "labels,columns",
  "labels,columns,roofline", "labels,columns,steps", "labels,columns,roofline,steps" };

static const struct
{
  HeddleTheme theme;
  const char *word;
} themes[] = { { HEDDLE_THEME_PAPER, "paper" }, { HEDDLE_THEME_LIGHT, "light" },
  { HEDDLE_THEME_DARK, "dark" }, { HEDDLE_THEME_CONTRAST, "contrast" } };

#define BOTH (HEDDLE_SHOW_LABELS | HEDDLE_SHOW_COLUMNS)
const HeddleShow heddle_export_shows[HEDDLE_N_EXPORT_SHOWS]
    = { 0, HEDDLE_SHOW_LABELS, HEDDLE_SHOW_COLUMNS, BOTH, BOTH | HEDDLE_SHOW_ROOFLINE,
        BOTH | HEDDLE_SHOW_STEPS, BOTH | HEDDLE_SHOW_ROOFLINE | HEDDLE_SHOW_STEPS };

void
heddle_export_choice_free (HeddleExportChoice *self)
{
  g_free (self->suffix);
  g_free (self->venue);
  g_free (self);
}

HeddleExportChoice *
heddle_export_choice_copy (const HeddleExportChoice *self)
{
  HeddleExportChoice *copy = g_memdup2 (self, sizeof *self);

  copy->suffix = g_strdup (self->suffix);
  copy->venue = g_strdup (self->venue);
  return copy;
}

/* --- settings --- */

static guint
number_of (const char *word, const char *const *words, guint n)
{
  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (word, words[i]) == 0)
      return i;
  return 0;
}

static guint
load_word (GSettings *settings, const char *key, const char *const *words, guint n)
{
  g_autofree char *word = g_settings_get_string (settings, key);

  return number_of (word, words, n);
}

static HeddleTheme
load_theme (GSettings *settings)
{
  g_autofree char *word = g_settings_get_string (settings, "export-theme");

  for (guint i = 0; i < G_N_ELEMENTS (themes); i++)
    if (g_str_equal (themes[i].word, word))
      return themes[i].theme;
  return HEDDLE_THEME_PAPER;
}

static void
load_from (HeddleExportChoice *self, GSettings *settings)
{
  g_free (self->suffix);
  self->suffix = g_settings_get_string (settings, "export-format");
  self->width = load_word (settings, "export-width", width_words, G_N_ELEMENTS (width_words));
  self->venue = g_settings_get_string (settings, "export-venue");
  self->width_in = g_settings_get_double (settings, "export-width-inches");
  self->wrap = load_word (settings, "export-wrap", wrap_words, G_N_ELEMENTS (wrap_words));
  self->wrap_in = g_settings_get_double (settings, "export-wrap-inches");
  self->picture = load_word (settings, "export-picture", picture_words, G_N_ELEMENTS (picture_words));
  self->show
      = heddle_export_shows[load_word (settings, "export-show", show_words, G_N_ELEMENTS (show_words))];
  self->theme = load_theme (settings);
  self->dpi = g_settings_get_double (settings, "export-dpi");
  self->definitions = g_settings_get_boolean (settings, "export-definitions");
  self->legend = g_settings_get_boolean (settings, "export-legend");
  self->outlines = g_settings_get_boolean (settings, "export-outlines");
  self->overlay = g_settings_get_boolean (settings, "export-overlay");
  self->no_source = !g_settings_get_boolean (settings, "export-source");
}

HeddleExportChoice *
heddle_export_choice_load (void)
{
  GSettings *settings = heddle_settings_get ();
  HeddleExportChoice *self = g_new0 (HeddleExportChoice, 1);

  *self = (HeddleExportChoice){ .suffix = g_strdup (".svg"),
    .width_in = 5.5,
    .wrap_in = 5.5,
    .theme = HEDDLE_THEME_PAPER,
    .dpi = DEFAULT_DPI };
  if (settings != NULL)
    load_from (self, settings);
  if (self->width == HEDDLE_WIDTH_VENUE
      && (self->venue == NULL || heddle_venue_get_width (self->venue) == 0.))
    self->width = HEDDLE_WIDTH_NATURAL;
  return self;
}

static const char *
theme_word (HeddleTheme theme)
{
  for (guint i = 0; i < G_N_ELEMENTS (themes); i++)
    if (themes[i].theme == theme)
      return themes[i].word;
  return themes[0].word;
}

static const char *
show_word (HeddleShow show)
{
  for (guint i = 0; i < HEDDLE_N_EXPORT_SHOWS; i++)
    if (heddle_export_shows[i] == show)
      return show_words[i];
  return show_words[0];
}

void
heddle_export_choice_save (const HeddleExportChoice *self)
{
  GSettings *settings = heddle_settings_get ();

  if (settings == NULL)
    return;
  g_settings_set_string (settings, "export-format", self->suffix);
  g_settings_set_string (settings, "export-width", width_words[self->width]);
  g_settings_set_string (settings, "export-venue", self->venue != NULL ? self->venue : "");
  g_settings_set_double (settings, "export-width-inches", self->width_in);
  g_settings_set_string (settings, "export-wrap", wrap_words[self->wrap]);
  g_settings_set_double (settings, "export-wrap-inches", self->wrap_in);
  g_settings_set_string (settings, "export-picture", picture_words[self->picture]);
  g_settings_set_string (settings, "export-show", show_word (self->show));
  g_settings_set_string (settings, "export-theme", theme_word (self->theme));
  g_settings_set_double (settings, "export-dpi", self->dpi);
  g_settings_set_boolean (settings, "export-definitions", self->definitions);
  g_settings_set_boolean (settings, "export-legend", self->legend);
  g_settings_set_boolean (settings, "export-outlines", self->outlines);
  g_settings_set_boolean (settings, "export-overlay", self->overlay);
  g_settings_set_boolean (settings, "export-source", !self->no_source);
}

/* --- what it means --- */

HeddleExportOptions
heddle_export_choice_options (
    const HeddleExportChoice *self, const char *diagram, const char *gpu, HeddleDtype dtype)
{
  const gboolean figure = heddle_export_is_figure (self->suffix);
  HeddleExportOptions options = { .diagram = diagram, .gpu = gpu, .dtype = dtype, .seed = 1 };

  if (!figure)
    return options;
  options.picture = self->picture;
  options.theme = self->theme;
  options.definitions = self->definitions;
  options.legend = self->legend;
  options.no_source = self->no_source;
  options.overlay = self->overlay && g_str_equal (self->suffix, ".pdf");
  options.outlines = self->outlines && !options.overlay;
  options.show = self->show;
  options.show_given = self->show != 0;
  options.pages = g_str_equal (self->suffix, ".pdf");
  if (g_str_equal (self->suffix, ".png"))
    options.dpi = self->dpi;
  if (self->width == HEDDLE_WIDTH_VENUE)
    options.width_pt = options.most_pt = heddle_venue_get_width (self->venue);
  else if (self->width == HEDDLE_WIDTH_CUSTOM)
    options.width_pt = self->width_in * INCH;
  if (self->wrap != HEDDLE_WRAP_DOCUMENT)
    options.wrap_pt = self->wrap == HEDDLE_WRAP_NONE ? -1. : self->wrap_in * INCH;
  return options;
}

static void
append (GString *command, const char *option, const char *value)
{
  g_autofree char *quoted = value != NULL ? g_shell_quote (value) : NULL;
  const gboolean plain
      = value != NULL
        && strspn (value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,")
               == strlen (value);

  g_string_append_printf (command, " %s", option);
  if (value != NULL)
    g_string_append_printf (command, "%s%s", *option != '\0' ? " " : "", plain ? value : quoted);
}

/* Only what is not so by itself: the line is read by a person. */
static void
append_number (GString *command, const char *option, double value, const char *unit)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *text = g_strconcat (g_ascii_formatd (buffer, sizeof buffer, "%.10g", value), unit, NULL);

  append (command, option, text);
}

static void
append_figure (GString *command, const HeddleExportChoice *self)
{
  if (self->picture != HEDDLE_EXPORT_DIAGRAM)
    {
      g_autofree char *option = g_strconcat ("--", picture_words[self->picture], NULL);

      append (command, option, NULL);
    }
  if (self->width == HEDDLE_WIDTH_VENUE)
    append (command, "--venue", self->venue);
  else if (self->width == HEDDLE_WIDTH_CUSTOM)
    append_number (command, "--width", self->width_in, "in");
  if (self->wrap == HEDDLE_WRAP_NONE)
    append (command, "--wrap", "none");
  else if (self->wrap == HEDDLE_WRAP_CUSTOM)
    append_number (command, "--wrap", self->wrap_in, "in");
  if (self->theme != HEDDLE_THEME_PAPER)
    append (command, "--theme", theme_word (self->theme));
  if (self->show != 0)
    append (command, "--show", show_word (self->show));
  if (g_str_equal (self->suffix, ".png") && self->dpi != DEFAULT_DPI)
    append_number (command, "--dpi", self->dpi, "");
  if (self->definitions)
    append (command, "--definitions", NULL);
  if (self->legend)
    append (command, "--legend", NULL);
  if (self->overlay && g_str_equal (self->suffix, ".pdf"))
    append (command, "--text", "tex");
  else if (self->outlines)
    append (command, "--text", "outline");
  if (self->no_source)
    append (command, "--no-source", NULL);
}

char *
heddle_export_choice_command (
    const HeddleExportChoice *self, const HeddleExportOptions *options, const char *input, const char *output)
{
  g_autoptr (GString) command = g_string_new ("heddle export");

  append (command, "", input);
  append (command, "-o", output);
  if (options->diagram != NULL)
    append (command, "--diagram", options->diagram);
  if (options->gpu != NULL)
    append (command, "--gpu", options->gpu);
  if (options->dtype != HEDDLE_DTYPE_UNSET)
    append (command, "--dtype", heddle_dtype_to_string (options->dtype));
  if (heddle_export_is_figure (self->suffix))
    append_figure (command, self);
  for (guint i = 0; options->measured != NULL && i < options->measured->len; i++)
    {
      const HeddleBenchResult *one = g_ptr_array_index (options->measured, i);

      if (one->path != NULL)
        append (command, "--measured", one->path);
    }
  return g_string_free (g_steal_pointer (&command), FALSE);
}
