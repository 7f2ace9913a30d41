// The viewer stream read back by the rules of docs/viewer_stream.md: errors stay within what the page promises, whatever was recorded.
#include "sinew/io/viewer_stream.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <zstd.h>

#include "io/recording_example.h"

#include "sinew/core/error.h"
#include "sinew/io/recording_reader.h"
#include "sinew/io/viewer_codec.h"

namespace sinew {
namespace {

constexpr double kRotationBound = 6.2e-5;  // rad

struct Block {
  std::uint32_t first = 0, frames = 0;
  std::map<std::uint32_t, std::string> channels;
};

template <class T>
T number_at(std::string_view bytes, std::size_t place) {
  T value;
  std::memcpy(&value, bytes.data() + place, sizeof(T));
  return value;
}

std::vector<std::uint32_t> words_of(std::string_view bytes, std::size_t start, std::size_t n) {
  std::vector<std::uint32_t> words(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t plane = 0; plane < 4; ++plane)
      words[i] |= std::uint32_t{static_cast<unsigned char>(bytes.at(start + plane * n + i))} << (8 * plane);
  }
  return words;
}

float to_float(std::uint32_t word) { return std::bit_cast<float>(word); }

// Undoes prediction: n quantities over `frames` frames each; result[quantity][frame].
std::vector<std::vector<std::int64_t>> integers_of(std::string_view bytes, std::size_t n, std::size_t frames) {
  const std::vector<std::uint32_t> words = words_of(bytes, 0, n * frames);
  std::vector<std::vector<std::int64_t>> values(n, std::vector<std::int64_t>(frames));
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::uint32_t> x(frames);
    for (std::size_t k = 0; k < frames; ++k) {
      const std::uint32_t z = words[i * frames + k];
      const std::uint32_t residual = z % 2 == 0 ? z / 2 : ~(z / 2);
      x[k] = residual + (k == 0 ? 0U : k == 1 ? x[0] : 2 * x[k - 1] - x[k - 2]);
      values[i][k] = static_cast<std::int32_t>(x[k]);
    }
  }
  return values;
}

struct Decoded {
  nlohmann::json header;
  std::vector<std::string> meshes;
  std::vector<Block> blocks;
  std::vector<nlohmann::json> events;
  std::size_t frames() const { return blocks.empty() ? 0 : blocks.back().first + blocks.back().frames; }
};

Decoded decode(std::string_view bytes) {
  Decoded out;
  EXPECT_EQ(bytes.substr(0, 8), kViewerStreamMagic);
  for (std::size_t at = 8; at < bytes.size();) {
    const int type = bytes[at];
    const bool is_compressed = (bytes[at + 1] & 1) != 0;
    const auto length = number_at<std::uint32_t>(bytes, at + 4);
    std::string payload(bytes.substr(at + 12, length));
    if (is_compressed) {
      std::string whole(number_at<std::uint32_t>(payload, 0), '\0');
      EXPECT_EQ(ZSTD_decompress(whole.data(), whole.size(), payload.data() + 4, payload.size() - 4), whole.size());
      payload = whole;
    }
    if (type == 1) out.header = nlohmann::json::parse(payload);
    if (type == 2) out.meshes.push_back(payload);
    if (type == 4) out.events.push_back(nlohmann::json::parse(payload));
    if (type == 3) {
      Block block{number_at<std::uint32_t>(payload, 0), number_at<std::uint32_t>(payload, 4), {}};
      for (std::size_t c = 8; c < payload.size();) {
        const auto size = number_at<std::uint32_t>(payload, c + 4);
        block.channels[number_at<std::uint32_t>(payload, c)] = payload.substr(c + 8, size);
        c += 8 + size;
      }
      out.blocks.push_back(std::move(block));
    }
    at += 12 + length;
  }
  return out;
}

