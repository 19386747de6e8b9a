/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/kernel/kernel.h"
#include "derive/machine/derive-options.h"
#include "derive/program/loop-program-private.h"
#include "derive/region/region.h"

/* A cache of what was found for kernels of one diagram or several: the layers of a model are the same but for
 * the names of their values, and the best tiles and the cost of such kernels are the same, too. Everything
 * that two kernels must agree in is written down as bytes: the machine, the options, and the definitions with
 * axes and values by number, each axis with its size, each value with its type. */

/* Sets the groups, stream and chunk of @tiling and the report to what a search found for a kernel of this
 * key. %FALSE means that nothing is known of it, and nothing is set. */
gboolean heddle_search_cache_lookup_tiling (const HeddleSearchCache *self, GBytes *key,
    const HeddleRegionTerm *region, HeddleTiling *tiling, HeddleSearchReport *report);
/* Remembers what a search found, with axes by their numbers in @region; nothing is kept once the store is
 * full. It copies what it keeps. */
void heddle_search_cache_store_tiling (HeddleSearchCache *self, GBytes *key, const HeddleRegionTerm *region,
    const HeddleTiling *tiling, const HeddleSearchReport *report);

/* Sets @cost to what a kernel of this key costs. %FALSE means that it is not known. */
gboolean heddle_search_cache_lookup_cost (const HeddleSearchCache *self, GBytes *key, double *cost);
/* Remembers what a kernel of this key costs; nothing is kept once the store is full. */
void heddle_search_cache_store_cost (HeddleSearchCache *self, GBytes *key, double cost);

/* Counts a search for the best tiles of a kernel of so many operations, of which nothing was known. */
void heddle_search_cache_count (HeddleSearchCache *self, guint operations);
/* Returns how many operations of kernels were searched so far, each as often as a kernel of it was: what all
 * searches took, in steps that are the same on each machine. */
guint64 heddle_search_cache_get_searched (const HeddleSearchCache *self);

/* Returns what was stored for @key under @topic, which names what a room above searches for; NULL if nothing
 * was. The store keeps it. */
gconstpointer heddle_search_cache_lookup (const HeddleSearchCache *self, const char *topic, GBytes *key);
/* Remembers @value (transfer full), which @free_value frees, for @key under @topic, a static string. Values of
 * one topic are of one type. Once the store is full, the value is freed at once. */
void heddle_search_cache_store (
    HeddleSearchCache *self, const char *topic, GBytes *key, gpointer value, GDestroyNotify free_value);

/* Returns a new store without anything in it. */
HeddleSearchCache *heddle_search_cache_new (void);
/* Adds a reference and returns the store. One thread at a time may use it. */
HeddleSearchCache *heddle_search_cache_ref (HeddleSearchCache *self);
/* Drops a reference; the last one frees the store. */
void heddle_search_cache_unref (HeddleSearchCache *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleSearchCache, heddle_search_cache_unref)
