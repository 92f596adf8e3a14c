/* stream.c — a stream's handle: made from a spec or from a caller's functions, checked, asked, freed */
#include "stream/generator.h"

#include <stdio.h>
#include <stdlib.h>

size_t ofw_stream_types(void)
{
  return ofw_stream_kinds_count;
}

const ofw_type *ofw_stream_type(size_t i)
{
  return i < ofw_stream_kinds_count ? &ofw_stream_kinds[i]->type : NULL;
}

static ofw_stream *alloc(const ofw_domain *K, ofw_error *err)
{
  ofw_stream *s = calloc(1, sizeof *s);
  if (!s) {
    ofw_fail_memory(err, sizeof *s);
    return NULL;
  }
  s->K = K ? ofw_domain_keep(K) : NULL;
  s->gradients = 1;
  return s;
}

static ofw_status describe(ofw_stream *s, const ofw_stream_kind *kind, ofw_options o, ofw_error *err)
{
  ofw_text text = {0};
  ofw_text_add(&text, "stream=%s rounds=%llu seed=%llu", kind->type.name, (unsigned long long)s->rounds,
               (unsigned long long)s->seed);
  ofw_options_print(o, &text);
  ofw_text_add(&text, "%s", s->facts);
  s->config = text.chars;
  return text.failed ? ofw_fail_memory(err, text.length) : OFW_OK;
}

static ofw_status build_data(ofw_stream *s, const ofw_stream_kind *kind, void *options, ofw_error *err)
{
  if (!s->K && !kind->brings_domain)
    return ofw_fail(err, OFW_USAGE, "%s: the stream needs a domain", kind->type.name);
  if (s->ranks && (!kind->shares || (s->K && !s->K->split)))
    return ofw_fail(err, OFW_UNSUPPORTED, "%s: ranks share matrix-completion over trace-ball alone", kind->type.name);
  s->data = calloc(1, kind->data_size);
  if (!s->data)
    return ofw_fail_memory(err, kind->data_size);
  s->ops = kind->ops;
  return kind->build(s, options, err);
}

static ofw_status build(ofw_stream *s, const ofw_stream_kind *kind, const char *pairs, ofw_error *err)
{
  ofw_options o;
  ofw_status st = ofw_options_make(&kind->type, pairs, &o, err);
  if (st == OFW_OK)
    st = build_data(s, kind, o.values, err);
  if (st == OFW_OK)
    st = describe(s, kind, o, err);
  ofw_options_drop(&o);
  return st;
}

ofw_stream *ofw_stream_create(const char *spec, const ofw_domain *K, uint64_t rounds, uint64_t seed, ofw_error *err)
{
  return ofw_stream_create_shared(NULL, spec, K, rounds, seed, err);
}

ofw_stream *ofw_stream_create_shared(const ofw_ranks *ranks, const char *spec, const ofw_domain *K, uint64_t rounds,
                                     uint64_t seed, ofw_error *err)
{
  size_t length;
  const char *pairs = ofw_spec_split(spec, &length);
  int i = ofw_type_find(spec, length, ofw_stream_kinds_count, ofw_stream_type, "stream", err);
  if (i < 0)
    return NULL;
  ofw_stream *s = alloc(K, err);
  if (!s)
    return NULL;
  s->ranks = ranks;
  s->rounds = rounds;
  s->seed = seed;
  s->terms = OFW_TERMS_DENSE;
  if (build(s, ofw_stream_kinds[i], pairs, err) != OFW_OK) {
    ofw_stream_free(s);
    return NULL;
  }
  s->constants.terms = s->terms;
  return s;
}

void ofw_stream_free(ofw_stream *s)
{
  if (!s)
    return;
  if (s->ops && s->ops->destroy)
    s->ops->destroy(s->data);
  free(s->data);
  ofw_owned_free(&s->own);
  ofw_domain_free(s->K);
  free(s->config);
  free(s);
}

const ofw_domain *ofw_stream_domain(const ofw_stream *s)
{
  return s->K;
}

const ofw_constants *ofw_stream_constants(const ofw_stream *s)
{
  return &s->constants;
}

const char *ofw_stream_config(const ofw_stream *s)
{
  return s->config;
}

const char *ofw_stream_note(const ofw_stream *s)
{
  return s->note;
}

const char *ofw_stream_error(const ofw_stream *s)
{
  return s->err.message;
}

static ofw_status check_dim(ofw_stream *s, const ofw_point *x)
{
  size_t rows, cols;
  ofw_point_shape(x, &rows, &cols);
  if (rows * cols != s->K->dim)
    return ofw_fail(&s->err, OFW_USAGE, "the decision has dimension %zu, but the stream has %zu", rows * cols,
                    s->K->dim);
  return OFW_OK;
}

/* Reveal, comparator and target of one round share what is made for it. */
static ofw_status make_round(ofw_stream *s, uint64_t t)
{
  if (t < 1)
    return ofw_fail(&s->err, OFW_USAGE, "expected a round >= 1, found 0");
  if (s->ops->make && s->ready != t)
    s->ops->make(s, t);
  s->ready = t;
  return OFW_OK;
}

