#include "weights.h"

#include <climits>
#include <cstring>
#include <stdexcept>

namespace {
constexpr uint32_t FORMAT = 1;
constexpr size_t HEADER = 16, ENTRY = 112, NAME = 56;
enum Kind : uint32_t { FLOATS = 0, BYTES = 1 };

// Empty where it is not one of letters, digits and signs of ASCII.
std::string name_at(const unsigned char* p) {
  std::string name;
  for (size_t i = 0; i < NAME && p[i]; ++i) {
    if (p[i] <= ' ' || p[i] > '~') return {};
    name += static_cast<char>(p[i]);
  }
  return name;
}
}  // namespace

Weights::Weights(const std::string& path) : file_(path) { read_table(); }

void Weights::read_table() {
  const unsigned char* table = file_.data();
  if (file_.bytes() < HEADER || std::memcmp(table, "KOKW", 4) != 0 || read<uint32_t>(table + 4) != FORMAT)
    throw std::runtime_error("not a weights file of this version");
  const size_t tensors = read<uint32_t>(table + 8);
  if (tensors > (file_.bytes() - HEADER) / ENTRY) throw std::runtime_error("the weights file is cut short");
  for (size_t i = 0; i < tensors; ++i) {
    const unsigned char* p = table + HEADER + i * ENTRY;
    Entry e;
    e.kind = read<uint32_t>(p + NAME);
    e.dimensions = read<uint32_t>(p + NAME + 4);
    std::memcpy(e.shape, p + NAME + 8, sizeof e.shape);
    e.data = read<uint64_t>(p + NAME + 24);
    e.scale = read<uint64_t>(p + NAME + 32);
    e.zero = read<uint64_t>(p + NAME + 40);
    const std::string name = name_at(p);
    const std::string shown = "tensor " + std::to_string(i) + (name.empty() ? "" : ", " + name);
    if (name.empty() || !fits(e))
      throw std::runtime_error("the weights file is damaged or cut short at " + shown);
    if (!entries_.emplace(name, e).second) throw std::runtime_error("the weights file has twice " + shown);
  }
}

// Divides where it could multiply: a file may say any number, and a product of them wraps.
bool Weights::inside(uint64_t offset, size_t elements, size_t bytes_each) const {
  return offset <= file_.bytes() && elements <= (file_.bytes() - offset) / bytes_each;
}

bool Weights::fits(Entry& e) const {
  if (e.dimensions < 1 || e.dimensions > MOST_AXES) return false;
  e.elements = 1;
  for (uint32_t axis = 0; axis < MOST_AXES; ++axis) {
    const uint32_t length = e.shape[axis];
    if (length < 1 || length > INT_MAX || (axis >= e.dimensions && length != 1)) return false;
    if (length > file_.bytes() / e.elements) return false;
    e.elements *= length;
  }
  const size_t rows = e.shape[0];
  if (e.kind == FLOATS) return inside(e.data, e.elements, sizeof(float));
  return e.kind == BYTES && inside(e.data, e.elements, 1) && inside(e.scale, rows, sizeof(float)) &&
         inside(e.zero, rows, sizeof(float));
}

const Weights::Entry& Weights::entry(const std::string& name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) throw std::runtime_error("the weights file has no tensor " + name);
  return found->second;
}

std::vector<int> Weights::shape(const std::string& name) const {
  const Entry& e = entry(name);
  return {e.shape, e.shape + e.dimensions};
}

std::vector<float> Weights::values(const std::string& name) const {
  const Entry& e = entry(name);
  std::vector<float> out(e.elements);
  if (e.kind == FLOATS) {
    std::memcpy(out.data(), file_.data() + e.data, e.elements * sizeof(float));
    return out;
  }
  const size_t rows = e.shape[0], row = e.elements / rows;
  for (size_t r = 0; r < rows; ++r) {
    const float scale = read<float>(file_.data() + e.scale + 4 * r),
                zero = read<float>(file_.data() + e.zero + 4 * r);
    for (size_t c = 0; c < row; ++c) out[r * row + c] = (file_.data()[e.data + r * row + c] - zero) * scale;
  }
  return out;
}
