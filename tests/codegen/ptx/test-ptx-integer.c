/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ptx-case.h"

/* Expected values follow from the definitions of the PTX ISA, by hand. */

static const PtxCase arithmetic[] = {
  { "add.s32 %d, %a, %b;", "www", { 0x7fffffff, 1 }, 0x80000000 },
  { "add.u16 %d, %a, %b;", "hhh", { 0xffff, 2 }, 1 },
  { "add.s64 %d, %a, -8;", "xx", { 3 }, G_MAXUINT64 - 4 },
  { "add.sat.s32 %d, %a, %b;", "www", { 0x7fffffff, 1 }, 0x7fffffff },
  { "sub.sat.s32 %d, %a, %b;", "www", { 0x80000000, 1 }, 0x80000000 },
  { "sub.u32 %d, %a, %b;", "www", { 1, 2 }, 0xffffffff },
  { "mul.lo.s32 %d, %a, %b;", "www", { 0xffffffff, 7 }, 0xfffffff9 },
  { "mul.hi.s32 %d, %a, %b;", "www", { 0xffffffff, 7 }, 0xffffffff },
  { "mul.hi.u32 %d, %a, %b;", "www", { 0xffffffff, 7 }, 6 },
  { "mul.hi.u64 %d, %a, %b;", "xxx", { G_MAXUINT64, G_MAXUINT64 }, G_MAXUINT64 - 1 },
  { "mul.hi.s64 %d, %a, %b;", "xxx", { G_MAXUINT64, 5 }, G_MAXUINT64 },
  { "mul.wide.s32 %d, %a, %b;", "xww", { 0xffffffff, 4 }, G_MAXUINT64 - 3 },
  { "mul.wide.u32 %d, %a, %b;", "xww", { 0xffffffff, 4 }, 0x3fffffffcull },
  { "mul.wide.s16 %d, %a, %b;", "whh", { 0xffff, 4 }, 0xfffffffc },
  { "mul.wide.u16 %d, %a, %b;", "whh", { 0xffff, 4 }, 0x3fffc },
  { "mad.lo.s32 %d, %a, %b, %c;", "wwww", { 3, 0xfffffffe, 7 }, 1 },
  { "mad.hi.u32 %d, %a, %b, %c;", "wwww", { 0x80000000, 4, 7 }, 9 },
  { "mad.hi.s32 %d, %a, %b, %c;", "wwww", { 0x80000000, 4, 7 }, 5 },
  { "mad.wide.s32 %d, %a, %b, %c;", "xwwx", { 0xffffffff, 2, 1 }, G_MAXUINT64 },
  { "mad.wide.u32 %d, %a, %b, %c;", "xwwx", { 0xffffffff, 2, 1 }, 0x1ffffffffull },
  { "mul24.lo.u32 %d, %a, %b;", "www", { 0xff000003, 5 }, 15 },
  { "mul24.lo.s32 %d, %a, %b;", "www", { 0x00ffffff, 5 }, 0xfffffffb },
  { "div.s32 %d, %a, %b;", "www", { 0xfffffff9, 2 }, 0xfffffffd },
  { "div.u32 %d, %a, %b;", "www", { 0xfffffff9, 2 }, 0x7ffffffc },
  { "div.s32 %d, %a, %b;", "www", { 0x80000000, 0xffffffff }, 0x80000000 },
  { "rem.s32 %d, %a, %b;", "www", { 0xfffffff9, 2 }, 0xffffffff },
  { "rem.s64 %d, %a, %b;", "xxx", { 7, (guint64) -3 }, 1 },
  { "rem.u64 %d, %a, %b;", "xxx", { 7, 4 }, 3 },
  { "neg.s32 %d, %a;", "ww", { 0x80000000 }, 0x80000000 },
  { "neg.s16 %d, %a;", "hh", { 1 }, 0xffff },
  { "abs.s32 %d, %a;", "ww", { 0xfffffff0 }, 16 },
  { "abs.s64 %d, %a;", "xx", { (guint64) -5 }, 5 },
  { "min.s32 %d, %a, %b;", "www", { 0xffffffff, 1 }, 0xffffffff },
  { "min.u32 %d, %a, %b;", "www", { 0xffffffff, 1 }, 1 },
  { "max.s16 %d, %a, %b;", "hhh", { 0xffff, 1 }, 1 },
  { "max.u64 %d, %a, %b;", "xxx", { G_MAXUINT64, 1 }, G_MAXUINT64 },
  { "sad.s32 %d, %a, %b, %c;", "wwww", { 0xffffffff, 2, 10 }, 13 },
  { "sad.u32 %d, %a, %b, %c;", "wwww", { 0xffffffff, 2, 10 }, 7 },
  { "dp4a.s32.s32 %d, %a, %b, %c;", "wwww", { 0xff020304, 0x05060708, 1 }, 61 },
  { "dp4a.u32.u32 %d, %a, %b, %c;", "wwww", { 0xff000000, 0x02000000, 1 }, 511 },
  { "dp4a.u32.s32 %d, %a, %b, %c;", "wwww", { 0xff000000, 0xff000000, 0 }, 0xffffff01 },
  { "dp2a.lo.u32.u32 %d, %a, %b, %c;", "wwww", { 0x00030002, 0x07060504, 1 }, 24 },
  { "dp2a.hi.u32.u32 %d, %a, %b, %c;", "wwww", { 0x00030002, 0x07060504, 1 }, 34 },
  { "dp2a.lo.s32.u32 %d, %a, %b, %c;", "wwww", { 0xffff0002, 0x07060504, 1 }, 4 },
};

