/* make_folder.h — the folder of a sweep */
#pragma once

#include <ofw/base.h>

/* Makes it with those that it is in, if they are missing. */
ofw_status lab_folder_make(const char *folder, ofw_error *err);
