/* SPDX-License-Identifier: MIT */

/* A plan is given up wherever it is when it is cancelled: this program's own g_cancellable_is_cancelled () and
 * g_cancellable_set_error_if_cancelled () stand before the library's, and say so at a chosen question. */

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/plan/plan.h"
#include "diagram/base/dtype.h"
#include "diagram/base/problem.h"
#include "diagram/document/document.h"
#include "diagram/document/snapshot.h"
#include "diagram/graph/diagram.h"
#include "files/equations/document.h"

static guint n_asked, limit; /* 0: never */

gboolean
g_cancellable_is_cancelled (GCancellable *cancellable)
{
  return cancellable != NULL && ++n_asked >= limit && limit > 0;
}

gboolean
g_cancellable_set_error_if_cancelled (GCancellable *cancellable, GError **error)
{
  if (!g_cancellable_is_cancelled (cancellable))
    return FALSE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Operation was cancelled");
  return TRUE;
}

typedef struct
{
  const char *name, *text;
  gboolean thorough;
  guint most; /* of the questions that are answered so, evenly chosen */
} Form;

static const Form forms[] = {
  { "attention", ATTENTION, FALSE, 100 },
  { "cross-attention-thorough", ATTENTION_AT (512, 384, 64) "R[y,k] = O[y,k] + Q[y,k]\n", TRUE, 200 },
  { "attention-layer-thorough",
      "X : f16[x=1024, m=256]\nZ : f16[z=1024, m]\nWQ : f16[m, k=64]\nWK : f16[m, k]\nWV : f16[m, k]\nWO : "
      "f16[k, m]\n"
      "Q[x,k] = X[x,m] WQ[m,k]\nK[z,k] = Z[z,m] WK[m,k]\nV[z,k] = Z[z,m] WV[m,k]\n"
      "S[x,z] = Q[x,k] K[z,k]\nP[x,z] = softmax[z](S[x,z])\nO[x,k] = P[x,z] V[z,k]\nY[x,m] = O[x,k] "
      "WO[k,m]\n",
      TRUE, 30 },
  { "convolution-thorough",
      "X : f16[c=64, u=56, v=56]\nW : f16[f=64, c, i=3, j=3]\naxis y = 56\naxis x = 56\n"
      "Y[f,y,x] = X[c,y+i-1,x+j-1] W[f,c,i,j]\nR[f,y,x] = relu(Y[f,y,x])\n",
      TRUE, 30 },
  { "norm-product-thorough",
      "X : f16[a=1024, m=512]\nW : f16[m, f=2048]\nM[a] = sum[m](X[a,m])\n"
      "N[a,m] = X[a,m] * exp(-M[a])\nY[a,f] = N[a,m] W[m,f]\nZ[a,f] = relu(Y[a,f])\n",
      TRUE, 30 },
};

/* Questions of the plan that is made then, or that were asked before it was given up. */
static guint
plan (const Form *form, const HeddleDiagram *diagram, guint when)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  HeddlePlan *made;

  n_asked = 0;
  limit = when;
  made = form->thorough ? heddle_plan_new_thorough (
             diagram, "h100", HEDDLE_DTYPE_F16, HEDDLE_FAMILY_AUTO, NULL, cancellable, &error)
                        : heddle_plan_new (diagram, NULL, "h100", HEDDLE_DTYPE_F16, HEDDLE_FAMILY_AUTO, NULL,
                            cancellable, &error);
  limit = 0;
  if (when == 0)
    g_assert_no_error (error);
  else if (made == NULL)
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_pointer (&made, heddle_plan_free);
  return n_asked;
}

static void
test_everywhere (gconstpointer data)
{
  const Form *form = data;
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func ((GDestroyNotify) heddle_problem_free);
  g_autoptr (HeddleSnapshot) snapshot = heddle_equations_read (form->text, -1, "test.eq", problems);
  guint n, n_places;

  g_assert_cmpuint (problems->len, ==, 0);
  n = plan (form, heddle_snapshot_get_diagram (snapshot, NULL), 0);
  g_test_message ("%u questions", n);
  g_assert_cmpuint (n, >, 1);
  n_places = MIN (n, form->most);
  for (guint i = 0; i < n_places; i++)
    plan (form, heddle_snapshot_get_diagram (snapshot, NULL), 1 + i * n / n_places);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      g_autofree char *path = g_strconcat ("/plan/cancel/", forms[i].name, NULL);

      g_test_add_data_func (path, &forms[i], test_everywhere);
    }
  return g_test_run ();
}
