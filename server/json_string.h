/* json_string.h — a text of JSON as it is meant: escapes resolved, UTF-8, no control characters */
#pragma once

#include "wire/cursor.h"

/* The text at the cursor, to be freed by the caller, also if it is refused; what *out held before is freed. A field's text is
 * refused if it is no UTF-8 or has control characters. */
ofw_status json_string_read(ofw_cursor *c, char **out);
