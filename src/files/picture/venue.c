/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "files/picture/private.h"
#include "files/picture/venue.h"

typedef struct
{
  const char *name, *title;
  double inches;
} Venue;

/* The width of a column and of a page's text, from the venues' style files; one width where there is one
 * column. */
static const Venue venues[] = {
  { "icml-column", N_ ("ICML, column"), 3.25 },
  { "icml-page", N_ ("ICML, page"), 6.75 },
  { "neurips", N_ ("NeurIPS"), 5.5 },
  { "iclr", N_ ("ICLR"), 5.5 },
  { "cvpr-column", N_ ("CVPR, column"), 3.25 },
  { "cvpr-page", N_ ("CVPR, page"), 6.875 },
  { "aaai-column", N_ ("AAAI, column"), 3.3 },
  { "aaai-page", N_ ("AAAI, page"), 6.975 },
  { "tmlr", N_ ("TMLR"), 6.5 },
  { "acm-column", N_ ("ACM, column"), 3.33 },
  { "acm-page", N_ ("ACM, page"), 7. },
  { "ieee-column", N_ ("IEEE, column"), 3.5 },
  { "ieee-page", N_ ("IEEE, page"), 7.16 },
};

double
heddle_venue_get_width (const char *name)
{
  g_return_val_if_fail (name != NULL, 0.);

  for (gsize i = 0; i < G_N_ELEMENTS (venues); i++)
    if (g_str_equal (venues[i].name, name))
      return venues[i].inches * 72.;
  return 0.;
}

double
heddle_venue_measure (double drawn)
{
  return (drawn + 2. * HEDDLE_PAGE_MARGIN) * HEDDLE_POINTS_PER_PX;
}

double
heddle_venue_get_room (const char *name)
{
  const double width = heddle_venue_get_width (name);

  return width > 0. ? width / HEDDLE_POINTS_PER_PX - 2. * HEDDLE_PAGE_MARGIN : 0.;
}

const char *
heddle_venue_get_title (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (venues); i++)
    if (g_str_equal (name, venues[i].name))
      return _ (venues[i].title);
  return NULL;
}

char *
heddle_venue_list (void)
{
  GString *names = g_string_new (venues[0].name);

  for (gsize i = 1; i < G_N_ELEMENTS (venues); i++)
    g_string_append_printf (names, " %s", venues[i].name);
  return g_string_free (names, FALSE);
}
