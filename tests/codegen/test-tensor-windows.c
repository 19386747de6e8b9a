/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/verify/plan.h"
#include "diagram/analysis/sizes.h"
#include "diagram/base/dtype.h"
#include "diagram/graph/diagram.h"

/* Convolutions on the tensor core: right at ragged sizes whatever the windows and the order of axes, and wrong where a kernel is damaged. */

typedef struct
{
  const char *name, *text, *labels;
  HeddleDtype dtype;
  const char *sizes[2];
  const char *tile; /* in the text of the tile program: the box, worked out by hand */
} Form;

static const Form forms[] = {
  /* rows of 8 x 8, windows of 3 x 3: 10 x 10 positions */
  { "image",
      "X : [b=2, h=11, w=9, c=40]\nF : [p=3, q=3, c, n=40]\nY[b,h,w,n] = X[b,h+p-1,w+q-1,c] F[p,q,c,n]\n",
      "b:group@smem=1 h:group@smem=8 w:group@smem=8 n:group@smem=32 c:stream@smem=16", HEDDLE_DTYPE_F16,
      { "b=2 c=17 n=20", "b=1 c=24 n=24" }, "windows of 10 x 10" },
  /* (2 * 3 + 2) + 1 of 4 x 4 rows two apart */
  { "strided",
      "X : [h=14, w=10, c=40]\nF : [p=3, q=3, c, n=40]\naxis i = 7\naxis j = 5\n"
      "Y[i,j,n] = X[2*i+p-1,2*j+q-1,c] F[p,q,c,n]\n",
      "i:group@smem=4 j:group@smem=4 n:group@smem=32 c:stream@smem=16", HEDDLE_DTYPE_BF16,
      { "c=19 n=33", "c=24 n=24" }, "windows of 9 x 9" },
  /* 16 rows and 3 taps 4 apart: 15 + 8 + 1 */
  { "dilated", "X : [x=70, c=40]\nW : [w=3, c, f=40]\naxis y = 70\nY[y,f] = relu(X[y+4*w-4,c] W[w,c,f])\n",
      "y:group@smem=16 f:group@smem=32 c:stream@smem=16", HEDDLE_DTYPE_F16, { "c=20 f=20", "c=24 f=24" },
      "windows of 24" },
  /* the image's rows are contiguous: element by element; 3 channels are not streamed, and 5 x 6 = 30 rows fill no tile */
  { "channels-first",
      "X : [c=3, u=17, v=19]\nW : [f=20, c, i=5, j=5]\naxis y = 7\naxis x = 8\nb : [f]\n"
      "Y[f,y,x] = X[c,2*y+i-2,2*x+j-2] W[f,c,i,j] + b[f]\n",
      "f:group@smem=16 y:group@smem=5 x:group@smem=6", HEDDLE_DTYPE_F16, { "f=20", NULL },
      "windows of 13 x 15" },
  { "matrices-along", "X : [x=70, c=40]\nW : [f=40, w=3, c]\naxis y = 35\nY[y,f] = X[2*y+w,c] W[f,w,c]\n",
      "y:group@smem=32 f:group@smem=16 c:stream@smem=32", HEDDLE_DTYPE_F16, { "c=37 f=37", "c=40 f=40" },
      "windows of 65" },
  { "projection",
      "X : [b=2, y=14, x=14, c=40]\nW : [c, n=40]\naxis v = 7\naxis w = 7\nY[b,v,w,n] = X[b,2*v,2*w,c] "
      "W[c,n]\n",
      "b:group@smem=1 v:group@smem=4 w:group@smem=8 n:group@smem=32 c:stream@smem=16", HEDDLE_DTYPE_TF32,
      { "b=1 c=19 n=20", "b=2 c=20 n=36" }, "windows of 7 x 13" },
  /* 14 x 8 rows are seven tiles of 16, of which four warps have two each: the last has no rows, nor windows */
  { "warps-not-full",
      "X : [h=28, w=16, c=40]\nF : [p=3, q=3, c, n=40]\nY[h,w,n] = X[h+p-1,w+q-1,c] F[p,q,c,n]\n",
      "h:group@smem=14 w:group@smem=8 n:group@smem=32 c:stream@smem=16", HEDDLE_DTYPE_F16,
      { "c=37 n=20", "c=40 n=24" }, "windows of 16 x 10" },
  /* chunks of 20, the second of which begins at no whole 16 bytes */
  { "longer-than-the-axis",
      "X : [x=70, c=20]\nW : [w=3, c, f=40]\naxis y = 70\nY[y,f] = X[y+w-1,c] W[w,c,f]\n",
      "y:group@smem=16 f:group@smem=32 c:stream@smem=32", HEDDLE_DTYPE_F16, { "c=40 f=40", "c=20 f=40" },
      "windows of 18" },
};

