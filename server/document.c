/* document.c — a session's document is read and checked, and written */
#include "server/document.h"

#include "server/json_string.h"
#include "server/json_text.h"

#include "wire/cursor.h"

#include <inttypes.h>
#include <nettle/base64.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LEARNER, DOMAIN, OPTIONS, SEED, NAME, STATE, FIELDS };
static const char *const field_names[] = {"learner", "domain", "options", "seed", "name", "state"};

void document_free(document *d)
{
  session_spec_free(&d->spec);
  free(d->state);
  *d = (document){0};
}

/* ---- checks ---- */

static int is_name(const char *text)
{
  return text[0] && !text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")];
}

/* A text with an '@' may name a file of the server; outside parentheses a comma would begin another option. */
static ofw_status check_value(const ofw_cursor *c, const char *text, int commas)
{
  int depth = 0;
  for (const char *at = text; *at; at++) {
    depth += *at == '(' ? 1 : *at == ')' ? -1 : 0;
    if (*at == '@')
      return ofw_fail(c->err, OFW_BAD_DATA, "%s: files (@FILE) cannot be read over HTTP; write their lines as (a;b;..)",
                      c->field);
    if (depth < 0 || (*at == ',' && depth == 0 && !commas))
      return ofw_fail(c->err, OFW_BAD_DATA, "%s: expected one value, found '%.100s'", c->field, text);
  }
  return depth == 0 ? OFW_OK : ofw_fail(c->err, OFW_BAD_DATA, "%s: a parenthesis is not closed", c->field);
}

/* ---- fields ---- */

static ofw_status read_learner(ofw_cursor *c, document *d)
{
  OFW_TRY(json_string_read(c, &d->spec.learner));
  return is_name(d->spec.learner) ? OFW_OK
                                  : ofw_fail(c->err, OFW_BAD_DATA,
                                             "learner: expected a name without options, found '%.100s'; options are "
                                             "a field of their own",
                                             d->spec.learner);
}

static ofw_status read_domain(ofw_cursor *c, document *d)
{
  OFW_TRY(json_string_read(c, &d->spec.domain));
  return check_value(c, d->spec.domain, 1);
}

static ofw_status read_name(ofw_cursor *c, document *d)
{
  OFW_TRY(json_string_read(c, &d->spec.name));
  return strlen(d->spec.name) <= SESSION_NAME
             ? OFW_OK
             : ofw_fail(c->err, OFW_BAD_DATA, "name: more than %d bytes", SESSION_NAME);
}

static ofw_status read_seed(ofw_cursor *c, document *d)
{
  size_t seed;
  OFW_TRY(ofw_cursor_index(c, "the seed", &seed));
  d->spec.seed = seed;
  return OFW_OK;
}

/* The value of an option as a text to be freed, and at the end of the JSON. */
static ofw_status read_value(ofw_cursor *c, char **value, ofw_text *json)
{
  double x;
  if (ofw_cursor_next_is(c, '"')) {
    OFW_TRY(json_string_read(c, value));
    json_text_add(json, *value);
    return OFW_OK;
  }
  const char *begin = c->at;
  OFW_TRY(ofw_cursor_number(c, &x));
  *value = ofw_format("%.*s", (int)(c->at - begin), begin);
  ofw_text_add(json, "%s", *value ? *value : "");
  return *value ? OFW_OK : ofw_fail_memory(c->err, 64);
}

/* Settings that a session cannot have. */
static ofw_status check_option(const ofw_cursor *c, const char *key)
{
  static const struct {
    const char *key, *why;
  } refused[] = {{"seed", "is a field of its own"}, {"threads", "cannot be set: the server has its own threads"}};
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
    if (strcmp(key, refused[k].key) == 0)
      return ofw_fail(c->err, OFW_BAD_DATA, "options: '%s' %s", key, refused[k].why);
  return OFW_OK;
}

static ofw_status read_option(ofw_cursor *c, ofw_text *json, ofw_text *pairs)
{
  char key[OFW_LONGEST_KEY + 1], *value = NULL;
  OFW_TRY(ofw_cursor_key(c, key));
  if (!is_name(key))
    return ofw_fail(c->err, OFW_BAD_DATA, "options: expected the name of an option, found '%s'", key);
  OFW_TRY(check_option(c, key));
  ofw_text_add(json, "%s\"%s\":", json->length > 1 ? "," : "", key);
  ofw_status st = read_value(c, &value, json);
  if (st == OFW_OK)
    st = check_value(c, value, 0);
  if (st == OFW_OK)
    ofw_text_add(pairs, "%s%s=%s", pairs->length ? "," : "", key, value);
  free(value);
  return st;
}

