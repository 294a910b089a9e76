#include <tapeless/tapeless.hpp>

#include <boost/hana/define_struct.hpp>

#include <array>
#include <complex>
#include <vector>

using namespace tapeless;

namespace {

void options() {
#include "verbs.1.hpp"
}
void complex_numbers() {
#include "verbs.2.hpp"
}
void complex_sequences() {
#include "verbs.3.hpp"
  static_cast<void>(g);
}
void nesting() {
#include "verbs.4.hpp"
}
#include "verbs.5.hpp"
void structs() {
#include "verbs.6.hpp"
}
void checks() {
#include "verbs.7.hpp"
  static_cast<void>(same), static_cast<void>(first);
}
void not_finite() {
#include "verbs.8.hpp"
  static_cast<void>(found);
}

}  // namespace
