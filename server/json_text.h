/* json_text.h — any bytes as a text of JSON */
#pragma once

#include "base/basics.h"

/* With its quotes. Control characters are escaped; a byte that is in no character of UTF-8 becomes U+FFFD. */
void json_text_add(ofw_text *out, const char *text);
