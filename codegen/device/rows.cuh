// SPDX-License-Identifier: MIT-0
// Building blocks of kernels that hold rows in registers. A section begins at "//// name".
//// load f32
static __device__ __forceinline__ float
load (float value)
{
  return value;
}
//// store f32
static __device__ __forceinline__ void
store (float *to, float value)
{
  *to = value;
}
//// piece
// What one access of memory moves, by its bytes: the compiler does not take it apart.
template <int BYTES> struct Piece;
template <> struct Piece<1> { typedef unsigned char type; };
template <> struct Piece<2> { typedef unsigned short type; };
template <> struct Piece<4> { typedef unsigned type; };
template <> struct Piece<8> { typedef uint2 type; };
template <> struct Piece<16> { typedef uint4 type; };

template <int WIDTH, typename T>
union Vector
{
  typename Piece<WIDTH * sizeof (T)>::type piece;
  T elements[WIDTH];
};

// A store that the compiler does not share with one of single elements beside it.
template <typename T>
static __device__ __forceinline__ void
put (T *to, T piece)
{
  *to = piece;
}

static __device__ __forceinline__ void
put (uint2 *to, uint2 piece)
{
  asm volatile ("st.global.v2.u32 [%0], {%1, %2};" : : "l"(to), "r"(piece.x), "r"(piece.y));
}

