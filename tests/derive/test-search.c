/* SPDX-License-Identifier: MIT */
#include "fixture.h"

/* The search against all labels there are, at small sizes and all memories. */

typedef struct
{
  const char *name, *text;
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
      HEDDLE_STREAM_MACHINE);
  assert_kind ("X : [n=8, m=12]\nW : [m, k=6]\nY[n,k] = l2norm[m](X[n,m]) W[m,k]\n", "m:stream=4",
      HEDDLE_STREAM_MONOID);
  g_assert_cmpstr (heddle_stream_kind_to_string (HEDDLE_STREAM_MACHINE), ==, "state machine");
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
  g_test_add_func ("/search/explained", test_explained);
  g_test_add_func ("/search/kinds", test_kinds);
  return g_test_run ();
}
