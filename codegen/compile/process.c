/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "codegen/base/codegen.h"
#include "codegen/compile/process.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct _HeddleProcess
{
  char *name; /* for messages */
  HeddleBounds bounds;
  HeddleProcessOutput output;
  GPid pid; /* and its group; 0: it has ended */
  int status; /* then: as waitpid() tells it */
  int socket; /* its standard input and output */
  gint64 deadline; /* of the task, by the monotonic clock */
};

/* --- starting -------------------------------------------------------------------------- */

/* Sets the bounds in the new process, before the program starts; it does only what is safe after a fork. */
static void
set_bounds (gpointer data)
{
  const HeddleProcess *self = data;
  struct rlimit seconds;

  setpgid (0, 0);
  getrlimit (RLIMIT_CPU, &seconds);
  seconds.rlim_cur = MIN (seconds.rlim_max, (rlim_t) self->bounds.processor_seconds);
  setrlimit (RLIMIT_CPU, &seconds);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* which take terabytes of addresses */
  const struct rlimit bytes = { (rlim_t) self->bounds.bytes, (rlim_t) self->bounds.bytes };

  setrlimit (RLIMIT_AS, &bytes);
#endif
  if (self->output == HEDDLE_PROCESS_ALL_OUTPUT)
    dup2 (STDOUT_FILENO, STDERR_FILENO);
}

static void
begin_task (HeddleProcess *self)
{
  self->deadline = g_get_monotonic_time () + (gint64) (self->bounds.seconds * G_USEC_PER_SEC);
}

HeddleProcess *
heddle_process_start (const char *name, const char *const *arguments, const HeddleBounds *bounds,
    HeddleProcessOutput output, GError **error)
{
  g_autoptr (HeddleProcess) self = g_new0 (HeddleProcess, 1);
  int ends[2];
  gboolean started;

  self->bounds = *bounds;
  self->output = output;
  self->name = g_strdup (name);
  self->socket = -1;
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    {
      g_set_error_literal (error, G_IO_ERROR, (int) g_io_error_from_errno (errno), g_strerror (errno));
      return NULL;
    }
  self->socket = ends[0];
  started = g_spawn_async_with_fds (NULL, (char **) arguments, NULL, G_SPAWN_DO_NOT_REAP_CHILD, set_bounds,
      self, &self->pid, ends[1], ends[1], -1, error);
  close (ends[1]);
  if (!started)
    return NULL;
  begin_task (self);
  return g_steal_pointer (&self);
}

const HeddleBounds *
heddle_process_get_bounds (const HeddleProcess *self)
{
  return &self->bounds;
}

/* --- ending ---------------------------------------------------------------------------- */

/* Returns whether the process has ended, without waiting for it. */
static gboolean
has_ended (HeddleProcess *self)
{
  if (self->pid != 0 && waitpid (self->pid, &self->status, WNOHANG) == self->pid)
    self->pid = 0;
  return self->pid == 0;
}

gboolean
heddle_process_is_there (HeddleProcess *self)
{
  return !has_ended (self);
}

/* Kills the process with all that it started. */
static void
kill_group (HeddleProcess *self)
{
  if (self->pid == 0)
    return;
  kill (-self->pid, SIGKILL);
  kill (self->pid, SIGKILL);
  while (waitpid (self->pid, &self->status, 0) < 0 && errno == EINTR)
    ;
  self->pid = 0;
}

void
heddle_process_free (HeddleProcess *self)
{
  if (self == NULL)
    return;
  kill_group (self);
  if (self->socket >= 0)
    close (self->socket);
  g_free (self->name);
  g_free (self);
}

static void
fail_by_clock (HeddleProcess *self, GError **error)
{
  kill_group (self);
  g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_COMPILE,
      _ ("%s was stopped: it exceeded its time limit of %g s"), self->name, self->bounds.seconds);
}

/* Sets the error that says why the process ended without an answer. */
static void
fail_by_end (const HeddleProcess *self, GError **error)
{
  int number = WIFSIGNALED (self->status) ? WTERMSIG (self->status) : 0;

  if (number == SIGXCPU)
    g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_COMPILE,
        _ ("%s was stopped: it exceeded its limit of %g s of processor time"), self->name,
        (double) self->bounds.processor_seconds);
  else if (number != 0)
    g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_COMPILE,
        _ ("%s was ended by signal %d (%s); its memory limit is %.1f GiB"), self->name, number,
        g_strsignal (number), (double) self->bounds.bytes / (1 << 30));
  else
    g_set_error (error, HEDDLE_CODEGEN_ERROR, HEDDLE_CODEGEN_ERROR_COMPILE,
        _ ("%s ended without an answer (status %d); its memory limit is %.1f GiB"), self->name,
        WEXITSTATUS (self->status), (double) self->bounds.bytes / (1 << 30));
}

