// attention: made by Heddle @VERSION@ from the diagram below.
//
// The diagram, sha256 6b2481d4cbc16fd9:
//   Q : f16[y=4096, k=128]
//   K : f16[x=4096, k]
//   V : f16[x, k]
//   S[y,x] = Q[y,k] K[x,k]
//   P[y,x] = softmax[x](S[y,x] * k^-0.5)
//   O[y,k] = P[y,x] V[x,k]
//
// To call it:
//
//   int attention (const void *Q, const void *K, const void *V, void *O, long long y, long long x,
//       cudaStream_t stream);
//     Q: f16[y, k=128], read
//     K: f16[x, k=128], read
//     V: f16[x, k=128], read
//     O: f16[y, k=128], written
//   Arrays are on the current device, row-major, without gaps, aligned to their elements.
//   It returns 0, a negative code of its own or a positive cudaError_t; attention_message () has words for each.
//
// To build it (CUDA 12.0 or newer, a driver as new as that):
//   nvcc -std=c++17 -gencode=arch=compute_90a,code=sm_90a -shared -Xcompiler -fPIC -o libattention.so attention.cu
//
// Not offered: arrays with strides, gradients.

#define INF __int_as_float (0x7f800000)

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

// NaN wins: a kernel must not hide it.
template <typename T>
static __device__ __forceinline__ T
maximum (T a, T b)
{
  return a != a || a > b ? a : b;
}

