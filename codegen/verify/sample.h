/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "codegen/base/codegen.h"
#include "codegen/verify/verify.h"

G_BEGIN_DECLS

/* Which blocks to run where one takes @each instructions and all together may take @most: %NULL: all of them, as a kernel that shares its outputs out
 * in no such way has to. */
GArray *heddle_verify_sample (const HeddleVerifyLaunch *self, guint64 each, guint64 most);
/* Puts what should be there in place of what other blocks would have written; what the sample wrote there goes into @result->detail. */
void heddle_verify_complete (HeddleVerifyLaunch *self, const GArray *sample, HeddleVerification *result);

G_END_DECLS
