/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include "figure/typeset/typeset.h"

G_BEGIN_DECLS

/* typeset-delimiters.c: \left( … \right), as tall as what is between; \begin{cases} … \end{cases} */
void heddle_typeset_delimited (HeddleTypesetter *self, HeddleTypeLine *line);
void heddle_typeset_environment (HeddleTypesetter *self, HeddleTypeLine *line);

G_END_DECLS
