/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/compile/compile.h"
#include "codegen/compile/process.h"

/* Compilers that overrun their bounds. This very program stands in for the process of NVRTC and misbehaves as the environment says. */

#define STAND_IN "HEDDLE_TEST_STAND_IN"
#define LOCKED "HEDDLE_TEST_LOCKED" /* a file: each process of the stand-in holds its lock */
#define GIB ((gint64) 1 << 30)

static const HeddleBounds wide = { 300, 300, 4 * GIB };
static const char source[] = "extern \"C\" __global__ void nothing () {}\n";
static char *self_path;

/* --- the stand-in ------------------------------------------------------------------------ */

static void
greet (void)
{
  const gint32 version[] = { 13, 0 };
  const char build[] = "";
  const guint64 length = sizeof version + sizeof build;

  g_assert_cmpint (write (STDOUT_FILENO, &length, sizeof length), ==, sizeof length);
  g_assert_cmpint (write (STDOUT_FILENO, version, sizeof version), ==, sizeof version);
  g_assert_cmpint (write (STDOUT_FILENO, build, sizeof build), ==, sizeof build);
}

static void
wait_for_question (void)
{
  char byte;

  g_assert_cmpint (read (STDIN_FILENO, &byte, 1), ==, 1);
}

static void
spin (void)
{
  for (volatile guint i = 0;; i++)
    ;
}

static void
eat (void)
{
  for (;;)
    {
      void *piece = malloc (1 << 24);

      if (piece == NULL)
        abort ();
      memset (piece, 1, 1 << 24);
    }
}

/* With a process of its own, both under the lock. */
static void
start_another (void)
{
  int fd = open (g_getenv (LOCKED), O_RDWR);

  g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
  if (fork () == 0)
    alarm (60);
  g_assert_cmpint (write (fd, "locked", 6), ==, 6);
}

static int
stand_in (const char *how)
{
  alarm (60);
  if (g_str_equal (how, "silent"))
    pause ();
  greet ();
  wait_for_question ();
  if (g_str_equal (how, "spins"))
    spin ();
  if (g_str_equal (how, "eats"))
    eat ();
  if (g_str_equal (how, "two"))
    start_another ();
  if (g_str_equal (how, "leaves"))
    return 7;
  pause ();
  return 0;
}

/* --- the bounds -------------------------------------------------------------------------- */

typedef struct
{
  const char *name, *how;
  HeddleBounds bounds;
  const char *said;
} Row;

static const Row rows[] = {
  { "clock", "sleeps", { 0.3, 300, 4 * GIB }, "NVRTC was stopped: it exceeded its time limit of 0.3 s" },
  { "greeting", "silent", { 0.3, 300, 4 * GIB }, "NVRTC was stopped: it exceeded its time limit of 0.3 s" },
  { "processor", "spins", { 300, 1, 4 * GIB },
      "NVRTC was stopped: it exceeded its limit of 1 s of processor time" },
  { "ends", "leaves", { 300, 300, 4 * GIB },
      "NVRTC ended without an answer (status 7); its memory limit is 4.0 GiB" },
#if !defined(__SANITIZE_ADDRESS__) /* which has no bound of memory */
  { "memory", "eats", { 300, 300, GIB / 2 }, "its memory limit is 0.5 GiB" },
#endif
};

static void
test_bound (gconstpointer data)
{
  const Row *row = data;
  g_autoptr (GError) error = NULL;

  g_setenv (STAND_IN, row->how, TRUE);
  heddle_nvrtc_set_program (self_path, &row->bounds);
  g_assert_null (heddle_nvrtc_compile (source, "sm_80", NULL, &error));
  g_assert_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_COMPILE);
  g_assert_nonnull (strstr (error->message, row->said));
  g_unsetenv (STAND_IN);
  heddle_nvrtc_set_program (NULL, NULL);
}

/* Who cannot even say which version it is, is not there. */
static void
test_unavailable (void)
{
  const HeddleBounds brief = { 0.2, 300, 4 * GIB };

  g_setenv (STAND_IN, "silent", TRUE);
  heddle_nvrtc_set_program (self_path, &brief);
  g_assert_false (heddle_nvrtc_is_available ());
  heddle_nvrtc_set_program ("/nonexistent/program", &wide);
  g_assert_false (heddle_nvrtc_is_available ());
  g_unsetenv (STAND_IN);
  heddle_nvrtc_set_program (NULL, NULL);
}

