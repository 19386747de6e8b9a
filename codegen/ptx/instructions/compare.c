/* SPDX-License-Identifier: MIT */
#include "codegen/ptx/machine.h"
#include "codegen/ptx/modifiers.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/number.h"
#include "codegen/ptx/warp.h"

/* Comparison and selection. */

/* The relation of two values. */
typedef enum
{
  LESS = 1,
  EQUAL = 2,
  GREATER = 4,
  UNORDERED = 8,
} Relation;

/* The relations that make a comparison true; comparisons that end in u hold for NaN as well. */
static const guint8 truths[] = {
  [PTX_COMPARE_EQ] = EQUAL,
  [PTX_COMPARE_NE] = LESS | GREATER,
  [PTX_COMPARE_LT] = LESS,
  [PTX_COMPARE_LE] = LESS | EQUAL,
  [PTX_COMPARE_GT] = GREATER,
  [PTX_COMPARE_GE] = GREATER | EQUAL,
  [PTX_COMPARE_EQU] = EQUAL | UNORDERED,
  [PTX_COMPARE_NEU] = LESS | GREATER | UNORDERED,
  [PTX_COMPARE_LTU] = LESS | UNORDERED,
  [PTX_COMPARE_LEU] = LESS | EQUAL | UNORDERED,
  [PTX_COMPARE_GTU] = GREATER | UNORDERED,
  [PTX_COMPARE_GEU] = GREATER | EQUAL | UNORDERED,
  [PTX_COMPARE_NUM] = LESS | EQUAL | GREATER,
  [PTX_COMPARE_NANS] = UNORDERED,
};

static Relation
relate_reals (double x, double y)
{
  if (isnan (x) || isnan (y))
    return UNORDERED;
  return x < y ? LESS : x > y ? GREATER : EQUAL;
}

static double
half_operand (guint64 bits, gboolean bfloat, gboolean ftz)
{
  double value = bfloat ? ptx_bfloat_value (bits & 0xffff) : ptx_half_value (bits & 0xffff);
  return ftz && !bfloat && fabs (value) < 0x1p-14 ? 0 : value;
}

/* Returns the relation of two values of @type, which lie in the lowest bits. */
static Relation
relate (guint64 x, guint64 y, PtxType type, gboolean ftz)
{
  guint bits = ptx_type_bits (type);
  switch (type)
    {
    case PTX_F32:
      return relate_reals (ptx_float_operand (x, ftz), ptx_float_operand (y, ftz));
    case PTX_F64:
      return relate_reals (ptx_bits_double (x), ptx_bits_double (y));
    case PTX_F16:
    case PTX_F16X2:
      return relate_reals (half_operand (x, FALSE, ftz), half_operand (y, FALSE, ftz));
    case PTX_BF16:
    case PTX_BF16X2:
      return relate_reals (half_operand (x, TRUE, ftz), half_operand (y, TRUE, ftz));
    default:
      if (!ptx_type_is_signed (type))
        return x < y ? LESS : x > y ? GREATER : EQUAL;
      gint64 sx = ptx_extend (x, bits), sy = ptx_extend (y, bits);
      return sx < sy ? LESS : sx > sy ? GREATER : EQUAL;
    }
}

static gboolean
join (PtxBoolean boolean, gboolean a, gboolean b)
{
  switch (boolean)
    {
    case PTX_AND:
      return a && b;
    case PTX_OR:
      return a || b;
    case PTX_XOR:
      return a != b;
    default:
      return a;
    }
}

/* The truth, for one lane, of a comparison and of what it is joined with. */
typedef struct
{
  const guint64 *a;
  const guint64 *b;
  const guint64 *c;
  gboolean negate;
  guint8 truth;
  gboolean ftz;
  PtxType type;
  PtxBoolean boolean;
} Comparison;

static Comparison
comparison_of (const PtxWarp *warp, const PtxInstruction *in, PtxType type)
{
  gboolean joined = in->n_operands > 3;
  return (Comparison){ ptx_source (warp, in, 1), ptx_source (warp, in, 2),
    joined ? ptx_source (warp, in, 3) : NULL, joined && in->operands[3].negate,
    truths[in->modifier[PTX_COMPARE]], in->modifier[PTX_FTZ] != 0, type,
    joined ? in->modifier[PTX_BOOLEAN] : 0 };
}

static gboolean
third (const Comparison *self, guint lane)
{
  return self->c != NULL && (self->c[lane] != 0) != self->negate;
}

static gboolean
compare (const Comparison *self, guint lane, guint element)
{
  guint64 x = self->a[lane] >> 16 * element, y = self->b[lane] >> 16 * element;
  return (relate (x, y, self->type, self->ftz) & self->truth) != 0;
}

/* Sets a predicate. The second predicate is the opposite comparison, joined in the same way; for pairs it is
 * that of the upper half. */
static PtxStatus
set_predicate (PtxWarp *warp, const PtxInstruction *in)
{
  const Comparison comparison = comparison_of (warp, in, in->type);
  const gboolean pair = in->type == PTX_F16X2 || in->type == PTX_BF16X2;
  const guint32 second = in->operands[0].second;
  guint64 *p = ptx_result (warp, in);
  guint64 *q = second != PTX_NO_SLOT ? ptx_register (warp, second) : NULL;
  PTX_FOR_LANES (warp, l)
  {
    gboolean truth = compare (&comparison, l, 0);
    gboolean other = pair ? compare (&comparison, l, 1) : !truth;
    gboolean c = third (&comparison, l);
    p[l] = (guint64) join (comparison.boolean, truth, c);
    if (q != NULL)
      q[l] = (guint64) join (comparison.boolean, other, c);
  }
  return PTX_NEXT;
}

