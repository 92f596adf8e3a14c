/* session_decision.c — the decisions of a session that wait for their feedback: found and written out */
#include "server/session.h"

#include <inttypes.h>

/* Where a copied decision is read from. */
static ofw_status find_open(const session *s, uint64_t round, session_decision *out, ofw_error *err)
{
  const ofw_open_rounds *open = s->l->open;
  if (open->count == 0)
    return ofw_fail(err, OFW_USAGE, "no decision is open; ask for that of round %" PRIu64 " by POST .../decide",
                    session_next(s));
  out->round = round ? round : open->list[open->count - 1].round;
  if (ofw_open_rounds_find(open, out->round) == open->count)
    return ofw_fail(err, OFW_USAGE, "round %" PRIu64 " %s", out->round,
                    out->round > s->decided ? "is not decided yet" : "has its feedback already");
  const double *numbers = open_decisions_find(&s->open, out->round);
  if (!numbers)
    return ofw_fail(err, OFW_USAGE,
                    "round %" PRIu64 " was open when the session was imported, and a state has no past decisions",
                    out->round);
  out->point = ofw_copied_point(&out->copy, s->rows, s->cols, numbers);
  out->x = &out->point;
  return OFW_OK;
}

ofw_status session_find_decision(const session *s, uint64_t round, session_decision *out, ofw_error *err)
{
  const char *why;
  if (session_failed(s, &why))
    return ofw_fail(err, OFW_NUMERICAL, "the learner has failed: %s", why);
  if (s->delay)
    return find_open(s, round, out, err);
  if (round && round != s->decided)
    return ofw_fail(err, OFW_USAGE, "round %" PRIu64 ": the only open decision is that of round %" PRIu64, round,
                    s->decided);
  out->round = s->decided;
  out->x = s->x;
  return OFW_OK;
}

ofw_status session_print_decision(session *s, const session_decision *d, ofw_text *out, ofw_error *err)
{
  if (!s->dense)
    return ofw_fail(err, OFW_UNSUPPORTED, "%zu numbers are too many to write out; ask for row, top or entries", s->dim);
  ofw_text_add(out, "{\"round\":");
  ofw_text_add_count(out, d->round);
  ofw_point_dense(d->x, s->dense);
  ofw_text_add(out, ",\"decision\":");
  ofw_text_add_numbers(out, s->dim, s->dense);
  if (s->l->method->bandit) {
    ofw_point_centre(d->x, s->dense);
    ofw_text_add(out, ",\"center\":");
    ofw_text_add_numbers(out, s->dim, s->dense);
  }
  return OFW_OK;
}
