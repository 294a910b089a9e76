// Sums over the elements of several processes, which are threads here, against matrices by hand.
#include "../assemble/chain.hpp"
#include "threads.hpp"

#include <tapeless/assemble.hpp>
#include <tapeless/distributed.hpp>
#include <tapeless/parallel.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <execution>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

using namespace tapeless;
using namespace tapeless_test;

namespace {

/// How many entries of the chain's matrix are in blocks of elements.
constexpr std::size_t entries = 3 + 3 + 5 + 3 + 3;
// Without the hinges and the last spring.
constexpr square_matrix two_links{{{2, -2, 0, 0, 0}, {-2, 5, -3, 0, 0}, {0, -3, 3, 0, 0}, {}, {}}};

template <class Result>
void check_form(const Result& r, const square_matrix& matrix) {
  BOOST_TEST(r.gradient == forces(matrix));
  BOOST_TEST(r.value == energy_of(matrix));
  if constexpr (requires { r.hessian; })
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < 5; ++j) BOOST_TEST(r.hessian(i, j) == matrix[i][j]);
}

/// The elements of a process: each `size`th one, but the first process has none.
template <class All>
All part_of(const All& all, int rank, int size) {
  All part;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int owner = size == 1 ? 0 : 1 + static_cast<int>(i) % (size - 1);
    if (owner == rank) part.push_back(all[i]);
  }
  return part;
}

}  // namespace

BOOST_AUTO_TEST_CASE(sums_are_over_the_elements_of_all_processes) {
  for (const int size : {1, 2, 3, 5})
    on_processes(size, [&](thread_communicator& comm) {
      const auto own_links = part_of(links, comm.rank(), size);
      const auto own_stiffness = part_of(stiffness, comm.rank(), size);
      const auto own_bends = part_of(bends, comm.rank(), size);
      const auto run = [&](const auto& on) {
        const auto g = assemble(value_and_gradient(spring), value_and_gradient(hinge));
        auto r = g(on, x, sum_over(own_links, own_stiffness), sum_over(own_bends));
        const auto h = assemble(hessian(spring), hessian(hinge));
        auto all = h(on, x, sum_over(own_links, own_stiffness), sum_over(own_bends));
        check([&] {
          check_form(r, chain);
          check_form(all, chain);
          BOOST_TEST(all.hessian.values.size() == entries);
        });
        r = {};
        all.value = 0, all.gradient = {};
        g(on, into(r), x, sum_over(own_links, own_stiffness), sum_over(own_bends));
        h(on, into(all), x, sum_over(own_links, own_stiffness), sum_over(own_bends));
        check([&] { check_form(r, chain), check_form(all, chain); });
      };
      run(mpi::on<false>(comm));
      run(mpi::on<true>(comm));
      run(mpi::on(comm, std::execution::par));
    });
}

BOOST_AUTO_TEST_CASE(the_same_call_again_is_one_all_reduce) {
  on_processes(3, [&](thread_communicator& comm) {
    const auto own = part_of(links, comm.rank(), 3);
    const auto own_stiffness = part_of(stiffness, comm.rank(), 3);
    const auto on = mpi::on<false>(comm);
    const auto count = [&](const auto& call) {
      const int before = comm.all_reduces;
      const std::size_t numbers = comm.numbers;
      call();
      return std::array{static_cast<std::size_t>(comm.all_reduces - before), comm.numbers - numbers};
    };
    const auto g = assemble(value_and_gradient(spring));
    auto r = g(on, x, own, own_stiffness);
    const auto of_gradient = count([&] { g(on, into(r), x, own, own_stiffness); });
    const auto h = assemble(hessian(spring));
    auto all = h(on, x, own, own_stiffness);
    // Now every process says that it has the pattern.
    h(on, into(all), x, own, own_stiffness);
    const auto of_hessian = count([&] { h(on, into(all), x, own, own_stiffness); });
    // Without a result to keep the pattern: counts of elements, their indices, whether the pattern was made, the sums.
    h(on, x, own, own_stiffness);
    const auto of_pattern = count([&] { h(on, x, own, own_stiffness); });
    check([&] {
      BOOST_TEST(of_gradient == (std::array<std::size_t, 2>{1, 6}));
      BOOST_TEST(of_hessian == (std::array<std::size_t, 2>{1, 1 + 5 + 2 + 3 + 3 + 2}));
      BOOST_TEST(of_pattern == (std::array<std::size_t, 2>{4, 3 + (1 + 6) + 1 + 16}));
    });
  });
}

