// apart: made by Heddle @VERSION@ from the diagram below.
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
//   int apart (const void *Q, const void *K, const void *V, void *O, long long y, void *workspace,
//       size_t workspace_bytes, cudaStream_t stream);
//     Q: f16[y, k=128], read
//     K: f16[x=4096, k=128], read
//     V: f16[x=4096, k=128], read
//     O: f16[y, k=128], written
//     workspace: apart_workspace () bytes on the device, aligned to 256
//   Arrays are on the current device, row-major, without gaps, aligned to their elements.
//   It returns 0, a negative code of its own or a positive cudaError_t; apart_message () has words for each.
//
// To build it (CUDA 12.0 or newer, a driver as new as that):
//   nvcc -std=c++17 -gencode=arch=compute_90a,code=sm_90a -shared -Xcompiler -fPIC -o libapart.so apart.cu
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

// apart_S_kernel, for H100 SXM
//   NOT VERIFIED: not run
//   labels: y:group@smem=128, x:group@smem=256
//   priced at y=4096, k=128, x=4096
//   moved into and out of smem: H = y*x + y*k*ceil(x/g_x) + x*k*ceil(y/g_y) = 41943040 values
//   held in smem: M = g_y*k + g_x*k + g_y*g_x = 81920 values
//   bound on H100 SXM: 0.0149 ms, by global memory (the general family, without tensor cores, is slower)
//   256 threads and 229376 bytes of shared memory a block
//
//   parfor y₀ in 0, 128 … 4096
//     parfor x₀ in 0, 256 … 4096
//       Q ← load Q[y₀ : y₀+128, :]
//       K ← load K[x₀ : x₀+256, :]
//       S ← sum[k](Q*K)
//       save S[y₀ : y₀+128, x₀ : x₀+256] ← S

extern "C" __global__ void __launch_bounds__ (256, 1)
apart_S_kernel (const f16 *__restrict__ Q, const f16 *__restrict__ K, f16 *__restrict__ S,
    long long y, long long x)
{
  constexpr int THREADS = 256;
  constexpr int TILE_y = 128;
  constexpr int k = 128;
  constexpr int TILE_x = 256;

  extern __shared__ __align__ (16) unsigned char shared[];
  f16 *const Q_tile = reinterpret_cast<f16 *> (shared + 0);  // [TILE_y][k]
  f16 *const K_tile = reinterpret_cast<f16 *> (shared + 32768);  // [TILE_x][k]
  float *const S_tile = reinterpret_cast<float *> (shared + 98304);  // [TILE_y][TILE_x] sum of products

  long long block = blockIdx.x;
  const long long x_0 = block % ((x + TILE_x - 1) / TILE_x) * TILE_x;
  block /= (x + TILE_x - 1) / TILE_x;
  const int n_x = x - x_0 < TILE_x ? int (x - x_0) : TILE_x;
  const long long y_0 = block * TILE_y;
  const int n_y = y - y_0 < TILE_y ? int (y - y_0) : TILE_y;

  // load Q
  for (int at = threadIdx.x; at < n_y * k; at += THREADS)
    {
      const int i_y = at / k;
      const int i_k = at % k;
      Q_tile[at] = Q[(y_0 + i_y) * k + i_k];
    }

  // load K
  for (int at = threadIdx.x; at < n_x * k; at += THREADS)
    {
      const int i_x = at / k;
      const int i_k = at % k;
      K_tile[at] = K[(x_0 + i_x) * k + i_k];
    }
  __syncthreads ();

  // S = sum over k of Q*K
  for (int at = threadIdx.x; at < n_y * TILE_x; at += THREADS)
    {
      const int i_y = at / TILE_x;
      const int i_x = at % TILE_x;
      if (i_x >= n_x)
        continue;
      float acc = 0.0f;
      for (int i_k = 0; i_k < k; ++i_k)
        acc += load (Q_tile[i_y * k + i_k]) * load (K_tile[i_x * k + i_k]);
      S_tile[at] = acc;
    }

  // save S
  for (int at = threadIdx.x; at < n_y * TILE_x; at += THREADS)
    {
      const int i_y = at / TILE_x;
      const int i_x = at % TILE_x;
      if (i_x >= n_x)
        continue;
      store (&S[(y_0 + i_y) * x + x_0 + i_x], S_tile[at]);
    }
}

