/* plugin.h — learners and sets of your own for the command: ofw run --plugin ./mine.so
 *
 *     OFW_PLUGIN(registry, err)
 *     {
 *       ofw_status st = ofw_registry_add_learner(registry, &leader, err);
 *       return st == OFW_OK ? ofw_registry_add_domain(registry, &coils, err) : st;
 *     }
 *
 *     cc -shared -fPIC -o mine.so mine.c $(pkg-config --cflags ofw)
 *
 * The command calls that function once. From then on what it adds has a name like all that is built in: for --learner and
 * --domain, within other sets, in experiment files, in 'ofw list' and 'ofw help'. The functions of the library are the
 * command's own, so nothing has to be linked.
 *
 * What a plugin does the command does: use none that you would not run as a program. Its checksum is a part of the
 * configuration of all that is played with it, so that neither a checkpoint nor a results database continues plays of another.
 */
#ifndef OFW_PLUGIN_H
#define OFW_PLUGIN_H

#include <ofw/own.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of this header: a plugin that was compiled with another one is refused. */
#define OFW_PLUGIN_ABI 1

/* Where names are added. */
typedef struct ofw_registry ofw_registry;

/* Adds a learner. OFW_USAGE: it cannot be one, or its name is taken; err says why. */
OFW_API ofw_status ofw_registry_add_learner(ofw_registry *registry, const ofw_learner_callbacks *learner,
                                            ofw_error *err);
/* Adds a set, likewise. */
OFW_API ofw_status ofw_registry_add_domain(ofw_registry *registry, const ofw_domain_factory *domain, ofw_error *err);

/* What a plugin exports: which header it was compiled with. */
extern OFW_API const unsigned ofw_plugin_abi;
/* And the function that adds its parts. Anything but OFW_OK: the plugin is refused, with what err says. */
extern OFW_API ofw_status ofw_plugin_register(ofw_registry *registry, ofw_error *err);

/* Defines the number and opens the definition of the function. */
#define OFW_PLUGIN(registry, err)                 \
  const unsigned ofw_plugin_abi = OFW_PLUGIN_ABI; \
  ofw_status ofw_plugin_register(ofw_registry *registry, ofw_error *err)

#ifdef __cplusplus
}
#endif
#endif
