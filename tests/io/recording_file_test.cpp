// Recordings written and read back: every number bit for bit, at every chunk size, cut off at every byte, damaged at
// random.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "io/recording_example.h"

#include "sinew/core/error.h"
#include "sinew/io/recording_export.h"
#include "sinew/io/recording_json.h"
#include "sinew/io/recording_reader.h"

namespace sinew {
namespace {

using example::make_header;
using example::TemporaryFile;
using example::time_of;
using example::value_of;

void write_example(const std::string& path, std::size_t frames, RecordingOptions options = {}) {
  const RecordingHeader header = make_header();
  RecordingWriter writer(path, header, options);
  for (std::size_t frame = 0; frame < frames; ++frame) example::write_frame(writer, header, frame);
  writer.close();
}

// The frames are those of the example, from the first on without a gap.
void expect_example_frames(const Recording& recording) {
  const RecordingHeader header = make_header();
  ASSERT_EQ(recording.header, header);
  ASSERT_EQ(recording.poses.size(), recording.frames() * header.bodies.size() * kPoseSize);
  ASSERT_EQ(recording.probes.size(), recording.frames() * header.probes.size());
  ASSERT_EQ(recording.ledger.size(), recording.frames() * header.ledger.size());
  for (std::size_t frame = 0; frame < recording.frames(); ++frame) {
    ASSERT_EQ(recording.times[frame], time_of(frame));
    for (std::size_t i = 0; i < kPoseSize; ++i)
      ASSERT_EQ(recording.pose(frame, 1)[i], value_of(frame, kPoseSize + i, 0));
    for (std::size_t i = 0; i < 2; ++i) ASSERT_EQ(recording.probes[frame * 2 + i], value_of(frame, i, 1));
    for (std::size_t i = 0; i < 3; ++i) ASSERT_EQ(recording.ledger[frame * 3 + i], value_of(frame, i, 2));
  }
}

TEST(RecordingFile, RoundTripAtEveryChunkBoundary) {
  const TemporaryFile file("boundaries.mcap");
  for (const McapCompression compression : {McapCompression::None, McapCompression::Zstd}) {
    for (std::size_t frames = 0; frames <= 9; ++frames) {
      for (std::size_t chunk_bytes = 1; chunk_bytes < 5000; chunk_bytes += 311) {
        write_example(file.path(), frames, {.container = {.compression = compression}, .chunk_bytes = chunk_bytes});
        const Recording recording = read_recording(file.path());
        EXPECT_EQ(recording.frames(), frames);
        EXPECT_FALSE(recording.is_truncated);
        expect_example_frames(recording);
      }
    }
  }
}

TEST(RecordingFile, NumbersKeepEveryBit) {
  std::mt19937_64 random(1);
  std::vector<double> values{0.0,
                             -0.0,
                             1.0,
                             0.1,
                             1e22,
                             1e23,
                             5e-324,
                             -2.2250738585072014e-308,
                             1.7976931348623157e308,
                             9e15,
                             1.0e17,
                             1.8e19,
                             2.0e19,
                             -9e18,
                             123456789012345680.0};
  while (values.size() < 2000) {
    const double value = std::bit_cast<double>(random());
    if (std::isfinite(value)) values.push_back(value);
  }
  RecordingHeader header;
  header.probes = {{"value", ""}};
  header.bodies.resize(1);
  const TemporaryFile file("bits.mcap");
  {
    RecordingWriter writer(file.path(), header);
    for (std::size_t i = 0; i < values.size(); ++i) {
      writer.write_frame(static_cast<double>(i), std::vector<double>(kPoseSize, values[i]), {{values[i]}}, {});
    }
    writer.close();
  }
  const Recording recording = read_recording(file.path());
  ASSERT_EQ(recording.frames(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(recording.probes[i]), std::bit_cast<std::uint64_t>(values[i])) << values[i];
    EXPECT_EQ(std::bit_cast<std::uint64_t>(recording.pose(i, 0)[3]), std::bit_cast<std::uint64_t>(values[i]));
  }
}

// Cut off at every byte: from the end of the header on, the file gives exactly the frames of the chunks that are whole.
TEST(RecordingFile, CutOffAtEveryByte) {
  const TemporaryFile file("whole.mcap"), cut("cut.mcap");
  constexpr std::size_t kFrames = 6, kFramesPerChunk = 2;
  std::vector<std::size_t> chunk_ends;  // file size after each chunk
  std::size_t header_end = 0;
  {
    const RecordingHeader header = make_header();
    RecordingWriter writer(file.path(), header, {.container = {}, .chunk_bytes = 1 << 20, .flush_seconds = 3600});
    header_end = std::filesystem::file_size(file.path());
    for (std::size_t frame = 0; frame < kFrames; ++frame) {
      example::write_frame(writer, header, frame);
      if (frame % kFramesPerChunk != kFramesPerChunk - 1) continue;
      writer.flush();
      chunk_ends.push_back(std::filesystem::file_size(file.path()));
    }
    writer.close();
  }
  const std::string bytes = example::read_bytes(file.path());
  std::size_t successes = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    example::write_bytes(cut.path(), std::string_view(bytes).substr(0, size));
    // The message indexes behind a chunk may be missing, so a chunk is whole somewhat before its chunk end.
    const auto whole_chunks = static_cast<std::size_t>(
        std::count_if(chunk_ends.begin(), chunk_ends.end(), [&](std::size_t end) { return end <= size; }));
    try {
      const Recording recording = read_recording(cut.path());
      ++successes;
      EXPECT_TRUE(recording.is_truncated);
      EXPECT_GE(recording.frames(), whole_chunks * kFramesPerChunk) << size;
      EXPECT_LE(recording.frames(), (whole_chunks + 1) * kFramesPerChunk) << size;
      EXPECT_EQ(recording.frames() % kFramesPerChunk, 0U) << size;
      expect_example_frames(recording);
    } catch (const Error& error) {
      EXPECT_LT(size, header_end) << error.what();
      EXPECT_EQ(error.kind(), ErrorKind::File);
    }
  }
  EXPECT_GE(successes, bytes.size() - header_end);
}

// Random damage: the reader either succeeds or throws the one Error; it never crashes (run under the asan preset, too)
// and, as long as the file is not also cut off, it never returns wrong numbers.
TEST(RecordingFile, RandomDamageIsRefusedOrHarmless) {
  const TemporaryFile file("fuzz.mcap"), damaged("fuzz_damaged.mcap");
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  int successes = 0, errors = 0;
  for (const McapCompression compression : {McapCompression::None, McapCompression::Zstd}) {
    write_example(file.path(), 20, {.container = {.compression = compression}, .chunk_bytes = 1500});
    const std::string bytes = example::read_bytes(file.path());
    for (int round = 0; round < 3000; ++round) {
      std::string changed = bytes;
      if (round % 3 == 0) changed.resize(below(changed.size()));
      if (round % 5 == 0 && changed.size() > 1) changed.erase(below(changed.size()), 1 + below(40));
      const std::size_t changes = 1 + below(4);
      for (std::size_t i = 0; i < changes && !changed.empty(); ++i) {
        const std::size_t place =
            round % 2 == 0 ? below(changed.size()) : below(std::min<std::size_t>(changed.size(), 400));
        changed[place] = static_cast<char>(round % 7 == 0 ? 0xFF : below(256));
      }
      example::write_bytes(damaged.path(), changed);
      try {
        const Recording recording = read_recording(damaged.path());
        ++successes;
        EXPECT_LE(recording.frames(), 20U);
        if (recording.header == make_header()) expect_example_frames(recording);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::File);
        ++errors;
      }
    }
  }
  EXPECT_GT(errors, 1000);
  EXPECT_GT(successes, 50);  // cut off, then changed behind the last whole chunk
}

