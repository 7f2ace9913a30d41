// What the fields of a scene cannot say by themselves: names that must exist and be unique, and choices that belong
// together.
#include "sinew/simulation/scene_errors.h"

#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

#include "sinew/model/model.h"
#include "sinew/simulation/strand.h"
#include "sinew/spatial/inertia.h"

namespace sinew {
namespace {

using Findings = std::vector<Diagnostic>;
using NameIndex = std::unordered_map<std::string, std::size_t>;

struct Names {
  NameIndex index;                 // first use of each name
  std::vector<std::string> known;  // for suggestions
};

// Every name once, none empty.
template <class T>
Names collect_names(const std::vector<T>& things, std::string_view list, Findings& findings) {
  Names names;
  for (std::size_t i = 0; i < things.size(); ++i) {
    const std::string& name = things[i].name;
    const std::string where = fmt::format("{}[{}].name", list, i);
    const auto [first, is_new] = names.index.emplace(name, i);
    if (name.empty())
      findings.push_back({where, "expected a name, got an empty one"});
    else if (!is_new)
      findings.push_back(
          {where, fmt::format("expected a unique name, got '{}', the name of {}[{}]", name, list, first->second)});
    else
      names.known.push_back(name);
  }
  return names;
}

// Visits the fields of described structs for the names they refer to.
class NameChecker {
 public:
  explicit NameChecker(const SceneDescription& scene) : scene_(scene) {}

  Findings run() {
    bodies_ = collect_names(scene_.bodies, "bodies", findings_);
    joints_ = collect_names(scene_.joints, "joints", findings_);
    check_strands();
    constraints_ = collect_names(scene_.constraints, "constraints", findings_);
    collect_names(scene_.probes, "probes", findings_);
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      if (scene_.bodies[i].name != kWorldName) continue;
      add(fmt::format("bodies[{}].name", i), "expected a name other than 'world', which is what joints are fixed to");
    }
    for (std::size_t i = 0; i < scene_.joints.size(); ++i) check_joint(scene_.joints[i], fmt::format("joints[{}]", i));
    for (std::size_t i = 0; i < scene_.constraints.size(); ++i)
      check_names(scene_.constraints[i].constraint, fmt::format("constraints[{}]", i));
    for (std::size_t i = 0; i < scene_.forces.size(); ++i) check_names(scene_.forces[i], fmt::format("forces[{}]", i));
    for (std::size_t i = 0; i < scene_.probes.size(); ++i)
      check_names(scene_.probes[i].probe, fmt::format("probes[{}]", i));
    check_contact();
    check_stepper();
    return std::move(findings_);
  }

  template <class Member>
  void operator()(const FieldInfo& info, const Member& member) {
    const std::string where = fmt::format("{}.{}", path_, info.name);
    if constexpr (std::is_same_v<Member, BodyName>) {
      if (!(info.may_be_world && member.name == kWorldName)) check_name(member.name, "body", bodies_, where);
    }
    if constexpr (std::is_same_v<Member, JointName>) check_name(member.name, "joint", joints_, where);
    if constexpr (std::is_same_v<Member, ConstraintName>) check_name(member.name, "constraint", constraints_, where);
  }
  template <class Item>
  void operator()(const FieldInfo& info, const std::optional<Item>& item) {
    if (item) (*this)(info, *item);
  }
  template <class Item>
  void operator()(const FieldInfo& info, const std::vector<Item>& items) {
    const std::string path = path_;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string name = fmt::format("{}[{}]", info.name, i);
      if constexpr (Described<Item>) {
        path_ = fmt::format("{}.{}", path, name);
        Item::visit_fields(items[i], *this);
      } else {
        FieldInfo item = info;
        item.name = name;
        (*this)(item, items[i]);
      }
    }
    path_ = path;
  }

 private:
  void add(std::string where, std::string message) { findings_.push_back({std::move(where), std::move(message)}); }

  template <class... Ts>
  void check_names(const std::variant<Ts...>& described, const std::string& path) {
    path_ = path;
    std::visit([this]<class T>(const T& alternative) { T::visit_fields(alternative, *this); }, described);
  }