static __device__ __forceinline__ void
put (uint4 *to, uint4 piece)
{
  asm volatile ("st.global.v4.u32 [%0], {%1, %2, %3, %4};"
                :
                : "l"(to), "r"(piece.x), "r"(piece.y), "r"(piece.z), "r"(piece.w));
}
//// load vector
// WIDTH elements side by side, aligned to all of them: one access of memory.
template <int WIDTH, typename T>
static __device__ __forceinline__ void
load_vector (float (&to)[WIDTH], const T *from)
{
  Vector<WIDTH, T> vector;
  vector.piece = *reinterpret_cast<const typename Piece<WIDTH * sizeof (T)>::type *> (from);
#pragma unroll
  for (int i = 0; i < WIDTH; ++i)
    to[i] = load (vector.elements[i]);
}
//// store pair
// Two elements side by side, aligned to both.
template <typename T>
static __device__ __forceinline__ void
store_pair (T *to, float low, float high)
{
  store (to, low);
  store (to + 1, high);
}
//// store pair f16
static __device__ __forceinline__ void
store_pair (f16 *to, float low, float high)
{
  *reinterpret_cast<unsigned *> (to) = pack_f16 (low, high);
}
//// store pair bf16
static __device__ __forceinline__ void
store_pair (bf16 *to, float low, float high)
{
  *reinterpret_cast<unsigned *> (to) = pack_bf16 (low, high);
}
//// store vector
// WIDTH elements side by side, aligned to all of them: one access of memory.
template <int WIDTH, typename T>
static __device__ __forceinline__ void
store_vector (T *to, const float (&from)[WIDTH])
{
  Vector<WIDTH, T> vector;
#pragma unroll
  for (int i = 0; i + 1 < WIDTH; i += 2)
    store_pair (&vector.elements[i], from[i], from[i + 1]);
  if (WIDTH == 1)
    store (&vector.elements[0], from[0]);
  put (reinterpret_cast<typename Piece<WIDTH * sizeof (T)>::type *> (to), vector.piece);
}
//// load part
// The first n of WIDTH elements, the others 0; one by one where rows are not aligned or the row ends among them.
template <int WIDTH, typename T>
static __device__ __forceinline__ void
load_part (float (&to)[WIDTH], const T *from, int n, bool whole)
{
  if (whole && n >= WIDTH)
    load_vector (to, from);
  else
#pragma unroll
    for (int i = 0; i < WIDTH; ++i)
      to[i] = i < n ? load (from[i]) : 0.0f;
}
//// store part
// The first n of WIDTH elements; one by one where rows are not aligned or the row ends among them.
template <int WIDTH, typename T>
static __device__ __forceinline__ void
store_part (T *to, const float (&from)[WIDTH], int n, bool whole)
{
  if (whole && n >= WIDTH)
    store_vector (to, from);
  else
#pragma unroll
    for (int i = 0; i < WIDTH; ++i)
      if (i < n)
        store (to + i, from[i]);
}
//// load across
// A tile of COLUMNS columns and ROWS rows of an array that is contiguous along rows' axis: by vectors, as it lies, into shared memory.
template <int WIDTH, int ROWS, int COLUMNS, int PITCH, typename T>
static __device__ __forceinline__ void
load_across (T (&to)[COLUMNS][PITCH], const T *from, long long stride, int n_rows, int n_columns, bool whole)
{
  constexpr int PIECES = (ROWS + WIDTH - 1) / WIDTH, WORDS = WIDTH * sizeof (T) / 4;
  for (int at = threadIdx.x; at < COLUMNS * PIECES; at += blockDim.x)
    {
      const int column = at / PIECES, row = at % PIECES * WIDTH;
      if (column >= n_columns || row >= n_rows)
        continue;
      from += column * stride + row;
      if (WORDS > 0 && whole && row + WIDTH <= n_rows)
        {
          union
          {
            Vector<WIDTH, T> vector;
            unsigned words[WORDS > 0 ? WORDS : 1];
          } all;
          all.vector.piece = *reinterpret_cast<const typename Piece<WIDTH * sizeof (T)>::type *> (from);
#pragma unroll
          for (int i = 0; i < WORDS; ++i)
            reinterpret_cast<unsigned *> (&to[column][row])[i] = all.words[i];
        }
      else
#pragma unroll
        for (int i = 0; i < WIDTH; ++i)
          if (row + i < n_rows)
            to[column][row + i] = from[i];
      from -= column * stride + row;
    }
}
//// row sum
struct Sum
{
  static __device__ __forceinline__ float
  join (float a, float b)
  {
    return a + b;
  }
};
//// row prod
struct Product
{
  static __device__ __forceinline__ float
  join (float a, float b)
  {
    return a * b;
  }
};
//// row max
struct Largest
{
  static __device__ __forceinline__ float
  join (float a, float b)
  {
    return largest (a, b);
  }
};
//// row min
struct Smallest
{
  static __device__ __forceinline__ float
  join (float a, float b)
  {
    return smallest (a, b);
  }
};
//// row greatest
// The larger one; a number where one of them is NaN.
struct Greatest
{
  static __device__ __forceinline__ float
  join (float a, float b)
  {
    return fmaxf (a, b);
  }
};
//// row first
struct First
{
  static __device__ __forceinline__ float
  join (float a, float b)
  {
    return fminf (a, b);
  }
};
//// join lanes
// Joins what LANES lanes side by side have: all of them get the same.
template <typename Monoid, int LANES>
static __device__ __forceinline__ float
join_lanes (float value)
{
#pragma unroll
  for (int distance = LANES / 2; distance > 0; distance /= 2)
    value = Monoid::join (value, __shfl_xor_sync (0xffffffff, value, distance));
  return value;
}
//// join block
// Joins what all threads of a block have, over shared memory: all of them get the same.
template <typename Monoid, int WARPS>
static __device__ __forceinline__ float
join_block (float value, float (&parts)[32], float unit)
{
  value = join_lanes<Monoid, 32> (value);
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = value;
  __syncthreads ();
  value = threadIdx.x % 32 < WARPS ? parts[threadIdx.x % 32] : unit;
  return join_lanes<Monoid, 32> (value);
}
//// join columns
// Joins what threads LANES apart have of the same columns, and leaves what each warp has of them in shared memory.
template <typename Monoid, int LANES, int WIDTH, int WARPS, int COLUMNS>
static __device__ __forceinline__ void
join_columns (float (&values)[WIDTH], float (&parts)[WARPS][COLUMNS])
{
#pragma unroll
  for (int i = 0; i < WIDTH; ++i)
    {
#pragma unroll
      for (int distance = 16; distance >= LANES; distance /= 2)
        values[i] = Monoid::join (values[i], __shfl_xor_sync (0xffffffff, values[i], distance));
      if (threadIdx.x % 32 < LANES)
        parts[threadIdx.x / 32][threadIdx.x % 32 * WIDTH + i] = values[i];
    }
}
//// joined column
// What all warps have of a column.
template <typename Monoid, int WARPS, int COLUMNS>
static __device__ __forceinline__ float
joined_column (const float (&parts)[WARPS][COLUMNS], int column)
{
  float value = parts[0][column];
#pragma unroll
  for (int warp = 1; warp < WARPS; ++warp)
    value = Monoid::join (value, parts[warp][column]);
  return value;
}
//// scan lanes
// Running sums within a vector, and of the last of each over the lanes: what the lanes before have, and with *total what all of them have.
template <int LANES, int WIDTH>
static __device__ __forceinline__ float
scan_step (float (&values)[WIDTH], float *total)
{
#pragma unroll
  for (int i = 1; i < WIDTH; ++i)
    values[i] += values[i - 1];
  float sum = values[WIDTH - 1];
  const int lane = threadIdx.x % LANES;
#pragma unroll
  for (int distance = 1; distance < LANES; distance *= 2)
    {
      const float other = __shfl_up_sync (0xffffffff, sum, distance, LANES);
      sum += lane >= distance ? other : 0.0f;
    }
  const float before = __shfl_up_sync (0xffffffff, sum, 1, LANES);
  *total = __shfl_sync (0xffffffff, sum, LANES - 1, LANES);
  return lane > 0 ? before : 0.0f;
}

