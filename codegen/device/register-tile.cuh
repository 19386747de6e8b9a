// SPDX-License-Identifier: MIT-0
// Building blocks of products in registers, without tensor cores. Sections as in prelude.cuh.
//// load four
// Four elements that lie side by side, aligned to 16 bytes.
static __device__ __forceinline__ void
load_four (float *to, const float *from)
{
  const float4 four = *reinterpret_cast<const float4 *> (from);
  to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
}
//// store four
// To global memory, and to shared memory: said in PTX, since a compiler that sees other ways to write the same elements takes them apart.
static __device__ __forceinline__ void
store_four (float *to, const float *from)
{
  asm volatile ("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global (to)), "f"(from[0]), "f"(from[1]), "f"(from[2]),
                "f"(from[3])
                : "memory");
}
//// keep four
static __device__ __forceinline__ void
keep_four (float *to, const float *from)
{
  asm volatile ("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(shared_address (to)), "f"(from[0]), "f"(from[1]), "f"(from[2]),
                "f"(from[3])
                : "memory");
}
//// copy rows
// Begins to copy rows to shared memory, PITCH elements apart there, by pieces of 16 bytes: those before @rows and @columns.
template <int ROWS, int COLUMNS, int PITCH, int THREADS>
static __device__ __forceinline__ void
copy_rows (float *to, const float *from, long long stride, int rows, int columns)
{
  constexpr int PIECES = COLUMNS / 4, SIDE = PIECES < THREADS ? PIECES : THREADS, STEP = THREADS / SIDE;
  const int row = threadIdx.x / SIDE;
  if (row >= STEP)
    return;
#pragma unroll
  for (int piece = threadIdx.x % SIDE; piece < PIECES; piece += SIDE)
    {
      const float *source = from + row * stride + piece * 4;
      const unsigned target = shared_address (to + row * PITCH + piece * 4);
#pragma unroll
      for (int first = 0; first < ROWS; first += STEP, source += STEP * stride)
        if (first + row < rows && piece * 4 < columns)
          copy_16 (target + first * PITCH * 4, source, true);
    }
}
