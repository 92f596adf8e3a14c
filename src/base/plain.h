/* plain.h — texts from outside that are to be shown: UTF-8 without control characters
 *
 * A control character in a name can end a line of a script, move a terminal's cursor, or make an SVG file invalid. So it is
 * refused when a text is read, and replaced when a text is made of what another program said.
 */
#pragma once

#include <stddef.h>

/* Bytes of the character that begins at `at`, 1 to 4. 0: the end; no character of UTF-8; a control character (U+0000 to
 * U+001F, U+007F to U+009F); U+FFFE or U+FFFF, which XML does not allow. */
size_t ofw_plain_length(const char *at);
/* Where the text stops being plain: at its end, or at the first byte of what is neither plain nor one of the characters in
 * `but`. */
const char *ofw_plain_end(const char *text, const char *but);
/* Every byte that is not part of a plain character or in `but` becomes '?'. NULL is accepted. */
void ofw_make_plain(char *text, const char *but);
