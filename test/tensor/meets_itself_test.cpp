#include <tapeless/sort.hpp>

#include <boost/test/unit_test.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

#include "check_against.hpp"

/// Whatever gives a square matrix, in operations in which its rows meet its columns: there it needs further axes.
using namespace tapeless;
using namespace tapeless_test;

namespace {

/// Of the matrix F{}(b, c), against the same of its elements.
template <class F>
void check(const char* what, F) {
  const matrix b = random<matrix>({3, 3}, 1), c = random<matrix>({3, 3}, 2);
  const matrix m = value(F{})(b, c);
  matrix product = xt::zeros<double>({3, 3}), gram = product, turned = product, both = product;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) product(i, j) += m(i, k) * m(k, j), gram(i, j) += m(i, k) * m(j, k);
      turned(i, j) = m(i, j) * m(j, i), both(i, j) = m(i, j) + b(j, i);
    }
  const auto equal = [&](const char* how, const matrix& found, const matrix& expected) {
    for (std::size_t i = 0; i < 9; ++i)
      nearly(found.data()[i], expected.data()[i], std::string(what) + ", " + how, 1e-12);
  };
  equal("product", value([](const auto& x, const auto& y) {
          const auto u = F{}(x, y);
          return dot(u, u);
        })(b, c),
        product);
  equal("Gram", value([](const auto& x, const auto& y) {
          const auto u = F{}(x, y);
          return dot(u, transpose(u));
        })(b, c),
        gram);
  equal("transposed", value([](const auto& x, const auto& y) {
          const auto u = F{}(x, y);
          return u * transpose(u);
        })(b, c),
        turned);
  equal("and its argument", value([](const auto& x, const auto& y) { return F{}(x, y) + transpose(x); })(b, c), both);
  // The gradient, against differences of sums of that product.
  const auto loss = [](const auto& x, const auto& y) {
    const auto u = F{}(x, y);
    return sum(dot(u, u));
  };
  const auto slopes = gradient(loss, wrt<0>)(b, c);
  for (std::size_t i = 0; i < 9; ++i) {
    const double h = 1e-5;
    const auto moved = [&](double by) {
      matrix at = b;
      at.data()[i] += by;
      const matrix u = value(F{})(at, c);
      double total = 0;
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t s = 0; s < 3; ++s)
          for (std::size_t k = 0; k < 3; ++k) total += u(r, k) * u(k, s);
      return total;
    };
    nearly(slopes.data()[i], (moved(h) - moved(-h)) / (2 * h), std::string(what) + ", gradient", 1e-7);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(meets_itself)

BOOST_AUTO_TEST_CASE(loops) {
  check("carry", [](const auto& b, const auto& c) { return scan([](auto m, auto x) { return tanh(m + x); }, b, c); });
  check("carry and more",
        [](const auto& b, const auto& c) { return exp(scan([](auto m, auto x) { return 0.5 * m * x; }, b, c)); });
  check("carry that is a sum",
        [](const auto& b, const auto& c) { return scan([](auto m, auto x) { return m + outer(x, x); }, b, c); });
  check("stacked", [](const auto& b, const auto& c) {
    return scan(
               [&](auto h, auto x) {
                 const auto next = tanh(dot(b, h) + x);
                 return std::pair(next, next);
               },
               c[0], c)
        .second;
  });
  check("stacked map", [](const auto& b, const auto& c) {
    return scan([](auto s, auto x, auto y) { return std::pair(s + x[0], x * y); }, 0.0, b, c).second;
  });
  check("while", [](const auto& b, const auto& c) {
    return while_loop([](auto m) { return sum(m) < 100.0; }, [&](auto m) { return 0.5 * m + c; }, b, 4);
  });
}
// The sums of its middle are moved to further axes, along which those after it go on.
BOOST_AUTO_TEST_CASE(long_chains) {
  check("sums of products", [](const auto& b, const auto& c) {
    const auto z = dot(b, c), o = outer(sum<0>(c), sum<0>(c));
    const auto v = sum<0>(c + dot(sum<0>(z) * o, transpose(z)));
    return b + outer(v, v);
  });
}
BOOST_AUTO_TEST_CASE(branches_and_calls) {
  check("branch", [](const auto& b, const auto& c) {
    return cond(sum(c) < 100.0, [&] { return tanh(b * c); }, [&] { return b; });
  });
  check("call", [](const auto& b, const auto& c) {
    return call([](const auto& x, const auto& y) { return tanh(x * y); }, b, c);
  });
  check("ode", [](const auto& b, const auto& c) {
    return odeint([](auto, const auto& y, const auto& w) { return tanh(dot(w, y)); }, b, 0.0, 1.0, 2, c);
  });
}
BOOST_AUTO_TEST_CASE(verbs) {
  check("gradient", [](const auto& b, const auto& c) {
    return gradient([](const auto& x, const auto& y) { return sum(exp(x * y)); }, wrt<0>)(b, c);
  });
  check("hvp",
        [](const auto& b, const auto& c) { return hvp([](const auto& x) { return sum(exp(x)); }, tangent(c))(b); });
  check("jvp",
        [](const auto& b, const auto& c) { return jvp([](const auto& x) { return dot(x, x); }, tangent(c))(b); });
}
BOOST_AUTO_TEST_CASE(moves) {
  check("sorted", [](const auto& b, const auto& c) { return sort<0>(b) * c; });
  check("accumulated", [](const auto& b, const auto& c) { return cumsum<1>(b) + cumprod<0>(c); });
  check("rolled", [](const auto& b, const auto& c) { return roll<0>(b, 1) * flip<1>(c); });
  check("padded", [](const auto& b, const auto& c) { return slice<0>(pad<0>(b * c, 1, 1), 0, 3); });
  check("joined", [](const auto& b, const auto& c) { return concatenate<0>(slice<0>(b, 0, 1), slice<0>(c, 1, 3)); });
  check("triangle", [](const auto& b, const auto& c) { return tril(b) + diag(c[0]); });
  check("softmax", [](const auto& b, const auto& c) { return softmax<1>(b) * c; });
}
// What reduces an axis reduces its copy, too, whose elements were moved from elsewhere.
BOOST_AUTO_TEST_CASE(sums_of_moved_elements) {
  using cube = xt::xtensor<double, 3>;
  const cube a = random<cube>({3, 3, 3}, 1);
  const auto chosen = [](const auto& x) {
    const auto largest = argmax<1>(x);
    return diagonal(where(largest < x, largest, dot(largest, largest)));
  };
  const matrix u = value(chosen)(a);
  double expected = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) expected += u(i, j) * u(j, k);
  const double found = value([](const auto& x) {
    const auto m = decltype(chosen){}(x);
    return sum(einsum<"ab,bc->bac">(m, m));
  })(a);
  nearly(found, expected, "einsum of moved elements", 1e-12);
}

BOOST_AUTO_TEST_SUITE_END()
