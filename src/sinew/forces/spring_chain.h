// Springs and dampers in series, straight from point to point of bodies: what a strand is cut into. Its constants are per strain, so that
// they do not depend on how many segments there are.
//   T_k = K ε_k + D ε̇_k,   ε_k = l_k/h − 1,   h = L/n,   V = Σ h K/2 ε_k²                 [Sueda, (1.65)] with its sign mended
// Bending is the second difference of the points. By the parallelogram law it is a sum over lengths, c_i = |x_{i+1} − x_{i−1}|:
//   V = Σ B/(2h³) |x_{i−1} − 2x_i + x_{i+1}|² = Σ B/(2h³) (2 l_i² + 2 l_{i+1}² − c_i²)  =  Σ 2B/h sin²(θ_i/2)  where all l = h
// with θ_i the angle between segments: B κ²/2 per length. A straight chain, however stretched, has none.
#pragma once

#include <vector>

#include "sinew/core/fields.h"
#include "sinew/forces/path.h"

namespace sinew {

class SpringChain final : public CoordinateForce {
 public:
  static constexpr std::string_view kName = "chain";
  static constexpr std::string_view kDoc = "springs and dampers in series, straight from point to point of bodies";

  std::string label;
  std::vector<PathPoint> points;
  double stiffness = 0, damping = 0, bending = 0, length = 0;

  template <class Self, class Visitor>
  static void visit_fields(Self& self, Visitor& visit) {
    visit(optional("name", "", "name in the ledger; `chain` if not given"), self.label);
    visit(required("points", "", "points it joins, at least two; neighbours on different bodies"), self.points);
    visit(required("length", "m", "length without force, the same part of it for each segment").above(0), self.length);
    visit(required("stiffness", "N", "tension per strain").at_least(0), self.stiffness);
    visit(optional("damping", "N s", "tension per rate of strain").at_least(0), self.damping);
    visit(optional("bending", "N m^2", "moment per curvature").at_least(0), self.bending);
  }

  int segment_count() const { return static_cast<int>(points.size()) - 1; }
  double segment_length() const { return length / segment_count(); }
  /// Tension (N) of a segment of this length (m) that grows at this rate (m/s).
  double tension(double l, double rate) const {
    const double h = segment_length();
    return stiffness * (l / h - 1) + damping * rate / h;
  }

  std::string name() const override { return label.empty() ? std::string(kName) : label; }
  void bind(const Model& model) override;
  /// The lengths of the segments, then those across every second point if it resists bending.
  int coordinate_count() const override { return static_cast<int>(paths_.size()); }
  std::span<const int> bodies(int i) const override { return path(i).bodies(); }
  double coordinate(int i, std::span<const BodyPlace> places, double, std::span<Row> gradient) const override {
    return path(i).length(places, gradient);
  }
  bool compute_curvature(int i, std::span<const BodyPlace> places, std::span<Mat6> out) const override {
    path(i).compute_curvature(places, out);
    return true;
  }
  Effort effort(int i, double c, double rate, const Moment& moment) const override;
  double energy(int i, double c) const override;
  bool is_conservative() const override { return damping == 0; }
  std::unique_ptr<Force> clone() const override { return std::make_unique<SpringChain>(*this); }

 private:
  const Path& path(int i) const { return paths_[static_cast<std::size_t>(i)]; }
  bool is_segment(int i) const { return i < segment_count(); }
  /// ∂²V/∂c² of the bending energy.
  double bending_stiffness(int i) const;

  std::vector<Path> paths_;
};

}  // namespace sinew
