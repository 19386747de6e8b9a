/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "target.h"

#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>

static const FuzzTarget *target;
static char *folder, *path; /* of the input's file */

void
target_fail (const char *promise, const char *first, const char *second)
{
  fprintf (stderr, "BROKEN PROMISE: %s\n", promise);
  if (first != NULL)
    fprintf (stderr, "--- first\n%s\n", first);
  if (second != NULL)
    fprintf (stderr, "--- second\n%s\n", second);
  abort ();
}

static const FuzzTarget *const all[] = { targets_document, targets_model, targets_table, targets_ptx };

const FuzzTarget *
target_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    for (const FuzzTarget *row = all[i]; row->name != NULL; row++)
      if (g_str_equal (row->name, name))
        return row;
  return NULL;
}

const FuzzTarget *
target_choose (const char *program)
{
  g_autofree char *base = g_path_get_basename (program);
  const char *name = g_getenv ("HEDDLE_FUZZ_TARGET");
  const FuzzTarget *found;

  if (name == NULL && g_str_has_prefix (base, "fuzz-"))
    name = base + strlen ("fuzz-");
  found = name != NULL ? target_find (name) : NULL;
  if (found != NULL)
    return found;
  fprintf (stderr, "HEDDLE_FUZZ_TARGET has to be one of");
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    for (const FuzzTarget *row = all[i]; row->name != NULL; row++)
      fprintf (stderr, " %s", row->name);
  fprintf (stderr, "\n");
  exit (2);
}

/* Where the program was taken elsewhere without the sources, their data lie beside it. */
static void
find_data (const char *program)
{
  g_autofree char *beside = g_path_get_dirname (program), *data = g_build_filename (beside, "data", NULL);

  if (g_file_test (data, G_FILE_TEST_IS_DIR))
    g_setenv ("HEDDLE_DATADIR", data, FALSE);
}

static void
remove_file (void)
{
  g_unlink (path);
  g_rmdir (folder);
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING);
  target = target_choose ((*argv)[0]);
  find_data ((*argv)[0]);
  if (target->suffix == NULL)
    return 0;
  folder = g_dir_make_tmp ("heddle-fuzz-XXXXXX", NULL);
  path = g_strdup_printf ("%s/input.%s", folder, target->suffix);
  atexit (remove_file);
  return 0;
}

/* Makes the file anew: some file systems write one that is made shorter to the disk at once, which takes many times
 * as long as reading it. */
static void
put (const uint8_t *data, size_t size)
{
  int fd;

  g_unlink (path);
  fd = g_open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0 || write (fd, data, size) != (gssize) size)
    g_error ("%s could not be written", path);
  close (fd);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  char *copy = malloc (size + 1); /* of its very length, so that a sanitizer sees a read behind it */

  memcpy (copy, data, size);
  copy[size] = 0;
  if (target->suffix != NULL)
    put (data, size);
  target->run (copy, size, path);
  free (copy);
  return 0;
}
