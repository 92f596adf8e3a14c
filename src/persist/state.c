/* state.c — a state in memory: written, checked and loaded by one walk
 *
 *     0  "ofwstate"
 *     8  version, 8 bytes like every number here
 *    16  bytes of the configuration
 *    24  bytes that follow the header
 *    32  checksum of them
 *    40  the configuration: each part's with its ending 0, all of it padded to 8
 *    ..  items: length of name, name padded to 8, count of words, words
 *
 * Version 1 had FNV-1a of the configuration at 16, no checksum, and its items at 32.
 */
#include "persist/walk.h"

#include <stdlib.h>
#include <string.h>

enum { HASHED = 1, VERSION = 2, OLD_HEADER = 32, HEADER = 40 };
static const char magic[] = "ofwstate";

void ofw_state_free(ofw_state *state)
{
  if (!state)
    return;
  free(state->bytes);
  *state = (ofw_state){0};
}

/* What version 1 kept of the configurations: FNV-1a over them, one after the other. */
static uint64_t fingerprint(const ofw_saved *part, size_t n)
{
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < n; i++)
    for (const char *c = part[i].config; c == part[i].config || c[-1]; c++) {
      hash ^= (unsigned char)*c;
      hash *= 1099511628211u;
    }
  return hash;
}

uint64_t ofw_state_sum(const unsigned char *bytes, size_t n)
{
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i + 8 <= n; i += 8) {
    uint64_t word;
    memcpy(&word, bytes + i, sizeof word);
    hash = (hash ^ word) * 1099511628211u;
    hash ^= hash >> 32; /* the upper bits, where signs are, go into all others */
  }
  return hash;
}

static size_t padded(size_t n)
{
  return (n + 7) / 8 * 8;
}

static ofw_status visit_all(const ofw_saved *part, size_t n, ofw_visitor *v)
{
  for (size_t i = 0; i < n; i++)
    if (part[i].visit)
      OFW_TRY(part[i].visit(part[i].object, v));
  return OFW_OK;
}

/* ---- writing ---- */

/* Walked twice: without bytes it only counts what it will need. */
typedef struct writer {
  unsigned char *bytes; /* zeroed; NULL: counting */
  size_t size;
  int overflow;
} writer;

static void put(writer *w, const void *bytes, size_t n)
{
  if (w->bytes && n > 0)
    memcpy(w->bytes + w->size, bytes, n);
  w->overflow |= padded(n) > SIZE_MAX / 2 - w->size;
  w->size += w->overflow ? 0 : padded(n);
}

static void put_number(writer *w, uint64_t x)
{
  put(w, &x, sizeof x);
}

static ofw_status write_words(void *ctx, const char *name, void *item, size_t n)
{
  writer *w = ctx;
  put_number(w, strlen(name));
  put(w, name, strlen(name));
  put_number(w, n);
  w->overflow |= n > SIZE_MAX / 16;
  if (!w->overflow)
    put(w, item, n * 8);
  return w->overflow ? OFW_FAILED : OFW_OK;
}

static ofw_status write_packed(void *ctx, const char *name, const ofw_packed *item)
{
  writer *w = ctx;
  size_t n = item->size(item->object);
  put_number(w, strlen(name));
  put(w, name, strlen(name));
  put_number(w, n);
  w->overflow |= n > SIZE_MAX / 16 || n * 8 > SIZE_MAX / 2 - w->size;
  if (w->overflow)
    return OFW_FAILED;
  if (w->bytes)
    item->save(item->object, w->bytes + w->size);
  w->size += n * 8;
  return OFW_OK;
}

static size_t config_size(const ofw_saved *part, size_t n)
{
  size_t size = 0;
  for (size_t i = 0; i < n; i++)
    size += strlen(part[i].config) + 1;
  return size;
}

static ofw_status write_all(writer *w, const ofw_saved *part, size_t n)
{
  ofw_visitor v = {write_words, w, write_packed};
  size_t texts = config_size(part, n), at = HEADER;
  w->size = HEADER + padded(texts);
  for (size_t i = 0; w->bytes && i < n; i++) {
    memcpy(w->bytes + at, part[i].config, strlen(part[i].config) + 1);
    at += strlen(part[i].config) + 1;
  }
  OFW_TRY(visit_all(part, n, &v));
  if (w->bytes) {
    const uint64_t head[4] = {VERSION, texts, w->size - HEADER, ofw_state_sum(w->bytes + HEADER, w->size - HEADER)};
    memcpy(w->bytes, magic, 8);
    memcpy(w->bytes + 8, head, sizeof head);
  }
  return OFW_OK;
}

ofw_status ofw_state_save(const ofw_saved *part, size_t n, ofw_state *state, ofw_error *err)
{
  writer w = {0};
  ofw_status st = write_all(&w, part, n);
  if (st == OFW_OK) {
    w.bytes = calloc(1, w.size);
    st = w.bytes ? write_all(&w, part, n) : OFW_FAILED;
  }
  if (st != OFW_OK) {
    free(w.bytes);
    return ofw_fail(err, st, "the state could not be saved: out of memory");
  }
  ofw_state_free(state);
  *state = (ofw_state){w.bytes, w.size};
  return OFW_OK;
}

