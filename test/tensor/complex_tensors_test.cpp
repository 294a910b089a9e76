// Tensors of complex numbers against JAX 0.10.2, whose convention of gradients is ours.
#include <tapeless/distributed.hpp>
#include <tapeless/parallel.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <execution>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

using namespace tapeless;

namespace {

using number = std::complex<double>;
using vector = xt::xtensor<number, 1>;
using matrix = xt::xtensor<number, 2>;

const matrix z{{{0.5, -1}, {1.25, 0.75}, {-0.5, 2}}, {{1, 1}, {-1.5, 0.25}, {0.75, -0.5}}};
const vector w{{0.25, 0.5}, {-1, -0.75}, {1.5, 0.125}};
const xt::xtensor<double, 2> a{{1.5, -0.5, 0.25}, {0.75, 2, -1}};
const matrix m{{{0.5, 0.25}, {-1, 1}}, {{0.75, -0.5}, {0.25, 2}}, {{1, -1}, {-0.5, -0.25}}};

/// The elements of a tensor in row-major order against these.
template <class Tensor, class Number>
void check(const Tensor& tensor, const std::vector<Number>& expected, double tolerance = 1e-13) {
  BOOST_REQUIRE(tensor.size() == expected.size());
  auto at = expected.begin();
  for (const auto& element : tensor) {
    const Number found(element);
    BOOST_TEST(std::abs(found - *at) <= tolerance * (1 + std::abs(*at)), found << " instead of " << *at);
    ++at;
  }
}
void check(double value, double expected) { BOOST_TEST(value == expected, boost::test_tools::tolerance(1e-13)); }

constexpr auto elementwise = [](auto x) { return sum(abs(exp(x) * conj(x) / (x + 2.0)) + real(sin(x) * sqrt(x))); };
const std::vector<number> by_elementwise{
    {2.8075628645783075, -0.023697676184807556}, {3.222658857441858, -1.244318412655002},
    {1.7579118505013072, 6.37482455562244},      {3.4313685413494888, -1.1555975122679594},
    {-1.087342790642042, 0.9515846189736287},    {2.365653061511942, 0.39732114103350435}};

}  // namespace

BOOST_AUTO_TEST_CASE(functions_of_elements) {
  const auto step = value_and_gradient(elementwise);
  auto r = step(z);
  static_assert(std::is_same_v<decltype(r.gradient), matrix>);
  check(r.value, 3.0623583957803318);
  check(r.gradient, by_elementwise);
  r.gradient.fill(number{7, 7});
  step(into(r), z);
  check(r.gradient, by_elementwise);
  step(std::execution::par, into(r), z);
  check(r.gradient, by_elementwise);

  check(gradient([](auto x) { return sum(norm(x)); })(z),
        std::vector<number>{{1, 2}, {2.5, -1.5}, {-1, -4}, {2, -2}, {-3, -0.5}, {1.5, 1}});
}

BOOST_AUTO_TEST_CASE(broadcasts_and_products) {
  constexpr auto broadcast = [](auto x, auto y) { return sum(abs(x * y + complex{0_c, 1_c} * x)); };
  const auto [value, by] = value_and_gradient(broadcast)(z, w);
  check(value, 12.47637275026236);
  check(std::get<0>(by), std::vector<number>{{0.6800735254367721, 1.3601470508735443},
                                             {0.8838834764831845, -0.5303300858899107},
                                             {-0.4547542969431243, -1.8190171877724972},
                                             {1.0752906583803283, -1.0752906583803283},
                                             {-1.0167515841068475, -0.16945859735114122},
                                             {1.560094301883457, 1.0400628679223047}});
  check(std::get<1>(by), std::vector<number>{{0.41629893301109044, -2.4977935980665427},
                                             {-2.8895001746065603, -0.72237504365164},
                                             {2.370352505339862, -1.7777643790048965}});

  constexpr auto dots = [](auto x, auto y) { return abs(sum(tanh(dot(x, y)))); };
  const auto [size, by_dots] = value_and_gradient(dots)(z, w);
  check(size, 0.2671908080030108);
  check(std::get<0>(by_dots), std::vector<number>{{0.15720237665158743, 0.28392096388661187},
                                                  {-0.5983257171897867, -0.4106395511216363},
                                                  {0.8731015442514297, 0.03592388314260553},
                                                  {-0.011754280818418294, 0.0007439796539351054},
                                                  {0.022764581982901485, -0.013242240126288506},
                                                  {-0.01474483994173487, 0.028076417397871225}});
  check(std::get<1>(by_dots), std::vector<number>{{0.23801559999561825, -0.5810399834822952},
                                                  {0.7508036556292522, 0.37338647938728803},
                                                  {-0.23770243509344385, 1.1909224562250054}});

  constexpr auto matmuls = [](auto x, auto y) { return real(trace(exp(matmul(x, y) * 0.5))); };
  const auto [trace_of, by_matmuls] = value_and_gradient(matmuls)(z, m);
  check(trace_of, 2.716425251906733);
  check(std::get<0>(by_matmuls), std::vector<number>{{0.11104848618891883, 1.4603035677293164},
                                                     {2.133263783772178, 1.0127749735189666},
                                                     {3.5935673515014943, 0.9017264873300479},
                                                     {0.07937803874816717, 0.10396242648345357},
                                                     {0.18641351369853154, 0.001666829581333809},
                                                     {-0.02906365508777419, 0.042762067840994386}});
  check(std::get<1>(by_matmuls), std::vector<number>{{2.9206071354586327, -0.22209697237783765},
                                                     {0.10396242648345357, -0.07937803874816717},
                                                     {-0.00333464945467421, 3.8189989733340064},
                                                     {0.004479267352487791, 0.14057839739062636},
                                                     {-5.168254054874404, 1.5680174044635609},
                                                     {-0.03661597090717278, -0.07489877139567938}});

  constexpr auto products = [](auto y) { return sum(norm(outer(y, y) + einsum<"i,j->ji">(y, conj(y)))); };
  const auto [sum_of, by_products] = value_and_gradient(products)(w);
  check(sum_of, 54.86328125);
  check(by_products, std::vector<number>{{14.90625, -13.25}, {-59.625, 19.875}, {89.4375, -3.3125}});
}