// apart_P_kernel, for H100 SXM
//   NOT VERIFIED: not run
//   labels: y:group@smem=8
//   priced at y=4096, x=4096, k=128
//   moved into and out of smem: H = 2*y*x = 33554432 values
//   held in smem: M = g_y*x + g_y = 32776 values
//   bound on H100 SXM: 0.0256 ms, by global memory (the general family, without tensor cores, is slower)
//   256 threads and 196672 bytes of shared memory a block
//
//   parfor y₀ in 0, 8 … 4096
//     S ← load S[y₀ : y₀+8, :]
//     t1 ← S*k^-0.5
//     m ← max[x](t1)
//     e ← where(t1 == -inf, 0, exp(t1 - m))
//     l ← sum[x](e)
//     P ← where(l == 0, 0, e/l)
//     save P[y₀ : y₀+8, :] ← P

extern "C" __global__ void __launch_bounds__ (256, 1)
apart_P_kernel (const f16 *__restrict__ S, f16 *__restrict__ P, long long y)
{
  constexpr int THREADS = 256;
  constexpr int TILE_y = 8;
  constexpr int x = 4096;
  constexpr int k = 128;

  extern __shared__ __align__ (16) unsigned char shared[];
  f16 *const S_tile = reinterpret_cast<f16 *> (shared + 0);  // [TILE_y][x]
  float *const t1 = reinterpret_cast<float *> (shared + 65536);  // [TILE_y][x]
  float *const m = reinterpret_cast<float *> (shared + 196608);  // [TILE_y] maximum
  float *const e = reinterpret_cast<float *> (shared + 65536);  // [TILE_y][x]
  float *const l = reinterpret_cast<float *> (shared + 196640);  // [TILE_y] sum of exponentials
  float *const P_tile = reinterpret_cast<float *> (shared + 65536);  // [TILE_y][x]

  const long long y_0 = (long long) blockIdx.x * TILE_y;
  const int n_y = y - y_0 < TILE_y ? int (y - y_0) : TILE_y;

  // load S
  for (int at = threadIdx.x; at < n_y * x; at += THREADS)
    {
      const int i_y = at / x;
      const int i_x = at % x;
      S_tile[at] = S[(y_0 + i_y) * x + i_x];
    }

  // t1 = S*k^-0.5
  for (int at = threadIdx.x; at < n_y * x; at += THREADS)
    t1[at] = load (S_tile[at]) * rsqrtf (float (k));
  __syncthreads ();

  // m = max over x of t1
  for (int i_y = threadIdx.x / 32; i_y < n_y; i_y += THREADS / 32)
    {
      float acc = -INF;
      for (int i_x = threadIdx.x % 32; i_x < x; i_x += 32)
        acc = maximum (acc, t1[i_y * x + i_x]);
      for (int step = 16; step > 0; step /= 2)
        {
          const float other = __shfl_xor_sync (0xffffffff, acc, step);
          acc = maximum (acc, other);
        }
      if (threadIdx.x % 32 == 0)
        m[i_y] = acc;
    }
  __syncthreads ();

  // e = where(t1 == -inf, 0, exp(t1 - m))
  for (int at = threadIdx.x; at < n_y * x; at += THREADS)
    {
      const int i_y = at / x;
      e[at] = t1[at] == -INF ? 0.0f : coarse_exp (t1[at] - m[i_y]);
    }
  __syncthreads ();

  // l = sum over x of e
  for (int i_y = threadIdx.x / 32; i_y < n_y; i_y += THREADS / 32)
    {
      float acc = 0.0f;
      for (int i_x = threadIdx.x % 32; i_x < x; i_x += 32)
        acc += e[i_y * x + i_x];
      for (int step = 16; step > 0; step /= 2)
        {
          const float other = __shfl_xor_sync (0xffffffff, acc, step);
          acc = acc + other;
        }
      if (threadIdx.x % 32 == 0)
        l[i_y] = acc;
    }
  __syncthreads ();

  // P = where(l == 0, 0, e/l)
  for (int at = threadIdx.x; at < n_y * x; at += THREADS)
    {
      const int i_y = at / x;
      P_tile[at] = l[i_y] == 0.0f ? 0.0f : coarse_quotient (e[at], l[i_y]);
    }

  // save P
  for (int at = threadIdx.x; at < n_y * x; at += THREADS)
    {
      const int i_y = at / x;
      const int i_x = at % x;
      store (&P[(y_0 + i_y) * x + i_x], P_tile[at]);
    }
}

