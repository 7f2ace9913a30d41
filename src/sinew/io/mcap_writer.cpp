#include "sinew/io/mcap_writer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <limits>
#include <unistd.h>
#include <zstd.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

std::string make_header_record(std::string_view profile, std::string_view library) {
  std::string bytes;
  McapBytes out(bytes);
  const std::size_t record = out.begin_record(McapOp::Header);
  out.text(profile).text(library);
  out.end_record(record);
  return bytes;
}

std::string_view compression_name(McapCompression compression) {
  return compression == McapCompression::Zstd ? "zstd" : "";
}

}  // namespace

void McapWriter::TimeRange::add(std::uint64_t time) {
  first = is_empty ? time : std::min(first, time);
  last = is_empty ? time : std::max(last, time);
  is_empty = false;
}

void McapWriter::CompressorDeleter::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

McapWriter::McapWriter(std::string path, std::string_view profile, std::string_view library, McapWriterOptions options)
    : path_(std::move(path)), options_(options) {
  if (options_.compression == McapCompression::Zstd) {
    compressor_.reset(ZSTD_createCCtx());
    ZSTD_CCtx_setParameter(compressor_.get(), ZSTD_c_compressionLevel, options_.zstd_level);
  }
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) throw Error(ErrorKind::File, path_, fmt::format("cannot create this file: {}", std::strerror(errno)));
  try {
    append_to_file(std::string(kMcapMagic) + make_header_record(profile, library));
  } catch (...) {
    ::close(file_);
    throw;
  }
}

McapWriter::~McapWriter() {
  if (file_ >= 0) ::close(file_);
}

void McapWriter::append_to_file(std::string_view bytes) {
  if (!failure_.empty()) throw Error(ErrorKind::File, path_, failure_);
  std::string_view left = bytes;
  while (!left.empty()) {
    const ssize_t written = ::write(file_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      failure_ = fmt::format("cannot write at byte {}: {}", file_bytes_, std::strerror(errno));
      // Take back the half of a record that fitted: what is left is a file cut off between two records, which reads
      // cleanly.
      [[maybe_unused]] const int ignored = ::ftruncate(file_, static_cast<off_t>(file_bytes_));
      throw Error(ErrorKind::File, path_, failure_);
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  file_crc_ = compute_crc32(bytes, file_crc_);
  file_bytes_ += bytes.size();
}

std::uint16_t McapWriter::add_schema(std::string_view name, std::string_view encoding, std::string_view data) {
  const auto id = static_cast<std::uint16_t>(schemas_.size() + 1);
  std::string bytes;
  McapBytes out(bytes);
  const std::size_t record = out.begin_record(McapOp::Schema);
  out.number(id).text(name).text(encoding).text(data);
  out.end_record(record);
  append_to_file(bytes);
  schemas_.push_back(std::move(bytes));
  return id;
}

std::uint16_t McapWriter::add_channel(std::uint16_t schema, std::string_view topic, std::string_view message_encoding,
                                      const McapMap& metadata) {
  const auto id = static_cast<std::uint16_t>(channels_.size() + 1);
  std::string bytes;
  McapBytes out(bytes);
  const std::size_t record = out.begin_record(McapOp::Channel);
  out.number(id).number(schema).text(topic).text(message_encoding).map(metadata);
  out.end_record(record);
  append_to_file(bytes);
  channels_.push_back({.record = std::move(bytes), .message_count = 0, .index = {}});
  return id;
}

void McapWriter::add_attachment(std::string_view name, std::string_view media_type, std::string_view data) {
  constexpr std::uint64_t kTime = 0;
  std::string bytes;
  McapBytes out(bytes);
  const std::size_t record = out.begin_record(McapOp::Attachment);
  out.number(kTime).number(kTime).text(name).text(media_type).number(static_cast<std::uint64_t>(data.size())).raw(data);
  out.number(compute_crc32(std::string_view(bytes).substr(kMcapRecordPrefix)));
  out.end_record(record);

  const std::uint64_t offset = file_bytes_;
  append_to_file(bytes);
  McapBytes index(attachment_indexes_);
  const std::size_t index_record = index.begin_record(McapOp::AttachmentIndex);
  index.number(offset).number(static_cast<std::uint64_t>(bytes.size())).number(kTime).number(kTime);
  index.number(static_cast<std::uint64_t>(data.size())).text(name).text(media_type);
  index.end_record(index_record);
  ++attachment_count_;
}

void McapWriter::add_metadata(std::string_view name, const McapMap& map) {
  std::string bytes;
  McapBytes out(bytes);
  const std::size_t record = out.begin_record(McapOp::Metadata);
  out.text(name).map(map);
  out.end_record(record);

  const std::uint64_t offset = file_bytes_;
  append_to_file(bytes);
  McapBytes index(metadata_indexes_);
  const std::size_t index_record = index.begin_record(McapOp::MetadataIndex);
  index.number(offset).number(static_cast<std::uint64_t>(bytes.size())).text(name);
  index.end_record(index_record);
  ++metadata_count_;
}

void McapWriter::add_message(std::uint16_t channel, std::uint32_t sequence, std::uint64_t log_time,
                             std::string_view data) {
  if (chunk_.size() + data.size() > kMcapLargestChunk) flush_chunk();
  if (data.size() > kMcapLargestChunk / 2) {
    throw Error(ErrorKind::File, path_, fmt::format("a message of {} bytes is too large for one chunk", data.size()));
  }
  const std::uint64_t offset = chunk_.size();
  McapBytes out(chunk_);
  const std::size_t record = out.begin_record(McapOp::Message);
  out.number(channel).number(sequence).number(log_time).number(log_time).raw(data);
  out.end_record(record);
  McapBytes(channels_[channel - 1U].index).number(log_time).number(offset);
  chunk_times_.add(log_time);
}

void McapWriter::flush_chunk() {
  if (chunk_.empty()) return;
  std::string_view stored = chunk_;
  if (compressor_) {
    compressed_.resize(ZSTD_compressBound(chunk_.size()));
    const std::size_t size =
        ZSTD_compress2(compressor_.get(), compressed_.data(), compressed_.size(), chunk_.data(), chunk_.size());
    if (ZSTD_isError(size)) {
      throw Error(ErrorKind::File, path_, fmt::format("cannot compress a chunk: {}", ZSTD_getErrorName(size)));
    }
    stored = std::string_view(compressed_).substr(0, size);
  }

  out_.clear();
  McapBytes out(out_);
  const std::size_t chunk_record = out.begin_record(McapOp::Chunk);
  out.number(chunk_times_.first).number(chunk_times_.last).number(static_cast<std::uint64_t>(chunk_.size()));
  out.number(compute_crc32(chunk_)).text(compression_name(options_.compression));
  out.number(static_cast<std::uint64_t>(stored.size())).raw(stored);
  out.end_record(chunk_record);
  const std::uint64_t chunk_length = out_.size();

  std::string index_offsets;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    Channel& channel = channels_[i];
    if (channel.index.empty()) continue;
    const auto id = static_cast<std::uint16_t>(i + 1);
    McapBytes(index_offsets).number(id).number(file_bytes_ + out_.size());
    const std::size_t index_record = out.begin_record(McapOp::MessageIndex);
    out.number(id).text(channel.index);
    out.end_record(index_record);
  }

  const std::uint64_t offset = file_bytes_;
  append_to_file(out_);

  McapBytes index(chunk_indexes_);
  const std::size_t index_record = index.begin_record(McapOp::ChunkIndex);
  index.number(chunk_times_.first).number(chunk_times_.last).number(offset).number(chunk_length).text(index_offsets);
  index.number(out_.size() - chunk_length).text(compression_name(options_.compression));
  index.number(static_cast<std::uint64_t>(stored.size())).number(static_cast<std::uint64_t>(chunk_.size()));
  index.end_record(index_record);
  ++chunk_count_;

  for (Channel& channel : channels_) {
    channel.message_count += channel.index.size() / 16;
    channel.index.clear();
  }
  file_times_.add(chunk_times_.first);
  file_times_.add(chunk_times_.last);
  chunk_times_ = {};
  chunk_.clear();
}

std::string McapWriter::make_statistics() const {
  std::uint64_t message_count = 0;
  std::string channel_counts;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    message_count += channels_[i].message_count;
    McapBytes(channel_counts).number(static_cast<std::uint16_t>(i + 1)).number(channels_[i].message_count);
  }
  std::string bytes;
  McapBytes out(bytes);
  const std::size_t record = out.begin_record(McapOp::Statistics);
  out.number(message_count).number(static_cast<std::uint16_t>(schemas_.size()));
  out.number(static_cast<std::uint32_t>(channels_.size())).number(attachment_count_).number(metadata_count_);
  out.number(chunk_count_).number(file_times_.first).number(file_times_.last).text(channel_counts);
  out.end_record(record);
  return bytes;
}

