/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/cost/clock-form.h"

#include <glib/gi18n-lib.h>

/* The forms, fitted to the points of data/measured that are not held out, to two digits: of the four forms of
 * attention the overlap, the share of the tensor rate, the beginning and the barriers; of the products
 * overlap, beginning and barriers; of "row-block" the barriers. The exponent 8 for copies says that they run
 * far ahead; 3.5, for kernels whose blocks load, work and store in turn, is how copies of fewer and fewer
 * threads fall off (gpu-benches, gpu-stream). The others are set: an end takes what stores are left, half of
 * a persistent kernel's ends pass under the next tile, and "general" is compared with no publication: nobody
 * measures kernels that are written so. */
static const HeddleClockForm forms[] = {
  { .name = "fa3-pingpong",
      .title = N_ ("attention by wgmma, warpgroups taking turns"),
      .overlap = 2.4,
      .memory_overlap = 8.,
      .tensor_share = 1.,
      .begin_cycles = 2700.,
      .end_cycles = 500.,
      .barrier_cycles = 5.,
      .persistent = TRUE },
  { .name = "cudnn-wgmma",
      .title = N_ ("attention by wgmma, as in cuDNN"),
      .overlap = 4.,
      .memory_overlap = 8.,
      .tensor_share = 1.,
      .begin_cycles = 900.,
      .end_cycles = 500.,
      .barrier_cycles = 350.,
      .persistent = TRUE },
  { .name = "fa2-mma",
      .title = N_ ("attention by mma.sync"),
      .overlap = 4.,
      .memory_overlap = 8.,
      .tensor_share = 0.65,
      .begin_cycles = 4900.,
      .end_cycles = 500.,
      .barrier_cycles = 10. },
  { .name = "triton-attention",
      .title = N_ ("attention by wgmma, as Triton writes it"),
      .overlap = 8.,
      .memory_overlap = 8.,
      .tensor_share = 0.5,
      .begin_cycles = 950.,
      .end_cycles = 500. },
  { .name = "decode-wgmma",
      .title = N_ ("few queries against many keys, by wgmma"),
      .overlap = 2.4,
      .memory_overlap = 8.,
      .tensor_share = 1.,
      .begin_cycles = 2700.,
      .end_cycles = 500.,
      .barrier_cycles = 5. },
  { .name = "wgmma-pair",
      .title = N_ ("product by wgmma, pairs of blocks with multicast"),
      .overlap = 8.,
      .memory_overlap = 8.,
      .tensor_share = 1.,
      .begin_cycles = 100.,
      .end_cycles = 500.,
      .hidden = 0.5,
      .persistent = TRUE },
  { .name = "mma-product",
      .title = N_ ("product by mma.sync"),
      .overlap = 8.,
      .memory_overlap = 8.,
      .tensor_share = 1.,
      .begin_cycles = 2000.,
      .end_cycles = 500. },
  { .name = "row",
      .title = N_ ("rows, several a block where they are short"),
      .overlap = 4.,
      .memory_overlap = 3.5,
      .tensor_share = 1.,
      .begin_cycles = 200.,
      .end_cycles = 200.,
      .barrier_cycles = 250. },
  { .name = "row-block",
      .title = N_ ("one row a block"),
      .overlap = 4.,
      .memory_overlap = 3.5,
      .tensor_share = 1.,
      .begin_cycles = 200.,
      .end_cycles = 200.,
      .barrier_cycles = 350. },
  { .name = "copy",
      .title = N_ ("element by element"),
      .overlap = 4.,
      .memory_overlap = 3.5,
      .tensor_share = 1. },
  { .name = "copy-block",
      .title = N_ ("element by element, one block an SM at a time"),
      .overlap = 4.,
      .memory_overlap = 3.5,
      .tensor_share = 1. },
  { .name = "general",
      .title = N_ ("any operation, a thread for each element or row"),
      .overlap = 2.,
      .memory_overlap = 3.5,
      .tensor_share = 1.,
      .begin_cycles = 200.,
      .end_cycles = 200.,
      .barrier_cycles = 250. },
  { .name = "reread",
      .title = N_ ("reading the same data again and again"),
      .overlap = 4.,
      .memory_overlap = 8.,
      .tensor_share = 1. },
};

const HeddleClockForm *
heddle_clock_forms (gsize *n)
{
  g_return_val_if_fail (n != NULL, NULL);

  *n = G_N_ELEMENTS (forms);
  return forms;
}

const HeddleClockForm *
heddle_clock_form_find (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (forms); i++)
    if (g_str_equal (forms[i].name, name))
      return &forms[i];
  return NULL;
}
