/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "files/equations/comment.h"

#define MARK '\f'

char *
heddle_eq_comment_join (const char *above, const char *trailing)
{
  if (trailing == NULL)
    return g_strdup (above);
  return g_strdup_printf ("%s%c%s", above != NULL ? above : "", MARK, trailing);
}

void
heddle_eq_comment_split (const char *comment, char **above, char **trailing)
{
  const char *mark = comment != NULL ? strchr (comment, MARK) : NULL;

  *trailing = mark != NULL ? g_strdup (mark + 1) : NULL;
  *above = NULL;
  if (comment != NULL && mark != comment)
    *above = mark != NULL ? g_strndup (comment, (gsize) (mark - comment)) : g_strdup (comment);
}
