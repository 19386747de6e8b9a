/* SPDX-License-Identifier: MIT */
/* A product by CUTLASS for sm_80: asynchronous copies in several stages, ldmatrix and mma.sync. Types and tiles are given when it is compiled. */

#include "check.h"

#include "cutlass/cutlass.h"
#include "cutlass/gemm/device/gemm.h"

#ifndef ELEMENT
#define ELEMENT cutlass::half_t
#endif
#ifndef SUM
#define SUM float
#endif
#ifndef RIGHT_LAYOUT
#define RIGHT_LAYOUT ColumnMajor
#endif
#ifndef TILE
#define TILE 64, 64, 32
#endif
#ifndef WARP
#define WARP 32, 32, 32
#endif
#ifndef STEP
#define STEP 16, 8, 16
#endif
#ifndef STAGES
#define STAGES 3
#endif
#ifndef SIZES
#define SIZES 104, 72, 160
#endif

using Element = ELEMENT;
using Sum = SUM;
using Left = cutlass::layout::RowMajor;
using Right = cutlass::layout::RIGHT_LAYOUT;
using Gemm = cutlass::gemm::device::Gemm<Element, Left, Element, Right, Sum, Left, Sum, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, cutlass::gemm::GemmShape<TILE>,
    cutlass::gemm::GemmShape<WARP>, cutlass::gemm::GemmShape<STEP>, cutlass::epilogue::thread::LinearCombination<Sum, 16 / sizeof (Sum), Sum, Sum>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, STAGES>;

int
main ()
{
  const int sizes[] = { SIZES }, m = sizes[0], n = sizes[1], k = sizes[2];
  const bool along = std::is_same<Right, cutlass::layout::ColumnMajor>::value;
  const std::vector<Element> a = draw<Element> (size_t (m) * k, 1), b = draw<Element> (size_t (k) * n, 2);
  Sum *d = put (std::vector<Sum> (size_t (m) * n));
  Gemm gemm;
  cutlass::Status status = gemm ({ { m, n, k }, { put (a), k }, { put (b), along ? k : n }, { d, n }, { d, n }, { Sum (1), Sum (0) } });

  if (status != cutlass::Status::kSuccess)
    {
      std::printf ("no launch: %s\n", cudaGetErrorString (cudaGetLastError ()));
      return 1;
    }
  return compare (
      d, m, n, k, [&] (int i, int l) { return float (a[size_t (i) * k + l]); },
      [&] (int l, int j) { return float (along ? b[size_t (j) * k + l] : b[size_t (l) * n + j]); }, sizeof (Sum) == 2 ? 2e-3 : 1e-5);
}
