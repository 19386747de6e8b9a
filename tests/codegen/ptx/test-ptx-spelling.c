/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>

#include "ptx-case.h"
#include "codegen/compile/compile.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"

/* Instructions that nobody here prints, as the interpreter reads them: ptxas has to read them too. */

#define REGISTERS                                                                                            \
  ".reg .b64 %q, %map, %d1; .reg .b32 %r<8>, %tile, %bar; .reg .b16 %h; .reg .f32 %f<4>; .reg .pred %p;\n"   \
  ".shared .align 1024 .b8 tile[1024];\n.shared .align 8 .b8 bar[16];\n"                                     \
  "mov.u32 %tile, tile; mov.u32 %bar, bar; ld.param.u64 %q, [out]; ld.param.u64 %map, [map];\n"

static const struct
{
  const char *name, *target, *body;
} spellings[] = {
  { "bytes-of-fp8", "sm_89",
      "cvt.rn.satfinite.e4m3x2.f32 %h, 0f3f800000, 0f40000000; cvt.rn.satfinite.relu.e5m2x2.f32 %h, "
      "0f3f800000, 0f40000000;\nmov.b32 %r0, 0; cvt.rn.satfinite.e4m3x2.f16x2 %h, %r0; "
      "cvt.rn.satfinite.e5m2x2.f16x2 %h, %r0; cvt.rn.f16x2.e5m2x2 %r0, %h; cvt.rn.relu.f16x2.e4m3x2 %r0, "
      "%h;\n" },
  { "products-of-fp8", "sm_89",
      "mov.b32 %r0, 0; mov.f32 %f0, 0f00000000;\n"
      "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32 {%f0, %f1, %f2, %f3}, {%r0, %r0, %r0, %r0}, {%r0, "
      "%r0}, {%f0, %f0, %f0, %f0};\n"
      "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%f0, %f1, %f2, %f3}, {%r0, %r0, %r0, %r0}, {%r0, "
      "%r0}, {%f0, %f0, %f0, %f0};\n"
      "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e4m3.f32 {%f0, %f1, %f2, %f3}, {%r0, %r0, %r0, %r0}, {%r0, "
      "%r0}, {%f0, %f0, %f0, %f0};\n" },
  { "products-of-warpgroups-of-fp8", "sm_90a",
      "mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0; mov.b64 %d1, 0; "
      "setp.eq.u64 "
      "%p, %d1, 0;\nwgmma.fence.sync.aligned;\n"
      "wgmma.mma_async.sync.aligned.m64n8k32.f32.e5m2.e5m2 {%f0, %f1, %f2, %f3}, %d1, %d1, %p, 1, 1;\n"
      "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 {%f0, %f1, %f2, %f3}, %d1, %d1, %p, 1, 1;\n"
      "wgmma.mma_async.sync.aligned.m64n8k32.f32.e5m2.e4m3 {%f0, %f1, %f2, %f3}, %d1, %d1, %p, 1, 1;\n"
      "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n" },
  { "reductions", "sm_90a",
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%q], [%tile], 16;\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%q], [%tile], 16;\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%q], [%tile], 16;\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.u64 [%q], [%tile], 16, %q;\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s64 [%q], [%tile], 16;\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u32 [%q], [%tile], 16;\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u32 [%q], [%tile], 16;\n"
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b64 [%q], [%tile], 16;\n"
      "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group [%map, {%r0}], [%tile];\n"
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta.min.bulk_group [%map, {%r0, %r0}], [%tile];\n"
      "cp.reduce.async.bulk.tensor.3d.global.shared::cta.or.tile.bulk_group.L2::cache_hint [%map, {%r0, %r0, "
      "%r0}], [%tile], %q;\n" },
  { "to-other-blocks", "sm_90a",
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%tile], %r0, [%bar];\n"
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%tile], {%f0, %f0, %f0, %f0}, "
      "[%bar];\n"
      "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%tile], {%q, %q}, [%bar];\n"
      "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%tile], [%tile+16], 16, "
      "[%bar];\n" },
  { "fences", "sm_90a",
      "fence.proxy.async.global; fence.proxy.async.shared::cluster; fence.proxy.async.shared::cta;\n"
      "fence.proxy.tensormap::generic.acquire.cta [%q], 128; fence.proxy.tensormap::generic.acquire.cluster "
      "[%q], "
      "128;\nfence.proxy.tensormap::generic.release.cta; fence.proxy.tensormap::generic.release.sys;\n" },
};

static void
test_spelling (gconstpointer data)
{
  const guint i = GPOINTER_TO_UINT (data);
  g_autofree char *text = g_strdup_printf (
      ".version 8.6\n.target %s\n.address_size 64\n.visible .entry k (.param .u64 out, .param .u64 "
      "map)\n{\n%s%s\nret;\n}\n",
      spellings[i].target, REGISTERS, spellings[i].body);
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddlePtxModule) module = heddle_ptx_module_new (text, -1, &error);
  g_autofree char *nvcc = heddle_nvcc_find (), *place = nvcc != NULL ? g_path_get_dirname (nvcc) : NULL,
                  *assembler = NULL, *folder = NULL, *path = NULL, *errors = NULL;
  int status = -1;

  g_assert_no_error (error);
  if (nvcc == NULL)
    {
      g_test_skip ("there is no nvcc on this machine");
      return;
    }
  folder = g_dir_make_tmp ("heddle-spelling-XXXXXX", &error);
  path = g_build_filename (folder, "k.ptx", NULL);
  assembler = g_build_filename (place, "ptxas", NULL);
  g_assert_true (g_file_set_contents (path, text, -1, &error));
  g_assert_true (g_spawn_sync (NULL,
      (char *[]){ assembler, "-arch", (char *) spellings[i].target, "-o", "/dev/null", path, NULL }, NULL,
      G_SPAWN_DEFAULT, NULL, NULL, NULL, &errors, &status, &error));
  if (status != 0)
    g_test_message ("%s", errors);
  g_unlink (path);
  g_rmdir (folder);
  g_assert_cmpint (status, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (spellings); i++)
    {
      g_autofree char *path = g_strconcat ("/ptx/spelling/", spellings[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_spelling);
    }
  return g_test_run ();
}
