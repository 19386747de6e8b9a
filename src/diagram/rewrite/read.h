/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "diagram/graph/diagram.h"

/* Makes a gather from a contraction a contraction of gathers, so that only what is read is computed.
 * FALSE means
 * that it is none, or that the contraction cannot be read so. */
gboolean heddle_rewrite_read_product (HeddleDiagram *diagram, const char *operation_id);
/* Makes a gather from a map a map of gathers, so that only what is read is computed. FALSE means that it is
 * none, that the map uses indices, or that it cannot be read so. */
gboolean heddle_rewrite_read_map (HeddleDiagram *diagram, const char *operation_id);
/* Does the same as heddle_rewrite_read_product() for the read of a part of a contraction: of some indices of an
 * axis, or of an axis as several ones. */
gboolean heddle_rewrite_part_product (HeddleDiagram *diagram, const char *operation_id);
/* Does the same as heddle_rewrite_read_map() for the read of a part of a map. */
gboolean heddle_rewrite_part_map (HeddleDiagram *diagram, const char *operation_id);
/* Makes the read of a read one read at the indices of both. FALSE means that the operation is none, that one of
 * the two may leave its array, or that the value between has a name or is an output. */
gboolean heddle_rewrite_join_reads (HeddleDiagram *diagram, const char *operation_id);
/* Returns whether the operation reads at sums of indices that never leave the array: h * size (k) + k + 768 of an
 * axis that is as long. */
gboolean heddle_rewrite_stays_inside (const HeddleDiagram *diagram, const HeddleOperation *read);
/* Returns the indices at which a read of a read reads the array that the first one reads, as a new array; NULL if the
 * operation is none, or if one of the two may leave its array. */
GPtrArray *heddle_rewrite_indices_of_both (const HeddleDiagram *diagram, const HeddleOperation *read);
