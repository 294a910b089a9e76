#ifndef TAPELESS_CORE_STRUCTURE_HPP
#define TAPELESS_CORE_STRUCTURE_HPP
#ifndef TAPELESS_SHOW_WARNINGS
#pragma GCC system_header
#endif

#include <tapeless/core/aggregate.hpp>
#include <tapeless/core/apply.hpp>

#include <boost/hana/concept/struct.hpp>
#include <boost/hana/fwd/accessors.hpp>
#include <boost/hana/fwd/pair.hpp>
#include <boost/hana/fwd/tuple.hpp>
#include <boost/hana/fwd/unpack.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless {

namespace detail {

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

  /// Whether all are data members, not functions that compute a value.
  template <class S>
  static constexpr bool hold_data = (std::is_lvalue_reference_v<std::invoke_result_t<Accessors, S&>> && ...);
};
template <class S>
using members_of = member_list<decltype(boost::hana::accessors<typename boost::hana::tag_of<S>::type>())>;

/// A struct whose data members are adapted by BOOST_HANA_ADAPT_STRUCT or BOOST_HANA_DEFINE_STRUCT.
template <class S>
concept Adapted_struct = std::is_class_v<S> && boost::hana::Struct<S>::value && members_of<S>::template hold_data<S>;

/// A struct of up to 32 members that is an aggregate and not adapted: its members have no names here.
template <class S>
concept Plain_struct = Candidate<S> && !is_array<S> && !is_tuple<S> && !Adapted_struct<S> && member_count_of<S> != 0;

/// What holds values, one after the other: tuples, pairs, arrays and structs.
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
struct structure<std::pair<T, U>> {
  static constexpr std::size_t size = 2;
  template <std::size_t I>
  using member = std::remove_cvref_t<typename type_at<I, T, U>::type>;
  template <std::size_t I, class Self>
  static constexpr auto& get(Self& self) {
    return std::get<I>(self);
  }
};
template <class... Ts>
struct structure<boost::hana::tuple<Ts...>> {
  static constexpr std::size_t size = sizeof...(Ts);
  template <std::size_t I>
  using member = std::remove_cvref_t<typename type_at<I, Ts...>::type>;
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
    return std::get<I>(members_as_tuple(self));
  }
  template <std::size_t I>
  using member = std::remove_cvref_t<std::tuple_element_t<I, decltype(members_as_tuple(std::declval<const S&>()))>>;
};

}  // namespace detail

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
    static_assert(first < same_type.size(), "tapeless: no adapted member of the struct has the type of this one");
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

/// The struct `S` with members of the types `Ts`: what becomes of an adapted struct that cannot hold them, a plain
/// struct of doubles in a traced function. Its members have no names of their own: they are read by structured
/// bindings, `const auto& [a, b] = p;`, by pointers to members, `p[&S::a]`, and as Boost.Hana reads a struct.
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

