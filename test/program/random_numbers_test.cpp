// Random programs of numbers, made, derived and finished by the passes at run time: gradients, pullbacks, Jacobians,
// Hessians and tangents of the rewritten program are those of the one that is not rewritten, and differences of values.
#include "run_time_passes.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

namespace {

using namespace run_time;
using number = long double;

enum class verb { gradient, pullback, jacobian, hessian, tangents };

/// A program while it is written, once as it is and once rewritten.
struct written_program {
  int variables = 0;
  std::vector<int> outputs;
  bool has_stops = false;
  /// This variable is the exponent of a positive base and nothing else, so that it may be 0.
  int exponent = -1;
  std::ostringstream text;

  written_program(random_numbers& random, int count, int wanted)
      : variables(count), exponent(count > 1 && random.chance(15) ? random.below(count) : -1), random_(random) {
    for (int v = 0; v < count; ++v) {
      steps_.push_back([v](builder& graph, const std::vector<int>&) {
        graph.variables.push_back("");
        return graph.variable(v);
      });
    }
    while (wanted > 0) wanted -= write_one();
    if (exponent >= 0) {
      const int value = any(), base = add(info<operation::Softplus>, {any()});
      const operation_info& op = random.one_of<operation::Add, operation::Multiply>();
      add(op, {value, add(info<operation::Pow>, {base, exponent})});
    }
    const int last = static_cast<int>(steps_.size()) - 1, given = random.chance(60) ? 1 : 2 + random.below(3);
    for (int o = 0; o < given; ++o) outputs.push_back(o == 0 ? last : any());
    text << "; outputs";
    for (const int output : outputs) text << " v" << output;
  }
  finished_program lower(bool plain) const {
    builder graph;
    graph.stay_plain(plain);
    std::vector<int> nodes;
    for (const auto& step : steps_) nodes.push_back(step(graph, nodes));
    for (const int output : outputs) graph.outputs.push_back(nodes[static_cast<std::size_t>(output)]);
    return finished_program(graph);
  }

 private:
  random_numbers& random_;
  std::vector<std::function<int(builder&, const std::vector<int>&)>> steps_;