/* ---- reading ---- */

typedef struct reader {
  const unsigned char *at;
  size_t left;
  int copy; /* 0: only check that the next item is the one asked for */
  ofw_error *err;
} reader;

static const unsigned char *take(reader *r, uint64_t n)
{
  if (n > r->left || padded((size_t)n) > r->left)
    return NULL; /* n <= left first, so that padding does not wrap around */
  const unsigned char *at = r->at;
  r->at += padded((size_t)n);
  r->left -= padded((size_t)n);
  return at;
}

static int take_number(reader *r, uint64_t *x)
{
  const unsigned char *at = take(r, sizeof *x);
  if (at)
    memcpy(x, at, sizeof *x);
  return at != NULL;
}

/* The name of the next item, which must be this one, and how many words it has. */
static ofw_status take_head(reader *r, const char *name, uint64_t *count)
{
  uint64_t length;
  const unsigned char *text;
  if (!take_number(r, &length) || !(text = take(r, length)) || !take_number(r, count))
    return ofw_fail(r->err, OFW_BAD_DATA, "the state ends before %s", name);
  if (length != strlen(name) || memcmp(text, name, length) != 0)
    return ofw_fail(r->err, OFW_BAD_DATA, "the state has '%.*s' in place of %s", (int)(length < 64 ? length : 64),
                    (const char *)text, name);
  return OFW_OK;
}

static ofw_status read_words(void *ctx, const char *name, void *item, size_t n)
{
  reader *r = ctx;
  uint64_t count = 0;
  OFW_TRY(take_head(r, name, &count));
  if (count != n)
    return ofw_fail(
        r->err, OFW_BAD_DATA,
        "the state has %llu numbers for %s, expected %zu: another release of ofw or other settings wrote it",
        (unsigned long long)count, name, n);
  const unsigned char *words = take(r, n * 8);
  if (!words)
    return ofw_fail(r->err, OFW_BAD_DATA, "the state ends within %s", name);
  if (r->copy && n > 0)
    memcpy(item, words, n * 8);
  return OFW_OK;
}

static ofw_status read_packed(void *ctx, const char *name, const ofw_packed *item)
{
  reader *r = ctx;
  uint64_t count = 0;
  OFW_TRY(take_head(r, name, &count));
  const unsigned char *words = count <= r->left / 8 ? take(r, count * 8) : NULL;
  if (!words)
    return ofw_fail(r->err, OFW_BAD_DATA, "the state ends within %s", name);
  if (!r->copy)
    return item->check(item->object, words, (size_t)count, r->err);
  item->load(item->object, words);
  return OFW_OK;
}

static const char *config_of(const ofw_state *state)
{
  return (const char *)state->bytes + HEADER;
}

/* Its version, texts and the bytes that follow; OFW_OK: the items begin at *items. */
static ofw_status read_header(const ofw_state *state, uint64_t head[3], size_t *items, ofw_error *err)
{
  if (!state->bytes || state->size < HEADER || memcmp(state->bytes, magic, 8) != 0)
    return ofw_fail(err, OFW_BAD_DATA, "not a saved state");
  memcpy(head, state->bytes + 8, 3 * sizeof *head);
  size_t texts = head[0] == HASHED ? 0 : (size_t)head[1], header = head[0] == HASHED ? OLD_HEADER : HEADER;
  uint64_t sum;
  memcpy(&sum, state->bytes + OLD_HEADER, sizeof sum);
  if (head[0] < HASHED || head[0] > VERSION)
    return ofw_fail(err, OFW_BAD_DATA, "the state has version %llu; this ofw reads versions %d to %d",
                    (unsigned long long)head[0], HASHED, VERSION);
  if (head[2] != state->size - header)
    return ofw_fail(err, OFW_BAD_DATA, "the state needs %llu bytes, found %zu", (unsigned long long)head[2],
                    state->size - header);
  if (head[0] != HASHED && sum != ofw_state_sum(state->bytes + HEADER, state->size - HEADER))
    return ofw_fail(err, OFW_BAD_DATA, "the state is damaged: it does not match its checksum");
  if (head[0] != HASHED && (head[1] < 1 || head[1] > head[2] || padded(texts) > head[2] || config_of(state)[texts - 1]))
    return ofw_fail(err, OFW_BAD_DATA, "the state ends within its configuration");
  *items = header + padded(texts);
  return OFW_OK;
}

