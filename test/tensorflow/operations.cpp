// Made by generate.py from TensorFlow 2.21.0 and JAX 0.10.2; not edited by hand.
// A stop before and behind each operation.
// 31 cases.
#include "check.hpp"

namespace tensorflow_test {

BOOST_AUTO_TEST_CASE(stopped_exp) {
  constexpr auto f = [](auto a, auto b) { return exp(a) * stop_gradient(exp(a * b)) + exp(stop_gradient(a) * b); };
  check<2>(f, {.at = {0.7, -0.6},
               .value = 1.9801766321524936,
               .gradient = {1.3231298123374369, 0.4599327738705397},
               .none = {false, false},
               .hessian = {{{1.3231298123374369, 0}, {0, 0.32195294170937777}}},
               .along = 1.093163425402167,
               .hvp = {1.3231298123374369, -0.16097647085468889},
               .single_value = 1.980176568031311,
               .single_gradient = {1.3231297731399536, 0.45993274450302124}});
}

BOOST_AUTO_TEST_CASE(stopped_sin) {
  constexpr auto f = [](auto a, auto b) { return sin(a) * stop_gradient(sin(a * b)) + sin(stop_gradient(a) * b); };
  check<2>(f, {.at = {0.7, -0.6},
               .value = -0.6704469490765995,
               .gradient = {-0.3118723968061956, 0.6391622582186157},
               .none = {false, false},
               .hessian = {{{0.26268649601702937, 0}, {0, 0.19980262199918936}}},
               .along = -0.6314535259155034,
               .hvp = {0.26268649601702937, -0.09990131099959468},
               .single_value = -0.6704469919204712,
               .single_gradient = {-0.3118724226951599, 0.6391622424125671}});
}

BOOST_AUTO_TEST_CASE(stopped_cos) {
  constexpr auto f = [](auto a, auto b) { return cos(a) * stop_gradient(cos(a * b)) + cos(stop_gradient(a) * b); };
  check<2>(f, {.at = {0.7, -0.6},
               .value = 1.6114578826060497,
               .gradient = {-0.5882280453703094, 0.2854323171416991},
               .none = {false, false},
               .hessian = {{{-0.6983689422937416, 0}, {0, -0.44741358075303095}}},
               .along = -0.7309442039411589,
               .hvp = {-0.6983689422937416, 0.22370679037651547},
               .single_value = 1.6114578247070312,
               .single_gradient = {-0.5882279872894287, 0.2854323387145996}});
}

BOOST_AUTO_TEST_CASE(stopped_tan) {
  constexpr auto f = [](auto a, auto b) { return tan(a) * stop_gradient(tan(a * b)) + tan(stop_gradient(a) * b); };
  check<2>(f, {.at = {0.7, -0.6},
               .value = -0.8227154130539203,
               .gradient = {-0.7633933123584696, 0.8395989273665747},
               .none = {false, false},
               .hessian = {{{-1.285994633445522, 0}, {0, -0.5249185631926684}}},
               .along = -1.183192776041757,
               .hvp = {-1.2859946334455221, 0.2624592815963342},
               .single_value = -0.8227154612541199,
               .single_gradient = {-0.7633933424949646, 0.8395989537239075}});
}

BOOST_AUTO_TEST_CASE(stopped_tanh) {
  constexpr auto f = [](auto a, auto b) { return tanh(a) * stop_gradient(tanh(a * b)) + tanh(stop_gradient(a) * b); };
  check<2>(f, {.at = {0.7, -0.6},
               .value = -0.6368223948661418,
               .gradient = {-0.251947459662463, 0.5897123625037838},
               .none = {false, false},
               .hessian = {{{0.30453785229303804, 0}, {0, 0.32770469593030643}}},
               .along = -0.5468036409143548,
               .hvp = {0.304537852293038, -0.16385234796515324},
               .single_value = -0.6368223428726196,
               .single_gradient = {-0.25194746255874634, 0.5897123217582703}});
}

BOOST_AUTO_TEST_CASE(stopped_sigmoid) {
  constexpr auto f = [](auto a, auto b) {
    return sigmoid(a) * stop_gradient(sigmoid(a * b)) + sigmoid(stop_gradient(a) * b);
  };
  check<2>(f, {.at = {0.7, -0.6},
               .value = 0.6614643940355236,
               .gradient = {0.08791286798133731, 0.16750385189820421},
               .none = {false, false},
               .hessian = {{{-0.02957173882139046, 0}, {0, 0.024267380143000363}}},
               .along = 0.004160942032235215,
               .hvp = {-0.02957173882139047, -0.01213369007150018},
               .single_value = 0.6614643931388855,
               .single_gradient = {0.08791286498308182, 0.16750384867191315}});
}

BOOST_AUTO_TEST_CASE(stopped_softplus) {
  constexpr auto f = [](auto a, auto b) {
    return softplus(a) * stop_gradient(softplus(a * b)) + softplus(stop_gradient(a) * b);
  };
  check<2>(f, {.at = {0.7, -0.6},
               .value = 1.0621867595685508,
               .gradient = {0.33745954376159276, 0.27756172509469157},
               .none = {false, false},
               .hessian = {{{0.11197320301864831, 0}, {0, 0.11725269632874294}}},
               .along = 0.19867868121424698,
               .hvp = {0.11197320301864831, -0.05862634816437147},
               .single_value = 1.0621867179870605,
               .single_gradient = {0.337459534406662, 0.2775617241859436}});
}

BOOST_AUTO_TEST_CASE(stopped_atan) {
  constexpr auto f = [](auto a, auto b) { return atan(a) * stop_gradient(atan(a * b)) + atan(stop_gradient(a) * b); };
  check<2>(f, {.at = {0.7, -0.6},
               .value = -0.6404697301126258,
               .gradient = {-0.26686442384035525, 0.5950357021421285},
               .none = {false, false},
               .hessian = {{{0.2507450962258371, 0}, {0, 0.2974166889319717}}},
               .along = -0.5643822749114196,
               .hvp = {0.2507450962258371, -0.14870834446598588},
               .single_value = -0.6404697299003601,
               .single_gradient = {-0.2668644189834595, 0.5950356125831604}});
}

BOOST_AUTO_TEST_CASE(stopped_sinh) {
  constexpr auto f = [](auto a, auto b) { return sinh(a) * stop_gradient(sinh(a * b)) + sinh(stop_gradient(a) * b); };
  check<2>(f, {.at = {0.7, -0.6},
               .value = -0.7605124789325082,
               .gradient = {-0.5428070844470628, 0.7626529314017916},
               .none = {false, false},
               .hessian = {{{-0.3280551110307197, 0}, {0, -0.21190411027187633}}},
               .along = -0.9241335501479586,
               .hvp = {-0.3280551110307197, 0.10595205513593817},
               .single_value = -0.7605124711990356,
               .single_gradient = {-0.5428071022033691, 0.7626529335975647}});
}

BOOST_AUTO_TEST_CASE(stopped_cosh) {
  constexpr auto f = [](auto a, auto b) { return cosh(a) * stop_gradient(cosh(a * b)) + cosh(stop_gradient(a) * b); };
  check<2>(f, {.at = {0.7, -0.6},
               .value = 2.4570160756441464,
               .gradient = {0.8264801198879184, -0.3027201575312519},
               .none = {false, false},
               .hessian = {{{1.367511887927301, 0}, {0, 0.5338570519812541}}},
               .along = 0.9778401986535443,
               .hvp = {1.367511887927301, -0.26692852599062705},
               .single_value = 2.4570162296295166,
               .single_gradient = {0.8264801502227783, -0.30272015929222107}});
}

BOOST_AUTO_TEST_CASE(stopped_asinh) {
  constexpr auto f = [](auto a, auto b) {
    return asinh(a) * stop_gradient(asinh(a * b)) + asinh(stop_gradient(a) * b);
  };
  check<2>(f, {.at = {0.7, -0.6},
               .value = -0.6751807423806604,
               .gradient = {-0.3346891790696614, 0.6453874739251528},
               .none = {false, false},
               .hessian = {{{0.1572365270797067, 0}, {0, 0.16129200725433093}}},
               .along = -0.6573829160322378,
               .hvp = {0.1572365270797067, -0.08064600362716547},
               .single_value = -0.6751807928085327,
               .single_gradient = {-0.334689199924469, 0.6453874707221985}});
}

BOOST_AUTO_TEST_CASE(stopped_erf) {
  constexpr auto f = [](auto a, auto b) { return erf(a) * stop_gradient(erf(a * b)) + erf(stop_gradient(a) * b); };
  check<2>(f, {.at = {0.7, -0.6},
               .value = -0.7507617043987715,
               .gradient = {-0.30932311546568675, 0.6621304379317731},
               .none = {false, false},
               .hessian = {{{0.4330523616519614, 0}, {0, 0.38933269750388255}}},
               .along = -0.6403883344315733,
               .hvp = {0.4330523616519614, -0.19466634875194128},
               .single_value = -0.7507617473602295,
               .single_gradient = {-0.30932319164276123, 0.6621304750442505}});
}

BOOST_AUTO_TEST_CASE(stopped_erfc) {
  constexpr auto f = [](auto a, auto b) { return erfc(a) * stop_gradient(erfc(a * b)) + erfc(stop_gradient(a) * b); };
  check<2>(f, {.at = {0.7, -0.6},
               .value = 1.9138399570418854,
               .gradient = {-1.0005979758762253, -0.6621304379317731},
               .none = {false, false},
               .hessian = {{{1.4008371662267154, 0}, {0, -0.38933269750388255}}},
               .along = -0.6695327569103389,
               .hvp = {1.4008371662267154, 0.19466634875194128},
               .single_value = 1.9138398170471191,
               .single_gradient = {-1.0005980730056763, -0.6621304750442505}});
}

BOOST_AUTO_TEST_CASE(stopped_expm1) {
  constexpr auto f = [](auto a, auto b) {
    return expm1(a) * stop_gradient(expm1(a * b)) + expm1(stop_gradient(a) * b);
  };
  check<2>(f, {.at = {0.7, -0.6},
               .value = -0.6906228951330395,
               .gradient = {-0.6906228951330395, 0.4599327738705397},
               .none = {false, false},
               .hessian = {{{-0.6906228951330395, 0}, {0, 0.32195294170937777}}},
               .along = -0.9205892820683094,
               .hvp = {-0.6906228951330395, -0.16097647085468889},
               .single_value = -0.6906229257583618,
               .single_gradient = {-0.6906229257583618, 0.45993274450302124}});
}

BOOST_AUTO_TEST_CASE(stopped_square) {
  constexpr auto f = [](auto a, auto b) {
    return square(a) * stop_gradient(square(a * b)) + square(stop_gradient(a) * b);
  };
  check<2>(f, {.at = {0.7, -0.6},
               .value = 0.26283599999999996,
               .gradient = {0.24695999999999996, -0.588},
               .none = {false, false},
               .hessian = {{{0.35279999999999995, 0}, {0, 0.9799999999999999}}},
               .along = 0.5409599999999999,
               .hvp = {0.35279999999999995, -0.48999999999999994},
               .single_value = 0.2628360390663147,
               .single_gradient = {0.24696002900600433, -0.5879999995231628}});
}

BOOST_AUTO_TEST_CASE(stopped_log) {
  constexpr auto f = [](auto a, auto b) { return log(a) * stop_gradient(log(a * b)) + log(stop_gradient(a) * b); };
  check<2>(f, {.at = {0.7, 1.3},
               .value = -0.06067242315801262,
               .gradient = {-0.13472954210177346, 0.7692307692307693},
               .none = {false, false},
               .hessian = {{{0.19247077443110494, 0}, {0, -0.591715976331361}}},
               .along = -0.5193449267171582,
               .hvp = {0.19247077443110494, 0.2958579881656805},
               .single_value = -0.060672443360090256,
               .single_gradient = {-0.13472959399223328, 0.7692307829856873}});
}

BOOST_AUTO_TEST_CASE(stopped_sqrt) {
  constexpr auto f = [](auto a, auto b) { return sqrt(a) * stop_gradient(sqrt(a * b)) + sqrt(stop_gradient(a) * b); };
  check<2>(f, {.at = {0.7, 1.3},
               .value = 1.7520619989863424,
               .gradient = {0.570087712549569, 0.3668996928526713},
               .none = {false, false},
               .hessian = {{{-0.40720550896397784, 0}, {0, -0.14111526648179665}}},
               .along = 0.38663786612323325,
               .hvp = {-0.40720550896397784, 0.07055763324089832},
               .single_value = 1.7520620822906494,
               .single_gradient = {0.570087730884552, 0.366899698972702}});
}

BOOST_AUTO_TEST_CASE(stopped_lgamma) {
  constexpr auto f = [](auto a, auto b) {
    return lgamma(a) * stop_gradient(lgamma(a * b)) + lgamma(stop_gradient(a) * b);
  };
  check<2>(f, {.at = {0.7, 1.3},
               .value = 0.07429353559843753,
               .gradient = {-0.07188692034543494, -0.5151020239765524},
               .none = {false, false},
               .hessian = {{{0.16698945308460353, 0}, {0, 0.9265910151206027}}},
               .along = 0.18566409164284126,
               .hvp = {0.16698945308460353, -0.46329550756030136},
               .single_value = 0.07429356873035431,
               .single_gradient = {-0.07188695669174194, -0.5151020884513855}});
}

BOOST_AUTO_TEST_CASE(stopped_log1p) {
  constexpr auto f = [](auto a, auto b) {
    return log1p(a) * stop_gradient(log1p(a * b)) + log1p(stop_gradient(a) * b);
  };
  check<2>(f, {.at = {0.7, 1.3},
               .value = 0.990474503648721,
               .gradient = {0.3806489659167873, 0.36649214659685864},
               .none = {false, false},
               .hessian = {{{-0.2239111564216396, 0}, {0, -0.1343164935171733}}},
               .along = 0.197402892618358,
               .hvp = {-0.2239111564216396, 0.06715824675858666},
               .single_value = 0.9904745221138,
               .single_gradient = {0.3806489408016205, 0.3664921522140503}});
}

BOOST_AUTO_TEST_CASE(stopped_asin) {
  constexpr auto f = [](auto a, auto b) { return asin(a) * stop_gradient(asin(a * b)) + asin(stop_gradient(a) * b); };
  check<2>(f, {.at = {0.7, -0.6},
               .value = -0.7695377361697221,
               .gradient = {-0.6069448492090075, 0.7713293747622049},
               .none = {false, false},
               .hessian = {{{-0.8330615577378534, 0}, {0, -0.27534098613415275}}},
               .along = -0.99260953659011,
               .hvp = {-0.8330615577378534, 0.13767049306707638},
               .single_value = -0.7695377469062805,
               .single_gradient = {-0.6069448590278625, 0.771329402923584}});
}

BOOST_AUTO_TEST_CASE(stopped_acos) {
  constexpr auto f = [](auto a, auto b) { return acos(a) * stop_gradient(acos(a * b)) + acos(stop_gradient(a) * b); };
  check<2>(f, {.at = {0.7, -0.6},
               .value = 3.598413108187372,
               .gradient = {-2.8064996616842546, -0.7713293747622049},
               .none = {false, false},
               .hessian = {{{-3.852058359174467, 0}, {0, 0.27534098613415275}}},
               .along = -2.420834974303152,
               .hvp = {-3.852058359174467, -0.13767049306707638},
               .single_value = 3.5984132289886475,
               .single_gradient = {-2.806499481201172, -0.771329402923584}});
}

BOOST_AUTO_TEST_CASE(stopped_atanh) {
  constexpr auto f = [](auto a, auto b) {
    return atanh(a) * stop_gradient(atanh(a * b)) + atanh(stop_gradient(a) * b);
  };
  check<2>(f, {.at = {0.7, -0.6},
               .value = -0.835975551777171,
               .gradient = {-0.8778274971125894, 0.8499271491015055},
               .none = {false, false},
               .hessian = {{{-2.4097225410933825, 0}, {0, -0.6067959733750427}}},
               .along = -1.3027910716633422,
               .hvp = {-2.409722541093383, 0.3033979866875213},
               .single_value = -0.8359756469726562,
               .single_gradient = {-0.8778275847434998, 0.8499271273612976}});
}

BOOST_AUTO_TEST_CASE(stopped_acosh) {
  constexpr auto f = [](auto a, auto b) { return acosh(a) * stop_gradient(acosh(a * b)); };
  check<2>(f, {.at = {2.5, 1.5},
               .value = 3.1283207396986286,
               .gradient = {0.8714014350908883, 0},
               .none = {false, true},
               .hessian = {{{-0.41495306432899454, 0}, {0, 0}}},
               .along = 0.8714014350908883,
               .hvp = {-0.41495306432899454, 0},
               .single_value = 3.1283206939697266,
               .single_gradient = {0.8714014291763306, 0}});
}

BOOST_AUTO_TEST_CASE(abs_and_relu) {
  constexpr auto f = [](auto a, auto b) { return abs(a) * stop_gradient(relu(b)) + relu(a * stop_gradient(b)); };
  check<2>(f, {.at = {-0.7, 1.3},
               .value = 0.9099999999999999,
               .gradient = {-1.3, 0},
               .none = {false, true},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = -1.3,
               .hvp = {0, 0},
               .single_value = 0.9099999666213989,
               .single_gradient = {-1.2999999523162842, 0}});
  check<2>(f, {.at = {0.7, 1.3},
               .value = 1.8199999999999998,
               .gradient = {2.6, 0},
               .none = {false, true},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = 2.6,
               .hvp = {0, 0},
               .single_value = 1.8199999332427979,
               .single_gradient = {2.5999999046325684, 0}});
  check<2>(f, {.at = {0.7, -1.3},
               .value = 0,
               .gradient = {0, 0},
               .none = {false, true},
               .hessian = {{{0, 0}, {0, 0}}},
               .along = 0,
               .hvp = {0, 0},
               .single_value = 0,
               .single_gradient = {0, 0}});
}

BOOST_AUTO_TEST_CASE(division) {
  constexpr auto f = [](auto a, auto b) { return a / stop_gradient(b) + stop_gradient(a) / b; };
  check<2>(f, {.at = {0.7, 1.3},
               .value = 1.0769230769230769,
               .gradient = {0.7692307692307692, -0.4142011834319526},
               .none = {false, false},
               .hessian = {{{0, 0}, {0, 0.6372325898953117}}},
               .along = 0.9763313609467454,
               .hvp = {0, -0.31861629494765586},
               .single_value = 1.076923131942749,
               .single_gradient = {0.7692307829856873, -0.4142012298107147}});
}

BOOST_AUTO_TEST_CASE(power) {
  constexpr auto f = [](auto a, auto b) { return pow(a, constant<3>) * stop_gradient(pow(b, constant<2>)); };
  check<2>(f, {.at = {0.7, 1.3},
               .value = 0.5796699999999999,
               .gradient = {2.4842999999999997, 0},
               .none = {false, true},
               .hessian = {{{7.098, 0}, {0, 0}}},
               .along = 2.4842999999999997,
               .hvp = {7.098, 0},
               .single_value = 0.5796699523925781,
               .single_gradient = {2.484299659729004, 0}});
}

BOOST_AUTO_TEST_CASE(stopped_atan2) {
  constexpr auto f = [](auto a, auto b) { return atan2(a, stop_gradient(b)) + atan2(stop_gradient(a), b); };
  check<2>(f, {.at = {0.7, 1.3},
               .value = 0.9878827378391624,
               .gradient = {0.5963302752293578, -0.3211009174311926},
               .none = {false, false},
               .hessian = {{{-0.38296439693628476, 0}, {0, 0.38296439693628476}}},
               .along = 0.7568807339449541,
               .hvp = {-0.38296439693628476, -0.19148219846814238},
               .single_value = 0.9878827929496765,
               .single_gradient = {0.5963302850723267, -0.3211009204387665}});
  check<2>(f, {.at = {-0.7, -1.3},
               .value = -5.295302569340424,
               .gradient = {-0.5963302752293578, 0.3211009174311926},
               .none = {false, false},
               .hessian = {{{-0.38296439693628476, 0}, {0, 0.38296439693628476}}},
               .along = -0.7568807339449541,
               .hvp = {-0.38296439693628476, -0.19148219846814238},
               .single_value = -5.295302391052246,
               .single_gradient = {-0.5963302850723267, 0.3211009204387665}});
}

BOOST_AUTO_TEST_CASE(subtraction) {
  constexpr auto f = [](auto a, auto b) { return square(a - stop_gradient(b)) + square(stop_gradient(a) - b * b); };
  check<2>(f, {.at = {0.7, 1.3},
               .value = 1.3401000000000005,
               .gradient = {-1.2000000000000002, 5.1480000000000015},
               .none = {false, false},
               .hessian = {{{2, 0}, {0, 17.480000000000004}}},
               .along = -3.774000000000001,
               .hvp = {2, -8.740000000000002},
               .single_value = 1.340099573135376,
               .single_gradient = {-1.1999999284744263, 5.147998809814453}});
}

}  // namespace tensorflow_test
