#include "sinew/contact/collider.h"

#include <fmt/format.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

struct Fill {
  Collider& c;
  std::string_view body_name;

  void set_corners(const std::vector<Vec3>& corners_S) {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& corner : corners_S) {
      c.corners_C.push_back(c.X_CS * corner);
      sum += c.corners_C.back();
    }
    c.centre_C = sum / static_cast<double>(corners_S.size());
    for (const Vec3& corner : c.corners_C) c.view.size = std::max(c.view.size, (corner - c.centre_C).norm());
    for (int f = 0; f < c.topology.face_count(); ++f)
      c.normals_C.push_back(polygon_normal(c.corners_C, c.topology.face(f)));
  }
  void set_solid(const TriMesh& mesh) {
    c.topology = make_topology(mesh);
    set_corners(mesh.vertices);
  }
  void set_round(ConvexView::Kind kind, const Vec3& dimensions, double size, const Vec3& centre_S = Vec3::Zero()) {
    c.view.kind = kind;
    c.view.dimensions = dimensions;
    c.view.size = size;
    c.centre_C = c.X_CS * centre_S;
  }
  void set_triangles(TriMesh mesh) {
    for (Vec3& v : mesh.vertices) v = c.X_CS * v;
    c.triangles = std::make_unique<TriangleSurface>(std::move(mesh));
  }

  void operator()(const Box& s) { set_solid(s.triangulate(0)); }
  void operator()(const Convex& s) { set_solid(s.triangulate(0)); }
  void operator()(const Sphere& s) {
    c.view.radius = s.radius;
    set_corners({Vec3::Zero()});
  }
  void operator()(const Capsule& s) {
    c.view.radius = s.radius;
    if (s.length == 0) return set_corners({Vec3::Zero()});
    c.topology = make_segment_topology();
    set_corners({{0, 0, -0.5 * s.length}, {0, 0, 0.5 * s.length}});
  }
  void operator()(const Cylinder& s) {
    const double h = 0.5 * s.length;
    set_round(ConvexView::Kind::Cylinder, {s.radius, s.radius, h}, std::hypot(s.radius, h));
  }
  void operator()(const Cone& s) {
    const double z = 0.25 * s.height;
    set_round(ConvexView::Kind::Cone, {s.radius, s.radius, s.height}, std::max(std::hypot(s.radius, z), s.height - z),
              {0, 0, z});
  }
  void operator()(const Ellipsoid& s) { set_round(ConvexView::Kind::Ellipsoid, s.radii, s.radii.maxCoeff()); }
  void operator()(const Mesh& s) {
    if (c.body != kWorld)
      throw Error(
          ErrorKind::Input, std::string(body_name),
          "expected convex shapes on a body that collides, got a mesh (use convex: one around its points or several "
          "inside it, or set collides to false)");
    set_triangles(s.surface());
  }
  void operator()(const Heightfield& s) { set_triangles(s.surface()); }
  void operator()(const Plane&) {
    c.half_space = std::make_unique<FlatFace>();
    c.half_space->point = c.X_CS.p;
    c.half_space->normal = c.X_CS.q * Vec3::UnitZ();
  }
};

}  // namespace

void Collider::place(const Pose& X_WC) {
  const Mat3 R = X_WC.rotation();
  for (std::size_t i = 0; i < corners_C.size(); ++i) corners_W[i] = X_WC.p + R * corners_C[i];
  for (std::size_t i = 0; i < normals_C.size(); ++i) normals_W[i] = R * normals_C[i];
  view.X_WC = X_WC;
  view.X_WS = X_WC * X_CS;
  view.centre = X_WC * centre_C;
  view.topology = &topology;
  view.corners = corners_W;
  view.face_normals = normals_W;
}

Collider make_collider(const StaticShape& shape, const Pose& X_CS, int body, std::string_view body_name) {
  Collider c;
  c.body = body;
  c.X_CS = X_CS;
  Fill fill{c, body_name};
  std::visit(fill, shape);
  c.corners_W = c.corners_C;
  c.normals_W = c.normals_C;
  return c;
}

}  // namespace sinew
