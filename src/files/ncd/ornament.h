/* SPDX-License-Identifier: MIT */
#pragma once

#include <libxml/tree.h>
#include "diagram/document/schedule.h"
#include "files/ncd/private.h"

/* Reads an ornament into @presentation. FALSE means that the element is none; what is wrong in one is
 * reported. */
gboolean heddle_ncd_read_ornament (HeddleNcdReader *self, xmlNode *node, HeddlePresentation *presentation);
/* Returns 0 where the attribute is missing or is the word @first, else 1; anything but @second is reported. */
int heddle_ncd_word (HeddleNcdReader *self, xmlNode *node, const char *name, const char *text,
    const char *first, const char *second);