/* Waits for the end of a process that has closed its output: it ends by itself, or is killed at the
 * deadline. */
static gboolean
wait_for_end (HeddleProcess *self, GCancellable *cancellable, GError **error)
{
  while (!has_ended (self))
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          kill_group (self);
          return FALSE;
        }
      if (g_get_monotonic_time () > self->deadline)
        {
          fail_by_clock (self, error);
          return FALSE;
        }
      g_usleep (500);
    }
  return TRUE;
}

/* --- talking --------------------------------------------------------------------------- */

typedef struct
{
  const guint8 *data; /* what is still to be sent */
  gsize length;
  HeddleIsAnswer is_answer; /* NULL: its output to the end */
  GByteArray *answer;
  gboolean ended; /* it says nothing more */
} Talk;

static void
send_some (HeddleProcess *self, Talk *talk)
{
  gssize sent = send (self->socket, talk->data, talk->length, MSG_DONTWAIT | MSG_NOSIGNAL);

  if (sent > 0)
    {
      talk->data += sent;
      talk->length -= (gsize) sent;
    }
  else if (sent < 0 && errno != EAGAIN && errno != EINTR)
    talk->length = 0; /* nobody reads: its messages, or how it ended, tell why */
}

static void
receive_some (HeddleProcess *self, Talk *talk)
{
  guint8 piece[65536];
  gssize received = recv (self->socket, piece, sizeof piece, MSG_DONTWAIT);

  if (received > 0)
    g_byte_array_append (talk->answer, piece, (guint) received);
  else if (received == 0 || (errno != EAGAIN && errno != EINTR))
    talk->ended = TRUE;
}

static gboolean
is_done (const Talk *talk)
{
  return talk->ended
         || (talk->is_answer != NULL && talk->is_answer (talk->answer->data, talk->answer->len) > 0);
}

static gboolean
talk (HeddleProcess *self, Talk *talk, GCancellable *cancellable, GError **error)
{
  GPollFD fds[2] = { { .fd = self->socket } };
  guint n = g_cancellable_make_pollfd (cancellable, &fds[1]) ? 2 : 1;

  while (!is_done (talk))
    {
      gint64 left = self->deadline - g_get_monotonic_time ();

      if (left <= 0 || g_cancellable_is_cancelled (cancellable))
        break;
      fds[0].events = G_IO_IN | (talk->length > 0 ? G_IO_OUT : 0);
      fds[0].revents = 0;
      g_poll (fds, n, (int) MIN (left / 1000 + 1, G_MAXINT));
      if (fds[0].revents & G_IO_OUT)
        send_some (self, talk);
      if (fds[0].revents & (G_IO_IN | G_IO_HUP | G_IO_ERR))
        receive_some (self, talk);
    }
  if (n == 2)
    g_cancellable_release_fd (cancellable);
  if (is_done (talk))
    return TRUE;
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    kill_group (self);
  else
    fail_by_clock (self, error);
  return FALSE;
}

/* Renews the bounds for a task: the processor time used so far counts for the tasks before. */
static void
renew_bounds (HeddleProcess *self)
{
  clockid_t clock;
  struct timespec used;
  struct rlimit limit;

  begin_task (self);
  if (self->pid == 0 || clock_getcpuclockid (self->pid, &clock) != 0 || clock_gettime (clock, &used) != 0
      || prlimit (self->pid, RLIMIT_CPU, NULL, &limit) != 0)
    return;
  limit.rlim_cur = MIN (limit.rlim_max, (rlim_t) (used.tv_sec + 1 + self->bounds.processor_seconds));
  prlimit (self->pid, RLIMIT_CPU, &limit, NULL);
}

gboolean
heddle_process_ask (HeddleProcess *self, GBytes *question, HeddleIsAnswer is_answer, GByteArray *answer,
    GCancellable *cancellable, GError **error)
{
  Talk all = { .is_answer = is_answer, .answer = answer };

  if (question != NULL)
    {
      renew_bounds (self);
      all.data = g_bytes_get_data (question, &all.length);
    }
  if (!talk (self, &all, cancellable, error))
    return FALSE;
  if (!all.ended)
    return TRUE;
  if (wait_for_end (self, cancellable, error))
    fail_by_end (self, error);
  return FALSE;
}

gboolean
heddle_process_finish (
    HeddleProcess *self, GByteArray *output, gboolean *successful, GCancellable *cancellable, GError **error)
{
  Talk all = { .answer = output };

  if (!talk (self, &all, cancellable, error) || !wait_for_end (self, cancellable, error))
    return FALSE;
  if (WIFSIGNALED (self->status))
    {
      fail_by_end (self, error);
      return FALSE;
    }
  *successful = WEXITSTATUS (self->status) == 0;
  return TRUE;
}
