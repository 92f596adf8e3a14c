/* data.h — shared by the files of ofw data */
#pragma once

#include "cli.h"

#include "lab/data/sets.h"

/* The complaint about a name that no data set has. */
int data_no_set(const command *self, const char *name);
command_main data_generate_main, data_describe_main;