static ofw_status read_options(ofw_cursor *c, document *d)
{
  ofw_text json = {0}, pairs = {0};
  ofw_status st = OFW_OK;
  ofw_text_add(&json, "{");
  ofw_text_add(&pairs, "%s", "");
  if (!ofw_cursor_accept(c, '{'))
    st = ofw_cursor_refuse(c, "an object");
  else if (!ofw_cursor_next_is(c, '}'))
    do
      st = read_option(c, &json, &pairs);
    while (st == OFW_OK && ofw_cursor_accept(c, ','));
  if (st == OFW_OK && !ofw_cursor_accept(c, '}'))
    st = ofw_cursor_refuse(c, "a comma or }");
  ofw_text_add(&json, "}");
  if (st == OFW_OK && (json.failed || pairs.failed))
    st = ofw_fail_memory(c->err, json.length);
  d->spec.options = json.chars;
  d->spec.pairs = pairs.chars;
  return st;
}

static ofw_status read_state(ofw_cursor *c, document *d)
{
  struct base64_decode_ctx ctx;
  char *text = NULL;
  ofw_status st = json_string_read(c, &text);
  if (st != OFW_OK) {
    free(text);
    return st;
  }
  size_t length = strlen(text);
  base64_decode_init(&ctx);
  d->state = malloc(BASE64_DECODE_LENGTH(length) + 1);
  int fits = d->state && base64_decode_update(&ctx, &d->state_size, d->state, length, text) &&
             base64_decode_final(&ctx) && d->state_size > 0;
  free(text);
  if (!d->state)
    return ofw_fail_memory(c->err, length);
  return fits ? OFW_OK : ofw_fail(c->err, OFW_BAD_DATA, "state: expected a checkpoint in base64");
}

static ofw_status (*const readers[FIELDS])(ofw_cursor *c, document *d) = {read_learner, read_domain, read_options,
                                                                          read_seed,    read_name,   read_state};

static ofw_status read_fields(ofw_cursor *c, document *d)
{
  int seen = 0, which;
  do {
    c->field = NULL;
    OFW_TRY(ofw_cursor_field(c, field_names, FIELDS, &which));
    if (seen >> which & 1)
      return ofw_fail(c->err, OFW_BAD_DATA, "field '%s' appears twice", field_names[which]);
    seen |= 1 << which;
    c->field = field_names[which];
    OFW_TRY(readers[which](c, d));
  } while (ofw_cursor_accept(c, ','));
  return OFW_OK;
}

/* What was left out. */
static ofw_status complete(document *d, ofw_error *err)
{
  session_spec *spec = &d->spec;
  if (!spec->learner || !spec->domain)
    return ofw_fail(err, OFW_BAD_DATA, "field '%s' is missing", spec->learner ? "domain" : "learner");
  spec->name = spec->name ? spec->name : ofw_copy_text("");
  spec->options = spec->options ? spec->options : ofw_copy_text("{}");
  spec->pairs = spec->pairs ? spec->pairs : ofw_copy_text("");
  spec->created = (int64_t)time(NULL);
  return spec->name && spec->options && spec->pairs ? OFW_OK : ofw_fail_memory(err, 64);
}

ofw_status document_read(const char *text, size_t length, document *out, ofw_error *err)
{
  ofw_cursor c;
  ofw_ndjson room = {0};
  int empty = 0;
  *out = (document){.spec = {.seed = 1}};
  ofw_status st = ofw_cursor_open(&c, &room, text, length, err, &empty);
  if (st == OFW_OK && !empty)
    st = read_fields(&c, out);
  if (st == OFW_OK)
    st = ofw_cursor_close(&c);
  if (st == OFW_OK)
    st = complete(out, err);
  ofw_ndjson_free(&room);
  if (st != OFW_OK)
    document_free(out);
  return st;
}

/* ---- writing ---- */

ofw_status document_print(const session_spec *spec, const unsigned char *state, size_t size, ofw_text *out,
                          ofw_error *err)
{
  size_t length = BASE64_ENCODE_RAW_LENGTH(size);
  ofw_text_add(out, "{\"learner\":");
  json_text_add(out, spec->learner);
  ofw_text_add(out, ",\"domain\":");
  json_text_add(out, spec->domain);
  ofw_text_add(out, ",\"options\":%s,\"seed\":%" PRIu64 ",\"name\":", spec->options, spec->seed);
  json_text_add(out, spec->name);
  ofw_text_add(out, ",\"state\":\"");
  if (out->failed || ofw_grow(&out->chars, out->length, length + 16, &out->room, 1, err) != OFW_OK)
    return ofw_fail_memory(err, length);
  base64_encode_raw(out->chars + out->length, size, state);
  out->length += length;
  ofw_text_add(out, "\"}\n");
  return out->failed ? ofw_fail_memory(err, length) : OFW_OK;
}
