/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "derive/machine/sustained.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define GROUP HEDDLE_SUSTAINED_GROUP

static const struct
{
  const char *key;
  double least, most;
} keys[HEDDLE_N_SUSTAINED] = {
  [HEDDLE_SUSTAINED_TENSOR] = { "TensorShare", 0.01, 1.2 },
  [HEDDLE_SUSTAINED_TENSOR8] = { "Tensor8Share", 0.01, 1.2 },
  [HEDDLE_SUSTAINED_MMA] = { "MmaShare", 0.01, 1. },
  [HEDDLE_SUSTAINED_DRAM] = { "DramBandwidth", 1., 1e21 },
  [HEDDLE_SUSTAINED_L2] = { "L2Bandwidth", 1., 1e21 },
  [HEDDLE_SUSTAINED_LATENCY] = { "DramLatency", 1e-9, 1. },
  [HEDDLE_SUSTAINED_LAUNCH] = { "Launch", 1e-9, 1. },
  [HEDDLE_SUSTAINED_GRAPH] = { "GraphLaunch", 1e-9, 1. },
  [HEDDLE_SUSTAINED_ALONE] = { "AloneLaunch", 1e-9, 1. },
};

static const char *const kinds[] = { "peak", "measured", "derived" };

const char *
heddle_sustained_key (HeddleSustainedRate rate)
{
  g_return_val_if_fail (rate < HEDDLE_N_SUSTAINED, NULL);

  return keys[rate].key;
}

static gboolean
known_from_name (const char *name, HeddleKnown *known)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i], name))
      {
        *known = (HeddleKnown) i;
        return TRUE;
      }
  return FALSE;
}

static void
read_rate (HeddleKeyFile *reader, HeddleSustainedRate rate, HeddleSustained *into)
{
  const char *key = keys[rate].key;
  g_autofree char *text = heddle_key_file_get_text (reader, GROUP, key, FALSE);
  g_auto (GStrv) parts = text != NULL ? g_strsplit (text, ";", 3) : NULL;
  char *end = NULL;
  double value;

  if (parts == NULL || reader->error != NULL)
    return;
  value = g_ascii_strtod (g_strstrip (parts[0]), &end);
  if (end == parts[0] || *end != '\0' || !isfinite (value) || value < keys[rate].least
      || value > keys[rate].most)
    heddle_key_file_fail (reader, GROUP, key, _ ("“%s” is not a number from %g to %g"), parts[0],
        keys[rate].least, keys[rate].most);
  else if (parts[1] == NULL || !known_from_name (g_strstrip (parts[1]), &into->known))
    heddle_key_file_fail (
        reader, GROUP, key, "%s", _ ("the number must be followed by “peak”, “measured” or “derived”"));
  else if (parts[2] == NULL || *g_strstrip (parts[2]) == '\0')
    heddle_key_file_fail (reader, GROUP, key, "%s", _ ("the source of the number is missing"));
  else
    {
      into->value = value;
      into->source = g_strdup (parts[2]);
    }
}

static void
check_keys (HeddleKeyFile *reader)
{
  g_auto (GStrv) there = g_key_file_get_keys (reader->file, GROUP, NULL, NULL);

  for (char **key = there; key != NULL && *key != NULL; key++)
    {
      gboolean known = FALSE;

      for (guint i = 0; i < HEDDLE_N_SUSTAINED; i++)
        known = known || g_str_equal (*key, keys[i].key);
      if (!known)
        heddle_key_file_fail (reader, GROUP, *key, "%s", _ ("is not a key of a machine file"));
    }
}

void
heddle_sustained_read (HeddleKeyFile *reader, HeddleSustained *rates)
{
  g_return_if_fail (reader != NULL && rates != NULL);

  check_keys (reader);
  for (guint i = 0; i < HEDDLE_N_SUSTAINED; i++)
    read_rate (reader, (HeddleSustainedRate) i, &rates[i]);
}

char *
heddle_sustained_text (const HeddleSustained *rate)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_return_val_if_fail (rate != NULL, NULL);

  if (rate->value == 0.)
    return NULL;
  return g_strdup_printf ("%s;%s;%s", g_ascii_formatd (number, sizeof number, "%.6g", rate->value),
      kinds[rate->known], rate->source);
}

void
heddle_sustained_own (HeddleSustained *rates)
{
  g_return_if_fail (rates != NULL);

  for (guint i = 0; i < HEDDLE_N_SUSTAINED; i++)
    rates[i].source = g_strdup (rates[i].source);
}

void
heddle_sustained_clear (HeddleSustained *rates)
{
  g_return_if_fail (rates != NULL);

  for (guint i = 0; i < HEDDLE_N_SUSTAINED; i++)
    g_clear_pointer (&rates[i].source, g_free);
}
