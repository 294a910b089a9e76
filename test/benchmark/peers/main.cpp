// Times every way to compute a problem, in turn in one process, so that what else the machine does meets all alike.
//   peers PROBLEM SIZE ROUNDS      verifies each against the first, by hand; prints one line of CSV a way
//   peers PROBLEM SIZE count       evaluates each once between client requests of callgrind
//   peers PROBLEM SIZE dump FILE   writes the problem as numbers, for libraries that run in processes of their own
//   peers verify                   verifies all problems in a small size, and fails where a way is wrong
#include "problem.hpp"

#include <valgrind/callgrind.h>

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <random>
#include <set>
#include <stdexcept>

namespace peers {

std::vector<candidate>& candidates() {
  static std::vector<candidate> all;
  return all;
}

namespace {

using points = std::vector<std::vector<double>>;

double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Random constants and points; the same on every machine with the same standard library.
points make(problem& p) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  points xs;
  const auto draw = [&](std::size_t count, auto number) {
    std::vector<double> numbers(count);
    for (double& x : numbers) x = number();
    return numbers;
  };
  const auto standard = [&] { return normal(generator); };
  const auto unit = [&] { return uniform(generator); };
  const auto add_points = [&](std::size_t count, auto point) {
    for (std::size_t i = 0; i < count; ++i) xs.push_back(point());
    p.inputs = xs[0].size();
  };
  const auto option = [&] {
    return std::vector{80 + 40 * unit(), 80 + 40 * unit(), 0.01 + 0.05 * unit(), 0.1 + 0.4 * unit(), 0.2 + 2 * unit()};
  };

  if (p.name == "S1") {
    add_points(64, [&] { return draw(3, [&] { return 0.2 + unit(); }); });
  } else if (p.name == "S2") {
    add_points(64, option);
  } else if (p.name == "S3") {
    p.outputs = 2;
    p.data = {-525.672849, 161.811929};
    const std::vector<double> camera{1.797201,  0.590697,  -0.635786, 90.859550, 29.361415,
                                     28.777534, 211.62812, -0.284531, -14.76292, 0.058931,
                                     0.069976,  4.173048,  5.586898,  1.403869,  0.417022};
    add_points(64, [&] {
      auto x = camera;
      for (double& e : x) e *= 1 + 0.05 * standard();
      return x;
    });
  } else if (p.name == "S4") {
    add_points(64, [&] { return draw(8, [&] { return 2 * unit() - 1; }); });
  } else if (p.name == "S5") {
    p.outputs = 6;
    p.data = draw(7, standard);
    const double length = std::hypot(std::hypot(p.data[0], p.data[1]), std::hypot(p.data[2], p.data[3]));
    for (std::size_t i = 0; i < 4; ++i) p.data[i] /= length;
    add_points(64, [&] { return draw(12, standard); });
  } else if (p.name == "V1") {
    p.data = draw(10 * p.size, standard);
    p.labels = draw(p.size, [&] { return standard() > 0 ? 1.0 : -1.0; });
    add_points(4, [&] { return draw(10, [&] { return 0.5 * standard(); }); });
  } else if (p.name == "V2") {
    add_points(2, [&] {
      auto x = draw(p.size + 2, standard);
      x[0] = 0.3;
      x[1] = 1 + unit();
      return x;
    });
  } else if (p.name == "V3") {
    p.label = p.size / 3;
    add_points(2, [&] { return draw(p.size, [&] { return 3 * standard(); }); });
  } else if (p.name == "V4") {
    add_points(2, [&] { return draw(3 * p.size, standard); });
  } else if (p.name == "V5") {
    p.data = draw(2 * p.size, standard);
    const auto centre = draw(30, [&] { return 0.5 * standard(); });
    add_points(4, [&] {
      auto x = centre;
      for (double& e : x) e *= 1 + 0.01 * standard();
      return x;
    });
  } else if (p.name == "BS") {  // options one after another: value and five Greeks of each
    add_points(2, [&] {
      std::vector<double> x(5 * p.size);
      for (std::size_t i = 0; i < p.size; ++i) {
        const auto o = option();
        for (std::size_t j = 0; j < 5; ++j) x[j * p.size + i] = o[j];
      }
      return x;
    });
  } else if (p.name == "RK") {  // Lorenz: three parameters, three initial values
    add_points(4, [&] {
      std::vector<double> x{10, 28, 8.0 / 3, 1, 1, 1};
      for (double& e : x) e *= 1 + 0.01 * standard();
      return x;
    });
  } else if (p.name == "HE") {  // 50 steps of two normal numbers a path
    p.data = draw(100 * p.size, standard);
    add_points(4, [&] {
      std::vector<double> x{100, 0.04, 1.5, 0.04, 0.5, -0.6};
      for (double& e : x) e *= 1 + 0.01 * standard();
      return x;
    });
  } else if (p.name == "GP") {  // squared distances and noisy observations of a sine
    const auto at = [](std::size_t i) { return static_cast<double>(i) / 20; };
    for (std::size_t i = 0; i < p.size; ++i) {
      for (std::size_t j = 0; j < p.size; ++j) p.data.push_back((at(i) - at(j)) * (at(i) - at(j)));
      p.labels.push_back(std::sin(at(i)) + 0.3 * standard());
    }
    add_points(4, [&] {
      std::vector<double> x{1.5, 1.2, 0.3};
      for (double& e : x) e *= 1 + 0.05 * standard();
      return x;
    });
  } else if (p.name == "TD" || p.name == "TS") {  // transitions and rewards; a network of 3 features and 4 units
    p.data = draw(6 * p.size, standard);
    p.labels = draw(p.size, standard);
    add_points(4, [&] { return draw(20, [&] { return 0.5 * standard(); }); });
  } else if (p.name == "NN") {  // 16 features, 16 hidden units, 10 classes
    p.data = draw(16 * p.size, standard);
    p.labels = draw(p.size, [&] { return std::floor(10 * unit()); });
    add_points(2, [&] { return draw(16 * 16 + 16 + 16 * 10 + 10, [&] { return 0.3 * standard(); }); });
  } else {
    throw std::invalid_argument("no problem " + p.name);
  }
  return xs;
}

std::size_t numbers_out(const problem& p) { return p.name == "BS" ? 6 * p.size : p.outputs * (1 + p.inputs); }

/// The largest error to `expected`, relative to each number and a thousandth of the largest derivative.
double error(const problem& p, const std::vector<double>& expected, const std::vector<double>& actual) {
  double scale = 0, worst = 0;
  for (std::size_t i = p.outputs; i < expected.size(); ++i) scale = std::max(scale, std::abs(expected[i]));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double by = std::abs(expected[i]) + (i < p.outputs ? 1e-300 : 1e-3 * scale);
    const double e = std::abs(actual[i] - expected[i]) / by;
    worst = std::isnan(e) ? INFINITY : std::max(worst, e);
  }
  return worst;
}