namespace detail {

template <class S>
inline constexpr bool is_mapped_struct = false;
template <class S, class... Ts>
inline constexpr bool is_mapped_struct<mapped_struct<S, Ts...>> = true;
template <class S>
inline constexpr bool is_mapped_with_names = false;
template <class S, class Named, class... Ts>
inline constexpr bool is_mapped_with_names<mapped_struct_with_names<S, Named, Ts...>> = true;

/// Converts to exactly one type, so that what is initialised from it has that type.
template <class T>
struct exactly {
  template <std::same_as<T> U>
  constexpr operator U() const;
};

/// Storage for the addresses of members of an object that never exists.
template <class S>
union without_object {
  char none;
  S object;
  constexpr without_object() : none() {}
  constexpr ~without_object() {}
};
template <class S>
inline constinit without_object<S> no_object{};

/// Whether the adapted members of one type follow each other as they are declared. Then an initialisation by members
/// of just these types takes them in the right order.
template <class S>
constexpr bool in_declared_order() {
  using list = members_of<S>;
  constexpr auto is_before = []<std::size_t I, std::size_t J>() {
    auto& first = structure<S>::template get<I>(no_object<S>.object);
    auto& second = structure<S>::template get<J>(no_object<S>.object);
    if constexpr (I < J && std::same_as<decltype(first), decltype(second)>)
      return &first < &second;
    else
      return true;
  };
  return [&]<std::size_t... I>(std::index_sequence<I...> all) {
    const auto is_before_others = [&]<std::size_t First, std::size_t... J>(std::index_sequence<J...>) {
      return (is_before.template operator()<First, J>() && ...);
    };
    return (is_before_others.template operator()<I>(all) && ...);
  }(std::make_index_sequence<list::size>{});
}

/// Whether the struct `R` can be made of members `Ts`, given in the order of those of the adapted struct `S`.
template <class R, class S, class... Ts>
constexpr bool holds() {
  if constexpr (Adapted_struct<R>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (std::same_as<typename structure<R>::template member<I>, Ts> && ...);
    }(std::index_sequence_for<Ts...>{});
  } else if constexpr (requires { R{exactly<Ts>{}...}; })
    return in_declared_order<S>();
  else
    return false;
}

/// Whether a member of the type `M` has no value, but `T` beside it: an integer, or a struct with integers.
template <class M, class T>
inline constexpr bool stands_beside = std::integral<M>;
template <class S, class Named, class... Ts>
inline constexpr bool stands_beside<Named, mapped_struct_with_names<S, Named, Ts...>> = true;

/// Whether the adapted struct `R`, all of whose members are adapted, can be made of members `Ts` but for integers.
template <class R, class... Ts>
constexpr bool holds_but_integers() {
  if constexpr (Adapted_struct<R> && std::default_initializable<R>) {
    if constexpr (structure<R>::size == sizeof...(Ts)) {
      return []<std::size_t... I>(std::index_sequence<I...>) {
        std::size_t size = 0;
        const auto place = [&](std::size_t bytes, std::size_t alignment) {
          size = (size + alignment - 1) / alignment * alignment + bytes;
        };
        (place(sizeof(typename structure<R>::template member<I>), alignof(typename structure<R>::template member<I>)),
         ...);
        place(0, alignof(R));
        return size == sizeof(R) && ((stands_beside<typename structure<R>::template member<I>, Ts> ||
                                      std::same_as<typename structure<R>::template member<I>, Ts>) &&
                                     ...);
      }(std::index_sequence_for<Ts...>{});
    }
  }
  return false;
}

/// The class template of `S` with arguments mapped: `Map::to<T>` for each type `T`; void if there is none.
template <class S, class Map>
struct with_mapped_arguments {
  using type = void;
};
template <template <class...> class C, class... Ts, class Map>
  requires requires { typename C<typename Map::template to<Ts>...>; }
struct with_mapped_arguments<C<Ts...>, Map> {
  using type = C<typename Map::template to<Ts>...>;
};
template <template <class, auto...> class C, class T, auto... N, class Map>
  requires(sizeof...(N) > 0) && requires { typename C<typename Map::template to<T>, N...>; }
struct with_mapped_arguments<C<T, N...>, Map> {
  using type = C<typename Map::template to<T>, N...>;
};
template <template <auto, class...> class C, auto N, class... Ts, class Map>
  requires(sizeof...(Ts) > 0) && requires { typename C<N, typename Map::template to<Ts>...>; }
struct with_mapped_arguments<C<N, Ts...>, Map> {
  using type = C<N, typename Map::template to<Ts>...>;
};

/// Of a plain struct what holds the members, in their order; a tuple where neither the struct nor its class template
/// over mapped arguments does.
template <class S, class Map, class... Ts>
constexpr auto mapped_plain_struct_type() {
  using mapped = typename with_mapped_arguments<S, Map>::type;
  if constexpr (requires { S{exactly<Ts>{}...}; })
    return std::type_identity<S>{};
  else if constexpr (std::is_void_v<mapped>)
    return std::type_identity<std::tuple<Ts...>>{};
  else if constexpr (requires { mapped{exactly<Ts>{}...}; })
    return std::type_identity<mapped>{};
  else
    return std::type_identity<std::tuple<Ts...>>{};
}

