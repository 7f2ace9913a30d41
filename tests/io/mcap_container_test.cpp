// The MCAP writer and reader: bytes as the specification has them, round trip, damage and full disks. That other
// people's readers agree is tested in tests/interop.
#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "io/recording_example.h"

#include "sinew/core/error.h"
#include "sinew/io/mcap_reader.h"
#include "sinew/io/mcap_writer.h"

namespace sinew {
namespace {

using example::read_bytes;
using example::TemporaryFile;
using example::write_bytes;

std::string message_of(const Error& error) { return error.what(); }

// Calls `action` and returns the text of the File error it must throw.
template <class Action>
std::string file_error(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::File);
    return message_of(error);
  }
  ADD_FAILURE() << "no error";
  return "";
}

struct Contents {
  std::vector<std::string> messages;
  bool is_truncated = false;
};

Contents read_all(const std::string& path) {
  McapReader reader(path);
  Contents contents;
  McapMessage message;
  while (reader.read_message(message)) contents.messages.emplace_back(message.data);
  contents.is_truncated = reader.is_truncated();
  return contents;
}

void write_small_file(const std::string& path, McapCompression compression) {
  McapWriter writer(path, "test", "sinew", {.compression = compression});
  writer.add_attachment("notes.txt", "text/plain", "hello");
  const std::uint16_t schema = writer.add_schema("s", "text", "a schema");
  const std::uint16_t a = writer.add_channel(schema, "/a", "text", {{"key", "value"}});
  const std::uint16_t b = writer.add_channel(0, "/b", "text");
  writer.add_message(a, 0, 10, "first");
  writer.add_message(b, 0, 11, "second");
  writer.flush_chunk();
  writer.add_message(a, 1, 12, std::string(1000, 'x'));
  writer.close();
}

TEST(Crc32, PublishedCheckValues) {
  EXPECT_EQ(compute_crc32("123456789"), 0xCBF43926U);  // the check value of CRC-32/ISO-HDLC
  EXPECT_EQ(compute_crc32(""), 0U);
  EXPECT_EQ(compute_crc32("The quick brown fox jumps over the lazy dog"), 0x414FA339U);
  EXPECT_EQ(compute_crc32("56789", compute_crc32("1234")), 0xCBF43926U);
}

TEST(McapFile, BytesOfTheSmallestFileFollowTheSpecification) {
  const TemporaryFile file("smallest.mcap");
  McapWriter(file.path(), "p", "lib").close();
  const std::string bytes = read_bytes(file.path());
  const std::string start("\x89MCAP0\r\n\x01\x0c\0\0\0\0\0\0\0\x01\0\0\0p\x03\0\0\0lib", 29);
  EXPECT_EQ(bytes.substr(0, start.size()), start);
  EXPECT_EQ(bytes.substr(start.size(), 9), std::string("\x0f\x04\0\0\0\0\0\0\0", 9));
  EXPECT_TRUE(bytes.ends_with(kMcapMagic));
  EXPECT_TRUE(read_all(file.path()).messages.empty());
  EXPECT_FALSE(read_all(file.path()).is_truncated);
}

TEST(McapFile, RoundTrip) {
  for (const McapCompression compression : {McapCompression::None, McapCompression::Zstd}) {
    const TemporaryFile file("round_trip.mcap");
    write_small_file(file.path(), compression);
    McapReader reader(file.path());
    McapMessage message;
    ASSERT_TRUE(reader.read_message(message));
    EXPECT_EQ(message.data, "first");
    EXPECT_EQ(message.log_time, 10U);
    EXPECT_EQ(message.publish_time, 10U);
    EXPECT_EQ(reader.channels().at(message.channel_id).topic, "/a");
    EXPECT_EQ(reader.channels().at(message.channel_id).metadata.at("key"), "value");
    EXPECT_EQ(reader.schemas().at(reader.channels().at(message.channel_id).schema_id).data, "a schema");
    ASSERT_TRUE(reader.read_message(message));
    EXPECT_EQ(message.data, "second");
    ASSERT_TRUE(reader.read_message(message));
    EXPECT_EQ(message.data, std::string(1000, 'x'));
    EXPECT_EQ(message.sequence, 1U);
    EXPECT_FALSE(reader.read_message(message));
    EXPECT_FALSE(reader.is_truncated());
    ASSERT_EQ(reader.attachments().size(), 1U);
    EXPECT_EQ(reader.attachments()[0].data, "hello");
  }
}

TEST(McapFile, EveryFlippedBitOfACompleteFileIsNoticedOrHarmless) {
  const TemporaryFile file("flipped.mcap"), damaged("flipped_damaged.mcap");
  write_small_file(file.path(), McapCompression::Zstd);
  const std::string bytes = read_bytes(file.path());
  const Contents whole = read_all(file.path());
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string changed = bytes;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    write_bytes(damaged.path(), changed);
    try {
      // The one thing a flip may do unseen is to spoil the footer, so that the file counts as cut off; what comes out
      // is right.
      const Contents contents = read_all(damaged.path());
      EXPECT_TRUE(contents.is_truncated) << "bit " << bit;
      EXPECT_EQ(contents.messages, whole.messages) << "bit " << bit;
    } catch (const Error& error) {
      EXPECT_NE(message_of(error).find("byte "), std::string::npos) << message_of(error);
    }
  }
}

