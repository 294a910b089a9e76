#pragma once

#include <tapeless/core/aggregate.hpp>
#include <tapeless/core/apply.hpp>

#include <boost/hana/concept/struct.hpp>
#include <boost/hana/fwd/accessors.hpp>
#include <boost/hana/fwd/pair.hpp>
#include <boost/hana/fwd/tuple.hpp>
#include <boost/hana/fwd/unpack.hpp>

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tapeless::detail {

template <class T>
inline constexpr bool is_std_vector = false;
template <class T, class Allocator>
  requires(!std::is_same_v<T, bool>)
inline constexpr bool is_std_vector<std::vector<T, Allocator>> = true;

template <class T>
inline constexpr bool is_tuple = false;
template <class... Ts>
inline constexpr bool is_tuple<std::tuple<Ts...>> = true;
template <class... Ts>
inline constexpr bool is_tuple<boost::hana::tuple<Ts...>> = true;
template <class T, class U>
inline constexpr bool is_tuple<std::pair<T, U>> = true;
template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;

template <class Pairs>
struct member_list;
template <class... Names, class... Accessors>
struct member_list<boost::hana::tuple<boost::hana::pair<Names, Accessors>...>> {
  static constexpr std::size_t size = sizeof...(Accessors);
  template <std::size_t I>
  using name = typename type_at<I, Names...>::type;
  template <std::size_t I>
  using accessor = typename type_at<I, Accessors...>::type;

  /// Whether all adapted members are data members, not functions that compute a value.
  template <class S>
  static constexpr bool hold_data = (std::is_lvalue_reference_v<std::invoke_result_t<Accessors, S&>> && ...);
};
template <class S>
using members_of = member_list<decltype(boost::hana::accessors<typename boost::hana::tag_of<S>::type>())>;

/// A struct whose data members are adapted by BOOST_HANA_ADAPT_STRUCT or BOOST_HANA_DEFINE_STRUCT.
template <class S>
concept Adapted_struct = std::is_class_v<S> && boost::hana::Struct<S>::value && members_of<S>::template hold_data<S>;

/// An aggregate of up to 32 members that is not adapted. Its members have no names here.
template <class S>
concept Plain_struct = Candidate<S> && !is_array<S> && !is_tuple<S> && !Adapted_struct<S> && member_count_of<S> != 0;

/// Everything that holds several values: tuples, pairs, arrays and structs.
template <class T>
concept Structure = is_tuple<T> || is_array<T> || Adapted_struct<T> || Plain_struct<T>;

template <class S>
inline constexpr bool is_struct = Adapted_struct<S> || Plain_struct<S>;

/// What an accessor of Boost.Hana points to, a null pointer if it is no pointer to a data member.
template <class Accessor>
inline constexpr auto member_pointer = nullptr;
template <template <class P, P> class Accessor, class P, P Member>
inline constexpr auto member_pointer<Accessor<P, Member>> = Member;

/// A structure's members, by their number.
template <class S>
struct structure;
template <class T, std::size_t N>
struct structure<std::array<T, N>> {
  static constexpr std::size_t size = N;
  template <std::size_t>
  using member = T;
  template <std::size_t I, class Self>
  static constexpr auto& get(Self& self) {
    return self[I];
  }
};
template <class... Ts>
struct structure<std::tuple<Ts...>> {
  static constexpr std::size_t size = sizeof...(Ts);
  template <std::size_t I>
  using member = std::remove_cvref_t<typename type_at<I, Ts...>::type>;
  template <std::size_t I, class Self>
  static constexpr auto& get(Self& self) {
    return std::get<I>(self);
  }
};
template <class T, class U>
struct structure<std::pair<T, U>> : structure<std::tuple<T, U>> {};
template <class... Ts>
struct structure<boost::hana::tuple<Ts...>> : structure<std::tuple<Ts...>> {
  template <std::size_t I, class Self>
  static constexpr auto& get(Self& self) {
    return boost::hana::unpack(
        self, [](auto&... members) -> auto& { return std::get<I>(std::tuple<decltype(members)...>(members...)); });
  }
};
template <Adapted_struct S>
struct structure<S> {
  static constexpr std::size_t size = members_of<S>::size;
  template <std::size_t I, class Self>
  static constexpr decltype(auto) get(Self& self) {
    return typename members_of<S>::template accessor<I>{}(self);
  }
  template <std::size_t I>
  using member = std::remove_cvref_t<decltype(get<I>(std::declval<const S&>()))>;
};
template <Plain_struct S>
struct structure<S> {
  static constexpr std::size_t size = member_count_of<S>;
  template <std::size_t I, class Self>
  static constexpr auto& get(Self& self) {
    return std::get<I>(members_as_tuple<size>(self));
  }
  template <std::size_t I>
  using member =
      std::remove_cvref_t<std::tuple_element_t<I, decltype(members_as_tuple<size>(std::declval<const S&>()))>>;
};

/// visit(leaf) for each leaf of a structure, in their order; a value that is no structure is its only leaf.
template <class T, class Visit>
constexpr void for_each_leaf(const T& e, const Visit& visit) {
  if constexpr (Structure<T>)
    for_each_index<structure<T>::size>([&](auto i) { for_each_leaf(structure<T>::template get<i>(e), visit); });
  else
    visit(e);
}

}  // namespace tapeless::detail
