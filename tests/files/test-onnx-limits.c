/* SPDX-License-Identifier: MIT */
#include <locale.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diagram/base/array.h"
#include "diagram/base/problem.h"
#include "diagram/check/snapshot.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "files/ncd/write.h"
#include "files/onnx/import.h"
#include "files/onnx/onnx.h"
#include "files/onnx/safetensors.h"

/* What a model may take: each is imported within 5 s of processor time and 512 MB of addresses, whatever its bytes are. All of Debian's
 * libonnx-testdata, the same with other sizes, and mutants of the models of tests/cli/models; --long tries many more of these. Each part runs in
 * a process of its own, which the system ends where it takes more. What is imported has no errors. */

#define TESTDATA "/usr/share/libonnx-testdata/data"
#define MOST_SECONDS 5
#define MOST_BYTES (512l << 20)

static const char *models; /* the folder */
static gboolean is_long;

/* --- limits --------------------------------------------------------------------------------------- */

/* From now on @MOST_SECONDS more. */
static void
limit_time (void)
{
  struct rusage used;
  struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };

  getrusage (RUSAGE_SELF, &used);
  limit.rlim_cur = (rlim_t) (used.ru_utime.tv_sec + used.ru_stime.tv_sec + MOST_SECONDS + 1);
  g_assert_cmpint (setrlimit (RLIMIT_CPU, &limit), ==, 0);
}

static void
limit_memory (void)
{
#if !defined(__SANITIZE_ADDRESS__) /* which takes terabytes of addresses for itself */
  const struct rlimit limit = { MOST_BYTES, MOST_BYTES };

  g_assert_cmpint (setrlimit (RLIMIT_AS, &limit), ==, 0);
#endif
}

typedef void (*Work) (gpointer data, int progress);

/* @work in a process that is limited; what it wrote last into @progress is what it was at. */
static void
run_limited (Work work, gpointer data)
{
  int pipes[2], status;
  char at[256] = "nothing", next[256];
  pid_t child;

  g_assert_cmpint (pipe (pipes), ==, 0);
  child = fork ();
  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      close (pipes[0]);
      limit_memory ();
      work (data, pipes[1]);
      _exit (0);
    }
  close (pipes[1]);
  while (read (pipes[0], next, sizeof next) == sizeof next)
    memcpy (at, next, sizeof at);
  close (pipes[0]);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  if (!WIFEXITED (status) || WEXITSTATUS (status) != 0)
    g_error ("%s: the process ended with %s %d", at, WIFSIGNALED (status) ? "signal" : "status",
        WIFSIGNALED (status) ? WTERMSIG (status) : WEXITSTATUS (status));
}

static void
tell (int progress, const char *name, guint number)
{
  char text[256] = { 0 };

  g_snprintf (text, sizeof text, "%s, number %u", name, number);
  g_assert_cmpint (write (progress, text, sizeof text), ==, sizeof text);
}

/* As `heddle import` does it. */
static gboolean
import (const char *path)
{
  g_auto (HeddleOnnxReport) report = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSnapshot) snapshot = heddle_onnx_import (path, NULL, NULL, FALSE, &report, &error);
  g_autofree char *data = snapshot != NULL ? heddle_ncd_write (snapshot, NULL, &error) : NULL;

  if (data == NULL)
    g_assert_cmpuint (strlen (error->message), >, 5);
  if (snapshot != NULL)
    {
      g_autoptr (GPtrArray) problems = heddle_check_snapshot (snapshot);

      for (guint i = 0; i < problems->len; i++)
        g_assert_cmpint (
            ((const HeddleProblem *) g_ptr_array_index (problems, i))->severity, !=, HEDDLE_SEVERITY_ERROR);
    }
  return data != NULL;
}

/* Makes the file anew: GLib does not shorten one that is there. */
static void
write_mutant (const char *path, gconstpointer data, gsize length)
{
  unlink (path);
  g_assert_true (
      g_file_set_contents_full (path, data, (gssize) length, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

/* --- models that are known --------------------------------------------------------------------------- */

static void
import_part (gpointer data, int progress)
{
  g_autofree char *folder = g_build_filename (TESTDATA, data, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, "model.onnx", NULL);

      tell (progress, path, 0);
      limit_time ();
      g_assert_true (import (path));
    }
}

static void
test_part (gconstpointer data)
{
  g_autofree char *folder = g_build_filename (TESTDATA, data, NULL);

  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    g_test_skip ("libonnx-testdata is not installed (./run deps installs it)");
  else
    run_limited (import_part, (gpointer) data);
}

/* --- the same with other sizes ---------------------------------------------------------------------- */

/* Returns the places of sizes of one byte, as TensorShapeProto.Dimension has them. */
static GArray *
find_sizes (const guint8 *data, gsize length)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (gsize));

  for (gsize i = 3; i < length; i++)
    if (data[i - 3] == 0x0a && data[i - 2] == 2 && data[i - 1] == 8 && data[i] < 0x80)
      g_array_append_val (places, i);
  return places;
}

static void
import_sizes_of (const char *path, const char *mutant, guint n, GRand *rand, int progress)
{
  g_autofree char *data = NULL;
  g_autoptr (GArray) places = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  places = find_sizes ((const guint8 *) data, length);
  for (guint i = 0; i < n && places->len > 0; i++)
    {
      g_autofree char *bytes = g_memdup2 (data, length);

      for (gint32 k = g_rand_int_range (rand, 1, 4); k > 0; k--)
        bytes[g_array_index (places, gsize, g_rand_int_range (rand, 0, (gint32) places->len))]
            = (char) g_rand_int_range (rand, 0, 7);
      write_mutant (mutant, bytes, length);
      tell (progress, path, i);
      limit_time ();
      import (mutant);
    }
}

