/* SPDX-License-Identifier: MIT */
#include <gio/gio.h>

#include "derive/machine/error.h"

GQuark
heddle_derive_error_quark (void)
{
  return g_quark_from_static_string ("heddle-derive-error-quark");
}