TEST(RecordingFile, EventsAreKept) {
  const TemporaryFile file("events.mcap");
  const std::vector<RecordingEvent> events{{0.0, "step_halved", "dt 0.01 -> 0.005"},
                                           {0.25, "step_failed", "\"rod\"\nä"}};
  {
    const RecordingHeader header = make_header();
    RecordingWriter writer(file.path(), header);
    writer.write_event(events[0]);
    example::write_frame(writer, header, 0);
    writer.write_event(events[1]);
  }
  const Recording recording = read_recording(file.path());
  EXPECT_EQ(recording.events, events);
  EXPECT_EQ(recording.frames(), 1U);
  EXPECT_FALSE(recording.is_truncated);  // the destructor closed it
}

RecordedContact make_contact(double number) {
  return {.body_a = 1,
          .body_b = -1,
          .point = {number, -0.0, 5e-324},
          .normal = {0, 0, 1},
          .force = {0.1, number / 3, 1e300},
          .gap = -1e-17,
          .normal_force = 1e300,
          .complementarity = number,
          .cone_slack = 0.25,
          .sliding_speed = 1.0 / 3,
          .dissipation_alignment = -1};
}

TEST(RecordingFile, KeepsContactsWorldAndStops) {
  const TemporaryFile file("contacts.mcap");
  constexpr double kNone = std::numeric_limits<double>::infinity();
  RecordingHeader header = make_header();
  header.world = R"([{"type":"plane","name":"floor","position":[0.0,0.0,-0.5]}])";
  header.joints[0].lower = {-0.5, -kNone};
  header.joints[0].upper = {kNone, 1.0 / 3};
  header.has_contacts = true;
  {
    RecordingWriter writer(file.path(), header, {.chunk_bytes = 700});
    for (std::size_t frame = 0; frame < 20; ++frame) {
      const std::vector<RecordedContact> contacts(frame % 4, make_contact(static_cast<double>(frame)));
      writer.write_frame(time_of(frame), example::values_of(frame, 2 * kPoseSize, 0), example::values_of(frame, 2, 1),
                         example::values_of(frame, 3, 2), contacts);
    }
    writer.close();
  }
  const Recording whole = read_recording(file.path());
  EXPECT_EQ(whole.header, header);
  ASSERT_EQ(whole.frames(), 20U);
  for (std::size_t frame = 0; frame < 20; ++frame) {
    ASSERT_EQ(whole.contacts_of(frame).size(), frame % 4);
    for (const RecordedContact& contact : whole.contacts_of(frame))
      EXPECT_EQ(contact, make_contact(static_cast<double>(frame)));
  }

  const std::string bytes = example::read_bytes(file.path());
  for (std::size_t size = bytes.size() / 2; size < bytes.size(); size += 37) {  // cut off: whole frames only
    example::write_bytes(file.path(), std::string_view(bytes).substr(0, size));
    const Recording cut = read_recording(file.path());
    ASSERT_EQ(cut.contact_ends.size(), cut.frames());
    for (std::size_t frame = 0; frame < cut.frames(); ++frame) EXPECT_EQ(cut.contacts_of(frame).size(), frame % 4);
  }

  RecordingWriter writer(file.path(), header);
  std::vector<RecordedContact> wrong{make_contact(1)};
  wrong[0].force[1] = std::nan("");
  const auto write = [&](RecordingWriter& to) {
    to.write_frame(0, example::values_of(0, 2 * kPoseSize, 0), example::values_of(0, 2, 1), example::values_of(0, 3, 2),
                   wrong);
  };
  EXPECT_THROW(write(writer), Error);
  wrong[0].force[1] = 0;
  header.has_contacts = false;
  RecordingWriter without(file.path() + ".none", header);
  EXPECT_THROW(write(without), Error);
  without.close();
  std::filesystem::remove(file.path() + ".none");
}