BOOST_AUTO_TEST_CASE(real_tensors_beside_complex_ones) {
  constexpr auto f = [](auto x, auto y) {
    const auto product = dot(x, y);
    return real(sum(product * product));
  };
  const auto [value, by] = value_and_gradient(f)(a, w);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(std::get<0>(by))>, xt::xtensor<double, 2>>);
  check(value, 9.6357421875);
  check(std::get<0>(by), std::vector<double>{-0.53125, -0.765625, 3.4609375, -0.40625, 4.75, -9.625});
  check(std::get<1>(by), std::vector<number>{{-1.21875, 1.59375}, {-14.5, -6.15625}, {7.25, 3.078125}});
}

BOOST_AUTO_TEST_CASE(reductions_and_moves) {
  constexpr auto f = [](auto x, auto y, auto indices) {
    return real(sum(log(slice<0>(transpose(x), 1) * mean<1>(x))) * sum(flip<0>(cumsum<0>(y)) * take(y, indices)));
  };
  const std::vector<int> indices{2, 0, 0};
  const auto [value, by] = value_and_gradient(f, wrt<0, 1>)(z, w, indices);
  check(value, -0.903029125773574);
  check(std::get<0>(by), std::vector<number>{{0.26858108108108114, -0.8260135135135136},
                                             {0.6932134340222577, -1.3057929252782197},
                                             {0.03144872813990465, -1.2120429252782194},
                                             {0.0375, -2.3625},
                                             {-0.5706081081081081, -2.2763513513513516},
                                             {1.0326923076923078, -2.074038461538462}});
  check(std::get<1>(by), std::vector<number>{{-6.809303361560399, 1.6546852753005663},
                                             {-5.14314805188572, 3.8078088014290707},
                                             {-4.313893741839751, 6.436430509637288}});
}

