/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/typeset/typeset.h"

/* Constructs that grow with what is in them: delimiters and cases. */

G_BEGIN_DECLS

/* Sets \left( … \right): delimiters as tall as what is between them. */
void heddle_typeset_delimited (HeddleTypesetter *self, HeddleTypeLine *line);
/* Sets \begin{cases} … \end{cases}, whose \begin has been read; any other environment is left unread. */
void heddle_typeset_environment (HeddleTypesetter *self, HeddleTypeLine *line);

G_END_DECLS
