// What surfaces are like where they touch. Two materials meet with the geometric mean of their frictions and the larger restitution, unless
// the scene says otherwise for the pair.
#pragma once

#include <string>
#include <string_view>

#include "sinew/core/fields.h"

namespace sinew {

/// What happens where two surfaces touch.
struct SurfaceLaw {
  double friction = 0.5;
  double restitution = 0;
  double spin_friction = 0;
  double rolling_friction = 0;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("friction", "", "coefficient μ of sliding and sticking friction").at_least(0), self.friction);
    visit(optional("restitution", "", "speed after an impact over speed before it").at_least(0).at_most(1),
          self.restitution);
    visit(optional("spin_friction", "m", "largest torque about the normal per normal force").at_least(0),
          self.spin_friction);
    visit(optional("rolling_friction", "m", "largest torque across the normal per normal force").at_least(0),
          self.rolling_friction);
  }
};

struct ContactMaterial : SurfaceLaw {
  static constexpr std::string_view kName = "material";
  static constexpr std::string_view kDoc = "friction and bounce of a surface";

  std::string name = "default";

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(required("name", "", "how shapes refer to it"), self.name);
    SurfaceLaw::visit_fields(self, visit);
  }
};

/// How two materials meet if nothing else is said.
SurfaceLaw combine(const SurfaceLaw& a, const SurfaceLaw& b);

}  // namespace sinew
