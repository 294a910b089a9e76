#pragma once

#include <tapeless/program/graph/independent_steps.hpp>

#include <cstddef>
#include <span>

namespace tapeless::program {

/// Whether the steps do no more with a carry than its role says: from the carry on to all that it reaches, where
/// `roles_of_carries` goes back from the outputs.
constexpr bool has_role(graph_view body, std::span<const int> outputs, int carry, carry_role role) {
  const auto is_carry = [&](int i) { return body.nodes[i].kind == node_kind::variable && body.nodes[i].leaf == carry; };
  const int next = outputs[static_cast<std::size_t>(carry)];
  if (role == carry_role::same) return is_carry(next);
  if (role == carry_role::state || is_carry(next)) return false;
  growing_array<char> reached(body.size, 0);
  for (int i = 0; i < body.size; ++i) {
    const node& n = body.nodes[i];
    reached[i] = is_carry(i);
    for (int j = 0; j < n.count; ++j) {
      if (!reached[body.edges[n.first + j]]) continue;
      const bool adds =
          n.opcode == opcode::add || (n.opcode == opcode::subtract && j == 0) ||
          (j == 2 && (applies(n, info<operation::MultiplyAdd>) || applies(n, info<operation::SubtractProduct>)));
      const bool sets = n.opcode == opcode::where && j > 0 && is_carry(body.edges[n.first + j]) &&
                        body.nodes[body.edges[n.first + 3 - j]].kind == node_kind::constant;
      if (reached[i] || !(role == carry_role::sum ? adds : sets)) return false;
      reached[i] = 1;
    }
  }
  for (std::size_t o = 0; o < outputs.size(); ++o)
    if (reached[outputs[o]] != (o == static_cast<std::size_t>(carry))) return false;
  return true;
}

/// Whether that is so for all carries of the program `Body`.
template <class Body, int Carries>
inline constexpr bool have_roles = [] {
  int carry = 0;
  for (const carry_role role : roles_in<Body, Carries>)
    if (!has_role(Body::view(), Body::value.outputs, carry++, role)) return false;
  return true;
}();

}  // namespace tapeless::program