BOOST_AUTO_TEST_CASE(results_are_complex_too) {
  const auto product = value([](auto x, auto y) { return dot(x, y); });
  auto r = product(z, w);
  static_assert(std::is_same_v<decltype(r), vector>);
  check(r, std::vector<number>{{-1.0625, 1.25}, {2.625, 0.96875}});
  // The result is bound itself.
  const auto squared = value([](auto x) { return x * x; });
  auto s = squared(w);
  squared(into(s), s);
  check(s, std::vector<number>{std::pow(w(0), 4), std::pow(w(1), 4), std::pow(w(2), 4)});

  const number total = value([](auto x) { return sum(x * x); })(z);
  check(std::vector{total}, std::vector<number>{{-1, -0.625}});
  const auto [columns, size] = value([](auto x) { return std::tuple(sum<0>(x), sum(norm(x))); })(z);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(columns)>, vector>);
  check(columns, std::vector<number>{{1.5, 0}, {-0.25, 1}, {0.25, 1.5}});
  check(size, 12.75);
  // One part is a number, which has another container.
  const auto [re, im] = value([](auto x) { return complex{real(x), 1_c}; })(w);
  BOOST_TEST((re(1) == -1 && im == 1));

  const vector none = vector::from_shape({0});
  BOOST_TEST(squared(none).size() == 0);
  BOOST_TEST(gradient([](auto x) { return sum(norm(x)); })(none).size() == 0);

  constexpr auto apart = [](auto x, auto y) { return complex{real(x), imag(y)}; };
  const matrix row{{{1, 2}, {3, 4}}}, column{{{1, 2}}, {{3, 4}}};
  BOOST_CHECK_EXCEPTION(value(apart)(row, column), std::invalid_argument, [](const std::invalid_argument& e) {
    return std::string(e.what()).find("have different shapes: (1, 2) and (2, 1)") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(other_containers_and_strides) {
  const std::vector<std::complex<float>> single{{0.25F, 0.5F}, {-1, -0.75F}, {1.5F, 0.125F}};
  const auto by_vector = gradient([](auto x) { return sum(norm(x * x)); })(single);
  static_assert(std::is_same_v<std::remove_cv_t<decltype(by_vector)>, std::vector<std::complex<float>>>);
  // 4 |x|^2 conj(x)
  for (std::size_t i = 0; i < 3; ++i)
    BOOST_TEST(std::abs(by_vector[i] - 4 * std::norm(single[i]) * std::conj(single[i])) < 1e-5F);
  const auto by_span = gradient([](auto x) { return sum(norm(x)); })(std::span(single));
  for (std::size_t i = 0; i < 3; ++i) BOOST_TEST((by_span[i] == 2.0F * std::conj(single[i])));

  // Each second column, from the last row on; by columns; fixed; of dynamic rank.
  matrix wide = matrix::from_shape({4, 6});
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j) wide(3 - 2 * i, 2 * j + 1) = z(i, j);
  const auto part = xt::view(wide, xt::range(3, 0, -2), xt::range(1, 6, 2));
  const auto step = value_and_gradient(elementwise);
  const auto of_part = step(part);
  check(of_part.value, 3.0623583957803318);
  check(of_part.gradient, by_elementwise);
  const xt::xtensor<number, 2, xt::layout_type::column_major> by_columns = z;
  const auto of_columns = step(by_columns);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      BOOST_TEST(std::abs(of_columns.gradient(i, j) - of_part.gradient(i, j)) < 1e-15);
  const xt::xtensor_fixed<number, xt::xshape<2, 3>> fixed = z;
  const auto of_fixed = step(fixed);
  static_assert(
      std::is_same_v<std::remove_cvref_t<decltype(of_fixed.gradient)>, xt::xtensor_fixed<number, xt::xshape<2, 3>>>);
  check(of_fixed.gradient, by_elementwise);
  const xt::xarray<number> dynamic = z;
  check(step(rank<2>(dynamic)).gradient, by_elementwise);
}

BOOST_AUTO_TEST_CASE(many_elements) {
  // The gradient of sum |x|^2 |y|^2 by x is 2 |y|^2 conj(x).
  constexpr auto f = [](auto x, auto y) { return sum(norm(x * y)); };
  for (const std::size_t size : {1U, 7U, 64U, 1001U}) {
    vector x = vector::from_shape({size}), y = x;
    for (std::size_t i = 0; i < size; ++i) {
      const double t = static_cast<double>(i);
      x(i) = {std::sin(t), std::cos(2 * t)}, y(i) = {std::cos(3 * t), std::sin(5 * t)};
    }
    const auto by = gradient(f, wrt<0>)(x, y);
    const auto xy = value([](auto p, auto q) { return p * q; })(x, y);
    for (std::size_t i = 0; i < size; ++i) {
      BOOST_TEST(std::abs(by(i) - 2 * std::norm(y(i)) * std::conj(x(i))) < 1e-13);
      BOOST_TEST(std::abs(xy(i) - x(i) * y(i)) < 1e-14);
    }
  }
}

BOOST_AUTO_TEST_CASE(tangents_and_cotangents) {
  const vector dw{{0, 0.5}, {1, 0}, {-1, 1}};
  constexpr auto f = [](auto x) { return x * exp(x); };
  const auto [value, along] = value_and_jvp(f, tangent(dw))(w);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(along)>, vector>);
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(std::abs(value(i) - w(i) * std::exp(w(i))) < 1e-14);
    BOOST_TEST(std::abs(along(i) - (1.0 + w(i)) * std::exp(w(i)) * dw(i)) < 1e-14);
  }
  // Of a holomorphic function, the pullback of (1, 0) is f', as the gradient of the real part.
  const xt::xtensor<double, 1> one{1, 1, 1}, none{0, 0, 0};
  const auto back = vjp(f, cotangent(one, none))(w);
  for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(std::abs(back(i) - (1.0 + w(i)) * std::exp(w(i))) < 1e-14);
}

