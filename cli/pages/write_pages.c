/* write_pages.c — ofw-pages man TEMPLATES FOLDER | completion TEMPLATES FOLDER | quote scd|bash|zsh|fish TEXT
 *
 * The first two write every file of the folder again; write-pages runs them in the build. The last shows how one text
 * is written, so that tests can read back any text there may ever be in a table.
 */
#include "pages.h"

#include <string.h>

static int quote(const char *language, const char *text)
{
  const shell *s = find_shell(language);
  if (s)
    put_item(stdout, s, text, text);
  else if (strcmp(language, "scd") == 0)
    scd_text(stdout, text);
  else
    return 0;
  putchar('\n');
  return 1;
}

int main(int argc, char **argv)
{
  if (argc == 4 && strcmp(argv[1], "man") == 0)
    return write_manual(argv[2], argv[3]) ? EXIT_OK : EXIT_FAILED;
  if (argc == 4 && strcmp(argv[1], "completion") == 0)
    return write_completions(argv[2], argv[3]) ? EXIT_OK : EXIT_FAILED;
  if (argc == 4 && strcmp(argv[1], "quote") == 0 && quote(argv[2], argv[3]))
    return EXIT_OK;
  fputs("usage: ofw-pages man|completion TEMPLATES FOLDER\n       ofw-pages quote scd|bash|zsh|fish TEXT\n", stderr);
  return EXIT_USAGE;
}
