// Slices lie in what they are of, what is padded or concatenated in the result, and sums of steps in what is carried:
// values and derivatives as by hand, where ranges meet and where they do not, and where results lie in arguments.
#include "check_against.hpp"

using namespace tapeless;
using namespace tapeless_test;

namespace {

matrix part(const matrix& x, std::size_t begin, std::size_t end) {
  return xt::view(x, xt::all(), xt::range(begin, end));
}
const matrix x = random<matrix>({5, 9}, 1), y = random<matrix>({5, 3}, 2);

}  // namespace

BOOST_AUTO_TEST_CASE(slices_side_by_side) {
  // All of the columns, and all but one of those of what is computed.
  const auto of_columns = [](std::size_t first, std::size_t second) {
    return [=](const matrix& a, const matrix& b) {
      const matrix p = part(a, 0, 3), q = part(a, first, first + 3), e = xt::exp(a), r = part(e, second, second + 3);
      return xt::sum(xt::sin(p) * q * b + q * q * r)();
    };
  };
  check_against<2>(
      "beside each other",
      [](const auto& a, const auto& b) {
        const auto p = slice<1>(a, 0, 3), q = slice<1>(a, 3, 6), r = slice<1>(exp(a), 6, 9);
        return sum(sin(p) * q * b + square(q) * r);
      },
      of_columns(3, 6), x, y);
  check_against<2>(
      "with a gap",
      [](const auto& a, const auto& b) {
        const auto p = slice<1>(a, 0, 3), q = slice<1>(a, 4, 7), r = slice<1>(exp(a), 5, 8);
        return sum(sin(p) * q * b + square(q) * r);
      },
      of_columns(4, 5), x, y);
  check_against<2>(
      "meeting",
      [](const auto& a, const auto& b) {
        const auto p = slice<1>(a, 0, 3), q = slice<1>(a, 2, 5), r = slice<1>(exp(a), 4, 7);
        return sum(sin(p) * q * b + square(q) * r);
      },
      of_columns(2, 4), x, y);
  check_against<2>(
      "from the end",
      [](const auto& a, const auto& b) {
        const auto p = slice<1>(a, 0, -6), q = slice<1>(a, -6, -3), r = slice<1>(exp(a), -3);
        return sum(sin(p) * q * b + square(q) * r);
      },
      of_columns(3, 6), x, y);
}

// What is sliced has an extent of 1 that no loop runs along.
BOOST_AUTO_TEST_CASE(ranges_of_one_row) {
  check_against<2>(
      "of one row",
      [](const auto& a, const auto& b) {
        const auto all = sum<0>(a, keep_dims), first = slice<0>(expand_dims<0>(a[0]), 0, 1), last = slice<0>(all, -1);
        return sum(sin(first) * a) + sum(exp(last) * a) + sum(exp(slice<0>(all, 1))) + sum(square(pad<0>(all, 1, 2))) +
               sum(b);
      },
      [](const matrix& a, const matrix& b) {
        double total = xt::sum(b)();
        for (std::size_t j = 0; j < a.shape(1); ++j) {
          double all = 0;
          for (std::size_t i = 0; i < a.shape(0); ++i) all += a(i, j);
          for (std::size_t i = 0; i < a.shape(0); ++i) total += (std::sin(a(0, j)) + std::exp(all)) * a(i, j);
          total += all * all;
        }
        return total;
      },
      y, random<matrix>({1, 2}, 11));
}

// Ranges side by side, of which some or all are empty, at either end too.
BOOST_AUTO_TEST_CASE(ranges_without_elements) {
  constexpr auto f = [](const auto& a, const auto& m, const auto& n) {
    return sum(exp(slice<1>(a, 0, m))) + sum(sin(slice<1>(a, m, n))) + sum(cos(slice<1>(a, n)));
  };
  for (std::size_t columns = 0; columns < 4; ++columns)
    for (std::size_t m = 0; m <= columns; ++m)
      for (std::size_t n = m; n <= columns; ++n) {
        const matrix a = random<matrix>({2, columns}, 10), g = gradient(f, wrt<0>)(a, m, n);
        for (std::size_t i = 0; i < 2; ++i)
          for (std::size_t j = 0; j < columns; ++j) {
            const double at = a(i, j);
            nearly(g(i, j), j < m ? std::exp(at) : j < n ? std::cos(at) : -std::sin(at), "column", 1e-14);
          }
      }
}

