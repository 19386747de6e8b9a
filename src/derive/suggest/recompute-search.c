/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/derivation/derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/search-cache.h"
#include "derive/machine/machine.h"
#include "derive/suggest/recompute-search.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"

#include <glib/gi18n-lib.h>

/* This file finds the values to compute again. Each value that passes between kernels is tried for each
 * kernel that reads it, one at a time: the one that is best is taken, until none is better. Within the budget
 * of global memory that is the one that takes the least time; beyond it, the one that brings down what is
 * held too much for the least time. */

#define MAX_ROUNDS 16
#define MAX_TRIES 64 /* derivations, in all */
#define MAX_KERNELS                                                                                          \
  96 /* kernels derived, in all, where no budget asks for it: the most promising values come first */

typedef struct
{
  const HeddleDiagram *diagram;
  const HeddleSizes *sizes;
  HeddleDeriveOptions options;
  GCancellable *cancellable;
  guint tries;
} Search;

/* The outcome of a schedule. */
typedef struct
{
  double cost; /* seconds; elements on the abstract machine */
  double excess; /* bytes beyond the budget, over all kernels */
  gint64 held;
  double flops;
} Outcome;

static HeddleDerivation *
derive (Search *self, const HeddleSchedule *schedule, Outcome *outcome, GError **error)
{
  HeddleDerivation *derivation
      = heddle_derive (self->diagram, schedule, self->sizes, &self->options, self->cancellable, error);

  self->tries++;
  if (derivation == NULL)
    return NULL;
  *outcome
      = (Outcome){ heddle_machine_is_abstract (self->options.machine) ? (double) derivation->transfer_elements
                                                                      : derivation->expected_s,
          0., derivation->held_bytes, derivation->flops };
  for (guint i = 0; i < derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (derivation->kernels, i);

      const gint64 held = g_array_index (derivation->held, gint64, i);

      if (self->options.budget_bytes > 0 && held > self->options.budget_bytes)
        outcome->excess += (double) (held - self->options.budget_bytes);
      if (kernel->opaque_reason == NULL && (kernel->program == NULL || !kernel->fits))
        outcome->cost = G_MAXDOUBLE;
    }
  return derivation;
}

static gboolean
is_better (const Outcome *a, const Outcome *b)
{
  if (a->cost == G_MAXDOUBLE)
    return FALSE;
  return a->excess < b->excess || (a->excess == b->excess && a->cost < b->cost * (1. - 1e-9));
}

static double
bytes_of (const Search *self, const char *value)
{
  return (double) heddle_sizes_elements (self->sizes, heddle_diagram_get_value (self->diagram, value))
         * heddle_dtype_bytes (heddle_diagram_dtype (self->diagram, value, self->options.dtype));
}

/* Returns the operation of the kernel that reads the value; NULL if none does. */
static const HeddleOperation *
reader_in (const Search *self, const HeddleKernel *kernel, const char *value)
{
  for (guint i = 0; i < kernel->operations->len; i++)
    {
      const HeddleOperation *operation
          = heddle_diagram_get_operation (self->diagram, heddle_ids_index (kernel->operations, i));

      if (heddle_ids_contain (operation->operands, value))
        return operation;
    }
  return NULL;
}

/* Returns the bytes that storing and reading the value takes, less those of reading its operands as far as
 * the kernel does not read them already. */
static double
promise_of (const Search *self, const HeddleKernel *kernel, const char *value)
{
  g_autoptr (GPtrArray) statement = heddle_diagram_statement_operations (self->diagram, value);
  double more = 0.;

  for (guint i = 0; i < statement->len; i++)
    {
      const HeddleOperation *operation = g_ptr_array_index (statement, i);

      for (guint k = 0; k < operation->operands->len; k++)
        {
          const char *operand = heddle_ids_index (operation->operands, k);
          const HeddleOperation *producer = heddle_diagram_get_producer (self->diagram, operand);
          gboolean own = producer != NULL && g_ptr_array_find (statement, producer, NULL);

          if (!own && reader_in (self, kernel, operand) == NULL
              && (producer == NULL || !heddle_ids_contain (kernel->operations, producer->id)))
            more += bytes_of (self, operand);
        }
    }
  return 2. * bytes_of (self, value) - more;
}

/* The best of the schedules that compute one more value again; NULL if none is better than @now, which
 * receives its outcome. */
typedef struct
{
  HeddleSchedule *schedule;
  HeddleDerivation *derivation;
  Outcome outcome;
  const char *value, *reader;
} Step;

static void
step_clear (Step *self)
{
  g_clear_pointer (&self->schedule, heddle_schedule_free);
  g_clear_pointer (&self->derivation, heddle_derivation_free);
}

/* A value that a kernel reads and could compute itself. */
typedef struct
{
  const char *value;
  const HeddleOperation *reader;
  double promise; /* bytes */
} Candidate;

static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  const Candidate *one = a, *other = b;

  return (one->promise < other->promise) - (one->promise > other->promise);
}

static void
add_candidate (const Search *self, const Step *now, const HeddleKernel *kernel, const HeddleValue *value,
    GArray *candidates)
{
  const HeddleOperation *producer = heddle_diagram_get_producer (self->diagram, value->id),
                        *reader = reader_in (self, kernel, value->id);
  Candidate candidate = { value->id, reader };

  if (producer == NULL || reader == NULL || heddle_ids_contain (kernel->operations, producer->id)
      || heddle_schedule_is_recomputed (now->schedule, value->id, reader->id))
    return;
  candidate.promise = promise_of (self, kernel, value->id);
  if (now->outcome.excess > 0. || candidate.promise > 0.)
    g_array_append_val (candidates, candidate);
}

