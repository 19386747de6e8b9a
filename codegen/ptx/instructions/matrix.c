/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>
#include "codegen/ptx/instructions/access.h"
#include "codegen/ptx/machine.h"
#include "codegen/ptx/instructions/matrix.h"
#include "codegen/ptx/ptx.h"
#include "codegen/ptx/traffic.h"
#include "codegen/ptx/warp.h"

/* Matrices of 8 rows of 16 bytes between shared memory and the lanes of a warp, as the section "Warp-level
 * Matrix Instructions" of the PTX ISA lays them out. */

#define N_ROWS 8
#define ROW_BYTES 16

PtxStatus
ptx_matrix_gather (PtxWarp *warp, const PtxInstruction *in)
{
  if (!ptx_warp_gather (warp, G_MAXUINT32))
    return PTX_JUMPED;
  if (warp->mask == G_MAXUINT32)
    return PTX_NEXT;
  return ptx_fail (warp, in, (guint) __builtin_ctz (warp->mask), HEDDLE_PTX_ERROR_TRAP,
      _ ("not all lanes of the warp execute it"));
}

gboolean
ptx_matrix_check_count (PtxWarp *warp, const PtxInstruction *in, guint operand, guint count)
{
  if (in->operands[operand].count == count)
    return TRUE;
  ptx_fail (warp, in, 0, HEDDLE_PTX_ERROR_SYNTAX, _ ("a vector of %u where %u are expected"),
      in->operands[operand].count, count);
  return FALSE;
}

/* --- rows in shared memory --- */

/* Finds the rows of matrix @matrix: lane 8 * matrix + r has the address of row r. */
static gboolean
find_rows (PtxWarp *warp, const PtxInstruction *in, guint operand, guint matrix, PtxAccess access,
    guint8 *rows[N_ROWS])
{
  PtxTraffic traffic = { .size = ROW_BYTES, .write = access == PTX_WRITE };
  for (guint r = 0; r < N_ROWS; r++)
    {
      guint lane = matrix * N_ROWS + r;
      guint64 address = ptx_source (warp, in, operand)[lane] + (guint64) in->operands[operand].offset;
      rows[r] = ptx_resolve (warp, in, in->modifier[PTX_SPACE], lane, address, ROW_BYTES, access);
      if (rows[r] == NULL)
        return FALSE;
      traffic.shared[traffic.n_shared++] = address;
    }
  ptx_traffic_count (&traffic, &warp->run->stats);
  return TRUE;
}

/* Returns the fragment of a lane: elements 2 (l % 4) and the next of row l / 4; transposed, those of column l
 * / 4. */
static guint64
fragment_of (guint8 *const rows[N_ROWS], guint lane, gboolean transposed)
{
  guint major = lane / 4, minor = lane % 4 * 2;
  if (!transposed)
    return ptx_load_bytes (rows[major] + 2 * minor, 4);
  return ptx_load_bytes (rows[minor] + 2 * major, 2) | ptx_load_bytes (rows[minor + 1] + 2 * major, 2) << 16;
}

static PtxStatus
load_matrices (PtxWarp *warp, const PtxInstruction *in, guint count, gboolean transposed)
{
  guint64 fragments[4][PTX_LANES];
  const PtxStatus status = ptx_matrix_gather (warp, in);

  if (status != PTX_NEXT)
    return status;
  if (!ptx_matrix_check_count (warp, in, 0, count))
    return PTX_FAILED;
  for (guint m = 0; m < count; m++)
    {
      guint8 *rows[N_ROWS];
      if (!find_rows (warp, in, 1, m, PTX_READ, rows))
        return PTX_FAILED;
      for (guint l = 0; l < PTX_LANES; l++)
        fragments[m][l] = fragment_of (rows, l, transposed);
    }
  for (guint m = 0; m < count; m++)
    for (guint l = 0; l < PTX_LANES; l++)
      ptx_register (warp, in->operands[0].elements[m])[l] = fragments[m][l];
  return PTX_NEXT;
}

#define LOAD(name, count, transposed)                                                                        \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    return load_matrices (warp, in, count, transposed);                                                      \
  }

LOAD (load_1, 1, FALSE)
LOAD (load_2, 2, FALSE)
LOAD (load_4, 4, FALSE)
LOAD (load_1_transposed, 1, TRUE)
LOAD (load_2_transposed, 2, TRUE)
LOAD (load_4_transposed, 4, TRUE)

