/* Preloaded into compilers: large blocks of memory are of the huge pages that .ci/run sets aside, as long as there are any. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
  const size_t page = 2 << 20;
  if (!address && file == -1 && size >= page && size % page == 0) {
    const long huge = syscall(SYS_mmap, address, size, protection, flags | MAP_HUGETLB, file, offset);
    if (huge != -1) return (void *)huge;
  }
  return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}
