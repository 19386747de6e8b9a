/* SPDX-License-Identifier: MIT */
#pragma once

#include "derive/derivation/derive.h"

G_BEGIN_DECLS

/* Above one GPU: axes grouped at the links of a machine, a group for each GPU. A kernel's label says along which axis its arrays lie in pieces, one on
 * each GPU; where one kernel leaves an array otherwise than the next wants it, the GPUs pass it to one another (a collective). What is contracted or
 * reduced over a grouped axis is left in parts that have to be summed, as with the groups of a split kernel. */

#define HEDDLE_MAX_LINKS 3

/* How an array lies over the GPUs of one link. */
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

/* What GPUs that differ at one link do with an array. Each of n GPUs sends, in a ring (Patarasuk & Yuan, 2009), of an array of B bytes: */
typedef enum
{
  HEDDLE_COLLECTIVE_ALL_REDUCE, /* 2 (n-1)/n B: parts are combined, all of it on each */
  HEDDLE_COLLECTIVE_REDUCE_SCATTER, /* (n-1)/n B: parts are combined, a piece on each */
  HEDDLE_COLLECTIVE_ALL_GATHER, /* (n-1)/n B: of pieces, all of it on each */
  HEDDLE_COLLECTIVE_SLICE, /* nothing: each keeps its piece of what it has whole */
  HEDDLE_COLLECTIVE_ALL_TO_ALL, /* (n-1)/n^2 B: of pieces of one axis, pieces of another */
} HeddleCollectiveKind;

const char *heddle_collective_to_string (HeddleCollectiveKind kind); /* "all-reduce" … */

/* Kernels that run one after the other on each GPU, with nothing passed between. */
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

/* Whether some label of the schedule is at a link of the machine. */
gboolean heddle_schedule_is_sharded (const HeddleSchedule *schedule, const HeddleMachine *machine);
/* A copy without those labels. */
HeddleSchedule *heddle_schedule_unsharded (const HeddleSchedule *schedule, const HeddleMachine *machine);
/* What each GPU does and what they pass to one another. Labels that cannot be are refusals of the result, which then has no steps. Errors:
 * %HEDDLE_DERIVE_ERROR_LABEL, _REGION. */
HeddleSharding *heddle_sharding_new (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleMachine *machine, HeddleDtype dtype, GError **error);
/* Likewise at small sizes, with as many pieces, of @piece elements at most; other axes have @rest at most. --- shard-small.c */
HeddleSharding *heddle_sharding_new_small (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleMachine *machine, HeddleDtype dtype, gint64 piece, gint64 rest,
    GError **error);
/* %HEDDLE_DERIVE_ERROR_ILLEGAL with the reason and the remedy where a label is refused. --- shard-small.c */
gboolean heddle_sharding_check (const HeddleSharding *self, GError **error);
void heddle_sharding_free (HeddleSharding *self);
/* Its pieces: the product of the groups at the links it is split at; and its shape on one GPU. */
gint64 heddle_shard_layout_elements (
    const HeddleShardLayout *self, const HeddleSharding *sharding, const char *value);
/* Whether the value is the numbers of an axis' places, which nobody but GPUs is given. */
gboolean heddle_sharding_is_places (const HeddleSharding *self, const char *value);
gboolean heddle_shard_layout_equal (const HeddleShardLayout *a, const HeddleShardLayout *b);

/* --- shard-derive.c --- heddle_derive () of what each GPU does, with the collectives' time in the totals. */
HeddleDerivation *heddle_sharding_derive (
    HeddleSharding *self, const HeddleDeriveOptions *options, GCancellable *cancellable, GError **error);

/* What the kernels of a derivation are of: over several GPUs, @diagram with what merges parts of theirs. */
const HeddleDiagram *heddle_derivation_diagram (const HeddleDerivation *self, const HeddleDiagram *diagram);
/* The sizes that the kernel's program is of: over several GPUs those of what each does, else @whole. */
const HeddleSizes *heddle_derivation_sizes (
    const HeddleDerivation *self, const HeddleKernel *kernel, const HeddleSizes *whole);
/* Whether the kernel merges parts of several GPUs: its operations are in no document. */
gboolean heddle_derivation_is_inserted (const HeddleDerivation *self, const HeddleKernel *kernel);

/* What is sent over a link, of all collectives. */
typedef struct
{
  guint link;
  double sent_bytes, seconds;
} HeddleLinkTraffic;

/* Of HeddleLinkTraffic, one for each link that axes are grouped at; empty where @self is NULL. */
GArray *heddle_sharding_traffic (const HeddleSharding *self);
/* Adds to the roofs of a roofline a slope for each link that something is sent over, in bytes that a kernel moves: at it, the time of the collectives is that
 * of all. It is called as the link. */
void heddle_roofline_add_links (
    GPtrArray *roofs, const HeddleDerivation *derivation, const HeddleMachine *machine);

/* --- shard-execute.c --- Runs every GPU's part in turn, evaluated, with what they pass to one another done on arrays; @inputs as of heddle_evaluate (),
 * whole. Value id -> HeddleArray, the outputs, whole again. */
GHashTable *heddle_sharding_execute (
    const HeddleSharding *self, GHashTable *inputs, GCancellable *cancellable, GError **error);
/* What one GPU does of a segment: of arrays by name, those that the segment gives, by value id. */
typedef GHashTable *(*HeddleShardRun) (
    const HeddleShardSegment *segment, GHashTable *inputs, gpointer data, GError **error);
/* Likewise, with each GPU's part done by @run; what is combined is rounded to the arrays' own data type. */
GHashTable *heddle_sharding_execute_by (const HeddleSharding *self, GHashTable *inputs, HeddleShardRun run,
    gpointer data, GCancellable *cancellable, GError **error);

/* --- shard-suggest.c --- The best cut into kernels of what each GPU does between collectives, with the labels above GMEM of @schedule, which has the
 * finest cut; as heddle_schedule_suggest (). */
HeddleSchedule *heddle_sharding_suggest (const HeddleDiagram *diagram, const HeddleSchedule *schedule,
    const HeddleSizes *sizes, const HeddleDeriveOptions *options, GCancellable *cancellable,
    HeddleFusion *report, GError **error);
/* Takes the labels above GMEM that operations have in another schedule. */
void heddle_schedule_take_links (
    HeddleSchedule *self, const HeddleSchedule *from, const HeddleMachine *machine);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleSharding, heddle_sharding_free)

G_END_DECLS
