// What the web viewer reads (docs/viewer_stream.md): a header that says who is in it, then blocks of frames. Made from a recording, or frame
// by frame from a running simulation. Bodies and columns come from recordings; contacts and soft meshes
// are channels of the same stream.
//
// Errors by quantisation: body positions half of position_quantum() per axis, rotations 6.2e-5 rad, soft vertices half a step of
// their box per axis, columns as 32-bit floats, times exact.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/io/recording.h"
#include "sinew/io/viewer_members.h"
#include "sinew/model/model.h"

namespace sinew {

inline constexpr int kViewerStreamVersion = 1;
inline constexpr std::string_view kViewerStreamMagic = "SNWVIEW\x01";

struct ViewerContact {
  std::array<float, 3> position{};  // m, world
  std::array<float, 3> normal{};    // unit, from body_a to body_b
  std::array<float, 3> force{};     // N, world, on body_b
  float gap = 0;                    // m; negative: penetration
  std::int32_t body_a = -1;         // index, -1: world
  std::int32_t body_b = -1;
};

/// Body a of the recording is body b of the viewer: its force is drawn, along the normal.
ViewerContact to_viewer_contact(const RecordedContact& contact);

/// A scalar that colours: strain, speed.
struct ViewerField {
  std::string name, unit;
  double lowest = 0, highest = 1;  // ends of the colour bar
};

/// A surface whose vertices move, with scalar fields on its vertices.
struct ViewerSoftMesh {
  std::string name;
  std::vector<std::array<int, 3>> triangles;
  std::vector<float> rest;               // 3 numbers per vertex, m, world
  std::array<double, 3> lower{0, 0, 0};  // corners of a box around all frames; a vertex beyond is held at its side
  std::array<double, 3> upper{1, 1, 1};
  std::vector<ViewerField> fields;
};

struct ViewerLayout {
  RecordingHeader header;
  std::optional<Model> model;         // if known: joint frames, axes and inertias are shown
  VecX joint_q;                       // coordinates at the start, if known: members of joints stand there
  std::vector<std::string> steppers;  // live: what may be chosen
  std::vector<std::string> inputs;    // live: names of what may be set between 0 and 1, as activations of muscles
  double scene_dt = 0;                // s, live: of the scene as it was written
  bool is_live = false;
  bool is_truncated = false;
  bool has_contacts = false;
  std::vector<ViewerSoftMesh> soft_meshes;
  double largest_coordinate = 0;  // m, of any body in any frame, if known
};

struct ViewerFrame {
  double time = 0;
  std::span<const double> poses;                  // bodies × kPoseSize
  std::span<const double> probes, ledger, paths;  // one per column
  std::span<const ViewerContact> contacts;
  std::vector<std::span<const float>> vertices;             // per soft mesh, 3 numbers per vertex, m, world
  std::vector<std::vector<std::span<const float>>> fields;  // per soft mesh, per field, per vertex
};

class ViewerEncoder {
 public:
  explicit ViewerEncoder(ViewerLayout layout);

  double position_quantum() const { return quantum_; }  // m

  /// Magic, header and meshes: what a reader must have before any frame.
  std::string make_opening() const;

  void add_frame(const ViewerFrame& frame);
  int gathered() const { return static_cast<int>(times_.size()); }
  /// The frames gathered since the last call as one record that needs no other block; `first_frame` is the number of its first.
  std::string take_block(std::uint32_t first_frame, bool may_compress);

  static std::string make_event(const RecordingEvent& event);

 private:
  std::string encode_bodies();
  std::string encode_columns(const std::vector<double>& columns) const;
  std::string encode_contacts() const;
  void add_soft_mesh(std::size_t mesh, const ViewerFrame& frame);
  std::string encode_soft_mesh(std::size_t mesh) const;

  ViewerLayout layout_;
  double quantum_;
  std::vector<double> times_;
  MemberCoordinates members_;
  std::vector<double> poses_, columns_, coordinates_;  // frame by frame
  std::vector<std::vector<ViewerContact>> contacts_;
  std::vector<std::vector<std::int32_t>> soft_;  // per mesh: frame by frame, vertices then fields, quantised
};

/// The whole recording as a stream.
std::string encode_viewer_stream(const Recording& recording);

}  // namespace sinew
