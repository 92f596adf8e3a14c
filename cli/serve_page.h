/* serve_page.h — the page of 'ofw serve', made by the build from web/serve */
#pragma once

extern const char serve_page[]; /* "": built without it */