/* Sums and products over several words: the carry is in the condition code. */
static const PtxCase carries[] = {
  { "add.cc.u32 %t, %a, %b; addc.u32 %d, 0, 0;", "www", { 0xffffffff, 1 }, 1 },
  { "add.cc.u32 %t, %a, %b; addc.u32 %d, 0, 0;", "www", { 0xfffffffe, 1 }, 0 },
  { "add.cc.u32 %t, %a, %b; addc.cc.u32 %t, %a, %b; addc.u32 %d, 0, 0;", "www", { 0xffffffff, 0xffffffff },
      1 },
  { "sub.cc.u32 %t, %a, %b; subc.u32 %d, 5, 1;", "www", { 0, 1 }, 3 },
  { "sub.cc.u32 %t, %a, %b; subc.cc.u32 %t, 0, 0; subc.u32 %d, 5, 1;", "www", { 0, 1 }, 3 },
  { "add.cc.u64 %d, %a, %b; addc.u64 %d, 0, 0;", "xxx", { G_MAXUINT64, 1 }, 1 },
  { "mad.lo.cc.u32 %t, %a, %b, %c; addc.u32 %d, 0, 0;", "wwww", { 0xffff, 0x10001, 1 }, 1 },
  { "mad.lo.cc.u32 %t, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0;", "wwww", { 0x10000, 0x10000, 0 }, 1 },
  { "add.cc.u32 %t, -1, 1; madc.lo.u32 %d, %a, %b, %c;", "wwww", { 3, 4, 5 }, 18 },
  { "add.cc.u32 %t, -1, 1; madc.lo.cc.u32 %t, -1, 1, 0; addc.u32 %d, 0, 0;", "w", { 0 }, 1 },
  { "add.cc.u32 %t, -1, 1; madc.hi.cc.u32 %d, %a, %b, %c;", "wwww", { 0x80000000, 2, 5 }, 7 },
  { "mad.hi.cc.u32 %t, %a, %b, %c; addc.u32 %d, 0, 0;", "wwww", { 0x80000000, 2, 0xffffffff }, 1 },
};

