/* SPDX-License-Identifier: MIT */
#pragma once

#include <libxml/tree.h>
#include "diagram/document/schedule.h"
#include "files/ncd/private.h"

G_BEGIN_DECLS

/* ncd-ornament.c: whether it is one; and all of a presentation. */
gboolean heddle_ncd_read_ornament (HeddleNcdReader *self, xmlNode *node, HeddlePresentation *presentation);
int heddle_ncd_word (HeddleNcdReader *self, xmlNode *node, const char *name, const char *text,
    const char *first, const char *second);

G_END_DECLS
