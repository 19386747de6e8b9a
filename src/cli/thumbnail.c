/* SPDX-License-Identifier: MIT */
#include <sys/resource.h>

#include <glib/gi18n.h>

#include "cli/command.h"
#include "cli/input.h"
#include "cli/options.h"
#include "files/base/files.h"
#include "files/exchange/export.h"

#define POINTS_PER_INCH 72.
#define LEAST_SIZE 1
#define MOST_SIZE 4096
/* A file manager goes through whole folders, of strangers too: what takes longer has no picture. */
#define MOST_SECONDS 20
#define MOST_BYTES (512 * 1024 * 1024)

static HeddleExit
fail (const char *path, GError *error)
{
  HeddleExit status = heddle_input_failed (path, error);

  g_error_free (error);
  return status;
}

/* Draws the picture with a longer side of @size px. */
static HeddleExit
draw (const HeddleInput *input, const char *output, gint64 size)
{
  HeddleExportOptions options
      = { .diagram = input->diagram->name, .sizes = input->overrides, .no_source = TRUE };
  GError *error = NULL;
  g_autoptr (HeddleProof) proof = heddle_export_proof (input->snapshot, &options, NULL, &error);
  g_autoptr (GBytes) bytes = NULL;
  const char *data;
  gsize length;

  if (proof == NULL)
    return fail (input->path, error);
  options.dpi = size * POINTS_PER_INCH / MAX (proof->width_pt, proof->height_pt);
  bytes = heddle_export (input->snapshot, "thumbnail.png", &options, NULL, &error);
  if (bytes == NULL)
    return fail (input->path, error);
  data = g_bytes_get_data (bytes, &length);
  return heddle_output_save (output, data, length);
}

static void
set_limits (void)
{
  setrlimit (RLIMIT_CPU, &(struct rlimit){ MOST_SECONDS, MOST_SECONDS });
#ifndef __SANITIZE_ADDRESS__ /* whose shadow is larger than any memory */
  setrlimit (RLIMIT_DATA, &(struct rlimit){ MOST_BYTES, MOST_BYTES });
#endif
}

static HeddleExit
run (int argc, char **argv)
{
  g_auto (HeddleOptions) options = { NULL };
  g_auto (HeddleInput) input = { NULL };
  HeddleExit status;
  gint64 size;

  if (!heddle_options_parse (
          &options, _ ("FILE OUT.png SIZE"), heddle_command_thumbnail.summary, NULL, argc, argv, &status))
    return status;
  if (options.files == NULL || g_strv_length (options.files) != 3)
    return heddle_options_misused (&options, _ ("a file, a picture and its size are needed"));
  if (!g_ascii_string_to_signed (options.files[2], 10, LEAST_SIZE, MOST_SIZE, &size, NULL))
    return heddle_options_misused (
        &options, _ ("%s: expected a size in pixels, 1 to %d"), options.files[2], MOST_SIZE);
  set_limits ();
  if (!heddle_input_open (&input, &options, options.files[0], &status))
    return status;
  return draw (&input, options.files[1], size);
}

const HeddleCommand heddle_command_thumbnail = {
  .name = "thumbnail",
  .summary = N_ ("Draw a small picture of a file, for file managers"),
  .run = run,
};
