#include "sinew/io/mcap_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 16;  // bytes read at a time where nothing needs to be kept

}  // namespace

McapReader::McapReader(std::string path) : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status{};
  if (file_ < 0 || ::fstat(file_, &status) != 0) {
    const int reason = errno;
    if (file_ >= 0) ::close(file_);
    throw Error(ErrorKind::File, path_, fmt::format("cannot open this file: {}", std::strerror(reason)));
  }
  try {
    if (!S_ISREG(status.st_mode))
      throw Error(ErrorKind::File, path_, "expected an MCAP file, got something that is no file");
    file_size_ = static_cast<std::uint64_t>(status.st_size);
    std::string magic;
    read_at(0, static_cast<std::size_t>(std::min<std::uint64_t>(file_size_, kMcapMagic.size())), magic);
    if (magic.empty()) refuse("the file is empty");
    if (!kMcapMagic.starts_with(magic)) refuse("expected the mark of an MCAP file, got something else");
    next_offset_ = magic.size();
    crc_ = compute_crc32(magic);
    expects_footer_ = has_footer();
  } catch (...) {
    ::close(file_);
    throw;
  }
}

McapReader::~McapReader() {
  if (file_ >= 0) ::close(file_);
}

void McapReader::refuse(const std::string& what) const {
  throw Error(ErrorKind::File, path_, fmt::format("damaged or no recording, byte {}: {}", record_offset_, what));
}

void McapReader::read_at(std::uint64_t offset, std::size_t size, std::string& bytes) const {
  bytes.resize(size);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::pread(file_, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw Error(ErrorKind::File, path_,
                  fmt::format("cannot read at byte {}: {}", offset + done, std::strerror(errno)));
    }
    if (got == 0)
      throw Error(ErrorKind::File, path_,
                  fmt::format("the file became shorter while being read, at byte {}", offset + done));
    done += static_cast<std::size_t>(got);
  }
}

bool McapReader::has_footer() const {
  constexpr std::size_t kTail = kMcapRecordPrefix + kMcapFooterContent + kMcapMagic.size();
  if (file_size_ < kMcapMagic.size() + kTail) return false;
  std::string tail;
  read_at(file_size_ - kTail, kTail, tail);
  McapFields fields(tail);
  return fields.number<std::uint8_t>() == static_cast<std::uint8_t>(McapOp::Footer) &&
         fields.number<std::uint64_t>() == kMcapFooterContent && tail.ends_with(kMcapMagic);
}

// A file system that lost power may leave a tail of zeros where data had not reached the disk.
bool McapReader::rest_is_zero() const {
  std::string block;
  for (std::uint64_t offset = next_offset_; offset < file_size_; offset += block.size()) {
    read_at(offset, static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, file_size_ - offset)), block);
    if (block.find_first_not_of('\0') != std::string::npos) return false;
  }
  return true;
}

// Brings the next record of the file to record_op_ and record_; false where the file ends before the record does.
bool McapReader::read_record() {
  record_offset_ = next_offset_;
  const std::uint64_t left = file_size_ - next_offset_;
  std::string prefix;
  if (left >= kMcapRecordPrefix) read_at(next_offset_, kMcapRecordPrefix, prefix);
  McapFields fields(prefix);
  record_op_ = fields.number<std::uint8_t>();
  const auto length = fields.number<std::uint64_t>();
  const bool is_cut_off = fields.failed() || length > left - kMcapRecordPrefix;
  if (is_cut_off && expects_footer_) refuse("a record runs past the end of the file");
  if (!fields.failed() && length > kMcapLargestRecord) refuse(fmt::format("impossible record length {}", length));
  if (is_cut_off) return false;
  if (record_op_ == 0) {
    if (!expects_footer_ && rest_is_zero()) return false;
    refuse("record type 0 does not exist");
  }
  read_at(next_offset_ + kMcapRecordPrefix, static_cast<std::size_t>(length), record_);
  next_offset_ += kMcapRecordPrefix + length;
  return true;
}

