/* SPDX-License-Identifier: MIT */
#include "codegen/ptx/modifiers.h"

typedef struct
{
  const char *name;
  guint bits;
  enum
  {
    PLAIN,
    SIGNED,
    FLOAT
  } kind;
} TypeRow;

static const TypeRow types[PTX_N_TYPES] = {
  [PTX_NONE] = { "", 0, PLAIN },
  [PTX_PRED] = { "pred", 1, PLAIN },
  [PTX_B8] = { "b8", 8, PLAIN },
  [PTX_U8] = { "u8", 8, PLAIN },
  [PTX_S8] = { "s8", 8, SIGNED },
  [PTX_B16] = { "b16", 16, PLAIN },
  [PTX_U16] = { "u16", 16, PLAIN },
  [PTX_S16] = { "s16", 16, SIGNED },
  [PTX_F16] = { "f16", 16, FLOAT },
  [PTX_BF16] = { "bf16", 16, FLOAT },
  [PTX_B32] = { "b32", 32, PLAIN },
  [PTX_U32] = { "u32", 32, PLAIN },
  [PTX_S32] = { "s32", 32, SIGNED },
  [PTX_F32] = { "f32", 32, FLOAT },
  [PTX_TF32] = { "tf32", 32, FLOAT },
  [PTX_F16X2] = { "f16x2", 32, FLOAT },
  [PTX_BF16X2] = { "bf16x2", 32, FLOAT },
  [PTX_B64] = { "b64", 64, PLAIN },
  [PTX_U64] = { "u64", 64, PLAIN },
  [PTX_S64] = { "s64", 64, SIGNED },
  [PTX_F64] = { "f64", 64, FLOAT },
  [PTX_E4M3] = { "e4m3", 8, FLOAT },
  [PTX_E4M3X2] = { "e4m3x2", 16, FLOAT },
  [PTX_E5M2] = { "e5m2", 8, FLOAT },
  [PTX_E5M2X2] = { "e5m2x2", 16, FLOAT },
};

guint
ptx_type_bits (PtxType type)
{
  return types[type].bits;
}

gboolean
ptx_type_is_float (PtxType type)
{
  return types[type].kind == FLOAT;
}

gboolean
ptx_type_is_signed (PtxType type)
{
  return types[type].kind == SIGNED;
}

/* Returns the type of that name, given without its dot; PTX_NONE if there is none. */
PtxType
ptx_type_from_name (const char *name)
{
  for (guint i = PTX_NONE + 1; i < PTX_N_TYPES; i++)
    if (g_str_equal (types[i].name, name))
      return i;
  return PTX_NONE;
}

typedef struct
{
  const char *word;
  PtxModifier modifier;
  guint8 value;
} Word;

/* The words of modifiers. One word may mean two things ("and" joins predicates or is an atomic operation);
 * the row of the instruction decides, since it allows only one of them. Cache hints, orders and scopes do not
 * change what a sequentially consistent machine computes: their values only say that they are there. */
