#include "sinew/contact/narrow_phase.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/contact/epa.h"
#include "sinew/contact/feature_code.h"
#include "sinew/contact/triangle_surface.h"

namespace sinew {
namespace {

constexpr std::size_t kMostPairs = 8;   // of one manifold: two quadrilaterals meet in at most that many corners
constexpr int kRimCorners = 24;         // of the polygon that stands for a round cap when faces are cut
constexpr double kStandingSine = 0.02;  // a cap tilted less against a face rests on points of its rim
// Faces are preferred to directions that separate a little better, unless they would claim an overlap of more than this part of the size.
constexpr double kTouch = 1e-8, kRoundTouch = 1e-6;

void add_pair(const Feature& incident, std::uint64_t code, const FlatFace& face, const Vec3& x, double gap,
              bool face_is_b, std::vector<FeaturePair>& out) {
  const Pose X_CW = face.X_WC.inverse();
  const Feature plane = make_plane(X_CW * face.point, X_CW.rotate(face.normal));
  if (face_is_b)
    out.push_back({incident, plane, code, face.code, gap, x});
  else
    out.push_back({plane, incident, face.code, code, gap, x});
}

bool is_over(const FlatFace& face, double tolerance, const Vec3& x) {
  return face.border.empty() || is_over_polygon(face.border, face.normal, tolerance, x);
}

bool is_internal(const FlatFace& face, int side) {
  return face.triangle && side >= 0 && face.triangle->edge_is_internal[static_cast<std::size_t>(side)];
}

// How far the solid is above a plane, the radius left out.
double height_above(const ConvexView& solid, const Vec3& point, const Vec3& normal) {
  return normal.dot(solid.support(-normal).x - point);
}

std::uint64_t corner_code(const ConvexView& solid, int corner) {
  return make_code(CodeKind::Corner,
                   static_cast<std::uint64_t>(solid.triangle ? solid.triangle->corners[corner] : corner));
}

}  // namespace

// The best separating face; one of B (a triangle, the greater index) unless one of A is better by more than the tolerance, or it alone
// claims an overlap.
NarrowPhase::BestFace NarrowPhase::find_best_face(const ConvexView& A, const ConvexView& B, double tolerance,
                                                  double overlap) const {
  BestFace of_a{&A}, of_b{&B};
  const auto search = [](const ConvexView& owner, const ConvexView& other, BestFace& best) {
    for (int f = 0; f < owner.face_count(); ++f) {
      const double separation = height_above(other, owner.face_point(f), owner.face_normal(f));
      if (separation > best.separation) best.face = f, best.separation = separation;
    }
  };
  search(A, B, of_a);
  search(B, A, of_b);
  const bool is_close = of_a.separation <= of_b.separation + (of_b.separation < overlap ? 0 : tolerance);
  const BestFace& best = is_close ? of_b : of_a;
  return best.separation > -1e299 ? best : BestFace{};
}

FlatFace NarrowPhase::make_face(const ConvexView& owner, int f) {
  border_.clear();
  std::uint64_t code = make_code(CodeKind::Face, static_cast<std::uint64_t>(f));
  if (owner.kind == ConvexView::Kind::Polytope) {
    for (int corner : owner.topology->face(f)) border_.push_back(owner.corners[corner]);
    if (owner.triangle) code = make_code(CodeKind::Face, static_cast<std::uint64_t>(owner.triangle->flat_group));
  } else {
    const Vec3 centre = owner.X_WS.q.conjugate() * (owner.face_point(f) - owner.X_WS.p);
    const double turn = owner.face_normal(f).dot(owner.axis()) > 0 ? 1 : -1;
    for (int i = 0; i < kRimCorners; ++i) {
      const double angle = turn * 2 * std::numbers::pi * i / kRimCorners;
      border_.push_back(owner.X_WS * Vec3(centre + owner.dimensions.x() * Vec3(std::cos(angle), std::sin(angle), 0)));
    }
  }
  return {owner.face_point(f), owner.face_normal(f), owner.X_WC, code, border_, owner.triangle};
}

void NarrowPhase::collide(const ConvexView& A, const ConvexView& B, double margin, std::vector<FeaturePair>& out) {
  const double radii = A.radius + B.radius, scale = std::min(A.size + A.radius, B.size + B.radius);
  const bool is_sharp = A.kind == ConvexView::Kind::Polytope && B.kind == ConvexView::Kind::Polytope;
  const double touch = (is_sharp ? kTouch : kRoundTouch) * scale;
  const BestFace best = find_best_face(A, B, 1e-3 * scale, radii - touch);
  if (best.owner && best.separation - radii >= margin) return;
  const double tolerance = 0.05 * std::abs(best.separation - radii) + 1e-3 * scale;
  const std::size_t first = out.size();
  const auto add_pairs_at = [&](const ConvexView& owner, int face) {
    add_face_pairs(&owner == &B ? A : B, make_face(owner, face), &owner == &B, margin, out);
  };
  if (best.owner) {
    add_pairs_at(*best.owner, best.face);
    double nearest = 1e300;
    for (std::size_t i = first; i < out.size(); ++i) nearest = std::min(nearest, out[i].gap);
    const bool is_exact = (A.is_point() || B.is_point()) && best.owner->kind == ConvexView::Kind::Polytope;
    const bool is_open = nearest >= -touch;
    const bool is_shallow = (is_open && best.separation > -tolerance) || B.triangle || is_exact;
    const bool is_whole = nearest <= best.separation - radii + tolerance;
    const int top = B.triangle ? B.support(-best.owner->face_normal(best.face)).corner : 0;
    const bool is_possible = best.owner == &B || is_normal_allowed(B, {&top, 1}, -best.owner->face_normal(best.face));
    // They overlap, but the deepest point is beside the face (a rim is cut as a polygon): nobody else would hold it.
    const double deepest = best.separation - radii, least = kTouch * scale;
    const bool is_cut_off = deepest < -least && nearest > deepest + least && !B.triangle;
    if (is_whole && is_shallow && is_possible && !is_cut_off) return;
    if (is_whole && !B.triangle) {  // deep: another direction may lead out sooner, or separate
      Separation depth = find_distance(A, B);
      if (!depth.is_found) depth = find_depth(A, B);
      if (!depth.is_found) return;
      const bool is_better = depth.distance > best.separation + (is_open ? tolerance : touch);
      if (!is_better && !(is_cut_off && depth.distance - radii < nearest - least)) return;
      if (is_better) out.resize(first);
      add_nearest_pair(A, B, depth, margin, out);
      return;
    }
  }
  out.resize(first);
  Separation separation = find_distance(A, B);
  if (!separation.is_found) separation = find_depth(A, B);
  if (!separation.is_found) {  // two flat cores through each other: any direction across leads out
    const Vec3 between = A.centre - B.centre;
    separation.normal = between.norm() > 1e-12 * scale ? Vec3(between.normalized()) : Vec3::UnitZ();
    if (A.is_segment()) {
      const Vec3 along = A.corners[1] - A.corners[0];
      Vec3 across = B.is_segment() ? Vec3(along.cross(B.corners[1] - B.corners[0])) : Vec3(along.unitOrthogonal());
      if (across.norm() < 1e-6 * along.norm() * scale) across = along.unitOrthogonal();
      separation.normal = (across.dot(between) < 0 ? -across : across).normalized();
    }
    if (B.triangle) separation.normal = B.face_normals[0];
    const SupportPoint a = A.support(-separation.normal), b = B.support(separation.normal);
    separation.point_a = a.x, separation.point_b = b.x;
    separation.distance = separation.normal.dot(a.x - b.x);
    separation.count = 1;
    separation.corners_a[0] = a.corner, separation.corners_b[0] = b.corner;
  }
  if (!add_nearest_pair(A, B, separation, margin, out) && B.triangle) add_pairs_at(B, 0);
}

void NarrowPhase::collide(const ConvexView& A, const FlatFace& half_space, double margin,
                          std::vector<FeaturePair>& out) {
  add_face_pairs(A, half_space, true, margin, out);
}

void NarrowPhase::add_face_pairs(const ConvexView& incident, const FlatFace& face, bool face_is_b, double margin,
                                 std::vector<FeaturePair>& out) {
  const std::size_t first = out.size();
  switch (incident.kind) {
    case ConvexView::Kind::Polytope:
      add_polytope_pairs(incident, face, face_is_b, margin, out);
      break;
    case ConvexView::Kind::Cylinder:
    case ConvexView::Kind::Cone:
      add_revolved_pairs(incident, face, face_is_b, margin, out);
      break;
    case ConvexView::Kind::Ellipsoid: {
      const Vec3 x = incident.support(-face.normal).x;
      const double gap = face.normal.dot(x - face.point);
      if (gap >= margin || !is_over(face, 1e-9 * incident.size, x)) break;
      const Pose X_CS = incident.X_WC.inverse() * incident.X_WS;
      const Feature surface =
          make_surface(X_CS.p, X_CS.q, incident.dimensions, -(incident.X_WC.q.conjugate() * face.normal));
      add_pair(surface, make_code(CodeKind::Surface), face, x, gap, face_is_b, out);
      break;
    }
  }
  keep_well_spread(first, kMostPairs, out);
}

void NarrowPhase::add_polytope_pairs(const ConvexView& incident, const FlatFace& face, bool face_is_b, double margin,
                                     std::vector<FeaturePair>& out) {
  const Pose X_CW = incident.X_WC.inverse();
  const double beside = 1e-9 * (incident.size + incident.radius);
  const auto add = [&](const Vec3& x, std::uint64_t code) {
    const double gap = face.normal.dot(x - face.point) - incident.radius;
    if (gap < margin) add_pair(make_point(X_CW * x, incident.radius), code, face, x, gap, face_is_b, out);
  };
  const int corner_count = static_cast<int>(incident.corners.size());
  if (incident.is_segment() && !face.border.empty()) {
    const Vec3 &x = incident.corners[0], &y = incident.corners[1];
    SegmentClip cut;
    if (!clip_segment(face.border, face.normal, beside, x, y, cut)) return;
    const auto code = [&](int end, int side) {
      return side < 0 ? corner_code(incident, end)
                      : make_code(CodeKind::Cut, static_cast<std::uint64_t>(end), static_cast<std::uint64_t>(side));
    };
    if (!is_internal(face, cut.begin_side)) add(x + cut.begin * (y - x), code(0, cut.begin_side));
    if (!is_internal(face, cut.end_side)) add(x + cut.end * (y - x), code(1, cut.end_side));
    return;
  }
  std::span<const int> cut_face;
  if (!face.border.empty() && incident.topology->face_count() > 0) {
    int lowest = 0;
    for (int f = 1; f < incident.topology->face_count(); ++f)
      if (incident.face_normals[f].dot(face.normal) < incident.face_normals[lowest].dot(face.normal)) lowest = f;
    cut_face = incident.topology->face(lowest);
    clip_.corners.clear();
    const int n = static_cast<int>(cut_face.size());
    for (int i = 0; i < n; ++i) clip_.corners.push_back({incident.corners[cut_face[i]], (i + n - 1) % n, i});
    clip_polygon(face.border, face.normal, beside, clip_);
    for (const ClipCorner& corner : clip_.corners) {
      if (corner.edge_in < kClipEdge && corner.edge_out < kClipEdge) {
        add(corner.x, corner_code(incident, cut_face[corner.edge_out]));
        continue;
      }
      if (corner.edge_in >= kClipEdge && is_internal(face, corner.edge_in - kClipEdge)) continue;
      if (corner.edge_out >= kClipEdge && is_internal(face, corner.edge_out - kClipEdge)) continue;
      const auto [low, high] = std::minmax(corner.edge_in, corner.edge_out);
      const auto of_face = static_cast<std::uint64_t>(lowest) << 24;  // edges are numbered within the face
      add(corner.x,
          make_code(CodeKind::Cut, static_cast<std::uint64_t>(low) | of_face, static_cast<std::uint64_t>(high)));
    }
  }
  for (int i = 0; i < corner_count; ++i) {  // corners of other faces that may come down during the step
    if (std::find(cut_face.begin(), cut_face.end(), i) != cut_face.end()) continue;
    if (is_over(face, beside, incident.corners[i])) add(incident.corners[i], corner_code(incident, i));
  }
}

// Lying: the lowest line of the side, from rim to rim (cylinder) or rim to apex (cone), each end a circle about the axis. Standing: points of
// the rim, the lowest one first.
void NarrowPhase::add_revolved_pairs(const ConvexView& incident, const FlatFace& face, bool face_is_b, double margin,
                                     std::vector<FeaturePair>& out) {
  const bool is_cone = incident.kind == ConvexView::Kind::Cone;
  const Pose X_CW = incident.X_WC.inverse();
  const Vec3 u = incident.axis(), n = face.normal;
  const double R = incident.dimensions.x(), beside = 1e-9 * incident.size;
  const Vec3 across = n - n.dot(u) * u;
  const double sine = across.norm();
  const bool is_flat_down = !is_cone || n.dot(u) > 0;
  if (is_flat_down && (sine < kStandingSine || 2 * R * sine < margin)) {
    const Vec3 centre =
        is_cone ? incident.X_WS.p : Vec3(incident.X_WS.p - (n.dot(u) > 0 ? 1 : -1) * incident.dimensions.z() * u);
    const Vec3 low = sine > 1e-9 ? Vec3(-across / sine) : Vec3(incident.X_WS.q * Vec3::UnitX()), side = u.cross(low);
    const int corners = face.border.empty() ? 4 : kRimCorners;
    clip_.corners.clear();
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * std::numbers::pi * i / corners;
      clip_.corners.push_back(
          {centre + R * (std::cos(angle) * low + std::sin(angle) * side), (i + corners - 1) % corners, i});
    }
    if (n.dot(u) < 0) std::reverse(clip_.corners.begin() + 1, clip_.corners.end());
    for (int i = 0; i < corners; ++i)
      clip_.corners[i].edge_in = (i + corners - 1) % corners, clip_.corners[i].edge_out = i;
    if (!face.border.empty()) clip_polygon(face.border, n, beside, clip_);
    const bool is_uncut = std::ssize(clip_.corners) == corners &&
                          std::all_of(clip_.corners.begin(), clip_.corners.end(), [](const ClipCorner& c) {
                            return c.edge_in < kClipEdge && c.edge_out < kClipEdge;
                          });
    const std::uint64_t lower = n.dot(u) > 0 ? 0 : 1;
    for (std::size_t i = 0; i < clip_.corners.size(); ++i) {
      const ClipCorner& corner = clip_.corners[i];
      if (is_uncut && i % (corners / 4) != 0) continue;  // four corners carry a whole cap
      const double gap = n.dot(corner.x - face.point);
      const bool is_cut = corner.edge_in >= kClipEdge || corner.edge_out >= kClipEdge;
      if (corner.edge_in >= kClipEdge && is_internal(face, corner.edge_in - kClipEdge)) continue;
      if (corner.edge_out >= kClipEdge && is_internal(face, corner.edge_out - kClipEdge)) continue;
      const std::uint64_t code = is_cut ? make_code(CodeKind::Cut, lower << 24 | corner.edge_in, corner.edge_out)
                                        : make_code(CodeKind::Rim, 2 + lower, corner.edge_out);
      if (gap < margin) add_pair(make_point(X_CW * corner.x), code, face, corner.x, gap, face_is_b, out);
    }
    return;
  }
  const Vec3 m = sine > 0 ? Vec3(across / sine) : Vec3::Zero();
  const double begin = is_cone ? 0 : -incident.dimensions.z(), end = incident.dimensions.z();
  const auto radius_at = [&](double t) { return is_cone ? R * (1 - t) : R; };
  const auto centre_at = [&](double t) { return Vec3(incident.X_WS.p + (begin + t * (end - begin)) * u); };
  const auto lowest_at = [&](double t) { return Vec3(centre_at(t) - radius_at(t) * m); };
  SegmentClip cut;
  if (!face.border.empty() && !clip_segment(face.border, n, beside, lowest_at(0), lowest_at(1), cut)) return;
  for (int i = 0; i < 2; ++i) {
    const double t = i == 0 ? cut.begin : cut.end;
    const int cut_by = i == 0 ? cut.begin_side : cut.end_side;
    const Vec3 x = lowest_at(t);
    const double gap = n.dot(x - face.point);
    if (gap >= margin || is_internal(face, cut_by)) continue;
    const auto end_number = static_cast<std::uint64_t>(i);
    const std::uint64_t code = cut_by < 0 ? make_code(CodeKind::Rim, end_number)
                                          : make_code(CodeKind::Cut, end_number, static_cast<std::uint64_t>(cut_by));
    const bool is_apex = is_cone && t == 1;
    add_pair(is_apex ? make_point(X_CW * x) : make_circle(X_CW * centre_at(t), X_CW.rotate(u), radius_at(t)), code,
             face, x, gap, face_is_b, out);
  }
}

// Of more than `most` pairs: the nearest, then one after the other the one farthest from those already chosen.
void NarrowPhase::keep_well_spread(std::size_t first, std::size_t most, std::vector<FeaturePair>& out) {
  if (out.size() - first <= most) return;
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
  std::iter_swap(begin, std::min_element(begin, out.end(), [](const auto& p, const auto& q) { return p.gap < q.gap; }));
  for (std::size_t chosen = 1; chosen < most; ++chosen) {
    const auto distance = [&](const FeaturePair& p) {
      double least = 1e300;
      for (std::size_t i = 0; i < chosen; ++i) least = std::min(least, (out[first + i].x - p.x).squaredNorm());
      return least;
    };
    auto best = begin + static_cast<std::ptrdiff_t>(chosen);
    for (auto p = best + 1; p != out.end(); ++p)
      if (distance(*p) > distance(*best)) best = p;
    std::iter_swap(begin + static_cast<std::ptrdiff_t>(chosen), best);
  }
  out.resize(first + most);
}

}  // namespace sinew