/* Stores matrices: lane l has elements 2 (l % 4) and the next of row l / 4; transposed, those of column l /
 * 4. */
static PtxStatus
store_matrices (PtxWarp *warp, const PtxInstruction *in, guint count, gboolean transposed)
{
  const PtxStatus status = ptx_matrix_gather (warp, in);

  if (status != PTX_NEXT)
    return status;
  if (!ptx_matrix_check_count (warp, in, 1, count))
    return PTX_FAILED;
  for (guint m = 0; m < count; m++)
    {
      const guint64 *values = ptx_values (warp, in->operands[1].elements[m]);
      guint8 *rows[N_ROWS];

      if (!find_rows (warp, in, 0, m, PTX_WRITE, rows))
        return PTX_FAILED;
      for (guint l = 0; l < PTX_LANES; l++)
        for (guint e = 0; e < 2; e++)
          {
            const guint major = l / 4, minor = l % 4 * 2 + e;

            ptx_store_bytes (
                transposed ? rows[minor] + 2 * major : rows[major] + 2 * minor, 2, values[l] >> 16 * e);
          }
    }
  return PTX_NEXT;
}

#define STORE(name, count, transposed)                                                                       \
  static PtxStatus name (PtxWarp *warp, const PtxInstruction *in)                                            \
  {                                                                                                          \
    return store_matrices (warp, in, count, transposed);                                                     \
  }

STORE (store_1, 1, FALSE)
STORE (store_2, 2, FALSE)
STORE (store_4, 4, FALSE)
STORE (store_1_transposed, 1, TRUE)
STORE (store_2_transposed, 2, TRUE)
STORE (store_4_transposed, 4, TRUE)

static PtxStatus
transpose (PtxWarp *warp, const PtxInstruction *in)
{
  guint16 matrix[N_ROWS][N_ROWS];
  const guint64 *a = ptx_source (warp, in, 1);
  guint64 *d = ptx_result (warp, in);
  const PtxStatus status = ptx_matrix_gather (warp, in);

  if (status != PTX_NEXT)
    return status;
  for (guint l = 0; l < PTX_LANES; l++)
    for (guint e = 0; e < 2; e++)
      matrix[l / 4][l % 4 * 2 + e] = (guint16) (a[l] >> 16 * e);
  for (guint l = 0; l < PTX_LANES; l++)
    d[l] = (guint64) matrix[l % 4 * 2][l / 4] | (guint64) matrix[l % 4 * 2 + 1][l / 4] << 16;
  return PTX_NEXT;
}

/* The shape may stand before or behind the count. */
#define BOTH_WAYS(name, count, tail, operands, handler)                                                      \
  { name ".sync.aligned.m8n8." count tail, PTX_M (SPACE), 0, PTX_T (B16), 0, operands, handler,              \
    PTX_UNDEFINED_FAILS },                                                                                   \
  {                                                                                                          \
    name ".sync.aligned." count tail ".m8n8", PTX_M (SPACE), 0, PTX_T (B16), 0, operands, handler,           \
        PTX_UNDEFINED_FAILS                                                                                  \
  }
#define LDMATRIX(count, tail, handler) BOTH_WAYS ("ldmatrix", count, tail, "Rm", handler)
#define STMATRIX(count, tail, handler) BOTH_WAYS ("stmatrix", count, tail, "mS", handler)

const PtxRow ptx_rows_matrix[] = {
  LDMATRIX ("x1", "", load_1),
  LDMATRIX ("x2", "", load_2),
  LDMATRIX ("x4", "", load_4),
  LDMATRIX ("x1", ".trans", load_1_transposed),
  LDMATRIX ("x2", ".trans", load_2_transposed),
  LDMATRIX ("x4", ".trans", load_4_transposed),
  STMATRIX ("x1", "", store_1),
  STMATRIX ("x2", "", store_2),
  STMATRIX ("x4", "", store_4),
  STMATRIX ("x1", ".trans", store_1_transposed),
  STMATRIX ("x2", ".trans", store_2_transposed),
  STMATRIX ("x4", ".trans", store_4_transposed),
  { "movmatrix.sync.aligned.m8n8.trans", 0, 0, PTX_T (B16), 0, "Uu", transpose, PTX_UNDEFINED_FAILS },
  { NULL },
};
