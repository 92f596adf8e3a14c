/* readings.c — readings by name, and the same claims under several of them
 *
 * A folder may hold results of anything, so a database counts as a reading only if it has that reading's claims. One whose plays
 * are not all there yet is passed over: half of a reading would stand beside whole ones.
 */
#include "readings.h"
#include "suites.h"

#include "base/basics.h"
#include "lab/plays.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const reading readings_known[] = {
    {"literal", "the formula as printed: every observed entry in every round; the first decision is 0"},
    {"vertex", "like literal, but the first decision is a random vertex of the ball"},
    {"one-pass", "every rating once, in batches"},
    {"single", "one observed entry per round, in random order"},
    {"boxes", "like literal, but the grid is on the values of beta and gamma themselves, and on alpha"},
    {"exposure", "like literal, but with another constraint: a cap that the losses pull against"},
    {"printed", "like literal, but with units and regulariser as the paper prints them"},
    {0},
};
enum { KNOWN = sizeof readings_known / sizeof *readings_known - 1 };

/* "movielens-literal" */
enum { NAME_TEXT = 96 };
static const char *name_of(const char *set, const reading *of, char out[NAME_TEXT])
{
  snprintf(out, NAME_TEXT, "%s-%s", set, of->name);
  return out;
}

const reading *reading_find(const char *set, const char *name)
{
  char file[NAME_TEXT];
  for (const reading *r = readings_known; r->name; r++)
    if (strcmp(r->name, name) == 0 && suite_is_there(name_of(set, r, file)))
      return r;
  return NULL;
}

char *reading_folder(const char *folder, const reading *of)
{
  return of == readings_known ? ofw_copy_text(folder) : ofw_format("%s/%s", folder, of->name);
}

/* ---- what was played ---- */

static int has_same_claims(const lab_experiment *a, const lab_experiment *b)
{
  for (size_t i = 0; i < a->claims && i < b->claims; i++)
    if (strcmp(a->claim[i].text, b->claim[i].text) != 0 || strcmp(a->claim[i].better, b->claim[i].better) != 0)
      return 0;
  return a->claims == b->claims;
}

/* OFW_BAD_DATA: the results are of something else. */
static ofw_status check_claims(const char *set, const reading_played *p, ofw_error *err)
{
  char file[NAME_TEXT];
  lab_experiment asked;
  ofw_status st = lab_experiment_open(name_of(set, p->of, file), &suite_library, &asked, err);
  if (st == OFW_OK && !has_same_claims(&asked, &p->judged.of))
    st = ofw_fail(err, OFW_BAD_DATA, "%.300s has other claims than the reading %s of %s", results_path(p->from),
                  p->of->name, set);
  lab_experiment_free(&asked);
  return st;
}

/* 1: every arm has played every seed. */
static ofw_status is_whole(const reading_played *p, int *out, ofw_error *err)
{
  lab_rows rows;
  ofw_status st = lab_rows_read(p->from, &rows, err);
  *out = st == OFW_OK;
  for (size_t i = 0; i < rows.n && *out; i++) {
    const lab_plays *plays = &rows.row[i].plays;
    *out = plays->seeds == p->judged.of.seeds && plays->horizons == p->judged.of.horizons;
  }
  lab_rows_free(&rows);
  return st;
}

static void close_played(reading_played *p)
{
  claims_free(&p->judged);
  results_close(p->from);
}

/* 1: it is there and whole; close_played returns it then. */
static int open_played(const command *self, const char *set, const char *folder, reading_played *p)
{
  ofw_error err = {0};
  int whole = 0;
  ofw_status st = results_open(folder, &p->from, &err);
  if (st == OFW_OK)
    st = claims_read(p->from, &p->judged, &err);
  if (st == OFW_OK)
    st = check_claims(set, p, &err);
  if (st == OFW_OK)
    st = is_whole(p, &whole, &err);
  if (st != OFW_OK)
    complain(self, 0, "the reading %s is left out: %s", p->of->name, err.message);
  if (!whole)
    close_played(p);
  return whole;
}

/* What other rules would have chosen from the tuning plays of the first reading, if it is there. */
static int read_choices(const command *self, readings *r)
{
  ofw_error err = {0};
  const reading_played *first = r->played;
  if (r->n == 0 || first->of != readings_known)
    return 0;
  ofw_status st = lab_choices_read(first->from, first->judged.judged, first->judged.n, &r->choices, &err);
  return st == OFW_OK ? 0 : refuse(self, &err);
}

int readings_read(const command *self, const char *set, const char *folder, readings *out)
{
  *out = (readings){.set = set, .played = calloc(KNOWN, sizeof *out->played)};
  if (!out->played)
    return no_memory(self);
  for (const reading *r = readings_known; r->name; r++) {
    char *at = reading_folder(folder, r), *file = at ? ofw_format("%s/results.db", at) : NULL;
    reading_played *next = &out->played[out->n];
    if (file && reading_find(set, r->name) && access(file, F_OK) == 0) {
      *next = (reading_played){.of = r};
      out->n += (size_t)open_played(self, set, at, next);
    }
    free(at);
    free(file);
    if (!at || !file)
      return no_memory(self);
  }
  return read_choices(self, out);
}

void readings_free(readings *r)
{
  lab_choices_free(&r->choices);
  for (size_t i = 0; i < r->n; i++)
    close_played(&r->played[i]);
  free(r->played);
}
