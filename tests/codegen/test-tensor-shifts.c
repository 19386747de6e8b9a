/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* Products on the tensor core of parts of an array: attention of queries, keys and values that lie in one array is a kernel that reads them where they
 * lie. It is right at ragged sizes, and where arguments let parts end after the array. */

typedef struct
{
  const char *name, *text, *labels;
  HeddleDtype dtype;
  gboolean warpgroups, copies;
  const char *sizes[2];
  const char *tile; /* in the text of the tile program */
} Form;

#define SCORES                                                                                               \
  "a[h,s,t] = q[h,s,k] r[h,t,k] * k^-0.5\n"                                                                  \
  "y[h,s,j] = softmax[t](where(t <= s, a[h,s,t], -inf)) v[h,t,j]\n-> y\n"
/* heads of 48 behind one another: queries, then keys, then values */
#define BESIDE(more)                                                                                         \
  "axis h = 3\naxis k = 48\naxis j = 48\nx : [s=100, i=" more "]\nq[h,s,k] = x[s,(h k)]\n"                   \
  "r[h,t=100,k] = x[t,h*48+k+144]\nv[h,t,j] = x[t,h*48+j+288]\n" SCORES
/* of three parts the middle one is the keys */
#define PARTS                                                                                                \
  "x : [s=100, c=3, h=3, k=64]\naxis j = 64\nq[h,s,k] = x[s,0,h,k]\nr[h,t=100,k] = x[t,1,h,k]\n"             \
  "v[h,t,j] = x[t,2,h,j]\n" SCORES
#define LABELS "h:group@smem=1 s:group@smem=64 t:stream@smem=32"

static const Form forms[] = {
  { "beside", BESIDE ("432"), LABELS, HEDDLE_DTYPE_F16, FALSE, FALSE, { "s=77 t=77", "h=2 s=64 t=64" },
      "tile x_2: f16[t 32][k 48] shared at 8192, ring of 2, point 0, i from 48*h + 144\n" },
  { "beside-bf16", BESIDE ("432"), LABELS, HEDDLE_DTYPE_BF16, FALSE, FALSE, { "s=33 t=33", NULL },
      "i from 48*h + 288\n" },
  { "beside-warpgroups", BESIDE ("432"), LABELS, HEDDLE_DTYPE_F16, TRUE, TRUE,
      { "s=77 t=77", "h=1 s=65 t=65" }, "i from 48*h + 288\n" },
  { "parts", PARTS, LABELS, HEDDLE_DTYPE_F16, FALSE, FALSE, { "s=77 t=77", "h=2 s=64 t=64" }, "c from 1\n" },
  { "parts-by-boxes", PARTS, LABELS " j:group@smem=64", HEDDLE_DTYPE_F16, TRUE, FALSE,
      { "s=77 t=77", "h=2 s=64 t=64" }, "c from 2\n" },
  /* a part that begins at no whole piece of 16 bytes comes element by element */
  { "odd",
      "axis h = 3\naxis k = 48\naxis j = 48\nx : [s=100, i=435]\nq[h,s,k] = x[s,h*48+k+3]\n"
      "r[h,t=100,k] = x[t,h*48+k+144]\nv[h,t,j] = x[t,h*48+j+288]\n" SCORES,
      LABELS, HEDDLE_DTYPE_F16, FALSE, FALSE, { "s=77 t=77", NULL }, "i from 48*h + 3, by elements\n" },
  /* where parts begin follows from a size that is an argument: at whole pieces, or not */
  { "sized",
      "axis h = 3\naxis k = 48\naxis j = 48\nx : [s=100, i=432]\nq[h,s,k] = x[s,(h k)]\n"
      "r[h,t=100,k] = x[t,h*48+k+144]\nv[h,t,j] = x[t,h*size(j)+j+288]\n" SCORES,
      LABELS " j:group@smem=16", HEDDLE_DTYPE_F16, FALSE, FALSE, { "s=77 t=77 j=20", "s=64 t=64 j=24" },
      "i from h*j + 288" },
  /* what is added to a product is read where it is needed */
  { "residual",
      "axis n = 80\nX : [s=100, m=64]\nW : [m, n]\nR : [s, i=160]\nY[s,n] = X[s,m] W[m,n] + R[s,n+80]\n",
      "s:group@smem=32 n:group@smem=32 m:stream@smem=32", HEDDLE_DTYPE_F16, FALSE, FALSE,
      { "s=77 n=40", "s=100 n=80" }, "tile R: f16 global\n" },
};

static void
init (Case *self, const Form *form)
{
  case_init (self, &(CaseOptions){ .text = form->text,
                       .fuse = "all",
                       .labels = form->labels,
                       .dtype = form->dtype,
                       .gpu = form->warpgroups ? "h100-sxm" : "a100-80-sxm",
                       .tensor = !form->warpgroups,
                       .warpgroups = form->warpgroups,
                       .copies = form->copies });
}

static void
test_right (gconstpointer data)
{
  const Form *form = data;
  g_auto (Case) self = { 0 };

  if (!case_has_cuda ())
    return;
  init (&self, form);
  g_assert_cmpint (
      case_kernel (&self, 0)->family, ==, form->warpgroups ? HEDDLE_FAMILY_SM90 : HEDDLE_FAMILY_SM80);
  g_assert_cmpuint (case_kernel (&self, 0)->maps->len, ==, form->warpgroups && !form->copies ? 3 : 0);
  if (strstr (case_kernel (&self, 0)->tile_program, form->tile) == NULL)
    g_error ("“%s” is not in:\n%s", form->tile, case_kernel (&self, 0)->tile_program);
  for (guint i = 0; i < G_N_ELEMENTS (form->sizes) && form->sizes[i] != NULL; i++)
    {
      g_autoptr (HeddleSizes) sizes = case_sizes (&self, form->sizes[i]);

      case_assert_right (self.plan, sizes, 1);
    }
}

/* The array ends within the last part, or before it. */
static void
test_short (void)
{
  g_auto (Case) self = { 0 };

  if (!case_has_cuda ())
    return;
  init (&self, &forms[0]);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *at = g_strdup_printf ("h=%u s=40 t=40", i + 3);
      g_autoptr (HeddleSizes) sizes = case_sizes (&self, at);

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

int
main (int argc, char **argv)
{
  gboolean all = case_is_long (&argc, argv);

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autofree char *path = g_strdup_printf ("/tensor-shifts/%s", forms[i].name),
                      *throughout = g_strdup_printf ("/tensor-shifts/%s/throughout", forms[i].name);

      g_test_add_data_func (path, &forms[i], test_right);
      if (all)
        g_test_add_data_func (throughout, &forms[i], test_throughout);
    }
  g_test_add_func ("/tensor-shifts/short", test_short);
  return g_test_run ();
}
