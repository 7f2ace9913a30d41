// 64-bit FNV-1a over bytes: names states and scenes in reports, so that two runs can be told equal bit for bit. Not cryptographic.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sinew {

class Hash {
 public:
  void add_bytes(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ bytes[i]) * 0x100000001b3ULL;
  }
  void add(std::string_view text) { add_bytes(text.data(), text.size()); }
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void add(std::span<const T> values) {
    add_bytes(values.data(), values.size_bytes());
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

}  // namespace sinew
