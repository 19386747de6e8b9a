/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor.h"

G_BEGIN_DECLS

/* What the pane's buttons do: each one undo step, failures said as a message. */
void heddle_derivation_fuse (HeddleEditor *editor); /* the selected operations, or all */
void heddle_derivation_unfuse (HeddleEditor *editor);
void heddle_derivation_apply_remedy (HeddleEditor *editor); /* of the refusal at hand */
void heddle_derivation_suggest (HeddleEditor *editor);
/* Why the schedule at hand is priced as it is: which constraint binds. Newly allocated. */
char *heddle_derivation_explain (HeddleEditor *editor);

G_END_DECLS