TEST(McapFile, RefusesWhatIsNoMcapFile) {
  const TemporaryFile file("wrong.mcap");
  EXPECT_NE(file_error([&] { read_all(file.path()); }).find("No such file"), std::string::npos);
  write_bytes(file.path(), "");
  EXPECT_NE(file_error([&] { read_all(file.path()); }).find("empty"), std::string::npos);
  write_bytes(file.path(), "bodies: []\n");
  EXPECT_NE(file_error([&] { read_all(file.path()); }).find("byte 0"), std::string::npos);
  EXPECT_FALSE(file_error([&] { read_all("/tmp"); }).empty());
}

TEST(McapFile, RefusesImpossibleSizesWithoutTakingTheMemory) {
  const TemporaryFile file("sizes.mcap");
  const auto write_chunk = [&](std::uint64_t claimed_size, std::uint64_t record_length_change) {
    std::string bytes;
    McapBytes out(bytes);
    out.raw(kMcapMagic);
    const std::size_t header = out.begin_record(McapOp::Header);
    out.text("").text("");
    out.end_record(header);
    out.number(std::uint8_t{6}).number(std::uint64_t{8 * 3 + 4 + 8 + 8 + 4} + record_length_change);
    out.number(std::uint64_t{0}).number(std::uint64_t{0}).number(claimed_size).number(std::uint32_t{0}).text("zstd");
    out.number(std::uint64_t{4}).raw("abcd");
    write_bytes(file.path(), bytes);
  };
  write_chunk(std::uint64_t{1} << 60, 0);
  EXPECT_NE(file_error([&] { read_all(file.path()); }).find("impossible chunk size"), std::string::npos);
  write_chunk(1 << 30, 0);
  EXPECT_NE(file_error([&] { read_all(file.path()); }).find("impossible chunk size"), std::string::npos);
  write_chunk(100, 0);
  EXPECT_NE(file_error([&] { read_all(file.path()); }).find("decompressed"), std::string::npos);
  write_chunk(100, std::uint64_t{1} << 62);
  EXPECT_NE(file_error([&] { read_all(file.path()); }).find("impossible record length"), std::string::npos);
}

TEST(McapFile, ATailOfZerosCountsAsCutOff) {
  const TemporaryFile file("zeros.mcap");
  {
    McapWriter writer(file.path(), "", "");
    const std::uint16_t channel = writer.add_channel(0, "/a", "text");
    writer.add_message(channel, 0, 0, "kept");
    writer.flush_chunk();
  }
  write_bytes(file.path(), read_bytes(file.path()) + std::string(5000, '\0'));
  EXPECT_EQ(read_all(file.path()).messages, std::vector<std::string>{"kept"});
  EXPECT_TRUE(read_all(file.path()).is_truncated);
}

TEST(McapFile, FullDiskIsAnErrorNamingFileAndReason) {
  const std::string text = file_error([] { McapWriter("/dev/full", "", ""); });
  EXPECT_NE(text.find("/dev/full"), std::string::npos);
  EXPECT_NE(text.find("No space left on device"), std::string::npos);
  EXPECT_NE(file_error([] { McapWriter("/nowhere/file.mcap", "", ""); }).find("No such file"), std::string::npos);
}

// The disk gets full in the middle of a chunk (a limit on file size does the same): the writer says so, every later
// call says so again, and the file left behind reads cleanly up to the chunk before.
TEST(McapFile, WriteThatFailsHalfWayLeavesAReadableFile) {
  const TemporaryFile file("limited.mcap");
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  ::getrlimit(RLIMIT_FSIZE, &old_limit);
  {
    McapWriter writer(file.path(), "", "", {.compression = McapCompression::None});
    const std::uint16_t channel = writer.add_channel(0, "/a", "text");
    writer.add_message(channel, 0, 0, "kept");
    writer.flush_chunk();
    const std::uint64_t kept_bytes = writer.file_bytes();
    const rlimit limit{.rlim_cur = kept_bytes + 500, .rlim_max = old_limit.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    writer.add_message(channel, 1, 1, std::string(1000, 'x'));
    const std::string text = file_error([&] { writer.flush_chunk(); });
    ::setrlimit(RLIMIT_FSIZE, &old_limit);
    EXPECT_NE(text.find("File too large"), std::string::npos) << text;
    EXPECT_EQ(file_error([&] { writer.flush_chunk(); }), text);
    EXPECT_EQ(file_error([&] { writer.close(); }), text);
    EXPECT_EQ(std::filesystem::file_size(file.path()), kept_bytes);
  }
  std::signal(SIGXFSZ, before);
  EXPECT_EQ(read_all(file.path()).messages, std::vector<std::string>{"kept"});
  EXPECT_TRUE(read_all(file.path()).is_truncated);
}

}  // namespace
}  // namespace sinew