/// The first way is held against differences.
double error_of_differences(problem p, const candidate& c, const std::vector<double>& x0) {
  p.stopped_at = x0.data();
  std::vector<double> up(numbers_out(p)), down(up), at(up);
  c.evaluate(p, x0.data(), at.data());
  double worst = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(p.inputs, 40); ++i) {
    auto x = x0;
    // So small for HE that hardly a path's variance passes 0 between the two.
    const double h = (p.name == "HE" ? 1e-8 : 1e-6) * std::max(1.0, std::abs(x[i]));
    x[i] = x0[i] + h;
    c.evaluate(p, x.data(), up.data());
    x[i] = x0[i] - h;
    c.evaluate(p, x.data(), down.data());
    for (std::size_t o = 0; o < p.outputs; ++o) {
      const double difference = (up[o] - down[o]) / (2 * h);
      worst = std::max(worst, std::abs(difference - at[p.outputs * (1 + i) + o]) / (std::abs(difference) + 1));
    }
  }
  return worst;
}

double quantile(std::vector<double> numbers, double q) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[static_cast<std::size_t>(q * static_cast<double>(numbers.size() - 1))];
}

void dump(const problem& p, const points& xs, const std::vector<double>& expected, const char* file) {
  std::ofstream out(file, std::ios::binary);
  const auto write = [&](const std::vector<double>& numbers) {
    const double count = static_cast<double>(numbers.size());
    out.write(reinterpret_cast<const char*>(&count), sizeof count);
    out.write(reinterpret_cast<const char*>(numbers.data()),
              static_cast<std::streamsize>(numbers.size() * sizeof(double)));
  };
  write(p.data);
  write(p.labels);
  write(xs[0]);
  write(expected);
}

/// The ways to compute a problem, that by hand first.
std::vector<candidate> ways_of(const problem& p) {
  std::vector<candidate> ways;
  for (const candidate& c : candidates())
    if (c.problem == p.name) ways.push_back(c);
  const auto hand = std::find_if(ways.begin(), ways.end(), [](const candidate& c) { return c.library == "hand"; });
  if (hand == ways.end()) throw std::runtime_error("nothing by hand to compare with");
  std::rotate(ways.begin(), hand, hand + 1);
  return ways;
}

