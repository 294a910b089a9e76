// What a call allocates, counted.
#include <boost/test/unit_test.hpp>
#include <tapeless/xtensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

std::size_t allocated = 0;

void* allocate(std::size_t size, std::size_t alignment) {
  allocated += size;
  if (void* const memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

using namespace tapeless;

// Rows shorter than the lanes are not filled up: a row of two floats was one of sixteen with the widest lanes. The
// softmax of columns keeps its exponentials for the gradient, which is allocated too: twice the tensor.
BOOST_AUTO_TEST_CASE(buffers_of_short_rows) {
  constexpr auto X = variable<"X">;
  constexpr auto step = value_and_gradient(sum(square(softmax<0>(X))), wrt(X));
  for (const std::size_t columns : {1u, 2u, 3u, 20u}) {
    const xt::xtensor<float, 2> x = xt::ones<float>({std::size_t{10000}, columns});
    allocated = 0;
    const auto r = step(X = x);
    BOOST_TEST(allocated <= 3 * x.size() * sizeof(float) + 4096);
    BOOST_TEST(r.value == static_cast<float>(columns) / 10000, boost::test_tools::tolerance(1e-3f));
  }
}
