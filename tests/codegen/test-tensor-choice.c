/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/verify/plan.h"
#include "codegen/verify/ptx.h"
#include "codegen/verify/verify.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* Matrices that rows choose, as mixtures of experts have them, on the tensor core: right at ragged sizes, for rows whose choice is outside as well,
 * and wrong where a kernel is damaged. */

typedef struct
{
  const char *name, *text, *labels;
  const char *sizes[4];
} Form;

#define TILES "t:group@smem=32 f:group@smem=32 m:stream@smem=16"

static const Form forms[] = {
  { "experts", "X : f16[t=90, m=80]\nI : i64[t]\nW : f16[e=5, m, f=70]\nY[t,f] = X[t,m] W[I[t],m,f]\n", TILES,
      { "t=67 m=56 f=40 e=9", "t=40 m=45 f=37", "t=1 m=16 f=1 e=1",
          /* so many matrices that rows are not sorted by them */
          "t=40 m=16 f=8 e=520" } },
  /* two for each row, which are told one from the other by their number */
  { "two-of-them",
      "X : bf16[t=90, m=80]\nI : i32[t, s=2]\nW : bf16[e=5, f=70, m]\nY[t,s,f] = X[t,m] W[I[t,s],f,m]\n",
      "s:group@smem=1 " TILES, { "t=67 m=45 f=37", "t=40 m=48 f=40" } },
  { "two-of-them-first",
      "X : bf16[t=90, m=80]\nI : i32[s=2, t]\nW : bf16[e=5, f=70, m]\nY[t,s,f] = X[t,m] W[I[s,t],f,m]\n",
      "s:group@smem=1 " TILES, { "t=67 m=45 f=37", "t=40 m=48 f=40 s=3" } },
  /* all batches choose the same */
  { "batches",
      "X : f16[b=3, t=90, m=80]\nI : i64[t]\nW : f16[e=5, m, f=70]\nY[b,t,f] = X[b,t,m] W[I[t],m,f]\n",
      "b:group@smem=1 " TILES, { "b=2 t=67 m=45 f=37", "b=2 t=40 m=48 f=40" } },
  /* a gate of two matrices of the same choice, and what is done with their products */
  { "gate",
      "X : f16[t=90, m=80]\nI : i64[t]\nW : f16[e=5, m, f=70]\nV : f16[e, m, f]\nP : f16[t]\n"
      "U[t,f] = X[t,m] W[I[t],m,f]\nH[t,f] = X[t,m] V[I[t],m,f]\nY[t,f] = P[t] silu(U[t,f]) H[t,f]\n",
      TILES, { "t=67 m=45 f=37", "t=40 m=48 f=40" } },
};

/* If it is set, warpgroups make the products, and each block has the rows of two warpgroups. */
static gboolean by_groups;

#define ROWS "t:group@smem="

static void
init (Case *self, const Form *form)
{
  const char *rows = strstr (form->labels, ROWS "32");
  g_autofree char *larger = g_strdup_printf (
      "%.*s" ROWS "128%s", (int) (rows - form->labels), form->labels, rows + strlen (ROWS "32"));

  case_init (self, &(CaseOptions){ .text = form->text,
                       .fuse = "all",
                       .labels = by_groups ? larger : form->labels,
                       .gpu = by_groups ? "h100-sxm" : "a100-80-sxm",
                       .tensor = !by_groups,
                       .warpgroups = by_groups });
  g_assert_cmpint (case_kernel (self, 0)->family, ==, by_groups ? HEDDLE_FAMILY_SM90 : HEDDLE_FAMILY_SM80);
}

static const HeddleVerification *
verify (const Case *self, const char *at, GPtrArray **results)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleSizes) sizes = case_sizes (self, at);

  *results = heddle_plan_verify (self->plan, sizes, HEDDLE_VERIFY_CPU, 1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint ((*results)->len, ==, 1);
  return g_ptr_array_index (*results, 0);
}

static void
test_right (gconstpointer data)
{
  const Form *form = data;
  g_auto (Case) self = { 0 };

  if (!case_has_cuda ())
    return;
  init (&self, form);
  for (guint i = 0; i < G_N_ELEMENTS (form->sizes) && form->sizes[i] != NULL; i++)
    {
      g_autoptr (HeddleSizes) sizes = case_sizes (&self, form->sizes[i]);

      case_assert_right (self.plan, sizes, 1);
    }
}

