/* SPDX-License-Identifier: MIT */
#pragma once

#include "app/editor.h"

G_BEGIN_DECLS

/* A derivation that several hold, in any thread: nobody changes it. What lets go of a large one last does not wait until it is freed. */
typedef struct
{
  gatomicrefcount holders;
  HeddleDerivation *derivation; /* not NULL */
} HeddleSharedDerivation;

/* @derivation: (transfer full) (nullable): NULL gives NULL. */
HeddleSharedDerivation *heddle_shared_derivation_new (HeddleDerivation *derivation);
HeddleSharedDerivation *heddle_shared_derivation_ref (HeddleSharedDerivation *self);
void heddle_shared_derivation_unref (HeddleSharedDerivation *self);
/* NULL of NULL */
HeddleDerivation *heddle_shared_derivation_get (const HeddleSharedDerivation *self);

/* (transfer none) (nullable): heddle_editor_get_shown_derivation(), to be held longer than the editor holds it. */
HeddleSharedDerivation *heddle_editor_share_derivation (HeddleEditor *self);

G_END_DECLS
