/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "case.h"

/* What is planned where the person says nothing: as much as goes on the tensor core. */

static guint
count_bound (const Case *self)
{
  guint n = 0;

  for (guint i = 0; i < self->plan->texts->len; i++)
    n += case_kernel (self, i)->family != HEDDLE_FAMILY_GENERAL;
  return n;
}

/* Heads that share keys are one of a block's axes each: its rows are the queries of one. */
static void
test_heads (void)
{
  g_auto (Case) self = { 0 };

  case_init (&self,
      &(CaseOptions){ .text = "Q : f16[y=2048, r=4, k=128, g=8]\nK : f16[x=2048, k, g]\nV : f16[x, k, g]\n"
                              "S[y,r,x,g] = Q[y,r,k,g] K[x,k,g]\nP[y,r,x,g] = softmax[x](S[y,r,x,g])\n"
                              "O[y,r,k,g] = P[y,r,x,g] V[x,k,g]\n",
          .gpu = "a100",
          .automatic = TRUE });
  g_assert_cmpuint (self.plan->texts->len, ==, 1);
  g_assert_cmpuint (count_bound (&self), ==, 1);
}

/* Heads before the queries: nobody would group them by what moves, but rows over both are not evenly spaced. */
static void
test_heads_in_front (void)
{
  g_auto (Case) self = { 0 };
  const GPtrArray *tiles;
  gint64 queries = 0, heads = 0;

  case_init (&self,
      &(CaseOptions){ .text = "Q : f16[g=8, r=4, y=2048, k=128]\nK : f16[g, x=2048, k]\nV : f16[g, x, k]\n"
                              "S[g,r,y,x] = Q[g,r,y,k] K[g,x,k]\nP[g,r,y,x] = softmax[x](S[g,r,y,x])\n"
                              "O[g,r,y,k] = P[g,r,y,x] V[g,x,k]\n",
          .automatic = TRUE });
  g_assert_cmpuint (self.plan->texts->len, ==, 1);
  g_assert_cmpint (case_kernel (&self, 0)->family, ==, HEDDLE_FAMILY_SM90);
  tiles = case_kernel (&self, 0)->tiles;
  for (guint i = 0; i < tiles->len; i++)
    {
      const HeddleKernelTile *tile = g_ptr_array_index (tiles, i);
      const char *name = heddle_diagram_get_axis (self.diagram, tile->axis)->name;

      queries = g_str_equal (name, "y") ? tile->size : queries;
      heads = g_str_equal (name, "r") ? tile->size : heads;
    }
  g_assert_cmpint (heads, ==, 1);
  g_assert_cmpint (queries, >=, 64);
}

/* One value a block was the cheapest by what moves; a block has many threads. */
static void
test_elementwise (void)
{
  g_auto (Case) self = { 0 };
  const GPtrArray *tiles;
  gint64 values = 1;

  case_init (
      &self, &(CaseOptions){ .text = "X : f16[x=4096, m=4096]\nY[x,m] = X[x,m] + 1\n", .automatic = TRUE });
  tiles = case_kernel (&self, 0)->tiles;
  for (guint i = 0; i < tiles->len; i++)
    values *= ((HeddleKernelTile *) g_ptr_array_index (tiles, i))->size;
  g_assert_cmpint (values, ==, 4096);
}

/* A thread cannot hold rows of 4096: each product is a kernel of its own, with the maps around it. */
static void
test_apart (void)
{
  g_auto (Case) self = { 0 };
  guint products = 0;

  case_init (&self,
      &(CaseOptions){ .text
                      = "X : f16[x=2048, m=4096]\nW : f16[m, f=8192]\nU : f16[f, m]\n"
                        "H[x,f] = gelu(X[x,m] W[m,f])\nY[x,m] = H[x,f] U[f,m]\nZ[x,m] = Y[x,m] + X[x,m]\n",
          .gpu = "a100",
          .automatic = TRUE });
  for (guint i = 0; i < self.plan->derivation->kernels->len; i++)
    products += ((HeddleKernel *) g_ptr_array_index (self.plan->derivation->kernels, i))->tensor_flops > 0;
  g_assert_cmpuint (products, ==, 2);
  g_assert_cmpuint (count_bound (&self), ==, 2);
  g_assert_cmpuint (self.plan->texts->len, ==, 2);
}

/* What a region says is done, and why it is slow is said. */
static void
test_region (void)
{
  g_auto (Case) self = { 0 };

  case_init (&self, &(CaseOptions){ .text = "X : f16[x=64, m=4096]\nW : f16[m, f=512]\nU : f16[f, m]\n"
                                            "H[x,f] = gelu(X[x,m] W[m,f])\nY[x,m] = H[x,f] U[f,m]\n",
                        .gpu = "a100",
                        .fuse = "all",
                        .automatic = TRUE });
  g_assert_cmpuint (self.plan->texts->len, ==, 1);
  g_assert_cmpuint (count_bound (&self), ==, 0);
  g_assert_cmpuint (strlen (case_kernel (&self, 0)->family_reason), >, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan/heads", test_heads);
  g_test_add_func ("/plan/heads-in-front", test_heads_in_front);
  g_test_add_func ("/plan/elementwise", test_elementwise);
  g_test_add_func ("/plan/apart", test_apart);
  g_test_add_func ("/plan/region", test_region);
  return g_test_run ();
}
