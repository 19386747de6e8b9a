/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include "derive/cost/context.h"
#include "derive/derivation/derive.h"
#include "derive/derivation/schedule-text.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/kernel/kernel.h"
#include "derive/kernel/search-cache.h"
#include "derive/legality/legality.h"
#include "derive/legality/refusal.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/find.h"
#include "derive/machine/machine.h"
#include "derive/stream/split.h"
#include "derive/stream/stream-kind.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

#include <math.h>
#include <string.h>

/* The search against all labels there are, at small sizes and all memories. */

typedef struct
{
  const char *name, *text;
  const char *free; /* by time: an axis that nothing depends on but the number of groups: of any size */
} Case;

static const Case cases[] = {
  { "matmul", "A : [a=6, b=5]\nB : [b, c=7]\nC[a,c] = A[a,b] B[b,c]\n" },
  { "attention", "Q : [q=7, d=2]\nK : [x=6, d]\nV : [x, d]\nP[q,x] = softmax[x](Q[q,d] K[x,d])\nO[q,d] = "
                 "P[q,x] V[x,d]\n" },
  { "heads", "Q : [h=2, q=5, d=2]\nK : [h, x=4, d]\nV : [h, x, d]\n"
             "P[h,q,x] = softmax[x](Q[h,q,d] K[h,x,d])\nO[h,q,d] = P[h,q,x] V[h,x,d]\n" },
  { "mlp",
      "X : [n=6, m=3]\nU : [m, f=5]\nW : [f, k=4]\nH[n,f] = relu(X[n,m] U[m,f])\nY[n,k] = H[n,f] W[f,k]\n" },
  { "softmax", "S : [q=7, x=5]\nP[q,x] = softmax[x](S[q,x])\n" },
  { "rmsnorm-linear", "X : [n=6, m=5]\nW : [m, k=4]\nY[n,k] = rmsnorm[m](X[n,m]) W[m,k]\n" },
  { "outer", "X : [a=6]\nY : [b=7]\nZ[a,b] = X[a] * Y[b]\n" },
};

typedef struct
{
  const Fixture *fixture;
  HeddleSchedule *schedule;
  HeddleRegion *region;
  const char *operation;
  HeddleDeriveOptions options;
  gint64 best; /* the least H of what fits; G_MAXINT64: none */
} Brute;

static HeddleDerivation *
derive (const Brute *self, gboolean suggest)
{
  g_autoptr (GError) error = NULL;
  HeddleDeriveOptions options = self->options;
  HeddleDerivation *derivation;

  options.suggest = suggest;
  derivation
      = heddle_derive (self->fixture->diagram, self->schedule, self->fixture->sizes, &options, NULL, &error);
  g_assert_no_error (error);
  return derivation;
}

static gboolean
is_legal (const Brute *self, const char *axis, HeddleLabelKind kind)
{
  g_autoptr (HeddleRefusal) refusal
      = heddle_derive_try_label (self->fixture->diagram, self->schedule, self->operation, axis, kind);

  return refusal == NULL;
}

/* All tiles of the axes from @i on. */
static void
try_groups (Brute *self, guint i, const char *stream)
{
  const HeddleAxis *axis;

  if (i == self->fixture->diagram->axes->len)
    {
      g_autoptr (HeddleDerivation) derivation = derive (self, FALSE);

      g_assert_false (derivation->illegal);
      if (fixture_kernel (derivation, 0)->fits)
        self->best = MIN (self->best, derivation->transfer_elements);
      return;
    }
  try_groups (self, i + 1, stream);
  axis = g_ptr_array_index (self->fixture->diagram->axes, i);
  if (axis->id == stream || !is_legal (self, axis->id, HEDDLE_LABEL_GROUP))
    return;
  for (gint64 size = 1; size <= heddle_sizes_get (self->fixture->sizes, axis->id); size++)
    {
      g_ptr_array_add (self->region->labels, heddle_label_new (axis->id, "smem", HEDDLE_LABEL_GROUP, size));
      try_groups (self, i + 1, stream);
      g_ptr_array_remove_index (self->region->labels, self->region->labels->len - 1);
    }
}

