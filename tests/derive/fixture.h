/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "diagram/document/document.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"

/* A diagram read from equations, with sizes, and derived in one call. */
typedef struct
{
  HeddleSnapshot *snapshot;
  HeddleDiagram *diagram;
  HeddleSizes *sizes;
} Fixture;

#define ATTENTION                                                                                            \
  "Q : f16[q=4096, d=128]\nK : f16[x=4096, d]\nV : f16[x, d]\n"                                              \
  "S[q,x] = Q[q,d] K[x,d]\n"                                                                                 \
  "P[q,x] = softmax[x](S[q,x] * d^-0.5)\n"                                                                   \
  "O[q,d] = P[q,x] V[x,d]\n"

/* @sizes: "q=77 x=129", or NULL for the text's. */
void fixture_init (Fixture *self, const char *text, const char *sizes);
void fixture_clear (Fixture *self);
HeddleSizes *fixture_sizes (const Fixture *self, const char *sizes);

/* @labels: "q:group=373 x:stream=64". Options as given; the machine is freed by the caller. */
HeddleDerivation *fixture_derive (
    const Fixture *self, const char *fuse, const char *labels, const HeddleDeriveOptions *options);
/* On the abstract machine of @memory elements. */
HeddleDerivation *fixture_derive_abstract (const Fixture *self, const char *fuse, const char *labels,
    gint64 memory, HeddleColumns columns, gboolean suggest);
HeddleKernel *fixture_kernel (const HeddleDerivation *derivation, guint i);
const char *fixture_axis (const Fixture *self, const char *name);
/* Of the kernel's labels; 0: none. */
gint64 fixture_label (
    const Fixture *self, const HeddleKernel *kernel, const char *axis, HeddleLabelKind kind);

/* Executes the kernel on what @reference (value id -> HeddleArray) has of its inputs: its outputs are the reference's to 1e-12 of the
 * largest element, what crossed and what was held is exactly what the cost says. */
void fixture_check_kernel (const HeddleSizes *sizes, const char *what, const HeddleKernel *kernel,
    GHashTable *reference, HeddleColumns columns);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_clear)