ofw_status ofw_stream_reveal(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_full *out)
{
  s->err = (ofw_error){0};
  OFW_TRY(make_round(s, t));
  OFW_TRY(check_dim(s, x));
  ofw_status st = s->ops->reveal(s, t, x, out);
  if (st == OFW_UNSUPPORTED && !s->err.message[0])
    return ofw_fail(&s->err, st, "the stream needs whole decisions, and %zu numbers are too many to write out",
                    s->K->dim);
  return st;
}

ofw_status ofw_stream_hint(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_hint *out)
{
  *out = (ofw_hint){0};
  return s->ops->hint ? s->ops->hint(s, t, x, out) : OFW_OK;
}

ofw_status ofw_stream_comparator(ofw_stream *s, uint64_t t, double *loss)
{
  OFW_TRY(make_round(s, t));
  return s->ops->comparator ? s->ops->comparator(s, t, loss) : OFW_UNSUPPORTED;
}

ofw_status ofw_stream_target(ofw_stream *s, uint64_t t, double *loss)
{
  OFW_TRY(make_round(s, t));
  return s->ops->target ? s->ops->target(s, t, loss) : OFW_UNSUPPORTED;
}

static ofw_status nothing_held_out(ofw_stream *s)
{
  return ofw_fail(&s->err, OFW_UNSUPPORTED, "the stream has no held-out data");
}

ofw_status ofw_stream_held_out(ofw_stream *s, const ofw_point *x, double *rmse)
{
  s->err = (ofw_error){0};
  OFW_TRY(check_dim(s, x));
  ofw_status st = s->ops->held_out ? s->ops->held_out(s, x, rmse) : OFW_UNSUPPORTED;
  return st == OFW_UNSUPPORTED ? nothing_held_out(s) : st;
}

ofw_status ofw_stream_held_out_baselines(ofw_stream *s, double *mean, double *item_mean)
{
  s->err = (ofw_error){0};
  ofw_status st = s->ops->held_out_baselines ? s->ops->held_out_baselines(s, mean, item_mean) : OFW_UNSUPPORTED;
  return st == OFW_UNSUPPORTED ? nothing_held_out(s) : st;
}

/* Everything else follows from the round's number. */
ofw_saved ofw_stream_saved(ofw_stream *s)
{
  return (ofw_saved){s, NULL, s->config};
}

ofw_status ofw_stream_make_trace_ball(ofw_stream *s, uint64_t rows, uint64_t cols, double radius, ofw_error *err)
{
  char spec[160], number[OFW_REAL_TEXT];
  ofw_error inner = {0};
  ofw_own_sets among = {.ranks = s->ranks};
  snprintf(spec, sizeof spec, "trace-ball:rows=%llu,cols=%llu,radius=%s", (unsigned long long)rows,
           (unsigned long long)cols, ofw_print_real(radius, number));
  s->K = ofw_domain_create_among(&among, spec, &inner);
  return s->K ? OFW_OK : ofw_fail(err, inner.status, "%s", inner.message);
}

/* ---- a caller's own ---- */

static ofw_status own_reveal(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_full *out)
{
  const ofw_stream_callbacks *own = s->data;
  int failed = own->reveal(own->ctx, t, x, out);
  return failed ? ofw_fail(&s->err, OFW_FAILED, "the stream's own reveal returned %d", failed) : OFW_OK;
}

static ofw_status own_hint(ofw_stream *s, uint64_t t, const ofw_point *x, ofw_hint *out)
{
  const ofw_stream_callbacks *own = s->data;
  int failed = own->hint ? own->hint(own->ctx, t, x, out) : 0;
  return failed ? ofw_fail(&s->err, OFW_FAILED, "the stream's own hint returned %d", failed) : OFW_OK;
}

static ofw_status own_comparator(ofw_stream *s, uint64_t t, double *loss)
{
  const ofw_stream_callbacks *own = s->data;
  if (!own->comparator)
    return OFW_UNSUPPORTED;
  int failed = own->comparator(own->ctx, t, loss);
  return failed ? ofw_fail(&s->err, OFW_FAILED, "the stream's own comparator returned %d", failed) : OFW_OK;
}

static const ofw_stream_ops own_ops = {.reveal = own_reveal, .hint = own_hint, .comparator = own_comparator};

ofw_stream *ofw_stream_create_own(const ofw_stream_callbacks *given, const ofw_domain *K, ofw_error *err)
{
  ofw_stream_callbacks own;
  if (ofw_take_sized(&own, sizeof own, given, "ofw_stream_callbacks", err) != OFW_OK)
    return NULL;
  if (!own.reveal || !K) {
    ofw_fail(err, OFW_USAGE, "own stream: reveal and a domain must be set");
    return NULL;
  }
  ofw_stream *s = alloc(K, err);
  ofw_stream_callbacks *copy = s ? malloc(sizeof *copy) : NULL;
  if (copy)
    s->config = ofw_copy_text("stream=own");
  if (!copy || !s->config) {
    free(copy);
    ofw_stream_free(s);
    ofw_fail_memory(err, sizeof *copy);
    return NULL;
  }
  *copy = own;
  s->ops = &own_ops;
  s->data = copy;
  s->constants = own.constants;
  s->terms = own.constants.terms;
  return s;
}