static void
try_all (Brute *self)
{
  self->best = G_MAXINT64;
  try_groups (self, 0, NULL);
  for (guint i = 0; i < self->fixture->diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (self->fixture->diagram->axes, i);

      if (!is_legal (self, axis->id, HEDDLE_LABEL_STREAM))
        continue;
      for (gint64 size = 1; size <= 2; size++)
        {
          g_ptr_array_add (
              self->region->labels, heddle_label_new (axis->id, "smem", HEDDLE_LABEL_STREAM, size));
          try_groups (self, 0, axis->id);
          g_ptr_array_set_size (self->region->labels, 0);
        }
    }
}

static void
check (const Fixture *fixture, gint64 memory, HeddleColumns columns)
{
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("two-level", memory, NULL);
  Brute brute = { fixture, heddle_schedule_new (fixture->diagram->id), heddle_region_new ("r.1") };
  g_autoptr (HeddleDerivation) found = NULL;
  const HeddleKernel *kernel;

  brute.options
      = (HeddleDeriveOptions){ machine, HEDDLE_DTYPE_F16, columns, HEDDLE_OBJECTIVE_TRANSFERS, 1, FALSE };
  brute.operation = ((HeddleOperation *) g_ptr_array_index (fixture->diagram->operations, 0))->id;
  for (guint i = 0; i < fixture->diagram->operations->len; i++)
    heddle_ids_append (brute.region->operations,
        ((HeddleOperation *) g_ptr_array_index (fixture->diagram->operations, i))->id);
  g_ptr_array_add (brute.schedule->regions, brute.region);
  found = derive (&brute, TRUE);
  kernel = fixture_kernel (found, 0);
  g_assert_true (found->exact);
  try_all (&brute);
  if (kernel->fits != (brute.best < G_MAXINT64) || (kernel->fits && found->transfer_elements != brute.best))
    g_error ("memory %" G_GINT64_FORMAT ": found %" G_GINT64_FORMAT ", least %" G_GINT64_FORMAT, memory,
        kernel->fits ? found->transfer_elements : -1, brute.best);
  heddle_schedule_free (brute.schedule);
}

static void
test_case (gconstpointer data)
{
  static const gint64 memories[] = { 5, 9, 14, 20, 31, 47, 80 };
  const Case *self = data;
  g_auto (Fixture) fixture = { 0 };

  fixture_init (&fixture, self->text, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (memories); i++)
    for (int columns = HEDDLE_COLUMNS_ALL; columns <= HEDDLE_COLUMNS_OPERANDS; columns++)
      check (&fixture, memories[i], (HeddleColumns) columns);
}

/* --- by time ------------------------------------------------------------------------------------ */

#define FRAGMENT 16
#define SLOW 1e-4

static const Case timed[] = {
  { "matmul", "A : f16[a=90, b=70]\nB : f16[b, c=100]\nC[a,c] = A[a,b] B[b,c]\n" },
  { "attention", "Q : f16[q=100, d=16]\nK : f16[x=90, d]\nV : f16[x, d]\n"
                 "P[q,x] = softmax[x](Q[q,d] K[x,d])\nO[q,d] = P[q,x] V[x,d]\n" },
  { "decode", "Q : f16[q=1, d=16]\nK : f16[x=200, d]\nV : f16[x, d]\n"
              "P[q,x] = softmax[x](Q[q,d] K[x,d])\nO[q,d] = P[q,x] V[x,d]\n" },
  { "rmsnorm-linear", "X : f16[n=100, m=64]\nW : f16[m, k=80]\nY[n,k] = rmsnorm[m](X[n,m]) W[m,k]\n" },
  { "softmax", "S : f16[q=70, x=90]\nP[q,x] = softmax[x](S[q,x])\n", "q" },
  { "convolution", "X : f16[t=150, c=24]\nW : f16[i=5, c, f=40]\nY[t,f] = X[t+i-2,c] W[i,c,f]\n" },
  { "strided", "X : f16[t=300, c=24]\nW : f16[i=5, c, f=40]\nY[y=150,f] = X[2*y+i-2,c] W[i,c,f]\n" },
  { "chain",
      "X : f16[t=150, c=8]\nU : f16[i=3, c, f=24]\nW : f16[j=5, f, g=20]\nC[t,f] = X[t+i-1,c] U[i,c,f]\n"
      "A[t,f] = relu(C[t,f])\nY[t,g] = A[t+j-2,f] W[j,f,g]\n" },
};

typedef struct
{
  Brute brute;
  const char *free;
  double best; /* the least time of what fits */
} Timed;

static void
look (Timed *self)
{
  g_autoptr (HeddleDerivation) derivation = derive (&self->brute, FALSE);

  if (!derivation->illegal && fixture_kernel (derivation, 0)->fits)
    self->best = MIN (self->best, derivation->expected_s);
}

