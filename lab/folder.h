/* folder.h — where results go */
#ifndef OFW_LAB_FOLDER_H
#define OFW_LAB_FOLDER_H

#include <ofw/base.h>

/* Makes the folder and those that it is in, where they are missing. */
ofw_status lab_make_folder(const char *folder, ofw_error *err);

#endif
