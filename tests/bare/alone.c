/* alone.c — a program against a library that was built with nothing but what it must have: it plays, and is told what is not there */
#include <ofw/domain.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
  ofw_error err = {0};
  ofw_domain *hull = ofw_domain_create("hull:points=(0 0;1 0;0 2)", &err);
  if (!hull) {
    fprintf(stderr, "alone: a hull needs no linear program, but: %s\n", err.message);
    return 1;
  }
  ofw_domain_free(hull);
  ofw_domain *none = ofw_domain_create("polytope:rows=(x1<=1;x1>=0)", &err);
  printf("polytope: %s\n", err.message);
  return !none && err.status == OFW_UNSUPPORTED && strstr(err.message, "built without CLP") ? 0 : 1;
}
