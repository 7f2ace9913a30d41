# Flags every target of the project shares, carried by the interface target sinew_options; and the compiler cache.
include(CheckCXXSourceRuns)

add_library(sinew_options INTERFACE)
target_compile_options(sinew_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-missing-field-initializers
                                               -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 at -O3 suspects fmt's format parser (inlined from its headers, so even system-header silence does not help).
  target_compile_options(sinew_options INTERFACE -Wno-stringop-overflow)
endif()
if(SINEW_WARNINGS_AS_ERRORS)
  target_compile_options(sinew_options INTERFACE -Werror)
endif()

# Results must not depend on which translation unit a sum was compiled in, so no -ffast-math. Contraction to FMA stays on:
# same binary, same bits.
if(SINEW_SIMD STREQUAL "auto")
  set(CMAKE_REQUIRED_FLAGS "-mavx2 -mfma")
  check_cxx_source_runs("int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") ? 0 : 1; }"
                        SINEW_MACHINE_HAS_AVX2)
  unset(CMAKE_REQUIRED_FLAGS)
  if(SINEW_MACHINE_HAS_AVX2)
    set(SINEW_SIMD_RESOLVED avx2)
  else()
    set(SINEW_SIMD_RESOLVED baseline)
  endif()
elseif(SINEW_SIMD MATCHES "^(avx2|baseline)$")
  set(SINEW_SIMD_RESOLVED ${SINEW_SIMD})
else()
  message(FATAL_ERROR "SINEW_SIMD: expected auto, avx2 or baseline, got '${SINEW_SIMD}'")
endif()
# Users of the library compile with the same flags: with AVX, Eigen allocates and frees in another way than without.
set(SINEW_PUBLIC_OPTIONS)
if(SINEW_SIMD_RESOLVED STREQUAL "avx2")
  set(SINEW_PUBLIC_OPTIONS -mavx2 -mfma)
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Vectors of four numbers (spatial/lanes.h) are passed inline only: how a call would pass them without AVX does not matter.
  target_compile_options(sinew_options INTERFACE -Wno-psabi)
endif()
target_compile_options(sinew_options INTERFACE ${SINEW_PUBLIC_OPTIONS})

# ccache, where it is installed. With precompiled headers it wants to be told that their time stamps do not matter.
find_program(SINEW_CCACHE ccache)
if(SINEW_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${SINEW_CCACHE})
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(sinew_options INTERFACE $<$<BOOL:${SINEW_CCACHE}>:SHELL:-Xclang -fno-pch-timestamp>)
else()
  target_compile_options(sinew_options INTERFACE $<$<BOOL:${SINEW_CCACHE}>:-fpch-preprocess>)
endif()
