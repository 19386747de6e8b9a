/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib.h>
#include <glib/gi18n-lib.h>

#include "figure/scene/meaning.h"

static const char *const sentences[HEDDLE_N_MEANINGS] = {
  [HEDDLE_MEANING_AXIS] = N_ ("A line is an axis of an array"),
  [HEDDLE_MEANING_BUNDLE] = N_ ("A double line is several axes"),
  [HEDDLE_MEANING_SCALAR] = N_ ("A line with an arrowhead is a single number"),
  [HEDDLE_MEANING_WHOLE] = N_ ("The array holds whole numbers or truth values"),
  [HEDDLE_MEANING_SEPARATOR] = N_ ("Two arrays exist side by side"),
  [HEDDLE_MEANING_COPY] = N_ ("The array is read in several places"),
  [HEDDLE_MEANING_NAMED] = N_ ("The line goes on where its name stands again"),
  [HEDDLE_MEANING_UNREAD] = N_ ("Nothing reads the array"),
  [HEDDLE_MEANING_CAST] = N_ ("The values become of another data type"),
  [HEDDLE_MEANING_CONTRACTION] = N_ ("Two arrays are multiplied and summed over the axis"),
  [HEDDLE_MEANING_SCALE] = N_ ("The product is multiplied by this factor"),
  [HEDDLE_MEANING_LINEAR] = N_ ("A linear layer multiplies by its own weights"),
  [HEDDLE_MEANING_MAP] = N_ ("The function is applied to each element"),
  [HEDDLE_MEANING_JOIN] = N_ ("Arrays are combined element by element"),
  [HEDDLE_MEANING_MASK] = N_ ("A mask leaves elements out"),
  [HEDDLE_MEANING_SOFTMAX] = N_ ("Softmax makes the axis positive with the sum 1"),
  [HEDDLE_MEANING_LENGTH] = N_ ("The axis is divided by its length"),
  [HEDDLE_MEANING_RMS] = N_ ("The axis is divided by its root mean square"),
  [HEDDLE_MEANING_VARIANCE] = N_ ("The axis gets the mean 0 and the variance 1"),
  [HEDDLE_MEANING_BATCH] = N_ ("Each channel gets the mean 0 and the variance 1"),
  [HEDDLE_MEANING_REDUCTION] = N_ ("The axis ends in its sum, or as the word says"),
  [HEDDLE_MEANING_SCAN] = N_ ("Results run on along the axis"),
  [HEDDLE_MEANING_TRANSPOSE] = N_ ("Axes change places"),
  [HEDDLE_MEANING_READING] = N_ ("The axis is read where the formula says"),
  [HEDDLE_MEANING_INDEX] = N_ ("The axis is read at one place"),
  [HEDDLE_MEANING_VIEW] = N_ ("Axes are split or merged"),
  [HEDDLE_MEANING_WINDOW] = N_ ("A window slides along the axis"),
  [HEDDLE_MEANING_REPEAT] = N_ ("The array is repeated along a new axis"),
  [HEDDLE_MEANING_CONSTANT] = N_ ("Every element is this constant"),
  [HEDDLE_MEANING_UNIT] = N_ ("The unit matrix is 1 where both axes agree"),
  [HEDDLE_MEANING_CONCAT] = N_ ("Arrays are laid end to end"),
  [HEDDLE_MEANING_SELECT] = N_ ("The largest elements are taken"),
  [HEDDLE_MEANING_GATHER] = N_ ("A table is read at the numbers that come in"),
  [HEDDLE_MEANING_ROTARY] = N_ ("Pairs of elements are rotated by their position"),
  [HEDDLE_MEANING_BOX] = N_ ("The operation of that name is applied"),
  [HEDDLE_MEANING_CALL] = N_ ("A definition of that name stands here"),
  [HEDDLE_MEANING_REPETITION] = N_ ("What is in parentheses is repeated"),
  [HEDDLE_MEANING_LOOP] = N_ ("A loop goes along the axis and carries results on"),
  [HEDDLE_MEANING_KERNEL] = N_ ("A tinted ground is one kernel"),
  [HEDDLE_MEANING_GROUP] = N_ ("g: groups of this size run in parallel"),
  [HEDDLE_MEANING_STREAM] = N_ ("s: pieces of this size follow one another"),
  [HEDDLE_MEANING_INACTIVE] = N_ ("A dashed label is not in effect"),
  [HEDDLE_MEANING_CARRIED] = N_ ("Fused operations carry results from piece to piece"),
  [HEDDLE_MEANING_COSTS] = N_ ("H: values moved; M: values held at once"),
  [HEDDLE_MEANING_GMEM] = N_ ("The array is in global memory"),
  [HEDDLE_MEANING_L2] = N_ ("The array is in the L2 cache"),
  [HEDDLE_MEANING_SMEM] = N_ ("The array is in shared memory"),
  [HEDDLE_MEANING_REGISTERS] = N_ ("The array is in registers"),
  [HEDDLE_MEANING_TENSOR] = N_ ("The array is in the tensor cores"),
};

const char *
heddle_meaning_sentence (HeddleMeaning meaning)
{
  g_return_val_if_fail (meaning < HEDDLE_N_MEANINGS, NULL);

  return sentences[meaning] != NULL ? _ (sentences[meaning]) : NULL;
}

const char *
heddle_meaning_level (HeddleMeaning meaning)
{
  static const char *const levels[HEDDLE_N_MEANINGS] = {
    [HEDDLE_MEANING_GMEM] = "gmem",
    [HEDDLE_MEANING_L2] = "l2",
    [HEDDLE_MEANING_SMEM] = "smem",
    [HEDDLE_MEANING_REGISTERS] = "registers",
    [HEDDLE_MEANING_TENSOR] = "tensor",
  };

  g_return_val_if_fail (meaning < HEDDLE_N_MEANINGS, NULL);

  return levels[meaning];
}