bool McapReader::read_message(McapMessage& message) {
  while (true) {
    while (!chunk_rest_.empty()) {
      McapFields fields(chunk_rest_);
      const auto op = fields.number<std::uint8_t>();
      const std::string_view content = fields.raw(fields.number<std::uint64_t>());
      if (fields.failed()) refuse("a record in this chunk runs past the end of the chunk");
      chunk_rest_ = fields.rest();
      const auto known = static_cast<McapOp>(op);
      if (known == McapOp::Message && take_message(content, message)) return true;
      if (known == McapOp::Schema) take_schema(content);
      if (known == McapOp::Channel) take_channel(content);
    }
    if (is_at_end_) return false;
    if (!read_record()) {
      is_truncated_ = true;
      is_at_end_ = true;
      return false;
    }
    const std::uint32_t crc_before = crc_;
    std::string prefix;
    McapBytes(prefix).number(record_op_).number(static_cast<std::uint64_t>(record_.size()));
    crc_ = compute_crc32(record_, compute_crc32(prefix, crc_));
    if (static_cast<McapOp>(record_op_) == McapOp::DataEnd) {
      end_data(record_, crc_before);
    } else if (take_record(static_cast<McapOp>(record_op_), record_, message)) {
      return true;
    }
  }
}

// True if the record was a message. Records this reader has no use for, and ones a later version of the format adds,
// are passed over.
bool McapReader::take_record(McapOp op, std::string_view content, McapMessage& message) {
  if (record_offset_ == kMcapMagic.size() && op != McapOp::Header) refuse("expected a header record");
  switch (op) {
    case McapOp::Header: {
      McapFields fields(content);
      fields.text();  // profile
      library_ = fields.text();
      if (fields.failed()) refuse("header record too short");
      return false;
    }
    case McapOp::Footer:
      refuse("footer before the end of the data section");
    case McapOp::Schema:
      return take_schema(content), false;
    case McapOp::Channel:
      return take_channel(content), false;
    case McapOp::Message:
      return take_message(content, message);
    case McapOp::Chunk:
      return open_chunk(content), false;
    case McapOp::Attachment:
      return take_attachment(content), false;
    case McapOp::Metadata: {
      McapFields fields(content);
      McapMetadata metadata{.name = std::string(fields.text()), .map = fields.map()};
      if (fields.failed()) refuse("metadata record too short");
      metadata_.push_back(std::move(metadata));
      return false;
    }
    default:
      return false;
  }
}

bool McapReader::take_message(std::string_view content, McapMessage& message) {
  McapFields fields(content);
  message.channel_id = fields.number<std::uint16_t>();
  message.sequence = fields.number<std::uint32_t>();
  message.log_time = fields.number<std::uint64_t>();
  message.publish_time = fields.number<std::uint64_t>();
  message.data = fields.rest();
  if (fields.failed()) refuse("message record too short");
  if (!channels_.contains(message.channel_id)) refuse(fmt::format("message on unknown channel {}", message.channel_id));
  return true;
}

void McapReader::take_schema(std::string_view content) {
  McapFields fields(content);
  const auto id = fields.number<std::uint16_t>();
  McapSchema schema{
      .name = std::string(fields.text()), .encoding = std::string(fields.text()), .data = std::string(fields.text())};
  if (fields.failed()) refuse("schema record too short");
  if (id != 0) schemas_.insert_or_assign(id, std::move(schema));
}

void McapReader::take_channel(std::string_view content) {
  McapFields fields(content);
  const auto id = fields.number<std::uint16_t>();
  McapChannel channel{.schema_id = fields.number<std::uint16_t>(),
                      .topic = std::string(fields.text()),
                      .message_encoding = std::string(fields.text()),
                      .metadata = fields.map()};
  if (fields.failed()) refuse("channel record too short");
  if (channel.schema_id != 0 && !schemas_.contains(channel.schema_id))
    refuse(fmt::format("channel '{}' has unknown schema {}", channel.topic, channel.schema_id));
  channels_.insert_or_assign(id, std::move(channel));
}