/* Ragged sizes of several blocks of warpgroups. */
static const char *const large[] = { "t=150 m=45 f=37", "t=260 m=48 f=40", "t=1 m=16 f=1 e=1" };

static void
test_right_by_groups (gconstpointer data)
{
  g_auto (Case) self = { 0 };

  if (!case_has_cuda ())
    return;
  by_groups = TRUE;
  init (&self, data);
  by_groups = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (large); i++)
    {
      g_autoptr (HeddleSizes) sizes = case_sizes (&self, large[i]);

      case_assert_right (self.plan, sizes, 1);
    }
}

/* At sizes of all kinds, from three seeds. */
static void
test_throughout (gconstpointer data)
{
  g_auto (Case) self = { 0 };

  if (!case_has_cuda ())
    return;
  init (&self, data);
  case_assert_right_throughout (self.plan, self.plan->sizes);
}

/* A kernel with too many blocks has some of them interpreted. They write the rows that are dealt out to them, and the
 * comparison has to know which rows these are. */
static void
test_sampled (void)
{
  g_autoptr (GPtrArray) results = NULL;
  g_auto (Case) self = { 0 };
  const HeddleVerification *result;

  if (!case_has_cuda ())
    return;
  init (&self, &forms[1]);
  result = verify (&self, "t=320 m=320 f=640", &results);
  g_assert_true (result->passed);
  g_test_message ("%s", result->detail);
  g_assert_nonnull (strstr (result->detail, " blocks, "));
}

/* --- outside --- */

static void
add_array (GHashTable *arrays, const HeddleKernelText *text, const char *name, const HeddleDiagram *diagram,
    HeddleArray *array)
{
  for (guint i = 0; i < text->parameters->len; i++)
    {
      const HeddleKernelParameter *parameter = g_ptr_array_index (text->parameters, i);

      if (parameter->value != NULL
          && g_strcmp0 (heddle_diagram_get_value (diagram, parameter->value)->name, name) == 0)
        g_hash_table_insert (arrays, (gpointer) parameter->value, array);
    }
}

static HeddleArray *
new_array (HeddleDtype dtype, guint n, const gint64 *shape)
{
  HeddleArray *array = heddle_array_new (dtype, n, shape, NULL);

  for (gint64 i = 0; i < array->n_elements; i++)
    array->data[i] = 1;
  return array;
}

