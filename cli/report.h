/* report.h — what the page of 'ofw report' is made of */
#pragma once

#include "cli.h"

#include "lab/results.h"

/* The page, made by the build from web/report; the document stands in the place of REPORT_MARK. */
extern const char report_page[];
#define REPORT_MARK "@data@"

/* The page of the results in that file. 0, or an exit code after a complaint. */
int report_write(const command *self, const char *results_file, const char *page);

/* The results as one JSON document; report_data.c says what is in it. `self` warns. */
ofw_status report_document(json *j, const command *self, results *from, ofw_error *err);