/* Multiples of the fragment short of the whole axis. */
static void
try_timed_groups (Timed *self, guint i)
{
  Brute *brute = &self->brute;
  const HeddleAxis *axis;
  gint64 step;

  if (i == brute->fixture->diagram->axes->len)
    {
      look (self);
      return;
    }
  try_timed_groups (self, i + 1);
  axis = g_ptr_array_index (brute->fixture->diagram->axes, i);
  if (!is_legal (brute, axis->id, HEDDLE_LABEL_GROUP))
    return;
  step = g_strcmp0 (axis->name, self->free) == 0 ? 1 : FRAGMENT;
  for (gint64 size = step; size < heddle_sizes_get (brute->fixture->sizes, axis->id); size += step)
    {
      g_ptr_array_add (brute->region->labels, heddle_label_new (axis->id, "smem", HEDDLE_LABEL_GROUP, size));
      try_timed_groups (self, i + 1);
      g_ptr_array_remove_index (brute->region->labels, brute->region->labels->len - 1);
    }
}

static void
try_timed (Timed *self)
{
  Brute *brute = &self->brute;

  self->best = INFINITY;
  try_timed_groups (self, 0);
  for (guint i = 0; i < brute->fixture->diagram->axes->len; i++)
    {
      const HeddleAxis *axis = g_ptr_array_index (brute->fixture->diagram->axes, i);

      if (!is_legal (brute, axis->id, HEDDLE_LABEL_STREAM))
        continue;
      for (gint64 size = FRAGMENT; size <= 128 && size < heddle_sizes_get (brute->fixture->sizes, axis->id);
           size += FRAGMENT)
        {
          g_ptr_array_add (
              brute->region->labels, heddle_label_new (axis->id, "smem", HEDDLE_LABEL_STREAM, size));
          try_timed_groups (self, 0);
          g_ptr_array_set_size (brute->region->labels, 0);
        }
    }
}

static HeddleMachine *
small_machine (guint sms, gint64 capacity)
{
  g_autoptr (GError) error = NULL;
  HeddleMachine *machine = heddle_machine_find ("h100", 0, &error);
  int smem = heddle_machine_find_level (machine, "smem");

  g_assert_no_error (error);
  machine->sms = sms;
  machine->clock *= SLOW;
  machine->fp32_flops *= SLOW;
  for (guint i = 0; i < HEDDLE_N_DTYPES; i++)
    machine->tensor_flops[i] *= SLOW;
  for (guint i = 0; i < machine->levels->len; i++)
    ((HeddleLevel *) g_ptr_array_index (machine->levels, i))->bandwidth *= SLOW;
  ((HeddleLevel *) g_ptr_array_index (machine->levels, (guint) smem))->capacity_bytes = capacity;
  return machine;
}

/* Few SMs, so that waves matter, and little memory, so that tiles do; all of it slow, so that a second kernel may be worth its start. */
static void
test_timed (gconstpointer data)
{
  static const struct
  {
    guint sms;
    gint64 capacity;
  } machines[] = { { 3, 100000 }, { 5, 12000 }, { 7, 20000 } };
  const Case *self = data;
  g_auto (Fixture) fixture = { 0 };

  fixture_init (&fixture, self->text, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (machines); i++)
    {
      g_autoptr (HeddleMachine) machine = small_machine (machines[i].sms, machines[i].capacity);
      Timed all = { { &fixture, heddle_schedule_new (fixture.diagram->id), heddle_region_new ("r.1") },
        self->free };
      g_autoptr (HeddleDerivation) found = NULL;

      all.brute.options = (HeddleDeriveOptions){ machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL,
        HEDDLE_OBJECTIVE_TIME, 1, FALSE };
      all.brute.operation = ((HeddleOperation *) g_ptr_array_index (fixture.diagram->operations, 0))->id;
      for (guint k = 0; k < fixture.diagram->operations->len; k++)
        heddle_ids_append (all.brute.region->operations,
            ((HeddleOperation *) g_ptr_array_index (fixture.diagram->operations, k))->id);
      g_ptr_array_add (all.brute.schedule->regions, all.brute.region);
      found = derive (&all.brute, TRUE);
      g_assert_true (found->exact);
      try_timed (&all);
      g_test_message (
          "%u SMs, %" G_GINT64_FORMAT " bytes: %g s", machines[i].sms, machines[i].capacity, all.best);
      g_assert_true (fixture_kernel (found, 0)->fits);
      g_assert_cmpfloat_with_epsilon (found->expected_s / all.best, 1., 1e-12);
      heddle_schedule_free (all.brute.schedule);
    }
}

