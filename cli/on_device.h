/* on_device.h — --device: what plays an experiment */
#pragma once

#include "cli.h"

#include "lab/experiment.h"

/* lab_experiment_open_own with what --device asks for: --device cuda, or cuda-float, adds storage=cuda, or
 * storage=cuda-float, to every learner that names no storage. 0, or an exit code after a complaint; lab_experiment_free returns *out in either case. */
int open_on_device(const command *self, const arguments *args, const char *name, const lab_library *library,
                   lab_experiment *out);
