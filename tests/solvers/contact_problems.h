// Reads tests/solvers/contact_problems.txt, which tests/oracles/make_contact_problems.py wrote and explains: bodies that touch, and Siconos' solution.
#pragma once

#include <Eigen/Dense>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sinew/solvers/contact_space.h"

namespace sinew::test {

struct SolvedContacts {
  struct TouchingBody {
    double mass = 0;
    Vec3 inertia, x, v, omega;
  };
  struct Place {
    int a = 0, b = -1;
    Vec3 x;
    Mat3 frame;  // columns: normal from b to a, tangents
    double friction = 0, rolling = 0;
  };
  using BodyRows = Eigen::Matrix<double, Eigen::Dynamic, 6>;

  std::string name;
  std::vector<TouchingBody> bodies;
  std::vector<Place> places;
  bool velocities_are_unique = false, impulses_are_unique = false;
  VecX impulse, velocity;  // by contacts: normal, two tangents[, two of rolling]
  int rows = 3;            // of a contact
  Eigen::MatrixXd W;
  VecX free_velocity;

  bool has_rolling() const { return rows == 5; }

  /// The rows of a contact by (v, ω) of one of its bodies, in world axes.
  BodyRows rows_of(const Place& place, int body) const {
    BodyRows J = BodyRows::Zero(rows, 6);
    const double sign = body == place.a ? 1 : -1;
    const Vec3 arm = place.x - bodies[static_cast<std::size_t>(body)].x;
    for (int r = 0; r < 3; ++r) {
      J.row(r).head<3>() = sign * place.frame.col(r);
      J.row(r).tail<3>() = sign * arm.cross(Vec3(place.frame.col(r)));
    }
    for (int r = 3; r < rows; ++r) J.row(r).tail<3>() = sign * place.frame.col(r - 2);
    return J;
  }
  /// Contacts of three rows as the solvers of this folder take them.
  ContactSpace space() const {
    ContactSpace space;
    space.W = W;
    space.free_velocity = free_velocity;
    space.friction.resize(static_cast<Eigen::Index>(places.size()));
    for (std::size_t i = 0; i < places.size(); ++i) space.friction[static_cast<Eigen::Index>(i)] = places[i].friction;
    return space;
  }
  void assemble() {
    const auto contacts = static_cast<Eigen::Index>(places.size()), count = static_cast<Eigen::Index>(bodies.size());
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rows * contacts, 6 * count);
    VecX inverse_mass(6 * count), v(6 * count);
    for (Eigen::Index b = 0; b < count; ++b) {
      const TouchingBody& body = bodies[static_cast<std::size_t>(b)];
      inverse_mass.segment<3>(6 * b).setConstant(1 / body.mass);
      inverse_mass.segment<3>(6 * b + 3) = body.inertia.cwiseInverse();
      v.segment<3>(6 * b) = body.v;
      v.segment<3>(6 * b + 3) = body.omega;
    }
    for (Eigen::Index i = 0; i < contacts; ++i) {
      const Place& place = places[static_cast<std::size_t>(i)];
      for (const int body : {place.a, place.b})
        if (body >= 0) J.block(rows * i, 6 * body, rows, 6) = rows_of(place, body);
    }
    W = J * inverse_mass.asDiagonal() * J.transpose();
    free_velocity = J * v;
  }
};

inline std::vector<SolvedContacts> read_contact_problems() {
  std::ifstream file(std::string(SINEW_SOURCE_DIR) + "/tests/solvers/contact_problems.txt");
  std::vector<SolvedContacts> problems;
  const auto vector = [&](int size) {
    VecX x(size);
    for (double& value : x) file >> value;
    return x;
  };
  for (std::string word; file >> word;) {
    SolvedContacts p;
    std::size_t bodies = 0, contacts = 0;
    file >> p.name >> bodies >> contacts;
    for (std::size_t b = 0; b < bodies; ++b) {
      SolvedContacts::TouchingBody body;
      file >> body.mass;
      body.inertia = vector(3), body.x = vector(3), body.v = vector(3), body.omega = vector(3);
      p.bodies.push_back(body);
    }
    for (std::size_t c = 0; c < contacts; ++c) {
      SolvedContacts::Place place;
      file >> place.a >> place.b;
      place.x = vector(3);
      const VecX q = vector(4).normalized();
      place.frame = Quat(q[0], q[1], q[2], q[3]).toRotationMatrix();
      file >> place.friction >> place.rolling;
      if (place.rolling > 0) p.rows = 5;
      p.places.push_back(place);
    }
    file >> word >> p.velocities_are_unique >> p.impulses_are_unique;
    p.impulse = vector(p.rows * static_cast<int>(contacts));
    p.velocity = vector(p.rows * static_cast<int>(contacts));
    p.assemble();
    problems.push_back(std::move(p));
  }
  return problems;
}

}  // namespace sinew::test
