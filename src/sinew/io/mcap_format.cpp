#include "sinew/io/mcap_format.h"

namespace sinew {
namespace {

// Eight tables: table[k][b] is the CRC of byte b followed by k zero bytes, so eight bytes are taken per round.
using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr CrcTables make_crc_tables() {
  CrcTables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xEDB88320U & (0U - (crc & 1U)));
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t shorter = tables[k - 1][byte];
      tables[k][byte] = (shorter >> 8) ^ tables[0][shorter & 0xFF];
    }
  }
  return tables;
}

constexpr CrcTables kCrc = make_crc_tables();

}  // namespace

std::uint32_t compute_crc32(std::string_view bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])); };
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    const std::uint32_t low = crc ^ (byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 | byte(i + 3) << 24);
    crc = kCrc[7][low & 0xFF] ^ kCrc[6][low >> 8 & 0xFF] ^ kCrc[5][low >> 16 & 0xFF] ^ kCrc[4][low >> 24] ^
          kCrc[3][byte(i + 4)] ^ kCrc[2][byte(i + 5)] ^ kCrc[1][byte(i + 6)] ^ kCrc[0][byte(i + 7)];
  }
  for (; i < bytes.size(); ++i) crc = (crc >> 8) ^ kCrc[0][(crc ^ byte(i)) & 0xFF];
  return ~crc;
}

McapBytes& McapBytes::map(const McapMap& map) {
  std::string entries;
  McapBytes out(entries);
  for (const auto& [key, value] : map) out.text(key).text(value);
  return text(entries);
}

std::size_t McapBytes::begin_record(McapOp op) {
  const std::size_t start = bytes_.size();
  number(static_cast<std::uint8_t>(op)).number(std::uint64_t{0});
  return start;
}

void McapBytes::end_record(std::size_t start) {
  std::string length;
  McapBytes(length).number(static_cast<std::uint64_t>(bytes_.size() - start - kMcapRecordPrefix));
  bytes_.replace(start + 1, length.size(), length);
}

McapMap McapFields::map() {
  McapFields entries(text());
  McapMap map;
  while (!failed_ && !entries.rest().empty()) {
    const std::string_view key = entries.text();
    const std::string_view value = entries.text();
    if (entries.failed()) {
      failed_ = true;
    } else {
      map.emplace(key, value);
    }
  }
  return map;
}

}  // namespace sinew
