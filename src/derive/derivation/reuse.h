/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "derive/region/cover-private.h"
#include "diagram/document/schedule.h"

G_BEGIN_DECLS

/* Kernels of an earlier derivation that are those of another schedule, too. */
typedef struct _HeddleReuse HeddleReuse;

/* @earlier was derived with @then (may be NULL); @now: with the same diagram, sizes and options. NULL: nothing of it can be had, or is known to
 * be the same. */
HeddleReuse *heddle_reuse_new (
    const HeddleDerivation *earlier, const HeddleSchedule *then, const HeddleSchedule *now);
/* Frees the tables; the kernels stay with the derivations that hold them. */
void heddle_reuse_free (HeddleReuse *self);
/* Returns a new reference to the kernel that would be made of @part; NULL where it has to be made. */
HeddleKernel *heddle_reuse_find (const HeddleReuse *self, const HeddlePart *part);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleReuse, heddle_reuse_free)

G_END_DECLS
