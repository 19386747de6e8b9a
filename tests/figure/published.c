/* SPDX-License-Identifier: MIT */
#include "published.h"

static const Published figures[] = {
  { "IdResNet_block.ncd", 670., 435. },
  { "IdResNet_overall.ncd", 660., 165. },
  { "broadcasting0.ncd", 595., 185. },
  { "broadcasting0a.ncd", 595., 160. },
  { "elementwise0.ncd", 455., 230. },
  { "imagerec.ncd", 731., 290. },
  { "implementation.ncd", 645., 370. },
  { "indexes.ncd", 545., 135. },
  { "inner_broadcasting0.ncd", 630., 245. },
  { "inner_broadcasting0a.ncd", 585., 210. },
  { "linear_algebra.ncd", 620., 451. },
  { "multihead0.ncd", 695., 365. },
  { "rediagram.ncd", 610., 215. },
  { "scaled_attention.ncd", 700., 190. },
  { "subtensors.ncd", 605., 140. },
  { "unet.ncd", 590., 568. },
  { "visual_attention.ncd", 485., 255. },
};

const Published *
published_at (guint i)
{
  return i < G_N_ELEMENTS (figures) ? &figures[i] : NULL;
}

const Published *
published_find (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    if (g_str_equal (figures[i].name, name))
      return &figures[i];
  return NULL;
}

double
published_area (const Published *self, double width, double height)
{
  return width * height / (self->width * self->height);
}

double
published_letters (const Published *self, double width)
{
  return self->width / width;
}
