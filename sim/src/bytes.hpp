// Values as bytes, to go from one process to another of the same program.
#pragma once

#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace odemesh::sim {

/// Appends values to a string, in this machine's own layout.
class ByteWriter {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void put(const T& value) { putArray(std::span<const T>(&value, 1)); }

  void put(const std::string& text) {
    put(text.size());
    putArray(std::span<const char>(text));
  }

  /// The elements alone, without their number.
  template <class T>
  void putArray(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (!values.empty()) out_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }

  void reserve(std::size_t bytes) { out_.reserve(bytes); }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

/// Takes the values off again, in the same order; throws std::length_error where there are too few bytes.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void take(T& value) { takeArray(std::span<T>(&value, 1)); }

  void take(std::string& text) {
    text.resize(takeCount(1));
    takeArray(std::span<char>(text));
  }

  /// A number of things to come that take at least `bytes_each`.
  [[nodiscard]] std::size_t takeCount(std::size_t bytes_each) {
    std::size_t count = 0;
    take(count);
    if (count > rest_.size() / bytes_each) throw std::length_error("there are fewer bytes than promised");
    return count;
  }

  template <class T>
  void takeArray(std::span<T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (values.size_bytes() > rest_.size()) throw std::length_error("there are fewer bytes than promised");
    if (!values.empty()) std::memcpy(static_cast<void*>(values.data()), rest_.data(), values.size_bytes());
    rest_.remove_prefix(values.size_bytes());
  }

 private:
  std::string_view rest_;
};

}  // namespace odemesh::sim