/* What keeps a tile from being larger, and what lost: 10 groups have tiles of 410, and 9 would have tiles of 456, which with s = 1 hold
 * 2 * 456 * 128 + 2 * 128. */
static void
test_explained (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) tight = NULL, loose = NULL;

  fixture_init (&fixture, ATTENTION, NULL);
  tight = fixture_derive_abstract (&fixture, "all", NULL, 116224, HEDDLE_COLUMNS_OPERANDS, TRUE);
  g_assert_cmpstr (fixture_kernel (tight, 0)->binding, ==,
      "capacity: q in tiles of 456 would hold 116992 of 116224 elements");
  g_assert_nonnull (strstr (fixture_kernel (tight, 0)->runner_up, "streams, which does not fit"));
  loose = fixture_derive_abstract (&fixture, "all", NULL, 100000000, HEDDLE_COLUMNS_OPERANDS, TRUE);
  g_assert_cmpstr (fixture_kernel (loose, 0)->binding, ==, "nothing: what is read is read once");
}

static void
assert_kind (const char *text, const char *labels, HeddleStreamKind kind)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleDerivation) derivation = NULL;

  fixture_init (&fixture, text, NULL);
  derivation = fixture_derive_abstract (&fixture, "all", labels, 100000000, HEDDLE_COLUMNS_ALL, FALSE);
  g_assert_cmpint (fixture_kernel (derivation, 0)->stream_kind, ==, kind);
}

static void
test_kinds (void)
{
  assert_kind (ATTENTION, "q:group=64", HEDDLE_STREAM_NONE);
  assert_kind (ATTENTION, "q:stream=64", HEDDLE_STREAM_MAP);
  assert_kind (ATTENTION, "x:stream=64", HEDDLE_STREAM_MONOID);
  assert_kind ("X : [n=8, m=12]\nW : [m, k=6]\nY[n,k] = layernorm[m](X[n,m]) W[m,k]\n", "m:stream=4",
      HEDDLE_STREAM_MONOID);
  assert_kind ("X : [n=8, m=12]\nA[n] = sum[m](X[n,m]) / m\nV[n] = sum[m]((X[n,m] - A[n])^2) / m\n",
      "m:stream=4", HEDDLE_STREAM_MONOID);
  assert_kind ("X : [n=8, m=12]\nC[n,m] = cumsum[m](X[n,m])\n", "m:stream=4", HEDDLE_STREAM_MACHINE);
  assert_kind ("X : [n=8, m=12]\nW : [m, k=6]\nY[n,k] = l2norm[m](X[n,m]) W[m,k]\n", "m:stream=4",
      HEDDLE_STREAM_MONOID);
  g_assert_cmpstr (heddle_stream_kind_to_string (HEDDLE_STREAM_MACHINE), ==, "state machine");
}

/* --- kernels that are the same but for their names ------------------------------------------------ */

#define LAYER "X : f16[n=300, m=96]\nU : f16[m, k=112]\nA[n,k] = X[n,m] U[m,k]\n"

/* Kernel @i of the statements, each a kernel, with the best labels; @candidates: looked at for all of them. */
static double
time_best (const char *text, guint i, gboolean lean, guint64 *candidates)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("a100", 0, NULL);
  g_autoptr (HeddleDerivation) derivation = NULL;
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TIME, 1, TRUE };

  options.lean = lean;
  fixture_init (&fixture, text, NULL);
  derivation = fixture_derive (&fixture, "none", "", &options);
  *candidates = derivation->candidates;
  g_assert_true ((fixture_kernel (derivation, i)->binding == NULL) == lean);
  return fixture_kernel (derivation, i)->expected_s;
}