/* Returns the value of "true" in the type of a result. */
static guint64
truth_value (PtxType type)
{
  switch (type)
    {
    case PTX_F32:
      return 0x3f800000;
    case PTX_F16:
    case PTX_F16X2:
      return 0x3c00;
    case PTX_BF16:
    case PTX_BF16X2:
      return 0x3f80;
    default:
      return ptx_cut (G_MAXUINT64, ptx_type_bits (type));
    }
}

static PtxStatus
set_value (PtxWarp *warp, const PtxInstruction *in)
{
  const Comparison comparison = comparison_of (warp, in, in->type2);
  const gboolean pair = in->type2 == PTX_F16X2 || in->type2 == PTX_BF16X2;
  const guint64 value = pair ? truth_value (in->type) & 0xffff : truth_value (in->type);
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    gboolean c = third (&comparison, l);
    d[l] = join (comparison.boolean, compare (&comparison, l, 0), c) ? value : 0;
    if (pair && join (comparison.boolean, compare (&comparison, l, 1), c))
      d[l] |= value << 16;
  }
  return PTX_NEXT;
}

/* Selects a value. Only the one that is chosen must be defined. */
static PtxStatus
select_value (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, 2), *c = ptx_source (warp, in, 3);
  const gboolean negate = in->operands[3].negate;
  const guint32 known[]
      = { ptx_defined (warp, in->operands[2].slot), ptx_defined (warp, in->operands[1].slot) };
  guint64 *d = ptx_result (warp, in);
  guint32 defined = 0;
  PTX_FOR_LANES (warp, l)
  {
    gboolean first = (c[l] != 0) != negate;
    d[l] = first ? a[l] : b[l];
    defined |= known[first] & 1u << l;
  }
  ptx_set_defined (warp, in->operands[0].slot, defined & ptx_defined (warp, in->operands[3].slot));
  return PTX_NEXT;
}

static PtxStatus
select_by_sign (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1), *b = ptx_source (warp, in, 2), *c = ptx_source (warp, in, 3);
  const gboolean real = in->type2 == PTX_F32;
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    gboolean first = real ? ptx_float_operand (c[l], in->modifier[PTX_FTZ] != 0) >= 0 : (gint32) c[l] >= 0;
    d[l] = first ? a[l] : b[l];
  }
  return PTX_NEXT;
}

static gboolean
test (PtxTest property, int class)
{
  switch (property)
    {
    case PTX_FINITE:
      return class != FP_NAN && class != FP_INFINITE;
    case PTX_INFINITE:
      return class == FP_INFINITE;
    case PTX_NUMBER:
      return class != FP_NAN;
    case PTX_NOT_A_NUMBER:
      return class == FP_NAN;
    case PTX_NORMAL:
      return class == FP_NORMAL || class == FP_ZERO;
    default:
      return class == FP_SUBNORMAL;
    }
}

static PtxStatus
test_property (PtxWarp *warp, const PtxInstruction *in)
{
  const guint64 *a = ptx_source (warp, in, 1);
  guint64 *d = ptx_result (warp, in);
  PTX_FOR_LANES (warp, l)
  {
    int class = in->type == PTX_F32 ? fpclassify (ptx_bits_float ((guint32) a[l]))
                                    : fpclassify (ptx_bits_double (a[l]));
    d[l] = (guint64) test (in->modifier[PTX_TEST], class);
  }
  return PTX_NEXT;
}

#define PLAIN (PTX_T (B16) | PTX_T (B32) | PTX_T (B64))
#define UNSIGNED (PTX_T (U16) | PTX_T (U32) | PTX_T (U64))
#define SIGNED (PTX_T (S16) | PTX_T (S32) | PTX_T (S64))
#define REALS (PTX_T (F32) | PTX_T (F64))
#define HALVES (PTX_T (F16) | PTX_T (BF16))
#define PAIRS (PTX_T (F16X2) | PTX_T (BF16X2))
#define SINGLES (PLAIN | UNSIGNED | SIGNED | REALS | HALVES)
#define WORDS (PTX_T (U32) | PTX_T (S32) | PTX_T (F32))
#define SHORTS (PTX_T (U16) | PTX_T (S16) | PTX_T (F16) | PTX_T (BF16))

const PtxRow ptx_rows_compare[] = {
  { "setp", PTX_M (FTZ), PTX_M (COMPARE), SINGLES | PAIRS, 0, "Qaa", set_predicate },
  { "setp", PTX_M (FTZ), PTX_M (COMPARE) | PTX_M (BOOLEAN), SINGLES | PAIRS, 0, "Qaap", set_predicate },
  { "set", PTX_M (FTZ), PTX_M (COMPARE), WORDS, SINGLES, "dbb", set_value },
  { "set", PTX_M (FTZ), PTX_M (COMPARE) | PTX_M (BOOLEAN), WORDS, SINGLES, "dbbp", set_value },
  { "set", PTX_M (FTZ), PTX_M (COMPARE), SHORTS, HALVES, "dbb", set_value },
  { "set", PTX_M (FTZ), PTX_M (COMPARE), PAIRS | PTX_T (U32) | PTX_T (S32), PAIRS, "dbb", set_value },
  { "selp", 0, 0, PLAIN | UNSIGNED | SIGNED | REALS, 0, "daap", select_value, PTX_UNDEFINED_CUSTOM },
  { "slct", PTX_M (FTZ), 0, PLAIN | UNSIGNED | SIGNED | REALS, PTX_T (S32) | PTX_T (F32), "daab",
      select_by_sign },
  { "testp", 0, PTX_M (TEST), REALS, 0, "Pa", test_property },
  { NULL },
};