BOOST_AUTO_TEST_CASE(second_derivatives_are_by_parts) {
  constexpr auto f = [](auto x) { return sum(norm(tanh(x))); };
  const auto h = hessian(f)(w);
  constexpr double re_re[] = {1.246118837023296, -0.11946828189127767, -0.516648090970991},
                   re_im[] = {-0.4440089038431282, -1.8972994959002853, -0.13419955067901781},
                   im_im[] = {4.505170844635295, 1.2085426863515663, 0.6480045372923953};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const double diagonal = i == j;
      BOOST_TEST(std::abs(h.re.re(i, j) - diagonal * re_re[i]) < 1e-12);
      BOOST_TEST(std::abs(h.re.im(i, j) - diagonal * re_im[i]) < 1e-12);
      BOOST_TEST(std::abs(h.im.re(i, j) - diagonal * re_im[i]) < 1e-12);
      BOOST_TEST(std::abs(h.im.im(i, j) - diagonal * im_im[i]) < 1e-12);
    }
  // Conjugate, as gradients are.
  const vector along{{0, 0.5}, {1, 0}, {-1, 1}};
  check(hvp(f, tangent(along))(w),
        std::vector<number>{{-0.22200445192156405, -2.2525854223176475},
                            {-0.11946828189127767, 1.8972994959002853},
                            {0.38244854029197321, -0.78220408797141311}},
        1e-12);
  const auto j = jacobian([](auto x) { return x * x; })(w);
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST((j[0].re(i, i) == 2 * w(i).real() && j[0].im(i, i) == -2 * w(i).imag()));
    BOOST_TEST((j[1].re(i, i) == 2 * w(i).imag() && j[1].im(i, i) == 2 * w(i).real()));
  }
}

BOOST_AUTO_TEST_CASE(numbers_beside_tensors) {
  const number c{0.5, 2};
  // The sum of |w c|^2 is |w|^2 |c|^2.
  const auto [value, by] = value_and_gradient([](auto x, auto y) { return sum(norm(x * y)); })(w, c);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(std::get<1>(by))>, number>);
  const double length = std::norm(w(0)) + std::norm(w(1)) + std::norm(w(2));
  check(value, length * 4.25);
  check(std::vector{std::get<1>(by)}, std::vector{2 * length * std::conj(c)});
  for (std::size_t i = 0; i < 3; ++i) BOOST_TEST(std::abs(std::get<0>(by)(i) - 8.5 * std::conj(w(i))) < 1e-13);
  // Without tensors.
  const number alone = gradient([](auto y) { return norm(y * y); })(c);
  check(std::vector{alone}, std::vector{4 * std::norm(c) * std::conj(c)});
}

BOOST_AUTO_TEST_CASE(several_numbers) {
  // The sums of the elements and of their squares: all of one type, in an array.
  constexpr auto sums = [](auto x) { return std::tuple(sum(x), sum(x * x)); };
  const number first = w(0) + w(1) + w(2), second = w(0) * w(0) + w(1) * w(1) + w(2) * w(2);
  const auto [values, along] = value_and_jvp(sums, tangent(w))(w);
  check(values, std::vector{first, second});
  check(along, std::vector{first, 2.0 * second});

  // c |d|^2 + |e0 e1|^2 + sum |x d|^2, beside tensors and without.
  constexpr auto alone = [](const auto& p) {
    const auto& [c, d, e] = p;
    return c * norm(d) + norm(e[0] * e[1]);
  };
  static constexpr auto beside = [](const auto& p, auto x) {
    const auto& [c, d, e] = p;
    return c * norm(d) + norm(e[0] * e[1]) + sum(norm(x * d));
  };
  const double c = 0.75;
  const number d{0.5, 2};
  const std::array<number, 2> e{number{1, 2}, number{-0.5, 0.25}};
  const std::tuple<double, number, std::array<number, 2>> p{c, d, e};
  const double length = std::norm(w(0)) + std::norm(w(1)) + std::norm(w(2));
  const auto check_gradient_of = [&](const auto& found, double factor) {
    const auto& [by_c, by_d, by_e] = found;
    check(by_c, 4.25);
    check(std::vector{by_d}, std::vector{2 * factor * std::conj(d)});
    check(by_e, std::vector{2 * std::norm(e[1]) * std::conj(e[0]), 2 * std::norm(e[0]) * std::conj(e[1])});
  };
  check_gradient_of(gradient(alone)(p), c);
  check_gradient_of(gradient(beside, wrt<0>)(p, w), c + length);
}

