/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "case.h"
#include "codegen/base/codegen.h"
#include "codegen/base/prelude.h"
#include "codegen/compile/compile.h"
#include "codegen/ptx/launch.h"
#include "codegen/ptx/memory.h"
#include "codegen/ptx/module.h"
#include "codegen/ptx/parser.h"
#include "codegen/ptx/ptx.h"
#include "diagram/base/dtype-bytes.h"
#include "diagram/base/dtype.h"
#include "diagram/expression/evaluate.h"
#include "diagram/expression/expr.h"

static const char *const all[]
    = { "inf", "f16", "load f16", "store f16", "bf16", "load bf16", "store bf16", "e4m3", "load e4m3",
        "store e4m3", "e5m2", "load e5m2", "store e5m2", "maximum", "minimum", "square", "cube", "relu",
        "sigmoid", "sigmoid f64", "gated", "gelu", "gelu f64", "silu", "modulo", "modulo f64", "floor_div",
        "ceil_div", "floor_mod", "widen to f16", "widen to bf16", "largest", "smallest", "power of two",
        "reciprocal", "coarse quotient", "coarse sqrt", "coarse exp", "coarse sigmoid", "coarse silu",
        "coarse tanh", "coarse gelu", "quarter turns", "sine of quarters", "coarse sin", "coarse cos" };

static char *
prelude (const char *const *names, guint n)
{
  g_autoptr (GHashTable) sections = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n; i++)
    g_hash_table_add (sections, (gpointer) names[i]);
  return heddle_prelude_text (sections);
}

static void
test_sections (void)
{
  g_autofree char *none = prelude (NULL, 0);
  g_autofree char *two = prelude ((const char *const[]){ "relu", "inf" }, 2);
  g_autofree char *everything = prelude (all, G_N_ELEMENTS (all));

  g_assert_cmpstr (none, ==, "");
  g_assert_true (g_str_has_prefix (two, "#define INF"));
  g_assert_nonnull (strstr (two, "relu (T x)"));
  g_assert_null (strstr (two, "sigmoid"));
  g_assert_null (strstr (everything, "////"));
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_autofree char *one = prelude (&all[i], 1);

      g_assert_cmpuint (strlen (one), >, 0);
      g_assert_nonnull (strstr (everything, one));
    }
}

/* --- what the functions give, run on the interpreter --- */

typedef struct
{
  HeddlePtxModule *module;
  HeddlePtxMemory *memory;
} Device;

static gboolean
device_init_for (Device *self, const char *kernels, const char *arch)
{
  g_autofree char *blocks = prelude (all, G_N_ELEMENTS (all));
  g_autofree char *source = g_strconcat (blocks, "\n", kernels, NULL);
  HeddleKernelText text = { .device = source, .arch = (char *) arch };
  g_autoptr (GError) error = NULL;
  g_autoptr (HeddleCompilation) compilation = NULL;

  if (!case_has_cuda ())
    return FALSE;
  compilation = heddle_compile (&text, NULL, &error);
  g_assert_no_error (error);
  self->module = heddle_ptx_module_new (compilation->ptx, -1, &error);
  g_assert_no_error (error);
  self->memory = heddle_ptx_memory_new ();
  return TRUE;
}

static gboolean
device_init (Device *self, const char *kernels)
{
  return device_init_for (self, kernels, "sm_80");
}

static void
device_clear (Device *self)
{
  heddle_ptx_module_free (self->module);
  heddle_ptx_memory_free (self->memory);
}

/* kernel (const in, out) with one thread per element. */
static void
device_run (
    Device *self, const char *kernel, gconstpointer in, gsize in_size, gpointer out, gsize out_size, guint n)
{
  g_autoptr (GError) error = NULL;
  guint64 from = heddle_ptx_memory_allocate (self->memory, "in", in_size, &error);
  guint64 to = heddle_ptx_memory_allocate (self->memory, "out", out_size, &error);
  HeddlePtxArgument arguments[] = { { &from, sizeof from }, { &to, sizeof to } };
  HeddlePtxLaunch config = { .grid = { n / 256, 1, 1 }, .block = { 256, 1, 1 } };
  HeddlePtxStats stats;

  g_assert_no_error (error);
  g_assert_cmpuint (n % 256, ==, 0);
  heddle_ptx_memory_write (self->memory, from, in, in_size, &error);
  heddle_ptx_launch (self->module, kernel, self->memory, &config, arguments, 2, NULL, &stats, &error);
  g_assert_no_error (error);
  heddle_ptx_memory_read (self->memory, to, out, out_size, &error);
  g_assert_no_error (error);
}

