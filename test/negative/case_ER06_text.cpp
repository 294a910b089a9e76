// expect: not a number or formula
// expect-at-most-lines: 16
#include <tapeless/tapeless.hpp>

#include <string>

const auto stopped = tapeless::stop_gradient(std::string("x"));
