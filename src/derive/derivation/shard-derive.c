/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/derivation/derive.h"
#include "derive/derivation/shard-derive.h"
#include "derive/kernel/derived-kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/machine/machine.h"
#include "derive/shard/shard.h"
#include "diagram/graph/diagram.h"

/* What one of several GPUs does, priced as any derivation of its pieces, and what passes between them added in series: a collective waits for the
 * kernel before it, and the kernel after it for the collective. */

static void
add_totals (HeddleDerivation *self, const HeddleDerivation *part)
{
  if (part->held_bytes > self->held_bytes)
    {
      self->held_bytes = part->held_bytes;
      self->held_at = self->kernels->len + part->held_at;
    }
  self->transfer_elements += MIN (part->transfer_elements, G_MAXINT64 - self->transfer_elements);
  self->transfer_bytes += MIN (part->transfer_bytes, G_MAXINT64 - self->transfer_bytes);
  self->flops += part->flops;
  self->overlapped_s += part->overlapped_s;
  self->expected_s += part->expected_s;
  self->candidates += part->candidates;
  self->milliseconds += part->milliseconds;
  self->exact = self->exact && part->exact;
  self->illegal = self->illegal || part->illegal;
  if (part->unproved != NULL)
    self->unproved = part->unproved;
}

/* Kernels pass from @part to @self. */
static void
take_kernels (HeddleDerivation *self, HeddleDerivation *part)
{
  while (part->kernels->len > 0)
    g_ptr_array_add (self->kernels, g_ptr_array_steal_index (part->kernels, 0));
  g_array_append_vals (self->held, part->held->data, part->held->len);
}

static gboolean
derive_segment (HeddleDerivation **self, const HeddleShardSegment *segment,
    const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error)
{
  HeddleDeriveOptions own = *options;
  HeddleDerivation *part;

  own.search_cache = NULL; /* that is of one diagram */
  part = heddle_derive (segment->diagram, segment->schedule, segment->sizes, &own, cancellable, error);
  if (part == NULL)
    return FALSE;
  if (*self == NULL)
    {
      *self = part;
      return TRUE;
    }
  add_totals (*self, part);
  take_kernels (*self, part);
  heddle_derivation_free (part);
  return TRUE;
}

HeddleDerivation *
heddle_sharding_derive (
    HeddleSharding *self, const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error)
{
  g_autoptr (HeddleDerivation) derivation = NULL;

  for (guint i = 0; i < self->steps->len; i++)
    {
      const HeddleShardStep *step = g_ptr_array_index (self->steps, i);

      if (step->segment != NULL && !derive_segment (&derivation, step->segment, options, cancellable, error))
        return NULL;
    }
  if (derivation == NULL)
    return NULL;
  derivation->overlapped_s += self->seconds;
  derivation->expected_s += self->seconds;
  derivation->sharding = self;
  return g_steal_pointer (&derivation);
}

const HeddleDiagram *
heddle_derivation_diagram (const HeddleDerivation *self, const HeddleDiagram *diagram)
{
  return self->sharding != NULL ? self->sharding->diagram : diagram;
}

const HeddleSizes *
heddle_derivation_sizes (const HeddleDerivation *self, const HeddleKernel *kernel, const HeddleSizes *whole)
{
  for (guint i = 0; self->sharding != NULL && i < self->sharding->steps->len; i++)
    {
      const HeddleShardSegment *segment
          = ((const HeddleShardStep *) g_ptr_array_index (self->sharding->steps, i))->segment;

      if (segment != NULL
          && heddle_diagram_get_operation (segment->diagram, heddle_ids_index (kernel->operations, 0))
                 != NULL)
        return segment->sizes;
    }
  return whole;
}

gboolean
heddle_derivation_is_inserted (const HeddleDerivation *self, const HeddleKernel *kernel)
{
  return self->sharding != NULL
         && g_hash_table_contains (self->sharding->inserted, heddle_ids_index (kernel->operations, 0));
}

/* --- what links carry ---------------------------------------------------------------------- */

GArray *
heddle_sharding_traffic (const HeddleSharding *self)
{
  GArray *traffic = g_array_new (FALSE, TRUE, sizeof (HeddleLinkTraffic));

  for (guint l = 0; self != NULL && l < self->n_links; l++)
    {
      HeddleLinkTraffic sum = { l, 0., 0. };

      for (guint i = 0; i < self->steps->len; i++)
        {
          const HeddleShardStep *step = g_ptr_array_index (self->steps, i);

          if (step->segment != NULL || step->link != l)
            continue;
          sum.sent_bytes += step->sent_bytes;
          sum.seconds += step->seconds;
        }
      if (self->ways[l] > 1)
        g_array_append_val (traffic, sum);
    }
  return traffic;
}