static const char conversions[]
    = "#define AT (blockIdx.x * 256 + threadIdx.x)\n"
      "extern \"C\" __global__ void load_f16 (const f16 *in, float *out) { out[AT] = load (in[AT]); }\n"
      "extern \"C\" __global__ void load_bf16 (const bf16 *in, float *out) { out[AT] = load (in[AT]); }\n"
      "extern \"C\" __global__ void store_f16 (const float *in, f16 *out) { store (&out[AT], in[AT]); }\n"
      "extern \"C\" __global__ void store_bf16 (const float *in, bf16 *out) { store (&out[AT], in[AT]); }\n"
      "extern \"C\" __global__ void load_e4m3 (const e4m3 *in, float *out) { out[AT] = load (in[AT]); }\n"
      "extern \"C\" __global__ void load_e5m2 (const e5m2 *in, float *out) { out[AT] = load (in[AT]); }\n"
      "extern \"C\" __global__ void store_e4m3 (const float *in, e4m3 *out) { store (&out[AT], in[AT]); }\n"
      "extern \"C\" __global__ void store_e5m2 (const float *in, e5m2 *out) { store (&out[AT], in[AT]); }\n";

/* Every pattern of bits. */
static void
check_loads (Device *device, const char *kernel, HeddleDtype dtype)
{
  guint bytes = heddle_dtype_bytes (dtype), n = bytes == 1 ? 256 : 65536;
  g_autofree guint8 *bits = g_malloc0 (n * bytes);
  g_autofree float *values = g_new (float, n);

  for (guint i = 0; i < n; i++)
    memcpy (bits + i * bytes, &i, bytes);
  device_run (device, kernel, bits, n * bytes, values, n * 4, n);
  for (guint i = 0; i < n; i++)
    {
      double expected = heddle_dtype_decode (dtype, bits + i * bytes);

      g_assert_true (isnan (expected) ? isnan (values[i]) : values[i] == expected);
      if (!isnan (expected) && !signbit (expected) != !signbit (values[i]))
        g_error ("%s 0x%x gives %a, not %a", kernel, i, values[i], expected);
    }
}

/* Ordinary values, those halfway between two, subnormal, too large and no numbers. */
static void
check_stores (Device *device, const char *kernel, HeddleDtype dtype)
{
  static const float odd_values[] = { INFINITY, -INFINITY, 0.f, -0.f, NAN, 1.f + 0x1p-11f, 1.f + 0x3p-11f,
    1.f + 0x1p-8f, 1.f + 0x3p-8f, 1.f + 0x1p-4f, 1.f + 0x3p-4f, 1.f + 0x1p-3f, 1.f + 0x3p-3f, 65520.f, 448.f,
    463.9f, 464.f, 480.f, -500.f, 57344.f, 61439.f, 61440.f, 0x1p-6f, 0x1.fp-7f, 0x1p-10f, 0x1.8p-9f,
    0x1p-14f, 0x1.fp-15f, 0x1p-17f, 0x1.8p-16f, 0x1p-24f, 0x1p-25f, 1e-40f };
  enum
  {
    N = 4096
  };
  guint bytes = heddle_dtype_bytes (dtype);
  g_autofree float *values = g_new (float, N);
  g_autofree guint8 *bits = g_malloc0 (N * bytes);
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);

  for (guint i = 0; i < N; i++)
    values[i] = (float) ldexp (g_rand_double_range (rand, -2, 2), g_rand_int_range (rand, -30, 18));
  memcpy (values, odd_values, sizeof odd_values);
  device_run (device, kernel, values, N * 4, bits, N * bytes, N);
  for (guint i = 0; i < N; i++)
    {
      guint16 expected = 0, stored = 0;

      heddle_dtype_encode (dtype, values[i], &expected);
      memcpy (&stored, bits + i * bytes, bytes);
      if (isnan (values[i]))
        g_assert_true (isnan (heddle_dtype_decode (dtype, &stored)));
      else
        g_assert_cmphex (stored, ==, expected);
    }
}

static void
test_conversions (void)
{
  Device device;

  if (!device_init (&device, conversions))
    return;
  check_loads (&device, "load_f16", HEDDLE_DTYPE_F16);
  check_loads (&device, "load_bf16", HEDDLE_DTYPE_BF16);
  check_loads (&device, "load_e4m3", HEDDLE_DTYPE_E4M3);
  check_loads (&device, "load_e5m2", HEDDLE_DTYPE_E5M2);
  check_stores (&device, "store_e4m3", HEDDLE_DTYPE_E4M3);
  check_stores (&device, "store_e5m2", HEDDLE_DTYPE_E5M2);
  check_stores (&device, "store_f16", HEDDLE_DTYPE_F16);
  check_stores (&device, "store_bf16", HEDDLE_DTYPE_BF16);
  device_clear (&device);
}