// Running sums along a row, which LANES lanes have in steps.
template <int LANES, int STEPS, int WIDTH>
static __device__ __forceinline__ void
scan_lanes (float (&values)[STEPS][WIDTH])
{
  float sum = 0.0f;
#pragma unroll
  for (int step = 0; step < STEPS; ++step)
    {
      float total;
      const float before = scan_step<LANES> (values[step], &total) + sum;
#pragma unroll
      for (int i = 0; i < WIDTH; ++i)
        values[step][i] += before;
      sum += total;
    }
}
//// scan block
// The same of a row that all warps have: the sums of each step and warp are added up by the first warp.
template <int LANES, int STEPS, int WIDTH, int SUMS>
static __device__ __forceinline__ void
scan_block (float (&values)[STEPS][WIDTH], float (&sums)[SUMS])
{
  constexpr int WARPS = LANES / 32, EACH = (SUMS + 31) / 32;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float before[STEPS];
#pragma unroll
  for (int step = 0; step < STEPS; ++step)
    {
      float total;
      before[step] = scan_step<32> (values[step], &total);
      if (lane == 0)
        sums[step * WARPS + warp] = total;
    }
  __syncthreads ();
  if (warp == 0)
    {
      float own[EACH], total;
#pragma unroll
      for (int i = 0; i < EACH; ++i)
        own[i] = lane * EACH + i < SUMS ? sums[lane * EACH + i] : 0.0f;
      const float less = scan_step<32> (own, &total);
#pragma unroll
      for (int i = 0; i < EACH; ++i)
        if (lane * EACH + i < SUMS)
          sums[lane * EACH + i] = less + (i > 0 ? own[i > 0 ? i - 1 : 0] : 0.0f);
    }
  __syncthreads ();
#pragma unroll
  for (int step = 0; step < STEPS; ++step)
    {
      const float less = before[step] + sums[step * WARPS + warp];
#pragma unroll
      for (int i = 0; i < WIDTH; ++i)
        values[step][i] += less;
    }
}
