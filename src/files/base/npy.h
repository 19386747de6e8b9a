/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/base/array.h"

G_BEGIN_DECLS

HeddleArray *heddle_npy_read (const char *path, GError **error);
gboolean heddle_npy_write (
    const char *path, const HeddleArray *array, GError **error); /* f64, C order, format 1.0 */

G_END_DECLS
