/* SPDX-License-Identifier: MIT */

/* Ordinary kernels, for the interpreter to run as nvcc compiles them. */

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

#define UNARY(name) \
  extern "C" __global__ void f_##name (float *y, const float *x, int n) \
  { \
    int i = INDEX; \
    if (i < n) \
      y[i] = name##f (x[i]); \
  } \
  extern "C" __global__ void d_##name (double *y, const double *x, int n) \
  { \
    int i = INDEX; \
    if (i < n) \
      y[i] = name (x[i]); \
  }

#define BINARY(name) \
  extern "C" __global__ void f_##name (float *y, const float *x, const float *z, int n) \
  { \
    int i = INDEX; \
    if (i < n) \
      y[i] = name##f (x[i], z[i]); \
  } \
  extern "C" __global__ void d_##name (double *y, const double *x, const double *z, int n) \
  { \
    int i = INDEX; \
    if (i < n) \
      y[i] = name (x[i], z[i]); \
  }

UNARY (exp)
UNARY (exp2)
UNARY (expm1)
UNARY (log)
UNARY (log2)
UNARY (log10)
UNARY (log1p)
UNARY (sqrt)
UNARY (rsqrt)
UNARY (cbrt)
UNARY (sin)
UNARY (cos)
UNARY (tan)
UNARY (sinh)
UNARY (cosh)
UNARY (tanh)
UNARY (asin)
UNARY (acos)
UNARY (atan)
UNARY (erf)
UNARY (erfc)
UNARY (tgamma)
UNARY (lgamma)
UNARY (fabs)
UNARY (floor)
UNARY (ceil)
UNARY (trunc)
UNARY (round)
UNARY (rint)
BINARY (pow)
BINARY (fmod)
BINARY (remainder)
BINARY (fmax)
BINARY (fmin)
BINARY (atan2)
BINARY (hypot)
BINARY (copysign)

extern "C" __global__ void
f_divide (float *y, const float *x, const float *z, int n)
{
  int i = INDEX;
  if (i < n)
    y[i] = x[i] / z[i];
}

extern "C" __global__ void
d_divide (double *y, const double *x, const double *z, int n)
{
  int i = INDEX;
  if (i < n)
    y[i] = x[i] / z[i];
}

extern "C" __global__ void
axpy (float *y, const float4 *__restrict__ x, float a, long long n)
{
  for (long long i = INDEX; i < n / 4; i += gridDim.x * blockDim.x)
    {
      float4 v = x[i], w = reinterpret_cast<float4 *> (y)[i];
      w.x = fmaf (a, v.x, w.x);
      w.y = fmaf (a, v.y, w.y);
      w.z = fmaf (a, v.z, w.z);
      w.w = fmaf (a, v.w, w.w);
      reinterpret_cast<float4 *> (y)[i] = w;
    }
}

/* Sums a row per block: within warps by shuffles, across them through shared memory. */
extern "C" __global__ void
reduce (float *y, const float *x, int n)
{
  __shared__ float partial[32];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += x[blockIdx.x * n + i];
  for (int o = 16; o > 0; o /= 2)
    sum += __shfl_xor_sync (0xffffffffu, sum, o);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = sum;
  __syncthreads ();
  if (threadIdx.x < 32)
    {
      sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
      for (int o = 16; o > 0; o /= 2)
        sum += __shfl_down_sync (0xffffffffu, sum, o);
      if (threadIdx.x == 0)
        y[blockIdx.x] = sum;
    }
}

/* The same by a tree in dynamic shared memory; without its barrier it is a race. */
template <bool barrier>
__device__ void
reduce_tree (float *y, const float *x, int n)
{
  extern __shared__ float values[];
  int t = threadIdx.x;
  values[t] = t < n ? x[blockIdx.x * n + t] : 0;
  for (int half = blockDim.x / 2; half > 0; half /= 2)
    {
      if (barrier)
        __syncthreads ();
      if (t < half)
        values[t] += values[t + half];
    }
  if (t == 0)
    y[blockIdx.x] = values[0];
}

