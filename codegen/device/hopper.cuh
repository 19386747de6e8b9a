// SPDX-License-Identifier: MIT-0
// Building blocks of kernels for sm_90a whose tiles the copy hardware brings. Sections as in prelude.cuh.
//// tensor map
// What the hardware knows of an array: where it lies, how long it is along its axes, and the box that one copy brings. The host makes it.
struct alignas (64) TensorMap
{
  unsigned long long opaque[16];
};
//// barriers
// A barrier in shared memory, 8 bytes: a phase of it is over when so many have arrived, and the bytes that were announced have come.
static __device__ __forceinline__ void
begin_barrier (unsigned barrier, int arrivals)
{
  asm volatile ("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

// The copy hardware knows of barriers that were begun before.
static __device__ __forceinline__ void
publish_barriers ()
{
  asm volatile ("fence.mbarrier_init.release.cluster;" ::: "memory");
}

static __device__ __forceinline__ void
arrive (unsigned barrier)
{
  asm volatile ("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

// Arrives, and announces that so many bytes will come.
static __device__ __forceinline__ void
arrive_expecting (unsigned barrier, int bytes)
{
  asm volatile ("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

// Waits until the phase of that parity is over: the first has 0, and the one before it, with 1, always is.
static __device__ __forceinline__ void
wait_for_barrier (unsigned barrier, int parity)
{
  int over;
  do
    asm volatile ("{.reg .pred over;\nmbarrier.try_wait.parity.shared::cta.b64 over, [%1], %2;\nselp.b32 %0, 1, 0, over;}"
                  : "=r"(over)
                  : "r"(barrier), "r"(parity)
                  : "memory");
  while (!over);
}

// Products of the warp have read a slot for the last time: one of its lanes says so.
static __device__ __forceinline__ void
release_slot (unsigned barrier)
{
  __syncwarp ();
  if (threadIdx.x % 32 == 0)
    arrive (barrier);
}
//// release read slot
// The lanes themselves have read a slot for the last time. The copy hardware writes there by another way than threads read (the asynchronous proxy): each
// lane puts its own reads before that, then one says so for all.
static __device__ __forceinline__ void
release_read_slot (unsigned barrier)
{
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
  release_slot (barrier);
}
//// copy box 2
// The hardware copies a box of an array, from those indices on, the last axis first: zeros where there is nothing. Then its bytes have come.
static __device__ __forceinline__ void
copy_box (unsigned to, const TensorMap &map, unsigned barrier, int i_0, int i_1)
{
  asm volatile ("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(to),
                "l"(&map), "r"(barrier), "r"(i_0), "r"(i_1)
                : "memory");
}
//// copy box 3
// The hardware copies a box of an array, from those indices on, the last axis first: zeros where there is nothing. Then its bytes have come.
static __device__ __forceinline__ void
copy_box (unsigned to, const TensorMap &map, unsigned barrier, int i_0, int i_1, int i_2)
{
  asm volatile ("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];" ::"r"(to),
                "l"(&map), "r"(barrier), "r"(i_0), "r"(i_1), "r"(i_2)
                : "memory");
}
//// copy box 4
// The hardware copies a box of an array, from those indices on, the last axis first: zeros where there is nothing. Then its bytes have come.
static __device__ __forceinline__ void
copy_box (unsigned to, const TensorMap &map, unsigned barrier, int i_0, int i_1, int i_2, int i_3)
{
  asm volatile ("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2];" ::"r"(to),
                "l"(&map), "r"(barrier), "r"(i_0), "r"(i_1), "r"(i_2), "r"(i_3)
                : "memory");
}
//// copy box 5
// The hardware copies a box of an array, from those indices on, the last axis first: zeros where there is nothing. Then its bytes have come.
static __device__ __forceinline__ void
copy_box (unsigned to, const TensorMap &map, unsigned barrier, int i_0, int i_1, int i_2, int i_3, int i_4)
{
  asm volatile ("cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6, %7}], [%2];" ::"r"(to),
                "l"(&map), "r"(barrier), "r"(i_0), "r"(i_1), "r"(i_2), "r"(i_3), "r"(i_4)
                : "memory");
}
//// bring elements
// The 128 threads that bring tiles copy one element by element: where rows are not aligned. A call would cost registers of all.
template <int ROWS, int COLUMNS, int THREADS, typename T>
static __device__ __forceinline__ void
bring_elements (unsigned to, const T *from, long long row_stride, long long column_stride, int rows, int columns)
{
#pragma unroll 1
  for (int at = threadIdx.x % THREADS; at < ROWS * COLUMNS; at += THREADS)
    {
      const int row = at / COLUMNS, column = at % COLUMNS;
      constexpr int BYTES = sizeof (T), PANEL = 128 / BYTES, PIECE = 16 / BYTES;
      const unsigned place = to + column / PANEL * (ROWS * 128) + row * 128 + ((column % PANEL / PIECE ^ row % 8) << 4) + column % PIECE * BYTES;
      unsigned short bits = 0;
      if (row < rows && column < columns)
        bits = from[row * row_stride + column * column_stride].bits;
      if (BYTES == 1)
        asm volatile ("st.shared.u8 [%0], %1;" ::"r"(place), "h"(bits) : "memory");
      else
        asm volatile ("st.shared.u16 [%0], %1;" ::"r"(place), "h"(bits) : "memory");
    }
}
//// hand over
// What the 128 threads that bring tiles wrote themselves, products see when they have waited for the barrier.
static __device__ __forceinline__ void
hand_over (unsigned barrier)
{
  publish_writes ();
  asm volatile ("bar.sync 1, 128;" ::: "memory");
  if (threadIdx.x % 128 == 0)
    arrive (barrier);
}
//// meet
// The first N threads of the block wait for one another; the others may be done.
template <int N>
static __device__ __forceinline__ void
meet ()
{
  asm volatile ("bar.sync 2, %0;" ::"n"(N) : "memory");
}
//// share registers
// Those who copy need few registers, those who multiply get them.
template <int N>
static __device__ __forceinline__ void
give_registers ()
{
  asm volatile ("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(N));
}

template <int N>
static __device__ __forceinline__ void
take_registers ()
{
  asm volatile ("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(N));
}
//// make tensor map
// What the copy hardware is told of an array, of 16-bit elements or of bytes, and of the box of it that one copy brings. The driver makes it, by a function
// that is found at run time: nothing is linked with it. Rows that are not aligned to 16 bytes have no map, and kernels do without. It follows from the address and
// the sizes alone, for which it is kept until the same thread calls with others.
template <int N>
struct KeptTensorMap
{
  TensorMap map;
  const void *array;
  long long sizes[N];
};

static bool
find_tensor_map_function (void **function)
{
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;

  if (*function)
    return true;
#if CUDART_VERSION >= 12050
  cudaGetDriverEntryPointByVersion ("cuTensorMapEncodeTiled", function, 12000, cudaEnableDefault, &found);
#else
  cudaGetDriverEntryPoint ("cuTensorMapEncodeTiled", function, cudaEnableDefault, &found);
#endif
  if (found != cudaDriverEntryPointSuccess)
    *function = nullptr;
  return *function;
}

template <int N>
static bool
make_tensor_map (KeptTensorMap<N> *kept, CUtensorMapDataType type, const void *array, const long long (&sizes)[N], const int (&box)[N])
{
  static_assert (sizeof (TensorMap) == sizeof (CUtensorMap), "a tensor map has 128 bytes");
  static thread_local void *driver;
  cuuint64_t n[N], strides[N];
  cuuint32_t sides[N], steps[N];
  bool same = kept->array == array; // none at first

  for (int i = 0; i < N; ++i)
    same = same && kept->sizes[i] == sizes[i];
  if (same)
    return true;
  kept->array = nullptr; // as it stays where the driver makes none
  kept->map = TensorMap ();
  for (int i = 0; i < N; ++i) // the contiguous axis first
    {
      n[i] = sizes[N - 1 - i];
      strides[i] = n[i] * (i > 0 ? strides[i - 1] : type == CU_TENSOR_MAP_DATA_TYPE_UINT8 ? 1 : 2);
      sides[i] = box[N - 1 - i];
      steps[i] = 1;
      kept->sizes[i] = sizes[i];
    }
  if (strides[0] % 16 == 0
      && (!find_tensor_map_function (&driver)
          || reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000> (driver) (reinterpret_cast<CUtensorMap *> (&kept->map), type, N, const_cast<void *> (array), n,
                 strides, sides, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                 CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
                 != CUDA_SUCCESS))
    return false;
  kept->array = array;
  return true;
}
