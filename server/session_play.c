/* session_play.c — a session's rounds: a line is read, admitted, played; the same for lines of the log when the server starts */
#include "server/session.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* A hash of a line, eight bytes at a time. It tells a line that was sent again from another one; nobody gains anything by a
 * collision. */
static uint64_t digest_of(const char *line, size_t length)
{
  uint64_t hash = 14695981039346656037u ^ length;
  for (size_t k = 0; k < length; k += 8) {
    uint64_t word = 0;
    memcpy(&word, line + k, length - k < 8 ? length - k : 8);
    hash = (hash ^ word) * 1099511628211u;
    hash ^= hash >> 32;
  }
  return hash | 1; /* 0: none */
}

static uint64_t *digest_at(session *s, uint64_t round)
{
  return &s->digest[round % SESSION_REPEATS];
}

int session_repeats(const session *s, uint64_t round, const char *line, size_t length)
{
  uint64_t there = s->digest[round % SESSION_REPEATS];
  if (round >= s->waits_for || round + SESSION_REPEATS < s->waits_for || !there)
    return -1;
  return there == digest_of(line, length);
}

ofw_status session_read(session *s, const char *line, size_t length, ofw_full *fb, ofw_error *err)
{
  ofw_ndjson_mode mode = s->l->method->bandit ? OFW_NDJSON_VALUES : OFW_NDJSON_FULL;
  OFW_TRY(ofw_ndjson_read(&s->parser, line, length, mode, fb, err));
  return s->parser.round > 0 ? OFW_OK : ofw_fail(err, OFW_BAD_DATA, "field 'round' is missing");
}

static const ofw_hint *hint_of(const session *s)
{
  return s->parser.hint.size > 0 ? &s->parser.hint : NULL;
}

ofw_status session_admit(session *s, const ofw_full *fb, ofw_error *err)
{
  int bandit = s->l->method->bandit;
  ofw_status st = ofw_learner_admit(s->l, &fb->values, bandit ? NULL : fb, hint_of(s));
  return st == OFW_OK ? st : ofw_fail(err, st, "%s", ofw_learner_error(s->l));
}

ofw_status session_play(session *s, const char *line, size_t length, const ofw_full *fb, ofw_error *err)
{
  ofw_learner *l = s->l;
  ofw_status st =
      l->method->bandit ? ofw_learner_observe_values(l, &fb->values) : ofw_learner_observe_hinted(l, fb, hint_of(s));
  if (st != OFW_OK) {
    s->x = l->failed ? NULL : s->x;
    return ofw_fail(err, st, "%s", ofw_learner_error(l));
  }
  s->loss = fb->values.loss;
  s->loss_sum += s->loss;
  s->constraint = fb->values.constraints ? ofw_learner_combine(l, &fb->values).constraint : NAN;
  *digest_at(s, s->waits_for) = digest_of(line, length);
  s->refused = 0;
  s->waits_for++;
  if (history_due(&s->history, s->waits_for - 1)) {
    double row[COLUMNS];
    session_row(s, row);
    history_add(&s->history, row);
  }
  if (ofw_learner_decide(l, &s->x) == OFW_OK)
    return OFW_OK;
  s->x = NULL;
  return ofw_fail(err, OFW_NUMERICAL, "%s", ofw_learner_error(l));
}

ofw_status session_replay(session *s, const char *line, size_t length, ofw_error *err)
{
  ofw_full fb;
  OFW_TRY(session_read(s, line, length, &fb, err));
  uint64_t round = s->parser.round, expected = s->waits_for;
  if (round < expected || (round > expected && s->refused == expected))
    return OFW_OK; /* the checkpoint has it; or the batch that it was in ended before it */
  if (round > expected)
    return ofw_fail(err, OFW_BAD_DATA, "expected the feedback of round %" PRIu64 ", found round %" PRIu64, expected,
                    round);
  ofw_error why = {0};
  if (session_play(s, line, length, &fb, &why) != OFW_OK && s->waits_for == expected)
    s->refused = expected; /* as it did when it came: its client was told so */
  return OFW_OK;
}
