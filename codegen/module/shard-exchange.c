/* SPDX-License-Identifier: MIT */
#include "codegen/module/shard-exchange.h"
#include "derive/shard/layout.h"
#include "diagram/analysis/sizes.h"
#include "diagram/graph/diagram.h"

/* Each GPU sends every other its piece of the axis that is to lie in pieces. NCCL sends what lies in one
 * stretch: where the axis is not the first of those longer than 1, the pieces are copied together first; and
 * what arrives is copied to its place along the axis that was in pieces. */

/* Returns the number of elements of the value before the axis, as the layout has it on one GPU. */
static gint64
before (const HeddleSharding *sharding, const char *value, const HeddleShardLayout *layout, const char *axis)
{
  const GArray *axes = heddle_diagram_get_value (sharding->diagram, value)->axes;
  gint64 elements = 1;

  for (guint i = 0; i < axes->len && heddle_ids_index (axes, i) != axis; i++)
    {
      elements *= heddle_sizes_get (sharding->sizes, heddle_ids_index (axes, i));
      for (guint l = 0; l < sharding->n_links; l++)
        if (layout->axis[l] == heddle_ids_index (axes, i))
          elements /= sharding->ways[l];
    }
  return elements;
}

gint64
heddle_shard_exchange_scratch (const HeddleSharding *sharding, const HeddleShardStep *step, gint64 bytes)
{
  gint64 local = heddle_shard_layout_elements (&step->from, sharding, step->value) * bytes;

  return (before (sharding, step->value, &step->from, step->axis) > 1 ? local : 0)
         + (before (sharding, step->value, &step->to, step->from.axis[step->link]) > 1 ? local : 0);
}

/* Copies between an array whose axis is whole and its pieces one after the other. */
static void
print_copies (
    GString *out, gint64 n, gint64 rows, gint64 run, const char *whole, const char *pieces, gboolean apart)
{
  g_string_append_printf (out, "  for (int rank = 0; rank < %" G_GINT64_FORMAT "; ++rank)\n    {\n", n);
  if (apart)
    g_string_append_printf (out,
        "      cuda_status = cudaMemcpy2DAsync (%s + rank * %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
        ",\n          static_cast<const char *> (%s) + rank * %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT,
        pieces, rows * run, run, whole, run, n * run);
  else
    g_string_append_printf (out,
        "      cuda_status = cudaMemcpy2DAsync (static_cast<char *> (%s) + rank * %" G_GINT64_FORMAT
        ", %" G_GINT64_FORMAT ",\n          %s + rank * %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT,
        whole, run, n * run, pieces, rows * run, run);
  g_string_append_printf (out,
      ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
      ", cudaMemcpyDeviceToDevice, stream);\n      if (cuda_status != cudaSuccess)\n        return "
      "cuda_status;\n    }\n",
      run, rows);
}

static void
print_sends (GString *out, gint64 n, gint64 bytes, const char *from, const char *to, const char *comm)
{
  g_string_append (out, "  nccl_result = ncclGroupStart ();\n");
  g_string_append_printf (out,
      "  for (int rank = 0; rank < %" G_GINT64_FORMAT " && nccl_result == ncclSuccess; ++rank)\n    {\n", n);
  g_string_append_printf (out,
      "      nccl_result = ncclSend (static_cast<const char *> (%s) + rank * %" G_GINT64_FORMAT
      ", %" G_GINT64_FORMAT ", ncclInt8, rank, %s, stream);\n",
      from, bytes, bytes, comm);
  g_string_append_printf (out,
      "      if (nccl_result == ncclSuccess)\n        nccl_result = ncclRecv (static_cast<char *> (%s) + "
      "rank "
      "* %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", ncclInt8, rank, %s, stream);\n    }\n",
      to, bytes, bytes, comm);
  g_string_append (out, "  if (nccl_result == ncclSuccess)\n    nccl_result = ncclGroupEnd ();\n"
                        "  if (nccl_result != ncclSuccess)\n    return -1000 - (int) nccl_result;\n");
}

void
heddle_shard_print_exchange (GString *out, const HeddleSharding *sharding, const HeddleShardStep *step,
    gint64 bytes, const char *from, const char *to, const char *comm)
{
  gint64 n = sharding->ways[step->link];
  gint64 local = heddle_shard_layout_elements (&step->from, sharding, step->value) * bytes, piece = local / n;
  gint64 rows = before (sharding, step->value, &step->from, step->axis),
         rows_to = before (sharding, step->value, &step->to, step->from.axis[step->link]);
  g_autofree char *arrived = g_strdup_printf ("(in_pieces + %" G_GINT64_FORMAT ")", rows > 1 ? local : 0);

  if (rows > 1)
    print_copies (out, n, rows, piece / rows, from, "in_pieces", TRUE);
  print_sends (out, n, piece, rows > 1 ? "in_pieces" : from, rows_to > 1 ? arrived : to, comm);
  if (rows_to > 1)
    print_copies (out, n, rows_to, piece / rows_to, to, arrived, FALSE);
}
