// What verify rejects: for each rule a program, a plan or packs that break it, made by hand from good ones.
#include <tapeless/evaluate/loops/verified_loop.hpp>
#include <tapeless/program/graph/verify.hpp>
#include <tapeless/program/pass/finish.hpp>
#include <tapeless/program/schedule/equal_kernels.hpp>
#include <tapeless/program/schedule/verify_packs.hpp>
#include <tapeless/program/schedule/verify_plan.hpp>
#include <tapeless/tapeless.hpp>

using namespace tapeless;
using namespace tapeless::program;

namespace {

using operation::Exp, operation::Multiply;

constexpr int unary(builder& g, const operation_info& op, int x) { return g.append(op, &x, 1); }
constexpr int binary(builder& g, const operation_info& op, int x, int y) {
  const int operands[] = {x, y};
  return g.append(op, operands, 2);
}
constexpr axis_set i = axis(0), j = axis(1);

// Plans

struct hand_made {
  builder graph{stage::evaluation};
  growing_array<step> steps;
  growing_array<kernel> kernels;
  growing_array<buffer> buffers;
  growing_array<bool> accumulated;
  growing_array<scheduled_output> outputs;
  axis_set sharded = 0;

  constexpr void loops(axis_set axes, int group, int phase, std::initializer_list<step> list) {
    kernels.push_back({axes, steps.size, steps.size + static_cast<int>(list.size()), group, phase});
    for (const step& each : list) steps.push_back(each);
  }
  constexpr void keep(int node, bool block, bool adds, int kernel, int output = -1) {
    const auto& n = graph.nodes[node];
    buffers.push_back({node, n.axes, block, n.reduced != 0, kernel, output});
    accumulated.push_back(adds);
  }
  constexpr plan_rule rule() const {
    return find_fault(plan_view{graph, steps.data, kernels.data, buffers.data, accumulated.data, outputs.data,
                                steps.size, kernels.size, buffers.size, outputs.size, sharded})
        .rule;
  }
};

// s = sum of x exp(w) over rows i, which is output 0; r that over columns j, and output 1 the sum of r r over rows. The
// exponentials are kept for all blocks, r for one.
enum : int { x, w, e, p, s, r, l, t };
enum : int { kept, sum, row, total };
constexpr hand_made rows(axis_set sharded = 0) {
  using enum step_kind;
  hand_made plan;
  builder& g = plan.graph;
  g.read({access_kind::variable, 0, 1, {0}}), g.read({access_kind::variable, 1, 1, {1}});
  unary(g, info<Exp>, w), binary(g, info<Multiply>, x, e);
  g.append_reduction(info<operation::Sum>, p, i), g.append_reduction(info<operation::Sum>, p, j);
  binary(g, info<Multiply>, r, r), g.append_reduction(info<operation::Sum>, l, i);
  plan.outputs.push_back({s, j}), plan.outputs.push_back({t, 0});
  plan.loops(j, 0, 0, {{load, w}, {compute, e}, {store, e}});
  plan.loops(i | j, 1, 0, {{load, x}, {load, e}, {compute, p}, {reduce, s}, {reduce, r}});
  plan.loops(i, 1, 0, {{load, r}, {compute, l}, {reduce, t}});
  plan.loops(0, 2, sharded != 0, {{load, t}, {output, t, 1}});
  plan.keep(e, false, false, 0), plan.keep(s, false, true, 1, 0);
  plan.keep(r, true, false, 1), plan.keep(t, false, true, 2);
  plan.sharded = sharded;
  return plan;
}
template <class Break>
constexpr plan_rule broken(Break change, axis_set sharded = 0) {
  hand_made plan = rows(sharded);
  change(plan);
  return plan.rule();
}
static_assert(rows().rule() == plan_rule::none);
static_assert(rows(i).rule() == plan_rule::none);

// Loads come first; groups follow each other.
static_assert(broken([](hand_made& plan) { plan.steps[10] = {step_kind::load, r}; }) == plan_rule::order);
static_assert(broken([](hand_made& plan) { plan.kernels[3].group = 3; }) == plan_rule::order);
static_assert(broken([](hand_made& plan) { plan.kernels[2].axes = j; }) == plan_rule::order);
// Each node is kept once, by the kernel that its buffer names.
static_assert(broken([](hand_made& plan) { plan.keep(e, false, false, 0); }) == plan_rule::one_place);
static_assert(broken([](hand_made& plan) { plan.buffers[kept].kernel = 1; }) == plan_rule::one_place);
static_assert(broken([](hand_made& plan) { plan.buffers[total].block = true; }) == plan_rule::one_place);
static_assert(broken([](hand_made& plan) { std::swap(plan.steps[4], plan.steps[5]); }) == plan_rule::loops);
// Values are where their loops are.
static_assert(broken([](hand_made& plan) { plan.steps[3].node = t; }) == plan_rule::reads);
static_assert(broken([](hand_made& plan) { plan.kernels[1].axes = i; }) == plan_rule::loops);
static_assert(broken([](hand_made& plan) { plan.steps[1].node = p; }) == plan_rule::loops);
// What the softmax by rows kept in the memory of its sum, which is filled where its group begins.
static_assert(broken([](hand_made& plan) { plan.buffers[kept].output = 0; }) == plan_rule::reads);
// The sum over the axis of the blocks is there after the last one, the buffer of a block in its group.
static_assert(broken([](hand_made& plan) { plan.steps[8].node = t; }) == plan_rule::reads);
static_assert(broken([](hand_made& plan) { plan.buffers[kept].block = true; }) == plan_rule::reads);
static_assert(broken([](hand_made& plan) { std::swap(plan.kernels[1], plan.kernels[2]); }) != plan_rule::none);
// What is added to piece by piece is filled first.
static_assert(broken([](hand_made& plan) { plan.accumulated[sum] = false; }) == plan_rule::filled);
// An output's memory is shared with its extents.
static_assert(broken([](hand_made& plan) { plan.buffers[total].output = 1; }) == plan_rule::shares);
static_assert(broken([](hand_made& plan) { plan.outputs[0].axes = i; }) == plan_rule::shares);
static_assert(broken([](hand_made& plan) {
                plan.outputs.push_back({w, j});
                plan.buffers[kept].output = 2;
              }) == plan_rule::shares);
// Outputs are written, once.
static_assert(broken([](hand_made& plan) { plan.outputs.push_back({r, i}); }) == plan_rule::outputs);
static_assert(broken([](hand_made& plan) { plan.loops(0, 3, 0, {{step_kind::load, t}, {step_kind::output, t, 1}}); }) ==
              plan_rule::outputs);
static_assert(broken([](hand_made& plan) { plan.steps[12].output = 0; }) == plan_rule::outputs);

// Sums over shards are complete in the next phase.
static_assert(broken([](hand_made& plan) { plan.kernels[3].phase = 0; }, i) == plan_rule::reads);
static_assert(broken([](hand_made& plan) { plan.kernels[3].phase = 2; }, i) == plan_rule::reads);
// Between, nothing else is written there.
static_assert(broken(
                  [](hand_made& plan) {
                    using enum step_kind;
                    plan.steps.size -= 2, plan.kernels.size -= 1;
                    const int d = unary(plan.graph, info<operation::Negate>, w);
                    plan.loops(j, 2, 0, {{load, w}, {compute, d}, {store, d}});
                    plan.loops(0, 3, 1, {{load, t}, {output, t, 1}});
                    plan.keep(d, false, false, 3, 0);
                  },
                  i) == plan_rule::phases);
// Where the group's axis is not that of the shards, all its loops run over them.
static_assert(broken([](hand_made&) {}, j) == plan_rule::ordered);

// Output 0 is exp(a) c over rows, output 1 d f(b) over columns. Kernel number 1 has the form of kernel number 0 if f is
// exp and its steps are in the order of those.
constexpr hand_made of_one_form(const operation_info& f, bool swapped = false) {
  using enum step_kind;
  hand_made plan;
  builder& g = plan.graph;
  const int a = g.read({access_kind::variable, 0, 1, {0}}), c = g.read({access_kind::variable, 1, 1, {0}});
  const int b = g.read({access_kind::variable, 2, 1, {1}}), d = g.read({access_kind::variable, 3, 1, {1}});
  const int x = unary(g, info<Exp>, a), y = unary(g, f, b);
  const int first = binary(g, info<Multiply>, x, c), other = binary(g, info<Multiply>, d, y);
  plan.outputs.push_back({first, i}), plan.outputs.push_back({other, j});
  plan.loops(i, 0, 0, {{load, a}, {load, c}, {compute, x}, {compute, first}, {output, first, 0}});
  plan.loops(j, 1, 0,
             {{load, swapped ? d : b}, {load, swapped ? b : d}, {compute, y}, {compute, other}, {output, other, 1}});
  plan.kernels[1].form = 0;
  return plan;
}
static_assert(of_one_form(info<Exp>).rule() == plan_rule::none);
static_assert(of_one_form(info<Exp>, true).rule() == plan_rule::forms);
static_assert(of_one_form(info<operation::Log>).rule() == plan_rule::forms);
constexpr int form_of_second(hand_made plan) {
  schedule_builder made{plan.steps, plan.kernels, plan.buffers, 2};
  equal_kernels(plan.graph, made).find();
  plan.steps = made.steps, plan.kernels = made.kernels;
  return plan.rule() == plan_rule::none ? plan.kernels[1].form : -1;
}
static_assert(form_of_second(of_one_form(info<Exp>)) == 0);
static_assert(form_of_second(of_one_form(info<Exp>, true)) == 0);
static_assert(form_of_second(of_one_form(info<operation::Log>)) == 1);

// A kernel that reads x at (i) for each j does not write there; where it reads each element once it may.
template <axis_set Loops>
constexpr plan_rule in_place() {
  using enum step_kind;
  hand_made plan;
  builder& g = plan.graph;
  const int y = g.read({access_kind::variable, 0, 1, {0}}), u = unary(g, info<Exp>, y);
  const int v = g.read({access_kind::variable, 1, 2, {0, 1}});
  const int z = unary(g, info<Exp>, u), m = binary(g, info<Multiply>, u, v),
            n = g.append_reduction(info<operation::Sum>, m, j);
  plan.loops(i, 0, 0, {{load, y}, {compute, u}, {store, u}});
  if (Loops == i) {
    plan.outputs.push_back({z, i});
    plan.loops(i, 1, 0, {{load, u}, {compute, z}, {output, z, 0}});
  } else {
    plan.outputs.push_back({n, i});
    plan.loops(i | j, 1, 0, {{load, u}, {load, v}, {compute, m}, {reduce, n}});
  }
  plan.keep(u, false, false, 0, 0);
  if (Loops != i) plan.keep(n, false, false, 1, 0);
  return plan.rule();
}
static_assert(in_place<i>() == plan_rule::none);
static_assert(in_place<(i | j)>() == plan_rule::overwrites);

// Elements are put into their base where that lies, and not taken from where they are written.
template <move_kind Kind>
constexpr plan_rule moved() {
  using enum step_kind;
  hand_made plan;
  builder& g = plan.graph;
  const tensor_access all{access_kind::variable, 0, 1, {0}}, indices{access_kind::variable, 1, 1, {0}};
  const int y = g.read(all), k = g.read(indices), u = unary(g, info<Exp>, y);
  const tensor_move list[] = {{Kind, all, all, 0, {}}};
  const int operands[] = {Kind == move_kind::put ? y : u, k, u};
  const int m = g.append_move(info<operation::Move>, list, operands, Kind == move_kind::put ? 3 : 2);
  plan.outputs.push_back({m, i});
  plan.loops(i, 0, 0, {{load, y}, {compute, u}, {store, u}});
  plan.loops(0, 1, 0, {{move, m}});
  plan.keep(u, false, false, 0, 0), plan.keep(m, false, false, 1, 0);
  return plan.rule();
}
static_assert(moved<move_kind::put>() == plan_rule::none);
static_assert(moved<move_kind::take>() == plan_rule::overwrites);

// What lies within other memory: v = exp(u) in a tensor h of zeros, which is output 0, and f, a range of h, of which
// output 1 is the exponential g.
enum : int { u, v, h, f, g };
enum : int { of_v, of_h, of_f };
constexpr hand_made ranges(std::int64_t step = 1) {
  using enum step_kind;
  const tensor_access part{access_kind::variable, 0, 1, {0}}, whole{access_kind::output, 0, 1, {1}};
  const tensor_move pad{move_kind::pad, part, whole, 0, {}, {step, -1}}, slice = pad.transposed();
  hand_made plan;
  const int operands[] = {v, h};
  plan.graph.read(part), unary(plan.graph, info<Exp>, u);
  plan.graph.append_move(info<operation::Move>, &pad, operands, 1);
  plan.graph.append_move(info<operation::Move>, &slice, operands + 1, 1), unary(plan.graph, info<Exp>, f);
  plan.outputs.push_back({h, j}), plan.outputs.push_back({g, i});
  plan.loops(i, 0, 0, {{load, u}, {compute, v}, {store, v}});
  plan.loops(0, 1, 0, {{move, h}}), plan.loops(0, 2, 0, {{move, f}});
  plan.loops(i, 3, 0, {{load, f}, {compute, g}, {output, g, 1}});
  plan.keep(v, false, false, 0), plan.keep(h, false, false, 1, 0), plan.keep(f, false, false, 2);
  plan.buffers[of_v].within = h, plan.buffers[of_f].within = h;
  return plan;
}
template <class Break>
constexpr plan_rule broken_ranges(Break change) {
  hand_made plan = ranges();
  change(plan);
  return plan.rule();
}
static_assert(ranges().rule() == plan_rule::none);
// A range of every element, by the move of one to the other.
static_assert(ranges(2).rule() == plan_rule::within);
static_assert(broken_ranges([](hand_made& plan) { plan.sharded = axis(2); }) == plan_rule::within);
static_assert(broken_ranges([](hand_made& plan) { plan.buffers[of_v].within = f; }) == plan_rule::within);
static_assert(broken_ranges([](hand_made& plan) { plan.buffers[of_f].within = u; }) == plan_rule::within);
static_assert(broken_ranges([](hand_made& plan) { plan.buffers[of_v].block = true; }) == plan_rule::within);
// Along an axis of the whole, which an extent of 1 may not have.
constexpr plan_rule part_of_variable(int along) {
  using enum step_kind;
  const tensor_access whole{access_kind::variable, 0, 2, {along, 0}}, part{access_kind::variable, 0, 2, {1, 0}};
  const tensor_move slice{move_kind::slice, whole, part, 0, {}, {}};
  hand_made plan;
  const int of[] = {plan.graph.read(whole)};
  const int taken = plan.graph.append_move(info<operation::Move>, &slice, of, 1),
            result = unary(plan.graph, info<Exp>, taken);
  plan.outputs.push_back({result, i | j});
  plan.loops(0, 0, 0, {{move, taken}});
  plan.loops(i | j, 1, 0, {{load, taken}, {compute, result}, {output, result, 0}});
  plan.keep(taken, false, false, 0);
  plan.buffers[0].within = of[0];
  return plan.rule();
}
static_assert(part_of_variable(2) == plan_rule::none);
static_assert(part_of_variable(-1) == plan_rule::within);
// A negative d of another variable, in the memory of output 0. Once it is written, a range of h is no more there;
// and when v is written, d is not, which the sum of it is read from before.
constexpr plan_rule written_after() {
  using enum step_kind;
  hand_made plan = ranges();
  const int y = plan.graph.read({access_kind::variable, 1, 1, {1}}), d = unary(plan.graph, info<operation::Negate>, y);
  plan.kernels.size -= 1, plan.steps.size -= 3;
  plan.loops(j, 3, 0, {{load, y}, {compute, d}, {store, d}});
  plan.loops(i, 4, 0, {{load, f}, {compute, g}, {output, g, 1}});
  plan.keep(d, false, false, 3, 0);
  return plan.rule();
}
static_assert(written_after() == plan_rule::reads);
constexpr plan_rule written_before(bool read_in_time) {
  using enum step_kind;
  hand_made plan = ranges();
  const int y = plan.graph.read({access_kind::variable, 1, 1, {1}}), d = unary(plan.graph, info<operation::Negate>, y),
            total = plan.graph.append_reduction(info<operation::Sum>, d, j);
  plan.steps.size = plan.kernels.size = 0;
  plan.loops(j, 0, 0, {{load, y}, {compute, d}, {store, d}});
  if (read_in_time) plan.loops(j, 1, 0, {{load, d}, {reduce, total}});
  plan.loops(i, 1 + read_in_time, 0, {{load, u}, {compute, v}, {store, v}});
  if (!read_in_time) plan.loops(j, 2, 0, {{load, d}, {reduce, total}});
  plan.loops(0, 3, 0, {{move, h}}), plan.loops(0, 4, 0, {{move, f}});
  plan.loops(i, 5, 0, {{load, f}, {compute, g}, {output, g, 1}});
  plan.loops(0, 6, 0, {{load, total}, {output, total, 2}});
  plan.outputs.push_back({total, 0});
  plan.keep(d, false, false, 0, 0), plan.keep(total, false, true, read_in_time ? 1 : 2);
  plan.buffers[of_v].kernel = 1 + read_in_time, plan.buffers[of_h].kernel = 3, plan.buffers[of_f].kernel = 4;
  return plan.rule();
}
static_assert(written_before(true) == plan_rule::none);
static_assert(written_before(false) == plan_rule::reads);
// A loop that reads a range does not write there, not even at the places of its own elements.
template <bool Within>
constexpr plan_rule range_and_memory() {
  using enum step_kind;
  hand_made plan;
  builder& g = plan.graph;
  const tensor_access all{access_kind::variable, 0, 1, {0}};
  const tensor_move slice{move_kind::slice, all, all, 0, {}};
  const int u = g.read(all), e = unary(g, info<Exp>, u), f = g.append_move(info<operation::Move>, &slice, &e, 1),
            z = unary(g, info<Exp>, f);
  plan.outputs.push_back({z, i});
  plan.loops(i, 0, 0, {{load, u}, {compute, e}, {store, e}}), plan.loops(0, 1, 0, {{move, f}});
  plan.loops(i, 2, 0, {{load, f}, {compute, z}, {output, z, 0}});
  plan.keep(e, false, false, 0, 0), plan.keep(f, false, false, 1);
  if (Within) plan.buffers[1].within = e;
  return plan.rule();
}
static_assert(range_and_memory<false>() == plan_rule::none);
static_assert(range_and_memory<true>() == plan_rule::overwrites);

// What begins with a variable: output 0 is w and the sum of the first variable over rows.
enum : int { table, start, over_rows, both };
constexpr hand_made begun() {
  using enum step_kind;
  hand_made plan;
  plan.graph.read({access_kind::variable, 0, 2, {0, 1}}), plan.graph.read({access_kind::variable, 1, 1, {1}});
  plan.graph.append_reduction(info<operation::Sum>, table, i);
  binary(plan.graph, info<operation::Add>, start, over_rows);
  plan.outputs.push_back({both, j});
  plan.loops(i | j, 0, 0, {{load, table}, {reduce, over_rows}});
  plan.keep(over_rows, false, true, 0, 0);
  plan.buffers[0].base = start;
  return plan;
}
template <class Break>
constexpr plan_rule broken_begun(Break change) {
  hand_made plan = begun();
  change(plan);
  return plan.rule();
}
static_assert(begun().rule() == plan_rule::none);
static_assert(broken_begun([](hand_made& plan) { plan.accumulated[0] = false; }) == plan_rule::base);
static_assert(broken_begun([](hand_made& plan) { plan.buffers[0].base = table; }) == plan_rule::base);
static_assert(broken_begun([](hand_made& plan) { plan.sharded = i; }) == plan_rule::base);
static_assert(broken_begun([](hand_made& plan) {
                plan.outputs[0].node = binary(plan.graph, info<operation::Subtract>, start, over_rows);
              }) == plan_rule::base);
static_assert(broken_begun([](hand_made& plan) { plan.buffers[0].base = -1; }) == plan_rule::outputs);
// It holds the sum of both, not the one over rows.
static_assert(broken_begun([](hand_made& plan) {
                using enum step_kind;
                plan.outputs.push_back({over_rows, j});
                plan.loops(j, 1, 0, {{load, over_rows}, {output, over_rows, 1}});
              }) == plan_rule::reads);

// Programs

struct over_tensors {
  static constexpr builder run() {
    builder g = rows().graph;
    g.variables = {2, ""};
    const int tests[] = {binary(g, info<operation::Less>, x, r), x, r};
    g.outputs.push_back(s), g.outputs.push_back(g.append(info<operation::Where>, tests, 3));
    return g;
  }
};
using tensors = frozen<over_tensors>;
template <class P, class Break>
constexpr program_rule broken_program(Break change) {
  auto copy = P::value;
  change(copy);
  return find_fault(copy).rule;
}
static_assert(broken_program<tensors>([](auto&) {}) == program_rule::none);
static_assert(broken_program<tensors>([](auto& of) { of.edges[static_cast<std::size_t>(of.nodes[e].first)] = p; }) ==
              program_rule::operands);
static_assert(broken_program<tensors>([](auto& of) { of.nodes[p].count = 1; }) != program_rule::none);
static_assert(broken_program<tensors>([](auto& of) { of.nodes[l].count = 1; }) == program_rule::count);
static_assert(broken_program<tensors>([](auto& of) { of.nodes[p].axes = i; }) == program_rule::axes);
static_assert(broken_program<tensors>([](auto& of) { of.nodes[s].reduced = j; }) == program_rule::axes);
static_assert(broken_program<tensors>([](auto& of) { of.nodes[w].axes = i; }) == program_rule::axes);
static_assert(broken_program<tensors>([](auto& of) { of.nodes[t + 1].condition = false; }) == program_rule::condition);
static_assert(broken_program<tensors>([](auto& of) {
                of.edges[static_cast<std::size_t>(of.nodes[t + 2].first)] = x;
              }) == program_rule::condition);
static_assert(broken_program<tensors>([](auto& of) { of.nodes[w].access = 2; }) == program_rule::range);
static_assert(broken_program<tensors>([](auto& of) { of.nodes[w].access = 0; }) == program_rule::range);
static_assert(broken_program<tensors>([](auto& of) { of.outputs[0] = 99; }) == program_rule::range);
static_assert(broken_program<tensors>([](auto& of) { of.nodes[e].sequence = true; }) == program_rule::sequence);

struct reversed_rows {
  static constexpr builder run() {
    builder g;
    g.variables = {1, ""};
    const tensor_access all{access_kind::variable, 0, 2, {0, 1}};
    const tensor_move list[] = {{move_kind::slice, all, all, 0, {-1, -1, 0, {}}, {-1, -1}}};
    const int operands[] = {g.read(all)};
    g.outputs.push_back(g.append_move(info<operation::Move>, list, operands, 1));
    return g;
  }
};
static_assert(broken_program<frozen<reversed_rows>>([](auto&) {}) == program_rule::none);
static_assert(broken_program<frozen<reversed_rows>>([](auto& of) {
                of.moves[0].to = {access_kind::variable, 0, 3, {0, 1, 1}};
              }) == program_rule::axes);

// Lowered programs tell extents and outputs.
struct lowered_rows {
  static constexpr builder run() {
    builder g;
    g.variables = {1, ""};
    g.axis_rules.push_back({2, axis_rule::form::sum, {3, -1, 0, {}}});
    const tensor_access from{access_kind::variable, 0, 2, {0, 1}}, to{access_kind::output, 0, 3, {2, 0, 1}};
    const tensor_move list[] = {{move_kind::broadcast, from, to, 0, {}}};
    const int operands[] = {g.read(from)};
    g.outputs.push_back(g.append_move(info<operation::Move>, list, operands, 1));
    g.accesses.push_back(to);
    return g;
  }
};
template <class Break>
constexpr program_rule broken_lowering(Break change) {
  auto copy = frozen<lowered_rows>::value;
  change(copy);
  return verify_lowered(copy).rule;
}
static_assert(broken_lowering([](auto&) {}) == program_rule::none);
static_assert(broken_lowering([](auto& of) { of.axis_rules[0].axis = 3; }) == program_rule::extent);
static_assert(broken_lowering([](auto& of) { of.accesses[0].axes[1] = 2; }) == program_rule::extent);
static_assert(broken_lowering([](auto& of) { of.accesses[0].kind = access_kind::index; }) == program_rule::extent);
static_assert(broken_lowering([](auto& of) { of.nodes[0].reduced = 8; }) == program_rule::extent);
static_assert(broken_lowering([](auto& of) { of.accesses[1].rank = 2; }) == program_rule::axes);

struct sine_and_cosine {
  static constexpr builder run() {
    builder g(stage::evaluation);
    g.variables = {1, ""};
    const int v = g.variable(0), both[] = {unary(g, info<operation::Sin>, v), unary(g, info<operation::Cos>, v)};
    return prune(g, both);
  }
};
static_assert(broken_program<frozen<sine_and_cosine>>([](auto&) {}) == program_rule::none);
static_assert(broken_program<frozen<sine_and_cosine>>([](auto& of) { of.nodes.back().operation = &info<Exp>; }) ==
              program_rule::pair);

// Of the numbers u and v: the product, and u beside itself, of which the first is taken.
enum : int { product = 2, beside, lane };
struct over_numbers {
  static constexpr builder run() {
    builder g(stage::evaluation);
    g.variables = {2, ""};
    g.variable(0), g.variable(1);
    g.outputs.push_back(binary(g, info<Multiply>, u, v));
    binary(g, info<operation::SideBySide>, u, u);
    g.outputs.push_back(unary(g, info<operation::Lane<0>>, beside));
    return g;
  }
};
using numbers = frozen<over_numbers>;
static_assert(broken_program<numbers>([](auto&) {}) == program_rule::none);
static_assert(broken_program<numbers>([](auto& of) { of.nodes[product].axes = i; }) == program_rule::axes);
static_assert(broken_program<numbers>([](auto& of) { of.nodes[product].condition = true; }) == program_rule::condition);
static_assert(broken_program<numbers>([](auto& of) { of.nodes[product].sequence = true; }) == program_rule::sequence);
static_assert(broken_program<numbers>([](auto& of) { of.nodes[product].count = 1; }) == program_rule::count);
static_assert(broken_program<numbers>([](auto& of) { of.nodes[v].sequence = true; }) == program_rule::sequence);
static_assert(broken_program<numbers>([](auto& of) { of.nodes[lane].operation = &info<Exp>; }) == program_rule::pair);

// Packs

struct alike {
  static constexpr builder run() {
    builder g(stage::evaluation);
    g.variables = {4, ""};
    for (int v = 0; v < 4; ++v)
      g.outputs.push_back(unary(g, info<operation::Tanh>, unary(g, info<Exp>, g.variable(v))));
    return prune(g, {g.outputs.begin(), g.outputs.end()});
  }
};
template <class Break>
constexpr pack_rule broken_packs(Break change) {
  auto copy = packs_of<frozen<alike>>;
  change(copy);
  return find_fault(copy, frozen<alike>::view()).rule;
}
// Variables, exponentials and their tanh.
static_assert(packs_of<frozen<alike>>.size == 3 && packs_of<frozen<alike>>.steps[2].sources[0] == 1);
static_assert(broken_packs([](auto&) {}) == pack_rule::none);
static_assert(broken_packs([](auto& packs) { std::swap(packs.steps[1], packs.steps[2]); }) != pack_rule::none);
static_assert(broken_packs([](auto& packs) {
                const auto at = static_cast<std::size_t>(packs.steps[1].first);
                std::swap(packs.members[at + 1], packs.members[at + 5]);
              }) == pack_rule::alike);
static_assert(broken_packs([](auto& packs) {
                const auto at = static_cast<std::size_t>(packs.steps[2].first);
                packs.members[at] = packs.members[at + 1];
              }) == pack_rule::one_place);
static_assert(broken_packs([](auto& packs) { packs.steps[2].sources[0] = same_value; }) == pack_rule::sources);
static_assert(broken_packs([](auto& packs) { packs.steps[2].sources[0] = 0; }) == pack_rule::sources);
static_assert(broken_packs([](auto& packs) { --packs.size; }) == pack_rule::one_place);
// A pack that needs a later one.
static_assert(broken_packs([](auto& packs) {
                std::swap(packs.steps[1], packs.steps[2]);
                for (auto& step : packs.step_of) step = step == 1 ? 2 : step == 2 ? 1 : step;
              }) == pack_rule::order);

// Loops

struct doubled {
  static constexpr builder run() {
    builder g(stage::evaluation);
    g.variables = {2, ""};
    const int carry = g.variable(0);
    g.outputs.push_back(binary(g, info<operation::Add>, carry, carry));
    return g;
  }
};
template <operation::scan_shape Shape>
struct with_loop {
  static constexpr builder run() {
    builder g(stage::evaluation);
    g.variables = {2, ""};
    const int operands[] = {g.variable(0), g.variable(1)};
    const int loop = g.append_of_loops(info<operation::Scan<frozen<doubled>, Shape>>, operands, 2);
    g.outputs.push_back(g.append_of_loops(info<operation::ScanOutput<0, false>>, &loop, 1));
    return g;
  }
};
constexpr operation::scan_shape one_carry{1, 0, 0, 0, 0};
constexpr operation::scan_shape two_carries{2, 0, 0, 0, 0};
constexpr operation::scan_shape one_captured{1, 1, 0, 0, 0};
template <operation::scan_shape Shape>
constexpr auto rule_of_loop = scalar::detail::fault_of_loop<frozen<with_loop<Shape>>, 2>.rule;
static_assert(rule_of_loop<one_carry> == scalar::detail::loop_rule::none);
static_assert(rule_of_loop<two_carries> == scalar::detail::loop_rule::captures);
static_assert(rule_of_loop<one_captured> == scalar::detail::loop_rule::captures);

// What counts the steps of a loop that reads the history of another: the variables are the carry, how many steps that
// other loop takes, and another number.
struct root {
  static constexpr builder run() {
    builder g(stage::evaluation);
    g.variables = {2, ""};
    g.outputs.push_back(unary(g, info<operation::Sqrt>, g.variable(0)));
    return g;
  }
};
struct added {
  static constexpr builder run() {
    builder g(stage::evaluation);
    g.variables = {3, ""};
    g.outputs.push_back(binary(g, info<operation::Add>, g.variable(0), g.variable(1)));
    return g;
  }
};
template <auto Count>
struct reader_of_history {
  static constexpr builder run() {
    constexpr operation::scan_shape back{1, 0, 0, 1, 0, true};
    builder g(stage::evaluation);
    g.variables = {3, ""};
    const int carry = g.variable(0), first[] = {g.variable(1), carry};
    const int forward = g.append_of_loops(info<operation::Scan<frozen<root>, one_carry>>, first, 2);
    const int history = g.append_of_loops(info<operation::ScanOutput<one_carry.history(0), true>>, &forward, 1);
    const int second[] = {Count(g, history), carry, history};
    const int backward = g.append_of_loops(info<operation::Scan<frozen<added>, back>>, second, 3);
    g.outputs.push_back(g.append_of_loops(info<operation::ScanOutput<0, false>>, &backward, 1));
    return g;
  }
};
template <auto Count>
constexpr scalar::detail::loop_rule rule_of_reader = [] {
  using P = frozen<reader_of_history<Count>>;
  return scalar::detail::fault_of_loop<P, loops_in<P>::nodes.back()>.rule;
}();
constexpr auto its_operand = [](builder& g, int) { return g.variable(1); };
constexpr auto its_length = [](builder& g, int history) { return length_of(g, history); };
constexpr auto as_many_zeros = [](builder& g, int history) { return length_of(g, zeros(g, length_of(g, history))); };
template <operation::scan_shape Shape>
constexpr auto length_of_other = [](builder& g, int) {
  const int operands[] = {g.variable(1), g.variable(2)};
  const int loop = g.append_of_loops(info<operation::Scan<frozen<root>, Shape>>, operands, 2);
  return length_of(g, g.append_of_loops(info<operation::ScanOutput<Shape.history(0), true>>, &loop, 1));
};
constexpr operation::scan_shape one_that_ends{1, 0, 0, 0, 0, false, 0, true};
constexpr auto another = [](builder& g, int) { return g.variable(2); };
constexpr auto other_zeros = [](builder& g, int) { return length_of(g, zeros(g, g.variable(2))); };
static_assert(rule_of_reader<its_operand> == scalar::detail::loop_rule::none);
static_assert(rule_of_reader<its_length> == scalar::detail::loop_rule::none);
static_assert(rule_of_reader<as_many_zeros> == scalar::detail::loop_rule::none);
static_assert(rule_of_reader<length_of_other<one_carry>> == scalar::detail::loop_rule::none);
static_assert(rule_of_reader<length_of_other<one_that_ends>> == scalar::detail::loop_rule::steps);
static_assert(rule_of_reader<another> == scalar::detail::loop_rule::steps);
static_assert(rule_of_reader<other_zeros> == scalar::detail::loop_rule::steps);

}  // namespace
