// The MCAP container format, version 0: magic, opcodes, and how numbers, strings and maps are laid out in bytes (little
// endian, strings and maps behind a uint32 byte length). Shared by mcap_writer and mcap_reader. Source: "MCAP File
// Format Specification", Foxglove Technologies; field order below follows its record tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace sinew {

inline constexpr std::string_view kMcapMagic{"\x89MCAP0\r\n", 8};
inline constexpr std::size_t kMcapRecordPrefix = 9;                         // opcode, uint64 content length
inline constexpr std::size_t kMcapFooterContent = 20;                       // two offsets and a CRC
inline constexpr std::uint64_t kMcapLargestChunk = std::uint64_t{1} << 30;  // bytes, uncompressed: written and accepted
inline constexpr std::uint64_t kMcapLargestRecord = 2 * kMcapLargestChunk + 4096;  // bytes accepted of any record

enum class McapOp : std::uint8_t {
  Header = 0x01,
  Footer = 0x02,
  Schema = 0x03,
  Channel = 0x04,
  Message = 0x05,
  Chunk = 0x06,
  MessageIndex = 0x07,
  ChunkIndex = 0x08,
  Attachment = 0x09,
  AttachmentIndex = 0x0A,
  Statistics = 0x0B,
  Metadata = 0x0C,
  MetadataIndex = 0x0D,
  SummaryOffset = 0x0E,
  DataEnd = 0x0F,
};

using McapMap = std::map<std::string, std::string>;

/// CRC-32 of IEEE 802.3 (reflected polynomial 0xEDB88320), the one zlib and MCAP use. `before` continues an earlier
/// one.
std::uint32_t compute_crc32(std::string_view bytes, std::uint32_t before = 0);

/// Appends values in MCAP's layout to a string of bytes.
class McapBytes {
 public:
  explicit McapBytes(std::string& bytes) : bytes_(bytes) {}

  template <class Integer>
  McapBytes& number(Integer value) {
    static_assert(std::is_unsigned_v<Integer>);
    std::array<char, sizeof(Integer)> little_endian;
    for (std::size_t i = 0; i < sizeof(Integer); ++i) little_endian[i] = static_cast<char>(value >> (8 * i) & 0xFF);
    bytes_.append(little_endian.data(), little_endian.size());
    return *this;
  }
  McapBytes& raw(std::string_view bytes) { return bytes_.append(bytes), *this; }
  McapBytes& text(std::string_view text) { return number(static_cast<std::uint32_t>(text.size())).raw(text); }
  McapBytes& map(const McapMap& map);

  /// Starts a record; end_record(start) then fills in its length. Returns where the record starts.
  std::size_t begin_record(McapOp op);
  void end_record(std::size_t start);

 private:
  std::string& bytes_;
};

/// Takes values off the front of a byte range; every call is empty once the range is too short, and stays so (see
/// failed()).
class McapFields {
 public:
  explicit McapFields(std::string_view bytes) : bytes_(bytes) {}

  template <class Integer>
  Integer number() {
    const std::string_view little_endian = raw(sizeof(Integer));
    Integer value = 0;
    for (std::size_t i = 0; i < little_endian.size(); ++i) {
      value =
          static_cast<Integer>(value | static_cast<Integer>(static_cast<unsigned char>(little_endian[i])) << (8 * i));
    }
    return value;
  }
  std::string_view raw(std::uint64_t size) {
    if (failed_ || size > bytes_.size()) {
      failed_ = true;
      return {};
    }
    const std::string_view front = bytes_.substr(0, static_cast<std::size_t>(size));
    bytes_.remove_prefix(front.size());
    return front;
  }
  std::string_view text() { return raw(number<std::uint32_t>()); }
  McapMap map();

  std::string_view rest() const { return bytes_; }
  bool failed() const { return failed_; }

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

}  // namespace sinew
