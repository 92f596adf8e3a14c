#include "persist/state.h"

#include <stdlib.h>
#include <string.h>

/*     0  "ofwstate"
 *     8  version, 8 bytes like every number here
 *    16  fingerprint of the configuration
 *    24  bytes that follow the header
 *    32  checksum of them
 *    40  items: length of name, name padded to 8, count of words, words
 */
enum { VERSION = 2, HEADER = 40 };
static const char magic[] = "ofwstate";

void ofw_state_free(ofw_state *state)
{
  if (!state)
    return;
  free(state->bytes);
  *state = (ofw_state){0};
}

/* FNV-1a over the configurations, one after the other. */
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

/* Every step is one to one in the hash and in the word, so no change of one word can go unseen; the shift brings the upper
 * bits, where signs are, into all others. */
uint64_t ofw_state_sum(const unsigned char *bytes, size_t n)
{
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i + 8 <= n; i += 8) {
    uint64_t word;
    memcpy(&word, bytes + i, sizeof word);
    hash = (hash ^ word) * 1099511628211u;
    hash ^= hash >> 32;
  }
  return hash;
}

static size_t padded(size_t n)
{
  return (n + 7) / 8 * 8;
}

/* ---- writing ---- */

typedef struct writer {
  unsigned char *bytes;
  size_t size, room;
} writer;

static ofw_status put(writer *w, const void *bytes, size_t n)
{
  size_t need = w->size + padded(n);
  if (need > w->room) {
    unsigned char *grown = realloc(w->bytes, 2 * need);
    if (!grown)
      return OFW_FAILED;
    w->bytes = grown;
    w->room = 2 * need;
  }
  memset(w->bytes + w->size, 0, padded(n));
  if (n > 0)
    memcpy(w->bytes + w->size, bytes, n);
  w->size = need;
  return OFW_OK;
}

static ofw_status put_number(writer *w, uint64_t x)
{
  return put(w, &x, sizeof x);
}

static ofw_status write_words(void *ctx, const char *name, void *item, size_t n)
{
  writer *w = ctx;
  OFW_TRY(put_number(w, strlen(name)));
  OFW_TRY(put(w, name, strlen(name)));
  OFW_TRY(put_number(w, n));
  return put(w, item, n * 8);
}

ofw_status ofw_state_save(const ofw_saved *part, size_t n, ofw_state *state, ofw_error *err)
{
  writer w = {0};
  ofw_visitor v = {write_words, &w};
  uint64_t head[4] = {VERSION, fingerprint(part, n)};
  ofw_status st = put(&w, magic, 8);
  if (st == OFW_OK)
    st = put(&w, head, sizeof head);
  for (size_t i = 0; i < n && st == OFW_OK; i++)
    st = part[i].visit(part[i].object, &v);
  if (st != OFW_OK) {
    free(w.bytes);
    return ofw_fail(err, st, "the state could not be saved: out of memory");
  }
  head[2] = w.size - HEADER;
  head[3] = ofw_state_sum(w.bytes + HEADER, w.size - HEADER);
  memcpy(w.bytes + 8, head, sizeof head);
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
    return NULL;
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

static ofw_status read_words(void *ctx, const char *name, void *item, size_t n)
{
  reader *r = ctx;
  uint64_t length, count;
  const unsigned char *text, *words = NULL;
  if (!take_number(r, &length) || !(text = take(r, length)) || !take_number(r, &count))
    return ofw_fail(r->err, OFW_BAD_DATA, "the state ends before %s", name);
  if (length != strlen(name) || memcmp(text, name, length) != 0)
    return ofw_fail(r->err, OFW_BAD_DATA, "the state holds '%.*s' where %s belongs", (int)(length < 64 ? length : 64),
                    (const char *)text, name);
  if (count != n)
    return ofw_fail(r->err, OFW_BAD_DATA, "the state holds %llu numbers for %s, not %zu", (unsigned long long)count,
                    name, n);
  words = take(r, n * 8);
  if (!words)
    return ofw_fail(r->err, OFW_BAD_DATA, "the state ends within %s", name);
  if (r->copy && n > 0)
    memcpy(item, words, n * 8);
  return OFW_OK;
}

/* That the state is whole; head is what stands in it after the magic. */
static ofw_status check_whole(const ofw_state *state, uint64_t head[4], ofw_error *err)
{
  if (!state->bytes || state->size < HEADER || memcmp(state->bytes, magic, 8) != 0)
    return ofw_fail(err, OFW_BAD_DATA, "not a saved state");
  memcpy(head, state->bytes + 8, 4 * sizeof *head);
  if (head[0] != VERSION)
    return ofw_fail(err, OFW_BAD_DATA, "a state of version %llu, not %d", (unsigned long long)head[0], VERSION);
  if (head[2] != state->size - HEADER)
    return ofw_fail(err, OFW_BAD_DATA, "a state of %llu bytes, of which %zu are here", (unsigned long long)head[2],
                    state->size - HEADER);
  if (head[3] != ofw_state_sum(state->bytes + HEADER, state->size - HEADER))
    return ofw_fail(err, OFW_BAD_DATA, "the state is damaged: its checksum is wrong");
  return OFW_OK;
}

int ofw_state_first(const ofw_state *state, const char *name, uint64_t *out)
{
  uint64_t head[4];
  if (check_whole(state, head, NULL) != OFW_OK)
    return 0;
  reader r = {state->bytes + HEADER, state->size - HEADER, 1, NULL};
  return read_words(&r, name, out, 1) == OFW_OK;
}

static ofw_status walk(const ofw_saved *part, size_t n, const ofw_state *state, int copy, ofw_error *err)
{
  reader r = {state->bytes + HEADER, state->size - HEADER, copy, err};
  ofw_visitor v = {read_words, &r};
  for (size_t i = 0; i < n; i++)
    OFW_TRY(part[i].visit(part[i].object, &v));
  return r.left == 0 ? OFW_OK : ofw_fail(err, OFW_BAD_DATA, "the state goes on after its end");
}

ofw_status ofw_state_load(const ofw_saved *part, size_t n, const ofw_state *state, ofw_error *err)
{
  uint64_t head[4];
  OFW_TRY(check_whole(state, head, err));
  if (head[1] != fingerprint(part, n))
    return ofw_fail(err, OFW_BAD_DATA, "a state saved under another configuration");
  OFW_TRY(walk(part, n, state, 0, err));
  return walk(part, n, state, 1, err);
}
