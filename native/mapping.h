// A file, mapped read-only: its pages are shared by all processes that map it.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

class Mapping {
 public:
  Mapping() = default;
  // Throws std::runtime_error where the file cannot be read.
  explicit Mapping(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) throw std::runtime_error(path + ": " + std::strerror(errno));
    struct stat status{};
    void* p = MAP_FAILED;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
      bytes_ = static_cast<size_t>(status.st_size);
      p = mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, file, 0);
    }
    close(file);
    if (p == MAP_FAILED)
      throw std::runtime_error(path + (status.st_size ? ": cannot be mapped" : ": is empty"));
    base_ = static_cast<const unsigned char*>(p);
  }
  Mapping(Mapping&& other) noexcept
      : base_(std::exchange(other.base_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Mapping& operator=(Mapping&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Mapping() {
    if (base_) munmap(const_cast<unsigned char*>(base_), bytes_);
  }

  const unsigned char* data() const { return base_; }
  size_t bytes() const { return bytes_; }

 private:
  const unsigned char* base_ = nullptr;
  size_t bytes_ = 0;
};

template <class T>
T read(const unsigned char* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}