static const Word words[] = {
  { "rn", PTX_ROUND, PTX_ROUND_NEAREST },
  { "rz", PTX_ROUND, PTX_ROUND_ZERO },
  { "rm", PTX_ROUND, PTX_ROUND_DOWN },
  { "rp", PTX_ROUND, PTX_ROUND_UP },
  { "rni", PTX_INTEGRAL, PTX_ROUND_NEAREST_INTEGER },
  { "rzi", PTX_INTEGRAL, PTX_ROUND_ZERO_INTEGER },
  { "rmi", PTX_INTEGRAL, PTX_ROUND_DOWN_INTEGER },
  { "rpi", PTX_INTEGRAL, PTX_ROUND_UP_INTEGER },
  { "ftz", PTX_FTZ, 1 },
  { "sat", PTX_SATURATE, 1 },
  { "approx", PTX_APPROXIMATE, 1 },
  { "full", PTX_APPROXIMATE, 2 },
  { "NaN", PTX_NAN, 1 },
  { "xorsign", PTX_XORSIGN, 1 },
  { "abs", PTX_XORSIGN, 1 },
  { "relu", PTX_RELU, 1 },
  { "noftz", PTX_NOFTZ, 1 },
  { "uni", PTX_UNIFORM, 1 },
  { "aligned", PTX_ALIGNED, 1 },
  { "eq", PTX_COMPARE, PTX_COMPARE_EQ },
  { "ne", PTX_COMPARE, PTX_COMPARE_NE },
  { "lt", PTX_COMPARE, PTX_COMPARE_LT },
  { "le", PTX_COMPARE, PTX_COMPARE_LE },
  { "gt", PTX_COMPARE, PTX_COMPARE_GT },
  { "ge", PTX_COMPARE, PTX_COMPARE_GE },
  { "lo", PTX_COMPARE, PTX_COMPARE_LT },
  { "ls", PTX_COMPARE, PTX_COMPARE_LE },
  { "hi", PTX_COMPARE, PTX_COMPARE_GT },
  { "hs", PTX_COMPARE, PTX_COMPARE_GE },
  { "equ", PTX_COMPARE, PTX_COMPARE_EQU },
  { "neu", PTX_COMPARE, PTX_COMPARE_NEU },
  { "ltu", PTX_COMPARE, PTX_COMPARE_LTU },
  { "leu", PTX_COMPARE, PTX_COMPARE_LEU },
  { "gtu", PTX_COMPARE, PTX_COMPARE_GTU },
  { "geu", PTX_COMPARE, PTX_COMPARE_GEU },
  { "num", PTX_COMPARE, PTX_COMPARE_NUM },
  { "nan", PTX_COMPARE, PTX_COMPARE_NANS },
  { "and", PTX_BOOLEAN, PTX_AND },
  { "or", PTX_BOOLEAN, PTX_OR },
  { "xor", PTX_BOOLEAN, PTX_XOR },
  { "popc", PTX_BOOLEAN, PTX_POPC },
  { "add", PTX_SUM, PTX_ATOMIC_ADD },
  { "min", PTX_EXTREME, PTX_ATOMIC_MIN },
  { "max", PTX_EXTREME, PTX_ATOMIC_MAX },
  { "and", PTX_LOGIC, PTX_ATOMIC_AND },
  { "or", PTX_LOGIC, PTX_ATOMIC_OR },
  { "xor", PTX_LOGIC, PTX_ATOMIC_XOR },
  { "inc", PTX_COUNT, PTX_ATOMIC_INC },
  { "dec", PTX_COUNT, PTX_ATOMIC_DEC },
  { "exch", PTX_LOGIC, PTX_ATOMIC_EXCH },
  { "cas", PTX_SWAP, 1 },
  { "global", PTX_SPACE, PTX_GLOBAL },
  { "shared", PTX_SPACE, PTX_SHARED },
  { "shared::cta", PTX_SPACE, PTX_SHARED },
  { "shared::cluster", PTX_SPACE, PTX_SHARED },
  { "local", PTX_SPACE, PTX_LOCAL },
  { "const", PTX_SPACE, PTX_CONST },
  { "param", PTX_SPACE, PTX_PARAM },
  { "param::entry", PTX_SPACE, PTX_PARAM },
  { "param::func", PTX_SPACE, PTX_PARAM },
  { "v2", PTX_VECTOR, 2 },
  { "v4", PTX_VECTOR, 4 },
  { "v8", PTX_VECTOR, 8 },
  { "ca", PTX_CACHE, 1 },
  { "cg", PTX_CACHE, 1 },
  { "cs", PTX_CACHE, 1 },
  { "lu", PTX_CACHE, 1 },
  { "cv", PTX_CACHE, 1 },
  { "wb", PTX_CACHE, 1 },
  { "wt", PTX_CACHE, 1 },
  { "nc", PTX_CACHE, 1 },
  { "L1::evict_normal", PTX_CACHE, 1 },
  { "L1::evict_unchanged", PTX_CACHE, 1 },
  { "L1::evict_first", PTX_CACHE, 1 },
  { "L1::evict_last", PTX_CACHE, 1 },
  { "L1::no_allocate", PTX_CACHE, 1 },
  { "L2::evict_normal", PTX_CACHE, 1 },
  { "L2::evict_first", PTX_CACHE, 1 },
  { "L2::evict_last", PTX_CACHE, 1 },
  { "L2::64B", PTX_CACHE, 1 },
  { "L2::128B", PTX_CACHE, 1 },
  { "L2::256B", PTX_CACHE, 1 },
  { "L1", PTX_CACHE, 1 },
  { "L2", PTX_CACHE, 1 },
  { "weak", PTX_ORDER, 1 },
  { "volatile", PTX_ORDER, 1 },
  { "relaxed", PTX_ORDER, 1 },
  { "acquire", PTX_ORDER, 1 },
  { "release", PTX_ORDER, 1 },
  { "acq_rel", PTX_ORDER, 1 },
  { "sc", PTX_ORDER, 1 },
  { "cta", PTX_SCOPE, 1 },
  { "cluster", PTX_SCOPE, 1 },
  { "gpu", PTX_SCOPE, 1 },
  { "gl", PTX_SCOPE, 1 },
  { "sys", PTX_SCOPE, 1 },
  { "f4e", PTX_PERMUTE, 1 },
  { "b4e", PTX_PERMUTE, 2 },
  { "rc8", PTX_PERMUTE, 3 },
  { "ecl", PTX_PERMUTE, 4 },
  { "ecr", PTX_PERMUTE, 5 },
  { "rc16", PTX_PERMUTE, 6 },
  { "L2::cache_hint", PTX_CACHE, 1 },
  { "tile", PTX_TILE, 1 },
  { "mbarrier::complete_tx::bytes", PTX_COMPLETES, 1 },
  { "multicast::cluster", PTX_MULTICAST, 1 },
  { "bulk_group", PTX_GROUP, 1 },
  { "read", PTX_READ_ONLY, 1 },
  { "b1024", PTX_OBJECT, 1 },
  { "parity", PTX_PARITY, 1 },
  { "finite", PTX_TEST, PTX_FINITE },
  { "infinite", PTX_TEST, PTX_INFINITE },
  { "number", PTX_TEST, PTX_NUMBER },
  { "notanumber", PTX_TEST, PTX_NOT_A_NUMBER },
  { "normal", PTX_TEST, PTX_NORMAL },
  { "subnormal", PTX_TEST, PTX_SUBNORMAL },
};

/* Finds what @word means among the modifiers @allowed. Returns FALSE if it means none of them. */
gboolean
ptx_modifier_find (const char *word, guint32 allowed, PtxModifier *modifier, guint8 *value)
{
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if ((allowed & 1u << words[i].modifier) != 0 && g_str_equal (words[i].word, word))
      {
        *modifier = words[i].modifier;
        *value = words[i].value;
        return TRUE;
      }
  return FALSE;
}
