/* SPDX-License-Identifier: MIT */
#include "files/base/error.h"

GQuark
heddle_files_error_quark (void)
{
  return g_quark_from_static_string ("heddle-files-error-quark");
}