/* --- cancelling -------------------------------------------------------------------------- */

static gpointer
compile (gpointer cancellable)
{
  GError *error = NULL;

  g_assert_null (heddle_nvrtc_compile (source, "sm_80", cancellable, &error));
  return error;
}

/* It is killed in its work, with all that it started: nobody holds the lock. */
static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *directory = case_directory ();
  g_autofree char *locked = g_build_filename (directory, "locked", NULL);
  g_autoptr (GError) error = NULL;
  GThread *thread;
  int fd = open (locked, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

  g_setenv (STAND_IN, "two", TRUE);
  g_setenv (LOCKED, locked, TRUE);
  heddle_nvrtc_set_program (self_path, &wide);
  thread = g_thread_new ("compile", compile, cancellable);
  while (lseek (fd, 0, SEEK_END) == 0)
    g_usleep (1000);
  g_cancellable_cancel (cancellable);
  error = g_thread_join (thread);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  alarm (30);
  g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
  alarm (0);
  close (fd);
  case_remove (directory);
  g_unsetenv (STAND_IN);
  g_unsetenv (LOCKED);
  heddle_nvrtc_set_program (NULL, NULL);
}

/* --- a program to its end ---------------------------------------------------------------- */

static gboolean
run (const char *words, const HeddleBounds *bounds, char **output, gboolean *successful, GError **error)
{
  const char *arguments[] = { "/bin/sh", "-c", words, NULL };
  g_autoptr (HeddleProcess) process
      = heddle_process_start ("sh", arguments, bounds, HEDDLE_PROCESS_ALL_OUTPUT, error);
  g_autoptr (GByteArray) said = g_byte_array_new ();
  gboolean done = heddle_process_finish (process, said, successful, NULL, error);

  *output = g_strndup ((const char *) said->data, said->len);
  return done;
}

static void
test_finish (void)
{
  const HeddleBounds brief = { 0.3, 300, 4 * GIB };
  g_autofree char *output = NULL, *failed = NULL, *late = NULL;
  g_autoptr (GError) error = NULL;
  gboolean successful;

  g_assert_true (run ("echo one; echo two >&2", &wide, &output, &successful, &error));
  g_assert_true (successful);
  g_assert_cmpstr (output, ==, "one\ntwo\n");
  g_assert_true (run ("echo wrong; exit 3", &wide, &failed, &successful, &error));
  g_assert_false (successful);
  g_assert_cmpstr (failed, ==, "wrong\n");
  g_assert_false (run ("echo one; sleep 60", &brief, &late, &successful, &error));
  g_assert_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_COMPILE);
  g_assert_cmpstr (error->message, ==, "sh was stopped: it exceeded its time limit of 0.3 s");
}

/* --- NVRTC itself ------------------------------------------------------------------------ */

/* Its bounds begin anew with each question: three times what would be too much at once; and a fault in between harms nobody. */
static void
test_again (void)
{
  g_autoptr (GError) error = NULL, refused = NULL;

  if (!case_has_cuda ())
    return;
  heddle_nvrtc_set_program (NULL, NULL);
  g_assert_true (heddle_nvrtc_is_available ());
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (HeddleCompilation) compilation = heddle_nvrtc_compile (source, "sm_80", NULL, &error);

      g_assert_no_error (error);
      g_assert_nonnull (strstr (compilation->ptx, ".entry nothing"));
      g_clear_error (&refused);
      g_assert_null (heddle_nvrtc_compile ("nonsense\n", "sm_80", NULL, &refused));
      g_assert_nonnull (strstr (refused->message, "kernel.cu(1)"));
    }
}

int
main (int argc, char **argv)
{
  if (argc == 2 && g_str_equal (argv[1], HEDDLE_NVRTC_WORKER) && g_getenv (STAND_IN) != NULL)
    return stand_in (g_getenv (STAND_IN));
  g_test_init (&argc, &argv, NULL);
  self_path = g_file_read_link ("/proc/self/exe", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/process/bound/", rows[i].name, NULL);

      g_test_add_data_func (path, &rows[i], test_bound);
    }
  g_test_add_func ("/process/unavailable", test_unavailable);
  g_test_add_func ("/process/cancelled", test_cancelled);
  g_test_add_func ("/process/finish", test_finish);
  g_test_add_func ("/process/again", test_again);
  return g_test_run ();
}
