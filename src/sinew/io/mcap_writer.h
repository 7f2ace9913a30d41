// Writes an MCAP file: append-only, so that whatever was appended survives the death of the process. Messages gather in
// a chunk in memory; flush_chunk() appends the chunk and its message indexes with one write(). There is no buffer in
// between. Source: "MCAP File Format Specification", Foxglove Technologies.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/io/mcap_format.h"

struct ZSTD_CCtx_s;

namespace sinew {

enum class McapCompression { None, Zstd };

struct McapWriterOptions {
  McapCompression compression = McapCompression::Zstd;
  int zstd_level = 1;  // 1 (fast) to 19 (small)
};

/// Every failing write is an Error{File} naming the file and the system's reason. After one, the file is cut back to
/// its last whole record where the system allows it, and the writer only repeats the error.
class McapWriter {
 public:
  McapWriter(std::string path, std::string_view profile, std::string_view library, McapWriterOptions options = {});
  /// Without close(): the open chunk is lost, the file stays as it is after the last flush_chunk().
  ~McapWriter();
  McapWriter(const McapWriter&) = delete;
  McapWriter& operator=(const McapWriter&) = delete;

  std::uint16_t add_schema(std::string_view name, std::string_view encoding, std::string_view data);
  /// `schema` 0: no schema.
  std::uint16_t add_channel(std::uint16_t schema, std::string_view topic, std::string_view message_encoding,
                            const McapMap& metadata = {});
  void add_attachment(std::string_view name, std::string_view media_type, std::string_view data);
  void add_metadata(std::string_view name, const McapMap& map);

  /// Times in nanoseconds. The message is in the file after the next flush_chunk().
  void add_message(std::uint16_t channel, std::uint32_t sequence, std::uint64_t log_time, std::string_view data);

  std::size_t chunk_bytes() const { return chunk_.size(); }  // uncompressed, of the open chunk
  std::uint64_t file_bytes() const { return file_bytes_; }   // appended so far
  void flush_chunk();

  /// Flushes, then appends the index and the footer. Nothing may be added afterwards.
  void close();

 private:
  struct Channel {
    std::string record;
    std::uint64_t message_count = 0;
    std::string index;  // (log_time, offset) of the messages in the open chunk, in MCAP's layout
  };
  struct TimeRange {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    bool is_empty = true;
    void add(std::uint64_t time);
  };
  struct CompressorDeleter {
    void operator()(ZSTD_CCtx_s* context) const;
  };

  void append_to_file(std::string_view bytes);
  std::string make_statistics() const;
  std::string make_summary() const;

  std::string path_;
  McapWriterOptions options_;
  int file_ = -1;
  std::string failure_;
  std::uint64_t file_bytes_ = 0;
  std::uint32_t file_crc_ = 0;
  std::unique_ptr<ZSTD_CCtx_s, CompressorDeleter> compressor_;

  std::string chunk_;       // records of the open chunk
  std::string compressed_;  // reused by flush_chunk()
  std::string out_;         // reused by flush_chunk()
  TimeRange chunk_times_;
  TimeRange file_times_;

  std::vector<std::string> schemas_;  // whole records, for the summary; id = place + 1
  std::vector<Channel> channels_;     // id = place + 1
  std::string chunk_indexes_;
  std::string attachment_indexes_;
  std::string metadata_indexes_;
  std::uint32_t chunk_count_ = 0;
  std::uint32_t attachment_count_ = 0;
  std::uint32_t metadata_count_ = 0;
};

}  // namespace sinew
