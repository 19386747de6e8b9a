/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "ptx-case.h"

/* Expected values follow from IEEE 754 and the PTX ISA, by hand. Bits of common numbers: */
#define ONE 0x3f800000
#define TWO 0x40000000
#define THREE 0x40400000
#define HALF 0x3f000000
#define INF 0x7f800000
#define NEG 0x80000000
#define NAN32 0x7fffffff
#define SNAN 0x7f800001
#define TINY 0x00000001
#define LEAST 0x00800000
#define MOST 0x7f7fffff

#define D_ONE 0x3ff0000000000000ull
#define D_TWO 0x4000000000000000ull
#define D_THREE 0x4008000000000000ull
#define D_NEG 0x8000000000000000ull
#define D_INF 0x7ff0000000000000ull
#define D_NAN 0x7ff8000000000000ull

static const PtxCase single[] = {
  { "add.f32 %d, %a, %b;", "www", { ONE, TWO }, THREE },
  { "add.f32 %d, %a, %b;", "www", { INF, INF | NEG }, NAN32 },
  { "add.f32 %d, %a, %b;", "www", { SNAN, ONE }, NAN32 },
  { "add.f32 %d, %a, %b;", "www", { ONE, 0x33800000 }, ONE },
  { "add.rn.f32 %d, %a, %b;", "www", { ONE, 0x33800001 }, 0x3f800001 },
  { "add.rz.f32 %d, %a, %b;", "www", { ONE, 0x33c00000 }, ONE },
  { "add.rp.f32 %d, %a, %b;", "www", { ONE, TINY }, 0x3f800001 },
  { "add.rm.f32 %d, %a, %b;", "www", { ONE, TINY | NEG }, 0x3f7fffff },
  { "add.rm.f32 %d, %a, %b;", "www", { ONE, ONE | NEG }, NEG },
  { "add.f32 %d, %a, %b;", "www", { TINY, TINY }, 2 },
  { "add.ftz.f32 %d, %a, %b;", "www", { TINY, TINY }, 0 },
  { "add.ftz.f32 %d, %a, %b;", "www", { TINY | NEG, NEG }, NEG },
  { "add.sat.f32 %d, %a, %b;", "www", { ONE, TWO }, ONE },
  { "add.sat.f32 %d, %a, %b;", "www", { INF, INF | NEG }, 0 },
  { "sub.f32 %d, %a, %b;", "www", { ONE, THREE }, TWO | NEG },
  { "sub.sat.f32 %d, %a, %b;", "www", { ONE, THREE }, 0 },
  { "mul.f32 %d, %a, %b;", "www", { THREE, HALF }, 0x3fc00000 },
  { "mul.f32 %d, %a, %b;", "www", { LEAST, HALF }, 0x00400000 },
  { "mul.ftz.f32 %d, %a, %b;", "www", { LEAST, HALF | NEG }, NEG },
  { "mul.rz.f32 %d, %a, %b;", "www", { MOST, TWO }, MOST },
  { "mul.rn.f32 %d, %a, %b;", "www", { MOST, TWO }, INF },
  { "mul.rm.f32 %d, %a, %b;", "www", { TINY, TINY | NEG }, TINY | NEG },
  { "mul.f32 %d, %a, %b;", "www", { 0, INF }, NAN32 },
  /* (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46: only a fused operation keeps it. */
  { "fma.rn.f32 %d, %a, %b, %c;", "wwww", { 0x3f800001, 0x3f800001, 0xbf800002 }, 0x28800000 },
  { "fma.rn.ftz.f32 %d, %a, %b, %c;", "wwww", { TINY, ONE, TINY }, 0 },
  { "fma.rp.f32 %d, %a, %b, %c;", "wwww", { ONE, ONE, TINY }, 0x3f800001 },
  { "fma.rz.f32 %d, %a, %b, %c;", "wwww", { ONE, ONE, TINY | NEG }, 0x3f7fffff },
  { "fma.rn.sat.f32 %d, %a, %b, %c;", "wwww", { TWO, TWO, ONE }, ONE },
  { "mad.rn.f32 %d, %a, %b, %c;", "wwww", { TWO, TWO, ONE }, 0x40a00000 },
  { "div.rn.f32 %d, %a, %b;", "www", { ONE, THREE }, 0x3eaaaaab },
  { "div.rz.f32 %d, %a, %b;", "www", { ONE, THREE }, 0x3eaaaaaa },
  { "div.rn.f32 %d, %a, %b;", "www", { ONE, NEG }, INF | NEG },
  { "div.rn.f32 %d, %a, %b;", "www", { 0, 0 }, NAN32 },
  { "div.full.f32 %d, %a, %b;", "www", { THREE, TWO }, 0x3fc00000 },
  { "div.approx.f32 %d, %a, %b;", "www", { THREE, TWO }, 0x3fc00000 },
  { "div.approx.f32 %d, %a, %b;", "www", { MOST, 0x7f000000 }, 0 },
  { "div.approx.f32 %d, %a, %b;", "www", { INF, 0x7f000000 }, NAN32 },
  { "sqrt.rn.f32 %d, %a;", "ww", { TWO }, 0x3fb504f3 },
  { "sqrt.rp.f32 %d, %a;", "ww", { TWO }, 0x3fb504f4 },
  { "sqrt.rn.f32 %d, %a;", "ww", { ONE | NEG }, NAN32 },
  { "sqrt.rn.f32 %d, %a;", "ww", { NEG }, NEG },
  { "rcp.rn.f32 %d, %a;", "ww", { THREE }, 0x3eaaaaab },
  { "rcp.rm.f32 %d, %a;", "ww", { THREE }, 0x3eaaaaaa },
  { "min.f32 %d, %a, %b;", "www", { 0, NEG }, NEG },
  { "max.f32 %d, %a, %b;", "www", { NEG, 0 }, 0 },
  { "min.f32 %d, %a, %b;", "www", { NAN32, TWO }, TWO },
  { "max.f32 %d, %a, %b;", "www", { TWO, SNAN }, TWO },
  { "max.f32 %d, %a, %b;", "www", { SNAN, SNAN }, NAN32 },
  { "max.NaN.f32 %d, %a, %b;", "www", { TWO, SNAN }, NAN32 },
  { "max.ftz.f32 %d, %a, %b;", "www", { TINY, NEG }, 0 },
  { "min.xorsign.abs.f32 %d, %a, %b;", "www", { TWO | NEG, ONE }, ONE | NEG },
  { "neg.f32 %d, %a;", "ww", { 0 }, NEG },
  { "neg.ftz.f32 %d, %a;", "ww", { TINY }, NEG },
  { "abs.f32 %d, %a;", "ww", { INF | NEG }, INF },
  { "copysign.f32 %d, %a, %b;", "www", { NEG, TWO }, TWO | NEG },
  { "testp.finite.f32 %p, %a; selp.u32 %d, 1, 0, %p;", "ww", { INF }, 0 },
  { "testp.infinite.f32 %p, %a; selp.u32 %d, 1, 0, %p;", "ww", { INF }, 1 },
  { "testp.number.f32 %p, %a; selp.u32 %d, 1, 0, %p;", "ww", { NAN32 }, 0 },
  { "testp.notanumber.f32 %p, %a; selp.u32 %d, 1, 0, %p;", "ww", { NAN32 }, 1 },
  { "testp.normal.f32 %p, %a; selp.u32 %d, 1, 0, %p;", "ww", { TINY }, 0 },
  { "testp.subnormal.f32 %p, %a; selp.u32 %d, 1, 0, %p;", "ww", { TINY }, 1 },
};

