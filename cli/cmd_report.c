/* cmd_report.c — ofw report: the results of a sweep as one page that needs nothing else */
#include "phase.h"
#include "report.h"
#include "shown.h"
#include "whole_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const option_id report_options[] = {OPT_OUTPUT_FILE, OPT_JSON, OPT_QUIET, OPT_HELP, OPTIONS};

/* The document as text, which free() returns. */
static ofw_status make_document(const command *self, const char *path, const readings *all, char **out, ofw_error *err)
{
  results *from = NULL;
  size_t length = 0;
  OFW_TRY(results_open(path, &from, err));
  json j = {.out = open_memstream(out, &length)};
  ofw_status st = j.out ? report_document(&j, self, from, all, err) : ofw_fail_memory(err, 1);
  if (j.out && fclose(j.out) != 0 && st == OFW_OK)
    st = ofw_fail_memory(err, length);
  results_close(from);
  return st;
}

/* Within a script element, which the text "</script" would end: in JSON a '<' stands in strings alone. */
static void put_embedded(FILE *out, const char *document)
{
  for (; *document; document++)
    if (*document == '<')
      fputs("\\u003c", out);
    else
      fputc(*document, out);
}

static int write_page(const command *self, const char *path, const char *document)
{
  const char *mark = strstr(report_page, REPORT_MARK);
  if (!mark)
    return complain(self, EXIT_USAGE, "this ofw was built without reports; build it with -DOFW_REPORT=ON");
  FILE *out;
  int code = open_result(self, path, &out);
  if (code)
    return code;
  fwrite(report_page, 1, (size_t)(mark - report_page), out);
  put_embedded(out, document);
  fputs(mark + strlen(REPORT_MARK), out);
  return close_result(self, path, out);
}

int report_write(const command *self, const char *path, const char *page, const readings *all)
{
  ofw_error err = {0};
  char *document = NULL;
  int code =
      make_document(self, path, all, &document, &err) == OFW_OK ? write_page(self, page, document) : refuse(self, &err);
  free(document);
  return code;
}

static void print_page(const arguments *args, const char *page)
{
  json j = {0};
  if (!args->value[OPT_JSON]) {
    print_written(page);
    return;
  }
  json_open(&j, NULL);
  json_text(&j, "page", page);
  json_close(&j);
  putchar('\n');
}

int report_main(const command *self, const arguments *args)
{
  struct stat about;
  if (args->words == 0)
    return complain(self, EXIT_USAGE, "FILE or DIR is missing; see 'ofw help report'");
  const char *word = args->word[0], *output = args->value[OPT_OUTPUT_FILE], *slash = strrchr(word, '/');
  int is_folder = stat(word, &about) == 0 && S_ISDIR(about.st_mode);
  char *page = output      ? ofw_format("%s", output)
               : is_folder ? ofw_format("%s/report.html", word)
                           : ofw_format("%.*sreport.html", slash ? (int)(slash + 1 - word) : 0, word);
  phase_begin(self, args, "the page is not written", "reading %s", word);
  int code = page ? report_write(self, word, page, NULL) : no_memory(self);
  phase_end();
  if (!code)
    print_page(args, page);
  free(page);
  return code;
}