static void
import_sizes (gpointer data, int progress)
{
  g_autofree char *folder = g_build_filename (TESTDATA, data, NULL);
  g_autofree char *mutant = g_strdup_printf ("%s/heddle-sizes-%d.onnx", g_get_tmp_dir (), (int) getpid ());
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, "model.onnx", NULL);
      g_autoptr (GRand) rand = g_rand_new_with_seed (g_str_hash (name)); /* in any order of the folder */

      import_sizes_of (path, mutant, is_long ? 30 : 3, rand, progress);
    }
  unlink (mutant);
}

static void
test_sizes (gconstpointer data)
{
  g_autofree char *folder = g_build_filename (TESTDATA, data, NULL);

  if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
    g_test_skip ("libonnx-testdata is not installed (./run deps installs it)");
  else
    run_limited (import_sizes, (gpointer) data);
}

/* --- mutants ------------------------------------------------------------------------------------------ */

/* Bytes become others, go, come twice, or come from elsewhere. */
static GByteArray *
mutate (const guint8 *data, gsize length, GRand *rand)
{
  static const guint8 telling[] = { 0, 1, 0x7f, 0x80, 0xff, 0x0a, 0x12, 0x2a };
  GByteArray *bytes = g_byte_array_new ();
  guint times = (guint) g_rand_int_range (rand, 1, 8);

  g_byte_array_append (bytes, data, (guint) length);
  for (guint i = 0; i < times && bytes->len > 1; i++)
    {
      guint at = (guint) g_rand_int_range (rand, 0, (gint32) bytes->len);
      guint n = MIN ((guint) g_rand_int_range (rand, 1, 64), bytes->len - at);
      guint from = (guint) g_rand_int_range (rand, 0, (gint32) bytes->len - 1);

      switch (g_rand_int_range (rand, 0, 5))
        {
        case 0:
          bytes->data[at] = (guint8) g_rand_int_range (rand, 0, 256);
          break;
        case 1:
          bytes->data[at] = telling[g_rand_int_range (rand, 0, G_N_ELEMENTS (telling))];
          break;
        case 2:
          g_byte_array_remove_range (bytes, at, MIN (n, bytes->len - at));
          break;
        case 3:
          memmove (bytes->data + at, bytes->data + from, MIN (n, bytes->len - MAX (at, from)));
          break;
        default:
          bytes->data[at] ^= (guint8) (1 << g_rand_int_range (rand, 0, 8));
        }
    }
  return bytes;
}

typedef struct
{
  const char *name;
  guint n, n_long; /* mutants */
} Seed;

static void
read_mutant (const char *path, gboolean arrays)
{
  static const char *const names[] = { "words.weight", "layers.0.mlp.0.bias", "head.weight" };
  g_autoptr (HeddleSafetensors) file = arrays ? heddle_safetensors_load (path, NULL) : NULL;

  if (!arrays)
    import (path);
  for (guint i = 0; file != NULL && i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (HeddleArray) array = heddle_safetensors_contain (file, names[i])
                                          ? heddle_safetensors_read (file, names[i], NULL)
                                          : NULL;
    }
}

static void
import_mutants (gpointer data, int progress)
{
  const Seed *seed = data;
  g_autofree char *path = g_build_filename (models, seed->name, NULL), *original = NULL;
  g_autofree char *mutant = g_strdup_printf ("%s/heddle-mutant-%d.onnx", g_get_tmp_dir (), (int) getpid ());
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  gsize length;

  g_assert_true (g_file_get_contents (path, &original, &length, NULL));
  for (guint i = 0; i < (is_long ? seed->n_long : seed->n); i++)
    {
      g_autoptr (GByteArray) bytes = mutate ((const guint8 *) original, length, rand);

      write_mutant (mutant, bytes->data, bytes->len);
      tell (progress, seed->name, i);
      limit_time ();
      read_mutant (mutant, g_str_has_suffix (seed->name, ".safetensors"));
    }
  unlink (mutant);
}

static void
test_mutants (gconstpointer data)
{
  run_limited (import_mutants, (gpointer) data);
}

static const Seed seeds[] = {
  { "decoder-onnx.onnx", 40, 10000 },
  { "decoder-export.onnx", 80, 20000 },
  { "decoder-fx.onnx", 40, 10000 },
  { "decoder.safetensors", 2000, 200000 },
};

int
main (int argc, char **argv)
{
  static const char *const parts[] = { "node", "pytorch-converted", "pytorch-operator", "simple" };

  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_assert_cmpint (argc, >=, 2);
  models = argv[1];
  is_long = argc > 2 && g_str_equal (argv[2], "--long");
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *path = g_strconcat ("/onnx/limits/", parts[i], NULL);
      g_autofree char *sizes = g_strconcat ("/onnx/sizes/", parts[i], NULL);

      g_test_add_data_func (path, parts[i], test_part);
      g_test_add_data_func (sizes, parts[i], test_sizes);
    }
  for (guint i = 0; i < G_N_ELEMENTS (seeds); i++)
    {
      g_autofree char *path = g_strconcat ("/onnx/mutants/", seeds[i].name, NULL);

      g_test_add_data_func (path, &seeds[i], test_mutants);
    }
  return g_test_run ();
}