  int any() {
    const int i = random_.recent(static_cast<int>(steps_.size()));
    return i == exponent ? (i + 1) % variables : i;
  }
  int add(const std::string& what, const std::vector<int>& of,
          const std::function<int(builder&, const std::vector<int>&)>& write) {
    text << "; v" << steps_.size() << " = " << what;
    for (const int i : of) text << " v" << i;
    steps_.push_back([of, write](builder& graph, const std::vector<int>& nodes) {
      std::vector<int> given;
      for (const int i : of) given.push_back(nodes[static_cast<std::size_t>(i)]);
      return write(graph, given);
    });
    return static_cast<int>(steps_.size()) - 1;
  }
  int add(const operation_info& op, const std::vector<int>& of) {
    return add(std::string(op.name), of, [&op](builder& graph, const std::vector<int>& x) {
      return graph.append(op, x.data(), static_cast<int>(x.size()));
    });
  }
  int add_constant() {
    static constexpr constant_value values[] = {{0, 1, 0}, {1, 1, 0},  {-1, 1, 0}, {2, 1, 0},   {1, 2, 0},
                                                {3, 1, 0}, {-2, 1, 0}, {0, 0, 0},  {0, 0, 0.3}, {1, 3, 0}};
    const constant_value value = values[random_.below(10)];
    return add("constant " + std::to_string(value.as<double>()), {},
               [value](builder& graph, const std::vector<int>&) { return graph.constant(value); });
  }
  /// A number that is not near zero, mostly: where it is not chosen it may be any.
  int add_positive(int of) { return random_.chance(75) ? add(info<operation::Softplus>, {of}) : of; }
  int operand() { return random_.chance(15) ? add_constant() : any(); }
  int add_condition() {
    using namespace operation;
    // Of arguments either could be drawn first: each is drawn before.
    if (random_.chance(20)) {
      const operation_info& op = random_.one_of<And, Or>();
      return add(op, {add_condition(), add_condition()});
    }
    if (random_.chance(15)) return add(info<Not>, {add_condition()});
    // Not a tie that the last bit decides.
    const int a = any(), shifted = add("constant 1/64", {}, [](builder& graph, const std::vector<int>&) {
                           return graph.constant(constant_value{1, 64, 0.0});
                         });
    const operation_info& op = random_.one_of<Less, LessEqual, Greater, GreaterEqual>();
    return add(op, {a, add(info<Add>, {any(), shifted})});
  }
  /// A function of `value`, where `of` is positive.
  int add_guarded(int value, int of) {
    using namespace operation;
    const constant_value bound{1, random_.chance(50) ? 64 : 2, 0.0};
    const int least = add("constant " + std::to_string(bound.as<double>()), {},
                          [bound](builder& graph, const std::vector<int>&) { return graph.constant(bound); });
    const int condition = add(info<Greater>, {of, least});
    const int chosen = random_.chance(50) ? value : add(random_.one_of<Sin, Square, Negate>(), {value});
    return add(info<Where>, {condition, chosen, operand()});
  }
  int write_one() {
    using namespace operation;
    switch (random_.below(14)) {
      case 0:
      case 1:
      case 2: {
        const int a = any();
        add(random_.one_of<Sin, Cos, Tanh, Sigmoid, Exp, Softplus, Negate, Square, Relu, Abs, Erf, Erfc, Atan, Sign>(),
            {a});
        return 1;
      }
      case 3:
      case 4:
      case 5:
      case 6: {
        const operation_info& op = random_.one_of<Add, Subtract, Multiply, Multiply>();
        add(op, {operand(), operand()});
        return 1;
      }
      case 7: {
        const int a = add_positive(any());
        add(random_.one_of<Log, Sqrt>(), {a});
        return 1;
      }
      // Not an exact zero, which over another is what the rewrites before make of it.
      case 8: add(info<Divide>, {add(info<Sin>, {any()}), add_positive(any())}); return 1;
      case 9: {
        const int power = random_.below(6) - 2;
        const int base = power < 0 ? add_positive(any()) : any();
        const int constant = add("constant " + std::to_string(power), {},
                                 [power](builder& graph, const std::vector<int>&) { return graph.constant(power); });
        add(info<Pow>, {base, constant});
        return 1;
      }
      case 10: {
        const operation_info& op = random_.one_of<Hypot, Atan2>();
        add(op, {any(), add_positive(any())});
        return 1;
      }
      case 11: {
        const int condition = add_condition(), first = operand();
        add(info<Where>, {condition, first, operand()});
        return 1;
      }
      // NaN where it is not chosen, on several ways.
      case 12: {
        const int of = any(), root = add(random_.one_of<Log, Sqrt>(), {of});
        const int first = add_guarded(root, of);
        if (random_.chance(40)) return 1;
        const int second = add_guarded(root, of);
        add(random_.one_of<Add, Multiply>(), {first, second});
        return 1;
      }
      default:
        if (random_.chance(60)) return 0;
        has_stops = true;
        add("stop", {any()}, [](builder& graph, const std::vector<int>& x) { return graph.stop(x[0]); });
        return 1;
    }
  }
};

/// What a verb gives: the values, then the derivatives; and the program that gives it.
struct compiled_program {
  finished_program finished;
  std::vector<tapeless::loops::node_code<number>> codes;

  explicit compiled_program(const finished_program& all)
      : finished(finish(all, all.outputs)), codes(run_time::codes<number>::table().of(finished)) {}

