# cmake -DFROM=FOLDER -DSHARED=FOLDER -DUPLOT=FOLDER -DTITLE=TEXT -DPOLICY=TEXT -DTO=FILE -P assemble.cmake: one page of SHARED's
# frame.html, FROM's page.html, the styles, uPlot and the modules of both folders
#
# In both @NAME@ is replaced: @page@, @title@, @policy@ (what the page may do beside the usual), @licence@, @uplot@, @style@,
# @script@; and @NAME_hash@, by which the page's policy knows what stands between the tags, the end of line behind the first
# included. The modules become one: a line that imports
# another of them is left out, and so is the word export. So names at their top level must differ, and none may need at once
# what another has computed, but main.js, which comes last, and all of FROM what SHARED has.
cmake_minimum_required(VERSION 3.25) # since then "@page@" is a text
file(READ ${UPLOT}/LICENSE licence)
file(READ ${UPLOT}/dist/uPlot.iife.min.js uplot)
file(READ ${UPLOT}/dist/uPlot.min.css style)
foreach(sheet ${SHARED}/base.css ${FROM}/page.css)
  file(READ ${sheet} own_style)
  string(APPEND style "\n" "${own_style}")
endforeach()

file(GLOB shared_modules ${SHARED}/*.js)
file(GLOB modules ${FROM}/*.js)
list(REMOVE_ITEM modules ${FROM}/main.js)
set(script "")
foreach(module ${shared_modules} ${modules} ${FROM}/main.js)
  file(READ ${module} text)
  string(REGEX REPLACE "import {[^}]*} from \"[./a-z_]+.js\";\n" "" text "${text}")
  string(REGEX REPLACE "(^|\n)export " "\\1" text "${text}")
  string(APPEND script "${text}\n")
endforeach()

# 'sha256-BASE64' of a text.
function(hash_of text out)
  set(digits "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  string(SHA256 hex "${text}")
  set(base64 "")
  foreach(at RANGE 0 60 6) # three bytes are four digits; 32 are 43 and one that pads
    string(SUBSTRING "${hex}00" ${at} 6 three)
    foreach(shift 18 12 6 0)
      math(EXPR digit "0x${three} >> ${shift} & 63")
      string(SUBSTRING ${digits} ${digit} 1 digit)
      string(APPEND base64 ${digit})
    endforeach()
  endforeach()
  string(SUBSTRING ${base64} 0 43 base64)
  set(${out} "'sha256-${base64}='" PARENT_SCOPE)
endfunction()
foreach(part style uplot script)
  hash_of("\n${${part}}" ${part}_hash)
endforeach()

file(READ ${FROM}/page.html body)
file(READ ${SHARED}/frame.html page)
string(REPLACE "@page@" "${body}" page "${page}")
string(REPLACE "@title@" "${TITLE}" page "${page}")
if(POLICY)
  string(APPEND POLICY "; ")
endif()
string(REPLACE "@policy@" "${POLICY}" page "${page}")
foreach(part licence style_hash uplot_hash script_hash style uplot script)
  string(REPLACE "@${part}@" "${${part}}" page "${page}")
endforeach()
file(WRITE ${TO} "${page}")
