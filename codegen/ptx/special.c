/* SPDX-License-Identifier: MIT */
#include "codegen/ptx/module.h"
#include "codegen/ptx/special.h"

typedef struct
{
  const char *name;
  PtxSpecial special;
  guint bits;
} SpecialRow;

static const SpecialRow specials[] = {
  { "%tid.x", PTX_TID_X, 32 },
  { "%tid.y", PTX_TID_Y, 32 },
  { "%tid.z", PTX_TID_Z, 32 },
  { "%ctaid.x", PTX_CTAID_X, 32 },
  { "%ctaid.y", PTX_CTAID_Y, 32 },
  { "%ctaid.z", PTX_CTAID_Z, 32 },
  { "%ntid.x", PTX_NTID_X, 32 },
  { "%ntid.y", PTX_NTID_Y, 32 },
  { "%ntid.z", PTX_NTID_Z, 32 },
  { "%nctaid.x", PTX_NCTAID_X, 32 },
  { "%nctaid.y", PTX_NCTAID_Y, 32 },
  { "%nctaid.z", PTX_NCTAID_Z, 32 },
  { "%laneid", PTX_LANEID, 32 },
  { "%warpid", PTX_WARPID, 32 },
  { "%nwarpid", PTX_NWARPID, 32 },
  { "%smid", PTX_SPECIAL_ZERO, 32 },
  { "%nsmid", PTX_SPECIAL_ONE, 32 },
  { "%lanemask_eq", PTX_LANEMASK_EQ, 32 },
  { "%lanemask_lt", PTX_LANEMASK_LT, 32 },
  { "%lanemask_le", PTX_LANEMASK_LE, 32 },
  { "%lanemask_gt", PTX_LANEMASK_GT, 32 },
  { "%lanemask_ge", PTX_LANEMASK_GE, 32 },
  { "%dynamic_smem_size", PTX_DYNAMIC_SHARED, 32 },
  { "%total_smem_size", PTX_TOTAL_SHARED, 32 },
  { "%clusterid.x", PTX_CLUSTERID_X, 32 },
  { "%clusterid.y", PTX_CLUSTERID_Y, 32 },
  { "%clusterid.z", PTX_CLUSTERID_Z, 32 },
  { "%nclusterid.x", PTX_NCLUSTERID_X, 32 },
  { "%nclusterid.y", PTX_NCLUSTERID_Y, 32 },
  { "%nclusterid.z", PTX_NCLUSTERID_Z, 32 },
  { "%cluster_ctaid.x", PTX_CLUSTER_CTAID_X, 32 },
  { "%cluster_ctaid.y", PTX_CLUSTER_CTAID_Y, 32 },
  { "%cluster_ctaid.z", PTX_CLUSTER_CTAID_Z, 32 },
  { "%cluster_nctaid.x", PTX_CLUSTER_NCTAID_X, 32 },
  { "%cluster_nctaid.y", PTX_CLUSTER_NCTAID_Y, 32 },
  { "%cluster_nctaid.z", PTX_CLUSTER_NCTAID_Z, 32 },
  { "%cluster_ctarank", PTX_CLUSTER_CTARANK, 32 },
  { "%cluster_nctarank", PTX_CLUSTER_NCTARANK, 32 },
  { "%is_explicit_cluster", PTX_IS_EXPLICIT_CLUSTER, 1 },
  { "%clock", PTX_CLOCK, 32 },
  { "%clock_hi", PTX_CLOCK_HIGH, 32 },
  { "%clock64", PTX_CLOCK64, 64 },
  { "%globaltimer", PTX_CLOCK64, 64 },
};

/* Finds the slot and the width of the special register @name. Returns FALSE if it is none. */
gboolean
ptx_special_find (const char *name, guint32 *slot, guint *bits)
{
  for (guint i = 0; name[0] == '%' && i < G_N_ELEMENTS (specials); i++)
    if (g_str_equal (specials[i].name, name))
      {
        *slot = PTX_SLOT (PTX_BASE_SPECIAL, specials[i].special);
        *bits = specials[i].bits;
        return TRUE;
      }
  return FALSE;
}