RecordedTorque make_torque(double number) {
  return {.torque = {number, -0.0, 5e-324},
          .spin_slack = number / 3,
          .spin_speed = 1e300,
          .spin_alignment = -1,
          .rolling_slack = -1e-17,
          .rolling_speed = 1.0 / 7,
          .rolling_alignment = .5};
}

TEST(RecordingFile, KeepsTorquesOfContacts) {
  const TemporaryFile file("torques.mcap");
  RecordingHeader header = make_header();
  header.has_contacts = header.has_contact_torques = true;
  const auto write = [](RecordingWriter& to, std::size_t frame, std::span<const RecordedContact> contacts,
                        std::span<const RecordedTorque> torques) {
    to.write_frame(time_of(frame), example::values_of(frame, 2 * kPoseSize, 0), example::values_of(frame, 2, 1),
                   example::values_of(frame, 3, 2), contacts, {}, torques);
  };
  {
    RecordingWriter writer(file.path(), header, {.chunk_bytes = 700});
    for (std::size_t frame = 0; frame < 20; ++frame) {
      const auto number = static_cast<double>(frame);
      write(writer, frame, std::vector(frame % 4, make_contact(number)), std::vector(frame % 4, make_torque(number)));
    }
    writer.close();
  }
  const Recording whole = read_recording(file.path());
  EXPECT_EQ(whole.header, header);
  ASSERT_EQ(whole.frames(), 20U);
  for (std::size_t frame = 0; frame < 20; ++frame) {
    ASSERT_EQ(whole.contacts_of(frame).size(), frame % 4);
    ASSERT_EQ(whole.torques_of(frame).size(), frame % 4);
    for (const RecordedTorque& torque : whole.torques_of(frame))
      EXPECT_EQ(torque, make_torque(static_cast<double>(frame)));
  }
  const std::string bytes = example::read_bytes(file.path());
  for (std::size_t size = bytes.size() / 2; size < bytes.size(); size += 37) {  // cut off: whole frames only
    example::write_bytes(file.path(), std::string_view(bytes).substr(0, size));
    const Recording cut = read_recording(file.path());
    ASSERT_EQ(cut.torques.size(), cut.contacts.size());
    for (std::size_t frame = 0; frame < cut.frames(); ++frame) EXPECT_EQ(cut.torques_of(frame).size(), frame % 4);
  }

  RecordingWriter writer(file.path(), header);
  const std::vector<RecordedContact> contacts{make_contact(1)};
  EXPECT_THROW(write(writer, 0, contacts, {}), Error);  // one for each contact
  std::vector<RecordedTorque> torques{make_torque(1)};
  torques[0].rolling_slack = std::nan("");
  EXPECT_THROW(write(writer, 0, contacts, torques), Error);
  header.has_contact_torques = false;
  RecordingWriter without(file.path() + ".none", header);
  EXPECT_THROW(write(without, 0, contacts, std::vector{make_torque(1)}), Error);
  without.close();
  std::filesystem::remove(file.path() + ".none");
}

