/* SPDX-License-Identifier: MIT */

#include "app/editor/shared-derivation.h"
#include "app/widgets/heap-trim.h"
#include "derive/derivation/derive.h"

/* Kernels: more are freed by a thread, for it takes longer than a frame. */
#define MANY_KERNELS 200

HeddleSharedDerivation *
heddle_shared_derivation_new (HeddleDerivation *derivation, const HeddleDiagram *diagram,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options)
{
  HeddleSharedDerivation *self = NULL;

  g_return_val_if_fail (derivation != NULL && diagram != NULL && sizes != NULL && options != NULL, NULL);

  self = g_new0 (HeddleSharedDerivation, 1);
  g_atomic_ref_count_init (&self->holders);
  self->derivation = derivation;
  self->totals = heddle_level_totals_new (derivation, diagram, sizes, options->dtype);
  self->forecast = heddle_forecast (derivation, options->machine);
  return self;
}

HeddleSharedDerivation *
heddle_shared_derivation_ref (HeddleSharedDerivation *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->holders);
  return self;
}

void
heddle_shared_derivation_unref (HeddleSharedDerivation *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->holders))
    return;
  heddle_level_totals_free (self->totals);
  g_clear_pointer (&self->kernels, g_hash_table_unref);
  if (self->derivation->kernels->len > MANY_KERNELS)
    heddle_heap_trim_free (self->derivation, (GDestroyNotify) heddle_derivation_free);
  else
    heddle_derivation_free (self->derivation);
  g_free (self);
}

HeddleDerivation *
heddle_shared_derivation_get (const HeddleSharedDerivation *self)
{
  return self != NULL ? self->derivation : NULL;
}
