/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "derive/region/cover-private.h"
#include "diagram/document/schedule.h"

/* The kernels of an earlier derivation that are also those of another schedule. */
typedef struct _HeddleReuse HeddleReuse;

/* Returns what can be reused of @earlier, which was derived with @then (may be NULL), for @now, with the same
 * diagram, sizes and options. Returns NULL if nothing can be reused. */
HeddleReuse *heddle_reuse_new (
    const HeddleDerivation *earlier, const HeddleSchedule *then, const HeddleSchedule *now);
/* Frees the tables; the kernels stay with the derivations that hold them. */
void heddle_reuse_free (HeddleReuse *self);
/* Returns a new reference to the kernel that would be made of @part; NULL where it has to be made. */
HeddleKernel *heddle_reuse_find (const HeddleReuse *self, const HeddlePart *part);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleReuse, heddle_reuse_free)
