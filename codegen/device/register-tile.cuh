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
//// load four f16
// Four elements of 16 bits, aligned to 8 bytes, as f32.
static __device__ __forceinline__ void
load_four (float *to, const f16 *from)
{
  const uint2 four = *reinterpret_cast<const uint2 *> (from);
  to[0] = load (f16{ static_cast<unsigned short> (four.x) }), to[1] = load (f16{ static_cast<unsigned short> (four.x >> 16) });
  to[2] = load (f16{ static_cast<unsigned short> (four.y) }), to[3] = load (f16{ static_cast<unsigned short> (four.y >> 16) });
}
//// load four bf16
static __device__ __forceinline__ void
load_four (float *to, const bf16 *from)
{
  const uint2 four = *reinterpret_cast<const uint2 *> (from);
  to[0] = __uint_as_float (four.x << 16), to[1] = __uint_as_float (four.x & 0xffff0000u);
  to[2] = __uint_as_float (four.y << 16), to[3] = __uint_as_float (four.y & 0xffff0000u);
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
