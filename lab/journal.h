/* journal.h — the results of cells, kept where a kill cannot take them
 *
 * A folder's cells.tsv has a head line, then a line a finished cell:
 *
 *     key TAB ok TAB G TAB D TAB metrics.. TAB check          key TAB failed TAB status TAB message TAB check
 *
 * appended in one write and synced before it counts as done. `check` is a hash of what stands before it. A last line
 * that was torn is dropped when the journal is opened; any other damage is refused. One process at a time may have it
 * open. Without a folder the results are kept in memory alone.
 */
#ifndef OFW_LAB_JOURNAL_H
#define OFW_LAB_JOURNAL_H

#include "lab/cell.h"

typedef struct lab_journal lab_journal;

/* The folder is made where it is missing. `head` says what wrote the results: a journal with another is refused. */
ofw_status lab_journal_open(const char *folder, const char *head, lab_journal **out, ofw_error *err);
/* NULL is accepted. */
void lab_journal_close(lab_journal *j);

/* What is known of the cell; NULL: nothing. Valid until the journal is closed. */
const lab_result *lab_journal_find(const lab_journal *j, const char *key);
/* Keeps a result, whose error it takes over; a later one of the same key replaces what find gives from then on. */
ofw_status lab_journal_add(lab_journal *j, const char *key, lab_result *r, ofw_error *err);
/* Waits until all that was added is on the disk. Other threads may use the journal meanwhile. */
ofw_status lab_journal_sync(const lab_journal *j, ofw_error *err);

#endif