static const PtxCase bits[] = {
  { "and.b32 %d, %a, %b;", "www", { 0xff00ff00, 0x0ff00ff0 }, 0x0f000f00 },
  { "or.b64 %d, %a, %b;", "xxx", { 1ull << 63, 1 }, (1ull << 63) | 1 },
  { "xor.b16 %d, %a, %b;", "hhh", { 0xff0f, 0x0fff }, 0xf0f0 },
  { "not.b16 %d, %a;", "hh", { 0xff00 }, 0x00ff },
  { "cnot.b32 %d, %a;", "ww", { 0 }, 1 },
  { "cnot.b32 %d, %a;", "ww", { 9 }, 0 },
  { "shl.b32 %d, %a, %b;", "www", { 1, 31 }, 0x80000000 },
  { "shl.b32 %d, %a, %b;", "www", { 1, 32 }, 0 },
  { "shl.b64 %d, %a, %b;", "xxw", { 3, 63 }, 1ull << 63 },
  { "shl.b16 %d, %a, %b;", "hhw", { 0x8001, 1 }, 2 },
  { "shr.u32 %d, %a, %b;", "www", { 0x80000000, 31 }, 1 },
  { "shr.u32 %d, %a, %b;", "www", { 0x80000000, 40 }, 0 },
  { "shr.s32 %d, %a, %b;", "www", { 0x80000000, 31 }, 0xffffffff },
  { "shr.s32 %d, %a, %b;", "www", { 0x80000000, 99 }, 0xffffffff },
  { "shr.s64 %d, %a, %b;", "xxw", { 1ull << 63, 62 }, (guint64) -2 },
  { "shr.s16 %d, %a, %b;", "hhw", { 0x8000, 15 }, 0xffff },
  { "shf.l.wrap.b32 %d, %a, %b, %c;", "wwww", { 0x80000000, 1, 33 }, 3 },
  { "shf.l.clamp.b32 %d, %a, %b, %c;", "wwww", { 0x12345678, 1, 40 }, 0x12345678 },
  { "shf.r.wrap.b32 %d, %a, %b, %c;", "wwww", { 0x80000000, 1, 1 }, 0xc0000000 },
  { "shf.r.clamp.b32 %d, %a, %b, %c;", "wwww", { 0x80000000, 0xabcd, 32 }, 0xabcd },
  { "popc.b32 %d, %a;", "ww", { 0xf0f0f0f1 }, 17 },
  { "popc.b64 %d, %a;", "wx", { G_MAXUINT64 }, 64 },
  { "clz.b32 %d, %a;", "ww", { 0 }, 32 },
  { "clz.b32 %d, %a;", "ww", { 0x00010000 }, 15 },
  { "clz.b64 %d, %a;", "wx", { 1 }, 63 },
  { "bfind.u32 %d, %a;", "ww", { 0x00010000 }, 16 },
  { "bfind.u32 %d, %a;", "ww", { 0 }, 0xffffffff },
  { "bfind.s32 %d, %a;", "ww", { 0xfffffffb }, 2 },
  { "bfind.s64 %d, %a;", "wx", { G_MAXUINT64 }, 0xffffffff },
  { "bfind.shiftamt.u32 %d, %a;", "ww", { 0x00010000 }, 15 },
  { "brev.b32 %d, %a;", "ww", { 0x00000003 }, 0xc0000000 },
  { "brev.b64 %d, %a;", "xx", { 1 }, 1ull << 63 },
  { "bfe.u32 %d, %a, %b, %c;", "wwww", { 0x12345678, 8, 8 }, 0x56 },
  { "bfe.s32 %d, %a, %b, %c;", "wwww", { 0x00008000, 8, 8 }, 0xffffff80 },
  { "bfe.s32 %d, %a, %b, %c;", "wwww", { 0x80000000, 28, 16 }, 0xfffffff8 },
  { "bfe.s32 %d, %a, %b, %c;", "wwww", { 0x80000000, 40, 4 }, 0xffffffff },
  { "bfe.u32 %d, %a, %b, %c;", "wwww", { 0x80000000, 4, 0 }, 0 },
  { "bfe.u64 %d, %a, %b, %c;", "xxww", { 0xab00000000000000ull, 56, 64 }, 0xab },
  { "bfi.b32 %d, %a, %b, 8, 4;", "www", { 0xf5, 0xffffffff }, 0xfffff5ff },
  { "bfi.b32 %d, %a, %b, 32, 4;", "www", { 0xf5, 0x1234 }, 0x1234 },
  { "bfi.b64 %d, %a, %b, 60, 8;", "xxx", { 0x25, 0 }, 0x5000000000000000ull },
  { "bmsk.clamp.b32 %d, %a, %b;", "www", { 4, 8 }, 0xff0 },
  { "bmsk.wrap.b32 %d, %a, %b;", "www", { 36, 8 }, 0xff0 },
  { "prmt.b32 %d, %a, %b, 0x7531;", "www", { 0x33221100, 0x77665544 }, 0x77553311 },
  { "prmt.b32 %d, %a, %b, 0xc0;", "www", { 0x33221181, 0x77665544 }, 0x81810081 },
  { "prmt.b32.f4e %d, %a, %b, %c;", "wwww", { 0x33221100, 0x77665544, 1 }, 0x44332211 },
  { "prmt.b32.b4e %d, %a, %b, %c;", "wwww", { 0x33221100, 0x77665544, 1 }, 0x66770011 },
  { "prmt.b32.rc8 %d, %a, %b, %c;", "wwww", { 0x33221100, 0x77665544, 2 }, 0x22222222 },
  { "prmt.b32.ecl %d, %a, %b, %c;", "wwww", { 0x33221100, 0x77665544, 2 }, 0x33222222 },
  { "prmt.b32.ecr %d, %a, %b, %c;", "wwww", { 0x33221100, 0x77665544, 2 }, 0x22221100 },
  { "prmt.b32.rc16 %d, %a, %b, %c;", "wwww", { 0x33221100, 0x77665544, 1 }, 0x33223322 },
  { "lop3.b32 %d, %a, %b, %c, 0x96;", "wwww", { 0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa }, 0x96969696 },
  { "lop3.b32 %d, %a, %b, %c, 0xe8;", "wwww", { 0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa }, 0xe8e8e8e8 },
};

