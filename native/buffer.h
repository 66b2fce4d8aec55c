// Memory straight from the system: page-aligned, zeroed, and really given back when it is released.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <utility>

#include "sizes.h"

// AddressSanitizer watches the bounds of the heap alone, so under it the memory comes from there, without
// rounding.
#if defined(__SANITIZE_ADDRESS__)
#define BUFFERS_ON_HEAP 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BUFFERS_ON_HEAP 1
#endif
#endif
#if defined(BUFFERS_ON_HEAP)
#include <cstring>
#endif

template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Buffer() { release(); }

  // Room for `count` elements. What was there is lost, and all is zero, where it has to grow.
  // Throws std::bad_alloc, or std::length_error where no memory could be so large.
  T* get(size_t count) {
    const size_t bytes = reserved(product({count, sizeof(T)}));
    if (bytes > bytes_) {
      release();
      data_ = static_cast<T*>(taken(bytes));
      bytes_ = bytes;
    }
    return data_;
  }
  void release() noexcept {
    if (data_) give_back(data_, bytes_);
    data_ = nullptr;
    bytes_ = 0;
  }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  size_t bytes() const noexcept { return bytes_; }

 private:
#if defined(BUFFERS_ON_HEAP)
  static size_t reserved(size_t bytes) { return bytes; }
  static void* taken(size_t bytes) {
    return std::memset(::operator new(bytes, std::align_val_t(PAGE)), 0, bytes);
  }
  static void give_back(void* p, size_t) noexcept { ::operator delete(p, std::align_val_t(PAGE)); }
#else
  static size_t reserved(size_t bytes) { return whole_pages(bytes); }
  static void* taken(size_t bytes) {
    void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    return p;
  }
  static void give_back(void* p, size_t bytes) noexcept { munmap(p, bytes); }
#endif

  T* data_ = nullptr;
  size_t bytes_ = 0;
};
