/* session_id.h — the name of a session: 16 digits of base 16, drawn at random, never used twice */
#pragma once

#include "base/basics.h"

enum { SESSION_ID = 16 };

/* 1: this is one, and nothing follows it. */
int session_id_fits(const char *text);
/* Draws one. */
ofw_status session_id_draw(char id[SESSION_ID + 1], ofw_error *err);