BOOST_AUTO_TEST_CASE(rows_and_numbers_of_the_call) {
  check_against<2>(
      "rows",
      [](const auto& a, const auto& b) {
        const auto e = exp(a);
        return sum(slice<0>(e, 0, 2) * slice<0>(e, 2, 4) * slice<0>(e, 3) * a[4]) + sum(b);
      },
      [](const matrix& a, const matrix& b) {
        double total = xt::sum(b)();
        for (std::size_t i = 0; i < 2; ++i)
          for (std::size_t j = 0; j < 9; ++j) total += std::exp(a(i, j) + a(2 + i, j) + a(3 + i, j)) * a(4, j);
        return total;
      },
      x, y);
  check_against<2>(
      "a step",
      [](const auto& a, const auto& b) {
        return sum(slice<1>(a, 0, 9, 2) * slice<1>(exp(a), 4)) + sum(flip<1>(slice<1>(a, 1, 4)) * b);
      },
      [](const matrix& a, const matrix& b) {
        double total = 0;
        for (std::size_t i = 0; i < 5; ++i) {
          for (std::size_t j = 0; j < 5; ++j) total += a(i, 2 * j) * std::exp(a(i, 4 + j));
          for (std::size_t j = 0; j < 3; ++j) total += a(i, 3 - j) * b(i, j);
        }
        return total;
      },
      x, y);
}

BOOST_AUTO_TEST_CASE(parts_of_a_result) {
  // Parts are read again where they lie, and one of them twice.
  check_against<2>(
      "concatenated",
      [](const auto& a, const auto& b) {
        const auto e = exp(b), all = concatenate<1>(e, sin(slice<1>(a, 3, 6)), e);
        return sum(all * a) + sum(square(e)) + sum(dot(transpose(e), all));
      },
      [](const matrix& a, const matrix& b) {
        const matrix e = xt::exp(b), s = xt::sin(part(a, 3, 6));
        double total = 0;
        for (std::size_t i = 0; i < 5; ++i)
          for (std::size_t j = 0; j < 3; ++j) {
            total += e(i, j) * (a(i, j) + a(i, 6 + j) + e(i, j)) + s(i, j) * a(i, 3 + j);
            for (std::size_t k = 0; k < 3; ++k) total += e(i, j) * (2 * e(i, k) + s(i, k));
          }
        return total;
      },
      x, y);
  // The result is an output of the call, and so is a part.
  const auto [all, first] = value([](const auto& b) {
    const auto e = exp(b);
    return std::pair(pad<1>(e, 1, 2), e);
  })(y);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 6; ++j) {
      const double expected = j < 1 || j > 3 ? 0.0 : std::exp(y(i, j - 1));
      nearly(all(i, j), expected, "padded", 1e-14);
      if (j >= 1 && j <= 3) nearly(first(i, j - 1), expected, "part", 1e-14);
    }
}

BOOST_AUTO_TEST_CASE(results_in_arguments) {
  constexpr auto f = [](const auto& a) {
    return sum(sin(slice<1>(a, 0, 3)) * slice<1>(a, 3, 6) * exp(slice<1>(a, 6, 9)));
  };
  const auto apart = gradient(f, wrt<0>)(x);
  matrix same = x;
  gradient(f, wrt<0>)(into(same), same);
  for (std::size_t k = 0; k < x.size(); ++k) nearly(same.data()[k], apart.data()[k], "into its argument", 0);
}

BOOST_AUTO_TEST_CASE(sums_of_steps) {
  // The weights are read along axes of the carry, both ways, and so is what is added up for them.
  constexpr auto f = [](const auto& w, const auto& h, const auto& xs) {
    const auto [last, hs] = scan(
        [&](auto state, auto now) {
          const auto gate = tanh(slice<1>(now, 0, 3) + dot(state, w));
          const auto next = gate * state + slice<1>(now, 3, 6) * tanh(dot(gate * state, transpose(w)));
          return std::pair(next, next);
        },
        h, xs);
    return sum(square(hs)) + sum(last);
  };
  const auto by_hand = [](const matrix& w, const matrix& h, const cube& xs) {
    matrix state = h;
    double total = 0;
    for (std::size_t t = 0; t < xs.shape(0); ++t) {
      const matrix now = xt::view(xs, t, xt::all(), xt::all()), turned = xt::transpose(w);
      const matrix gate = xt::tanh(part(now, 0, 3) + product(state, w)), moved = gate * state;
      state = moved + part(now, 3, 6) * xt::tanh(product(moved, turned));
      total += xt::sum(state * state)();
    }
    return total + xt::sum(state)();
  };
  for (const std::size_t steps : {0u, 1u, 2u, 5u})
    check_against<2>("steps", f, by_hand, random<matrix>({3, 3}, 3), y, random<cube>({steps, 5, 6}, 4));
  check_against("one row", f, by_hand, random<matrix>({3, 3}, 3), random<matrix>({1, 3}, 5),
                random<cube>({4, 1, 6}, 4));

  // Sums that the function itself carries, one of them read by no step, the other by each.
  check_against<2>(
      "carried",
      [](const auto& a, const auto& b) {
        const auto [once, twice] = scan(
            [](auto sums, auto row) {
              const auto [p, q] = sums;
              return std::tuple(p + dot(transpose(row), row), q + dot(transpose(row), row) * sum(q));
            },
            std::tuple(b, b), reshape<2, 2, 3>(a));
        return sum(sin(once)) + sum(square(twice));
      },
      [](const matrix& a, const matrix& b) {
        matrix p = b, q = b;
        for (std::size_t t = 0; t < 2; ++t) {
          const double before = xt::sum(q)();
          for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
              for (std::size_t k = 0; k < 2; ++k) {
                const double term = a(2 * t + k, i) * a(2 * t + k, j);
                p(i, j) += term, q(i, j) += term * before;
              }
        }
        return xt::sum(xt::sin(p))() + xt::sum(q * q)();
      },
      random<matrix>({4, 3}, 6), random<matrix>({3, 3}, 7));
}