  struct outcome {
    std::vector<number> results;
    /// Of all finite values.
    number largest = 0;
    bool has_infinity = false, has_nan = false;
    /// A zero whose sign or whose kind, exact or computed, decides: x / 0, pow(0, -1), pow(NaN, 0), atan2(0, x);
    /// 0 * NaN. Rewrites do not promise these.
    bool has_deciding_zero = false, has_zero_times_nan = false;
  };
  outcome run(const std::vector<number>& at) const {
    tapeless::loops::node_memory<number> memory;
    tapeless::loops::node_by_node<number> all{view_of(finished), codes.data(), memory};
    all.run([&](int i) { all.set(i, {&at[static_cast<std::size_t>(all.at(i).leaf)], 1}); });
    outcome found;
    for (const int output : finished.outputs) found.results.push_back(all.value(output)[0]);
    for (int i = 0; i < all.graph.size; ++i) {
      for (const number x : all.value(i)) {
        found.has_infinity |= std::isinf(x), found.has_nan |= std::isnan(x);
        if (std::isfinite(x)) found.largest = std::max(found.largest, std::abs(x));
      }
      const auto is_zero = [&](int operand) { return all.value(all.operand(i, operand))[0] == 0; };
      if (all.at(i).opcode == opcode::divide) found.has_deciding_zero |= is_zero(1);
      if (all.at(i).opcode == opcode::power)
        found.has_deciding_zero |= is_zero(0) ? !(all.value(all.operand(i, 1))[0] >= 0)
                                              : is_zero(1) && std::isnan(all.value(all.operand(i, 0))[0]);
      if (applies(all.at(i), info<operation::Atan2>)) found.has_deciding_zero |= is_zero(0);
      if (all.at(i).opcode == opcode::multiply)
        found.has_zero_times_nan |= std::isnan(all.value(i)[0]) && (is_zero(0) || is_zero(all.at(i).count - 1));
    }
    return found;
  }
};

finished_program derive(const finished_program& program, verb of, const std::vector<int>& variables) {
  const std::vector<int>& outputs = program.outputs;
  if (of == verb::gradient) return finished_program(with_derivatives(program, {outputs[0]}, variables, false));
  if (of == verb::pullback) return finished_program(with_derivatives(program, outputs, variables, true));
  request::of_variables = variables;
  const int columns = static_cast<int>(variables.size());
  if (of == verb::jacobian) {
    builder graph = thawed(program, stage::derivative);
    request::of_outputs = outputs;
    growing_array<int> entries(static_cast<int>(outputs.size()) * columns, graph.constant(0));
    for (const auto& [row, column, node] : entries_of<request>(graph, false)) entries[row * columns + column] = node;
    for (const int entry : entries) graph.outputs.push_back(entry);
    return finished_program(graph);
  }
  if (of == verb::hessian) {
    const finished_program gradient(with_derivatives(program, {outputs[0]}, variables, false));
    builder graph = thawed(gradient, stage::derivative);
    request::of_outputs.assign(gradient.outputs.end() - columns, gradient.outputs.end());
    growing_array<int> triangle(columns * (columns + 1) / 2, graph.constant(0));
    for (const auto& [row, column, node] : entries_of<request>(graph, true))
      triangle[column * (column + 1) / 2 + row] = node;
    for (const int entry : triangle) graph.outputs.push_back(entry);
    return finished_program(graph);
  }
  return finished_program(with_tangents(program, 0, variables));
}

struct totals {
  long programs = 0, differences = 0, nodes = 0, costs = 0;
};

void try_program(std::uint64_t seed, totals& sum, std::string& text) {
  random_numbers random(seed);
  const int count = 1 + random.below(5);
  const written_program program(random, count, 3 + random.below(20));
  text = program.text.str();
  std::vector<int> variables;
  for (int v = 0; v < count; ++v)
    if (random.chance(80) || variables.empty()) variables.push_back(v);
  const verb of = static_cast<verb>(random.below(5));
  text += "; verb " + std::to_string(static_cast<int>(of)) + " by";
  for (const int v : variables) text += " " + std::to_string(v);
  const finished_program plain_lowered = program.lower(true);
  const compiled_program plain(derive(plain_lowered, of, variables)), fast(derive(program.lower(false), of, variables));
  ++sum.programs;
  sum.nodes += static_cast<long>(fast.finished.nodes.size());
  for (const node& n : fast.finished.nodes) sum.costs += n.kind == node_kind::apply ? n.operation->latency : 0;
  // Room for cotangents and tangents.
  std::vector<number> at;
  for (std::size_t i = 0; i < fast.finished.variables.size(); ++i) at.push_back(random.real());
  if (program.exponent >= 0 && random.chance(70)) at[static_cast<std::size_t>(program.exponent)] = 0;
  const auto [expected, largest, has_infinity, has_nan, has_deciding_zero, _] = plain.run(at);
  // Among values; a derivative with one is wrong.
  if (has_nan && compiled_program(plain_lowered).run(at).has_zero_times_nan) return;
  const std::vector<number> found = fast.run(at).results;
  const number tolerance = 1e-9L * std::max(largest, 1.0L);
  if (has_deciding_zero || largest > 1e9L) return;
  for (std::size_t o = 0; o < expected.size(); ++o)
    if (std::isfinite(expected[o]) && !(std::abs(expected[o] - found[o]) <= tolerance))
      throw std::logic_error("result " + std::to_string(o) + " is " + std::to_string(found[o]) + ", plainly " +
                             std::to_string(expected[o]));
  // NaN is none where a branch that is not chosen has it.
  if (program.has_stops || has_infinity || largest > 1e4L) return;
  // Along a direction, that of the tangents where there are some.
  std::vector<number> direction(at.size(), 0);
  for (std::size_t k = 0; k < variables.size(); ++k)
    direction[static_cast<std::size_t>(variables[k])] =
        of == verb::tangents ? at[static_cast<std::size_t>(count) + k] : random.real();
  const auto moved = [&](number h) {
    std::vector<number> there = at;
    for (std::size_t i = 0; i < at.size(); ++i) there[i] += h * direction[i];
    return plain.run(there).results;
  };
  const auto differences = [&](number h) {
    const std::vector<number> a = moved(h), b = moved(-h), c = moved(2 * h), d = moved(-2 * h);
    std::vector<number> result;
    for (std::size_t o = 0; o < a.size(); ++o) result.push_back((8 * (a[o] - b[o]) - (c[o] - d[o])) / (12 * h));
    return result;
  };
  const std::vector<number> coarse = differences(1e-4L), fine = differences(1e-5L);
  const std::size_t outputs = program.outputs.size(), columns = variables.size();
  const auto along = [&](std::size_t first) {
    number product = 0;
    for (std::size_t k = 0; k < columns; ++k)
      product += expected[first + k] * direction[static_cast<std::size_t>(variables[k])];
    return product;
  };
  const auto compare = [&](number derivative, number close, number closer) {
    if (!(std::abs(close - closer) <= 1e-7L * (1 + std::abs(closer)))) return;
    ++sum.differences;
    if (!(std::abs(derivative - closer) <= 1e-5L * (1 + std::abs(closer))))
      throw std::logic_error("a derivative is " + std::to_string(derivative) + ", differences give " +
                             std::to_string(closer));
  };
  if (of == verb::gradient) compare(along(outputs), coarse[0], fine[0]);
  if (of == verb::pullback) {
    number close = 0, closer = 0;
    for (std::size_t o = 0; o < outputs; ++o)
      close += coarse[o] * at[static_cast<std::size_t>(count) + o],
          closer += fine[o] * at[static_cast<std::size_t>(count) + o];
    compare(along(outputs), close, closer);
  }
  if (of == verb::jacobian)
    for (std::size_t o = 0; o < outputs; ++o) compare(along(outputs + o * columns), coarse[o], fine[o]);
  if (of == verb::tangents)
    for (std::size_t o = 0; o < outputs; ++o) compare(expected[outputs + o], coarse[o], fine[o]);
  if (of == verb::hessian)
    for (std::size_t row = 0; row < columns; ++row) {
      number product = 0;
      for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t low = std::min(row, column), high = std::max(row, column);
        product += expected[outputs + columns + high * (high + 1) / 2 + low] *
                   direction[static_cast<std::size_t>(variables[column])];
      }
      compare(product, coarse[outputs + row], fine[outputs + row]);
    }
}

BOOST_AUTO_TEST_CASE(random_programs) {
  totals sum;
  const tried_programs tried =
      try_programs([&](std::uint64_t seed, std::string& text) { try_program(seed, sum, text); });
  BOOST_TEST_MESSAGE(sum.programs << " programs, " << sum.differences << " differences; " << sum.nodes
                                  << " nodes, cost " << sum.costs);
  BOOST_TEST(sum.differences >= sum.programs);
  if (!tried.are_usual) return;
  // What programs cost, so that a rule that stops to apply is noticed.
  BOOST_TEST(sum.nodes <= 157989);
  BOOST_TEST(sum.costs <= 374916);
}

}  // namespace
