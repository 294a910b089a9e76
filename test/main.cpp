#define BOOST_TEST_MODULE tapeless
#include <boost/test/unit_test.hpp>
