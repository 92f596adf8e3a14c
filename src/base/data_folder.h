/* data_folder.h — where data sets are kept: the one rule for all that reads or imports them */
#pragma once

#include "base/basics.h"

/* $OFW_DATA_DIR, else $XDG_DATA_HOME/ofw, else $HOME/.local/share/ofw. What is empty counts as not set, and so does an
 * XDG_DATA_HOME that is no whole path, as its specification wants. *out is NULL if nothing is set; it is the
 * caller's to free. */
ofw_status ofw_data_folder(char **out, ofw_error *err);
