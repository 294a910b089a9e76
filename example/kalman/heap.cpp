#include "heap.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace {

bool forbidden = false;

void* allocate(std::size_t size) {
  if (forbidden) {
    std::fputs("kalman: memory is allocated where none may be\n", stderr);
    std::abort();
  }
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) {
    return memory;
  }
  throw std::bad_alloc();
}

}  // namespace

kalman::HeapForbidden::HeapForbidden() noexcept { forbidden = true; }
kalman::HeapForbidden::~HeapForbidden() { forbidden = false; }

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
