/* fields.h — a struct's state as a table of its fields, and the one walk over such tables
 *
 * Names and order of the rows are the format of saved states. Every field is words of 8 bytes: a double, a uint64_t, or an
 * int that is 0 or 1.
 */
#pragma once

#include "base/visitor.h"

typedef struct ofw_field {
  const char *name; /* NULL: the table ends here */
  size_t offset;    /* in the struct */
  enum { OFW_FIELD_WORD, OFW_FIELD_FLAG, OFW_FIELD_ARRAY } kind;
  size_t words; /* OFW_FIELD_ARRAY, which the struct points to: the offset of a size_t, its length */
} ofw_field;

/* What a row holds, in braces; OFW_SAME is a word by the name of its member. */
#define OFW_WORD(name, type, member)         name, offsetof(type, member), OFW_FIELD_WORD, 0
#define OFW_SAME(type, member)               OFW_WORD(#member, type, member)
#define OFW_FLAG(name, type, member)         name, offsetof(type, member), OFW_FIELD_FLAG, 0
#define OFW_ARRAY(name, type, member, words) name, offsetof(type, member), OFW_FIELD_ARRAY, offsetof(type, words)

/* Visits the fields in order; an array that is NULL is not there. No table, no fields. */
ofw_status ofw_visit_fields(const ofw_field *field, void *object, ofw_visitor *v);
