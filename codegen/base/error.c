/* SPDX-License-Identifier: MIT */
#include "codegen/base/error.h"

GQuark
heddle_codegen_error_quark (void)
{
  return g_quark_from_static_string ("heddle-codegen-error-quark");
}
