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
//// load f16
static __device__ __forceinline__ float
load (f16 value)
{
  float result;
  asm ("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(value.bits));
  return result;
}
//// store f16
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
//// load bf16
static __device__ __forceinline__ float
load (bf16 value)
{
  return __uint_as_float ((unsigned) value.bits << 16);
}
//// store bf16
static __device__ __forceinline__ void
store (bf16 *to, float value)
{
  asm ("cvt.rn.bf16.f32 %0, %1;" : "=h"(to->bits) : "f"(value));
}
//// e4m3
// 8 bits: sign, 4 of exponent, 3 of fraction; no infinity.
struct e4m3
{
  unsigned char bits;
};
//// load e4m3
static __device__ __forceinline__ float
load (e4m3 value)
{
  const unsigned sign = (value.bits & 0x80u) << 24, magnitude = value.bits & 0x7f;
  if (magnitude == 0x7f)
    return __uint_as_float (0x7fffffff);
  if (magnitude < 8)  // subnormal: multiples of 2^-9
    return __uint_as_float (sign | __float_as_uint (magnitude * 0.001953125f));
  return __uint_as_float (sign | ((magnitude << 20) + (120u << 23)));
}
//// store e4m3
// Rounded to nearest even; too large is 448.
static __device__ __forceinline__ void
store (e4m3 *to, float value)
{
  const unsigned bits = __float_as_uint (value), magnitude = bits & 0x7fffffff;
  unsigned code = (magnitude + 0x7ffff + ((magnitude >> 20) & 1)) >> 20;
  code = code < 120 * 8 + 0x7e ? code - 120 * 8 : 0x7e;
  if (magnitude < 121u << 23)  // below 2^-6: multiples of 2^-9
    code = __float2int_rn (__uint_as_float (magnitude) * 512.0f);
  to->bits = (bits >> 24 & 0x80) | (value != value ? 0x7f : code);
}
//// e5m2
// 8 bits: the upper half of an f16.
struct e5m2
{
  unsigned char bits;
};
//// load e5m2
static __device__ __forceinline__ float
load (e5m2 value)
{
  const unsigned short bits = value.bits << 8;
  float result;
  asm ("cvt.f32.f16 %0, %1;" : "=f"(result) : "h"(bits));
  return result;
}
//// store e5m2
// Rounded to nearest even; too large is infinite.
static __device__ __forceinline__ void
store (e5m2 *to, float value)
{
  const unsigned bits = __float_as_uint (value), magnitude = bits & 0x7fffffff;
  unsigned code = (magnitude + 0xfffff + ((magnitude >> 21) & 1)) >> 21;
  code = code < 112 * 4 + 0x7c ? code - 112 * 4 : 0x7c;
  if (magnitude < 113u << 23)  // below 2^-14: multiples of 2^-16
    code = __float2int_rn (__uint_as_float (magnitude) * 65536.0f);
  to->bits = (bits >> 24 & 0x80) | (value != value ? 0x7f : code);
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
// NaN wins here too.
template <typename T>
static __device__ __forceinline__ T
minimum (T a, T b)
{
  return a != a || a < b ? a : b;
}
//// square
template <typename T>
static __device__ __forceinline__ T
square (T x)
{
  return x * x;
}
//// cube
template <typename T>
static __device__ __forceinline__ T
cube (T x)
{
  return x * x * x;
}
//// relu
template <typename T>
static __device__ __forceinline__ T
relu (T x)
{
  return x < T (0) ? T (0) : x;
}
//// sigmoid
static __device__ __forceinline__ float
sigmoid (float x)
{
  return 1.0f / (1.0f + expf (-x));
}
//// sigmoid f64
static __device__ __forceinline__ double
sigmoid (double x)
{
  return 1.0 / (1.0 + exp (-x));
}
//// gated
// x times a gate that is closed at minus infinity.
template <typename T>
static __device__ __forceinline__ T
gated (T x, T gate)
{
  return gate == T (0) ? T (0) : x * gate;
}
//// gelu
static __device__ __forceinline__ float
gelu (float x)
{
  return gated (x, 0.5f * erfcf (-0.70710678118654752f * x));
}
//// gelu f64
static __device__ __forceinline__ double
gelu (double x)
{
  return gated (x, 0.5 * erfc (-0.70710678118654752 * x));
}
//// silu
template <typename T>
static __device__ __forceinline__ T
silu (T x)
{
  return gated (x, sigmoid (x));
}
//// modulo
// The remainder, with the sign of the divisor.
static __device__ __forceinline__ float
modulo (float a, float b)
{
  const float remainder = fmodf (a, b);
  return remainder != 0.0f && (remainder < 0.0f) != (b < 0.0f) ? remainder + b : remainder;
}
//// modulo f64
// The remainder, with the sign of the divisor.
static __device__ __forceinline__ double
modulo (double a, double b)
{
  const double remainder = fmod (a, b);
  return remainder != 0.0 && (remainder < 0.0) != (b < 0.0) ? remainder + b : remainder;
}
//// floor_div
// The quotient, rounded down.
static __device__ __forceinline__ long long
floor_div (long long a, long long b)
{
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
//// ceil_div
// The quotient, rounded up.
static __device__ __forceinline__ long long
ceil_div (long long a, long long b)
{
  return a / b + (a % b != 0 && (a < 0) == (b < 0));
}
//// floor_mod
// The remainder, with the sign of the divisor.
static __device__ __forceinline__ long long
floor_mod (long long a, long long b)
{
  const long long remainder = a % b;
  return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}
//// window
// Where the part of an axis begins that is read and is in the array …
static __device__ __forceinline__ long long
window_begin (long long first)
{
  return first > 0 ? first : 0;
}

// … and how many of it there are, up to the last one that is read or the end of the array.
static __device__ __forceinline__ int
window_count (long long begin, long long last, long long size)
{
  return int ((last < size ? last + 1 : size) - begin);
}
