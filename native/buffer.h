// Memory straight from the system: page-aligned, zeroed, and really given back when it is released.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <utility>

template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Buffer() { release(); }

  // Room for `count` elements. What was there is lost, and all is zero, where it has to grow.
  T* get(size_t count) {
    const size_t bytes = (count * sizeof(T) + 4095) / 4096 * 4096;
    if (bytes > bytes_) {
      release();
      void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (p == MAP_FAILED) throw std::bad_alloc();
      data_ = static_cast<T*>(p);
      bytes_ = bytes;
    }
    return data_;
  }
  void release() {
    if (data_) munmap(data_, bytes_);
    data_ = nullptr;
    bytes_ = 0;
  }
  T* data() { return data_; }
  const T* data() const { return data_; }
  size_t bytes() const { return bytes_; }

 private:
  T* data_ = nullptr;
  size_t bytes_ = 0;
};
