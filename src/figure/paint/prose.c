/* SPDX-License-Identifier: MIT */
#include "figure/paint/prose.h"
#include "figure/scene/path.h"
#include "figure/scene/scene.h"
#include "figure/scene/theme.h"
#include "figure/typeset/label.h"
#include "figure/typeset/prose-private.h"
#include "figure/typeset/listing.h"

#include <string.h>

/* Prose has lines: where they end, how high they are, and their pieces one after the other. */

#define SPACE 0.28
#define FILL_PAD 3.
#define LINE_GAP 0.2 /* of a line's letters: between lines that are higher than usual */

/* Mathematics looks as large as prose if it is a little larger. */
static double
size_of (const HeddleProse *prose, const HeddleProsePiece *piece)
{
  return piece->font == HEDDLE_FONT_MATH ? prose->size * 1.07 : prose->size;
}

static HeddleColor
color_of (const HeddlePainter *self, const HeddleProse *prose, const HeddleProsePiece *piece)
{
  const HeddleColor plain = piece->fill != NULL    ? heddle_theme_on_fill (self->theme, piece->fill)
                            : prose->color != NULL ? *prose->color
                                                   : self->ink;

  return piece->ink != HEDDLE_CODE_PLAIN ? heddle_theme_code (self->theme, piece->ink) : plain;
}

/* Words of a listing stand where they would in a terminal. */
static double
pad_of (const HeddleProsePiece *piece)
{
  return piece->font == HEDDLE_FONT_MONO ? 0. : FILL_PAD;
}

static void
set_piece (HeddlePainter *self, const HeddleProse *prose, const HeddleProsePiece *piece, double x, double y)
{
  const HeddleColor color = color_of (self, prose, piece);

  if (piece->fill != NULL)
    {
      const HeddleColor fill = heddle_theme_fill (self->theme, piece->fill);
      const HeddleStroke outline = { .color = self->ink, .width = 0.7 * heddle_theme_outline (self->theme) };
      HeddleItem *item
          = heddle_paint_path (self, prose->part, prose->object, outline.width > 0. ? &outline : NULL, &fill);
      const double top = MAX (prose->size, piece->ascent + 2.),
                   foot = MAX ((HEDDLE_PROSE_LEADING - 1.) * prose->size, piece->descent + 2.);
      heddle_item_rectangle (
          item, x - pad_of (piece), y - top, piece->width + 2. * pad_of (piece), top + foot, 0.);
    }
  if (piece->source[strspn (piece->source, " ")]
      == '\0') /* a space of a listing: there is nothing to see of it */
    return;
  heddle_math_layout_filled (self->scene, self->theme, prose->part, prose->object, piece->source, piece->font,
      size_of (prose, piece), color, x, y);
}

/* Returns the gap before piece @i of its line. What is on one ground has none of the ground's edges within.
 * */
static double
gap_before (const GArray *pieces, guint i, const HeddleProse *prose)
{
  const HeddleProsePiece *piece = &g_array_index (pieces, HeddleProsePiece, i), *before = piece - 1;
  const gboolean same = g_strcmp0 (piece->fill, before->fill) == 0;

  const double edges
      = same ? 0.
             : (piece->fill != NULL ? pad_of (piece) : 0.) + (before->fill != NULL ? pad_of (before) : 0.);

  return (piece->space ? SPACE * prose->size : 0.) + edges;
}

/* Where the line that begins with piece @from ends, and how wide it is. A word goes to the next line with all that hangs on it. */
static guint
find_line (const GArray *pieces, guint from, const HeddleProse *prose, double *width)
{
  double x = 0., at_break = 0.;
  guint last_break = from;

  for (guint i = from; i < pieces->len; i++)
    {
      const HeddleProsePiece *piece = &g_array_index (pieces, HeddleProsePiece, i);
      if (i > from && piece->breaks)
        {
          *width = x;
          return i;
        }
      if (i > from && piece->space)
        {
          last_break = i;
          at_break = x;
        }
      x += (i > from ? gap_before (pieces, i, prose) : 0.) + piece->width;
      if (prose->width > 0. && x > prose->width && last_break > from)
        {
          *width = at_break;
          return last_break;
        }
    }
  *width = x;
  return pieces->len;
}

/* Widths, and how far each reaches up and down. */
static void
measure_pieces (const HeddlePainter *self, const HeddleProse *prose, GArray *pieces)
{
  for (guint i = 0; i < pieces->len; i++)
    {
      HeddleProsePiece *piece = &g_array_index (pieces, HeddleProsePiece, i);
      piece->width = heddle_math_layout (NULL, prose->part, prose->object, piece->source, piece->font,
          size_of (prose, piece), self->ink, 0., 0., &piece->ascent, &piece->descent);
    }
}

/* Returns the step from the baseline before (or the top of all) to that of a line: more than usual where
 * fractions and the like are in the way. */
static double
find_step (const GArray *pieces, const HeddleProse *prose, guint before, guint from, guint end)
{
  const double usual = from > 0 ? prose->size * HEDDLE_PROSE_LEADING : prose->size;
  double ascent = 0., descent = 0.;

  for (guint i = before; i < end; i++)
    {
      const HeddleProsePiece *piece = &g_array_index (pieces, HeddleProsePiece, i);
      if (i < from)
        descent = MAX (descent, piece->descent);
      else
        ascent = MAX (ascent, piece->ascent);
    }
  return MAX (usual, ascent + descent + (from > 0 ? LINE_GAP * prose->size : 0.));
}

static double
deepest (const GArray *pieces, guint from)
{
  double descent = 0.;

  for (guint i = from; i < pieces->len; i++)
    descent = MAX (descent, g_array_index (pieces, HeddleProsePiece, i).descent);
  return descent;
}

static void
set_line (HeddlePainter *self, const HeddleProse *prose, const GArray *pieces, guint from, guint end,
    double x, double y)
{
  for (guint i = from; i < end; i++)
    {
      const HeddleProsePiece *piece = &g_array_index (pieces, HeddleProsePiece, i);
      x += i > from ? gap_before (pieces, i, prose) : 0.;
      set_piece (self, prose, piece, x, y);
      x += piece->width;
    }
}

void
heddle_prose_set (HeddlePainter *self, const HeddleProse *prose, const char *text, double x, double y,
    double *width, double *height)
{
  g_autoptr (GArray) pieces = heddle_prose_read (prose, text);
  double widest = prose->align > 0. ? prose->width : 0., line_width, baseline = y;
  guint before = 0;

  measure_pieces (self, prose, pieces);
  for (guint from = 0, end; from < pieces->len; before = from, from = end)
    {
      end = find_line (pieces, from, prose, &line_width);
      baseline += find_step (pieces, prose, before, from, end);
      if (self->scene != NULL)
        set_line (self, prose, pieces, from, end, x + prose->align * (prose->width - line_width), baseline);
      widest = MAX (widest, line_width);
    }
  if (width != NULL)
    *width = widest;
  if (height != NULL)
    *height
        = pieces->len == 0
              ? prose->size * HEDDLE_PROSE_LEADING
              : baseline - y + MAX ((HEDDLE_PROSE_LEADING - 1.) * prose->size, deepest (pieces, before) + 2.);
}
