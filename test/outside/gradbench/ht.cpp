#include "matrix.hpp"

#include <tapeless/xtensor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace gradbench {
namespace {

template <class T>
using Motion = std::array<std::array<T, 4>, 3>;  ///< a linear map and, in the last column, a translation

constexpr auto compose = [](const auto& a, const auto& b) {
  Motion<std::decay_t<decltype(a[0][0] * b[0][0])>> both{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) both[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
    both[i][3] = both[i][3] + a[i][3];
  }
  return both;
};

// About the axis x, and then about z.
constexpr auto turn = [](auto x, auto z) {
  const auto c = cos(x), s = sin(x), d = cos(z), t = sin(z), o = 0.0 * x;
  return Motion<std::decay_t<decltype(c)>>{{{d, -t * c, t * s, o}, {t, d * c, -d * s, o}, {o, s, c, o}}};
};

// The bones are chains of up to four: the fingers, and the wrist with the forearm. The first of a chain does not bend.
constexpr std::size_t fingers = 5, chains = 6;
using Bones = std::array<Motion<double>, 4>;
using Angles = std::array<double, 7>;  ///< the rotation of the hand, and the bends of a chain

// Where the bones of a chain take points at rest, column by column.
constexpr auto moves = [](auto angles, auto joints, auto inverses) {
  using T = std::decay_t<decltype(angles[0])>;
  const auto hand = tapeless::angle_axis_to_rotation_matrix(std::array{angles[0], angles[1], angles[2]});
  Motion<T> bone{};
  for (std::size_t i = 0; i < 3; ++i) std::copy(hand[i].begin(), hand[i].end(), bone[i].begin());
  std::array<T, 48> all{};
  for (std::size_t b = 0; b < 4; ++b) {
    bone = compose(bone, joints[b]);
    if (b == 1) bone = compose(bone, turn(angles[3], angles[4]));
    if (b > 1) bone = compose(bone, turn(angles[3 + b], T(0.0)));
    const auto move = compose(bone, inverses[b]);
    for (std::size_t c = 0; c < 4; ++c)
      for (std::size_t i = 0; i < 3; ++i) all[12 * b + 3 * c + i] = move[i][c];
  }
  return all;
};

// The vertices, as all chains move them, and what each chain adds to that. Both are linear in the moves, so that from
// derivatives of the moves they compute those of the vertices.
constexpr auto skin = [](const auto& weights, const auto& rest, const auto& motion) {
  return tapeless::einsum<"vfb,vc,fbcx->vx">(weights, rest, motion);
};
constexpr auto skin_of_each = [](const auto& weights, const auto& rest, const auto& motion) {
  return tapeless::einsum<"vfb,vc,fbcx->vfx">(weights, rest, motion);
};

// A point of a triangle. It is linear in the corners.
constexpr auto inside = [](auto u, auto a, auto b, auto c) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = u[0] * a[i] + u[1] * b[i] + (1.0 - u[0] - u[1]) * c[i];
  return a;
};

/// The first N numbers of row i.
template <std::size_t N>
std::span<const double, N> part(const auto& tensor, std::size_t i) {
  return std::span<const double, N>(tensor.data() + i * tensor.size() / tensor.shape(0), N);
}

struct Problem {
  std::array<Bones, chains> joints{}, inverses{};
  std::array<Angles, chains> angles{};
  std::array<double, 3> translation;
  xt::xtensor<double, 3> weights;
  Matrix rest, points;
  bool at_vertices;  ///< a point then belongs to a vertex, as to a triangle of equal corners
  std::vector<std::array<std::size_t, 3>> corners;
  std::vector<std::array<double, 2>> us;

  explicit Problem(const json& input) {
    const json &data = input.at("data"), &model = data.at("model"), &theta = input.at("theta");
    if (model.at("parents") != std::vector{-1, 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11, 0, 13, 14, 15, 0, 17, 18, 19, 0})
      throw std::invalid_argument("the bones are not those of a hand");
    const Matrix all = matrix(model.at("weights"));
    weights = xt::zeros<double>({all.shape(0), chains, std::size_t{4}});
    const auto add = [&](std::size_t bone, std::size_t f, std::size_t b) {
      joints[f][b] = model.at("base_relatives").at(bone);
      inverses[f][b] = model.at("inverse_base_absolutes").at(bone);
      for (std::size_t v = 0; v < all.shape(0); ++v) weights(v, f, b) = all(v, bone);
    };
    add(0, fingers, 0);
    add(21, fingers, 1);
    Motion<double>& wrist = joints[fingers][0];
    if (model.at("is_mirrored"))
      for (double& entry : wrist[0]) entry = -entry;
    for (std::size_t f = 0; f < fingers; ++f) {
      for (std::size_t b = 0; b < 4; ++b) add(1 + 4 * f + b, f, b);
      joints[f][0] = compose(wrist, joints[f][0]);
    }
    for (std::size_t f = 0; f < chains; ++f) {
      for (std::size_t i = 0; i < 3; ++i) angles[f][i] = theta.at(i);
      for (std::size_t i = 0; i < 4 && f < fingers; ++i) angles[f][3 + i] = theta.at(6 + 4 * f + i);
    }
    for (std::size_t i = 0; i < 3; ++i) translation[i] = theta.at(3 + i);
    rest = matrix(model.at("base_positions"));
    points = matrix(data.at("points"));
    us = input.at("us").get<decltype(us)>();
    at_vertices = us.empty();
    us.resize(points.shape(0));
    for (const std::size_t i : data.at("correspondences"))
      corners.push_back(at_vertices ? std::array{i, i, i}
                                    : model.at("triangles").at(i).get<std::array<std::size_t, 3>>());
  }
};

