/* SPDX-License-Identifier: MIT */
/* A product by CUTLASS for sm_90a: boxes that the copy hardware brings, products of warpgroups, and results that go back in boxes. The types, the tile, the
 * cluster and the schedules are given when it is compiled. */

#include "check.h"

#include "cute/tensor.hpp"
#include "cutlass/cutlass.h"
#include "cutlass/epilogue/collective/collective_builder.hpp"
#include "cutlass/gemm/collective/collective_builder.hpp"
#include "cutlass/gemm/device/gemm_universal_adapter.h"
#include "cutlass/gemm/kernel/gemm_universal.hpp"
#include "cutlass/util/packed_stride.hpp"

#ifndef ELEMENT
#define ELEMENT cutlass::half_t
#endif
#ifndef RIGHT_LAYOUT
#define RIGHT_LAYOUT ColumnMajor
#endif
#ifndef TILE
#define TILE 64, 128, 64
#endif
#ifndef CLUSTER
#define CLUSTER 1, 1, 1
#endif
#ifndef MAINLOOP
#define MAINLOOP KernelTmaWarpSpecialized
#endif
#ifndef EPILOGUE
#define EPILOGUE TmaWarpSpecialized
#endif
/* Fewer than a sum has steps, so that each is filled again. */
#ifndef STAGES
#define STAGES 3
#endif
#ifndef SIZES
#define SIZES 200, 264, 320
#endif

template <int... values>
struct List
{
  using Shape = cute::Shape<cute::Int<values>...>;
};

using Element = ELEMENT;
using Result = cutlass::half_t;
using Left = cutlass::layout::RowMajor;
using Right = cutlass::layout::RIGHT_LAYOUT;
using Tile = List<TILE>::Shape;
using Cluster = List<CLUSTER>::Shape;

constexpr int processors = 4;
constexpr int alignment = 16 / sizeof (Element);

using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Tile, Cluster,
    cutlass::epilogue::collective::EpilogueTileAuto, float, float, void, Left, 8, Result, Left, 8, cutlass::epilogue::EPILOGUE>::CollectiveOp;
using Mainloop = typename cutlass::gemm::collective::CollectiveBuilder<cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Element, Left, alignment, Element, Right,
    alignment, float, Tile, Cluster, cutlass::gemm::collective::StageCount<STAGES>,
    cutlass::gemm::MAINLOOP>::CollectiveOp;
using Kernel = cutlass::gemm::kernel::GemmUniversal<cute::Shape<int, int, int, int>, Mainloop, Epilogue>;
using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;

int
main ()
{
  const int sizes[] = { SIZES }, m = sizes[0], n = sizes[1], k = sizes[2];
  const bool along = std::is_same<Right, cutlass::layout::ColumnMajor>::value;
  const std::vector<Element> a = draw<Element> (size_t (m) * k, 1), b = draw<Element> (size_t (k) * n, 2);
  Result *d = put (std::vector<Result> (size_t (m) * n));
  auto stride_a = cutlass::make_cute_packed_stride (typename Kernel::StrideA{}, { m, k, 1 });
  auto stride_b = cutlass::make_cute_packed_stride (typename Kernel::StrideB{}, { n, k, 1 });
  auto stride_c = cutlass::make_cute_packed_stride (typename Kernel::StrideC{}, { m, n, 1 });
  auto stride_d = cutlass::make_cute_packed_stride (typename Kernel::StrideD{}, { m, n, 1 });
  typename Gemm::Arguments arguments{ cutlass::gemm::GemmUniversalMode::kGemm, { m, n, k, 1 }, { put (a), stride_a, put (b), stride_b },
    { { 1.f, 0.f }, nullptr, stride_c, d, stride_d } };
  arguments.hw_info.sm_count = processors; /* each goes through several tiles where there are more */
  std::vector<char> workspace (Gemm::get_workspace_size (arguments) + 16);
  Gemm gemm;

  if (gemm.can_implement (arguments) != cutlass::Status::kSuccess || gemm.initialize (arguments, put (workspace)) != cutlass::Status::kSuccess
      || gemm.run () != cutlass::Status::kSuccess)
    {
      std::printf ("no launch: %s\n", cudaGetErrorString (cudaGetLastError ()));
      return 1;
    }
  return compare (
      d, m, n, k, [&] (int i, int l) { return float (a[size_t (i) * k + l]); },
      [&] (int l, int j) { return float (along ? b[size_t (j) * k + l] : b[size_t (l) * n + j]); }, 1e-3);
}
