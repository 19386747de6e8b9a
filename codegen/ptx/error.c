/* SPDX-License-Identifier: MIT */
#include "codegen/ptx/error.h"

GQuark
heddle_ptx_error_quark (void)
{
  return g_quark_from_static_string ("heddle-ptx-error-quark");
}
