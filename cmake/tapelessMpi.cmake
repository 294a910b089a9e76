# tapeless::mpi, tensors on the processes of MPI, where FindMPI finds one.
find_package(MPI QUIET COMPONENTS CXX)
if(TARGET MPI::MPI_CXX AND TARGET tapeless::tensor AND NOT TARGET tapeless::mpi)
  add_library(tapeless::mpi INTERFACE IMPORTED)
  target_link_libraries(tapeless::mpi INTERFACE tapeless::tensor MPI::MPI_CXX)
endif()