BOOST_AUTO_TEST_CASE(elements_may_change_in_one_process) {
  on_processes(3, [&](thread_communicator& comm) {
    const auto on = mpi::on<false>(comm);
    const auto h = assemble(hessian(spring));
    const auto own = part_of(links, comm.rank(), 3), two = part_of(Pairs{links[0], links[1]}, comm.rank(), 3);
    const auto own_stiffness = part_of(stiffness, comm.rank(), 3);
    const auto of_two = part_of(std::vector<double>{2, 3}, comm.rank(), 3);
    const auto check_links = [&](const auto& all, bool third) {
      square_matrix expected = two_links;
      if (third) expected[2][2] += 5, expected[2][3] -= 5, expected[3][2] -= 5, expected[3][3] += 5;
      check([&] {
        check_form(all, expected);
        BOOST_TEST(all.hessian.values.size() == (third ? 10 : 7));
      });
    };
    auto all = h(on, x, own, own_stiffness);
    check_links(all, true);
    for (int i = 0; i < 3; ++i) {
      h(on, into(all), x, two, of_two);
      check_links(all, false);
      h(on, into(all), x, own, own_stiffness);
      h(on, into(all), x, own, own_stiffness);
      check_links(all, true);
    }
    // The same results need not be kept in all processes.
    auto other = h(on, x, two, of_two);
    h(on, into(comm.rank() == 1 ? other : all), x, own, own_stiffness);
    check_links(comm.rank() == 1 ? other : all, true);
    h(on, into(comm.rank() == 2 ? other : all), x, own, own_stiffness);
    check_links(comm.rank() == 2 ? other : all, true);
    // One process alone, into what was made by several, and back.
    assemble(hessian(spring))(into(all), x, own, own_stiffness);
    check([&] { BOOST_TEST(all.hessian.values.size() == (comm.rank() == 0 ? 0 : comm.rank() == 1 ? 8 : 4)); });
    h(on, into(all), x, own, own_stiffness);
    check_links(all, true);
  });
}

BOOST_AUTO_TEST_CASE(nodes_of_several_vectors_some_of_them_held) {
  // Points 0 and 4 are held, in a vector of their own there are the rests of springs to each.
  const std::vector<char> none;
  const std::array<bool, 5> held{true, false, false, false, true};
  const std::vector<float> y{1, 2, 4, 7, 3}, rests{3, 5};
  const std::vector<int> of_points{1, 3, 2}, of_rests{0, 1, 0};
  constexpr auto pull = [](auto a, auto rest, auto strength) { return strength * square(a - rest) / 2; };
  for (const int size : {2, 3})
    on_processes(size, [&](thread_communicator& comm) {
      const auto on = mpi::on(comm);
      const auto points = part_of(of_points, comm.rank(), size), to = part_of(of_rests, comm.rank(), size);
      const auto strengths = part_of(std::vector<float>{2, 4, 8}, comm.rank(), size);
      auto r = assemble(hessian(pull))(on, nodes_of(y, points, held), nodes_of(rests, to), strengths);
      assemble(hessian(pull))(on, into(r), nodes_of(y, points, held), nodes_of(rests, to), strengths);
      check([&] {
        const auto& [by_points, by_rests] = r.gradient;
        BOOST_TEST(by_points == (std::vector<float>{0, 2 * (2 - 3), 8 * (4 - 3), 4 * (7 - 5), 0}));
        BOOST_TEST(by_rests == (std::vector<float>{-2 * (2 - 3) - 8 * (4 - 3), -4 * (7 - 5)}));
        BOOST_TEST(r.value == 1 + 4 + 8);
        BOOST_TEST(r.unknowns() == (std::vector<int>{1, 2, 3, 5, 6}));
        constexpr float expected[5][5] = {
            {2, 0, 0, -2, 0}, {0, 8, 0, -8, 0}, {0, 0, 4, 0, -4}, {-2, -8, 0, 10, 0}, {0, 0, -4, 0, 4}};
        for (std::size_t i = 0; i < 5; ++i)
          for (std::size_t j = 0; j < 5; ++j) BOOST_TEST(r.hessian(i, j) == expected[i][j]);
      });
    });
}

