// A list of types: each family (joints, shapes, forces, steppers) is declared as one list, and readers, schema, docs and law tests
// loop over it instead of naming types.
#pragma once

#include <cstddef>
#include <utility>
#include <variant>

namespace sinew {

template <class... Ts>
struct TypeList {
  using Variant = std::variant<Ts...>;
  static constexpr std::size_t kSize = sizeof...(Ts);
  template <class... More>
  using Append = TypeList<Ts..., More...>;

  /// Calls visit.template operator()<T>() for every T, in order.
  template <class Visit>
  static void for_each(Visit&& visit) {
    (visit.template operator()<Ts>(), ...);
  }
};

}  // namespace sinew
