#ifndef TAPELESS_TEST_MESSAGE_OF_HPP
#define TAPELESS_TEST_MESSAGE_OF_HPP

#include <string>

namespace tapeless_test {

/// What a call says that throws an `Exception`; empty if it throws nothing.
template <class Exception, class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Exception& e) {
    return e.what();
  }
  return {};
}

}  // namespace tapeless_test

#endif