/* Of arrays of ones the sum over m is m; of a row whose choice is none of the five matrices it is 0. */
static void
test_outside (void)
{
  static const gint64 rows[] = { 40, 20 }, matrices[] = { 5, 20, 24 };
  g_auto (Case) self = { 0 };
  g_autoptr (GHashTable) arrays
      = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_array_unref);
  g_autoptr (HeddleVerification) result = g_new0 (HeddleVerification, 1);
  g_autoptr (HeddleSizes) sizes = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *summary = NULL;
  const HeddleArray *made;
  HeddleArray *choices;
  HeddleVerifyRun run;

  if (!case_has_cuda ())
    return;
  init (&self, &forms[0]);
  sizes = case_sizes (&self, "t=40 m=20 f=24 e=5");
  choices = new_array (HEDDLE_DTYPE_I64, 1, rows);
  for (gint64 i = 0; i < rows[0]; i++)
    choices->data[i] = (double) (i % 9 - 2); /* -2 … 6 */
  add_array (arrays, case_kernel (&self, 0), "I", self.diagram, choices);
  add_array (arrays, case_kernel (&self, 0), "X", self.diagram, new_array (HEDDLE_DTYPE_F16, 2, rows));
  add_array (arrays, case_kernel (&self, 0), "W", self.diagram, new_array (HEDDLE_DTYPE_F16, 3, matrices));
  run = (HeddleVerifyRun){ .diagram = self.diagram,
    .sizes = sizes,
    .texts = self.plan->texts,
    .dtype = HEDDLE_DTYPE_F16,
    .seed = 1,
    .arrays = arrays };
  g_assert_true (heddle_verify_interpret (&run, case_kernel (&self, 0), result, &summary, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (result->detail, ==, NULL);
  made = g_hash_table_lookup (arrays, heddle_ids_index (case_kernel (&self, 0)->program->outputs, 0));
  for (gint64 i = 0; i < made->n_elements; i++)
    {
      double choice = choices->data[i / 24];

      g_assert_cmpfloat (made->data[i], ==, choice >= 0 && choice < 5 ? 20 : 0);
    }
}

/* --- damaged kernels --- */

typedef struct
{
  const char *name, *from, *to;
  guint at; /* which occurrence, from 0 */
} Mutation;

static const Mutation mutations[] = {
  { "counted-before-cleared", "__syncthreads ();", "", 0 },
  { "summed-before-counted", "__syncthreads ();", "", 1 },
  { "placed-before-summed", "__syncthreads ();", "", 2 },
  { "dealt-before-placed", "__syncthreads ();", "", 3 },
  { "read-before-dealt", "__syncthreads ();", "", 4 },
  { "read-before-in-tables", "__syncthreads ();", "", 5 },
  { "no-barrier-in-a-step", "__syncthreads ();", "", 6 },
  { "no-barrier-behind-a-pass", "__syncthreads ();", "", 7 },
  { "two-rows-in-one-place", "counts[at] + __popc (same & ((1u << lane) - 1)) - first", "counts[at] - first",
      0 },
  { "places-not-moved-on", "counts[at] += __popc (same);", "", 0 },
  { "first-matrix-left-out", "matrix >= counts[end]", "matrix > counts[end]", 0 },
  { "last-matrix-left-out", "matrix <= counts[end + 1]", "matrix < counts[end + 1]", 0 },
  { "row-of-another-block", "(t_0 / TILE_t) * TILE_t", "0", 0 },
  { "row-read-where-it-stood", "dealt_t[at] * m", "at * m", 0 },
  { "weak-wait", "wait_for_copies<1> ();", "wait_for_copies<2> ();", 0 },
  { "first-choice-left-out", "long long e_0 = -1;", "long long e_0 = 0;", 0 },
  { "choice-left-out", "choice > last && choice < next", "choice > last + 1 && choice < next", 0 },
  { "last-rows-left-out", "row < rows; row += 32", "row < rows / 2; row += 32", 0 },
  { "lanes-not-compared", "int apart = 16; apart > 0", "int apart = 16; apart > 16", 0 },
  { "rows-of-others-saved", "(row + 8 * half < n_dealt && choice_of (choices[row + 8 * half], e) == e_0)",
      "(row + 8 * half < n_dealt)", 0 },
  { "warp-not-asked", "chosen = __any_sync (0xffffffff, chosen);", "", 0 },
  { "matrix-of-another", "W + (e_0 * m + m_0) * f", "W + ((e_0 + 1) % e * m + m_0) * f", 0 },
  { "sum-not-begun-anew", "y[n8][e4] = 0.0f;", "if (e_0 == 0) y[n8][e4] = 0.0f;", 0 },
};

/* Asserts that a damaged kernel is found out at the sizes @at. */
static void
assert_found (const Mutation *mutation, const char *at)
{
  g_auto (Case) self = { 0 };
  g_autoptr (GPtrArray) results = NULL;
  HeddleKernelText *text;
  const char *found;
  char *device;

  init (&self, &forms[0]);
  text = case_kernel (&self, 0);
  found = strstr (text->device, mutation->from);
  for (guint i = 0; i < mutation->at && found != NULL; i++)
    found = strstr (found + 1, mutation->from);
  if (found == NULL)
    g_error ("%s: “%s” is not in:\n%s", mutation->name, mutation->from, text->kernel);
  device = g_strdup_printf (
      "%.*s%s%s", (int) (found - text->device), text->device, mutation->to, found + strlen (mutation->from));
  g_free (text->device);
  text->device = device;
  g_assert_false (verify (&self, at, &results)->passed);
}

static void
test_mutation (gconstpointer data)
{
  if (case_has_cuda ())
    assert_found (data, forms[0].sizes[0]);
}

static const Mutation mutations_by_groups[] = {
  { "no-barrier-in-a-step", "__syncthreads ();", "", 6 },
  { "no-barrier-behind-a-pass", "__syncthreads ();", "", 7 },
  { "writes-not-published", "publish_writes ();", "", 0 },
  { "rows-of-others-saved", "(row + 8 * half < n_dealt && choice_of (choices[row + 8 * half], e) == e_0)",
      "(row + 8 * half < n_dealt)", 0 },
  { "row-read-where-it-stood", "dealt_t[at] * m", "at * m", 1 },
  { "matrix-of-another", "W + (e_0 * m + m_0) * f", "W + ((e_0 + 1) % e * m + m_0) * f", 1 },
  { "sum-not-begun-anew", "y[n8][e4] = 0.0f;", "if (e_0 == 0) y[n8][e4] = 0.0f;", 0 },
};

static void
test_mutation_by_groups (gconstpointer data)
{
  if (!case_has_cuda ())
    return;
  by_groups = TRUE;
  assert_found (data, large[0]);
  by_groups = FALSE;
}

/* --- the text, and what is none of it --- */

static void
test_text (void)
{
  g_auto (Case) self = { 0 };
  const HeddleKernelText *text;

  case_init (
      &self, &(CaseOptions){ .text = "X : f16[t=4096, m=1024]\nI : i64[t, s=2]\nW : f16[e=8, m, f=2048]\n"
                                     "Y[t,s,f] = X[t,m] W[I[t,s],m,f]\n",
                 .gpu = "a100-80-sxm",
                 .automatic = TRUE });
  text = case_kernel (&self, 0);
  g_assert_cmpint (text->family, ==, HEDDLE_FAMILY_SM80);
  g_assert_nonnull (strstr (text->family_choice, "rows are dealt out to blocks"));
  g_assert_nonnull (strstr (text->kernel, "const int n_dealt = deal_rows<"));
  g_assert_nonnull (strstr (text->kernel, "while ((e_0 = next_choice ("));
  g_assert_nonnull (strstr (text->kernel, "m_end = e_0 < e ? m : 0;"));
}

static const struct
{
  const char *name, *text, *why;
} refused[] = {
  { "worked-out", "X : f16[t=96, m=80]\nI : i64[t]\nW : f16[e=5, m, f=70]\nY[t,f] = X[t,m] W[I[t]+1,m,f]\n",
      "computed indices" },
  { "by-two",
      "X : f16[t=96, m=80]\nI : i64[t]\nJ : i64[t]\nW : f16[e=5, m, f=70]\nV : f16[e, m, f]\n"
      "Y[t,f] = sum[m](X[t,m] W[I[t],m,f]) + sum[m](X[t,m] V[J[t],m,f])\n",
      "by other indices" },
};

static void
test_refused (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_auto (Case) self = { 0 };

      case_init (&self, &(CaseOptions){ .text = refused[i].text,
                            .fuse = "all",
                            .labels = TILES,
                            .gpu = "a100-80-sxm",
                            .automatic = TRUE });
      g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_GENERAL);
      if (strstr (case_kernel (&self, 0)->family_reason, refused[i].why) == NULL)
        g_error ("“%s” is not in “%s”", refused[i].why, case_kernel (&self, 0)->family_reason);
    }
}