Recording random_recording(std::size_t frames, double reach) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  Recording recording;
  recording.header = example::make_header();
  for (std::size_t k = 0; k < frames; ++k) {
    recording.times.push_back(0.1 * static_cast<double>(k) + 1e-3 * normal(random));
    for (int i = 0; i < 2; ++i) {
      for (int axis = 0; axis < 3; ++axis) recording.poses.push_back(reach * normal(random));
      Eigen::Vector4d q(normal(random), normal(random), normal(random), normal(random));
      q.normalize();
      recording.poses.insert(recording.poses.end(), {q[0], q[1], q[2], q[3]});
    }
    for (int c = 0; c < 2; ++c) recording.probes.push_back(std::exp(20 * normal(random)));
    for (int c = 0; c < 3; ++c) recording.ledger.push_back(-1e-12 * normal(random));
  }
  return recording;
}

class ViewerStreamReach : public testing::TestWithParam<double> {};

TEST_P(ViewerStreamReach, KeepsPosesTimesAndColumnsWithinTheirBounds) {
  const Recording recording = random_recording(150, GetParam());
  const Decoded decoded = decode(encode_viewer_stream(recording));
  ASSERT_EQ(decoded.frames(), 150U);
  const double quantum = decoded.header.at("position_quantum");
  double largest = 0;
  for (std::size_t k = 0; k < 150; ++k) {
    for (std::size_t i = 0; i < 2; ++i) {
      for (const double x : recording.pose(k, i).first(3)) largest = std::max(largest, std::abs(x));
    }
  }
  EXPECT_LE(quantum, std::max(0.1 / 4096, largest / (1 << 30)));  // 0.1 m is the smallest shape
  for (const Block& block : decoded.blocks) {
    const auto n = integers_of(block.channels.at(1), 14, block.frames);
    const auto columns = words_of(block.channels.at(2), 0, 5 * std::size_t{block.frames});
    for (std::size_t k = 0; k < block.frames; ++k) {
      const std::size_t frame = block.first + k;
      EXPECT_EQ(number_at<double>(block.channels.at(0), 8 * k), recording.times[frame]);
      for (std::size_t i = 0; i < 2; ++i) {
        const auto pose = recording.pose(frame, i);
        Eigen::Vector4d q;
        for (std::size_t c = 0; c < 3; ++c)
          EXPECT_LE(std::abs(static_cast<double>(n[7 * i + c][k]) * quantum - pose[c]), 0.5000001 * quantum);
        for (std::size_t c = 0; c < 4; ++c) q[static_cast<int>(c)] = static_cast<double>(n[7 * i + 3 + c][k]);
        q.normalize();
        const Eigen::Vector4d q0(pose[3], pose[4], pose[5], pose[6]);
        const double sine = std::min((q - q0).norm(), (q + q0).norm()) / 2;
        EXPECT_LE(4 * std::asin(sine), kRotationBound);
      }
      for (std::size_t c = 0; c < 5; ++c) {
        const double exact = c < 2 ? recording.probes[2 * frame + c] : recording.ledger[3 * frame + c - 2];
        EXPECT_EQ(to_float(columns[c * block.frames + k]), static_cast<float>(exact));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Reaches, ViewerStreamReach, testing::Values(1e-3, 1.0, 5e3, 1e7));

TEST(ViewerStream, HasEveryFrameOfARecordingThatWasCutOff) {
  const example::TemporaryFile file("cut.mcap");
  const RecordingHeader header = example::make_header();
  {
    RecordingOptions options;
    options.chunk_bytes = 2000;
    RecordingWriter writer(file.path(), header, options);
    for (std::size_t k = 0; k < 200; ++k) example::write_frame(writer, header, k);
    writer.close();
  }
  const std::string whole = example::read_bytes(file.path());
  std::size_t fewest = 200, most = 0;
  for (std::size_t size = whole.size() / 4; size < whole.size() - 1; size += 997) {
    example::write_bytes(file.path(), std::string_view(whole).substr(0, size));
    const Recording recording = read_recording(file.path());
    const Decoded decoded = decode(encode_viewer_stream(recording));
    EXPECT_EQ(decoded.header.at("truncated"), recording.is_truncated);
    EXPECT_EQ(decoded.frames(), recording.frames());
    fewest = std::min(fewest, decoded.frames()), most = std::max(most, decoded.frames());
  }
  EXPECT_LT(fewest, 100U);
  EXPECT_GE(most, 190U);

  std::string damaged = whole;
  damaged[whole.size() / 3] = static_cast<char>(damaged[whole.size() / 3] ^ 0x55);
  example::write_bytes(file.path(), damaged);
  EXPECT_THROW(read_recording(file.path()), Error);
}

TEST(ViewerStream, SaysWhereJointsAreIfTheSceneCanBeRead) {
  Recording recording;
  recording.header.scene_name = "pendulum";
  recording.header.scene_text = R"(sinew: 1
bodies:
  - {name: rod, shape: {type: box, size: [0.2, 0.1, 1]}, mass: 12, position: [1, 2, 3]}
joints:
  - {name: hinge, type: revolute, child: rod, anchor: [1, 2, 3.5], axis: [0, 1, 0]}
)";
  recording.header.bodies = {{"rod", R"([{"type":"box","size":[0.2,0.1,1]}])", 12, {0, 0, 0}}};
  recording.header.joints = {{"hinge", "revolute", "world", "rod"}};
  recording.header.frame_interval = 0.1;
  const nlohmann::json header = decode(encode_viewer_stream(recording)).header;
  const nlohmann::json& joint = header.at("joints").at(0);
  EXPECT_EQ(joint.at("parent"), -1);
  EXPECT_EQ(joint.at("dof"), 1);
  const auto A = joint.at("frame_on_parent").get<std::vector<double>>();
  const auto B = joint.at("frame_on_child").get<std::vector<double>>();
  EXPECT_NEAR((Vec3(A[0], A[1], A[2]) - Vec3(1, 2, 3.5)).norm(), 0, 1e-12);
  EXPECT_NEAR((Vec3(B[0], B[1], B[2]) - Vec3(0, 0, 0.5)).norm(), 0, 1e-12);
  EXPECT_NEAR((Quat(A[3], A[4], A[5], A[6]) * Vec3::UnitZ() - Vec3::UnitY()).norm(), 0, 1e-12);
  EXPECT_NEAR(header.at("bodies").at(0).at("inertia").at(0).get<double>(), 1.0 + 0.01, 1e-12);  // m/12 (y² + z²)

  recording.header.scene_text = "not a scene";
  EXPECT_FALSE(decode(encode_viewer_stream(recording)).header.at("joints").at(0).contains("frame_on_child"));
}

Recording recording_of_one_joint(const std::string& type, const std::string& fields) {
  Recording recording;
  recording.header.scene_text =
      "sinew: 1\nassemble: true\nbodies: [{name: bead, shape: {type: sphere, radius: 0.1}, mass: 1}]\n"
      "joints: [{name: rail, type: " +
      type + ", child: bead, parent_frame: {position: [0, 0, 5]}, child_frame: {position: [0, 0, 0]}, " + fields +
      "}]\n";
  recording.header.bodies = {{"bead", "[]", 1, {}}};
  recording.header.joints = {{"rail", type, "world", "bead"}};
  return recording;
}

std::vector<Vec3> guide_points(const nlohmann::json& guide) {
  const auto numbers = guide.at("points").get<std::vector<double>>();
  std::vector<Vec3> points;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3)
    points.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
  return points;
}

// Uniform cubic B-splines reproduce straight lines and planes: control frames i along x give the point (q, 0, 0).
TEST(ViewerStream, DrawsTheRailOfASplineCurve) {
  const std::string open =
      "closed: false, frames: [{position: [0, 0, 0]}, {position: [1, 0, 0]}, {position: [2, 0, 0]}, {position: [3, 0, "
      "0]}]";
  const auto guide_of = [](const Recording& recording) {
    return decode(encode_viewer_stream(recording)).header.at("joints").at(0).at("guide");
  };
  const nlohmann::json line = guide_of(recording_of_one_joint("spline_curve", open));
  EXPECT_EQ(line.at("rows"), 1);
  const std::vector<Vec3> points = guide_points(line);
  ASSERT_EQ(line.at("columns").get<std::size_t>(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_NEAR((points[i] - Vec3(3.0 * static_cast<double>(i) / static_cast<double>(points.size() - 1), 0, 0)).norm(),
                0, 1e-12);

  const std::vector<Vec3> stopped =
      guide_points(guide_of(recording_of_one_joint("spline_curve", "lower: [-1], upper: [1.5], " + open)));
  EXPECT_NEAR((stopped.front() - Vec3(-1, 0, 0)).norm(), 0, 1e-12);  // straight on beyond its end
  EXPECT_NEAR((stopped.back() - Vec3(1.5, 0, 0)).norm(), 0, 1e-12);

  const std::string square =
      "frames: [{position: [1, 1, 0]}, {position: [-1, 1, 0]}, {position: [-1, -1, 0]}, {position: [1, -1, 0]}]";
  const std::vector<Vec3> ring = guide_points(guide_of(recording_of_one_joint("spline_curve", square)));
  EXPECT_NEAR((ring.front() - ring.back()).norm(), 0, 1e-12);
  EXPECT_NEAR((ring.front() - Vec3(2.0 / 3, 2.0 / 3, 0)).norm(), 0,
              1e-12);  // (1 4 1)/6 of its corner and its neighbours
}

TEST(ViewerStream, DrawsTheSurfaceOfASplineSurface) {
  std::string rows;
  for (int i = 0; i < 5; ++i) {
    rows += i == 0 ? "[" : ", [";
    for (int j = 0; j < 4; ++j)
      rows += (j == 0 ? "{position: [" : ", {position: [") + std::to_string(i) + ", " + std::to_string(2 * j) + ", 0]}";
    rows += "]";
  }
  const nlohmann::json guide =
      decode(encode_viewer_stream(recording_of_one_joint(
                 "spline_surface", "first_closed: false, second_closed: false, frames: [" + rows + "]")))
          .header.at("joints")
          .at(0)
          .at("guide");
  const auto n = guide.at("rows").get<std::size_t>(), m = guide.at("columns").get<std::size_t>();
  const std::vector<Vec3> points = guide_points(guide);
  ASSERT_EQ(points.size(), n * m);
  EXPECT_NEAR((points.front() - Vec3(0, 0, 0)).norm(), 0, 1e-12);
  EXPECT_NEAR((points[m - 1] - Vec3(0, 6, 0)).norm(), 0, 1e-12);
  EXPECT_NEAR((points.back() - Vec3(4, 6, 0)).norm(), 0, 1e-12);
}

// A hinge about z, 0.2 m out a slider along x, then a screw about y with 0.3 m a turn: where the bead is follows from drawing it.
TEST(ViewerStream, SaysWhereTheMembersOfACompositeJointStand) {
  const std::string chain =
      "joints: [{type: revolute}, {type: prismatic, axis: [1, 0, 0], position: [0.2, 0, 0]}, {type: helical, axis: [0, "
      "1, 0], pitch: 0.3}]";
  Recording recording = recording_of_one_joint("composite_3", chain);
  constexpr std::size_t kFrames = 150;
  const auto coordinates_at = [](std::size_t k) {
    const double t = static_cast<double>(k) / 10;
    return Vec3(0.6 * t, 0.5 + 0.3 * std::sin(t), 0.4 * std::sin(2 * t));  // nine radians on: more than a turn
  };
  for (std::size_t k = 0; k < kFrames; ++k) {
    const Vec3 q = coordinates_at(k);
    const Quat turn(Eigen::AngleAxisd(q[0], Vec3::UnitZ())), roll(Eigen::AngleAxisd(q[2], Vec3::UnitY()));
    const Vec3 p = Vec3(0, 0, 5) + turn * Vec3(0.2 + q[1], 0.3 * q[2] / (2 * std::numbers::pi), 0);
    const Quat r = turn * roll;
    recording.times.push_back(static_cast<double>(k) / 10);
    recording.poses.insert(recording.poses.end(), {p.x(), p.y(), p.z(), r.w(), r.x(), r.y(), r.z()});
  }
  const Decoded stream = decode(encode_viewer_stream(recording));
  const nlohmann::json members = stream.header.at("joints").at(0).at("members");
  ASSERT_EQ(members.size(), 3U);
  EXPECT_EQ(members.at(1).at("type"), "prismatic");
  EXPECT_EQ(members.at(1).at("frame"), nlohmann::json::parse("[0.2,0,0,1,0,0,0]"));
  for (const std::size_t i : {0UL, 1UL, 2UL})
    EXPECT_NEAR(members.at(1).at("axis").at(i).get<double>(), i == 0 ? 1 : 0, 1e-14);
  EXPECT_NEAR(members.at(2).at("pitch").get<double>(), 0.3, 1e-14);
  for (const Block& block : stream.blocks) {
    const std::string& bytes = block.channels.at(4);
    const std::vector<std::uint32_t> words = words_of(bytes, 0, 3UL * block.frames);
    ASSERT_EQ(bytes.size(), 12UL * block.frames);
    for (std::size_t k = 0; k < block.frames; ++k) {
      const Vec3 q = coordinates_at(block.first + k);
      for (std::size_t c = 0; c < 3; ++c)
        EXPECT_NEAR(to_float(words[c * block.frames + k]), q[static_cast<int>(c)], 1e-6) << block.first + k;
    }
  }
}

// Members of several degrees of freedom are their screws, fixed ones are frames, a rail is sampled.
TEST(ViewerStream, WritesTheScrewsOfTheMembersOfAChain) {
  const std::string chain =
      "joints: [{type: spline_curve, closed: false, frames: [{position: [0, 0, 0]}, {position: [1, 0, 0]}, {position: "
      "[2, 0, 0]}, "
      "{position: [3, 0, 0]}]}, {type: fixed, position: [0, 0, 1]}, {type: universal, axis: [0, 1, 0], second_axis: "
      "[1, 0, 0], "
      "position: [0, 2, 0]}, {type: fixed, position: [0, 0, -1]}]";
  Recording recording = recording_of_one_joint("composite_3", chain);
  recording.times = {0};
  recording.poses = {1.5, 2, 5, 1, 0, 0, 0};
  const Decoded stream = decode(encode_viewer_stream(recording));
  const nlohmann::json members = stream.header.at("joints").at(0).at("members");
  ASSERT_EQ(members.size(), 3U);
  EXPECT_EQ(members.at(0).at("type"), "spline_curve");
  const nlohmann::json along = members.at(0).at("along");
  EXPECT_EQ(along.at("columns"), 25);  // eight a span, and the last
  const auto poses = along.at("poses").get<std::vector<double>>();
  ASSERT_EQ(poses.size(), 7U * 25);
  EXPECT_NEAR(poses[7 * 12], 1.5, 1e-12);
  const auto expect_hinge = [](const nlohmann::json& member, const Vec3& at, const Vec3& axis) {
    EXPECT_EQ(member.at("type"), "revolute");
    const auto frame = member.at("frame").get<std::vector<double>>(),
               along_axis = member.at("axis").get<std::vector<double>>();
    EXPECT_LT((Vec3(frame[0], frame[1], frame[2]) - at).norm(), 1e-15);
    EXPECT_LT((Vec3(along_axis[0], along_axis[1], along_axis[2]) - axis).norm(), 1e-15);
  };
  expect_hinge(members.at(1), Vec3(0, 2, 1), Vec3::UnitY());
  expect_hinge(members.at(2), Vec3::Zero(), Vec3::UnitX());
  const std::vector<std::uint32_t> words = words_of(stream.blocks.at(0).channels.at(4), 0, 3);
  EXPECT_NEAR(to_float(words[0]), 1.5, 1e-6);
  EXPECT_NEAR(to_float(words[1]), 0, 1e-6);
  EXPECT_NEAR(to_float(words[2]), 0, 1e-6);
}

TEST(ViewerStream, DrawsHullsAndMeshesAsTriangles) {
  Recording recording;
  recording.header.bodies = {
      {"hull",
       R"([{"type":"convex","points":[[0,0,0],[1,0,0],[0,2,0],[0,0,3],[0.1,0.1,0.1]],"position":[4,5,6]}])",
       1,
       {}},
      {"flat", R"([{"type":"convex","points":[[0,0,0],[1,0,0],[0,2,0],[1,1,0]]}, 7, {"no": "type"}])", 1, {}}};
  const Decoded decoded = decode(encode_viewer_stream(recording));
  ASSERT_EQ(decoded.meshes.size(), 1U);
  EXPECT_EQ(number_at<std::uint32_t>(decoded.meshes[0], 8), 4U);  // triangles of a tetrahedron
  EXPECT_EQ(decoded.header["bodies"][0]["shapes"][0]["position"][2], 6);
  EXPECT_TRUE(decoded.header["bodies"][1]["shapes"].empty());
  const auto vertices = number_at<std::uint32_t>(decoded.meshes[0], 4);
  const auto words = words_of(decoded.meshes[0], 60, 3 * std::size_t{vertices});
  double highest = 0;
  for (std::size_t v = 0; v < vertices; ++v)
    highest = std::max(highest, number_at<double>(decoded.meshes[0], 28) +
                                    number_at<double>(decoded.meshes[0], 52) * words[3 * v + 2]);
  EXPECT_NEAR(highest, 3, 3.0 / 65535);
}

TEST(ViewerStream, CarriesContacts) {
  ViewerLayout layout;
  layout.has_contacts = true;
  ViewerEncoder encoder(layout);
  const std::vector<ViewerContact> contacts{{{1, 2, 3}, {0, 0, 1}, {4, 5, 6}, -1e-4F, -1, 2},
                                            {{7, 8, 9}, {1, 0, 0}, {0, 0, 1}, 0, 0, 1}};
  encoder.add_frame({.time = 0, .contacts = {}});
  encoder.add_frame({.time = 1, .contacts = contacts});
  const Decoded decoded = decode(encoder.make_opening() + encoder.take_block(0, false));
  ASSERT_EQ(decoded.blocks.size(), 1U);
  const std::string& c = decoded.blocks[0].channels.at(3);
  EXPECT_EQ(number_at<std::uint32_t>(c, 0), 0U);
  EXPECT_EQ(number_at<std::uint32_t>(c, 4), 2U);
  const auto numbers = words_of(c, 8, 20);
  EXPECT_EQ(to_float(numbers[8]), 6.0F);
  EXPECT_EQ(to_float(numbers[9]), -1e-4F);
  EXPECT_EQ(to_float(numbers[10]), 7.0F);
  const auto bodies = words_of(c, 8 + 80, 4);
  EXPECT_EQ(bodies, (std::vector<std::uint32_t>{0xffffffffU, 2, 0, 1}));
}

// Two frames of a muscle and a cable: where they run stands in the header, their numbers are columns behind those of probes and ledger.
TEST(ViewerStream, CarriesMusclesAndCables) {
  Recording recording;
  recording.header.bodies = {{"arm", "[]", 1, {}}};
  recording.header.ledger = {{"energy", "J"}};
  recording.header.paths = {{"biceps", "muscle", {{"world", {0, 0, 1}}, {"arm", {0.5, 0, 0}}}},
                            {"rope", "cable", {{"arm", {1, 0, 0}}, {"world", {2, 0, 0}}}}};
  recording.times = {0, 1};
  recording.poses.assign(2 * kPoseSize, 0);
  recording.poses[3] = recording.poses[kPoseSize + 3] = 1;
  recording.ledger = {7, 8};
  recording.paths = {1.5, 20, 0.25, 1, 0, 1.25, 30, 0.5, 1, 2};
  const Decoded decoded = decode(encode_viewer_stream(recording));
  const nlohmann::json& paths = decoded.header.at("paths");
  ASSERT_EQ(paths.size(), 2U);
  EXPECT_EQ(paths[0]["kind"], "muscle");
  EXPECT_EQ(paths[0]["points"][0]["body"], -1);
  EXPECT_EQ(paths[1]["points"][0]["body"], 0);
  EXPECT_EQ(paths[1]["points"][1]["point"][0], 2);
  const nlohmann::json& columns = decoded.header.at("columns");
  ASSERT_EQ(columns.size(), 6U);
  EXPECT_EQ(columns[3]["name"], "biceps.activation");
  EXPECT_EQ(columns[5]["name"], "rope.tension");
  EXPECT_EQ(columns[5]["unit"], "N");
  EXPECT_EQ(columns[5]["group"], "path");
  const auto words = words_of(decoded.blocks[0].channels.at(2), 0, 12);  // column by column, two frames of each
  EXPECT_EQ(to_float(words[1]), 8.0F);
  EXPECT_EQ(to_float(words[2 * 3]), 0.25F);
  EXPECT_EQ(to_float(words[2 * 3 + 1]), 0.5F);
  EXPECT_EQ(to_float(words[2 * 5 + 1]), 2.0F);
}

// The surface of a bar: rings of vertices along x, around a unit square.
ViewerSoftMesh make_bar(int rings, int around) {
  ViewerSoftMesh bar;
  bar.name = "bar";
  for (int i = 0; i < rings; ++i) {
    for (int j = 0; j < around; ++j) {
      const double angle = 2 * M_PI * j / around;
      const double reach = 0.5 / std::max(std::abs(std::cos(angle)), std::abs(std::sin(angle)));
      bar.rest.insert(bar.rest.end(),
                      {static_cast<float>(6.0 * i / (rings - 1)), static_cast<float>(reach * std::cos(angle)),
                       static_cast<float>(reach * std::sin(angle))});
      if (i + 1 == rings) continue;
      const int v = i * around + j, next = i * around + (j + 1) % around;
      bar.triangles.push_back({v, next, v + around});
      bar.triangles.push_back({next, next + around, v + around});
    }
  }
  return bar;
}

// 20 000 vertices, twisted by a full turn and back with waves running along it, 300 frames at 60 a second, coloured by one field: the size promised
// for pages, and the errors of vertices and field.
TEST(ViewerStream, KeepsATwistingBarSmall) {
  constexpr int kFrames = 300, kFramesPerBlock = 50;
  ViewerSoftMesh bar = make_bar(400, 50);
  bar.lower = {-0.5, -1, -1}, bar.upper = {6.5, 1, 1};
  bar.fields = {{"strain", "", 0, 0.5}};
  const std::size_t n = bar.rest.size() / 3;
  ASSERT_EQ(n, 20000U);
  std::vector<float> vertices(3 * n), strains(n);
  const auto move_to = [&](double time) {
    for (std::size_t v = 0; v < n; ++v) {
      const double x = bar.rest[3 * v], y = bar.rest[3 * v + 1], z = bar.rest[3 * v + 2];
      const double angle = M_PI * (1 - std::cos(1.3 * time)) * x / 6 + 0.02 * std::sin(9 * x - 20 * time);
      vertices[3 * v] = static_cast<float>(x + 0.01 * std::sin(5 * x - 17 * time));
      vertices[3 * v + 1] =
          static_cast<float>(y * std::cos(angle) - z * std::sin(angle) + 0.2 * std::sin(3 * time) * x * x / 36);
      vertices[3 * v + 2] = static_cast<float>(y * std::sin(angle) + z * std::cos(angle));
      strains[v] = static_cast<float>(0.2 * (1 - std::cos(1.3 * time)) * std::hypot(y, z) +
                                      0.1 * std::abs(std::sin(9 * x - 20 * time)));
    }
  };
  ViewerLayout layout;
  layout.soft_meshes = {bar};
  ViewerEncoder encoder(layout);
  std::string bytes = encoder.make_opening();
  for (int frame = 0; frame < kFrames; ++frame) {
    move_to(frame / 60.0);
    encoder.add_frame({.time = frame / 60.0, .vertices = {vertices}, .fields = {{std::span<const float>(strains)}}});
    if (encoder.gathered() == kFramesPerBlock)
      bytes += encoder.take_block(static_cast<std::uint32_t>(frame + 1 - kFramesPerBlock), true);
  }
  constexpr std::size_t kPage = 1'000'000;  // of the viewer itself, at most
  EXPECT_LT(to_base64(bytes).size() + kPage, 25'000'000U);
  RecordProperty("bytes", static_cast<int>(bytes.size()));

  const Decoded decoded = decode(bytes);
  ASSERT_EQ(decoded.frames(), 300U);
  const Block& last = decoded.blocks.back();
  const auto numbers = integers_of(last.channels.at(16), 4 * n, last.frames);
  for (std::size_t i = 0; i < 3 * n; i += 17) {
    const double step = (bar.upper[i % 3] - bar.lower[i % 3]) / 65535;
    EXPECT_LE(std::abs(static_cast<double>(numbers[i].back()) * step + bar.lower[i % 3] - vertices[i]), 0.501 * step);
  }
  for (std::size_t v = 0; v < n; v += 13)
    EXPECT_LE(std::abs(static_cast<double>(numbers[3 * n + v].back()) * 0.5 / 255 - strains[v]), 0.501 * 0.5 / 255);
}

TEST(ViewerStream, HoldsSoftVerticesAtTheSidesOfTheirBox) {
  ViewerSoftMesh triangle{
      .name = "t", .triangles = {{0, 1, 2}}, .rest = std::vector<float>(9, 0.5F), .fields = {{"speed", "m/s", 0, 2}}};
  ViewerLayout layout;
  layout.soft_meshes = {triangle};
  ViewerEncoder encoder(layout);
  const std::vector<float> vertices{-3, 0.5F, 9, 0, 1, 0, 1, 1, 1}, speeds{-1, 1, 5};
  encoder.add_frame({.time = 0, .vertices = {vertices}, .fields = {{std::span<const float>(speeds)}}});
  const Decoded decoded = decode(encoder.make_opening() + encoder.take_block(0, false));
  const auto numbers = integers_of(decoded.blocks.at(0).channels.at(16), 12, 1);
  EXPECT_EQ(numbers[0][0], 0);
  EXPECT_NEAR(static_cast<double>(numbers[1][0]), 65535 / 2.0, 0.51);
  EXPECT_EQ(numbers[2][0], 65535);
  EXPECT_EQ(numbers[9][0], 0);
  EXPECT_EQ(numbers[11][0], 255);
}

TEST(ViewerStream, WritesBase64AsRfc4648Says) {
  EXPECT_EQ(to_base64(""), "");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_EQ(to_base64("fo"), "Zm8=");
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
  for (const std::string text : {"", "f", "fo", "foo", "foob", "\xff\xfe\xfd\xfc"})
    EXPECT_EQ(from_base64(to_base64(text)), text);
  EXPECT_EQ(to_base64("\xff\xfe\xfd\xfc"), "//79/A==");
}

}  // namespace
}  // namespace sinew
