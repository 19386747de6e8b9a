/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "target.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A driver for machines without libFuzzer: it runs every file of the folders that it is given, and then mutants of them, the same ones
 * from the same seed. What ends it is left in the file "crash". */

#define MOST_SECONDS 5 /* for one input; the sanitizers take several times as long */
#define MOST_BYTES (64 * 1024)

static GByteArray *current; /* the input at hand */

static GPtrArray *
read_seeds (const char *const *folders)
{
  GPtrArray *seeds = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);

  for (; *folders != NULL; folders++)
    {
      g_autoptr (GDir) dir = g_dir_open (*folders, 0, NULL);
      const char *name;

      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        {
          g_autofree char *path = g_build_filename (*folders, name, NULL);
          gsize length;
          char *data;

          if (g_file_get_contents (path, &data, &length, NULL))
            g_ptr_array_add (seeds, g_bytes_new_take (data, length));
        }
    }
  return seeds;
}

/* What a program that must end right now may still do. */
static void
leave_input (int number)
{
  FILE *file = fopen ("crash", "wb");

  if (file != NULL)
    {
      fwrite (current->data, 1, current->len, file);
      fclose (file);
    }
  fprintf (stderr, "ended by signal %d; the input is in the file crash\n", number);
  signal (number, SIG_DFL);
  raise (number);
}

static void
run (void)
{
  alarm (MOST_SECONDS * 4);
  LLVMFuzzerTestOneInput (current->data, current->len);
  alarm (0);
}

/* A piece of another seed in the place of a piece of this one. */
static void
splice (GPtrArray *seeds, GRand *rand)
{
  GBytes *other = g_ptr_array_index (seeds, g_rand_int_range (rand, 0, (gint32) seeds->len));
  gsize length;
  const guint8 *data = g_bytes_get_data (other, &length);
  const guint at = (guint) g_rand_int_range (rand, 0, (gint32) current->len);
  guint from, n;

  if (length == 0)
    return;
  from = (guint) g_rand_int_range (rand, 0, (gint32) length);
  n = (guint) g_rand_int_range (rand, 1, 128);
  n = MIN (n, MIN ((guint) length - from, current->len - at));
  memcpy (current->data + at, data + from, n);
}

static void
mutate_once (GPtrArray *seeds, GRand *rand)
{
  static const char telling[] = "\0\x01\x7f\x80\xff\"'<>&;,=:[]()-.09eE\n\\_^{}";
  const guint at = (guint) g_rand_int_range (rand, 0, (gint32) current->len);
  const guint wanted = (guint) g_rand_int_range (rand, 1, 64), n = MIN (wanted, current->len - at);
  g_autofree guint8 *piece = g_memdup2 (current->data + at, n);

  switch (g_rand_int_range (rand, 0, 6))
    {
    case 0:
      current->data[at] = (guint8) g_rand_int_range (rand, 0, 256);
      break;
    case 1:
      current->data[at] = (guint8) telling[g_rand_int_range (rand, 0, sizeof telling)];
      break;
    case 2:
      g_byte_array_remove_range (current, at, n);
      break;
    case 3:
      g_byte_array_append (current, piece, n);
      break;
    case 4:
      memcpy (current->data + g_rand_int_range (rand, 0, (gint32) (current->len - n + 1)), piece, n);
      break;
    default:
      splice (seeds, rand);
    }
}

static void
take (GBytes *seed)
{
  g_byte_array_set_size (current, 0);
  g_byte_array_append (current, g_bytes_get_data (seed, NULL), (guint) g_bytes_get_size (seed));
}

static void
run_mutant (GPtrArray *seeds, GRand *rand)
{
  take (g_ptr_array_index (seeds, g_rand_int_range (rand, 0, (gint32) seeds->len)));
  for (guint n = (guint) g_rand_int_range (rand, 1, 8); n > 0 && current->len > 0; n--)
    mutate_once (seeds, rand);
  if (current->len > MOST_BYTES)
    g_byte_array_set_size (current, MOST_BYTES);
  run ();
}

/* fuzz MUTANTS SEED SECONDS FOLDER…: ends after so many mutants, or so many seconds, whichever comes first; 0: no such bound. */
int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) seeds = NULL;
  g_autoptr (GRand) rand = NULL;
  guint64 mutants, done = 0;
  gint64 end;

  LLVMFuzzerInitialize (&argc, &argv);
  if (argc < 5)
    {
      fprintf (stderr, "usage: fuzz MUTANTS SEED SECONDS FOLDER…\n");
      return 2;
    }
  mutants = g_ascii_strtoull (argv[1], NULL, 10);
  rand = g_rand_new_with_seed ((guint32) g_ascii_strtoull (argv[2], NULL, 10));
  end = g_get_monotonic_time () + (gint64) (g_ascii_strtod (argv[3], NULL) * G_USEC_PER_SEC);
  seeds = read_seeds ((const char *const *) argv + 4);
  current = g_byte_array_new ();
  for (guint i = 0; i < 5; i++)
    signal ((int[]){ SIGSEGV, SIGABRT, SIGTRAP, SIGFPE, SIGALRM }[i], leave_input);
  for (guint i = 0; i < seeds->len; i++)
    {
      take (g_ptr_array_index (seeds, i));
      run ();
    }
  while (seeds->len > 0 && (mutants == 0 || done < mutants)
         && (g_str_equal (argv[3], "0") || g_get_monotonic_time () < end))
    {
      run_mutant (seeds, rand);
      done++;
    }
  printf ("%u seeds and %" G_GUINT64_FORMAT " mutants\n", seeds->len, done);
  g_byte_array_unref (current);
  return seeds->len > 0 ? 0 : 1;
}