  void check_name(const std::string& name, std::string_view what, const Names& names, const std::string& where) {
    if (names.index.contains(name)) return;
    add(where, fmt::format("expected the name of a {}, got '{}'{}", what, name, make_suggestion(name, names.known)));
  }

  // Each may be fixed to particles of those before it.
  void check_strands() {
    const Names strands = collect_names(scene_.strands, "strands", findings_);
    for (std::size_t i = 0; i < scene_.strands.size(); ++i) {
      const StrandDescription& strand = scene_.strands[i];
      const std::string path = fmt::format("strands[{}]", i);
      path_ = path + ".from";
      PathPoint::visit_fields(strand.from, *this);
      path_ = path + ".to";
      if (strand.to) PathPoint::visit_fields(*strand.to, *this);
      if (strands.index.at(strand.name) == i) add_particles(strand, path + ".name");
    }
  }

  // Particles are bodies with a joint of the same name.
  void add_particles(const StrandDescription& strand, const std::string& where) {
    for (int number = 1; number <= particle_count(strand); ++number) {
      const std::string name = particle_name(strand, number);
      for (Names* names : {&bodies_, &joints_}) {
        const auto [taken, is_new] = names->index.emplace(name, 0);
        if (is_new) {
          names->known.push_back(name);
          continue;
        }
        add(where, fmt::format("expected a name other than '{}', whose particle '{}' would have the name of a {}",
                               strand.name, name, names == &bodies_ ? "body" : "joint"));
        return;
      }
    }
  }

  void check_stepper() {
    const Variational* variational = std::get_if<Variational>(&scene_.stepper);
    if (variational == nullptr) return;
    if (variational->order == 3) add("stepper.order", "expected 2 or 4, got 3");
    if (variational->order != 2 && variational->sleep_speed > 0)
      add("stepper.sleep_speed", "expected 0 unless the order is 2: order 4 is for smooth motion");
    if (const int sides = variational->friction_directions; sides == 1 || sides == 2)
      add("stepper.friction_directions", fmt::format("expected 0, or 3 to 16, got {}", sides));
  }

  void check_contact() {
    const ContactDescription contact = scene_.contact.value_or(ContactDescription{});
    const Names materials = collect_names(contact.materials, "contact.materials", findings_);
    const auto check_material = [&](const std::string& name, const std::string& where) {
      if (!name.empty()) check_name(name, "material", materials, where);
    };
    for (std::size_t i = 0; i < contact.pairs.size(); ++i) {
      check_material(contact.pairs[i].a, fmt::format("contact.pairs[{}].a", i));
      check_material(contact.pairs[i].b, fmt::format("contact.pairs[{}].b", i));
    }
    for (std::size_t i = 0; i < contact.exclude.size(); ++i) {
      path_ = fmt::format("contact.exclude[{}]", i);
      BodyPairDescription::visit_fields(contact.exclude[i], *this);
    }
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      for (std::size_t k = 0; k < scene_.bodies[i].shapes.size(); ++k)
        check_material(scene_.bodies[i].shapes[k].surface.material,
                       fmt::format("bodies[{}].shapes[{}].material", i, k));
    }
    for (std::size_t i = 0; i < scene_.world.size(); ++i)
      check_material(scene_.world[i].surface.material, fmt::format("world[{}].material", i));
  }

  void check_joint(const JointDescription& joint, const std::string& path) {
    check_names(joint.joint, path);
    if (joint.parent.name != kWorldName) check_name(joint.parent.name, "body", bodies_, path + ".parent");
    if (joint.child.name == kWorldName) {
      add(path + ".child", "expected a body, got 'world'; make the world the parent");
      return;
    }
    check_name(joint.child.name, "body", bodies_, path + ".child");
    if (joint.child == joint.parent)
      add(path + ".child", fmt::format("expected a body other than the parent, got '{}' twice", joint.child.name));
  }

  const SceneDescription& scene_;
  Findings findings_;
  Names bodies_, joints_, constraints_;
  std::string path_;
};

// Visits fields for numbers out of their range, which only descriptions that were not read from a file can have.
struct RangeChecker {
  const std::string& path;
  Findings& findings;