template <class S, class Map, class... Ts>
constexpr auto mapped_struct_type() {
  using mapped = typename with_mapped_arguments<S, Map>::type;
  if constexpr (holds<S, S, Ts...>())
    return std::type_identity<S>{};
  else if constexpr (std::is_void_v<mapped>)
    return std::type_identity<mapped_struct<S, Ts...>>{};
  else if constexpr (holds<mapped, S, Ts...>())
    return std::type_identity<mapped>{};
  else if constexpr (holds_but_integers<mapped, Ts...>())
    return std::type_identity<mapped_struct_with_names<S, mapped, Ts...>>{};
  else
    return std::type_identity<mapped_struct<S, Ts...>>{};
}

/// The structure with each member's type `T` mapped to `Map::to<T>`. Of a struct it is the struct itself if that holds
/// them, else the same class template over mapped arguments, else a `mapped_struct`.
template <class S, class Map, class = std::make_index_sequence<structure<S>::size>>
struct mapped_structure;
template <class T, std::size_t N, class Map, std::size_t... I>
struct mapped_structure<std::array<T, N>, Map, std::index_sequence<I...>> {
  using type = std::array<typename Map::template to<T>, N>;
};
template <class... Ts, class Map, std::size_t... I>
struct mapped_structure<std::tuple<Ts...>, Map, std::index_sequence<I...>> {
  using type = std::tuple<typename Map::template to<Ts>...>;
};
template <class... Ts, class Map, std::size_t... I>
struct mapped_structure<boost::hana::tuple<Ts...>, Map, std::index_sequence<I...>> {
  using type = boost::hana::tuple<typename Map::template to<Ts>...>;
};
template <class T, class U, class Map, std::size_t... I>
struct mapped_structure<std::pair<T, U>, Map, std::index_sequence<I...>> {
  using type = std::pair<typename Map::template to<T>, typename Map::template to<U>>;
};
template <Plain_struct S, class Map, std::size_t... I>
struct mapped_structure<S, Map, std::index_sequence<I...>> {
  using type =
      typename decltype(mapped_plain_struct_type<
                        S, Map, typename Map::template to<typename structure<S>::template member<I>>...>())::type;
};
template <Adapted_struct S, class Map, std::size_t... I>
struct mapped_structure<S, Map, std::index_sequence<I...>> {
  using type =
      typename decltype(mapped_struct_type<
                        S, Map, typename Map::template to<typename structure<S>::template member<I>>...>())::type;
};

/// A structure of the type `R`, made of its members.
template <class R, class... Ts>
constexpr R make_structure(const Ts&... members) {
  if constexpr (Adapted_struct<R> && std::default_initializable<R>)
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      R result{};
      ((structure<R>::template get<I>(result) = members), ...);
      return result;
    }(std::index_sequence_for<Ts...>{});
  else
    return R{members...};
}

/// `f` applied to every symbol in a structure; the rest passes.
template <class F>
struct symbol_map {
  template <class T>
  static constexpr auto of(const F& f, const T& e) {
    if constexpr (Structure<T>)
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return make_structure<typename mapped_structure<T, symbol_map>::type>(
            of(f, structure<T>::template get<I>(e))...);
      }(std::make_index_sequence<structure<T>::size>{});
    else if constexpr (Symbolic<T>)
      return f(e);
    else
      return e;
  }
  template <class T>
  using to = decltype(of(std::declval<const F&>(), std::declval<const T&>()));
};
template <class F, class T>
constexpr auto map_symbols(const F& f, const T& e) {
  return symbol_map<F>::of(f, e);
}

}  // namespace detail

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

#endif
