/* SPDX-License-Identifier: MIT */
#include "figure/scene/color-vision.h"

#include <math.h>

/* Machado, Oliveira, Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE Transactions on Visualization and
 * Computer Graphics 15 (6), 2009: the matrices for the full severity of each, on linear sRGB. */
static const double matrices[HEDDLE_N_VISIONS][3][3] = {
  [HEDDLE_VISION_PROTANOPIA] = { { 0.152286, 1.052583, -0.204868 }, { 0.114503, 0.786281, 0.099216 },
      { -0.003882, -0.048116, 1.051998 } },
  [HEDDLE_VISION_DEUTERANOPIA] = { { 0.367322, 0.860646, -0.227968 }, { 0.280085, 0.672501, 0.047413 },
      { -0.011820, 0.042940, 0.968881 } },
  [HEDDLE_VISION_TRITANOPIA] = { { 1.255528, -0.076749, -0.178779 }, { -0.078411, 0.930809, 0.147602 },
      { 0.004733, 0.691367, 0.303900 } },
};

double
heddle_color_linear (double channel)
{
  return channel <= 0.04045 ? channel / 12.92 : pow ((channel + 0.055) / 1.055, 2.4);
}

static double
encode (double light)
{
  const double l = CLAMP (light, 0., 1.);

  return l <= 0.0031308 ? 12.92 * l : 1.055 * pow (l, 1. / 2.4) - 0.055;
}

HeddleColor
heddle_color_simulate (HeddleColor color, HeddleVision vision)
{
  const double light[3]
      = { heddle_color_linear (color.r), heddle_color_linear (color.g), heddle_color_linear (color.b) };
  double seen[3];

  for (int i = 0; i < 3; i++)
    {
      const double *row = matrices[vision][i];
      seen[i] = encode (row[0] * light[0] + row[1] * light[1] + row[2] * light[2]);
    }
  return (HeddleColor){ seen[0], seen[1], seen[2], color.a };
}

static double
lab_curve (double t)
{
  return t > 216. / 24389. ? cbrt (t) : (t * 24389. / 27. + 16.) / 116.;
}

/* Converts to CIE L*a*b* for the white of sRGB, D65. */
static void
to_lab (const HeddleColor *color, double lab[3])
{
  const double r = heddle_color_linear (color->r), g = heddle_color_linear (color->g),
               b = heddle_color_linear (color->b);
  const double x = lab_curve ((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505),
               y = lab_curve (0.2126 * r + 0.7152 * g + 0.0722 * b),
               z = lab_curve ((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);

  lab[0] = 116. * y - 16.;
  lab[1] = 500. * (x - y);
  lab[2] = 200. * (y - z);
}

double
heddle_color_difference (const HeddleColor *a, const HeddleColor *b)
{
  double first[3], second[3];

  to_lab (a, first);
  to_lab (b, second);
  return sqrt ((first[0] - second[0]) * (first[0] - second[0])
               + (first[1] - second[1]) * (first[1] - second[1])
               + (first[2] - second[2]) * (first[2] - second[2]));
}