  template <class Member>
  void operator()(const FieldInfo& info, const Member& member) {
    if constexpr (std::is_same_v<Member, double> || std::is_same_v<Member, int>) {
      if (!info.allows(member))
        findings.push_back({fmt::format("{}.{}", path, info.name),
                            fmt::format("expected a number in the range of this field, got {}", member)});
    }
  }
  void operator()(const FieldInfo& info, const std::optional<double>& member) {
    if (member) (*this)(info, *member);
  }
};

class ChoiceChecker {
 public:
  Findings run(const SceneDescription& scene) {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) check_body(scene.bodies[i], fmt::format("bodies[{}]", i));
    if (scene.contact || !scene.world.empty()) {
      for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        check_colliders(scene.bodies[i], fmt::format("bodies[{}]", i));
    }
    for (std::size_t i = 0; i < scene.world.size(); ++i)
      std::visit([&](const auto& shape) { check_world_shape(shape, fmt::format("world[{}]", i)); },
                 scene.world[i].shape);
    for (std::size_t i = 0; i < scene.joints.size(); ++i) check_frames(scene.joints[i], fmt::format("joints[{}]", i));
    for (std::size_t i = 0; i < scene.strands.size(); ++i)
      check_strand(scene.strands[i], fmt::format("strands[{}]", i));
    return std::move(findings_);
  }

 private:
  void add(std::string where, std::string message) { findings_.push_back({std::move(where), std::move(message)}); }

  void check_body(const BodyDescription& body, const std::string& path) {
    if (body.inertia)
      check_given_inertia(body, path);
    else
      check_mass_from_shapes(body, path);
    for (std::size_t i = 0; i < body.shapes.size(); ++i)
      std::visit([&](const auto& shape) { check_solid(shape, fmt::format("{}.shapes[{}]", path, i)); },
                 body.shapes[i].shape);
  }

  void check_given_inertia(const BodyDescription& body, const std::string& path) {
    if (!body.mass) add(path + ".inertia", "expected 'mass' next to 'inertia', got no mass");
    if (body.density)
      add(path + ".density", "expected no density next to 'inertia', which replaces what follows from shapes");
    for (std::size_t i = 0; i < body.shapes.size(); ++i) {
      const ShapeDescription& shape = body.shapes[i];
      if (shape.mass || shape.density) {
        add(fmt::format("{}.shapes[{}].{}", path, i, shape.mass ? "mass" : "density"),
            "expected none, because 'inertia' and 'mass' of the body replace what follows from shapes");
      }
    }
    const auto error =
        find_error(MassProperties{body.mass.value_or(1), Vec3::Zero(), body.inertia.value_or(Mat3(Mat3::Zero()))});
    if (error) add(path + ".inertia", *error);
  }

  void check_mass_from_shapes(const BodyDescription& body, const std::string& path) {
    if (body.center_of_mass)
      add(path + ".center_of_mass",
          "expected 'inertia' and 'mass' with it, because shapes have their own; turn and move the shapes instead");
    if (body.shapes.empty()) {
      add(path,
          body.mass
              ? "expected 'inertia' or 'shapes' with 'mass': a body that can turn needs an inertia, got the mass alone"
              : "expected 'shapes' with 'density' or 'mass', or 'mass' and 'inertia', got a body without mass");
      return;
    }
    if (body.mass && body.density) add(path + ".density", "expected 'mass' or 'density', got both");
    for (std::size_t i = 0; i < body.shapes.size(); ++i) {
      const ShapeDescription& shape = body.shapes[i];
      const std::string where = fmt::format("{}.shapes[{}]", path, i);
      if (shape.mass && shape.density) add(where + ".density", "expected 'mass' or 'density', got both");
      if (body.mass && (shape.mass || shape.density)) {
        add(fmt::format("{}.{}", where, shape.mass ? "mass" : "density"),
            "expected none, because the mass of the body is shared by its shapes; give the mass there or here");
      }
      if (!body.mass && !body.density && !shape.mass && !shape.density) {
        add(where, "expected 'density' or 'mass', here or at the body, got neither");
      }
    }
  }

  // A shape that is not a solid (open mesh, flat hull) says so when asked for its volume. One still in a file is not
  // looked at.
  template <class S>
  void check_solid(const S& shape, const std::string& path) {
    if constexpr (requires { shape.file; }) {
      if (!shape.file.empty()) return;
    }
    try {
      const double volume = shape.volume();
      if (!(volume > 0 && std::isfinite(volume)))
        add(path, fmt::format("expected a solid of finite volume, got {} m^3", volume));
    } catch (const Error& error) {
      add(path, error.diagnostics().front().message);
    }
  }

  // What never moves may also be a surface; then that is what it must be.
  template <class S>
  void check_world_shape(const S& shape, const std::string& path) {
    if constexpr (requires { shape.surface(); }) {
      if constexpr (requires { shape.file; }) {
        if (!shape.file.empty()) return;
      }
      try {
        shape.surface();
      } catch (const Error& error) {
        constexpr bool has_heights = requires { shape.heights; };
        add(path + (has_heights ? ".heights" : ".triangles"), error.diagnostics().front().message);
      }
    } else if constexpr (requires { shape.volume(); }) {
      check_solid(shape, path);
    }
  }

  void check_colliders(const BodyDescription& body, const std::string& path) {
    for (std::size_t i = 0; i < body.shapes.size(); ++i) {
      if (!body.shapes[i].surface.collides || !std::holds_alternative<Mesh>(body.shapes[i].shape)) continue;
      add(fmt::format("{}.shapes[{}]", path, i),
          "expected convex shapes on a body that collides, got a mesh: use type: convex, one around its points or "
          "several inside it, or set collides: false");
    }
  }

  void check_frames(const JointDescription& joint, const std::string& path) {
    if (joint.anchor && (joint.parent_frame || joint.child_frame)) {
      add(path + (joint.parent_frame ? ".parent_frame" : ".child_frame"),
          "expected 'anchor' or both frames, got 'anchor' and a frame");
    } else if (!joint.anchor && (!joint.parent_frame || !joint.child_frame)) {
      const std::string_view got = joint.parent_frame  ? "'parent_frame' without 'child_frame'"
                                   : joint.child_frame ? "'child_frame' without 'parent_frame'"
                                                       : "none of them";
      add(path, fmt::format("expected 'anchor', or 'parent_frame' and 'child_frame', got {}", got));
    }
  }

  void check_strand(const StrandDescription& strand, const std::string& path) {
    RangeChecker check{path, findings_};
    StrandDescription::visit_fields(strand, check);
    if (!strand.to && !strand.length) add(path, "expected 'to', or 'length' of a strand with a free end, got neither");
    if (strand.to && strand.segments == 1 && strand.to->body == strand.from.body)
      add(path + ".segments", "expected at least 2 with both ends on the same body, got 1");
  }

  Findings findings_;
};

}  // namespace