static const PtxCase comparison[] = {
  { "setp.lt.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "www", { ONE, TWO }, 1 },
  { "setp.lt.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "www", { ONE, NAN32 }, 0 },
  { "setp.ltu.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "www", { ONE, NAN32 }, 1 },
  { "setp.ne.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "www", { NAN32, NAN32 }, 0 },
  { "setp.neu.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "www", { NAN32, NAN32 }, 1 },
  { "setp.equ.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "www", { ONE, NAN32 }, 1 },
  { "setp.geu.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "www", { ONE, TWO }, 0 },
  { "setp.gtu.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "www", { TWO, ONE }, 1 },
  { "setp.leu.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "www", { TWO, ONE }, 0 },
  { "setp.eq.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "www", { 0, NEG }, 1 },
  { "setp.eq.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "www", { TINY, 0 }, 0 },
  { "setp.eq.ftz.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "www", { TINY, 0 }, 1 },
  { "setp.num.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "www", { ONE, TWO }, 1 },
  { "setp.nan.f32 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "www", { ONE, TWO }, 0 },
  { "setp.nan.f64 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "wxx", { D_NAN, D_ONE }, 1 },
  { "setp.ge.f64 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "wxx", { D_TWO, D_ONE }, 1 },
  { "setp.lt.f16 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "whh", { 0xbc00, 0x3c00 }, 1 },
  { "setp.gt.bf16 %p, %a, %b; selp.u32 %d, 1, 0, %p;", "whh", { 0x4000, 0x3f80 }, 1 },
  { "setp.lt.f16x2 %p|%q, %a, %b; selp.u32 %d, 1, 0, %p;", "www", { 0x40003c00, 0x3c004000 }, 1 },
  { "setp.lt.f16x2 %p|%q, %a, %b; selp.u32 %d, 1, 0, %q;", "www", { 0x40003c00, 0x3c004000 }, 0 },
  { "set.gt.f16x2.f16x2 %d, %a, %b;", "www", { 0x40003c00, 0x3c004000 }, 0x3c000000 },
  { "set.eq.u32.f16x2 %d, %a, %b;", "www", { 0x40003c00, 0x3c003c00 }, 0x0000ffff },
  { "set.nan.f16.f16 %d, %a, %a;", "hh", { 0x7e00 }, 0x3c00 },
  { "set.lt.bf16.bf16 %d, %a, %b;", "hhh", { 0x3f80, 0x4000 }, 0x3f80 },
  { "set.lt.f32.f32 %d, %a, %b;", "www", { ONE, TWO }, ONE },
};

static const PtxCase double_precision[] = {
  { "add.f64 %d, %a, %b;", "xxx", { D_ONE, D_TWO }, D_THREE },
  { "add.rp.f64 %d, %a, %b;", "xxx", { D_ONE, 1 }, D_ONE + 1 },
  { "sub.f64 %d, %a, %b;", "xxx", { D_ONE, D_THREE }, D_TWO | D_NEG },
  { "mul.rn.f64 %d, %a, %b;", "xxx", { D_THREE, D_THREE }, 0x4022000000000000ull },
  { "fma.rn.f64 %d, %a, %b, %c;", "xxxx", { D_ONE + 1, D_ONE + 1, (D_ONE + 2) | D_NEG },
      0x3970000000000000ull },
  { "div.rn.f64 %d, %a, %b;", "xxx", { D_ONE, D_THREE }, 0x3fd5555555555555ull },
  { "div.rp.f64 %d, %a, %b;", "xxx", { D_ONE, D_THREE }, 0x3fd5555555555556ull },
  { "sqrt.rn.f64 %d, %a;", "xx", { D_TWO }, 0x3ff6a09e667f3bcdull },
  { "rcp.rn.f64 %d, %a;", "xx", { D_THREE }, 0x3fd5555555555555ull },
  { "rcp.approx.ftz.f64 %d, %a;", "xx", { D_TWO | 0xffffffff }, 0x3fe0000000000000ull },
  { "rcp.approx.ftz.f64 %d, %a;", "xx", { D_THREE }, 0x3fd5555500000000ull },
  { "rcp.approx.ftz.f64 %d, %a;", "xx", { 1 }, D_INF },
  { "rsqrt.approx.ftz.f64 %d, %a;", "xx", { 0x4010000000000000ull }, 0x3fe0000000000000ull },
  { "rsqrt.approx.f64 %d, %a;", "xx", { 0x4010000000000000ull }, 0x3fe0000000000000ull },
  { "min.f64 %d, %a, %b;", "xxx", { D_NAN, D_ONE }, D_ONE },
  { "max.f64 %d, %a, %b;", "xxx", { D_TWO, D_ONE }, D_TWO },
  { "neg.f64 %d, %a;", "xx", { D_ONE }, D_ONE | D_NEG },
  { "abs.f64 %d, %a;", "xx", { D_ONE | D_NEG }, D_ONE },
  { "copysign.f64 %d, %a, %b;", "xxx", { D_NEG, D_TWO }, D_TWO | D_NEG },
};

static const PtxCase functions[] = {
  { "ex2.approx.f32 %d, %a;", "ww", { THREE }, 0x41000000 },
  { "ex2.approx.f32 %d, %a;", "ww", { INF | NEG }, 0 },
  { "ex2.approx.f32 %d, %a;", "ww", { 0xc3130000 }, 4 },
  { "ex2.approx.ftz.f32 %d, %a;", "ww", { 0xc3130000 }, 0 },
  { "lg2.approx.f32 %d, %a;", "ww", { 0x41000000 }, THREE },
  { "lg2.approx.f32 %d, %a;", "ww", { 0 }, INF | NEG },
  { "lg2.approx.f32 %d, %a;", "ww", { TINY }, 0xc3150000 },
  { "lg2.approx.ftz.f32 %d, %a;", "ww", { TINY }, INF | NEG },
  { "lg2.approx.f32 %d, %a;", "ww", { ONE | NEG }, NAN32 },
  { "sin.approx.f32 %d, %a;", "ww", { NEG }, NEG },
  { "cos.approx.f32 %d, %a;", "ww", { 0 }, ONE },
  { "sin.approx.f32 %d, %a;", "ww", { INF }, NAN32 },
  { "tanh.approx.f32 %d, %a;", "ww", { INF | NEG }, ONE | NEG },
  { "rcp.approx.f32 %d, %a;", "ww", { TWO }, HALF },
  { "rcp.approx.ftz.f32 %d, %a;", "ww", { NEG }, INF | NEG },
  { "rsqrt.approx.f32 %d, %a;", "ww", { 0x40800000 }, HALF },
  { "rsqrt.approx.f32 %d, %a;", "ww", { NEG }, INF | NEG },
  { "sqrt.approx.f32 %d, %a;", "ww", { 0x40800000 }, TWO },
  { "ex2.approx.f16 %d, %a;", "hh", { 0x4200 }, 0x4800 },
  { "tanh.approx.f16x2 %d, %a;", "ww", { 0x7c00fc00 }, 0x3c00bc00 },
  { "ex2.approx.ftz.bf16 %d, %a;", "hh", { 0x4040 }, 0x4100 },
};

static const PtxCase halves[] = {
  { "add.f16 %d, %a, %b;", "hhh", { 0x3c00, 0x4000 }, 0x4200 },
  { "add.rn.f16 %d, %a, %b;", "hhh", { 0x7bff, 0x7bff }, 0x7c00 },
  { "add.f16 %d, %a, %b;", "hhh", { 0x6800, 0x3c00 }, 0x6800 },
  { "add.f16 %d, %a, %b;", "hhh", { 0x6801, 0x3c00 }, 0x6802 },
  { "add.sat.f16 %d, %a, %b;", "hhh", { 0x4000, 0x4000 }, 0x3c00 },
  { "add.f16 %d, %a, %b;", "hhh", { 0x7c00, 0xfc00 }, 0x7fff },
  { "sub.f16 %d, %a, %b;", "hhh", { 0x0001, 0x0002 }, 0x8001 },
  { "sub.ftz.f16 %d, %a, %b;", "hhh", { 0x0001, 0x0002 }, 0 },
  { "mul.f16 %d, %a, %b;", "hhh", { 0x4200, 0x4200 }, 0x4880 },
  { "mul.f16x2 %d, %a, %b;", "www", { 0x42003c00, 0x4200c000 }, 0x4880c000 },
  /* 1.0009765625 * 1.0009765625 - 1.001953125 = 2^-20, lost unless fused. */
  { "fma.rn.f16 %d, %a, %b, %c;", "hhhh", { 0x3c01, 0x3c01, 0xbc02 }, 0x0010 },
  /* 65504 + 15.99 is below, 65504 + 16 at the middle between the largest number and infinity. */
  { "fma.rn.f16 %d, %a, %b, %c;", "hhhh", { 0x7bff, 0x3c00, 0x4bff }, 0x7bff },
  { "fma.rn.f16 %d, %a, %b, %c;", "hhhh", { 0x7bff, 0x3c00, 0x4c00 }, 0x7c00 },
  { "fma.rn.relu.f16 %d, %a, %b, %c;", "hhhh", { 0xbc00, 0x3c00, 0 }, 0 },
  { "fma.rn.bf16 %d, %a, %b, %c;", "hhhh", { 0x3f81, 0x3f81, 0xbf82 }, 0x3880 },
  { "fma.rn.bf16x2 %d, %a, %b, %c;", "wwww", { 0x3f804000, 0x3f804000, 0x3f803f80 }, 0x400040a0 },
  { "add.bf16 %d, %a, %b;", "hhh", { 0x3f80, 0x0001 }, 0x3f80 },
  { "add.rn.bf16x2 %d, %a, %b;", "www", { 0x3f804000, 0x3f804000 }, 0x40004080 },
  { "sub.bf16 %d, %a, %b;", "hhh", { 0x3f80, 0x4000 }, 0xbf80 },
  { "mul.bf16 %d, %a, %b;", "hhh", { 0x4040, 0x4040 }, 0x4110 },
  { "min.f16 %d, %a, %b;", "hhh", { 0x7e00, 0x3c00 }, 0x3c00 },
  { "max.f16 %d, %a, %b;", "hhh", { 0x8000, 0x0000 }, 0 },
  { "max.NaN.f16 %d, %a, %b;", "hhh", { 0x7e00, 0x3c00 }, 0x7fff },
  { "max.bf16x2 %d, %a, %b;", "www", { 0x3f804000, 0x40003f80 }, 0x40004000 },
  { "neg.f16 %d, %a;", "hh", { 0x3c00 }, 0xbc00 },
  { "neg.bf16x2 %d, %a;", "ww", { 0x3c008000 }, 0xbc000000 },
  { "abs.f16x2 %d, %a;", "ww", { 0xbc008000 }, 0x3c000000 },
};

static const PtxCase conversion[] = {
  { "cvt.u16.u32 %d, %a;", "hw", { 0x12345678 }, 0x5678 },
  { "cvt.s32.s8 %d, %a;", "wh", { 0x0080 }, 0xffffff80 },
  { "cvt.u32.u8 %d, %a;", "ww", { 0x12345680 }, 0x80 },
  { "cvt.s64.s32 %d, %a;", "xw", { NEG }, 0xffffffff80000000ull },
  { "cvt.u64.u32 %d, %a;", "xw", { NEG }, 0x80000000 },
  { "cvt.s16.s8 %d, %a;", "hw", { 0xff }, 0xffff },
  { "cvt.s8.s32 %d, %a;", "ww", { 0x180 }, 0xffffff80 },
  { "cvt.sat.s8.s32 %d, %a;", "ww", { 1000 }, 127 },
  { "cvt.sat.u8.s32 %d, %a;", "ww", { 0xfffffff0 }, 0 },
  { "cvt.sat.s32.s64 %d, %a;", "wx", { 1ull << 40 }, 0x7fffffff },
  { "cvt.sat.u32.s64 %d, %a;", "wx", { 1ull << 63 }, 0 },
  { "cvt.sat.s64.u64 %d, %a;", "xx", { G_MAXUINT64 }, G_MAXINT64 },
  { "cvt.rzi.s32.f32 %d, %a;", "ww", { 0xc0200000 }, 0xfffffffe },
  { "cvt.rni.s32.f32 %d, %a;", "ww", { 0x40200000 }, 2 },
  { "cvt.rni.s32.f32 %d, %a;", "ww", { 0x40600000 }, 4 },
  { "cvt.rmi.s32.f32 %d, %a;", "ww", { 0xc0200000 }, 0xfffffffd },
  { "cvt.rpi.s32.f32 %d, %a;", "ww", { 0x40200000 }, 3 },
  { "cvt.rzi.s32.f32 %d, %a;", "ww", { 0x4f000000 }, 0x7fffffff },
  { "cvt.rzi.s32.f32 %d, %a;", "ww", { 0xcf800000 }, 0x80000000 },
  { "cvt.rzi.u32.f32 %d, %a;", "ww", { 0x4f800000 }, 0xffffffff },
  { "cvt.rzi.u32.f32 %d, %a;", "ww", { ONE | NEG }, 0 },
  { "cvt.rzi.s32.f32 %d, %a;", "ww", { NAN32 }, 0 },
  { "cvt.rzi.u64.f32 %d, %a;", "xw", { 0x5f000000 }, 1ull << 63 },
  { "cvt.rzi.s64.f64 %d, %a;", "xx", { 0x43e0000000000000ull }, G_MAXINT64 },
  { "cvt.rzi.u8.f32 %d, %a;", "ww", { 0x43c80000 }, 255 },
  { "cvt.rzi.s16.f16 %d, %a;", "hh", { 0xc200 }, 0xfffd },
  { "cvt.rpi.ftz.s32.f32 %d, %a;", "ww", { TINY }, 0 },
  { "cvt.rpi.s32.f32 %d, %a;", "ww", { TINY }, 1 },
  { "cvt.rn.f32.s32 %d, %a;", "ww", { 0xffffffff }, ONE | NEG },
  { "cvt.rn.f32.u32 %d, %a;", "ww", { 0xffffffff }, 0x4f800000 },
  { "cvt.rz.f32.u32 %d, %a;", "ww", { 0xffffffff }, 0x4f7fffff },
  { "cvt.rm.f32.s32 %d, %a;", "ww", { 0x80000001 }, 0xcf000000 },
  { "cvt.rp.f32.s32 %d, %a;", "ww", { 0x80000001 }, 0xceffffff },
  { "cvt.rn.f32.u64 %d, %a;", "wx", { 0x8000008000000001ull }, 0x5f000001 },
  { "cvt.rn.f32.s64 %d, %a;", "wx", { 0x8000008000000000ull }, 0xdeffffff },
  { "cvt.rn.f64.u64 %d, %a;", "xx", { G_MAXUINT64 }, 0x43f0000000000000ull },
  { "cvt.rz.f64.u64 %d, %a;", "xx", { G_MAXUINT64 }, 0x43efffffffffffffull },
  { "cvt.rn.f64.s32 %d, %a;", "xw", { 0xffffffff }, D_ONE | D_NEG },
  { "cvt.rn.f16.s32 %d, %a;", "hw", { 2049 }, 0x6800 },
  { "cvt.rp.f16.s32 %d, %a;", "hw", { 2049 }, 0x6801 },
  { "cvt.rz.f16.u32 %d, %a;", "hw", { 70000 }, 0x7bff },
  { "cvt.rn.bf16.s32 %d, %a;", "hw", { 257 }, 0x4380 },
  { "cvt.rn.f32.u8 %d, %a;", "ww", { 0x1ff }, 0x437f0000 },
  { "cvt.f64.f32 %d, %a;", "xw", { TINY }, 0x36a0000000000000ull },
  { "cvt.ftz.f64.f32 %d, %a;", "xw", { TINY }, 0 },
  { "cvt.rn.f32.f64 %d, %a;", "wx", { D_ONE + 1 }, ONE },
  { "cvt.rp.f32.f64 %d, %a;", "wx", { D_ONE + 1 }, 0x3f800001 },
  { "cvt.rz.f32.f64 %d, %a;", "wx", { 0x7fe0000000000000ull }, MOST },
  { "cvt.rn.f32.f64 %d, %a;", "wx", { 0x7fe0000000000000ull }, INF },
  { "cvt.rn.f32.f64 %d, %a;", "wx", { D_NAN }, NAN32 },
  { "cvt.rn.f16.f32 %d, %a;", "hw", { 0x477fefff }, 0x7bff },
  { "cvt.rn.f16.f32 %d, %a;", "hw", { 0x477ff000 }, 0x7c00 },
  { "cvt.rn.f16.f32 %d, %a;", "hw", { 0x33000000 }, 0x0000 },
  { "cvt.rn.f16.f32 %d, %a;", "hw", { 0x33000001 }, 0x0001 },
  { "cvt.rn.f16.f32 %d, %a;", "hw", { 0x387fffff }, 0x0400 },
  { "cvt.rn.f16.f32 %d, %a;", "hw", { 0x3f801000 }, 0x3c00 },
  { "cvt.rn.f16.f32 %d, %a;", "hw", { 0x3f803000 }, 0x3c02 },
  { "cvt.rz.f16.f32 %d, %a;", "hw", { 0x3f803fff }, 0x3c01 },
  { "cvt.rn.f16.f32 %d, %a;", "hw", { NAN32 }, 0x7fff },
  /* Just above the tie between 1 and 1 + 2^-10: rounding to f32 first would lose it. */
  /* e4m3: 448 and -1; the least subnormal number, 2^-9, and the least normal one, 2^-6; NaN. */
  { "cvt.rn.f16x2.e4m3x2 %d, %a;", "wh", { 0xb87e }, 0xbc005f00 },
  { "cvt.rn.f16x2.e4m3x2 %d, %a;", "wh", { 0x0801 }, 0x24001800 },
  { "cvt.rn.f16x2.e4m3x2 %d, %a;", "wh", { 0x7f80 }, 0x7fff8000 },
  { "cvt.rn.relu.f16x2.e4m3x2 %d, %a;", "wh", { 0xb838 }, 0x00003c00 },
  /* e5m2 is the upper half of f16: 57344 and -1; 2^-16, the least; infinity and NaN. */
  { "cvt.rn.f16x2.e5m2x2 %d, %a;", "wh", { 0xbc7b }, 0xbc007b00 },
  { "cvt.rn.f16x2.e5m2x2 %d, %a;", "wh", { 0x0104 }, 0x01000400 },
  { "cvt.rn.f16x2.e5m2x2 %d, %a;", "wh", { 0xfc7e }, 0xfc007fff },
  /* To e4m3, the first above: 1 and -2; 448 and what is beyond; ties to even: 1.0625 to 1, 1.1875 to 1.25; half of 2^-9 to 0, more than that to
   * 2^-9; NaN. */
  { "cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b;", "hww", { ONE, TWO | NEG }, 0x38c0 },
  { "cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b;", "hww", { 0x43e00000, INF | NEG }, 0x7efe },
  { "cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b;", "hww", { 0x3f880000, 0x3f980000 }, 0x383a },
  { "cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b;", "hww", { 0x3a800000, 0x3a800001 }, 0x0001 },
  { "cvt.rn.satfinite.e4m3x2.f32 %d, %a, %b;", "hww", { NAN32, 0x3c7fffff }, 0x7f08 },
  { "cvt.rn.satfinite.relu.e4m3x2.f32 %d, %a, %b;", "hww", { ONE | NEG, ONE }, 0x0038 },
  { "cvt.rn.satfinite.e4m3x2.f16x2 %d, %a;", "hw", { 0x3c00c000 }, 0x38c0 },
  /* To e5m2: 1 and -2; 57344 and what is beyond; ties: 1.125 to 1, 1.375 to 1.5; NaN and 2^-16. */
  { "cvt.rn.satfinite.e5m2x2.f32 %d, %a, %b;", "hww", { ONE, TWO | NEG }, 0x3cc0 },
  { "cvt.rn.satfinite.e5m2x2.f32 %d, %a, %b;", "hww", { 0x47600000, INF | NEG }, 0x7bfb },
  { "cvt.rn.satfinite.e5m2x2.f32 %d, %a, %b;", "hww", { 0x3f900000, 0x3fb00000 }, 0x3c3e },
  { "cvt.rn.satfinite.e5m2x2.f32 %d, %a, %b;", "hww", { NAN32, 0x37800000 }, 0x7f01 },
  { "cvt.rn.satfinite.e5m2x2.f16x2 %d, %a;", "hw", { 0x3c00c000 }, 0x3cc0 },
  { "cvt.rn.f16.f64 %d, %a;", "hx", { 0x3ff0020000000001ull }, 0x3c01 },
  { "cvt.f32.f16 %d, %a;", "wh", { 0x0001 }, 0x33800000 },
  { "cvt.f32.f16 %d, %a;", "wh", { 0xfc00 }, INF | NEG },
  { "cvt.f64.f16 %d, %a;", "xh", { 0x3c00 }, D_ONE },
  { "cvt.rn.bf16.f32 %d, %a;", "hw", { 0x3f808000 }, 0x3f80 },
  { "cvt.rn.bf16.f32 %d, %a;", "hw", { 0x3f818000 }, 0x3f82 },
  { "cvt.rn.bf16.f32 %d, %a;", "hw", { MOST }, 0x7f80 },
  { "cvt.rz.bf16.f32 %d, %a;", "hw", { MOST }, 0x7f7f },
  { "cvt.rn.relu.bf16.f32 %d, %a;", "hw", { ONE | NEG }, 0 },
  { "cvt.f32.bf16 %d, %a;", "wh", { 0xbf80 }, ONE | NEG },
  { "cvt.rn.f16x2.f32 %d, %a, %b;", "www", { ONE, TWO }, 0x3c004000 },
  { "cvt.rn.bf16x2.f32 %d, %a, %b;", "www", { ONE, TWO }, 0x3f804000 },
  { "cvt.rna.tf32.f32 %d, %a;", "ww", { 0x3f801000 }, 0x3f802000 },
  { "cvt.rna.tf32.f32 %d, %a;", "ww", { 0xbf800fff }, ONE | NEG },
  { "cvt.rni.f32.f32 %d, %a;", "ww", { 0x40200000 }, TWO },
  { "cvt.rmi.f32.f32 %d, %a;", "ww", { 0xbf000000 }, ONE | NEG },
  { "cvt.rpi.f32.f32 %d, %a;", "ww", { 0xbf000000 }, NEG },
  { "cvt.rzi.f64.f64 %d, %a;", "xx", { 0xc008000000000001ull }, D_THREE | D_NEG },
  { "cvt.rmi.f16.f16 %d, %a;", "hh", { 0x3e00 }, 0x3c00 },
  { "cvt.sat.f32.f32 %d, %a;", "ww", { TWO }, ONE },
  { "cvt.sat.f32.f32 %d, %a;", "ww", { NAN32 }, 0 },
  { "cvt.ftz.f32.f32 %d, %a;", "ww", { TINY | NEG }, NEG },
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

int
main (int argc, char **argv)
{
  static const Table tables[] = {
    { "/ptx/real/single", single, G_N_ELEMENTS (single) },
    { "/ptx/real/comparison", comparison, G_N_ELEMENTS (comparison) },
    { "/ptx/real/double", double_precision, G_N_ELEMENTS (double_precision) },
    { "/ptx/real/functions", functions, G_N_ELEMENTS (functions) },
    { "/ptx/real/halves", halves, G_N_ELEMENTS (halves) },
    { "/ptx/real/conversion", conversion, G_N_ELEMENTS (conversion) },
  };
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    g_test_add_data_func (tables[i].name, &tables[i], test_table);
  return g_test_run ();
}