/* The second of two statements is as it would be alone; it is searched for where it differs by more than names. */
static void
test_cached (void)
{
  static const struct
  {
    const char *second;
    gboolean same;
  } seconds[] = {
    { "V : f16[m, k]\nB[n,k] = X[n,m] V[m,k]\n", TRUE },
    { "V : f32[m, k]\nB[n,k] = X[n,m] V[m,k]\n", FALSE },
    { "V : f16[m, p=113]\nB[n,p] = X[n,m] V[m,p]\n", FALSE },
    { "V : f16[m, k]\nB[n,k] = max[m](X[n,m] * V[m,k])\n", FALSE },
    { "V : f16[m, k]\nB[k,n] = X[n,m] V[m,k]\n", FALSE },
    { "V : f16[m, k]\nB[n,k] = exp(X[n,m] V[m,k])\n", FALSE },
  };
  guint64 one, alone, both;

  time_best (LAYER, 0, FALSE, &one);
  g_assert_cmpuint (one, >, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (seconds); i++)
    {
      g_autofree char *second
          = g_strconcat ("X : f16[n=300, m=96]\nT : f16[k=112]\n", seconds[i].second, NULL);
      g_autofree char *text = g_strconcat (LAYER, seconds[i].second, NULL);
      double expected = time_best (second, 0, FALSE, &alone);

      g_assert_cmpfloat (time_best (text, 1, FALSE, &both), ==, expected);
      g_assert_cmpuint (both, ==, seconds[i].same ? one : one + alone);
    }
}

/* What is told of the choice names axes: where nothing is, other names are no other kernel. */
static void
test_cached_lean (void)
{
  const char *const same = "V : f16[m, p=112]\nB[n,p] = X[n,m] V[m,p]\n";
  g_autofree char *text = g_strconcat (LAYER, same, NULL);
  g_autofree char *longer = g_strconcat (LAYER, "V : f16[m, p=113]\nB[n,p] = X[n,m] V[m,p]\n", NULL);
  guint64 one, told, both, other;
  const double expected = time_best (LAYER, 0, TRUE, &one);

  g_assert_cmpfloat (time_best (text, 1, FALSE, &told), ==, expected);
  g_assert_cmpuint (told, ==, 2 * one);
  g_assert_cmpfloat (time_best (text, 1, TRUE, &both), ==, expected);
  g_assert_cmpuint (both, ==, one);
  time_best (longer, 1, TRUE, &other);
  g_assert_cmpuint (other, >, one);
}

/* Of two statements one alone is an output: the other one's kernel has nothing to store, and so nothing to choose. */
static void
test_unread (gconstpointer objective)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("a100-80-sxm", 0, &error);
  HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, GPOINTER_TO_UINT (objective), 1, TRUE };
  g_autoptr (HeddleDerivation) derivation = NULL;
  g_auto (Fixture) fixture;
  const HeddleKernel *unread;

  g_assert_no_error (error);
  fixture_init (&fixture, "A : [y=64, x=32]\nB[y,x] = exp(A[y,x])\nC[y] = sum[x](A[y,x])\n", NULL);
  fixture.diagram->explicit_outputs = TRUE;
  heddle_ids_append (fixture.diagram->outputs, heddle_diagram_find_value (fixture.diagram, "C")->id);
  derivation = fixture_derive (&fixture, "none", "", &options);
  unread = fixture_kernel (derivation, 0);
  g_assert_cmpuint (unread->labels->len, ==, 0);
  g_assert_nonnull (unread->binding);
  g_assert_null (unread->runner_up);
  g_assert_true (unread->fits);
  g_assert_cmpfloat (unread->expected_s, ==, 0.);
  g_assert_cmpint (derivation->transfer_elements, ==, 64 * 32 + 64);
}

/* A search that may do less work than one look takes finds nothing, and says so; with room for some looks it finds something. */
static void
test_nothing_found (void)
{
  g_autoptr (GError) error = NULL, reason = NULL;
  g_autoptr (HeddleMachine) machine = heddle_machine_find ("a100-80-sxm", 0, &error);
  const HeddleDeriveOptions options
      = { machine, HEDDLE_DTYPE_F16, HEDDLE_COLUMNS_ALL, HEDDLE_OBJECTIVE_TIME, 1, TRUE };
  HeddleDeriveContext context = { NULL };
  HeddleDerivation totals = { 0 };
  HeddleSchedule *schedule;
  HeddleKernel *kernel;
  g_autoptr (GArray) operations = heddle_ids_new ();
  g_auto (Fixture) fixture;

  g_assert_no_error (error);
  fixture_init (&fixture, ATTENTION, NULL);
  schedule = heddle_schedule_fuse (fixture.diagram, NULL, "all", &error);
  g_assert_true (heddle_derive_context_init (
      &context, fixture.diagram, schedule, fixture.sizes, &options, NULL, &error));
  for (guint i = 0; i < fixture.diagram->operations->len; i++)
    heddle_ids_append (
        operations, ((const HeddleOperation *) g_ptr_array_index (fixture.diagram->operations, i))->id);
  context.most_work = 1;
  g_assert_null (heddle_kernel_new (&context, NULL, operations, &totals, &reason));
  g_assert_error (reason, HEDDLE_DERIVE_ERROR, HEDDLE_DERIVE_ERROR_CAPACITY);
  g_assert_nonnull (strstr (reason->message, "one look at its cost"));
  context.most_work = 100000;
  kernel = heddle_kernel_new (&context, NULL, operations, &totals, &error);
  g_assert_no_error (error);
  g_assert_true (kernel->program != NULL && kernel->labels->len > 0);
  heddle_kernel_unref (kernel);
  heddle_schedule_free (schedule);
}

