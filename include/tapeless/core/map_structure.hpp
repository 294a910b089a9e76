#pragma once

#include <tapeless/core/mapped_struct.hpp>

#include <boost/hana/fwd/tuple.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace tapeless::detail {

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
  } else if constexpr (Plain_struct<S>)
    return requires { R{exactly<Ts>{}...}; };
  else if constexpr (requires { R{exactly<Ts>{}...}; })
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
struct with_mapped_arguments : std::type_identity<void> {};
template <template <class...> class C, class... Ts, class Map>
  requires requires { typename C<typename Map::template to<Ts>...>; }
struct with_mapped_arguments<C<Ts...>, Map> : std::type_identity<C<typename Map::template to<Ts>...>> {};
template <template <class, auto...> class C, class T, auto... N, class Map>
  requires(sizeof...(N) > 0) && requires { typename C<typename Map::template to<T>, N...>; }
struct with_mapped_arguments<C<T, N...>, Map> : std::type_identity<C<typename Map::template to<T>, N...>> {};
template <template <auto, class...> class C, auto N, class... Ts, class Map>
  requires(sizeof...(Ts) > 0) && requires { typename C<N, typename Map::template to<Ts>...>; }
struct with_mapped_arguments<C<N, Ts...>, Map> : std::type_identity<C<N, typename Map::template to<Ts>...>> {};

/// The struct itself or its class template over mapped arguments, if that holds the members; else a `mapped_struct`, or
/// for a plain struct, whose members have no names, a tuple.
template <class S, class Map, class... Ts>
constexpr auto mapped_struct_type() {
  using mapped = typename with_mapped_arguments<S, Map>::type;
  if constexpr (holds<S, S, Ts...>())
    return std::type_identity<S>{};
  else if constexpr (holds<mapped, S, Ts...>())
    return std::type_identity<mapped>{};
  else if constexpr (Plain_struct<S>)
    return std::type_identity<std::tuple<Ts...>>{};
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
struct mapped_structure<std::array<T, N>, Map, std::index_sequence<I...>>
    : std::type_identity<std::array<typename Map::template to<T>, N>> {};
template <class... Ts, class Map, std::size_t... I>
struct mapped_structure<std::tuple<Ts...>, Map, std::index_sequence<I...>>
    : std::type_identity<std::tuple<typename Map::template to<Ts>...>> {};
template <class... Ts, class Map, std::size_t... I>
struct mapped_structure<boost::hana::tuple<Ts...>, Map, std::index_sequence<I...>>
    : std::type_identity<boost::hana::tuple<typename Map::template to<Ts>...>> {};
template <class T, class U, class Map, std::size_t... I>
struct mapped_structure<std::pair<T, U>, Map, std::index_sequence<I...>>
    : std::type_identity<std::pair<typename Map::template to<T>, typename Map::template to<U>>> {};
template <class S, class Map, std::size_t... I>
  requires is_struct<S>
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

}  // namespace tapeless::detail