// 2^x within 2 units in the last place; of minus infinity it is 0.
static __device__ __forceinline__ float
power_of_two (float x)
{
  float result;
  asm ("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

// a / b within 2 units in the last place.
static __device__ __forceinline__ float
coarse_quotient (float a, float b)
{
  float result;
  asm ("div.full.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}

// Within 1e-5 of e^x, for the product with log2 e is rounded; what is below 2^-126 is 0.
static __device__ __forceinline__ float
coarse_exp (float x)
{
  return power_of_two (1.44269504f * x);
}

// attention_kernel, for H100 SXM
//   NOT VERIFIED: not run
//   labels: y:group@smem=128, x:stream@smem=64
//   priced at y=4096, k=128, x=4096
//   moved into and out of smem: H = 2*y*k + 2*x*k*ceil(y/g_y) = 34603008 values
//   held in smem: M = 2*g_y*k + 2*s_x*k + g_y*s_x + 2*g_y = 57600 values
//   bound on H100 SXM: 0.0678 ms, by the tensor cores (the general family, without tensor cores, is slower)
//   256 threads and 165376 bytes of shared memory a block
//
//   parfor y₀ in 0, 128 … 4096
//     Q ← load Q[y₀ : y₀+128, :]
//     m ← -inf  # running maximum
//     l ← 0  # running sum of exponentials
//     o ← 0  # running sum of products
//     for x₀ in 0, 64 … 4096
//       K ← load K[x₀ : x₀+64, :]
//       V ← load V[x₀ : x₀+64, :]
//       S ← sum[k](Q*K)
//       t1 ← S*k^-0.5
//       delta ← m
//       m ← max(m, max[x](t1))
//       delta ← where(delta == m, 1, exp(delta - m))
//       P ← where(t1 == -inf, 0, exp(t1 - m))
//       l ← delta*l + sum[x](P)
//       o ← delta*o + sum[x](P*V)
//     o ← where(l == 0, 0, o/l)
//     save O[y₀ : y₀+128, :] ← o

extern "C" __global__ void __launch_bounds__ (256, 1)
attention_kernel (const f16 *__restrict__ Q, const f16 *__restrict__ K, const f16 *__restrict__ V,
    f16 *__restrict__ O, long long y, long long x)
{
  constexpr int THREADS = 256;
  constexpr int TILE_y = 128;
  constexpr int k = 128;
  constexpr int CHUNK_x = 64;

  extern __shared__ __align__ (16) unsigned char shared[];
  f16 *const Q_tile = reinterpret_cast<f16 *> (shared + 0);  // [TILE_y][k]
  f16 *const K_tile = reinterpret_cast<f16 *> (shared + 32768);  // [CHUNK_x][k]
  float *const S = reinterpret_cast<float *> (shared + 49152);  // [TILE_y][CHUNK_x] sum of products
  float *const t1 = reinterpret_cast<float *> (shared + 49152);  // [TILE_y][CHUNK_x]
  float *const m = reinterpret_cast<float *> (shared + 81920);  // [TILE_y] running maximum
  float *const delta = reinterpret_cast<float *> (shared + 82432);  // [TILE_y] rescaling factor
  float *const P = reinterpret_cast<float *> (shared + 49152);  // [TILE_y][CHUNK_x]
  float *const l = reinterpret_cast<float *> (shared + 82944);  // [TILE_y] running sum of exponentials
  f16 *const V_tile = reinterpret_cast<f16 *> (shared + 83456);  // [CHUNK_x][k]
  float *const o = reinterpret_cast<float *> (shared + 99840);  // [TILE_y][k] running sum of products

  const long long y_0 = (long long) blockIdx.x * TILE_y;
  const int n_y = y - y_0 < TILE_y ? int (y - y_0) : TILE_y;

  // load Q
  for (int at = threadIdx.x; at < n_y * k; at += THREADS)
    {
      const int i_y = at / k;
      const int i_k = at % k;
      Q_tile[at] = Q[(y_0 + i_y) * k + i_k];
    }

  // m = -inf
  for (int i_y = threadIdx.x; i_y < n_y; i_y += THREADS)
    m[i_y] = -INF;

  // l = 0
  for (int i_y = threadIdx.x; i_y < n_y; i_y += THREADS)
    l[i_y] = 0.0f;

  // o = 0
  for (int at = threadIdx.x; at < n_y * k; at += THREADS)
    o[at] = 0.0f;

  for (long long x_0 = 0; x_0 < x; x_0 += CHUNK_x)
    {
      const int n_x = x - x_0 < CHUNK_x ? int (x - x_0) : CHUNK_x;

      // load K
      for (int at = threadIdx.x; at < n_x * k; at += THREADS)
        {
          const int i_x = at / k;
          const int i_k = at % k;
          K_tile[at] = K[(x_0 + i_x) * k + i_k];
        }

      // load V
      for (int at = threadIdx.x; at < n_x * k; at += THREADS)
        {
          const int i_x = at / k;
          const int i_k = at % k;
          V_tile[at] = V[(x_0 + i_x) * k + i_k];
        }
      __syncthreads ();

      // S = sum over k of Q*K
      for (int at = threadIdx.x; at < n_y * CHUNK_x; at += THREADS)
        {
          const int i_y = at / CHUNK_x;
          const int i_x = at % CHUNK_x;
          if (i_x >= n_x)
            continue;
          float acc = 0.0f;
          for (int i_k = 0; i_k < k; ++i_k)
            acc += load (Q_tile[i_y * k + i_k]) * load (K_tile[i_x * k + i_k]);
          S[at] = acc;
        }

      // t1 = S*k^-0.5
      for (int at = threadIdx.x; at < n_y * CHUNK_x; at += THREADS)
        {
          const int i_x = at % CHUNK_x;
          if (i_x >= n_x)
            continue;
          t1[at] = S[at] * rsqrtf (float (k));
        }

      // delta = m
      for (int i_y = threadIdx.x; i_y < n_y; i_y += THREADS)
        delta[i_y] = m[i_y];
      __syncthreads ();

      // m = max (m, max over x of t1)
      for (int i_y = threadIdx.x / 32; i_y < n_y; i_y += THREADS / 32)
        {
          float acc = -INF;
          for (int i_x = threadIdx.x % 32; i_x < n_x; i_x += 32)
            acc = maximum (acc, t1[i_y * CHUNK_x + i_x]);
          for (int step = 16; step > 0; step /= 2)
            {
              const float other = __shfl_xor_sync (0xffffffff, acc, step);
              acc = maximum (acc, other);
            }
          if (threadIdx.x % 32 == 0)
            m[i_y] = maximum (m[i_y], acc);
        }
      __syncthreads ();

      // delta = where(delta == m, 1, exp(delta - m))
      for (int i_y = threadIdx.x; i_y < n_y; i_y += THREADS)
        delta[i_y] = delta[i_y] == m[i_y] ? 1.0f : coarse_exp (delta[i_y] - m[i_y]);

      // P = where(t1 == -inf, 0, exp(t1 - m))
      for (int at = threadIdx.x; at < n_y * CHUNK_x; at += THREADS)
        {
          const int i_y = at / CHUNK_x;
          const int i_x = at % CHUNK_x;
          if (i_x >= n_x)
            continue;
          P[at] = t1[at] == -INF ? 0.0f : coarse_exp (t1[at] - m[i_y]);
        }
      __syncthreads ();

      // l = delta * l + sum over x of P
      for (int i_y = threadIdx.x / 32; i_y < n_y; i_y += THREADS / 32)
        {
          float acc = 0.0f;
          for (int i_x = threadIdx.x % 32; i_x < n_x; i_x += 32)
            acc += P[i_y * CHUNK_x + i_x];
          for (int step = 16; step > 0; step /= 2)
            {
              const float other = __shfl_xor_sync (0xffffffff, acc, step);
              acc = acc + other;
            }
          if (threadIdx.x % 32 == 0)
            l[i_y] = delta[i_y] * l[i_y] + acc;
        }

      // o = delta * o + sum over x of P*V
      for (int at = threadIdx.x; at < n_y * k; at += THREADS)
        {
          const int i_y = at / k;
          const int i_k = at % k;
          float acc = 0.0f;
          for (int i_x = 0; i_x < n_x; ++i_x)
            acc += P[i_y * CHUNK_x + i_x] * load (V_tile[i_x * k + i_k]);
          o[at] = delta[i_y] * o[at] + acc;
        }
      __syncthreads ();
    }

  // o = where(l == 0, 0, o/l)
  for (int at = threadIdx.x; at < n_y * k; at += THREADS)
    {
      const int i_y = at / k;
      o[at] = l[i_y] == 0.0f ? 0.0f : coarse_quotient (o[at], l[i_y]);
    }

  // save O
  for (int at = threadIdx.x; at < n_y * k; at += THREADS)
    {
      const int i_y = at / k;
      const int i_k = at % k;
      store (&O[(y_0 + i_y) * k + i_k], o[at]);
    }
}

// The launcher: what a host program calls. A run-time compiler wants the kernels alone.
#ifndef __CUDACC_RTC__
#include <cuda_runtime.h>

extern "C" int
attention (const void *Q, const void *K, const void *V, void *O, long long y, long long x,
    cudaStream_t stream)
{
  if (y < 1 || x < 1)
    return -2;
  if (!Q || !K || !V || !O)
    return -1;
  if ((size_t) Q % 2 || (size_t) K % 2 || (size_t) V % 2 || (size_t) O % 2)
    return -3;

  cudaError_t status;

  long long blocks = (y + 127) / 128;
  if (blocks > 2147483647)
    return -5;
  status = cudaFuncSetAttribute (
      attention_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 165376);
  if (status != cudaSuccess)
    return status;
  attention_kernel<<<(unsigned) blocks, 256, 165376, stream>>> (static_cast<const f16 *> (Q),
      static_cast<const f16 *> (K), static_cast<const f16 *> (V), static_cast<f16 *> (O), y, x);
  status = cudaGetLastError ();
  if (status != cudaSuccess)
    return status;
  return 0;
}

extern "C" const char *
attention_message (int status)
{
  switch (status)
    {
    case 0:
      return "done";
    case -1:
      return "an array is a null pointer";
    case -2:
      return "a size is less than 1";
    case -3:
      return "an array is not aligned as it has to be";
    case -4:
      return "the workspace is missing, misaligned or too small";
    case -5:
      return "the sizes need more blocks than a grid has";
    case -6:
      return "two sizes that have to agree differ";
    default:
      return cudaGetErrorString (static_cast<cudaError_t> (status));
    }
}
#endif