/* Twenty axes have a million tiles in each of forty structures: the search ends, has labels to offer, and says that they are not proved. */
static void
test_many_axes (gconstpointer data)
{
  g_autoptr (HeddleMachine) machine = heddle_machine_find (data, 0, NULL);
  const HeddleDeriveOptions options
      = { .machine = machine, .objective = HEDDLE_OBJECTIVE_TIME, .suggest = TRUE };
  g_autoptr (GString) axes = g_string_new ("a1"), sized = g_string_new ("A : f32[a1=2");
  g_autoptr (HeddleDerivation) derivation = NULL;
  g_auto (Fixture) fixture;

  for (guint i = 2; i <= 20; i++)
    {
      g_string_append_printf (axes, ",a%u", i);
      g_string_append_printf (sized, ",a%u=2", i);
    }
  g_string_append_printf (sized, "]\nY[%s] = exp(A[%s])\n", axes->str, axes->str);
  fixture_init (&fixture, sized->str, NULL);
  derivation = fixture_derive (&fixture, "all", NULL, &options);
  g_assert_cmpuint (derivation->candidates, <, 2000000);
  g_assert_false (derivation->exact);
  g_assert_nonnull (strstr (derivation->unproved, "too many tiles to try"));
  g_assert_true (fixture_kernel (derivation, 0)->fits);
}

static guint n_freed;

static void
count_freed (gpointer data)
{
  n_freed++;
  g_free (data);
}

/* A cache tells entries of the code above apart by topic and key, and frees them with itself. */
static void
test_topics (void)
{
  HeddleSearchCache *cache = heddle_search_cache_new ();
  g_autoptr (GBytes) one = g_bytes_new ("one", 3), other = g_bytes_new ("other", 5),
                     same = g_bytes_new ("one", 3);

  g_assert_null (heddle_search_cache_lookup (cache, "first", one));
  heddle_search_cache_store (cache, "first", one, g_strdup ("1"), count_freed);
  heddle_search_cache_store (cache, "second", one, g_strdup ("2"), count_freed);
  g_assert_cmpstr (heddle_search_cache_lookup (cache, "first", same), ==, "1");
  g_assert_cmpstr (heddle_search_cache_lookup (cache, "second", same), ==, "2");
  g_assert_null (heddle_search_cache_lookup (cache, "first", other));
  g_assert_cmpuint (n_freed, ==, 0);
  heddle_search_cache_unref (cache);
  g_assert_cmpuint (n_freed, ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/search/%s", cases[i].name);

      g_test_add_data_func (path, &cases[i], test_case);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (timed); i++)
    {
      g_autofree char *path = g_strdup_printf ("/search/time/%s", timed[i].name);

      g_test_add_data_func (path, &timed[i], test_timed);
    }
  g_test_add_func ("/search/explained", test_explained);
  g_test_add_func ("/search/kinds", test_kinds);
  g_test_add_func ("/search/cached", test_cached);
  g_test_add_func ("/search/topics", test_topics);
  g_test_add_func ("/search/cached-lean", test_cached_lean);
  g_test_add_data_func ("/search/unread/time", GUINT_TO_POINTER (HEDDLE_OBJECTIVE_TIME), test_unread);
  g_test_add_data_func (
      "/search/unread/transfers", GUINT_TO_POINTER (HEDDLE_OBJECTIVE_TRANSFERS), test_unread);
  g_test_add_func ("/search/nothing-found", test_nothing_found);
  g_test_add_data_func ("/search/many-axes/gpu", "h100-sxm", test_many_axes);
  return g_test_run ();
}