BOOST_AUTO_TEST_CASE(batches) {
  // |x y|^2 for each row x of z: its gradients are 2 |y|^2 conj(x) and 2 |x|^2 conj(y).
  constexpr auto f = [](auto x, auto y) { return sum(norm(x * y)); };
  const auto of_rows = batched(value_and_gradient(f))(each(z), w);
  const auto& [by_x, by_y] = of_rows.gradient;
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(by_y)>, matrix>);
  for (std::size_t i = 0; i < 2; ++i) {
    double expected = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      expected += std::norm(z(i, j) * w(j));
      BOOST_TEST(std::abs(by_x(i, j) - 2 * std::norm(w(j)) * std::conj(z(i, j))) < 1e-13);
      BOOST_TEST(std::abs(by_y(i, j) - 2 * std::norm(z(i, j)) * std::conj(w(j))) < 1e-13);
    }
    check(of_rows.value(i), expected);
  }
}

BOOST_AUTO_TEST_CASE(batches_of_numbers) {
  // |x x c|^2 has the gradient 4 |c|^2 |x|^2 conj(x).
  constexpr auto f = [](auto x, auto c) { return norm(x * x * c); };
  const number c{0, 2};
  const auto of_all = batched(value_and_gradient(f, wrt<0>))(z, c);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const number by(of_all.gradient.re(i, j), of_all.gradient.im(i, j)), x = z(i, j);
      BOOST_TEST(std::abs(by - 16 * std::norm(x) * std::conj(x)) < 1e-12);
      BOOST_TEST(std::abs(of_all.value(i, j) - 4 * std::norm(x * x)) < 1e-12);
    }
  const std::vector<number> some{{1, 2}, {3, 4}};
  const auto by_some = batched(gradient(f, wrt<0>))(some, c);
  for (std::size_t i = 0; i < 2; ++i) {
    const number expected = 16 * std::norm(some[i]) * std::conj(some[i]);
    BOOST_TEST((by_some.re[i] == expected.real() && by_some.im[i] == expected.imag()));
  }
}

BOOST_AUTO_TEST_CASE(batches_of_structures) {
  // c |d d|^2 and its gradient 4 c |d|^2 conj(d).
  constexpr auto f = [](const auto& p) {
    const auto& [c, d] = p;
    return c * norm(d * d);
  };
  const std::vector<std::tuple<double, number>> all{{1, {1, 2}}, {2, {0.5, -1}}};
  const auto slopes = batched(gradient(f))(all);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& [c, d] = all[i];
    check(std::get<0>(slopes[i]), std::norm(d) * std::norm(d));
    check(std::vector{std::get<1>(slopes[i])}, std::vector{4 * c * std::norm(d) * std::conj(d)});
  }
}

BOOST_AUTO_TEST_CASE(shards) {
  constexpr auto f = [](auto x, auto y) { return sum(norm(x * y)); };
  mpi::one_process alone;
  const auto step = value_and_gradient(f);
  const auto sharded = step(mpi::on(alone), mpi::shard(z), w), whole = step(z, w);
  BOOST_TEST(sharded.value == whole.value);
  BOOST_TEST((sharded.gradient == whole.gradient));
}

BOOST_AUTO_TEST_CASE(loops_and_structures) {
  // Three times x -> x w + c, over tensors.
  constexpr auto f = [](auto p, auto y, auto factors) {
    const auto step = [&](auto carry, auto factor) { return carry * y * factor + p[1]; };
    return sum(norm(scan(step, p[0], factors)));
  };
  const std::array<vector, 2> p{w, vector{{1, 0}, {0, 1}, {0.5, 0.5}}};
  const vector y{{0.5, 0.5}, {1, -0.25}, {-0.5, 0.75}};
  const std::vector<double> factors{1, 2, 0.5};
  const auto [value, by] = value_and_gradient(f, wrt<0>)(p, y, factors);
  double expected = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    number carry = p[0](i), by_c = 0, by_x = 1;
    for (const double factor : factors)
      carry = carry * y(i) * factor + p[1](i), by_c = by_c * y(i) * factor + 1.0, by_x = by_x * y(i) * factor;
    expected += std::norm(carry);
    BOOST_TEST(std::abs(by[0](i) - 2.0 * std::conj(carry) * by_x) < 1e-13);
    BOOST_TEST(std::abs(by[1](i) - 2.0 * std::conj(carry) * by_c) < 1e-13);
  }
  check(value, expected);
}
