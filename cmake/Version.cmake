# Target sinew_version: keeps <build>/generated/sinew/core/version.h true. Folders that include it need nothing: every folder
# depends on core, and core on this.
set(SINEW_GENERATED_DIR ${CMAKE_BINARY_DIR}/generated)
set(version_header ${SINEW_GENERATED_DIR}/sinew/core/version.h)
set(write_version ${CMAKE_COMMAND} -Dsource_dir=${CMAKE_SOURCE_DIR} -Doutput=${version_header} -Dversion=${PROJECT_VERSION}
    "-Dcompiler=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" -Dsimd=${SINEW_SIMD_RESOLVED}
    -Dbuild_type=${CMAKE_BUILD_TYPE} -P ${CMAKE_SOURCE_DIR}/cmake/WriteVersion.cmake)
add_custom_target(sinew_version COMMAND ${write_version} BYPRODUCTS ${version_header} COMMENT "" VERBATIM)
