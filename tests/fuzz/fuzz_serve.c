/* fuzz_serve.c — what a client of 'ofw serve' sends: documents of sessions, lines of feedback, paths, tokens
 *
 * Input: a byte for the kind, then the bytes. A document that is accepted has names and no files, and is the same when it is
 * printed and read again; a line that is accepted moves a session on by one round and is a repeat after that. With a delay, a
 * line may ask for a decision, and those of open rounds are kept.
 */
#include "fuzz.h"

#include "server/document.h"
#include "server/feedback_lines.h"
#include "server/route.h"

#include "base/plain.h"

static void must_be_plain(const char *text)
{
  MUST(text && ofw_plain_end(text, "") == text + strlen(text));
}

static void try_document(const char *text, size_t size)
{
  document d, again;
  ofw_error err = {0};
  ofw_text out = {0};
  ofw_status st = document_read(text, size, &d, &err);
  if (st != OFW_OK) {
    must_explain(st, err.message);
    return;
  }
  must_be_plain(d.spec.name);
  must_be_plain(d.spec.domain);
  must_be_plain(d.spec.pairs);
  MUST(!strchr(d.spec.domain, '@') && !strchr(d.spec.pairs, '@') && strlen(d.spec.name) <= SESSION_NAME);
  MUST(d.spec.learner[strspn(d.spec.learner, "abcdefghijklmnopqrstuvwxyz0123456789-")] == 0);
  MUST(document_print(&d.spec, d.state ? d.state : (const unsigned char *)"x", d.state ? d.state_size : 1, &out,
                      &err) == OFW_OK);
  MUST(document_read(out.chars, out.length, &again, &err) == OFW_OK);
  MUST(strcmp(d.spec.name, again.spec.name) == 0 && strcmp(d.spec.learner, again.spec.learner) == 0);
  MUST(strcmp(d.spec.domain, again.spec.domain) == 0 && strcmp(d.spec.options, again.spec.options) == 0);
  MUST(strcmp(d.spec.pairs, again.spec.pairs) == 0 && d.spec.seed == again.spec.seed);
  MUST(!d.state || (d.state_size == again.state_size && memcmp(d.state, again.state, d.state_size) == 0));
  free(out.chars);
  document_free(&d);
  document_free(&again);
}

static session *some_session(int delays)
{
  session_spec spec = {ofw_copy_text(""),
                       ofw_copy_text("ofw-ada"),
                       ofw_copy_text("l2-ball:dim=2"),
                       ofw_copy_text("{}"),
                       ofw_copy_text(delays ? "delay=3" : ""),
                       1,
                       0};
  session *s = session_make("0123456789abcdef", &spec, 100, NULL);
  MUST(s);
  return s;
}

/* What the journal would do. */
static void keep(feedback *f, session *s)
{
  atomic_store(&f->entry.outcome, JOURNAL_KEPT);
  feedback_settle(s);
  MUST(!s->pending);
}

/* What is open is kept, and no more than may be. */
static void must_be_whole(const session *s)
{
  uint64_t open = s->decided - s->answered;
  MUST(open <= s->delay + 1 && s->answered <= s->decided);
  MUST(!s->delay || (s->open.count == open && s->l->open->count == open) || s->l->failed);
}

static void try_feedback(const char *text, size_t size, int batch, int delays)
{
  static gauges counted;
  session *s = some_session(delays);
  ofw_text out = {0};
  uint64_t begun = session_changes(s);
  feedback f = {.text = text, .length = size, .batch = batch, .decide = !delays, .out = &out, .g = &counted};
  feedback_next next = feedback_offer(&f, s);
  MUST(next != FEEDBACK_PARKED && session_changes(s) == begun);
  if (next == FEEDBACK_WAITS)
    keep(&f, s);
  MUST(f.status == 0 || (f.err.message[0] && !strchr(f.err.message, '\n')));
  MUST(f.status || f.answered > 0);
  MUST(session_changes(s) == begun + (delays ? 1 : 2) * f.answered || f.status == HTTP_FAILED);
  must_be_whole(s);
  if (f.status == 0 && !batch) { /* again: the same answer, and nothing is played */
    ofw_text second = {0};
    feedback g = {.text = text, .length = size, .batch = batch, .decide = !delays, .out = &second, .g = &counted};
    MUST(feedback_offer(&g, s) == FEEDBACK_READY && g.status == 0);
    MUST(out.length == second.length && memcmp(out.chars, second.chars, out.length) == 0);
    free(second.chars);
  }
  free(out.chars);
  session_release(s);
}

static void try_path(const char *text)
{
  char id[SESSION_ID + 1], allowed[ROUTE_METHODS];
  const route *r = route_find("GET", text, id, allowed);
  MUST(!r || text[0] == '/');
  MUST(!id[0] || session_id_fits(id));
  MUST(!r || !strstr(text, ".."));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size == 0)
    return 0;
  char *text = fuzz_text(data + 1, size - 1);
  int kind = data[0] % 6;
  switch (kind) {
  case 0:
    try_document(text, size - 1);
    break;
  case 1:
  case 2:
  case 4:
  case 5:
    if (kind % 3 == 1) /* as a document over several lines comes to it */
      for (size_t k = 0; k < size - 1; k++)
        text[k] = text[k] == '\n' || text[k] == '\r' ? ' ' : text[k];
    try_feedback(text, size - 1, kind % 3 == 2, kind > 3);
    break;
  default:
    try_path(text);
    (void)access_host_is_local(text);
  }
  free(text);
  return 0;
}