// Summary section, summary offset section and footer, to be appended at file_bytes_.
std::string McapWriter::make_summary() const {
  std::string schema_records, channel_records;
  for (const std::string& record : schemas_) schema_records += record;
  for (const Channel& channel : channels_) channel_records += channel.record;

  std::string bytes, offsets;
  McapBytes out(bytes), offset_out(offsets);
  const auto add_group = [&](McapOp op, std::string_view records) {
    if (records.empty()) return;
    const std::size_t record = offset_out.begin_record(McapOp::SummaryOffset);
    offset_out.number(static_cast<std::uint8_t>(op)).number(file_bytes_ + bytes.size());
    offset_out.number(static_cast<std::uint64_t>(records.size()));
    offset_out.end_record(record);
    out.raw(records);
  };
  add_group(McapOp::Schema, schema_records);
  add_group(McapOp::Channel, channel_records);
  add_group(McapOp::Statistics, make_statistics());
  add_group(McapOp::ChunkIndex, chunk_indexes_);
  add_group(McapOp::AttachmentIndex, attachment_indexes_);
  add_group(McapOp::MetadataIndex, metadata_indexes_);

  const std::uint64_t summary_offset_start = file_bytes_ + bytes.size();
  out.raw(offsets);
  const std::size_t footer = out.begin_record(McapOp::Footer);
  out.number(file_bytes_).number(summary_offset_start).number(std::uint32_t{0});
  out.end_record(footer);
  bytes.resize(bytes.size() - sizeof(std::uint32_t));
  out.number(compute_crc32(bytes)).raw(kMcapMagic);
  return bytes;
}

void McapWriter::close() {
  if (file_ < 0) return;
  flush_chunk();
  std::string data_end;
  McapBytes out(data_end);
  const std::size_t record = out.begin_record(McapOp::DataEnd);
  out.number(file_crc_);
  out.end_record(record);
  append_to_file(data_end);
  append_to_file(make_summary());
  const int result = ::close(file_);
  file_ = -1;
  if (result != 0) throw Error(ErrorKind::File, path_, fmt::format("cannot close: {}", std::strerror(errno)));
}

}  // namespace sinew
