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