// apart_O_kernel, for H100 SXM
//   NOT VERIFIED: not run
//   labels: y:group@smem=64, k:group@smem=64, x:stream@smem=128
//   priced at y=4096, x=4096, k=128
//   moved into and out of smem: H = y*k + y*x*ceil(k/g_k) + x*k*ceil(y/g_y) = 67633152 values
//   held in smem: M = g_y*s_x + s_x*g_k + g_y*g_k = 20480 values
//   bound on H100 SXM: 0.0171 ms, by the L2 cache (the general family, without tensor cores, is slower)
//   256 threads and 49152 bytes of shared memory a block
//
//   parfor y₀ in 0, 64 … 4096
//     parfor k₀ in 0, 64 … 128
//       o ← 0  # running sum of products
//       for x₀ in 0, 128 … 4096
//         P ← load P[y₀ : y₀+64, x₀ : x₀+128]
//         V ← load V[x₀ : x₀+128, k₀ : k₀+64]
//         o ← o + sum[x](P*V)
//       save O[y₀ : y₀+64, k₀ : k₀+64] ← o

extern "C" __global__ void __launch_bounds__ (256, 4)
apart_O_kernel (const f16 *__restrict__ P, const f16 *__restrict__ V, f16 *__restrict__ O,
    long long y, long long x, long long k)
{
  constexpr int THREADS = 256;
  constexpr int TILE_y = 64;
  constexpr int CHUNK_x = 128;
  constexpr int TILE_k = 64;

  extern __shared__ __align__ (16) unsigned char shared[];
  f16 *const P_tile = reinterpret_cast<f16 *> (shared + 0);  // [TILE_y][CHUNK_x]
  f16 *const V_tile = reinterpret_cast<f16 *> (shared + 16384);  // [CHUNK_x][TILE_k]
  float *const o = reinterpret_cast<float *> (shared + 32768);  // [TILE_y][TILE_k] running sum of products

  long long block = blockIdx.x;
  const long long k_0 = block % ((k + TILE_k - 1) / TILE_k) * TILE_k;
  block /= (k + TILE_k - 1) / TILE_k;
  const int n_k = k - k_0 < TILE_k ? int (k - k_0) : TILE_k;
  const long long y_0 = block * TILE_y;
  const int n_y = y - y_0 < TILE_y ? int (y - y_0) : TILE_y;

  // o = 0
  for (int at = threadIdx.x; at < n_y * TILE_k; at += THREADS)
    {
      const int i_k = at % TILE_k;
      if (i_k >= n_k)
        continue;
      o[at] = 0.0f;
    }

  for (long long x_0 = 0; x_0 < x; x_0 += CHUNK_x)
    {
      const int n_x = x - x_0 < CHUNK_x ? int (x - x_0) : CHUNK_x;

      // load P
      for (int first = threadIdx.x; first < n_y * CHUNK_x; first += 4 * THREADS)
        {
          f16 parts[4];
          #pragma unroll
          for (int step = 0; step < 4; ++step)
            {
              const int at = first + step * THREADS;
              const int i_y = at / CHUNK_x;
              const int i_x = at % CHUNK_x;
              if (!(at < n_y * CHUNK_x && !(i_x >= n_x)))
                continue;
              parts[step] = P[(y_0 + i_y) * x + x_0 + i_x];
            }
          #pragma unroll
          for (int step = 0; step < 4; ++step)
            {
              const int at = first + step * THREADS;
              const int i_x = at % CHUNK_x;
              if (!(at < n_y * CHUNK_x && !(i_x >= n_x)))
                continue;
              P_tile[at] = parts[step];
            }
        }

      // load V
      for (int first = threadIdx.x; first < n_x * TILE_k; first += 4 * THREADS)
        {
          f16 parts[4];
          #pragma unroll
          for (int step = 0; step < 4; ++step)
            {
              const int at = first + step * THREADS;
              const int i_x = at / TILE_k;
              const int i_k = at % TILE_k;
              if (!(at < n_x * TILE_k && !(i_k >= n_k)))
                continue;
              parts[step] = V[(x_0 + i_x) * k + k_0 + i_k];
            }
          #pragma unroll
          for (int step = 0; step < 4; ++step)
            {
              const int at = first + step * THREADS;
              const int i_k = at % TILE_k;
              if (!(at < n_x * TILE_k && !(i_k >= n_k)))
                continue;
              V_tile[at] = parts[step];
            }
        }
      __syncthreads ();

      // o = o + sum over x of P*V
      for (int at = threadIdx.x; at < n_y * TILE_k; at += THREADS)
        {
          const int i_y = at / TILE_k;
          const int i_k = at % TILE_k;
          if (i_k >= n_k)
            continue;
          float acc = 0.0f;
          for (int i_x = 0; i_x < n_x; ++i_x)
            acc += load (P_tile[i_y * CHUNK_x + i_x]) * load (V_tile[i_x * TILE_k + i_k]);
          o[at] = o[at] + acc;
        }
      __syncthreads ();
    }

  // save O
  for (int at = threadIdx.x; at < n_y * TILE_k; at += THREADS)
    {
      const int i_y = at / TILE_k;
      const int i_k = at % TILE_k;
      if (i_k >= n_k)
        continue;
      store (&O[(y_0 + i_y) * k + k_0 + i_k], o[at]);
    }
}

