/* SPDX-License-Identifier: MIT */
#pragma once

#include "diagram/base/dtype.h"
#include "figure/layout/figure-spec.h"
#include "figure/scene/figure-theme.h"
#include "files/base/files.h"

/* A choice is how a person exports, as it was last chosen: it is kept in the settings, and is the same as a
 * command line. */

typedef enum
{
  HEDDLE_WIDTH_NATURAL,
  HEDDLE_WIDTH_VENUE,
  HEDDLE_WIDTH_CUSTOM,
} HeddleWidthKind;

typedef enum
{
  HEDDLE_WRAP_DOCUMENT, /* as the document says */
  HEDDLE_WRAP_NONE,
  HEDDLE_WRAP_CUSTOM,
} HeddleWrapKind;

typedef struct
{
  char *suffix; /* ".svg" */
  HeddleWidthKind width;
  char *venue; /* a name of heddle_venue_list (), or NULL */
  double width_in; /* custom, inches */
  HeddleWrapKind wrap;
  double wrap_in;
  HeddleExportPicture picture;
  HeddleShow show; /* 0: what the document's labels ask for */
  HeddleTheme theme;
  double dpi;
  gboolean definitions, legend, outlines, overlay, no_source;
} HeddleExportChoice;

/* What a figure may show of the derivation, in the order they are listed. */
#define HEDDLE_N_EXPORT_SHOWS 7
extern const HeddleShow heddle_export_shows[HEDDLE_N_EXPORT_SHOWS];

/* Returns the last choice as the settings have it, or the defaults where there are none; owned by the
 * caller. */
HeddleExportChoice *heddle_export_choice_load (void);
/* Keeps the choice in the settings, where there are any. */
void heddle_export_choice_save (const HeddleExportChoice *self);
/* Returns a copy with strings of its own, owned by the caller. */
HeddleExportChoice *heddle_export_choice_copy (const HeddleExportChoice *self);
/* Frees the choice with its strings. */
void heddle_export_choice_free (HeddleExportChoice *self);

/* Returns the options to export with; strings are borrowed. */
HeddleExportOptions heddle_export_choice_options (
    const HeddleExportChoice *self, const char *diagram, const char *gpu, HeddleDtype dtype);
/* Returns the command that does the same without a window, quoted for a shell: `heddle export a.ncd -o
 * a.svg --venue icml-column`. Newly allocated. */
char *heddle_export_choice_command (const HeddleExportChoice *self, const HeddleExportOptions *options,
    const char *input, const char *output);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HeddleExportChoice, heddle_export_choice_free)
