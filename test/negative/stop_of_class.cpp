// expect: adapt a struct that is no aggregate
// expect-at-most-lines: 16
#include <tapeless/tapeless.hpp>

using namespace tapeless;
class parameters {
  double a_, b_;

 public:
  parameters(double a, double b) : a_(a), b_(b) {}
};
const auto stopped = stop_gradient(parameters{1, 2});