static void
init (Case *self, const Form *form)
{
  case_init (self, &(CaseOptions){ .text = form->text,
                       .fuse = "all",
                       .labels = form->labels,
                       .dtype = form->dtype,
                       .gpu = "a100-80-sxm",
                       .tensor = TRUE });
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
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_SM80);
  if (strstr (case_kernel (&self, 0)->tile_program, form->tile) == NULL)
    g_error ("“%s” is not in:\n%s", form->tile, case_kernel (&self, 0)->tile_program);
  for (guint i = 0; i < G_N_ELEMENTS (form->sizes) && form->sizes[i] != NULL; i++)
    {
      g_autoptr (HeddleSizes) sizes = case_sizes (&self, form->sizes[i]);

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

/* --- damaged kernels --- */

typedef struct
{
  const char *name;
  guint form, at; /* at: of its sizes */
  const char *from, *to;
} Mutation;

static const Mutation mutations[] = {
  { "halo-not-zero", 0, 1, "x >= 0 && x < n_across", "true" },
  { "halo-off-by-one", 0, 1, "y >= 0 && y < n_down", "y > 0 && y < n_down" },
  { "box-begins-late", 0, 1, "h_0 - 1", "h_0" },
  { "columns-behind-the-end", 0, 0, "&& column < columns", "" },
  { "not-swizzled-by-position", 0, 1, "(piece ^ at % 8)", "(piece ^ at % 4)" },
  { "read-without-swizzle", 0, 1, "(lane / 16 ^ place % 8)", "(lane / 16)" },
  { "tap-of-another-row", 0, 1, "place[m16] + p_0 * 10 + q_0", "place[m16] + p_0 * 8 + q_0" },
  { "matrix-of-another-tap", 0, 1, "(p_0 * q + q_0) * 2048, down", "(q_0 * q + p_0) * 2048, down" },
  { "row-of-the-box", 0, 1, "r / 8 * 10", "r / 8 * 8" },
  { "not-strided", 1, 1, "r % 4 * 2", "r % 4" },
  { "not-dilated", 2, 1, "place[m16] + w_0 * 4", "place[m16] + w_0" },
  { "elements-not-swizzled", 3, 0, "((byte % 128 / 16 ^ at % 8) << 4)", "(byte % 128 / 16 << 4)" },
  { "rows-behind-the-box", 3, 0, " / 6 < n_y && ", " / 6 < 5 && " },
  { "windows-of-no-rows", 6, 1, "min (warp_row + 16 * m16 + lane % 16, 111)",
      "warp_row + 16 * m16 + lane % 16" },
  { "barrier", 0, 1, "__syncthreads ();", "" },
};

static void
test_mutation (gconstpointer data)
{
  const Mutation *mutation = data;
  const Form *form = &forms[mutation->form];
  g_auto (Case) self = { 0 };
  g_autoptr (GPtrArray) results = NULL;
  HeddleKernelText *text;
  const char *found;
  char *device;

  if (!case_has_cuda ())
    return;
  init (&self, form);
  text = case_kernel (&self, 0);
  found = strstr (text->device, mutation->from);
  if (found == NULL)
    g_error ("%s: “%s” is not in:\n%s", mutation->name, mutation->from, text->kernel);
  device = g_strdup_printf (
      "%.*s%s%s", (int) (found - text->device), text->device, mutation->to, found + strlen (mutation->from));
  g_free (text->device);
  text->device = device;
  g_assert_false (verify (&self, form->sizes[mutation->at], &results)->passed);
}

/* --- what is none of it --- */

typedef struct
{
  const char *name, *text, *why;
  HeddleFamily instead;
} Refused;

static const Refused refused[] = {
  { "flipped", "X : [x=64, c=32]\nW : [w=3, c, f=32]\naxis y = 60\nY[y,f] = X[y-w+2,c] W[w,c,f]\n", "flipped",
      HEDDLE_FAMILY_GENERAL },
  { "no-channels", "X : [x=64]\nW : [w=3, f=32]\naxis y = 60\nY[y,f] = X[y+w] W[w,f]\n", "only windows are",
      HEDDLE_FAMILY_ROWS },
  { "made",
      "X : [x=64, c=32]\nW : [w=3, c, f=32]\naxis y = 62\nH[x,c] = relu(X[x,c])\nY[y,f] = H[y+w,c] "
      "W[w,c,f]\n",
      "made in the kernel", HEDDLE_FAMILY_GENERAL },
  { "no-sum", "X : [x=64, c=32]\nW : [c, f=32]\naxis y = 128\nY[y,f] = X[floor(y/2),c] W[c,f]\n",
      "not sums of indices", HEDDLE_FAMILY_GENERAL },
  { "depthwise", "X : [x=64, c=32]\nW : [w=3, c]\naxis y = 60\nY[y,c] = X[y+w,c] W[w,c]\n", "",
      HEDDLE_FAMILY_ROWS },
};

static void
test_refused (gconstpointer data)
{
  const Refused *row = data;
  g_auto (Case) self = { 0 };

  case_init (
      &self, &(CaseOptions){ .text = row->text, .fuse = "all", .gpu = "a100-80-sxm", .automatic = TRUE });
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, row->instead);
  if (row->instead == HEDDLE_FAMILY_GENERAL
      && strstr (case_kernel (&self, 0)->family_reason, row->why) == NULL)
    g_error ("“%s” is not in “%s”", row->why, case_kernel (&self, 0)->family_reason);
}

int
main (int argc, char **argv)
{
  gboolean thorough = case_is_long (&argc, argv);

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autofree char *path = g_strconcat ("/tensor-windows/right/", forms[i].name, NULL);

      g_test_add_data_func (path, &forms[i], thorough ? test_throughout : test_right);
    }
  if (thorough)
    return g_test_run ();
  for (guint i = 0; i < G_N_ELEMENTS (mutations); i++)
    {
      g_autofree char *path = g_strconcat ("/tensor-windows/damaged/", mutations[i].name, NULL);

      g_test_add_data_func (path, &mutations[i], test_mutation);
    }
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++)
    {
      g_autofree char *path = g_strconcat ("/tensor-windows/refused/", refused[i].name, NULL);

      g_test_add_data_func (path, &refused[i], test_refused);
    }
  return g_test_run ();
}
