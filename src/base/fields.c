/* fields.c — the walk over a table of fields
 *
 * Saving, checking and loading are the visitor's business: a walk only says which variables there are and where.
 */
#include "base/fields.h"

#include "base/basics.h"

/* An int is not of 8 bytes: the visitor sees a copy. */
static ofw_status visit_flag(const char *name, int *flag, ofw_visitor *v)
{
  uint64_t word = *flag != 0;
  OFW_TRY(ofw_visit_u64(v, name, &word, 1));
  *flag = word != 0;
  return OFW_OK;
}

static ofw_status visit_field(const ofw_field *field, char *object, ofw_visitor *v)
{
  void *at = object + field->offset;
  if (field->kind == OFW_FIELD_FLAG)
    return visit_flag(field->name, at, v);
  if (field->kind == OFW_FIELD_WORD)
    return v->words(v->ctx, field->name, at, 1);
  void *array = *(void **)at;
  return array ? v->words(v->ctx, field->name, array, *(size_t *)(void *)(object + field->words)) : OFW_OK;
}

ofw_status ofw_visit_fields(const ofw_field *field, void *object, ofw_visitor *v)
{
  for (; field && field->name; field++)
    OFW_TRY(visit_field(field, object, v));
  return OFW_OK;
}