BOOST_AUTO_TEST_CASE(rows_of_jacobians_are_those_of_the_process) {
  constexpr auto stretch = [](auto a, auto b) { return square(b - a); };
  on_processes(3, [&](thread_communicator& comm) {
    const auto own = part_of(links, comm.rank(), 3);
    const auto r = assemble(jacobian(stretch))(mpi::on(comm), x, mpi::shard(own));
    check([&] {
      BOOST_TEST(comm.all_reduces == 0);
      BOOST_TEST(r.value.size() == own.size());
      for (std::size_t e = 0; e < own.size(); ++e) {
        const auto a = static_cast<std::size_t>(own[e][0]), b = static_cast<std::size_t>(own[e][1]);
        BOOST_TEST(r.value[e] == (x[b] - x[a]) * (x[b] - x[a]));
        BOOST_TEST(r.jacobian(e, b) == 2 * (x[b] - x[a]));
        BOOST_TEST(r.jacobian(e, a) == -2 * (x[b] - x[a]));
      }
    });
  });
}

BOOST_AUTO_TEST_CASE(an_error_of_one_process_reaches_all) {
  for (const bool kept : {false, true})
    on_processes(3, [&](thread_communicator& comm) {
      const auto own = part_of(links, comm.rank(), 3);
      const auto own_stiffness = part_of(stiffness, comm.rank(), 3);
      const auto wrong = comm.rank() == 1 ? Pairs{{0, 5}, {0, 1}} : own;
      const auto on = mpi::on<false>(comm);
      const auto h = assemble(hessian(spring));
      auto r = h(on, x, own, own_stiffness);
      if (kept) {
        h(on, into(r), x, own, own_stiffness);
        h(on, into(r), x, own, own_stiffness);
      }
      const auto check_wrong = [&](const auto&... to) {
        const std::string text = failure([&] { h(on, to..., x, wrong, own_stiffness); });
        check([&] {
          BOOST_TEST(says(text, "element 0 refers to entry 5 of a vector of length 5"), text);
          BOOST_TEST(says(text, "process 1 of 3 failed") == (comm.rank() != 1), text);
        });
      };
      check_wrong(into(r));
      // Instead of a call that makes the pattern once more.
      h(on, x, own, own_stiffness);
      check_wrong();
      // Different vectors, then different values of the same ones.
      const std::vector<double> longer(6);
      const std::string shapes = failure([&] { h(on, into(r), comm.rank() == 2 ? longer : x, own, own_stiffness); });
      check([&] {
        BOOST_TEST(says(shapes, "bind different shapes; process " + std::to_string(comm.rank()) + " has vectors with " +
                                    (comm.rank() == 2 ? "6" : "5") + " entries"),
                   shapes);
      });
      const std::vector<double> others{1, 2, 4, 7, 8};
      const std::string values =
          failure([&] { h(mpi::on<true>(comm), into(r), comm.rank() == 0 ? others : x, own, own_stiffness); });
      check([&] { BOOST_TEST(says(values, "bind different values"), values); });
      h(on, into(r), x, own, own_stiffness);
      check([&] { BOOST_TEST(r.hessian(1, 1) == 5.0); });
    });
}

BOOST_AUTO_TEST_CASE(values_may_be_nan) {
  on_processes(2, [&](thread_communicator& comm) {
    const auto own = part_of(links, comm.rank(), 2);
    const std::vector<double> undefined(own.size(), std::nan(""));
    const auto on = mpi::on<false>(comm);
    const auto h = assemble(hessian(spring));
    auto r = h(on, x, own, undefined);
    for (int i = 0; i < 3; ++i) {
      h(on, into(r), x, own, undefined);
      check([&] { BOOST_TEST(std::isnan(r.value)); });
    }
    h(on, into(r), x, own, part_of(stiffness, comm.rank(), 2));
    check([&] { BOOST_TEST(r.hessian(1, 1) == 5.0); });
  });
}
