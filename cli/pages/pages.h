/* pages.h — ofw-pages: the manual and the shell completions, written from the program's own tables
 *
 * What is in a table (commands, options, registered parts, trace columns) is generated. What is not stands in
 * templates, docs/man for the manual and ofw.bash, ofw.zsh, ofw.fish here; a line "@name" in one is replaced by
 * generated text.
 */
#pragma once

#include "../cli.h"

#include <stdio.h>

/* 1, or 0 after a message. */
int write_manual(const char *templates, const char *folder);
int write_completions(const char *templates, const char *folder);

/* A file of the folder; NULL after a message, or without one if it may be missing. */
FILE *open_file(const char *folder, const char *name, const char *mode, int may_be_missing);
/* 0 after a message if something could not be written. */
int close_file(FILE *file, const char *name);

/* Copies a template; `mark` writes what stands for a line "@name" and returns 0 if it knows none of that name. 0
 * after a message. */
typedef int (*mark_writer)(FILE *out, const char *name, void *ctx);
int expand(FILE *out, FILE *template, mark_writer mark, void *ctx);

/* scdoc's language: the text as it is, also if it begins a line; with options bold and PLACEHOLDERS underlined; in
 * paragraphs, lines that begin with a blank set as they are. */
void scd_text(FILE *out, const char *text);
void scd_usage(FILE *out, const char *text);
void scd_paragraphs(FILE *out, const char *text);

/* How a shell's script holds a row: what may stand at a path such as "domains/box". */
typedef struct shell {
  const char *name, *file;
  const char *begin, *middle, *end; /* the path stands between begin and middle, the items between middle and end */
  const char *quote, *escape;       /* what stands for a single quote; what takes a backslash before it in a word */
  const char *between;              /* a word and its help; NULL: help is not shown */
  int plain_help;                   /* 1: it may be missing, and nothing in it takes a backslash */
} shell;
const shell *find_shell(const char *name); /* NULL: there is none */
void put_item(FILE *out, const shell *s, const char *word, const char *help);
