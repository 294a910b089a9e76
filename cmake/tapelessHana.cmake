# Defines tapeless::hana, Boost.Hana alone: that in TAPELESS_HANA_DIR, else that of the surrounding project or of the
# system, else, with TAPELESS_FETCH_HANA, a download. Included by the project and by its installed configuration.
set(TAPELESS_HANA_HELP "headers only: install Boost 1.74 or newer (Debian: libboost-dev), set TAPELESS_HANA_DIR to the \
directory that contains boost/hana.hpp, or set TAPELESS_FETCH_HANA=ON to download it")
if(TARGET tapeless::hana)
  return()
endif()

set(hana_directory "${TAPELESS_HANA_DIR}")
set(hana_target)
if(hana_directory)
  if(NOT EXISTS "${hana_directory}/boost/hana.hpp")
    message(FATAL_ERROR "tapeless: there is no ${hana_directory}/boost/hana.hpp; TAPELESS_HANA_DIR names the directory \
that contains boost/hana.hpp")
  endif()
elseif(TARGET Boost::hana)
  set(hana_target Boost::hana)
else()
  find_package(Boost 1.74 CONFIG QUIET)
  if(TARGET Boost::headers)
    set(hana_target Boost::headers)
  else()
    find_path(TAPELESS_SYSTEM_HANA boost/hana.hpp)
    mark_as_advanced(TAPELESS_SYSTEM_HANA)
    if(TAPELESS_SYSTEM_HANA)
      set(hana_directory ${TAPELESS_SYSTEM_HANA})
    elseif(TAPELESS_FETCH_HANA)
      include(FetchContent)
      # Hana's own CMakeLists.txt is not wanted: a folder without one stands in its place.
      FetchContent_Declare(hana
        URL https://github.com/boostorg/hana/archive/refs/tags/boost-1.74.0.tar.gz
        SOURCE_SUBDIR include)
      FetchContent_MakeAvailable(hana)
      set(hana_directory ${hana_SOURCE_DIR}/include)
    endif()
  endif()
endif()

if(hana_directory OR hana_target)
  add_library(tapeless::hana INTERFACE IMPORTED)
  set_target_properties(tapeless::hana PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${hana_directory}" INTERFACE_LINK_LIBRARIES "${hana_target}")
endif()
