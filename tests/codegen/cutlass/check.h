/* SPDX-License-Identifier: MIT */
#pragma once

/* Arrays for products of CUTLASS, and what the products are in double precision. */

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

/* Numbers between -1 and 1 that every type of elements holds: quarters. */
template <class Element>
std::vector<Element>
draw (size_t n, unsigned seed)
{
  std::vector<Element> made (n);
  unsigned state = seed;

  for (Element &at : made)
    {
      state = state * 1664525u + 1013904223u;
      at = Element (float (int (state >> 24) % 9 - 4) / 4);
    }
  return made;
}

inline void
must (cudaError_t status, const char *what)
{
  if (status == cudaSuccess)
    return;
  std::printf ("%s: %s\n", what, cudaGetErrorString (status));
  std::exit (1);
}

template <class Element>
Element *
put (const std::vector<Element> &values)
{
  Element *made = nullptr;

  must (cudaMalloc ((void **) &made, values.size () * sizeof (Element)), "cudaMalloc");
  must (cudaMemcpy (made, values.data (), values.size () * sizeof (Element), cudaMemcpyHostToDevice),
      "cudaMemcpy");
  return made;
}

/* Compares the m by n array @found on the device, row by row, with the sum over k of what @left and @right give. Returns the exit status. */
template <class Element, class Left, class Right>
int
compare (const Element *found, int m, int n, int k, Left left, Right right, double tolerance)
{
  std::vector<Element> made (size_t (m) * n);
  double off = 0, all = 0;

  must (cudaDeviceSynchronize (), "the kernel");
  must (cudaMemcpy (made.data (), found, made.size () * sizeof (Element), cudaMemcpyDeviceToHost),
      "cudaMemcpy");
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      {
        double sum = 0, apart;

        for (int l = 0; l < k; l++)
          sum += double (left (i, l)) * double (right (l, j));
        apart = double (made[size_t (i) * n + j]) - sum;
        off += apart * apart;
        all += sum * sum;
      }
  std::printf ("off by %g, %g is allowed\n", std::sqrt (off / all), tolerance);
  return std::sqrt (off / all) <= tolerance ? 0 : 1;
}