/* Adds the candidates among what the operation of a kernel reads; @seen holds values that were visited. */
static void
add_operands (const Search *self, const Step *now, const HeddleKernel *kernel,
    const HeddleOperation *operation, GHashTable *seen, GArray *candidates)
{
  for (guint i = 0; i < operation->operands->len; i++)
    {
      const char *operand = heddle_ids_index (operation->operands, i);

      if (g_hash_table_add (seen, (gpointer) operand))
        add_candidate (self, now, kernel, heddle_diagram_get_value (self->diagram, operand), candidates);
    }
}

/* Returns the candidates, the most promising first. */
static GArray *
find_candidates (const Search *self, const Step *now)
{
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));

  for (guint i = 0; i < now->derivation->kernels->len; i++)
    {
      const HeddleKernel *kernel = g_ptr_array_index (now->derivation->kernels, i);
      g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

      for (guint k = 0; k < kernel->operations->len; k++)
        add_operands (self, now, kernel,
            heddle_diagram_get_operation (self->diagram, heddle_ids_index (kernel->operations, k)), seen,
            candidates);
    }
  g_array_sort (candidates, compare_candidates);
  return candidates;
}

static void
try_candidate (Search *self, const Step *now, const Candidate *candidate, Step *best)
{
  Step step = { heddle_schedule_copy (now->schedule), .value = candidate->value };

  step.reader = heddle_diagram_statement_of (self->diagram, candidate->reader->id);
  step.reader = step.reader != NULL ? step.reader : candidate->reader->result;
  heddle_schedule_set_recomputed (step.schedule, candidate->value, candidate->reader->id, TRUE);
  step.derivation = derive (self, step.schedule, &step.outcome, NULL);
  if (step.derivation != NULL && is_better (&step.outcome, &best->outcome))
    {
      step_clear (best);
      *best = step;
    }
  else
    step_clear (&step);
}

static gboolean
may_try (const Search *self, const Step *now)
{
  if (self->options.budget_bytes == 0 && self->tries * now->derivation->kernels->len > MAX_KERNELS)
    return FALSE;
  return self->tries < MAX_TRIES;
}

static gboolean
take_step (Search *self, Step *now)
{
  Step best = { .outcome = now->outcome };
  g_autoptr (GArray) candidates = find_candidates (self, now);

  for (guint i = 0; i < candidates->len && may_try (self, now); i++)
    try_candidate (self, now, &g_array_index (candidates, Candidate, i), &best);
  if (best.schedule == NULL)
    return FALSE;
  step_clear (now);
  *now = best;
  return TRUE;
}

/* Appends an explanation: "S is worked out again for dV: 4.3e+09 FLOP more, 33554432 bytes less held, 12.3 µs
 * less". */
static void
explain (const Search *self, GString *text, const Outcome *before, const Step *step)
{
  g_autofree char *value = heddle_diagram_value_label (self->diagram, step->value),
                  *reader = heddle_diagram_value_label (self->diagram, step->reader);
  double saved = before->cost - step->outcome.cost;
  g_autofree char *cost
      = heddle_machine_is_abstract (self->options.machine)
            ? g_strdup_printf (
                saved >= 0. ? _ ("%.0f elements fewer moved") : _ ("%.0f elements more moved"), ABS (saved))
            : g_strdup_printf (saved >= 0. ? _ ("%.4g µs less") : _ ("%.4g µs more"), ABS (saved) * 1e6);

  g_string_append_printf (text,
      _ ("%s%s is recomputed for %s: %.3g FLOP more, %s; %lld bytes of global memory are held at most, not "
         "%lld"),
      text->len > 0 ? "\n" : "", value, reader, step->outcome.flops - before->flops, cost,
      (long long) step->outcome.held, (long long) before->held);
}

static void
explain_end (const Search *self, GString *text, const Step *now)
{
  const HeddleKernel *kernel;

  if (now->outcome.excess == 0.)
    return;
  kernel = g_ptr_array_index (now->derivation->kernels, now->derivation->held_at);
  g_string_append_printf (text,
      _ ("%s%lld bytes of global memory are held while %s runs, more than the %lld there may be: no "
         "recomputation makes it less"),
      text->len > 0 ? "\n" : "", (long long) now->outcome.held, kernel->title,
      (long long) self->options.budget_bytes);
}

HeddleSchedule *
heddle_schedule_suggest_recomputed (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, GCancellable *cancellable,
    char **explanation, GError **error)
{
  g_autoptr (HeddleSearchCache) search_cache = heddle_search_cache_new ();
  Search self = { .diagram = diagram, .sizes = sizes, .cancellable = cancellable };
  Step now = { heddle_schedule_copy (schedule) };
  g_autoptr (GString) text = g_string_new (NULL);
  HeddleSchedule *found;

  g_return_val_if_fail (diagram != NULL && sizes != NULL && options != NULL && explanation != NULL, NULL);

  *explanation = NULL;
  self.options = *options;
  if (self.options.search_cache == NULL)
    self.options.search_cache = search_cache;
  now.derivation = derive (&self, now.schedule, &now.outcome, error);
  if (now.derivation == NULL)
    {
      step_clear (&now);
      return NULL;
    }
  /* The diagram of what each of several GPUs does is another one. */
  for (guint round = 0; round < MAX_ROUNDS && now.derivation->sharding == NULL; round++)
    {
      Outcome before = now.outcome;

      if (!take_step (&self, &now))
        break;
      explain (&self, text, &before, &now);
    }
  explain_end (&self, text, &now);
  if (text->len > 0)
    *explanation = g_string_free (g_steal_pointer (&text), FALSE);
  found = g_steal_pointer (&now.schedule);
  step_clear (&now);
  return found;
}
