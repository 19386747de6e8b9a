/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "codegen/compile/compilation.h"

void
heddle_compilation_free (HeddleCompilation *self)
{
  if (self == NULL)
    return;
  g_free (self->ptx);
  g_clear_pointer (&self->cubin, g_bytes_unref);
  g_free (self->log);
  g_free (self->compiler);
  g_free (self);
}

/* Adds up every number that stands before @words in the log. */
static gint64
sum_before (const char *log, const char *words)
{
  gint64 sum = 0;

  for (const char *found = log; (found = strstr (found, words)) != NULL; found += strlen (words))
    {
      const char *digit = found;

      while (digit > log && g_ascii_isspace (digit[-1]))
        digit--;
      while (digit > log && g_ascii_isdigit (digit[-1]))
        digit--;
      sum += g_ascii_strtoll (digit, NULL, 10);
    }
  return sum;
}

void
heddle_compilation_read_log (HeddleCompilation *self)
{
  const char *log = self->log ? self->log : "";

  self->registers = sum_before (log, "registers");
  self->spill_bytes = sum_before (log, "bytes spill stores") + sum_before (log, "bytes spill loads");
  self->local_bytes = sum_before (log, "bytes stack frame");
  self->shared_bytes = sum_before (log, "bytes smem");
}
