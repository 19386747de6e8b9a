/* SPDX-License-Identifier: MIT */
#include "codegen/tile/copy.h"

/* The ways to copy. Sources: PTX ISA, "Data Movement and Conversion Instructions" and "Matrix load
 * instruction: ldmatrix". */
static const HeddleCopyAtom table[] = {
  { HEDDLE_COPY_PIECES, "copy_tile", { "copy 16", "copies", "copy tile" }, NULL, "cp.async.cg.shared.global",
      16, 16, 80 },
  { HEDDLE_COPY_ELEMENTS, "copy_elements", { "copy element", "copy elements" }, NULL, "st.shared", 2, 0, 80 },
  { HEDDLE_COPY_ODD_ROWS, "copy_odd_rows",
      { "copy element", "copy elements", "store pieces", "copy halves", "copy odd rows" }, NULL, "st.shared",
      16, 0, 80 },
  { HEDDLE_COPY_DEALT_PIECES, "copy_dealt_tile", { "copy 16", "copies", "copy dealt tile" }, NULL,
      "cp.async.cg.shared.global", 16, 16, 80 },
  { HEDDLE_COPY_DEALT_ELEMENTS, "copy_dealt_elements", { "copy element", "copy dealt elements" }, NULL,
      "st.shared", 2, 0, 80 },
  { HEDDLE_COPY_WINDOW_PIECES, "copy_window", { "copy 16", "copy window" }, NULL, "cp.async.cg.shared.global",
      16, 16, 80 },
  { HEDDLE_COPY_WINDOW_ELEMENTS, "copy_window_elements", { "copy element", "copy window elements" }, NULL,
      "st.shared", 2, 0, 80 },
  { HEDDLE_COPY_WIDEN_PIECES, "widen_tile", { "store pieces", "widen tile" }, NULL, "st.shared.v4.b32", 16,
      16, 80 },
  { HEDDLE_COPY_WIDEN_ELEMENTS, "widen_elements", { "widen elements" }, NULL, "st.shared.u16", 2, 0, 80 },
  { HEDDLE_COPY_BOX, "copy_box", { "copy box" }, NULL, "cp.async.bulk.tensor", 128, 16, 90 },
  { HEDDLE_COPY_BRING_ELEMENTS, "bring_elements", { "copy element", "bring elements" }, NULL, "st.shared.u16",
      2, 0, 90 },
  { HEDDLE_COPY_MATRIX, "load_matrix", { "load matrix" }, NULL, "ldmatrix.sync.aligned.m8n8.x4", 16, 0, 80 },
  { HEDDLE_COPY_MATRIX_EXCHANGED, "load_matrix_transposed", { "load matrix transposed" }, NULL,
      "ldmatrix.sync.aligned.m8n8.x4.trans", 16, 0, 80 },
  { HEDDLE_COPY_LEFT_WORDS, "load_left_words", { "load word", "words", "left words" }, "words",
      "ld.shared.b32", 4, 0, 80 },
  { HEDDLE_COPY_RIGHT_WORDS, "load_words", { "load word", "words", "right words" }, "words", "ld.shared.b32",
      4, 0, 80 },
  { HEDDLE_COPY_ROWS_OF_PAIRS, "load_rows", { "load word", "rows of pairs" }, "rows", "ld.shared.b32", 4, 0,
      80 },
  { HEDDLE_COPY_COLUMNS_OF_PAIRS, "load_pairs", { "columns of pairs" }, "pairs", "ld.shared.v2.b32", 8, 0,
      80 },
  { HEDDLE_COPY_TWO, "store_two", { "store two" }, NULL, "st.global", 4, 0, 80 },
  { HEDDLE_COPY_EIGHTS, "store_eights", { "store eights" }, NULL, "st.global.v4", 16, 0, 80 },
};

const HeddleCopyAtom *
heddle_copy_atom (HeddleCopyKind kind)
{
  g_return_val_if_fail ((guint) kind < G_N_ELEMENTS (table), NULL);

  return &table[kind];
}
