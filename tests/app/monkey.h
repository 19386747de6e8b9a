/* SPDX-License-Identifier: MIT */
#pragma once

#include "robot.h"

/* Somebody without a plan at the editor: what is done next is drawn by lot, most of it where something is. What is asked of a person
 * (where to save, whether to lose work) is answered with "Cancel": all else is real. */

typedef struct _Monkey Monkey;

/* Works on the file of that path, in windows of its own. */
Monkey *monkey_new (guint32 seed, const char *path);
/* One thing that a person does with the pointer or the keyboard, or an action of the menus, and what comes of it. */
void monkey_act (Monkey *self);
/* What was done last, in words, for whoever has to find out. */
const char *monkey_get_last (Monkey *self);
/* Closes all windows, and waits until they and all documents are gone. */
void monkey_free (Monkey *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Monkey, monkey_free)

/* The witness writes down what every open document held and when, in a file that outlives the process, and says whether all is well. */

/* From now on, once for a process; a warning is the end of it. */
void witness_start (const char *log);
/* One line of the log. */
void witness_note (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Every open document can be written, is read back without a problem, and is then written alike. */
void witness_check (void);
/* Undone to its end, every document is what was opened; done again, what it was. */
void witness_check_history (void);
guint witness_get_n_documents (void);
/* What the file holds, as the log has it; NULL: it cannot be read. Newly allocated. */
char *witness_digest_of_file (const char *path);
/* Of char *: what the drafts of all processes hold. */
GPtrArray *witness_list_drafts (void);
/* Whether an open document holds that. */
gboolean witness_has_document (const char *digest);
/* Whether what open documents hold beyond their files is in drafts, to the last edit. */
gboolean witness_is_all_kept (void);