// The launcher: what a host program calls. A run-time compiler wants the kernels alone.
#ifndef __CUDACC_RTC__
#include <cuda_runtime.h>

extern "C" size_t
apart_workspace (long long y)
{
  size_t bytes = 0;
  bytes += ((size_t) y * 4096 * 2 + 255) / 256 * 256;
  bytes += ((size_t) y * 4096 * 2 + 255) / 256 * 256;
  return bytes;
}

extern "C" int
apart (const void *Q, const void *K, const void *V, void *O, long long y, void *workspace,
    size_t workspace_bytes, cudaStream_t stream)
{
  if (y < 1)
    return -2;
  if (!Q || !K || !V || !O)
    return -1;
  if ((size_t) Q % 2 || (size_t) K % 2 || (size_t) V % 2 || (size_t) O % 2)
    return -3;
  if (!workspace || (size_t) workspace % 256 || workspace_bytes < apart_workspace (y))
    return -4;
  char *free_bytes = static_cast<char *> (workspace);
  void *S = free_bytes;
  free_bytes += ((size_t) y * 4096 * 2 + 255) / 256 * 256;
  void *P = free_bytes;

  cudaError_t status;

  long long blocks = ((y + 127) / 128) * ((4096 + 255) / 256);
  if (blocks > 2147483647)
    return -5;
  status = cudaFuncSetAttribute (
      apart_S_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 229376);
  if (status != cudaSuccess)
    return status;
  apart_S_kernel<<<(unsigned) blocks, 256, 229376, stream>>> (static_cast<const f16 *> (Q),
      static_cast<const f16 *> (K), static_cast<f16 *> (S), y, 4096);
  status = cudaGetLastError ();
  if (status != cudaSuccess)
    return status;

  blocks = (y + 7) / 8;
  if (blocks > 2147483647)
    return -5;
  status = cudaFuncSetAttribute (
      apart_P_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 196672);
  if (status != cudaSuccess)
    return status;
  apart_P_kernel<<<(unsigned) blocks, 256, 196672, stream>>> (static_cast<f16 *> (S),
      static_cast<f16 *> (P), y);
  status = cudaGetLastError ();
  if (status != cudaSuccess)
    return status;

  blocks = ((y + 63) / 64) * ((128 + 63) / 64);
  if (blocks > 2147483647)
    return -5;
  apart_O_kernel<<<(unsigned) blocks, 256, 49152, stream>>> (static_cast<f16 *> (P),
      static_cast<const f16 *> (V), static_cast<f16 *> (O), y, 4096, 128);
  status = cudaGetLastError ();
  if (status != cudaSuccess)
    return status;
  return 0;
}

extern "C" const char *
apart_message (int status)
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
