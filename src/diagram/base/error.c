/* SPDX-License-Identifier: MIT */
#include "diagram/base/error.h"

GQuark
heddle_diagram_error_quark (void)
{
  return g_quark_from_static_string ("heddle-diagram-error-quark");
}