TEST(RecordingFile, RefusesFramesThatAreWrong) {
  const TemporaryFile file("refused.mcap");
  const RecordingHeader header = make_header();
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const std::vector<double> poses(14, 0.5), probes(2, 0.5), ledger(3, 0.5);
  RecordingWriter writer(file.path(), header);
  const auto input_error = [&](double time, std::vector<double> p, std::vector<double> q,
                               std::vector<double> l) -> std::string {
    try {
      writer.write_frame(time, p, q, l);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Input);
      return error.what();
    }
    return "no error";
  };
  writer.write_frame(1, poses, probes, ledger);
  EXPECT_NE(input_error(2, poses, {0, nan}, ledger).find("'tip.speed' is nan"), std::string::npos);
  EXPECT_NE(input_error(2, poses, probes, {inf, 0, 0}).find("'energy.total' is inf"), std::string::npos);
  std::vector<double> bad_poses = poses;
  bad_poses[8] = -inf;
  EXPECT_NE(input_error(2, bad_poses, probes, ledger).find("rod \"2\""), std::string::npos);
  EXPECT_NE(input_error(2, {}, probes, ledger).find("expected 14 pose numbers, got 0"), std::string::npos);
  EXPECT_NE(input_error(1, poses, probes, ledger).find("forward in time"), std::string::npos);
  EXPECT_NE(input_error(nan, poses, probes, ledger).find("time"), std::string::npos);
  EXPECT_NE(input_error(1e12, poses, probes, ledger).find("time"), std::string::npos);
  writer.write_frame(2, poses, probes, ledger);
  writer.close();
  EXPECT_EQ(read_recording(file.path()).frames(), 2U);
}

TEST(RecordingFile, RefusesHeadersThatAreWrong) {
  const TemporaryFile file("refused_header.mcap");
  const auto change = [&](const auto& action) {
    RecordingHeader header = make_header();
    action(header);
    EXPECT_THROW(RecordingWriter(file.path(), header), Error);
  };
  change([](RecordingHeader& h) { h.probes.push_back({"tip.x", ""}); });
  change([](RecordingHeader& h) { h.ledger.push_back({"time", "s"}); });
  change([](RecordingHeader& h) { h.dt = std::numeric_limits<double>::quiet_NaN(); });
  change([](RecordingHeader& h) { h.bodies[0].shapes = "{"; });
  change([](RecordingHeader& h) { h.bodies[0].name = "\xff"; });
}

