/* readings.h — the readings of a published experiment, and which of its claims each of them gives
 *
 * A paper leaves open what one needs to know to play its experiment again. A reading is one way to fill that in: a file
 * experiments/SET-READING.ini. All readings of a set have the same learners and claims, so that they can be laid side by side.
 */
#pragma once

#include "cli.h"
#include "verdicts.h"

#include "lab/choices.h"

typedef struct reading {
  const char *name;
  const char *about; /* what it fills in, a line */
} reading;
extern const reading
    readings_known[]; /* ends with a NULL name; the first is what 'ofw reproduce' plays unless told otherwise */

/* The reading of a set by its name. NULL: the set has no such reading. */
const reading *reading_find(const char *set, const char *name);
/* Where its results are: the first reading's in the folder itself, others' in one of their name below it. free() returns it;
 * NULL: no memory. */
char *reading_folder(const char *folder, const reading *of);

/* One that was played to the end, with what its results say. */
typedef struct reading_played {
  const reading *of;
  results *from;
  claims judged;
} reading_played;

typedef struct readings {
  const char *set;
  reading_played *played;
  size_t n;
  lab_choices choices; /* of the first reading's tuning plays; none: it was not played */
} readings;

/* Those of a set whose results are whole and in their places in the folder. Results that are not the set's, or that cannot be
 * read, are left out with a line that says so. 0, or an exit code after a complaint; readings_free returns it in either case. */
int readings_read(const command *self, const char *set, const char *folder, readings *out);
void readings_free(readings *r);
/* All of them as fields of an object that is open. */
void readings_json(json *j, const readings *r);
/* Which reading gives which claim, a line per comparison. */
void readings_print(const readings *r);
