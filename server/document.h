/* document.h — the JSON document that a session is made from
 *
 *     {"learner":"ofw-tvc","domain":"l1-ball:dim=4","options":{"horizon":100,"sigma":"line-search"},"seed":3,
 *      "name":"any text","state":"a checkpoint in base64"}
 *
 * It comes from anybody: names are names, no text names a file of the server, and only what is listed here may be there.
 */
#pragma once

#include "server/session.h"

typedef struct document {
  session_spec spec;
  unsigned char *state; /* the bytes of a checkpoint file; NULL: none */
  size_t state_size;
} document;

/* OFW_BAD_DATA and a message. On failure nothing has to be freed. */
ofw_status document_read(const char *text, size_t length, document *out, ofw_error *err);
void document_free(document *d);
/* The same document of a session with this state, for another server. */
ofw_status document_print(const session_spec *spec, const unsigned char *state, size_t size, ofw_text *out,
                          ofw_error *err);
