// SPDX-License-Identifier: MIT-0
// Functions for kernels all of whose results have 16 bits or fewer: off by less than a tenth of a unit in the last place of f16. A section begins at "//// name".
//// reciprocal
// 1 / x within a unit in the last place; of more than 2^126 it is 0.
static __device__ __forceinline__ float
reciprocal (float x)
{
  float result;
  asm ("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
//// coarse quotient
// a / b within 2 units in the last place.
static __device__ __forceinline__ float
coarse_quotient (float a, float b)
{
  float result;
  asm ("div.full.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}
//// coarse sqrt
// Within a unit in the last place.
static __device__ __forceinline__ float
coarse_sqrt (float x)
{
  float result;
  asm ("sqrt.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
//// coarse exp
// Within 1e-5 of e^x, for the product with log2 e is rounded; what is below 2^-126 is 0.
static __device__ __forceinline__ float
coarse_exp (float x)
{
  return power_of_two (1.44269504f * x);
}
//// coarse sigmoid
static __device__ __forceinline__ float
coarse_sigmoid (float x)
{
  return reciprocal (1.0f + power_of_two (-1.44269504f * x));
}
//// coarse silu
// The gate is 0 below -100: the product with it is 0 at minus infinity too.
static __device__ __forceinline__ float
coarse_silu (float x)
{
  return largest (x, -100.0f) * coarse_sigmoid (x);
}
//// coarse tanh
// By powers near 0, where 1 - 2 / (1 + e^2x) has few digits.
static __device__ __forceinline__ float
coarse_tanh (float x)
{
  const float square = x * x, far = 1.0f - 2.0f * reciprocal (1.0f + power_of_two (2.88539008f * x));
  const float near = x + x * square * (-0.333333333f + square * (0.133333333f + square * -0.053968254f));
  return fabsf (x) < 0.3f ? near : far;
}
//// coarse gelu
// The larger of x and 0, less |x| times the probability of more than |x|: that is e^(-x x / 2) times a polynomial in t = 1 / (1 + p |x|), as formula
// 7.1.26 of Abramowitz and Stegun has it, with coefficients within 3e-5 of it down to -9.
static __device__ __forceinline__ float
coarse_gelu (float x)
{
  const float size = smallest (fabsf (x), 16.0f), t = reciprocal (1.0f + 0.37f * size);
  const float tail = t * (0.146726947f + t * (0.159052087f + t * (0.0711277868f + t * (0.216100294f + t * -0.0930163714f))));
  return largest (x, 0.0f) - size * tail * power_of_two (-0.721347520f * size * size);
}
//// quarter turns
// The angle x without its quarter turns, whose number modulo 4 is put into `quarter`. Beyond 10^5 it is computed in double, which is right up to 10^9; of
// more it is some angle, and no number of what is none.
static __device__ __forceinline__ float
quarter_turns (float x, int &quarter)
{
  const float turns = rintf (x * 0.636619772f);
  if (fabsf (x) > 1e5f)
    {
      const double far = rint (x * 0.63661977236758134);
      const float left = (float) fma (far, -1.5707963267948966, (double) x);
      quarter = (int) ((long long) far & 3);
      return left > 0.8f ? 0.8f : left < -0.8f ? -0.8f : left;
    }
  quarter = (int) turns;
  return fmaf (turns, 4.37113883e-8f, fmaf (turns, -1.57079637f, x));
}
//// sine of quarters
// The sine of x and so many quarter turns, |x| up to an eighth of a turn, within two units in the last place: by the polynomials for sine and cosine of the
// Cephes library.
static __device__ __forceinline__ float
sine_of_quarters (float x, int quarter)
{
  const bool even = (quarter & 1) == 0;
  const float square = x * x;
  float sum = fmaf (even ? -1.9515296e-4f : 2.44331571e-5f, square, even ? 8.3321609e-3f : -1.38873162e-3f);
  sum = fmaf (sum, square, even ? -1.66666546e-1f : 4.16666456e-2f);
  sum = fmaf (sum * square, even ? x : square, even ? x : fmaf (square, -0.5f, 1.0f));
  return (quarter & 2) == 0 ? sum : -sum;
}
//// coarse sin
static __device__ __forceinline__ float
coarse_sin (float x)
{
  int quarter;
  const float left = quarter_turns (x, quarter);
  return sine_of_quarters (left, quarter);
}
//// coarse cos
static __device__ __forceinline__ float
coarse_cos (float x)
{
  int quarter;
  const float left = quarter_turns (x, quarter);
  return sine_of_quarters (left, quarter + 1);
}