ofw_status ofw_config_refuse(const char *what, const char *there, const char *here, ofw_error *err)
{
  size_t at = 0;
  while (there[at] && there[at] == here[at])
    at++;
  if ((!here[at] && there[at] == ' ') || (!there[at] && here[at] == ' ')) { /* one of them has more words */
    const char *more = (there[at] ? there : here) + at + 1;
    return ofw_fail(err, OFW_BAD_DATA, "%s %s '%.*s', which this play %s; use the same options", what,
                    there[at] ? "with" : "without", (int)strcspn(more, " "), more, there[at] ? "has not" : "has");
  }
  while (at > 0 && there[at - 1] != ' ')
    at--;
  int n = (int)strcspn(there + at, " "), m = (int)strcspn(here + at, " ");
  static const char revision[] = "revision=";
  if (strncmp(there + at, revision, sizeof revision - 1) == 0 || strncmp(here + at, revision, sizeof revision - 1) == 0)
    return ofw_fail(err, OFW_BAD_DATA,
                    "%s by a release of ofw in which this method decides differently; continue with that release, or "
                    "start a new play",
                    what);
  return ofw_fail(err, OFW_BAD_DATA, "%s with '%.*s', but this play has '%.*s'; use the same options", what,
                  n < 120 ? n : 120, there + at, m < 120 ? m : 120, here + at);
}

static ofw_status check_config(const ofw_saved *part, size_t n, const ofw_state *state, const uint64_t head[3],
                               ofw_error *err)
{
  if (head[0] == HASHED)
    return head[1] == fingerprint(part, n)
               ? OFW_OK
               : ofw_fail(err, OFW_BAD_DATA, "a state saved with other options; use the same ones");
  const char *there = config_of(state), *end = there + head[1];
  for (size_t i = 0; i < n && there < end; i++) {
    if (strcmp(there, part[i].config) != 0)
      return ofw_config_refuse("a state saved", there, part[i].config, err);
    there += strlen(there) + 1;
  }
  return head[1] == config_size(part, n) ? OFW_OK
                                         : ofw_fail(err, OFW_BAD_DATA, "the state has other parts than this play");
}

int ofw_state_first(const ofw_state *state, const char *name, uint64_t *out)
{
  uint64_t head[3];
  size_t items = 0;
  if (read_header(state, head, &items, NULL) != OFW_OK)
    return 0;
  reader r = {state->bytes + items, state->size - items, 1, NULL};
  return read_words(&r, name, out, 1) == OFW_OK;
}

static ofw_status walk(const ofw_saved *part, size_t n, const ofw_state *state, size_t items, int copy, ofw_error *err)
{
  reader r = {state->bytes + items, state->size - items, copy, err};
  ofw_visitor v = {read_words, &r, read_packed};
  OFW_TRY(visit_all(part, n, &v));
  return r.left == 0 ? OFW_OK : ofw_fail(err, OFW_BAD_DATA, "bytes follow the end of the state");
}

ofw_status ofw_state_load(const ofw_saved *part, size_t n, const ofw_state *state, ofw_error *err)
{
  uint64_t head[3];
  size_t items = 0;
  OFW_TRY(read_header(state, head, &items, err));
  OFW_TRY(check_config(part, n, state, head, err));
  OFW_TRY(walk(part, n, state, items, 0, err));
  return walk(part, n, state, items, 1, err);
}

/* ---- describing ---- */

ofw_status ofw_state_describe(const ofw_state *state, ofw_state_texts *out, ofw_error *err)
{
  uint64_t head[3];
  size_t items = 0;
  OFW_TRY(read_header(state, head, &items, err));
  *out = (ofw_state_texts){.version = head[0], .items = items};
  if (head[0] != HASHED)
    *out = (ofw_state_texts){head[0], config_of(state), config_of(state) + head[1], items};
  return OFW_OK;
}

/* One text after the other, up to the first that differs. */
ofw_status ofw_state_same_config(const ofw_state *there, const ofw_state *here, ofw_error *err)
{
  ofw_state_texts a, b;
  OFW_TRY(ofw_state_describe(there, &a, err));
  OFW_TRY(ofw_state_describe(here, &b, err));
  while (a.config && b.config && a.config < a.config_end && b.config < b.config_end) {
    if (strcmp(a.config, b.config) != 0)
      return ofw_config_refuse("a state saved", a.config, b.config, err);
    a.config += strlen(a.config) + 1;
    b.config += strlen(b.config) + 1;
  }
  return a.config == a.config_end && b.config == b.config_end
             ? OFW_OK
             : ofw_fail(err, OFW_BAD_DATA, "the state has other parts than this play");
}

int ofw_state_next(const ofw_state *state, size_t *at, ofw_state_item *item)
{
  reader r = {state->bytes + *at, state->size - *at, 0, NULL};
  uint64_t length, count;
  const unsigned char *name, *words;
  if (!take_number(&r, &length) || !(name = take(&r, length)) || !take_number(&r, &count) || count > SIZE_MAX / 16 ||
      !(words = take(&r, count * 8)))
    return 0;
  *item = (ofw_state_item){(const char *)name, (size_t)length, (size_t)count, words};
  *at = state->size - r.left;
  return 1;
}
