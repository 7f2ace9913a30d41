# Script (cmake -P) that writes sinew/core/version.h. Run at build time, not at configure time: commits come in between.
execute_process(COMMAND git describe --always --dirty --abbrev=12 --exclude=* WORKING_DIRECTORY ${source_dir}
                OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(revision unknown)
endif()
configure_file(${source_dir}/cmake/version.h.in ${output} @ONLY)