void McapReader::take_attachment(std::string_view content) {
  McapFields fields(content);
  fields.number<std::uint64_t>();  // log time
  fields.number<std::uint64_t>();  // create time
  McapAttachment attachment{.name = std::string(fields.text()), .media_type = std::string(fields.text()), .data = {}};
  attachment.data = fields.raw(fields.number<std::uint64_t>());
  const std::size_t checked_bytes = content.size() - fields.rest().size();
  const auto crc = fields.number<std::uint32_t>();
  if (fields.failed()) refuse("attachment record too short");
  if (crc != 0 && crc != compute_crc32(content.substr(0, checked_bytes)))
    refuse(fmt::format("checksum of attachment '{}' does not match", attachment.name));
  attachments_.push_back(std::move(attachment));
}

void McapReader::open_chunk(std::string_view content) {
  McapFields fields(content);
  fields.number<std::uint64_t>();  // first log time
  fields.number<std::uint64_t>();  // last log time
  const auto size = fields.number<std::uint64_t>();
  const auto crc = fields.number<std::uint32_t>();
  const std::string_view compression = fields.text();
  const std::string_view stored = fields.raw(fields.number<std::uint64_t>());
  if (fields.failed()) refuse("chunk record too short");
  if (compression.empty()) {
    if (size != stored.size()) refuse("chunk sizes disagree");
    chunk_rest_ = stored;
  } else if (compression == "zstd") {
    // A zstd block holds at most 128 KiB and takes at least 4 bytes, so the size that is claimed can be judged before
    // allocating.
    constexpr std::uint64_t kLargestBlock = 128 << 10;
    const bool is_possible = size <= kMcapLargestChunk && size <= (stored.size() / 4 + 1) * kLargestBlock;
    if (!is_possible) refuse(fmt::format("impossible chunk size {}", size));
    uncompressed_.resize(static_cast<std::size_t>(size));
    const std::size_t got = ZSTD_decompress(uncompressed_.data(), uncompressed_.size(), stored.data(), stored.size());
    if (ZSTD_isError(got)) refuse(fmt::format("chunk cannot be decompressed: {}", ZSTD_getErrorName(got)));
    if (got != size) refuse("chunk sizes disagree");
    chunk_rest_ = uncompressed_;
  } else {
    refuse(fmt::format("chunk compression '{}' is not supported (known: zstd)", compression));
  }
  if (crc != 0 && crc != compute_crc32(chunk_rest_)) refuse("checksum of this chunk does not match");
}

// The data section is over: check its checksum, and the one of the summary behind it, which is not needed otherwise.
void McapReader::end_data(std::string_view content, std::uint32_t crc_before) {
  McapFields data_end(content);
  const auto data_crc = data_end.number<std::uint32_t>();
  if (data_end.failed()) refuse("data end record too short");
  if (data_crc != 0 && data_crc != crc_before) refuse("checksum of the data section does not match");
  is_at_end_ = true;
  is_truncated_ = !expects_footer_;
  if (is_truncated_) return;

  const std::uint64_t footer_offset = file_size_ - kMcapMagic.size() - kMcapFooterContent - kMcapRecordPrefix;
  record_offset_ = footer_offset;
  if (footer_offset < next_offset_) refuse("footer inside the data section");
  std::string footer;
  read_at(footer_offset + kMcapRecordPrefix, kMcapFooterContent, footer);
  McapFields fields(footer);
  const auto summary_start = fields.number<std::uint64_t>();
  fields.number<std::uint64_t>();  // start of the summary offsets
  const auto summary_crc = fields.number<std::uint32_t>();
  const std::uint64_t checked_end = file_size_ - kMcapMagic.size() - sizeof(summary_crc);
  const std::uint64_t checked_start = summary_start == 0 ? footer_offset : summary_start;
  if (checked_start < next_offset_ || checked_start > footer_offset) refuse("summary outside the file");
  if (summary_crc == 0) return;
  std::uint32_t crc = 0;
  std::string block;
  for (std::uint64_t offset = checked_start; offset < checked_end; offset += block.size()) {
    read_at(offset, static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, checked_end - offset)), block);
    crc = compute_crc32(block, crc);
  }
  if (crc != summary_crc) refuse("checksum of the summary does not match");
}

}  // namespace sinew
