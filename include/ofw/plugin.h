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
 * The command calls this function once. The names that it adds work like built-in ones: for --learner and --domain, within
 * other sets, in experiment files, in 'ofw list' and 'ofw help'. The command contains the library's functions, so a plugin is
 * not linked with the library.
 *
 * A plugin can do everything that the command can do: load none that you would not run as a program. Its checksum is part of
 * the configuration of every play with it, so a checkpoint, a log or a results database refuses another plugin.
 */
#ifndef OFW_PLUGIN_H
#define OFW_PLUGIN_H

#include <ofw/own.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface: the command refuses a plugin that was compiled with another one. */
#define OFW_PLUGIN_ABI 1

/* The names that the command knows beside the built-in ones. */
typedef struct ofw_registry ofw_registry;

/* Adds a learner. OFW_USAGE: its callbacks are wrong, or its name is taken; err says why. */
OFW_API ofw_status ofw_registry_add_learner(ofw_registry *registry, const ofw_learner_callbacks *learner,
                                            ofw_error *err);
/* Adds a set in the same way. */
OFW_API ofw_status ofw_registry_add_domain(ofw_registry *registry, const ofw_domain_factory *domain, ofw_error *err);

/* Every plugin exports the version of the interface that it was compiled with. */
extern OFW_API const unsigned ofw_plugin_abi;
/* It also exports the function that adds its parts. If that does not return OFW_OK, the command refuses the plugin. */
extern OFW_API ofw_status ofw_plugin_register(ofw_registry *registry, ofw_error *err);

/* Defines both; the body of the function follows. */
#define OFW_PLUGIN(registry, err)                 \
  const unsigned ofw_plugin_abi = OFW_PLUGIN_ABI; \
  ofw_status ofw_plugin_register(ofw_registry *registry, ofw_error *err)

#ifdef __cplusplus
}
#endif
#endif