static const PtxCase selection[] = {
  { "setp.lt.s32 %p, %a, %b; selp.b32 %d, 1, 2, %p;", "www", { 0xffffffff, 0 }, 1 },
  { "setp.lt.u32 %p, %a, %b; selp.b32 %d, 1, 2, %p;", "www", { 0xffffffff, 0 }, 2 },
  { "setp.hi.u32 %p, %a, %b; selp.b32 %d, 1, 2, %p;", "www", { 0xffffffff, 0 }, 1 },
  { "setp.ls.u32 %p, %a, %b; selp.b32 %d, 1, 2, %p;", "www", { 3, 3 }, 1 },
  { "setp.lo.u32 %p, %a, %b; selp.b32 %d, 1, 2, %p;", "www", { 3, 3 }, 2 },
  { "setp.hs.u32 %p, %a, %b; selp.b32 %d, 1, 2, %p;", "www", { 3, 3 }, 1 },
  { "setp.ge.s64 %p, %a, %b; selp.b32 %d, 1, 2, %p;", "wxx", { G_MAXUINT64, 0 }, 2 },
  { "setp.ne.s16 %p, %a, 0; selp.b32 %d, 1, 2, %p;", "wh", { 0x100 }, 1 },
  { "setp.eq.b32 %p|%q, %a, %b; selp.b32 %d, 1, 2, %q;", "www", { 4, 4 }, 2 },
  { "setp.eq.s32 %q, 0, 0; setp.lt.and.s32 %p, %a, %b, %q; selp.b32 %d, 1, 2, %p;", "www", { 1, 2 }, 1 },
  { "setp.eq.s32 %q, 0, 0; setp.lt.and.s32 %p, %a, %b, !%q; selp.b32 %d, 1, 2, %p;", "www", { 1, 2 }, 2 },
  { "setp.eq.s32 %q, 0, 0; setp.gt.or.s32 %p, %a, %b, %q; selp.b32 %d, 1, 2, %p;", "www", { 1, 2 }, 1 },
  { "setp.eq.s32 %q, 0, 0; setp.lt.xor.s32 %p, %a, %b, %q; selp.b32 %d, 1, 2, %p;", "www", { 1, 2 }, 2 },
  { "mov.pred %p, 1; not.pred %q, %p; selp.b32 %d, 1, 2, %q;", "w", { 0 }, 2 },
  { "mov.pred %p, -1; mov.pred %q, 0; xor.pred %p, %p, %q; selp.b32 %d, 1, 2, %p;", "w", { 0 }, 1 },
  { "set.lt.u32.s32 %d, %a, %b;", "www", { 0xffffffff, 0 }, 0xffffffff },
  { "set.lt.f32.s32 %d, %a, %b;", "www", { 0xffffffff, 0 }, 0x3f800000 },
  { "set.gt.u32.s32 %d, %a, %b;", "www", { 0xffffffff, 0 }, 0 },
  { "slct.b32.s32 %d, %a, %b, %c;", "wwww", { 1, 2, 0 }, 1 },
  { "slct.b32.s32 %d, %a, %b, %c;", "wwww", { 1, 2, 0xffffffff }, 2 },
  { "slct.u64.f32 %d, %a, %b, %c;", "xxxw", { 1, 2, 0x80000000 }, 1 },
  { "slct.u64.f32 %d, %a, %b, %c;", "xxxw", { 1, 2, 0x7fc00000 }, 2 },
};

