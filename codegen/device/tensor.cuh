// SPDX-License-Identifier: MIT-0
// Building blocks of kernels for tensor cores (sm_80 and newer): the only place where they use PTX. Sections as in prelude.cuh.
//// shared address
// Shared memory as instructions name it.
static __device__ __forceinline__ unsigned
shared_address (const void *at)
{
  return static_cast<unsigned> (__cvta_generic_to_shared (at));
}
//// tile address
// A tile lies in panels of as many columns as fit into 128 bytes. A row of a panel has these bytes in 8 pieces, exchanged by the lowest
// 3 bits of the row: the same piece of 8 rows then lies in different banks.
template <int ROWS, int BYTES = 2>
static __device__ __forceinline__ unsigned
tile_address (unsigned tile, unsigned lane_offset, int row, int column)
{
  constexpr int PANEL = 128 / BYTES;
  return tile + column / PANEL * (ROWS * 128) + row * 128 + (lane_offset ^ column % PANEL * BYTES);
}

// The lane's own part of an address for load_matrix: two 8 x 8 matrices down the rows, then two along them …
static __device__ __forceinline__ unsigned
lane_offset_down (int lane)
{
  return lane % 16 * 128 + ((lane / 16 ^ lane % 8) << 4);
}

// … or first along them.
static __device__ __forceinline__ unsigned
lane_offset_along (int lane)
{
  return (lane / 16 * 8 + lane % 8) * 128 + ((lane / 8 % 2 ^ lane % 8) << 4);
}
//// copy 16
// Copies 16 bytes, or zeros where there is nothing, when the hardware comes to it.
static __device__ __forceinline__ void
copy_16 (unsigned to, const void *from, bool there)
{
  asm volatile ("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(there ? 16 : 0) : "memory");
}
//// copies
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
//// copy tile
// Begins to copy a tile whose rows are aligned to 16 bytes: @rows and @columns of it, and zeros behind them. The threads of a warp copy
// 4 rows of a panel. Not more than 8 rows a thread are written out: what they are read by would take registers that sums have.
template <int ROWS, int COLUMNS, int THREADS, typename T>
static __device__ __forceinline__ void
copy_tile (unsigned to, const T *from, long long stride, int rows, int columns)
{
  constexpr int PIECE = 16 / sizeof (T), STEP = THREADS / 8;
  const int row = threadIdx.x / 8, piece = threadIdx.x % 8;
  from += row * stride + piece * PIECE;
#pragma unroll 8
  for (int first = 0; first < ROWS; first += STEP, from += STEP * stride)
#pragma unroll
    for (int column = 0; column < COLUMNS; column += 8 * PIECE)
      if (ROWS % STEP == 0 || first + row < ROWS)
        copy_16 (to + column / PIECE * (ROWS * 16) + (first + row) * 128 + ((piece ^ (first + row) % 8) << 4), from + column,
            first + row < rows && column + piece * PIECE < columns);
}
//// copy element
// Copies an element to shared memory, or zero where there is nothing.
template <typename T>
static __device__ __forceinline__ void
copy_element (unsigned to, const T *from, bool there)
{
  if (sizeof (T) == 1)
    asm volatile ("st.shared.u8 [%0], %1;" ::"r"(to), "r"(there ? *reinterpret_cast<const unsigned char *> (from) : 0) : "memory");
  else if (sizeof (T) == 4)
    asm volatile ("st.shared.u32 [%0], %1;" ::"r"(to), "r"(there ? *reinterpret_cast<const unsigned *> (from) : 0) : "memory");
  else
    asm volatile ("st.shared.u16 [%0], %1;" ::"r"(to), "h"(there ? *reinterpret_cast<const unsigned short *> (from) : (unsigned short) 0)
                  : "memory");
}
//// store pieces
static __device__ __forceinline__ void
store_piece (unsigned to, const unsigned (&words)[4])
{
  asm volatile ("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
                : "memory");
}
//// copy halves
// Eight elements of 16 bits side by side, the first n of them, and zeros behind: by words, though rows may begin within one. None outside of them is read.
static __device__ __forceinline__ void
read_halves (unsigned (&words)[4], const unsigned short *from, int n)
{
  if (n >= 8)
    {
      const bool odd = reinterpret_cast<unsigned long long> (from) & 2;
      const unsigned *aligned = reinterpret_cast<const unsigned *> (from + odd);
      const unsigned a = aligned[0], b = aligned[1], c = aligned[2];
      unsigned first = 0, last;
      if (odd)
        first = from[0], last = from[7];
      else
        last = aligned[3];
      words[0] = odd ? first | a << 16 : a;
      words[1] = odd ? __funnelshift_r (a, b, 16) : b;
      words[2] = odd ? __funnelshift_r (b, c, 16) : c;
      words[3] = odd ? c >> 16 | last << 16 : last;
    }
  else
    {
      words[0] = words[1] = words[2] = words[3] = 0;
#pragma unroll 1
      for (int i = n; i-- > 0;)
        {
          words[3] = __funnelshift_l (words[2], words[3], 16);
          words[2] = __funnelshift_l (words[1], words[2], 16);
          words[1] = __funnelshift_l (words[0], words[1], 16);
          words[0] = words[0] << 16 | from[i];
        }
    }
}

// Copies a tile of elements of 16 bits whose columns are side by side: each thread has several pieces of eight on their way at once.
template <int ROWS, int COLUMNS, int THREADS>
static __device__ __forceinline__ void
copy_halves (unsigned to, const unsigned short *from, long long row_stride, int rows, int columns)
{
  constexpr int ACROSS = COLUMNS / 8, PIECES = ROWS * ACROSS, EACH = (PIECES + THREADS - 1) / THREADS, AT_ONCE = EACH < 4 ? EACH : 4;
  constexpr bool WHOLE = PIECES % (AT_ONCE * THREADS) == 0;
#pragma unroll 1
  for (int first = threadIdx.x; first < PIECES; first += AT_ONCE * THREADS)
    {
      unsigned words[AT_ONCE][4];
#pragma unroll
      for (int i = 0; i < AT_ONCE; ++i)
        {
          const int at = first + i * THREADS, row = at / ACROSS, column = at % ACROSS * 8;
          read_halves (words[i], from + row * row_stride + column, (WHOLE || at < PIECES) && row < rows ? columns - column : 0);
        }
#pragma unroll
      for (int i = 0; i < AT_ONCE; ++i)
        {
          const int at = first + i * THREADS, row = at / ACROSS, piece = at % ACROSS;
          if (WHOLE || at < PIECES)
            store_piece (to + piece / 8 * (ROWS * 128) + row * 128 + ((piece % 8 ^ row % 8) << 4), words[i]);
        }
    }
}
//// copy elements
// Copies a tile element by element: for rows that are not aligned, or columns that are not side by side.
template <int ROWS, int COLUMNS, int THREADS, typename T>
static __device__ __forceinline__ void
copy_elements (unsigned to, const T *from, long long row_stride, long long column_stride, int rows, int columns)
{
#pragma unroll 1
  for (int at = threadIdx.x; at < ROWS * COLUMNS; at += THREADS)
    {
      const int row = at / COLUMNS, column = at % COLUMNS, byte = column * sizeof (T);
      copy_element (to + byte / 128 * (ROWS * 128) + row * 128 + ((byte % 128 / 16 ^ row % 8) << 4) + byte % 16,
          from + row * row_stride + column * column_stride, row < rows && column < columns);
    }
}
//// copy dealt tile
// Begins to copy a tile whose row r is at place (r) of the array, and as copy_tile does else.
template <int ROWS, int COLUMNS, int THREADS, typename T, typename Place>
static __device__ __forceinline__ void
copy_dealt_tile (unsigned to, const T *from, Place place, int rows, int columns)
{
  constexpr int PIECE = 16 / sizeof (T), STEP = THREADS / 8;
  const int row = threadIdx.x / 8, piece = threadIdx.x % 8;
#pragma unroll 8
  for (int first = 0; first < ROWS; first += STEP)
    if (ROWS % STEP == 0 || first + row < ROWS)
      {
        const T *const at = from + place (first + row) + piece * PIECE;
#pragma unroll
        for (int column = 0; column < COLUMNS; column += 8 * PIECE)
          copy_16 (to + column / PIECE * (ROWS * 16) + (first + row) * 128 + ((piece ^ (first + row) % 8) << 4), at + column,
              first + row < rows && column + piece * PIECE < columns);
      }
}
//// copy dealt elements
// Copies such a tile element by element.
template <int ROWS, int COLUMNS, int THREADS, typename T, typename Place>
static __device__ __forceinline__ void
copy_dealt_elements (unsigned to, const T *from, Place place, long long column_stride, int rows, int columns)
{
#pragma unroll 1
  for (int at = threadIdx.x; at < ROWS * COLUMNS; at += THREADS)
    {
      const int row = at / COLUMNS, column = at % COLUMNS, byte = column * sizeof (T);
      copy_element (to + byte / 128 * (ROWS * 128) + row * 128 + ((byte % 128 / 16 ^ row % 8) << 4) + byte % 16,
          from + place (row) + column * column_stride, row < rows && column < columns);
    }
}
//// copy odd rows
// The same for arrays of 16-bit elements whose rows are known not to be aligned: by eight elements, where columns are side by side.
template <int ROWS, int COLUMNS, int THREADS, typename T>
static __device__ __forceinline__ void
copy_odd_rows (unsigned to, const T *from, long long row_stride, long long column_stride, int rows, int columns)
{
  if (COLUMNS % 8 == 0 && column_stride == 1)
    copy_halves<ROWS, COLUMNS, THREADS> (to, reinterpret_cast<const unsigned short *> (from), row_stride, rows, columns);
  else
    copy_elements<ROWS, COLUMNS, THREADS> (to, from, row_stride, column_stride, rows, columns);
}
//// widen to f16
// Two e4m3 as two f16, exactly. Where no instruction does it: with exponent and fraction in their places they are 2^8 times too small.
static __device__ __forceinline__ unsigned
widen_f16 (unsigned pair)
{
  unsigned result;
#if __CUDA_ARCH__ >= 890
  asm ("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(result) : "h"(static_cast<unsigned short> (pair)));
#else
  const unsigned apart = (pair & 0xff) | (pair & 0xff00) << 8, nan = ((apart & 0x7f007f) + 0x10001) >> 7 & 0x10001;
  asm ("mul.f16x2 %0, %1, %2;" : "=r"(result) : "r"((apart & 0x800080) << 8 | (apart & 0x7f007f) << 7), "r"(0x5c005c00));
  result |= nan * 0x7fff;
#endif
  return result;
}
//// widen to bf16
// Two e4m3 as two bf16, exactly: with exponent and fraction in their places they are 2^120 times too small.
static __device__ __forceinline__ unsigned
widen_bf16 (unsigned pair)
{
  const unsigned apart = (pair & 0xff) | (pair & 0xff00) << 8, nan = ((apart & 0x7f007f) + 0x10001) >> 7 & 0x10001;
  unsigned result;
  asm ("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(result) : "r"((apart & 0x800080) << 8 | (apart & 0x7f007f) << 4), "r"(0x7b807b80), "r"(0x80008000));
  return result | nan * 0x7fff;
}
//// widen tile
// Copies a tile of 8-bit elements with 16 bits for each, @WIDEN: two of them as such. All reads are begun before the first is waited for: 8 elements
// at a time, of rows that are aligned to them; @rows and @columns of it, and zeros behind.
template <int ROWS, int COLUMNS, int THREADS, unsigned WIDEN (unsigned)>
static __device__ __forceinline__ void
widen_tile (unsigned to, const e4m3 *from, long long stride, int rows, int columns)
{
  constexpr int DOWN = (ROWS + THREADS / 8 - 1) / (THREADS / 8), ALONG = (COLUMNS + 63) / 64;
  const int row = threadIdx.x / 8, piece = threadIdx.x % 8;
  uint2 pieces[ALONG][DOWN];
  from += row * stride + piece * 8;
#pragma unroll
  for (int i = 0; i < ALONG * DOWN; ++i)
    {
      const int along = i / DOWN, down = i % DOWN, first = down * (THREADS / 8);
      const bool there = first + row < rows && along * 64 + piece * 8 < columns;
      pieces[along][down] = there ? *reinterpret_cast<const uint2 *> (from + first * stride + along * 64) : make_uint2 (0, 0);
    }
#pragma unroll
  for (int i = 0; i < ALONG * DOWN; ++i)
    {
      const int along = i / DOWN, down = i % DOWN, at = down * (THREADS / 8) + row;
      const uint2 bytes = pieces[along][down];
      const unsigned words[4] = { WIDEN (bytes.x & 0xffff), WIDEN (bytes.x >> 16), WIDEN (bytes.y & 0xffff), WIDEN (bytes.y >> 16) };
      if (ROWS % (THREADS / 8) == 0 || at < ROWS)
        store_piece (to + along * (ROWS * 128) + at * 128 + ((piece ^ at % 8) << 4), words);
    }
}
//// widen elements
// The same element by element: for rows that are not aligned, or columns that are not side by side.
template <int ROWS, int COLUMNS, int THREADS, unsigned WIDEN (unsigned)>
static __device__ __forceinline__ void
widen_elements (unsigned to, const e4m3 *from, long long row_stride, long long column_stride, int rows, int columns)
{
#pragma unroll 1
  for (int at = threadIdx.x; at < ROWS * COLUMNS; at += THREADS)
    {
      const int row = at / COLUMNS, column = at % COLUMNS;
      const unsigned place = to + column / 64 * (ROWS * 128) + row * 128 + ((column % 64 / 8 ^ row % 8) << 4) + column % 8 * 2;
      const unsigned byte = row < rows && column < columns ? from[row * row_stride + column * column_stride].bits : 0;
      asm volatile ("st.shared.u16 [%0], %1;" ::"r"(place), "h"(static_cast<unsigned short> (WIDEN (byte))) : "memory");
    }
}
//// copy window
// Begins to copy the box of an array that the windows of a block are in, position after position: DOWN x ACROSS of them from (@down, @across)
// on, zeros where that is outside. Each is a row of @columns side by side, aligned to 16 bytes.
template <int DOWN, int ACROSS, int COLUMNS, int THREADS, typename T>
static __device__ __forceinline__ void
copy_window (unsigned to, const T *from, long long down, int n_down, long long down_stride, long long across, int n_across,
    long long across_stride, int columns)
{
  constexpr int PIECE = 16 / sizeof (T), PIECES = COLUMNS <= 2 * PIECE ? 2 : COLUMNS <= 4 * PIECE ? 4 : 8;
  const int piece = threadIdx.x % PIECES;
#pragma unroll 1
  for (int at = threadIdx.x / PIECES; at < DOWN * ACROSS; at += THREADS / PIECES)
    {
      const long long y = down + at / ACROSS, x = across + at % ACROSS;
      const bool there = y >= 0 && y < n_down && x >= 0 && x < n_across;
      const T *row = from + (there ? y * down_stride + x * across_stride + piece * PIECE : 0);
#pragma unroll
      for (int column = 0; column < COLUMNS; column += 8 * PIECE)
        copy_16 (to + column / PIECE * (DOWN * ACROSS * 16) + at * 128 + ((piece ^ at % 8) << 4), row + column,
            there && column + piece * PIECE < columns);
    }
}
//// copy window elements
// The same element by element: side by side are the columns, or the positions.
template <int DOWN, int ACROSS, int COLUMNS, int THREADS, typename T>
static __device__ __forceinline__ void
copy_window_elements (unsigned to, const T *from, long long down, int n_down, long long down_stride, long long across,
    int n_across, long long across_stride, long long column_stride, int columns)
{
  constexpr int POSITIONS = DOWN * ACROSS;
#pragma unroll 1
  for (int i = threadIdx.x; i < POSITIONS * COLUMNS; i += THREADS)
    {
      const int at = column_stride == 1 ? i / COLUMNS : i % POSITIONS, column = column_stride == 1 ? i % COLUMNS : i / POSITIONS;
      const int byte = column * sizeof (T);
      const long long y = down + at / ACROSS, x = across + at % ACROSS;
      copy_element (to + byte / 128 * (POSITIONS * 128) + at * 128 + ((byte % 128 / 16 ^ at % 8) << 4) + byte % 16,
          from + y * down_stride + x * across_stride + column * column_stride,
          y >= 0 && y < n_down && x >= 0 && x < n_across && column < columns);
    }
}
//// window address
// The lane's own part of an address for load_matrix, as lane_offset_down has it, where its row is position @place of a box.
static __device__ __forceinline__ unsigned
window_address (unsigned tile, int lane, int place)
{
  return tile + place * 128 + ((lane / 16 ^ place % 8) << 4);
}
//// choices

// Which of n matrices a row chooses; n: none, its index is outside of the array.
template <typename Index>
static __device__ __forceinline__ long long
choice_of (Index index, long long n)
{
  return index >= 0 && index < n ? index : n;
}

// The least choice of some rows beyond the last one, in each lane of a warp; n + 1: there is none.
template <typename Index>
static __device__ __forceinline__ long long
next_choice (const Index *choices, long long stride, int rows, long long last, long long n)
{
  long long next = n + 1;
  for (int row = threadIdx.x % 32; row < rows; row += 32)
    {
      const long long choice = choice_of (choices[row * stride], n);
      if (choice > last && choice < next)
        next = choice;
    }
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2)
    {
      const long long other = __shfl_xor_sync (0xffffffff, next, apart);
      next = other < next ? other : next;
    }
  return next;
}

//// deal rows
// Deals out the rows of all blocks sorted by the matrix that they choose, those of one matrix in their own order: tells the rows at places
// @first … of this order, and what each chooses. With more than MATRICES matrices rows keep their places. Returns how many rows there are. It is a call, so that
// what it keeps takes no registers from sums.
template <int ROWS, int THREADS, int MATRICES, typename Index>
static __device__ __noinline__ int
deal_rows (long long *dealt, long long *chosen, int *counts, const Index *choices, long long all, long long first, long long n)
{
  constexpr int WARPS = THREADS / 32;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int rows = all <= first ? 0 : all - first < ROWS ? int (all - first) : ROWS;
  const bool sorts = n <= MATRICES && all <= 0x7fffffff;
  for (int row = threadIdx.x; row < ROWS; row += THREADS)
    {
      dealt[row] = !sorts && row < rows ? first + row : 0;
      chosen[row] = !sorts && row < rows ? choice_of (choices[first + row], n) : n;
    }
  if (sorts && rows > 0)
    {
      // each warp counts the rows of its part by what they choose
      const int end = WARPS * int (n + 1), share = (end + THREADS - 1) / THREADS;
      const int part = int ((all + THREADS - 1) / THREADS) * 32, to = part * (warp + 1) < all ? part * (warp + 1) : int (all);
      for (int i = threadIdx.x; i < end; i += THREADS)
        counts[i] = 0;
      __syncthreads ();
      for (int i = part * warp + lane; i < to; i += 32)
        atomicAdd (&counts[choice_of (choices[i], n) * WARPS + warp], 1);
      __syncthreads ();

      // where the rows of each matrix, and of each warp's part, begin in the order
      int sum = 0;
      for (int i = share * threadIdx.x; i < share * int (threadIdx.x + 1) && i < end; ++i)
        sum += counts[i];
      int place = sum;
#pragma unroll
      for (int apart = 1; apart < 32; apart *= 2)
        {
          const int other = __shfl_up_sync (0xffffffff, place, apart);
          place += lane >= apart ? other : 0;
        }
      if (lane == 31)
        counts[end + 2 + warp] = place;
      __syncthreads ();
      place -= sum;
      for (int i = 0; i < warp; ++i)
        place += counts[end + 2 + i];
      for (int i = share * threadIdx.x; i < share * int (threadIdx.x + 1) && i < end; ++i)
        {
          const int count = counts[i];
          counts[i] = place;
          if (place <= first && first < place + count)
            counts[end] = i / WARPS;
          if (place < first + rows && first + rows <= place + count)
            counts[end + 1] = i / WARPS;
          place += count;
        }
      __syncthreads ();

      // the rows of this block, which choose matrices from the one of its first place to that of its last; where a warp's rows of a matrix
      // begin moves on as they are placed
      for (int i = part * warp; i < to; i += 32)
        {
          const int matrix = i + lane < to ? int (choice_of (choices[i + lane], n)) : -1, at = matrix * WARPS + warp;
          if (!__any_sync (0xffffffff, matrix >= counts[end] && matrix <= counts[end + 1]))
            continue;
          const unsigned same = __match_any_sync (0xffffffff, matrix);
          const long long own = matrix >= 0 ? counts[at] + __popc (same & ((1u << lane) - 1)) - first : -1;
          __syncwarp ();
          if (own >= 0 && own < rows)
            {
              dealt[own] = i + lane;
              chosen[own] = matrix;
            }
          if (matrix >= 0 && (same & ((1u << lane) - 1)) == 0)
            counts[at] += __popc (same);
          __syncwarp ();
        }
    }
  __syncthreads ();
  return rows;
}

//// load matrix
// Four 8 x 8 matrices: lane l names row l % 8 of matrix l / 8, and gets elements 2 (l % 4) and the next of row l / 4 of each.
static __device__ __forceinline__ void
load_matrix (unsigned (&to)[4], unsigned at)
{
  asm volatile ("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                : "r"(at)
                : "memory");
}
//// load matrix transposed
// The same, of the transposed matrices.
static __device__ __forceinline__ void
load_matrix_transposed (unsigned (&to)[4], unsigned at)
{
  asm volatile ("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                : "r"(at)
                : "memory");
}
//// load word
static __device__ __forceinline__ unsigned
load_word (unsigned at)
{
  unsigned word;
  asm volatile ("ld.shared.b32 %0, [%1];" : "=r"(word) : "r"(at) : "memory");
  return word;
}
//// words
// Elements of 32 bits with rows and columns exchanged: the lane's own row is lane % 4 of 4, its column lane / 4 of 8.
static __device__ __forceinline__ unsigned
lane_offset_words (int lane)
{
  return lane % 4 * 128 + ((lane / 16 ^ lane % 4) << 4) + lane / 4 % 4 * 4;
}
//// right words
// A right factor of two products: of each 8 columns the element of the lane's row, and of 4 rows further.
static __device__ __forceinline__ void
load_words (unsigned (&to)[4], unsigned at)
{
  to[0] = load_word (at);
  to[1] = load_word ((at ^ 64) + 512);
  to[2] = load_word (at ^ 32);
  to[3] = load_word ((at ^ 96) + 512);
}
//// left words
// A left factor, whose rows are columns here.
static __device__ __forceinline__ void
load_left_words (unsigned (&to)[4], unsigned at)
{
  to[0] = load_word (at);
  to[1] = load_word (at ^ 32);
  to[2] = load_word ((at ^ 64) + 512);
  to[3] = load_word ((at ^ 96) + 512);
}
//// rows of pairs
// Accumulators as a left factor have columns 2 (lane % 4) and the next where the product has lane % 4 and 4 further: the right factor's
// rows are then taken in that order too. Of each 8 columns the elements of two rows, one below the other.
static __device__ __forceinline__ unsigned
lane_offset_rows (int lane)
{
  return lane % 4 * 256 + ((lane / 16 ^ lane % 4 * 2) << 4) + lane / 4 % 4 * 4;
}

static __device__ __forceinline__ void
load_rows (unsigned (&to)[4], unsigned at)
{
  to[0] = load_word (at);
  to[1] = load_word ((at ^ 16) + 128);
  to[2] = load_word (at ^ 32);
  to[3] = load_word ((at ^ 48) + 128);
}
//// columns of pairs
// In the same order, of two rows, 8 apart, the elements of two columns side by side.
static __device__ __forceinline__ unsigned
lane_offset_pairs (int lane)
{
  return lane / 4 * 128 + ((lane % 4 / 2 ^ lane / 4) << 4) + lane % 2 * 8;
}

static __device__ __forceinline__ void
load_pairs (unsigned (&to)[4], unsigned at)
{
  asm volatile ("ld.shared.v2.b32 {%0, %1}, [%2];" : "=r"(to[0]), "=r"(to[1]) : "r"(at) : "memory");
  asm volatile ("ld.shared.v2.b32 {%0, %1}, [%2 + 1024];" : "=r"(to[2]), "=r"(to[3]) : "r"(at) : "memory");
}
//// round tf32
// To 10 bits of fraction, ties away from zero.
static __device__ __forceinline__ unsigned
round_tf32 (float value)
{
  unsigned rounded;
  asm ("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(value));
  return rounded;
}

static __device__ __forceinline__ void
round_tf32 (unsigned (&values)[4])
{
#pragma unroll
  for (int i = 0; i < 4; ++i)
    values[i] = round_tf32 (__uint_as_float (values[i]));
}
//// multiply f16
// c += a b by the tensor core: 16 x 16 times 16 x 8.
static __device__ __forceinline__ void
multiply_f16 (float (&c)[4], const unsigned (&a)[4], unsigned b_0, unsigned b_1)
{
  asm volatile ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b_0), "r"(b_1));
}
//// multiply bf16
// c += a b by the tensor core: 16 x 16 times 16 x 8.
static __device__ __forceinline__ void
multiply_bf16 (float (&c)[4], const unsigned (&a)[4], unsigned b_0, unsigned b_1)
{
  asm volatile ("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b_0), "r"(b_1));
}
//// multiply tf32
// c += a b by the tensor core: 16 x 8 times 8 x 8.
static __device__ __forceinline__ void
multiply_tf32 (float (&c)[4], const unsigned (&a)[4], unsigned b_0, unsigned b_1)
{
  asm volatile ("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b_0), "r"(b_1));
}
//// multiply e4m3
// c += a b by the tensor core: 16 x 32 times 32 x 8.
static __device__ __forceinline__ void
multiply_e4m3 (float (&c)[4], const unsigned (&a)[4], unsigned b_0, unsigned b_1)
{
  asm volatile ("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b_0), "r"(b_1));
}
//// pack f16
static __device__ __forceinline__ unsigned
pack_f16 (float low, float high)
{
  unsigned pair;
  asm ("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}
//// pack bf16
static __device__ __forceinline__ unsigned
pack_bf16 (float low, float high)
{
  unsigned pair;
  asm ("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
  return pair;
}
//// recast f16
// Two accumulators side by side are a left factor: each lane has the same elements of both.
static __device__ __forceinline__ void
recast_f16 (unsigned (&to)[4], const float (&left)[4], const float (&right)[4])
{
  to[0] = pack_f16 (left[0], left[1]);
  to[1] = pack_f16 (left[2], left[3]);
  to[2] = pack_f16 (right[0], right[1]);
  to[3] = pack_f16 (right[2], right[3]);
}
//// recast bf16
// Two accumulators side by side are a left factor: each lane has the same elements of both.
static __device__ __forceinline__ void
recast_bf16 (unsigned (&to)[4], const float (&left)[4], const float (&right)[4])
{
  to[0] = pack_bf16 (left[0], left[1]);
  to[1] = pack_bf16 (left[2], left[3]);
  to[2] = pack_bf16 (right[0], right[1]);
  to[3] = pack_bf16 (right[2], right[3]);
}
//// recast tf32
// An accumulator is a left factor with its columns in another order.
static __device__ __forceinline__ void
recast_tf32 (unsigned (&to)[4], const float (&left)[4])
{
  to[0] = round_tf32 (left[0]);
  to[1] = round_tf32 (left[2]);
  to[2] = round_tf32 (left[1]);
  to[3] = round_tf32 (left[3]);
}
//// unpack f16
static __device__ __forceinline__ void
unpack_f16 (float (&left)[4], float (&right)[4], const unsigned (&from)[4])
{
#pragma unroll
  for (int i = 0; i < 2; ++i)
    {
      asm ("{.reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h;}" : "=f"(left[2 * i]), "=f"(left[2 * i + 1]) : "r"(from[i]));
      asm ("{.reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h;}" : "=f"(right[2 * i]), "=f"(right[2 * i + 1]) : "r"(from[i + 2]));
    }
}
//// unpack bf16
static __device__ __forceinline__ void
unpack_bf16 (float (&left)[4], float (&right)[4], const unsigned (&from)[4])
{
#pragma unroll
  for (int i = 0; i < 2; ++i)
    {
      left[2 * i] = __uint_as_float (from[i] << 16);
      left[2 * i + 1] = __uint_as_float (from[i] & 0xffff0000);
      right[2 * i] = __uint_as_float (from[i + 2] << 16);
      right[2 * i + 1] = __uint_as_float (from[i + 2] & 0xffff0000);
    }
}
//// unpack tf32
static __device__ __forceinline__ void
unpack_tf32 (float (&to)[4], const unsigned (&from)[4])
{
#pragma unroll
  for (int i = 0; i < 4; ++i)
    to[i] = __uint_as_float (from[i]);
}
//// largest
// One instruction; NaN wins.
static __device__ __forceinline__ float
largest (float a, float b)
{
  float result;
  asm ("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}
//// smallest
// One instruction; NaN wins.
static __device__ __forceinline__ float
smallest (float a, float b)
{
  float result;
  asm ("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}
//// sum along row
// Over the four lanes that hold a row: all get it.
static __device__ __forceinline__ float
sum_along_row (float x)
{
  x += __shfl_xor_sync (0xffffffff, x, 1);
  return x + __shfl_xor_sync (0xffffffff, x, 2);
}
//// prod along row
static __device__ __forceinline__ float
prod_along_row (float x)
{
  x *= __shfl_xor_sync (0xffffffff, x, 1);
  return x * __shfl_xor_sync (0xffffffff, x, 2);
}
//// max along row
// Over the four lanes that hold a row: all get it.
static __device__ __forceinline__ float
max_along_row (float x)
{
  x = largest (x, __shfl_xor_sync (0xffffffff, x, 1));
  return largest (x, __shfl_xor_sync (0xffffffff, x, 2));
}
//// min along row
static __device__ __forceinline__ float
min_along_row (float x)
{
  x = smallest (x, __shfl_xor_sync (0xffffffff, x, 1));
  return smallest (x, __shfl_xor_sync (0xffffffff, x, 2));
}
//// power of two
// 2^x within 2 units in the last place; of minus infinity it is 0.
static __device__ __forceinline__ float
power_of_two (float x)
{
  float result;
  asm ("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
//// store two f16
// Up to two elements side by side, at once where @pairs are aligned.
static __device__ __forceinline__ void
store_two (f16 *to, float low, float high, int n, bool pairs)
{
  if (n >= 2 && pairs)
    *reinterpret_cast<unsigned *> (to) = pack_f16 (low, high);
  else
    {
      if (n >= 1)
        store (to, low);
      if (n >= 2)
        store (to + 1, high);
    }
}
//// store two bf16
// Up to two elements side by side, at once where @pairs are aligned.
static __device__ __forceinline__ void
store_two (bf16 *to, float low, float high, int n, bool pairs)
{
  if (n >= 2 && pairs)
    *reinterpret_cast<unsigned *> (to) = pack_bf16 (low, high);
  else
    {
      if (n >= 1)
        store (to, low);
      if (n >= 2)
        store (to + 1, high);
    }
}
//// store eights f16
static __device__ __forceinline__ unsigned
pack_for (const f16 *, float low, float high)
{
  return pack_f16 (low, high);
}
//// store eights bf16
static __device__ __forceinline__ unsigned
pack_for (const bf16 *, float low, float high)
{
  return pack_bf16 (low, high);
}
//// store eights
static __device__ __forceinline__ bool
begins_at_16_bytes (const void *array)
{
  return reinterpret_cast<unsigned long long> (array) % 16 == 0;
}

// What four lanes hold of four words each becomes what one of them has side by side: word i of lane j goes to lane i, as its word j.
static __device__ __forceinline__ void
exchange_words (unsigned (&words)[4], int lane)
{
#pragma unroll
  for (int side = 1; side <= 2; side *= 2)
    {
      const bool upper = lane & side;
      const int apart = side == 1 ? 2 : 1; // from one of the two pairs of words that are exchanged to the other
      unsigned first = upper ? words[0] : words[side], second = upper ? words[apart] : words[side + apart];
      first = __shfl_xor_sync (0xffffffff, first, side);
      second = __shfl_xor_sync (0xffffffff, second, side);
      if (upper)
        words[0] = first, words[apart] = second;
      else
        words[side] = first, words[side + apart] = second;
    }
}

// The 32 elements of a row of which each of four lanes holds four pairs: each stores eight side by side where @whole rows begin at 16 bytes, else its
// pairs. @n: so many are inside the array, if the row is. All lanes of the warp have to come here.
template <typename T>
static __device__ __forceinline__ void
store_eights (T *to, const float (*values)[4], int half, int lane, int n, bool inside, bool pairs, bool whole)
{
  const int place = lane % 4;
  unsigned words[4];
  if (whole)
    {
#pragma unroll
      for (int i = 0; i < 4; ++i)
        words[i] = pack_for (to, values[i][2 * half], values[i][2 * half + 1]);
      exchange_words (words, lane);
      if (inside && 8 * place < n)
        *reinterpret_cast<uint4 *> (to + 8 * place) = make_uint4 (words[0], words[1], words[2], words[3]);
    }
  else if (inside)
    {
#pragma unroll
      for (int i = 0; i < 4; ++i)
        store_two (to + 8 * i + 2 * place, values[i][2 * half], values[i][2 * half + 1], n - (8 * i + 2 * place), pairs);
    }
}
//// store two bytes
// Up to two elements of 8 bits side by side.
template <typename T>
static __device__ __forceinline__ void
store_two (T *to, float low, float high, int n, bool)
{
  if (n >= 1)
    store (to, low);
  if (n >= 2)
    store (to + 1, high);
}
//// store two float
// Up to two elements side by side, at once where @pairs are aligned.
static __device__ __forceinline__ void
store_two (float *to, float low, float high, int n, bool pairs)
{
  if (n >= 2 && pairs)
    *reinterpret_cast<float2 *> (to) = make_float2 (low, high);
  else
    {
      if (n >= 1)
        to[0] = low;
      if (n >= 2)
        to[1] = high;
    }
}
//// descriptors
// A tile as products of a warpgroup take it from shared memory: where it begins, and how its pieces are exchanged. Its rows from @row on, the
// columns that are summed over from @column on …
template <int ROWS, int BYTES = 2>
static __device__ __forceinline__ unsigned long long
describe_along (unsigned tile, int row, int column)
{
  constexpr int PANEL = 128 / BYTES;
  const unsigned at = tile + column / PANEL * (ROWS * 128) + row * 128 + column % PANEL * BYTES;
  return (at & 0x3ffff) >> 4 | 1ull << 16 | 64ull << 32 | 1ull << 62;
}

// … or its columns from @column on, the rows that are summed over from @row on: from one panel to the next are ROWS * 128 bytes.
template <int ROWS>
static __device__ __forceinline__ unsigned long long
describe_down (unsigned tile, int row, int column)
{
  const unsigned at = tile + column / 64 * (ROWS * 128) + row * 128;
  return (at & 0x3ffff) >> 4 | static_cast<unsigned long long> (ROWS * 8) << 16 | 64ull << 32 | 1ull << 62;
}
//// hold
// The compiler moves no use of the registers across this.
template <int N>
static __device__ __forceinline__ void
hold (float (&registers)[N][4])
{
#pragma unroll
  for (int i = 0; i < 4 * N; ++i)
    asm volatile ("" : "+f"(registers[i / 4][i % 4])::"memory");
}

template <int N>
static __device__ __forceinline__ void
hold (unsigned (&registers)[N][4])
{
#pragma unroll
  for (int i = 0; i < 4 * N; ++i)
    asm volatile ("" : "+r"(registers[i / 4][i % 4])::"memory");
}
//// forget
// What these registers held is not asked for any more: a product that puts its sums there is then none of what a step before left, for which
// the compiler would move registers that products are still writing.
template <int N>
static __device__ __forceinline__ void
forget (float (&registers)[N][4])
{
#pragma unroll
  for (int i = 0; i < 4 * N; ++i)
    asm volatile ("" : "=f"(registers[i / 4][i % 4])::"memory");
}
//// products of warpgroups
// What registers were used for before is over when products begin.
static __device__ __forceinline__ void
fence_products ()
{
  asm volatile ("wgmma.fence.sync.aligned;" ::: "memory");
}

// Closes a group of products.
static __device__ __forceinline__ void
commit_products ()
{
  asm volatile ("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Waits until all groups but the last N are done.
template <int N>
static __device__ __forceinline__ void
wait_for_products ()
{
  asm volatile ("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}
//// publish writes
// What this thread wrote to shared memory, products see after the next barrier.
static __device__ __forceinline__ void
publish_writes ()
{
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
}
