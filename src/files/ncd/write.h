/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/document/document.h"

G_BEGIN_DECLS

char *heddle_ncd_write (const HeddleSnapshot *snapshot, gsize *length, GError **error);

G_END_DECLS