/// Leaves out the ways that are wrong; the errors of the others.
std::vector<double> verify(problem& p, const points& xs, std::vector<candidate>& ways) {
  std::vector<double> expected(numbers_out(p)), actual(expected);
  if (p.name != "BS")
    if (const double e = error_of_differences(p, ways[0], xs[0]); e > 1e-4)
      throw std::runtime_error(p.name + " by hand differs from differences by " + std::to_string(e));
  std::vector<double> errors;
  p.verifying = true;
  for (auto way = ways.begin(); way != ways.end();) {
    double worst = 0;
    for (const auto& x : xs) {
      ways[0].evaluate(p, x.data(), expected.data());
      std::fill(actual.begin(), actual.end(), NAN);
      way->evaluate(p, x.data(), actual.data());
      worst = std::max(worst, error(p, expected, actual));
    }
    if (worst > 1e-7) {
      std::fprintf(stderr, "%s: %s is wrong by %g and left out\n", p.name.c_str(), way->library.c_str(), worst);
      way = ways.erase(way);
    } else {
      errors.push_back(worst);
      ++way;
    }
  }
  p.verifying = false;
  return errors;
}

int verify_all() {
  std::set<std::string> names;
  for (const candidate& c : candidates()) names.insert(c.problem);
  int wrong = 0;
  for (const std::string& name : names) {
    problem p;
    p.name = name;
    p.size = 16;
    const points xs = make(p);
    std::vector<candidate> ways = ways_of(p);
    const std::size_t count = ways.size();
    verify(p, xs, ways);
    wrong += static_cast<int>(count - ways.size());
    std::printf("%s: %zu of %zu ways are right\n", name.c_str(), ways.size(), count);
  }
  return wrong == 0 ? 0 : 1;
}

int run(int count, char** arguments) {
  if (count == 2 && std::string(arguments[1]) == "verify") return verify_all();
  problem p;
  p.name = arguments[1];
  p.size = std::stoul(arguments[2]);
  const std::string mode = arguments[3];
  const points xs = make(p);
  std::vector<candidate> ways = ways_of(p);
  const std::vector<double> errors = verify(p, xs, ways);

  std::vector<double> actual(numbers_out(p));
  if (mode == "dump") {
    ways[0].evaluate(p, xs[0].data(), actual.data());
    dump(p, xs, actual, arguments[count - 1]);
    return 0;
  }
  if (mode == "count") {
    for (const candidate& way : ways) {
      const std::string label = p.name + " " + way.library;
      CALLGRIND_ZERO_STATS;
      way.evaluate(p, xs[0].data(), actual.data());
      CALLGRIND_DUMP_STATS_AT(label.c_str());
    }
    return 0;
  }

  const auto time = [&](const candidate& way, std::size_t repeat) {
    const double begin = now();
    for (std::size_t i = 0; i < repeat; ++i) way.evaluate(p, xs[i % xs.size()].data(), actual.data());
    return (now() - begin) / static_cast<double>(repeat);
  };
  const double slice = 0.002;
  std::vector<std::size_t> repeats;
  for (const candidate& way : ways) {
    std::size_t repeat = 1;
    while (repeat < 10000000 && time(way, repeat) * static_cast<double>(repeat) < slice) repeat *= 2;
    repeats.push_back(repeat > xs.size() ? repeat / xs.size() * xs.size() : repeat);
  }
  std::vector<std::vector<double>> seconds(ways.size()), ratios(ways.size());
  for (int round = 0; round < std::stoi(mode); ++round)
    for (std::size_t i = 0; i < ways.size(); ++i) {
      seconds[i].push_back(time(ways[i], repeats[i]));
      ratios[i].push_back(seconds[i].back() / seconds[0].back());
    }
  for (std::size_t i = 0; i < ways.size(); ++i)
    std::printf("%s,%zu,%s,%.4g,%.4g,%.4g,%.5g,%.2g\n", p.name.c_str(), p.size, ways[i].library.c_str(),
                quantile(ratios[i], 0.5), quantile(ratios[i], 0.25), quantile(ratios[i], 0.75),
                1e9 * quantile(seconds[i], 0.5), errors[i]);
  return 0;
}

}  // namespace
}  // namespace peers

// By this name enzyme.py calls it from a shared library.
extern "C" int peers_main(int count, char** arguments) {
  try {
    const int status = peers::run(count, arguments);
    std::fflush(stdout);
    return status;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "peers: %s\n", e.what());
    return 1;
  }
}

int main(int count, char** arguments) { return peers_main(count, arguments); }
