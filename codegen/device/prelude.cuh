// SPDX-License-Identifier: MIT-0
// Building blocks of generated kernels. Only the sections that a kernel uses are printed into it; a section begins at "//// name".
//// inf
#define INF __int_as_float (0x7f800000)
//// f16
// IEEE half precision, held as its 16 bits.
struct f16
{
  unsigned short bits;
};

static __device__ __forceinline__ float
load (f16 value)
{
  float result;
  asm ("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(value.bits));
  return result;
}

static __device__ __forceinline__ void
store (f16 *to, float value)
{
  asm ("cvt.rn.f16.f32 %0, %1;" : "=h"(to->bits) : "f"(value));
}
//// bf16
// The upper half of a float; rounded to nearest even.
struct bf16
{
  unsigned short bits;
};

static __device__ __forceinline__ float
load (bf16 value)
{
  return __uint_as_float ((unsigned) value.bits << 16);
}

static __device__ __forceinline__ void
store (bf16 *to, float value)
{
  const unsigned bits = __float_as_uint (value);
  const bool nan = value != value;
  to->bits = nan ? 0x7fff : (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}
//// relu
template <typename T>
static __device__ __forceinline__ T
relu (T x)
{
  return x > T (0) ? x : T (0);
}
//// sigmoid
static __device__ __forceinline__ float
sigmoid (float x)
{
  return 1.0f / (1.0f + expf (-x));
}

static __device__ __forceinline__ double
sigmoid (double x)
{
  return 1.0 / (1.0 + exp (-x));
}
//// gelu
static __device__ __forceinline__ float
gelu (float x)
{
  return 0.5f * x * (1.0f + erff (x * 0.70710678118654752f));
}

static __device__ __forceinline__ double
gelu (double x)
{
  return 0.5 * x * (1.0 + erf (x * 0.70710678118654752));
}
//// maximum
// NaN wins: a kernel must not hide it.
template <typename T>
static __device__ __forceinline__ T
maximum (T a, T b)
{
  return a != a || a > b ? a : b;
}
//// minimum
template <typename T>
static __device__ __forceinline__ T
minimum (T a, T b)
{
  return a != a || a < b ? a : b;
}
//// modulo
// The remainder with the sign of the divisor.
template <typename T>
static __device__ __forceinline__ T
modulo (T a, T b)
{
  return a - b * floor (a / b);
}