Error with_paths(const Error& error, const SceneDescription& scene) {
  std::vector<Diagnostic> findings = error.diagnostics();
  for (Diagnostic& finding : findings) {
    const auto find_in = [&](const auto& things, std::string_view list) {
      const auto at =
          std::find_if(things.begin(), things.end(), [&](const auto& thing) { return thing.name == finding.where; });
      if (at == things.end()) return false;
      const std::string name = fmt::format("'{}'", at->name);
      if (finding.message.find(name) == std::string::npos)
        finding.message = fmt::format("{}: {}", name, finding.message);
      finding.where = fmt::format("{}[{}]", list, at - things.begin());
      return true;
    };
    if (find_in(scene.constraints, "constraints") || find_in(scene.joints, "joints") || find_in(scene.bodies, "bodies"))
      continue;
    std::visit(
        [&]<class S>(const S& options) {
          const std::string where = finding.where;
          const auto check = [&](const FieldInfo& info, const auto&) {
            if (info.name == where) finding.where = fmt::format("stepper.{}", where);
          };
          S::visit_fields(options, check);
        },
        scene.stepper);
  }
  return {error.kind(), std::move(findings)};
}

std::vector<Diagnostic> find_name_errors(const SceneDescription& scene) { return NameChecker(scene).run(); }

std::vector<Diagnostic> find_choice_errors(const SceneDescription& scene) { return ChoiceChecker().run(scene); }

std::vector<Diagnostic> find_scene_errors(const SceneDescription& scene) {
  std::vector<Diagnostic> errors = find_name_errors(scene);
  for (Diagnostic& error : find_choice_errors(scene)) errors.push_back(std::move(error));
  return errors;
}

}  // namespace sinew
