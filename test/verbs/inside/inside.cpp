#include "inside.hpp"
namespace tapeless_test {
void mark_inside(const std::string&, const std::string&, const std::string&) {}
}  // namespace tapeless_test
