/* include.c — from the file that was named down to the one that includes no other, and back, each over the one before
 *
 * Each file is read twice: once for what it includes, alone, and once onto what it includes. So an error is that of the file in which
 * it stands, and the texts that all keys point into are those of one lab_ini.
 */
#include "lab/include.h"

#include "base/limits.h"

#include <stdlib.h>
#include <string.h>

/* The files by their depth: file[0] is the one that was named. */
typedef struct chain {
  char *file[OFW_MOST_INCLUDED + 1], *text[OFW_MOST_INCLUDED + 1];
  size_t n;
} chain;

static void free_chain(chain *c)
{
  for (size_t i = 0; i <= OFW_MOST_INCLUDED; i++) {
    free(c->file[i]);
    free(c->text[i]);
  }
}

/* ---- down ---- */

/* The file that `by` includes. */
static ofw_status follow(chain *c, const lab_library *library, const lab_entry *by, ofw_error *err)
{
  ofw_error why = {0};
  size_t k = c->n;
  if (k > OFW_MOST_INCLUDED)
    return lab_ini_refuse(by->spot, err, "include: files are nested more than %d deep", OFW_MOST_INCLUDED);
  if (library->read(library->ctx, c->file[k - 1], by->value, &c->file[k], &c->text[k], &why) != OFW_OK)
    return lab_ini_pass_on(by->spot, &why, err);
  for (size_t i = 0; i < k; i++)
    if (strcmp(c->file[i], c->file[k]) == 0)
      return lab_ini_refuse(by->spot, err, "include: %.200s includes itself", c->file[k]);
  c->n++;
  return OFW_OK;
}

static ofw_status read_chain(chain *c, const lab_library *library, const char *name, ofw_error *err)
{
  ofw_status st = library->read(library->ctx, NULL, name, &c->file[0], &c->text[0], err);
  int more = st == OFW_OK;
  for (c->n = 1; st == OFW_OK && more;) {
    lab_ini alone = {0};
    st = lab_ini_add(&alone, c->file[c->n - 1], c->text[c->n - 1], err);
    more = alone.include.key != NULL;
    if (st == OFW_OK && more)
      st = follow(c, library, &alone.include, err);
    lab_ini_free(&alone);
  }
  return st;
}

/* ---- the whole as one text ---- */

/* No blank before a value that begins with ';', which would make it a comment. */
static void print_section(const lab_section *s, ofw_text *out)
{
  ofw_text_add(out, "%s[%s%s%s]\n", out->length ? "\n" : "", s->kind, *s->label ? " " : "", s->label);
  for (size_t i = 0; i < s->entries; i++)
    ofw_text_add(out, "%s =%s%s\n", s->entry[i].key, *s->entry[i].value == ';' ? "" : " ", s->entry[i].value);
}

static ofw_status print(const lab_ini *ini, const char *name, char **text, ofw_error *err)
{
  ofw_text out = {0};
  ofw_text_add(&out, "%s", "");
  for (size_t i = 0; i < ini->sections; i++)
    print_section(&ini->section[i], &out);
  ofw_status st =
      out.failed ? ofw_fail_memory(err, out.room)
      : out.length > OFW_MOST_EXPERIMENT
          ? ofw_fail(err, OFW_USAGE, "%.300s: more than %d bytes with its included files", name, OFW_MOST_EXPERIMENT)
          : OFW_OK;
  if (st != OFW_OK)
    free(out.chars);
  else
    *text = out.chars;
  return st;
}

ofw_status lab_ini_gather(lab_ini *ini, const lab_library *library, const char *name, char **text, ofw_error *err)
{
  chain c = {0};
  *text = NULL;
  ofw_status st = read_chain(&c, library, name, err);
  for (size_t i = c.n; i-- > 0 && st == OFW_OK;)
    st = lab_ini_add(ini, c.file[i], c.text[i], err);
  if (st == OFW_OK && c.n > 1)
    st = print(ini, name, text, err);
  else if (st == OFW_OK) {
    *text = c.text[0];
    c.text[0] = NULL;
  }
  free_chain(&c);
  return st;
}
