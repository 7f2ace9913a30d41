// Self-description of types. A described type states its name, a sentence, and its fields once; the scene reader, writer, JSON
// Schema, docs tables and law tests all walk the same declaration:
//
//   struct Revolute {
//     static constexpr std::string_view kName = "revolute";
//     static constexpr std::string_view kDoc = "hinge: one rotation about an axis";
//     Vec3 axis = Vec3::UnitZ();
//     template <class Self, class Visitor>
//     static void visit_fields(Self& self, Visitor& visit) {
//       visit(optional("axis", "", "hinge axis in the joint frame").unit_vector(), self.axis);
//     }
//   };
//
// Self is T or const T. The default of an optional field is what a default-constructed object holds. A member may be: bool, int,
// double, std::string, ExpressionOf<...>, Vec3, Mat3, Quat, an enum with enum_names(), a described struct, a std::variant of described structs (the
// key "type" selects the alternative by its kName), std::optional or std::vector of these, or BodyName / JointName / ConstraintName: a name
// that must exist in the scene.
#pragma once

#include <cmath>
#include <concepts>
#include <limits>
#include <string>
#include <string_view>

namespace sinew {

struct FieldInfo {
  std::string_view name;
  std::string_view unit;  // "m", "kg m^2", "N", "rad", "" for none
  std::string_view doc;   // one sentence, no full stop
  bool is_required = false;
  bool is_inline = false;       // a variant or struct whose keys stand among the keys of the enclosing map
  bool is_unit_vector = false;  // read: must not be zero, is normalised
  bool may_be_world = false;    // a BodyName that may be `world`
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool minimum_is_excluded = false;  // applies to numbers, and to every entry of vectors

  constexpr FieldInfo above(double bound) const {
    return with([&](FieldInfo& f) { f.minimum = bound, f.minimum_is_excluded = true; });
  }
  constexpr FieldInfo at_least(double bound) const {
    return with([&](FieldInfo& f) { f.minimum = bound; });
  }
  constexpr FieldInfo at_most(double bound) const {
    return with([&](FieldInfo& f) { f.maximum = bound; });
  }
  constexpr FieldInfo unit_vector() const {
    return with([](FieldInfo& f) { f.is_unit_vector = true; });
  }

  constexpr FieldInfo or_world() const {
    return with([](FieldInfo& f) { f.may_be_world = true; });
  }

  bool allows(double value) const {
    return std::isfinite(value) && (minimum_is_excluded ? value > minimum : value >= minimum) && value <= maximum;
  }

 private:
  template <class Change>
  constexpr FieldInfo with(Change change) const {
    FieldInfo copy = *this;
    change(copy);
    return copy;
  }
};

constexpr FieldInfo required(std::string_view name, std::string_view unit, std::string_view doc) {
  FieldInfo f{.name = name, .unit = unit, .doc = doc};
  f.is_required = true;
  return f;
}
constexpr FieldInfo optional(std::string_view name, std::string_view unit, std::string_view doc) {
  return FieldInfo{.name = name, .unit = unit, .doc = doc};
}
/// The keys of the member stand directly in the enclosing map (a joint's type and its parameters next to its name and bodies).
constexpr FieldInfo inlined(std::string_view doc) {
  FieldInfo f{.name = "", .unit = "", .doc = doc};
  f.is_inline = true;
  return f;
}

/// The name of a body ("world" where allowed), joint or constraint of the scene, checked after reading.
struct BodyName {
  std::string name;
  bool operator==(const BodyName&) const = default;
};
struct JointName {
  std::string name;
  bool operator==(const JointName&) const = default;
};
struct ConstraintName {
  std::string name;
  bool operator==(const ConstraintName&) const = default;
};

namespace detail {
struct AnyVisitor {
  template <class Member>
  void operator()(const FieldInfo&, Member&) {}
};
}  // namespace detail

template <class T>
concept Described = requires(T& t, detail::AnyVisitor& visit) {
  { T::kName } -> std::convertible_to<std::string_view>;
  { T::kDoc } -> std::convertible_to<std::string_view>;
  T::visit_fields(t, visit);
};

/// Alternatives of a variant that differ in size alone share the name kFamily besides their own: who writes it gets the one that fits what is
/// given. fitting() is that one, in a variant of the family.
template <class T>
concept OneOfFamily = Described<T> && requires(const T& t) {
  { T::kFamily } -> std::convertible_to<std::string_view>;
  { T::kFamilyDoc } -> std::convertible_to<std::string_view>;
  t.fitting();
};

/// Calls visit.template operator()<T>() for the first T of every family among Ts.
template <class... Ts, class Visit>
void for_each_family(Visit&& visit) {
  std::string_view last;  // members of a family stand together
  const auto offer = [&]<class T>() {
    if constexpr (OneOfFamily<T>) {
      if (T::kFamily != last) visit.template operator()<T>();
      last = T::kFamily;
    }
  };
  (offer.template operator()<Ts>(), ...);
}

}  // namespace sinew
