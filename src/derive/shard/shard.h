/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/machine/machine.h"
#include "diagram/base/dtype.h"
#include "diagram/document/schedule.h"
#include "diagram/graph/diagram.h"
#include "diagram/graph/operation-table.h"

/* Sharding over several GPUs: axes are grouped at the links of a machine, a group for each GPU. A kernel's
 * label says along which axis its arrays lie in pieces, one on each GPU; where one kernel leaves an array
 * otherwise than the next wants it, the GPUs pass it to one another (a collective). What is contracted or
 * reduced over a grouped axis is left in parts that have to be summed, as with the groups of a split
 * kernel. */

#define HEDDLE_MAX_LINKS 3

/* The ways in which an array lies over the GPUs of one link. */
typedef enum
{
  HEDDLE_SPREAD_WHOLE, /* all of it on each */
  HEDDLE_SPREAD_SPLIT, /* a piece of an axis on each */
  HEDDLE_SPREAD_PARTIAL, /* on each a part that has to be combined with the others' */
} HeddleSpread;

typedef struct
{
  HeddleSpread how[HEDDLE_MAX_LINKS]; /* by the number of the link */
  const char *axis[HEDDLE_MAX_LINKS]; /* of SPLIT; else NULL */
  HeddleMonoid monoid; /* of PARTIAL */
  gboolean mean; /* PARTIAL: of a mean, the parts are means, too */
} HeddleShardLayout;

/* The collectives: what GPUs that differ at one link do with an array of B bytes. In a ring (Patarasuk &
 * Yuan, 2009), each of n GPUs sends: */
typedef enum
{
  HEDDLE_COLLECTIVE_ALL_REDUCE, /* 2 (n-1)/n B: parts are combined, all of it on each */
  HEDDLE_COLLECTIVE_REDUCE_SCATTER, /* (n-1)/n B: parts are combined, a piece on each */
  HEDDLE_COLLECTIVE_ALL_GATHER, /* (n-1)/n B: of pieces, all of it on each */
  HEDDLE_COLLECTIVE_SLICE, /* nothing: each keeps its piece of what it has whole */
  HEDDLE_COLLECTIVE_ALL_TO_ALL, /* (n-1)/n^2 B: of pieces of one axis, pieces of another */
} HeddleCollectiveKind;

/* Returns the name of a collective, such as "all-reduce"; the text is static. */
const char *heddle_collective_to_string (HeddleCollectiveKind kind);

/* A segment: kernels that run one after the other on each GPU, with nothing passed between. */
typedef struct
{
  HeddleDiagram *diagram; /* of what one GPU does: with the ids of the whole, sizes as numbers */
  HeddleSizes *sizes;
  HeddleSchedule *schedule; /* the labels below the links */
  const char *axes[HEDDLE_MAX_LINKS]; /* the axis that is grouped at each link; NULL: none */
  GHashTable *needs,
      *gives; /* value id -> HeddleShardLayout: what it reads and does not make, and what it makes */
} HeddleShardSegment;

/* A segment, or a collective before it. */
typedef struct
{
  HeddleShardSegment *segment; /* NULL: a collective */
  HeddleCollectiveKind kind;
  const char *value; /* id */
  HeddleShardLayout from, to;
  guint link;
  const char *
      axis; /* that is gathered, scattered or sliced, or, of an exchange, that pieces are of then; else NULL */
  gint64 bytes; /* of the array that the GPUs of the link have together */
  double sent_bytes; /* by each GPU */
  double seconds; /* sent_bytes / bandwidth, and the latency of each step of the ring */
} HeddleShardStep;

typedef struct _HeddleSharding HeddleSharding;
struct _HeddleSharding
{
  HeddleDiagram *
      diagram; /* the whole; where states are merged, with what merges them, and then it says what GPUs do and not what the whole means */
  HeddleSizes *sizes;
  guint n_links;
  guint ways[HEDDLE_MAX_LINKS]; /* groups at each link; 1: nothing is grouped there */
  guint gpus; /* their product */
  GPtrArray *steps; /* of HeddleShardStep */
  GHashTable *given; /* value id -> HeddleShardLayout: how inputs are given */
  GHashTable *left; /* value id -> HeddleShardLayout: how outputs are left */
  double sent_bytes, seconds; /* of all collectives */
  const char *parts
      [HEDDLE_MAX_LINKS]; /* an axis that numbers the GPUs of the link, where states of theirs are merged; NULL: none */
  GHashTable *
      places; /* axis id -> value id: an input of the numbers of the axis' places, where something counts along it */
  GHashTable
      *apart; /* operation id -> axis id: goes along what its GPU has of the axis as if that were all */
  GHashTable *
      inserted; /* operation id -> const char *[HEDDLE_MAX_LINKS], the axes it is grouped along: merges, which the diagram given does not have */
  GHashTable *refusals; /* region id -> HeddleRefusal; empty: it is legal */
};

/* Returns what each GPU does and what they pass to one another. Labels that are not possible are refusals of
 * the result, which then has no steps. Errors are %HEDDLE_DERIVE_ERROR_LABEL and _REGION. */
HeddleSharding *heddle_sharding_new (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleMachine *machine, HeddleDtype dtype, GError **error);
/* Frees the sharding with its diagram, steps and tables; NULL is allowed. */
void heddle_sharding_free (HeddleSharding *self);

/* The bytes sent over a link, of all collectives. */
typedef struct
{
  guint link;
  double sent_bytes, seconds;
} HeddleLinkTraffic;

/* Runs what one GPU does of a segment on arrays by name, and returns those that the segment gives, by value
 * id. */
typedef GHashTable *(*HeddleShardRun) (
    const HeddleShardSegment *segment, GHashTable *inputs, gpointer data, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleSharding, heddle_sharding_free)
