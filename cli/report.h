/* report.h — the parts of the page of 'ofw report' */
#pragma once

#include "readings.h"

/* The page, made by the build from web/report; the document stands in the place of REPORT_MARK. */
extern const char report_page[];
#define REPORT_MARK "@data@"

/* The page of the results in that file or folder; with readings, if there are any to lay side by side (NULL: none). 0, or an
 * exit code after a complaint. */
int report_write(const command *self, const char *from, const char *page, const readings *all);

/* The streams of n arms, each once, with what their options mean; report_streams.c says what is in it. */
void report_streams(json *j, const results_arm *arm, size_t n);
/* The results as one JSON document; report_data.c says what is in it. `self` warns. */
ofw_status report_document(json *j, const command *self, results *from, const readings *all, ofw_error *err);
