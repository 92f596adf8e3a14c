/* session_id.c — a session's name is drawn and recognised */
#include "server/session_id.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

int session_id_fits(const char *text)
{
  return strspn(text, "0123456789abcdef") == SESSION_ID && text[SESSION_ID] == 0;
}

ofw_status session_id_draw(char id[SESSION_ID + 1], ofw_error *err)
{
  uint64_t bits;
  if (getrandom(&bits, sizeof bits, 0) != (ssize_t)sizeof bits)
    return ofw_fail(err, OFW_FAILED, "no random numbers: %s", strerror(errno));
  snprintf(id, SESSION_ID + 1, "%016" PRIx64, bits);
  return OFW_OK;
}
