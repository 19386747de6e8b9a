/* SPDX-License-Identifier: MIT */
#include "codegen/ptx/random.h"

/* Returns the next number of splitmix64 (Steele, Lea and Flood, 2014). */
guint64
ptx_random (PtxRun *run)
{
  guint64 z = run->random += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ z >> 31;
}
