/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/machine/error.h"
#include "derive/machine/sustained.h"
#include "diagram/base/dtype.h"

/* The greatest number of memories that take labels, one below the other: blocks, warps, threads. */
#define HEDDLE_MAX_LEVELS 4

/* The greatest number of levels above global memory. */
#define HEDDLE_MAX_ABOVE 4

/* One memory of the tree; index 0 is the top (global memory or what is above it). */
typedef struct
{
  char *name; /* "gmem", "l2", "smem", "registers", "tensor" */
  char *title; /* "SMEM" */
  int parent; /* index of the level above, -1 for the top */
  int above; /* index of the level it is above, beside the tree: a host's memory, or other GPUs'; -1: it is in the tree */
  guint count; /* how many of it the machine has */
  gint64 capacity_bytes; /* what one group may use (SMEM: the largest one block may take); 0: not bounded */
  gint64 total_bytes; /* of one instance (SMEM per SM) */
  double bandwidth; /* bytes/s, all instances together; 0: unknown */
  double joules_per_byte; /* 0: unknown */
  gboolean cache; /* prices traffic, is not addressed, takes no label */
  gboolean labels; /* axes may be labelled here */
} HeddleLevel;

/* A link that joins several GPUs, or several of what the link before it joins: a level above global memory
 * whose groups are GPUs. */
typedef struct
{
  char *name; /* "node" */
  char *title; /* "Node (NVLink 4)" */
  guint count; /* how many of the level below it joins */
  double bandwidth; /* bytes/s that a GPU sends to the others, and gets from them at the same time */
  double latency; /* s that a message takes to begin with; 0: not known */
} HeddleLink;

/**
 * HeddleMachine: a GPU, or the abstract two-level machine, read from a key file in data/hardware/ or the user's own.
 */
typedef struct
{
  char *name; /* "h100-sxm" */
  char *title; /* "H100 SXM" */
  char **aliases;
  char *source; /* where the figures are from */
  char *measured; /* when and on what the rates were measured, in words; NULL: they are from the source */
  char *path; /* the file it was asked for by; NULL: it is known by its name */
  char *arch; /* "sm_90a"; NULL: abstract, counted in elements */
  GPtrArray *levels; /* of HeddleLevel */
  guint sms;
  GPtrArray *links; /* of HeddleLink: from the GPU up */
  double clock; /* Hz */
  double tensor_flops[HEDDLE_N_DTYPES]; /* dense FLOP/s by operand dtype; 0: none */
  double fp32_flops, fp64_flops;
  double special_per_clock; /* special-function operations per clock and SM */
  guint max_threads_per_block, max_threads_per_sm, max_blocks_per_sm, warp_size;
  guint register_granularity; /* registers are handed out to a warp in units of this */
  gint64 reserved_shared_bytes; /* per block, by the system */
  HeddleSustained sustained[HEDDLE_N_SUSTAINED]; /* what it reaches in practice, by rate */
  gboolean comparison_only; /* it is priced, but no kernels are made for it */
} HeddleMachine;

/* Returns a new machine that shares nothing with @self. */
HeddleMachine *heddle_machine_copy (const HeddleMachine *self);
/* Frees the machine with its levels and links; NULL is allowed. */
void heddle_machine_free (HeddleMachine *self);
/* Returns whether the machine's capacities are counted in elements and nothing is known of its speed. */
gboolean heddle_machine_is_abstract (const HeddleMachine *self);
/* Returns the number of the level called @name; -1 where there is none. */
int heddle_machine_find_level (const HeddleMachine *self, const char *name);
/* Inserts a level "cluster" above the one that takes labels: the memories of @n of them as one, for what
 * they pass to one another, which need not be read again from the level above. Its bandwidth is not known.
 * Returns %FALSE if there are fewer. */
gboolean heddle_machine_insert_cluster (HeddleMachine *self, guint n);
/* Returns the number of the link called @name; -1 where there is none. */
int heddle_machine_find_link (const HeddleMachine *self, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleMachine, heddle_machine_free)

/* Returns a new level called @name, one of it, with no level above. */
HeddleLevel *heddle_level_new (const char *name);
/* Returns a new link called @name, which joins nothing yet; the machine that it is added to owns it. */
HeddleLink *heddle_link_new (const char *name);
/* Returns a new machine without levels and links. */
HeddleMachine *heddle_machine_new (void);
/* Copies the memories and links above global memory from another machine. */
void heddle_machine_take_above (HeddleMachine *self, const HeddleMachine *from);
