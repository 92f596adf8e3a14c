/* openapi.h — openapi.json as the build puts it into the command */
#pragma once

extern const char openapi_document[];