// Such a carry that the step reads too has two places; where there are derivatives, its history.
BOOST_AUTO_TEST_CASE(sums_carried_and_read) {
  constexpr auto f = [](const auto& a, const auto& b) {
    const auto step = [&](const auto& carry, const auto&) {
      const auto& [sum_so_far, read] = carry;
      return std::tuple(sum_so_far + sum<0>(a * tanh(read)), sin(sum_so_far) * mean<0>(cos(a * read)));
    };
    const auto [total, last] = scan(step, std::tuple(b, 0.3 * b), steps(4));
    return sum(square(total)) + sum(exp(last));
  };
  const auto by_hand = [](const matrix& a, const row& b) {
    row total = b, last = 0.3 * b;
    for (int i = 0; i < 4; ++i) {
      const row next = xt::sin(total) * xt::mean(xt::cos(a * last), {0});
      total += row(xt::sum(a * xt::tanh(last), {0}));
      last = next;
    }
    return xt::sum(xt::square(total))() + xt::sum(xt::exp(last))();
  };
  const row start = random<row>({3}, 3);
  nearly(value(f)(y, start), by_hand(y, start), "value", 1e-14);
  check_against("read by another carry", f, by_hand, y, start);
}

// What a step adds to, it reads along other axes than it writes: it cannot lie where it lay.
BOOST_AUTO_TEST_CASE(sums_carried_and_turned) {
  constexpr auto f = [](const auto& start, const auto& xs) {
    const auto [turned, moved] = scan(
        [](const auto& carry, const auto& now) {
          const auto& [matrices, stacks] = carry;
          return std::tuple(transpose(matrices) + dot(transpose(now), now),
                            transpose<1, 2, 0>(stacks) - einsum<"ka,kb,kc->abc">(now, sin(now), now));
        },
        std::tuple(start, outer(start[0], start)), xs);
    return sum(sin(turned) * start) + sum(square(moved) * start[1]);
  };
  const auto by_hand = [](const matrix& start, const cube& xs) {
    matrix turned = start;
    cube moved = cube::from_shape({3, 3, 3});
    for (std::size_t i = 0; i < 27; ++i) moved.data()[i] = start(0, i / 9) * start.data()[i % 9];
    for (std::size_t t = 0; t < xs.shape(0); ++t) {
      const matrix before = turned, now = xt::view(xs, t, xt::all(), xt::all());
      turned = xt::transpose(before) + product(xt::transpose(now), now);
      const cube stacks = moved;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          for (std::size_t l = 0; l < 3; ++l) {
            moved(i, j, l) = stacks(l, i, j);
            for (std::size_t k = 0; k < 2; ++k) moved(i, j, l) -= now(k, i) * std::sin(now(k, j)) * now(k, l);
          }
    }
    double total = xt::sum(xt::sin(turned) * start)();
    for (std::size_t i = 0; i < 27; ++i) total += moved.data()[i] * moved.data()[i] * start(1, i % 3);
    return total;
  };
  for (const std::size_t steps : {1u, 3u, 4u, 5u}) {
    const cube xs = random<cube>({steps, 2, 3}, 8);
    const matrix start = random<matrix>({3, 3}, 9);
    nearly(value(f)(start, xs), by_hand(start, xs), "value", 1e-13);
    check_against("turned", f, by_hand, start, xs);
  }
}
