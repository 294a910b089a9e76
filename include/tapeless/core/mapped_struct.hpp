#pragma once

#include <tapeless/core/structure.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

/// How the members of a `Derived` that stands for the struct `S` are found without their names: by `get<I>()`.
template <class Derived, class S, class Indices>
class mapped_members;
template <class Derived, class S, std::size_t... I>
class mapped_members<Derived, S, std::index_sequence<I...>> {
  template <std::size_t J>
  struct accessor {
    template <class Self>
    constexpr decltype(auto) operator()(Self&& self) const {
      return static_cast<Self&&>(self).template get<J>();
    }
  };

  template <class Self, class P>
  static constexpr auto& find(Self& self, P member) {
    using list = members_of<S>;
    constexpr std::array same_type{
        std::same_as<std::remove_const_t<decltype(member_pointer<typename list::template accessor<I>>)>, P>...};
    constexpr std::size_t first = [&] {
      std::size_t i = 0;
      while (i < same_type.size() && !same_type[i]) ++i;
      return i;
    }();
    static_assert(first < same_type.size(),
                  "tapeless: p[&S::a] needs an adapted member, and no adapted member has the type of this one [TL076]");
    decltype(&self.template get<first>()) found = nullptr;
    const auto compare = [&]<std::size_t J>() {
      if constexpr (same_type[J])
        if (member_pointer<typename list::template accessor<J>> == member) found = &self.template get<J>();
    };
    (compare.template operator()<I>(), ...);
    return *found;
  }

 public:
  /// The member that stands for a member of `S`.
  template <class C, class M>
  constexpr auto& operator[](M C::* member) {
    return find(static_cast<Derived&>(*this), member);
  }
  template <class C, class M>
  constexpr const auto& operator[](M C::* member) const {
    return find(static_cast<const Derived&>(*this), member);
  }

  struct hana_accessors_impl {
    template <class...>
    static constexpr auto apply() {
      return boost::hana::make_tuple(
          boost::hana::make_pair(typename members_of<S>::template name<I>{}, accessor<I>{})...);
    }
  };
};

}  // namespace detail

/// The struct `S` with members of the types `Ts`. It stands for an adapted struct that cannot hold them, such as a
/// plain struct of doubles in a traced function. Its members have no names. They are read by structured bindings,
/// `const auto& [a, b] = p;`, by pointers to members, `p[&S::a]`, and as a Boost.Hana struct.
template <class S, class... Ts>
class mapped_struct : public detail::mapped_members<mapped_struct<S, Ts...>, S, std::index_sequence_for<Ts...>> {
  std::tuple<Ts...> members_;

 public:
  constexpr mapped_struct() = default;
  constexpr explicit mapped_struct(const Ts&... members)
    requires(sizeof...(Ts) > 0)
      : members_(members...) {}

  template <std::size_t I>
  constexpr auto& get() {
    return std::get<I>(members_);
  }
  template <std::size_t I>
  constexpr const auto& get() const {
    return std::get<I>(members_);
  }
};

/// The same where only integers, of its own or of structs in it, keep `Named`, the class template of `S` over mapped
/// arguments, from holding the members: the others have their names too. An integer, or a struct with one, has no value
/// under its name, so that constant evaluation refuses to read it.
template <class S, class Named, class... Ts>
class mapped_struct_with_names
    : public Named,
      public detail::mapped_members<mapped_struct_with_names<S, Named, Ts...>, S, std::index_sequence_for<Ts...>> {
  template <std::size_t I>
  static constexpr bool is_named =
      std::same_as<typename detail::structure<Named>::template member<I>, typename detail::type_at<I, Ts...>::type>;
  std::tuple<Ts...> members_;

  template <std::size_t... I>
  constexpr void copy(const mapped_struct_with_names& from, std::index_sequence<I...>) {
    ((get<I>() = from.template get<I>()), ...);
  }

 public:
  using
      typename detail::mapped_members<mapped_struct_with_names, S, std::index_sequence_for<Ts...>>::hana_accessors_impl;

  // No initialisers: an integer's value would be one.
  constexpr mapped_struct_with_names() {}
  constexpr mapped_struct_with_names(const mapped_struct_with_names& from) {
    copy(from, std::index_sequence_for<Ts...>{});
  }
  constexpr mapped_struct_with_names& operator=(const mapped_struct_with_names& from) {
    copy(from, std::index_sequence_for<Ts...>{});
    return *this;
  }

  template <std::size_t I>
  constexpr auto& get() {
    if constexpr (is_named<I>)
      return detail::structure<Named>::template get<I>(static_cast<Named&>(*this));
    else
      return std::get<I>(members_);
  }
  template <std::size_t I>
  constexpr const auto& get() const {
    if constexpr (is_named<I>)
      return detail::structure<Named>::template get<I>(static_cast<const Named&>(*this));
    else
      return std::get<I>(members_);
  }
};

}  // namespace tapeless

template <class S, class... Ts>
struct std::tuple_size<tapeless::mapped_struct<S, Ts...>> : std::integral_constant<std::size_t, sizeof...(Ts)> {};
template <class S, class Named, class... Ts>
struct std::tuple_size<tapeless::mapped_struct_with_names<S, Named, Ts...>>
    : std::integral_constant<std::size_t, sizeof...(Ts)> {};
template <std::size_t I, class S, class Named, class... Ts>
struct std::tuple_element<I, tapeless::mapped_struct_with_names<S, Named, Ts...>> {
  using type = typename tapeless::detail::type_at<I, Ts...>::type;
};
template <std::size_t I, class S, class... Ts>
struct std::tuple_element<I, tapeless::mapped_struct<S, Ts...>> {
  using type = typename tapeless::detail::type_at<I, Ts...>::type;
};
