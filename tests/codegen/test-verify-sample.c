/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/verify/launch.h"
#include "codegen/verify/sample.h"
#include "codegen/verify/verify.h"
#include "diagram/base/array.h"
#include "diagram/base/dtype.h"

/* Of a kernel with too many blocks some are run: what each of them wrote is compared, and all else is what should be there. */

typedef struct
{
  Case self;
  HeddleVerifyRun run;
  HeddleVerifyLaunch launch;
  const char *output; /* value id */
} Fixture;

static void
setup (Fixture *fixture)
{
  const HeddleKernelText *text;
  const gint64 shape[] = { 10, 9 };

  case_init (&fixture->self, &(CaseOptions){ .text = "A : [x=10, y=9]\nB[x,y] = A[x,y] + 1\n",
                                 .fuse = "all",
                                 .labels = "x:group@smem=4 y:group@smem=2",
                                 .dtype = HEDDLE_DTYPE_F16 });
  text = case_kernel (&fixture->self, 0);
  fixture->output = ((HeddleKernelParameter *) g_ptr_array_index (text->parameters, 1))->value;
  fixture->run = (HeddleVerifyRun){ .diagram = fixture->self.diagram,
    .sizes = fixture->self.plan->sizes,
    .texts = fixture->self.plan->texts,
    .dtype = HEDDLE_DTYPE_F16,
    .seed = 7,
    .arrays = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_array_unref),
    .reference = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) heddle_array_unref) };
  fixture->launch
      = (HeddleVerifyLaunch){ .run = &fixture->run, .sizes = fixture->self.plan->sizes, .text = text };
  for (guint i = 0; i < 2; i++)
    {
      HeddleArray *array = heddle_array_new (HEDDLE_DTYPE_F16, 2, shape, NULL);

      for (gint64 k = 0; k < array->n_elements; k++)
        array->data[k] = i == 0 ? NAN : (double) k;
      g_hash_table_insert (
          i == 0 ? fixture->run.arrays : fixture->run.reference, (gpointer) fixture->output, array);
    }
}

static void
teardown (Fixture *fixture)
{
  g_hash_table_unref (fixture->run.arrays);
  g_hash_table_unref (fixture->run.reference);
  case_clear (&fixture->self);
}

/* 3 x 5 blocks. */
static void
test_sample (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GArray) few = NULL;

  setup (&fixture);
  g_assert_cmpuint (heddle_kernel_text_blocks (fixture.launch.text, fixture.launch.sizes), ==, 15);
  g_assert_null (heddle_verify_sample (&fixture.launch, 100, 1500));
  few = heddle_verify_sample (&fixture.launch, 100, 500);
  g_assert_cmpuint (few->len, >=, 2);
  g_assert_cmpuint (few->len, <=, 5);
  g_assert_cmpuint (g_array_index (few, guint, 0), ==, 0);
  g_assert_cmpuint (g_array_index (few, guint, few->len - 1), ==, 14);
  teardown (&fixture);
}

/* Block 6 is the second of 3 down and the second of 5 across: rows 4 to 7, columns 2 and 3. */
static void
test_complete (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GArray) sample = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (HeddleVerification) result = g_new0 (HeddleVerification, 1);
  const guint block = 6;
  HeddleArray *array;

  setup (&fixture);
  array = g_hash_table_lookup (fixture.run.arrays, fixture.output);
  g_array_append_val (sample, block);
  heddle_verify_complete (&fixture.launch, sample, result);
  g_assert_null (result->detail);
  for (gint64 k = 0; k < array->n_elements; k++)
    {
      gboolean own = k / 9 >= 4 && k / 9 < 8 && k % 9 >= 2 && k % 9 < 4;

      g_assert_true (own ? isnan (array->data[k]) : array->data[k] == (double) k);
    }
  teardown (&fixture);
}

static void
test_trespass (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GArray) sample = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (HeddleVerification) result = g_new0 (HeddleVerification, 1);
  const guint block = 6;

  setup (&fixture);
  g_array_append_val (sample, block);
  ((HeddleArray *) g_hash_table_lookup (fixture.run.arrays, fixture.output))->data[8 * 9 + 2] = 74;
  heddle_verify_complete (&fixture.launch, sample, result);
  g_assert_nonnull (result->detail);
  teardown (&fixture);
}

/* Whole numbers and truth values that nobody wrote are none of a block's. */
static void
test_no_reals (void)
{
  static const struct
  {
    HeddleDtype dtype;
    double untouched, touched;
  } rows[] = { { HEDDLE_DTYPE_I32, -1, 3 }, { HEDDLE_DTYPE_I64, -1, 0 }, { HEDDLE_DTYPE_BOOL, 1, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      Fixture fixture = { 0 };
      g_autoptr (GArray) sample = g_array_new (FALSE, FALSE, sizeof (guint));
      g_autoptr (HeddleVerification) result = g_new0 (HeddleVerification, 1);
      const guint block = 6;
      HeddleArray *array;

      setup (&fixture);
      ((HeddleKernelParameter *) g_ptr_array_index (fixture.launch.text->parameters, 1))->dtype
          = rows[i].dtype;
      array = g_hash_table_lookup (fixture.run.arrays, fixture.output);
      for (gint64 k = 0; k < array->n_elements; k++)
        array->data[k] = rows[i].untouched;
      g_array_append_val (sample, block);
      heddle_verify_complete (&fixture.launch, sample, result);
      g_assert_null (result->detail);
      array->data[8 * 9 + 2] = rows[i].touched;
      heddle_verify_complete (&fixture.launch, sample, result);
      g_assert_nonnull (result->detail);
      teardown (&fixture);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/verify-sample/sample", test_sample);
  g_test_add_func ("/verify-sample/complete", test_complete);
  g_test_add_func ("/verify-sample/trespass", test_trespass);
  g_test_add_func ("/verify-sample/no-reals", test_no_reals);
  return g_test_run ();
}
