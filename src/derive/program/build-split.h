/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "derive/program/build-private.h"
#include "derive/stream/split.h"

G_BEGIN_DECLS

/* Of a streamed axis that is grouped, where states are carried along it; NULL: there is nothing to merge. */
HeddleSplit *heddle_builder_new_split (const HeddleBuilder *self);
/* Takes the diagram of @split. */
void heddle_builder_add_combine (HeddleBuilder *self, HeddleSplit *split);

G_END_DECLS
