/* facts.h — output of 'ofw info' and 'ofw check': one name and value per line, or one JSON object */
#pragma once

#include "cli.h"

/* Without a json they are lines. */
void facts_begin(json *j, const char *kind);
void facts_text(json *j, const char *key, const char *text);
void facts_count(json *j, const char *key, uint64_t n);
void facts_real(json *j, const char *key, double x);
void facts_end(json *j);

/* What a file is, by its first bytes. */
typedef enum file_kind { FILE_UNKNOWN, FILE_LOG, FILE_CHECKPOINT, FILE_DATABASE } file_kind;
/* 0, or an exit code after a complaint: it cannot be read. */
int find_file_kind(const command *self, const char *path, file_kind *out);
