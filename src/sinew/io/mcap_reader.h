// Reads an MCAP file from front to back, one chunk in memory at a time. A file that was cut off (process killed, disk
// full) is read up to its last whole chunk; a damaged one is refused with one Error{File} naming the byte. Safe on
// arbitrary bytes: every length is checked against the file before memory is taken for it, every checksum that is
// present is checked. Source: "MCAP File Format Specification", Foxglove Technologies.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/io/mcap_format.h"

namespace sinew {

struct McapSchema {
  std::string name;
  std::string encoding;
  std::string data;
};

struct McapChannel {
  std::uint16_t schema_id = 0;
  std::string topic;
  std::string message_encoding;
  McapMap metadata;
};

struct McapAttachment {
  std::string name;
  std::string media_type;
  std::string data;
};

struct McapMetadata {
  std::string name;
  McapMap map;
};

struct McapMessage {
  std::uint16_t channel_id = 0;
  std::uint32_t sequence = 0;
  std::uint64_t log_time = 0;      // ns
  std::uint64_t publish_time = 0;  // ns
  std::string_view data;           // valid until the next call of read_message()
};

class McapReader {
 public:
  explicit McapReader(std::string path);
  ~McapReader();
  McapReader(const McapReader&) = delete;
  McapReader& operator=(const McapReader&) = delete;

  /// The next message; false at the end of the file or of what was written of it.
  bool read_message(McapMessage& message);

  /// After read_message() returned false: the file ends without its footer.
  bool is_truncated() const { return is_truncated_; }
  /// Byte at which the record being read starts, for messages of the caller.
  std::uint64_t offset() const { return record_offset_; }

  // What has been met so far; each is complete once read_message() returned false.
  const std::string& library() const { return library_; }
  const std::map<std::uint16_t, McapSchema>& schemas() const { return schemas_; }
  const std::map<std::uint16_t, McapChannel>& channels() const { return channels_; }
  const std::vector<McapAttachment>& attachments() const { return attachments_; }
  const std::vector<McapMetadata>& metadata() const { return metadata_; }

 private:
  [[noreturn]] void refuse(const std::string& what) const;
  void read_at(std::uint64_t offset, std::size_t size, std::string& bytes) const;
  bool read_record();
  bool take_record(McapOp op, std::string_view content, McapMessage& message);
  bool take_message(std::string_view content, McapMessage& message);
  void take_schema(std::string_view content);
  void take_channel(std::string_view content);
  void take_attachment(std::string_view content);
  void open_chunk(std::string_view content);
  void end_data(std::string_view content, std::uint32_t crc_before);
  bool has_footer() const;
  bool rest_is_zero() const;

  std::string path_;
  int file_ = -1;
  std::uint64_t file_size_ = 0;
  std::uint64_t next_offset_ = 0;    // of the next record in the file
  std::uint64_t record_offset_ = 0;  // of the record in record_
  std::uint32_t crc_ = 0;            // of the file up to next_offset_
  bool expects_footer_ = false;
  bool is_at_end_ = false;
  bool is_truncated_ = false;

  std::string record_;           // content of the current record of the file
  std::uint8_t record_op_ = 0;   // its opcode
  std::string uncompressed_;     // of the current chunk, if compressed
  std::string_view chunk_rest_;  // records of the current chunk not yet read

  std::string library_;
  std::map<std::uint16_t, McapSchema> schemas_;
  std::map<std::uint16_t, McapChannel> channels_;
  std::vector<McapAttachment> attachments_;
  std::vector<McapMetadata> metadata_;
};

}  // namespace sinew
