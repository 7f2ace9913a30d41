// What Bullet (its double-precision build) says of two convex solids: GJK and EPA, and the points of its contact manifold.
#pragma once

#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <btBulletCollisionCommon.h>
#include <memory>
#include <optional>

#include "convex_solid.h"

namespace oracle {

/// Bullet has no ellipsoid, but takes any support function.
class BulletEllipsoid : public btConvexInternalShape {
 public:
  explicit BulletEllipsoid(const btVector3& radii) : radii_(radii) {
    m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
    setMargin(0);
  }
  btVector3 localGetSupportingVertexWithoutMargin(const btVector3& d) const override {
    const btVector3 scaled = radii_ * d;
    const btScalar length = scaled.length();
    return length > 0 ? radii_ * scaled / length : btVector3(radii_.x(), 0, 0);
  }
  void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* in, btVector3* out, int n) const override {
    for (int i = 0; i < n; ++i) out[i] = localGetSupportingVertexWithoutMargin(in[i]);
  }
  void calculateLocalInertia(btScalar, btVector3& inertia) const override { inertia.setZero(); }
  const char* getName() const override { return "ellipsoid"; }

 private:
  btVector3 radii_;
};

/// The shape and its pose; a cone of Bullet has its origin at half height.
struct BulletSolid {
  std::unique_ptr<btConvexShape> shape;
  btTransform pose;

  explicit BulletSolid(const Solid& s) {
    const auto& d = s.size;
    const btVector3 half(d[0] / 2, d[1] / 2, d[2] / 2);
    const auto point = [](const auto& x) { return btVector3(x[0], x[1], x[2]); };
    double lift = 0;
    switch (s.kind) {
      case Kind::Box: {
        auto box = std::make_unique<btBoxShape>(half);
        box->setMargin(0);
        box->initializePolyhedralFeatures();
        shape = std::move(box);
        break;
      }
      case Kind::Sphere:
        shape = std::make_unique<btSphereShape>(d[0]);
        break;
      case Kind::Capsule:
        shape = std::make_unique<btCapsuleShapeZ>(d[0], d[1]);
        break;
      case Kind::Cylinder:
        shape = std::make_unique<btCylinderShapeZ>(btVector3(d[0], d[0], d[1] / 2));
        break;
      case Kind::Cone:
        shape = std::make_unique<btConeShapeZ>(d[0], d[1]), lift = d[1] / 2;
        break;
      case Kind::Ellipsoid:
        shape = std::make_unique<BulletEllipsoid>(point(d));
        break;
      case Kind::Convex: {
        auto hull = std::make_unique<btConvexHullShape>();
        for (const auto& x : s.points) hull->addPoint(point(x), false);
        hull->recalcLocalAabb();
        hull->setMargin(0);
        hull->initializePolyhedralFeatures();
        shape = std::move(hull);
      }
    }
    if (s.radius() == 0) shape->setMargin(0);
    const auto q = s.rotation();
    pose.setRotation({double(q.x()), double(q.y()), double(q.z()), double(q.w())});
    pose.setOrigin(pose.getBasis() * btVector3(0, 0, lift) + btVector3(s.p[0], s.p[1], s.p[2]));
  }
};

struct BulletSeparation {
  bool is_found = false;
  double distance = 0;
};

/// Distance of the cores by GJK, minus radii; else depth by EPA.
inline BulletSeparation find_bullet_separation(const Solid& a, const Solid& b) {
  const BulletSolid A(a), B(b);
  const btVector3 guess = A.pose.getOrigin() - B.pose.getOrigin();
  btGjkEpaSolver2::sResults results;
  if (btGjkEpaSolver2::Distance(A.shape.get(), A.pose, B.shape.get(), B.pose, guess, results))
    return {true, results.distance - a.radius() - b.radius()};
  if (btGjkEpaSolver2::Penetration(A.shape.get(), A.pose, B.shape.get(), B.pose, guess, results))
    return {true, results.distance};
  return {};
}

/// Contact points on b after one pass of collision detection.
inline std::vector<btVector3> find_bullet_manifold(const Solid& a, const Solid& b) {
  const BulletSolid A(a), B(b);
  btDefaultCollisionConfiguration configuration;
  configuration.setConvexConvexMultipointIterations();  // turns a little to find more points at once
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btCollisionWorld world(&dispatcher, &broadphase, &configuration);
  world.getDispatchInfo().m_enableSatConvex = true;  // faces are clipped, as for boxes
  btCollisionObject object_a, object_b;
  object_a.setCollisionShape(A.shape.get());
  object_b.setCollisionShape(B.shape.get());
  object_a.setWorldTransform(A.pose);
  object_b.setWorldTransform(B.pose);
  world.addCollisionObject(&object_a);
  world.addCollisionObject(&object_b);
  world.performDiscreteCollisionDetection();
  std::vector<btVector3> points;
  for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
    const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
    for (int i = 0; i < manifold.getNumContacts(); ++i)
      points.push_back(manifold.getContactPoint(i).getPositionWorldOnB());
  }
  world.removeCollisionObject(&object_a);
  world.removeCollisionObject(&object_b);
  return points;
}

}  // namespace oracle
