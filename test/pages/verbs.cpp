#include <tapeless/tapeless.hpp>

#include <boost/hana/define_struct.hpp>

#include <array>

using namespace tapeless;

namespace {

void options() {
#include "verbs.1.hpp"
}
void complex_numbers() {
#include "verbs.2.hpp"
}
void nesting() {
#include "verbs.3.hpp"
}
#include "verbs.4.hpp"
void structs() {
#include "verbs.5.hpp"
}
void checks() {
#include "verbs.6.hpp"
  static_cast<void>(same), static_cast<void>(first);
}
void not_finite() {
#include "verbs.7.hpp"
  static_cast<void>(found);
}

}  // namespace
