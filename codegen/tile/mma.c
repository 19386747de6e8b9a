/* SPDX-License-Identifier: MIT */
#include "codegen/tile/mma.h"

/* The products of the tensor core. Sources: PTX ISA, "Matrix multiply-accumulate operation using mma
 * instruction" and "Asynchronous warpgroup level matrix instructions". */
static const HeddleMma table[] = {
  { HEDDLE_DTYPE_F16, "f16", 2, 16, TRUE, TRUE, FALSE },
  { HEDDLE_DTYPE_BF16, "bf16", 2, 16, TRUE, TRUE, FALSE },
  { HEDDLE_DTYPE_TF32, "tf32", 4, 8, FALSE, FALSE, TRUE },
  { HEDDLE_DTYPE_E4M3, "e4m3", 1, 32, FALSE, TRUE, FALSE },
};

const HeddleMma *
heddle_mma_get (HeddleDtype dtype)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (table[i].dtype == dtype)
      return &table[i];
  return NULL;
}

char *
heddle_mma_types (gboolean groups)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (!groups || table[i].groups)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", table[i].name);
  return g_string_free (text, FALSE);
}