static const PtxCase moves[] = {
  { "mov.b64 %d, {%a, %b};", "xww", { 0x11111111, 0x22222222 }, 0x2222222211111111ull },
  { "mov.b64 {%t, %d}, %a;", "wx", { 0x2222222211111111ull }, 0x22222222 },
  { "mov.b64 {_, %d}, %a;", "wx", { 0x3333333311111111ull }, 0x33333333 },
  { "mov.b32 %d, {%a, %b};", "whh", { 0x1111, 0x2222 }, 0x22221111 },
  { "mov.b32 %d, {0, %b};", "whh", { 0x1111, 0x2222 }, 0x22220000 },
  { "mov.b64 %d, {%a, %b, %b, %a};", "xhh", { 0x1111, 0x2222 }, 0x1111222222221111ull },
  { "{ .reg .b16 hi, lo; mov.b32 {lo, hi}, %a; mov.b16 %d, hi; }", "hw", { 0x22221111 }, 0x2222 },
  { "mov.u32 %d, -5;", "w", { 0 }, 0xfffffffb },
  { "mov.u32 %d, 0x10U;", "w", { 0 }, 16 },
  { "mov.u32 %d, 0b101;", "w", { 0 }, 5 },
  { "mov.u32 %d, 017;", "w", { 0 }, 15 },
  { "mov.f32 %d, 0f3F800000;", "w", { 0 }, 0x3f800000 },
  { "mov.f32 %d, 0d3FF8000000000000;", "w", { 0 }, 0x3fc00000 },
  { "mov.f64 %d, 0d3FF8000000000000;", "x", { 0 }, 0x3ff8000000000000ull },
  { "mov.f32 %d, 1.5;", "w", { 0 }, 0x3fc00000 },
  { "mov.u32 %d, %ntid.x;", "w", { 0 }, 1 },
  { "mov.u32 %d, %lanemask_ge;", "w", { 0 }, 0xffffffff },
  { "mov.u32 %d, %laneid;", "w", { 0 }, 0 },
  { "mov.u32 %d, WARP_SZ;", "w", { 0 }, 32 },
  { "mov.u32 %t, %clock; mov.u32 %u, %clock; setp.lt.u32 %p, %t, %u; selp.b32 %d, 1, 0, %p;", "w", { 0 }, 1 },
  { "setp.ne.u32 %p, %a, 0; @%p mov.u32 %d, 1; @!%p mov.u32 %d, 2;", "ww", { 5 }, 1 },
  { "setp.ne.u32 %p, %a, 0; @%p mov.u32 %d, 1; @!%p mov.u32 %d, 2;", "ww", { 0 }, 2 },
  { ".local .align 4 .b8 depot[16]; mov.u64 %b, depot; cvta.local.u64 %c, %b; st.local.u32 [%b+4], %a; "
    "ld.u32 %d, [%c+4];",
      "wwxx", { 77 }, 77 },
  { ".shared .align 8 .b8 area[64]; mov.u32 %t, area; st.shared.v2.u32 [%t+8], {%a, 9}; ld.shared.b64 %d, "
    "[area+8];",
      "xw", { 5 }, 0x900000005ull },
  { ".shared .align 8 .b8 area[64]; mov.u64 %b, area; cvta.shared.u64 %c, %b; st.shared.u32 [area], %a; "
    "isspacep.shared %p, %c; ld.u32 %t, [%c]; cvta.to.shared.u64 %b, %c; ld.shared.u32 %u, [%b]; add.u32 %t, "
    "%t, %u;"
    "selp.b32 %d, %t, 0, %p;",
      "wwxx", { 21 }, 42 },
};

typedef struct
{
  const char *name;
  const PtxCase *cases;
  guint n;
} Table;

static void
test_table (gconstpointer data)
{
  const Table *table = data;
  ptx_case_check (table->cases, table->n);
}

/* A sign is carried from the width of the load to that of the register. */
static void
test_sign_extension (void)
{
  static const PtxCase cases[] = {
    { "ld.param.s8 %d, [pa];", "wx", { 0x80 }, 0xffffff80 },
    { "ld.param.u8 %d, [pa];", "wx", { 0x80 }, 0x80 },
    { "ld.param.s8 %d, [pa];", "hx", { 0x80 }, 0xff80 },
    { "ld.param.s16 %d, [pa];", "xx", { 0x8000 }, 0xffffffffffff8000ull },
    { "ld.param.s32 %d, [pa+4];", "xx", { 0x8000000000000000ull }, 0xffffffff80000000ull },
  };
  ptx_case_check (cases, G_N_ELEMENTS (cases));
}

int
main (int argc, char **argv)
{
  static const Table tables[] = {
    { "/ptx/integer/arithmetic", arithmetic, G_N_ELEMENTS (arithmetic) },
    { "/ptx/integer/carries", carries, G_N_ELEMENTS (carries) },
    { "/ptx/integer/bits", bits, G_N_ELEMENTS (bits) },
    { "/ptx/integer/selection", selection, G_N_ELEMENTS (selection) },
    { "/ptx/integer/moves", moves, G_N_ELEMENTS (moves) },
  };
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    g_test_add_data_func (tables[i].name, &tables[i], test_table);
  g_test_add_func ("/ptx/integer/sign-extension", test_sign_extension);
  return g_test_run ();
}
