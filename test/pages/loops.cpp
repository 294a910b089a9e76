#include <tapeless/tapeless.hpp>
#include <tapeless/xtensor.hpp>
#include <xtensor/xtensor.hpp>

#include <array>
#include <vector>

using namespace tapeless;

namespace {

#include "loops.1.hpp"
#include "loops.2.hpp"
#include "loops.3.hpp"
#include "loops.4.hpp"
#include "loops.5.hpp"
#include "loops.6.hpp"
#include "loops.7.hpp"
#include "loops.8.hpp"
#include "loops.9.hpp"

// After those they build on.
#include "loops.10.hpp"
#include "loops.11.hpp"
#include "loops.12.hpp"

}  // namespace
