#include "weights.h"

#include <cstring>
#include <stdexcept>

namespace {
constexpr uint32_t FORMAT = 1;
constexpr size_t HEADER = 16, ENTRY = 112, NAME = 56;
enum Kind : uint32_t { FLOATS = 0, BYTES = 1 };

}  // namespace

Weights::Weights(const std::string& path) : file_(path) { read_table(); }

void Weights::read_table() {
  if (file_.bytes() < HEADER || std::memcmp(file_.data(), "KOKW", 4) != 0 || read<uint32_t>(file_.data() + 4) != FORMAT)
    throw std::runtime_error("not a weights file of this version");
  const size_t tensors = read<uint32_t>(file_.data() + 8);
  if (tensors > (file_.bytes() - HEADER) / ENTRY) throw std::runtime_error("the weights file is cut short");
  for (size_t i = 0; i < tensors; ++i) {
    const unsigned char* p = file_.data() + HEADER + i * ENTRY;
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
  auto inside = [&](uint64_t offset, size_t bytes) { return offset <= file_.bytes() && bytes <= file_.bytes() - offset; };
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
    std::memcpy(out.data(), file_.data() + e.data, n * 4);
    return out;
  }
  const size_t rows = e.shape[0], row = n / rows;
  for (size_t r = 0; r < rows; ++r) {
    const float scale = read<float>(file_.data() + e.scale + 4 * r), zero = read<float>(file_.data() + e.zero + 4 * r);
    for (size_t c = 0; c < row; ++c) out[r * row + c] = (file_.data()[e.data + r * row + c] - zero) * scale;
  }
  return out;
}