extern "C" __global__ void
tree (float *y, const float *x, int n)
{
  reduce_tree<true> (y, x, n);
}

extern "C" __global__ void
tree_without_barrier (float *y, const float *x, int n)
{
  reduce_tree<false> (y, x, n);
}

template <int pad>
__device__ void
transpose_tile (float *y, const float *x, int w, int h)
{
  __shared__ float tile[32][32 + pad];
  int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (column < w && row + j < h)
      tile[threadIdx.y + j][threadIdx.x] = x[(size_t) (row + j) * w + column];
  __syncthreads ();
  column = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (column < h && row + j < w)
      y[(size_t) (row + j) * h + column] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void
transpose (float *y, const float *x, int w, int h)
{
  transpose_tile<1> (y, x, w, h);
}

extern "C" __global__ void
transpose_conflicting (float *y, const float *x, int w, int h)
{
  transpose_tile<0> (y, x, w, h);
}

/* C = A B, one element per thread, tiles of 16 in shared memory. */
extern "C" __global__ void
multiply (float *c, const float *a, const float *b, int n)
{
  __shared__ float left[16][16], right[16][16];
  int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += 16)
    {
      left[threadIdx.y][threadIdx.x] = row < n && k + threadIdx.x < n ? a[row * n + k + threadIdx.x] : 0;
      right[threadIdx.y][threadIdx.x] = column < n && k + threadIdx.y < n ? b[(k + threadIdx.y) * n + column] : 0;
      __syncthreads ();
      for (int i = 0; i < 16; i++)
        sum += left[threadIdx.y][i] * right[i][threadIdx.x];
      __syncthreads ();
    }
  if (row < n && column < n)
    c[row * n + column] = sum;
}

extern "C" __global__ void
halves (unsigned short *to_half, unsigned short *to_bfloat, float *from_half, float *sums, const float *x, int n)
{
  int i = INDEX;
  if (i >= n)
    return;
  __half h = __float2half (x[i]);
  to_half[i] = __half_as_ushort (h);
  to_bfloat[i] = __bfloat16_as_ushort (__float2bfloat16 (x[i]));
  from_half[i] = __half2float (__ushort_as_half ((unsigned short) (i * 16)));
  __half2 pair = __hfma2 (__halves2half2 (h, h), __floats2half2_rn (0.5f, 2.0f), __float2half2_rn (1.0f));
  sums[i] = __low2float (pair) + __high2float (pair);
}

__device__ __noinline__ int
collatz (long long n)
{
  return n == 1 ? 0 : 1 + collatz (n % 2 == 0 ? n / 2 : 3 * n + 1);
}

/* Integers of all widths, a switch, a local array, recursion, atomics. */
extern "C" __global__ void
integers (long long *y, const long long *x, unsigned *histogram, int n)
{
  int i = INDEX;
  if (i >= n)
    return;
  long long v = x[i];
  int digits[20], count = 0;
  for (unsigned long long rest = v < 0 ? -v : v; rest != 0; rest /= 10)
    digits[count++] = (int) (rest % 10);
  long long sum = 0;
  for (int k = 0; k < count; k++)
    sum = sum * 3 + digits[(k * 7 + i) % count];
  switch (i % 7)
    {
    case 0:
      sum += v / 1000;
      break;
    case 1:
      sum -= v % 1001;
      break;
    case 2:
      sum ^= v >> 3;
      break;
    case 3:
      sum *= (short) v;
      break;
    case 4:
      sum += __popcll (v) + __clzll (v) + __ffsll (v);
      break;
    case 5:
      sum += __mul64hi (v, 0x123456789abcdefLL);
      break;
    default:
      sum += collatz (i + 1);
    }
  y[i] = sum;
  atomicAdd (&histogram[(unsigned long long) v % 16], 1u);
}