TEST(RecordingFile, FullDiskIsToldByTheWriter) { EXPECT_THROW(RecordingWriter("/dev/full", make_header()), Error); }

TEST(RecordingExport, CsvHasNamesWithUnitsAndExactNumbers) {
  const TemporaryFile file("csv.mcap");
  write_example(file.path(), 3);
  const Recording recording = read_recording(file.path());
  std::ostringstream csv;
  write_csv(recording, {}, csv);
  std::istringstream lines(csv.str());
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "time [s],tip.x [m],tip.speed [m/s],energy.total [J],joint_error [m],newton.iterations");
  std::size_t frame = 0;
  for (; std::getline(lines, line); ++frame) {
    std::istringstream fields(line);
    std::string field;
    std::getline(fields, field, ',');
    EXPECT_EQ(std::stod(field), time_of(frame));
    std::getline(fields, field, ',');
    EXPECT_EQ(std::stod(field), value_of(frame, 0, 1));
  }
  EXPECT_EQ(frame, 3U);

  std::ostringstream poses;
  write_csv(recording, {.poses = true, .probes = false, .ledger = false}, poses);
  EXPECT_TRUE(poses.str().starts_with(
      "time [s],rod1.x [m],rod1.y [m],rod1.z [m],rod1.qw,rod1.qx,rod1.qy,rod1.qz,\"rod \"\"2\"\".x [m]\""));
}

TEST(RecordingExport, JsonHoldsHeaderAndColumns) {
  const TemporaryFile file("json.mcap");
  write_example(file.path(), 3);
  std::ostringstream text;
  write_json(read_recording(file.path()), {}, text);
  const nlohmann::json json = nlohmann::json::parse(text.str());
  EXPECT_EQ(json.at("header").at("bodies").at(1).at("shapes").at(0).at("radius"), 0.25);
  EXPECT_EQ(json.at("is_truncated"), false);
  ASSERT_EQ(json.at("columns").size(), 6U);
  EXPECT_EQ(json.at("columns").at(0).at("name"), "time");
  EXPECT_EQ(json.at("columns").at(3).at("name"), "energy.total");
  EXPECT_EQ(json.at("columns").at(3).at("unit"), "J");
  EXPECT_EQ(json.at("columns").at(3).at("values").at(2).get<double>(), value_of(2, 0, 2));
}

TEST(RecordingColumns, FoundByNameWithSuggestion) {
  const TemporaryFile file("columns.mcap");
  write_example(file.path(), 3);
  const Recording recording = read_recording(file.path());
  EXPECT_EQ(find_column(recording, "joint_error")[2], value_of(2, 1, 2));
  EXPECT_EQ(find_column(recording, "rod1.qw").values().at(1), value_of(1, 3, 0));
  try {
    find_column(recording, "enrgy.total");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'energy.total'"), std::string::npos) << error.what();
  }
}

TEST(RecordingRow, RefusesRowsThatDoNotFit) {
  const std::vector<RecordedColumn> columns{{"a", ""}, {"b", ""}};
  const RowFormat rows(columns);
  double time = 0;
  std::array<double, 2> values{};
  EXPECT_TRUE(rows.read(R"({"time":1,"a":-0.5,"b":2})", time, values));
  EXPECT_EQ(time, 1);
  EXPECT_EQ(values, (std::array{-0.5, 2.0}));
  for (const char* text :
       {"", "{}", "[]", "3", R"({"time":1,"a":1})", R"({"time":1,"a":1,"b":null})", R"({"time":1,"a":1,"b":{"b":2}})",
        R"({"time":1,"a":1,"b":2,"c":3})", R"({"time":1,"a":1,"a":1,"b":2})", R"({"time":1,"a":1,"b":1e999})",
        R"({"time":1,"a":1,"b":nan})", R"({"time":1,"a":1,"b":})", R"({"time":1,"a":1,"b":2)",
        R"({"time":1,"a":1,"b":2}})"}) {
    EXPECT_FALSE(rows.read(text, time, values)) << text;
  }
}

}  // namespace
}  // namespace sinew