static const char widenings[]
    = "extern \"C\" __global__ void widen (const unsigned short *in, unsigned *out) { const int at = "
      "blockIdx.x * 256 + "
      "threadIdx.x; out[2 * at] = widen_f16 (in[at]); out[2 * at + 1] = widen_bf16 (in[at]); }\n";

/* All pairs of e4m3 as pairs of wider types, by the instruction and without. */
static void
check_widening (const char *arch)
{
  static const HeddleDtype types[] = { HEDDLE_DTYPE_F16, HEDDLE_DTYPE_BF16 };
  g_autofree guint16 *in = g_new (guint16, 65536), *out = g_new (guint16, 65536 * 4);
  Device device;

  if (!device_init_for (&device, widenings, arch))
    return;
  for (guint i = 0; i < 65536; i++)
    in[i] = (guint16) i;
  device_run (&device, "widen", in, 65536 * 2, out, 65536 * 8, 65536);
  for (guint i = 0; i < 65536 * 4; i++)
    {
      const guint8 code = (guint8) (i / 4 >> 8 * (i % 2));
      double expected = heddle_dtype_decode (HEDDLE_DTYPE_E4M3, &code),
             value = heddle_dtype_decode (types[i % 4 / 2], &out[i]);

      if (!(isnan (expected) ? isnan (value) : value == expected && !signbit (value) == !signbit (expected)))
        g_error ("0x%x becomes %a, not %a", code, value, expected);
    }
  device_clear (&device);
}

static void
test_widening (void)
{
  check_widening ("sm_80");
  check_widening ("sm_90a");
}

/* Every function of two values in both types, at ordinary and at odd values, against the one definition of its meaning. */
static const struct
{
  const char *name, *call;
  HeddleExprKind kind;
  double tolerance;
} functions[] = {
  { "maximum", "maximum (a, b)", HEDDLE_EXPR_MAX, 0 },
  { "minimum", "minimum (a, b)", HEDDLE_EXPR_MIN, 0 },
  { "relu", "relu (a)", HEDDLE_EXPR_RELU, 0 },
  { "sigmoid", "sigmoid (a)", HEDDLE_EXPR_SIGMOID, 1e-6 },
  { "gelu", "gelu (a)", HEDDLE_EXPR_GELU, 2e-6 },
  { "silu", "silu (a)", HEDDLE_EXPR_SILU, 1e-6 },
  { "modulo", "modulo (a, b)", HEDDLE_EXPR_MOD, 1e-6 },
};

static char *
function_kernels (void)
{
  GString *text = g_string_new ("#define AT (blockIdx.x * 256 + threadIdx.x)\n");

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    for (guint wide = 0; wide < 2; wide++)
      {
        const char *type = wide ? "double" : "float";

        g_string_append_printf (text,
            "extern \"C\" __global__ void %s_%s (const %s *in, %s *out)\n"
            "{ const %s a = in[2 * AT], b = in[2 * AT + 1]; (void) b; out[AT] = %s; }\n",
            functions[i].name, type, type, type, type, functions[i].call);
      }
  return g_string_free (text, FALSE);
}

static const double odd[]
    = { 0, 1, -1, 0.3, -0.3, 2.5, -2.5, 7, -7, 20, -20, 1e-3, -5.5, INFINITY, -INFINITY, NAN };

static gboolean
close_to (double value, double expected, double tolerance)
{
  if (isnan (expected) || isinf (expected))
    return isnan (expected) ? isnan (value) : value == expected;
  return fabs (value - expected) <= tolerance * MAX (1e-3, fabs (expected));
}

static void
check_function (Device *device, guint i, gboolean wide)
{
  g_autofree char *kernel = g_strdup_printf ("%s_%s", functions[i].name, wide ? "double" : "float");
  double in[512], out[256];
  float narrow_in[512], narrow_out[256];

  for (guint k = 0; k < 256; k++)
    {
      in[2 * k] = narrow_in[2 * k] = odd[k / 16];
      in[2 * k + 1] = narrow_in[2 * k + 1] = odd[k % 16];
    }
  if (wide)
    device_run (device, kernel, in, sizeof in, out, sizeof out, 256);
  else
    device_run (device, kernel, narrow_in, sizeof narrow_in, narrow_out, sizeof narrow_out, 256);
  for (guint k = 0; k < 256; k++)
    {
      double arguments[]
          = { wide ? in[2 * k] : narrow_in[2 * k], wide ? in[2 * k + 1] : narrow_in[2 * k + 1] };
      double expected = heddle_expr_apply (functions[i].kind, arguments);
      double value = wide ? out[k] : narrow_out[k];

      if (!close_to (value, expected, wide ? functions[i].tolerance * 1e-8 : functions[i].tolerance))
        g_error ("%s (%g, %g) is %.17g, not %.17g", kernel, arguments[0], arguments[1], value, expected);
    }
}

