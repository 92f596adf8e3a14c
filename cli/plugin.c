/* plugin.c — --plugin FILE: learners and sets from a shared object
 *
 * The file is looked at before any of it runs: whether it is there, is a shared object for this machine, and is whole. Its
 * checksum goes into the configuration of all that is played with it, and is taken again after it was loaded, so that it is
 * the checksum of what runs. What is loaded stays until the program ends.
 */
#include "cli.h"

#include "base/source.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#else
#define MACHINE EM_NONE /* not looked at */
#endif

/* ---- the file ---- */

/* What keeps these bytes from being a whole shared object of this machine; NULL: nothing. */
static const char *object_fault(const unsigned char *bytes, size_t size)
{
  Elf64_Ehdr head;
  if (size < sizeof head)
    return "it is too short for a shared object";
  memcpy(&head, bytes, sizeof head);
  if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
    return "it is not a shared object";
  if (head.e_ident[EI_CLASS] != ELFCLASS64 || (MACHINE != EM_NONE && head.e_machine != MACHINE))
    return "it is for another machine";
  if (head.e_type != ET_DYN)
    return "it is not a shared object; link it with -shared";
  if (head.e_phentsize != sizeof(Elf64_Phdr) || head.e_phoff > size ||
      (size_t)head.e_phnum * sizeof(Elf64_Phdr) > size - head.e_phoff)
    return "it is cut off or damaged";
  for (size_t i = 0; i < head.e_phnum; i++) {
    Elf64_Phdr part;
    memcpy(&part, bytes + head.e_phoff + i * sizeof part, sizeof part);
    if (part.p_type == PT_LOAD && (part.p_offset > size || part.p_filesz > size - part.p_offset))
      return "it is cut off or damaged";
  }
  return NULL;
}

/* The file's checksum, once it is found to be a shared object. 0, or an exit code after a complaint. */
static int look_at(const command *self, const char *path, uint32_t *content)
{
  struct stat about;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe without a writer must not hold it up */
  if (file < 0 || fstat(file, &about) != 0) {
    int why = errno;
    if (file >= 0)
      close(file);
    return complain(self, EXIT_FAILED, "--plugin %s: %s", path, strerror(why));
  }
  size_t size = S_ISREG(about.st_mode) && about.st_size > 0 ? (size_t)about.st_size : 0;
  void *bytes = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  close(file);
  if (bytes == MAP_FAILED)
    return complain(self, EXIT_BAD_DATA, "--plugin %s: %s", path,
                    S_ISREG(about.st_mode) ? "it is empty or cannot be read" : "it is not a file");
  const char *fault = object_fault(bytes, size);
  *content = 0;
  ofw_content_add(content, (uint32_t)crc32_z(0, bytes, size));
  munmap(bytes, size);
  return fault ? complain(self, EXIT_BAD_DATA, "--plugin %s: %s", path, fault) : 0;
}

/* ---- loading ---- */

/* The message of the dynamic linker, which begins with the path. */
static const char *linker_error(const char *path)
{
  const char *text = dlerror();
  size_t length = strlen(path);
  if (!text)
    return "unknown error of the dynamic linker";
  return strncmp(text, path, length) == 0 && strncmp(text + length, ": ", 2) == 0 ? text + length + 2 : text;
}

typedef ofw_status register_function(ofw_registry *registry, ofw_error *err);

static int add_parts(const command *self, const char *path, void *object, ofw_registry *own)
{
  ofw_error err = {0};
  const unsigned *abi = dlsym(object, "ofw_plugin_abi");
  void *symbol = dlsym(object, "ofw_plugin_register");
  register_function *add;
  size_t before = own->methods + own->sets.count;
  if (!abi || !symbol)
    return complain(self, EXIT_BAD_DATA, "--plugin %s: it has no %s; OFW_PLUGIN of ofw/plugin.h defines it", path,
                    abi ? "ofw_plugin_register" : "ofw_plugin_abi");
  if (*abi != OFW_PLUGIN_ABI)
    return complain(self, EXIT_BAD_DATA,
                    "--plugin %s: it was compiled for version %u of plugins, this is version %u; compile it again",
                    path, *abi, OFW_PLUGIN_ABI);
  memcpy(&add, &symbol, sizeof add); /* ISO C has no cast from an object's address to a function's */
  ofw_status st = add(own, &err);
  if (st != OFW_OK) {
    err.message[sizeof err.message - 1] = 0;
    ofw_status known = (int)st > OFW_OK && (int)st < OFW_END ? st : OFW_FAILED;
    return complain(self, exit_code(known), "--plugin %s: %s", path,
                    err.message[0] ? err.message : "it refused to register and did not say why");
  }
  return own->methods + own->sets.count > before
             ? 0
             : complain(self, EXIT_BAD_DATA, "--plugin %s: it adds neither a learner nor a set", path);
}

static int load(const command *self, const char *path, ofw_registry *own)
{
  uint32_t before = 0, after = 0;
  int code = look_at(self, path, &before);
  if (code)
    return code;
  own->content = before;
  void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!object)
    return complain(self, EXIT_BAD_DATA, "--plugin %s: it cannot be loaded: %s", path, linker_error(path));
  code = look_at(self, path, &after);
  if (!code && before != after)
    code = complain(self, EXIT_FAILED, "--plugin %s: it was changed while it was being loaded; try again", path);
  if (code) {
    dlclose(object);
    return code;
  }
  return add_parts(self, path, object, own);
}

int load_plugins(const command *self, arguments *args)
{
  const char *path[MOST_REPEATED];
  size_t n = repeated_values(args, OPT_PLUGIN, path);
  int code = 0;
  for (size_t i = 0; i < n && !code; i++) {
    /* a name without '/' would be looked for in the system's folders */
    char *local = ofw_format("%s%s", strchr(path[i], '/') ? "" : "./", path[i]);
    code = local ? load(self, local, &args->own) : no_memory(self);
    free(local);
  }
  return code;
}
