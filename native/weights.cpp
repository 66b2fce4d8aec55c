#include "weights.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace {
constexpr uint32_t FORMAT = 1;
constexpr size_t HEADER = 16, ENTRY = 112, NAME = 56;
enum Kind : uint32_t { FLOATS = 0, BYTES = 1 };

template <class T>
T read(const unsigned char* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}
}  // namespace

Weights::Weights(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) throw std::runtime_error(path + ": " + std::strerror(errno));
  struct stat status {};
  void* p = MAP_FAILED;
  if (fstat(file, &status) == 0 && status.st_size > 0) {
    bytes_ = static_cast<size_t>(status.st_size);
    p = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file, 0);
  }
  close(file);
  if (p == MAP_FAILED) throw std::runtime_error(path + ": cannot be mapped");
  base_ = static_cast<const unsigned char*>(p);
  try {
    read_table();
  } catch (...) {
    munmap(p, bytes_);
    throw;
  }
}

Weights::~Weights() { munmap(const_cast<unsigned char*>(base_), bytes_); }

void Weights::read_table() {
  if (bytes_ < HEADER || std::memcmp(base_, "KOKW", 4) != 0 || read<uint32_t>(base_ + 4) != FORMAT)
    throw std::runtime_error("not a weights file of this version");
  const size_t tensors = read<uint32_t>(base_ + 8);
  if (tensors > (bytes_ - HEADER) / ENTRY) throw std::runtime_error("the weights file is cut short");
  for (size_t i = 0; i < tensors; ++i) {
    const unsigned char* p = base_ + HEADER + i * ENTRY;
    Entry e;
    e.kind = read<uint32_t>(p + NAME);
    e.dimensions = read<uint32_t>(p + NAME + 4);
    std::memcpy(e.shape, p + NAME + 8, sizeof e.shape);
    e.data = read<uint64_t>(p + NAME + 24);
    e.scale = read<uint64_t>(p + NAME + 32);
    e.zero = read<uint64_t>(p + NAME + 40);
    const std::string name(reinterpret_cast<const char*>(p), strnlen(reinterpret_cast<const char*>(p), NAME));
    check(name, e);
    entries_[name] = e;
  }
}

size_t Weights::count(const Entry& e) {
  return static_cast<size_t>(e.shape[0]) * e.shape[1] * e.shape[2] * e.shape[3];
}

void Weights::check(const std::string& name, const Entry& e) const {
  const size_t n = count(e), rows = e.shape[0];
  auto inside = [&](uint64_t offset, size_t bytes) { return offset <= bytes_ && bytes <= bytes_ - offset; };
  const bool fits = e.kind == FLOATS ? inside(e.data, n * 4)
                                     : e.kind == BYTES && inside(e.data, n) && inside(e.scale, rows * 4) && inside(e.zero, rows * 4);
  if (!fits || e.dimensions < 1 || e.dimensions > 4) throw std::runtime_error("the weights file is damaged at " + name);
}

const Weights::Entry& Weights::entry(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) throw std::runtime_error("the weights file has no tensor " + name);
  return found->second;
}

int Weights::size(const std::string& name, int axis) const {
  const Entry& e = entry(name);
  if (axis < 0 || axis >= static_cast<int>(e.dimensions)) throw std::runtime_error(name + " has fewer axes than expected");
  return static_cast<int>(e.shape[axis]);
}

std::vector<float> Weights::values(const std::string& name) const {
  const Entry& e = entry(name);
  const size_t n = count(e);
  std::vector<float> out(n);
  if (e.kind == FLOATS) {
    std::memcpy(out.data(), base_ + e.data, n * 4);
    return out;
  }
  const size_t rows = e.shape[0], row = n / rows;
  for (size_t r = 0; r < rows; ++r) {
    const float scale = read<float>(base_ + e.scale + 4 * r), zero = read<float>(base_ + e.zero + 4 * r);
    for (size_t c = 0; c < row; ++c) out[r * row + c] = (base_[e.data + r * row + c] - zero) * scale;
  }
  return out;
}