static void
test_functions (void)
{
  g_autofree char *kernels = function_kernels ();
  Device device;

  if (!device_init (&device, kernels))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    {
      check_function (&device, i, FALSE);
      check_function (&device, i, TRUE);
    }
  device_clear (&device);
}

/* What is for results of 16 bits is within 3e-5 of its meaning, near 0 as far out, and gives the same infinities and NaN. */
static const struct
{
  const char *name, *call;
  HeddleExprKind kind;
} coarse[] = {
  { "coarse_exp", "coarse_exp (a)", HEDDLE_EXPR_EXP },
  { "coarse_sigmoid", "coarse_sigmoid (a)", HEDDLE_EXPR_SIGMOID },
  { "coarse_silu", "coarse_silu (a)", HEDDLE_EXPR_SILU },
  { "coarse_tanh", "coarse_tanh (a)", HEDDLE_EXPR_TANH },
  { "coarse_gelu", "coarse_gelu (a)", HEDDLE_EXPR_GELU },
  { "coarse_sin", "coarse_sin (a)", HEDDLE_EXPR_SIN },
  { "coarse_cos", "coarse_cos (a)", HEDDLE_EXPR_COS },
};

static void
check_coarse (Device *device, guint i)
{
  static const double odds[]
      = { 0, INFINITY, -INFINITY, NAN, 88, -87, 1e-6, -1e-6, 65504, -65504, 123456, -1e6, 98765432, 5e8 };
  g_autofree char *kernel = g_strconcat (coarse[i].name, "_kernel", NULL);
  float in[512], out[512];

  for (guint k = 0; k < 512; k++)
    in[k] = k < G_N_ELEMENTS (odds) ? (float) odds[k] : ((float) k - 256) / 24;
  device_run (device, kernel, in, sizeof in, out, sizeof out, 512);
  for (guint k = 0; k < 512; k++)
    {
      double argument = in[k], expected = heddle_expr_apply (coarse[i].kind, &argument);

      if (fabs (expected) > 3e38)
        expected = copysign (INFINITY, expected);
      if (isnan (expected) || isinf (expected)
              ? !close_to (out[k], expected, 0)
              : !(fabs (out[k] - expected) <= 3e-5 * fabs (expected) + 1e-20))
        g_error ("%s (%g) is %g, not %g", coarse[i].name, argument, out[k], expected);
    }
}

static void
test_coarse (void)
{
  g_autoptr (GString) text = g_string_new ("#define AT (blockIdx.x * 256 + threadIdx.x)\n");
  Device device;

  for (guint i = 0; i < G_N_ELEMENTS (coarse); i++)
    g_string_append_printf (text,
        "extern \"C\" __global__ void %s_kernel (const float *in, float *out)\n{ const float a = in[AT]; "
        "out[AT] = %s; }\n",
        coarse[i].name, coarse[i].call);
  if (!device_init (&device, text->str))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (coarse); i++)
    check_coarse (&device, i);
  device_clear (&device);
}

static const char divisions[] = "#define AT (blockIdx.x * 256 + threadIdx.x)\n"
                                "extern \"C\" __global__ void divide (const long long *in, long long *out)\n"
                                "{\n"
                                "  const long long a = in[2 * AT], b = in[2 * AT + 1];\n"
                                "  out[3 * AT] = floor_div (a, b);\n"
                                "  out[3 * AT + 1] = ceil_div (a, b);\n"
                                "  out[3 * AT + 2] = floor_mod (a, b);\n"
                                "}\n";

static void
test_divisions (void)
{
  Device device;
  gint64 in[512], out[768];

  if (!device_init (&device, divisions))
    return;
  for (guint k = 0; k < 256; k++)
    {
      in[2 * k] = (gint64) (k / 16) - 8;
      in[2 * k + 1] = (gint64) (k % 16) - 8;
      in[2 * k + 1] += in[2 * k + 1] >= 0; /* never 0 */
    }
  device_run (&device, "divide", in, sizeof in, out, sizeof out, 256);
  for (guint k = 0; k < 256; k++)
    {
      double a = in[2 * k], b = in[2 * k + 1];

      g_assert_cmpfloat (out[3 * k], ==, floor (a / b));
      g_assert_cmpfloat (out[3 * k + 1], ==, ceil (a / b));
      g_assert_cmpfloat (out[3 * k + 2], ==, a - b * floor (a / b));
    }
  device_clear (&device);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/prelude/sections", test_sections);
  g_test_add_func ("/prelude/conversions", test_conversions);
  g_test_add_func ("/prelude/widening", test_widening);
  g_test_add_func ("/prelude/functions", test_functions);
  g_test_add_func ("/prelude/coarse", test_coarse);
  g_test_add_func ("/prelude/divisions", test_divisions);
  return g_test_run ();
}
