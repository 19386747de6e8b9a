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

// Shared memory as instructions name it.
static __device__ __forceinline__ unsigned
shared_address (const void *at)
{
  return static_cast<unsigned> (__cvta_generic_to_shared (at));
}

// Copies 16 bytes, or zeros where there is nothing, when the hardware comes to it.
static __device__ __forceinline__ void
copy_16 (unsigned to, const void *from, bool there)
{
  asm volatile ("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(there ? 16 : 0) : "memory");
}

// Closes a group of copies.
static __device__ __forceinline__ void
commit_copies ()
{
  asm volatile ("cp.async.commit_group;" ::: "memory");
}

// Waits until all groups but the last N are there; others see them after the next barrier.
template <int N>
static __device__ __forceinline__ void
wait_for_copies ()
{
  asm volatile ("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

// 2^x within 2 units in the last place; of minus infinity it is 0.
static __device__ __forceinline__ float
power_of_two (float x)
{
  float result;
  asm ("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}

// Four elements that lie side by side, aligned to 16 bytes.
static __device__ __forceinline__ void
load_four (float *to, const float *from)
{
  const float4 four = *reinterpret_cast<const float4 *> (from);
  to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
}

// Four elements of 16 bits, aligned to 8 bytes, as f32.
static __device__ __forceinline__ void
load_four (float *to, const f16 *from)
{
  const uint2 four = *reinterpret_cast<const uint2 *> (from);
  to[0] = load (f16{ static_cast<unsigned short> (four.x) }), to[1] = load (f16{ static_cast<unsigned short> (four.x >> 16) });
  to[2] = load (f16{ static_cast<unsigned short> (four.y) }), to[3] = load (f16{ static_cast<unsigned short> (four.y >> 16) });
}

static __device__ __forceinline__ void
keep_four (float *to, const float *from)
{
  asm volatile ("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(shared_address (to)), "f"(from[0]), "f"(from[1]), "f"(from[2]),
                "f"(from[3])
                : "memory");
}

// Begins to copy rows to shared memory, PITCH elements apart there, by pieces of 16 bytes: those before @rows and @columns.
template <int ROWS, int COLUMNS, int PITCH, int THREADS, class ELEMENT>
static __device__ __forceinline__ void
copy_rows (ELEMENT *to, const ELEMENT *from, long long stride, int rows, int columns)
{
  constexpr int PIECE = 16 / sizeof (ELEMENT), PIECES = COLUMNS / PIECE, SIDE = PIECES < THREADS ? PIECES : THREADS, STEP = THREADS / SIDE;
  const int row = threadIdx.x / SIDE;
  if (row >= STEP)
    return;
#pragma unroll
  for (int piece = threadIdx.x % SIDE; piece < PIECES; piece += SIDE)
    {
      const ELEMENT *source = from + row * stride + piece * PIECE;
      const unsigned target = shared_address (to + row * PITCH + piece * PIECE);
#pragma unroll
      for (int first = 0; first < ROWS; first += STEP, source += STEP * stride)
        if (first + row < rows && piece * PIECE < columns)
          copy_16 (target + first * PITCH * sizeof (ELEMENT), source, true);
    }
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
//   256 threads and 167424 bytes of shared memory a block
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
  float *const m = reinterpret_cast<float *> (shared + 83968);  // [TILE_y] running maximum
  float *const delta = reinterpret_cast<float *> (shared + 84480);  // [TILE_y] rescaling factor
  float *const P = reinterpret_cast<float *> (shared + 49152);  // [TILE_y][CHUNK_x]
  float *const l = reinterpret_cast<float *> (shared + 84992);  // [TILE_y] running sum of exponentials
  f16 *const V_tile = reinterpret_cast<f16 *> (shared + 85504);  // [CHUNK_x][k]
  float *const o = reinterpret_cast<float *> (shared + 101888);  // [TILE_y][k] running sum of products

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
  float sum_of_o[8][8] = {};

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
      copy_rows<64, 128, 128, THREADS> (V_tile, V + x_0 * k + 0, k, n_x, k);
      commit_copies ();
      wait_for_copies<0> ();
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
          S[i_y * (CHUNK_x + 4) + i_x] = acc;
        }

      // t1 = S*k^-0.5
      for (int at = threadIdx.x; at < n_y * CHUNK_x; at += THREADS)
        {
          const int i_y = at / CHUNK_x;
          const int i_x = at % CHUNK_x;
          if (i_x >= n_x)
            continue;
          t1[i_y * (CHUNK_x + 4) + i_x] = S[i_y * (CHUNK_x + 4) + i_x] * rsqrtf (float (k));
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
            acc = maximum (acc, t1[i_y * (CHUNK_x + 4) + i_x]);
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
          P[i_y * (CHUNK_x + 4) + i_x] = t1[i_y * (CHUNK_x + 4) + i_x] == -INF ? 0.0f : coarse_exp (t1[i_y * (CHUNK_x + 4) + i_x] - m[i_y]);
        }
      __syncthreads ();

      // l = delta * l + sum over x of P
      for (int i_y = threadIdx.x / 32; i_y < n_y; i_y += THREADS / 32)
        {
          float acc = 0.0f;
          for (int i_x = threadIdx.x % 32; i_x < n_x; i_x += 32)
            acc += P[i_y * (CHUNK_x + 4) + i_x];
          for (int step = 16; step > 0; step /= 2)
            {
              const float other = __shfl_xor_sync (0xffffffff, acc, step);
              acc = acc + other;
            }
          if (threadIdx.x % 32 == 0)
            l[i_y] = delta[i_y] * l[i_y] + acc;
        }

      // o = delta * o + sum over x of P*V
      {
        const int row = threadIdx.x / 64 * 4 + threadIdx.x % 32 / 8;
        const int column = threadIdx.x / 32 % 2 * 8 + threadIdx.x % 8;
        #pragma unroll
        for (int down = 0; down < 8; ++down)
        #pragma unroll
          for (int along = 0; along < 8; along += 1)
            {
              const int i_y = row + down * 16;
                {
                  sum_of_o[down][along] *= delta[i_y];
                }
            }
        int left_at[8];
        #pragma unroll
        for (int down = 0; down < 8; ++down)
          left_at[down] = (row + down * 16) * 68;
        int right_at[8];
        #pragma unroll
        for (int along = 0; along < 8; ++along)
          right_at[along] = ((column + along / 4 * 16) * 4 + along % 4) * 1;
        int i_x = 0;
        #pragma unroll 1
        for (; i_x < n_x - 3; i_x += 4)
          {
            float left[8][4], right[8];
            #pragma unroll
            for (int down = 0; down < 8; ++down)
              load_four (left[down], P + left_at[down] + i_x);
            #pragma unroll
            for (int step = 0; step < 4; ++step)
              {
                #pragma unroll
                for (int along = 0; along < 8; along += 4)
                  load_four (right + along, V_tile + right_at[along] + (i_x + step) * 128);
                #pragma unroll
                for (int down = 0; down < 8; ++down)
                #pragma unroll
                  for (int along = 0; along < 8; ++along)
                    sum_of_o[down][along] += left[down][step] * right[along];
              }
          }
        #pragma unroll 1
        for (; i_x < n_x; ++i_x)
          {
            float left[8], right[8];
            #pragma unroll
            for (int down = 0; down < 8; ++down)
              left[down] = P[left_at[down] + i_x];
            #pragma unroll
            for (int along = 0; along < 8; along += 4)
              load_four (right + along, V_tile + right_at[along] + i_x * 128);
            #pragma unroll
            for (int down = 0; down < 8; ++down)
            #pragma unroll
              for (int along = 0; along < 8; ++along)
                sum_of_o[down][along] += left[down] * right[along];
          }
      }
      __syncthreads ();
    }

  // o, from registers
  {
    const int row = threadIdx.x / 64 * 4 + threadIdx.x % 32 / 8;
    const int column = threadIdx.x / 32 % 2 * 8 + threadIdx.x % 8;
    #pragma unroll
    for (int down = 0; down < 8; ++down)
    #pragma unroll
      for (int along = 0; along < 8; along += 4)
        {
          const int i_y = row + down * 16;
          const int i_k = (column + along / 4 * 16) * 4 + along % 4;
          if (i_y < n_y)
            {
              keep_four (&o[i_y * k + i_k], &sum_of_o[down][along]);
            }
        }
  }
  __syncthreads ();

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
      attention_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 167424);
  if (status != cudaSuccess)
    return status;
  attention_kernel<<<(unsigned) blocks, 256, 167424, stream>>> (static_cast<const f16 *> (Q),
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