using Motions = xt::xtensor<double, 4>;

json objective(const json& input, Runs& runs) {
  const Problem p(input);
  Motions motion = xt::zeros<double>({chains, std::size_t{4}, std::size_t{4}, std::size_t{3}});
  const auto verb = tapeless::value(skin);
  auto vertices = verb(p.weights, p.rest, motion);
  Vector residuals(3 * p.corners.size());
  runs([&] {
    for (std::size_t f = 0; f < chains; ++f) {
      const auto m = moves(p.angles[f], p.joints[f], p.inverses[f]);
      std::copy(m.begin(), m.end(), &motion(f, 0, 0, 0));
    }
    verb(tapeless::into(vertices), p.weights, p.rest, motion);
    for (std::size_t i = 0; i < p.corners.size(); ++i) {
      const auto [a, b, c] = p.corners[i];
      const auto at =
          tapeless::value(inside)(p.us[i], part<3>(vertices, a), part<3>(vertices, b), part<3>(vertices, c));
      for (std::size_t j = 0; j < 3; ++j) residuals[3 * i + j] = p.points(i, j) - at[j] - p.translation[j];
    }
  });
  return residuals;
}

// Of a point: the derivatives by its two u and by the parameters, three numbers each.
using Columns = std::array<std::array<double, 3>, 28>;

json jacobian(const json& input, Runs& runs) {
  const Problem p(input);
  Motions hand = xt::zeros<double>({chains, std::size_t{4}, std::size_t{4}, std::size_t{12}}), bends = hand;
  const auto together = tapeless::value(skin);
  const auto apart = tapeless::value(skin_of_each);
  const auto mix = tapeless::value_and_jacobian(inside, tapeless::wrt<0>);
  auto vertices = together(p.weights, p.rest, hand);
  auto bent = apart(p.weights, p.rest, bends);
  std::vector<Columns> all(p.corners.size());
  runs([&] {
    for (std::size_t f = 0; f < chains; ++f) {
      const auto m = tapeless::value_and_jacobian(moves, tapeless::wrt<0>)(p.angles[f], p.joints[f], p.inverses[f]);
      for (std::size_t i = 0; i < 48; ++i) {
        hand(f, i / 12, i / 3 % 4, i % 3) = m.value[i];
        for (std::size_t k = 0; k < 3; ++k) hand(f, i / 12, i / 3 % 4, 3 + 3 * k + i % 3) = m.jacobian[i][k];
        for (std::size_t k = 0; k < 4; ++k) bends(f, i / 12, i / 3 % 4, 3 * k + i % 3) = m.jacobian[i][3 + k];
      }
    }
    together(tapeless::into(vertices), p.weights, p.rest, hand);
    apart(tapeless::into(bent), p.weights, p.rest, bends);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto [a, b, c] = p.corners[i];
      const auto by_hand = mix(p.us[i], part<12>(vertices, a), part<12>(vertices, b), part<12>(vertices, c));
      const auto by_bend = tapeless::value(inside)(p.us[i], part<60>(bent, a), part<60>(bent, b), part<60>(bent, c));
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t k = 0; k < 2; ++k) all[i][k][j] = -by_hand.jacobian[j][k];
        for (std::size_t k = 0; k < 3; ++k) all[i][2 + k][j] = -by_hand.value[3 + 3 * k + j];
        for (std::size_t k = 0; k < 3; ++k) all[i][5 + k][j] = j == k ? -1 : 0;
        for (std::size_t k = 0; k < 20; ++k) all[i][8 + k][j] = -by_bend[3 * k + j];
      }
    }
  });
  json rows = json::array();
  for (const Columns& columns : all)
    for (std::size_t j = 0; j < 3; ++j) {
      json row = json::array();
      for (std::size_t k = p.at_vertices ? 2 : 0; k < columns.size(); ++k) row.push_back(columns[k][j]);
      rows.push_back(std::move(row));
    }
  return rows;
}

}  // namespace

const Module ht{{"objective", objective}, {"jacobian", jacobian}};

}  // namespace gradbench
