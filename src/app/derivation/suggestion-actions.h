/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "app/editor/editor.h"

G_BEGIN_DECLS

void heddle_derivation_suggest (HeddleEditor *editor);

G_END_DECLS
