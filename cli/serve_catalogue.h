/* serve_catalogue.h — what sessions of 'ofw serve' can be made of, as JSON */
#pragma once

#include "cli.h"

/* {"learners":[..],"domains":[..],"settings":[..]}, with the texts of 'ofw list --json'; to be freed. NULL: no memory. */
char *serve_catalogue(void);