int
main (int argc, char **argv)
{
  gboolean thorough = case_is_long (&argc, argv);

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autofree char *path = g_strconcat ("/tensor-choice/right/", forms[i].name, NULL);

      g_test_add_data_func (path, &forms[i], thorough ? test_throughout : test_right);
    }
  for (guint i = 0; !thorough && i < G_N_ELEMENTS (forms); i++)
    {
      g_autofree char *path = g_strconcat ("/tensor-choice/right-by-groups/", forms[i].name, NULL);

      g_test_add_data_func (path, &forms[i], test_right_by_groups);
    }
  if (thorough)
    return g_test_run ();
  g_test_add_func ("/tensor-choice/outside", test_outside);
  g_test_add_func ("/tensor-choice/sampled", test_sampled);
  for (guint i = 0; i < G_N_ELEMENTS (mutations); i++)
    {
      g_autofree char *path = g_strconcat ("/tensor-choice/damaged/", mutations[i].name, NULL);

      g_test_add_data_func (path, &mutations[i], test_mutation);
    }
  for (guint i = 0; i < G_N_ELEMENTS (mutations_by_groups); i++)
    {
      g_autofree char *path
          = g_strconcat ("/tensor-choice/damaged-by-groups/", mutations_by_groups[i].name, NULL);

      g_test_add_data_func (path, &mutations_by_groups[i], test_mutation_by_groups);
    }
  g_test_add_func ("/tensor-choice/text", test_text);
  g_test_add_func ("/tensor-choice/refused", test_refused);
  return g_test_run ();
}
