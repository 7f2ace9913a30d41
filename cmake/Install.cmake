# What `cmake --install` puts where: headers, the library with its CMake package and pkg-config file, the tool, the scenes.
include(CMakePackageConfigHelpers)

install(DIRECTORY src/sinew ${SINEW_GENERATED_DIR}/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS sinew EXPORT sinewTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET sinew_cli)
  install(TARGETS sinew_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew FILES_MATCHING PATTERN "*.yaml")
install(FILES ${CMAKE_SOURCE_DIR}/build/viewer/viewer.html DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew OPTIONAL)  # `make viewer` builds it
install(FILES LICENSE CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
install(EXPORT sinewTargets NAMESPACE sinew:: DESTINATION ${package_dir})
configure_package_config_file(cmake/sinewConfig.cmake.in ${CMAKE_BINARY_DIR}/sinewConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/sinewConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/sinewConfig.cmake ${CMAKE_BINARY_DIR}/sinewConfigVersion.cmake DESTINATION ${package_dir})

# The prefix in sinew.pc is found from where the file lies, so that an installed tree can be moved.
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
list(TRANSFORM SINEW_PUBLIC_DEFINITIONS PREPEND -D OUTPUT_VARIABLE pc_definitions)
list(JOIN pc_definitions " " pc_definitions)
list(JOIN SINEW_PUBLIC_OPTIONS " " pc_options)
configure_file(cmake/sinew.pc.in ${CMAKE_BINARY_DIR}/sinew.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/sinew.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
