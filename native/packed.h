// The weights as an instruction set multiplies them: arrays in the order in which the model asks for them,
// filled in memory, or mapped from a file that was saved before.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "buffer.h"
#include "mapping.h"
#include "sizes.h"

// What packed weights are made from and for.
struct PackedKey {
  std::string isa;
  uint64_t source = 0;  // checksum of the weights file
};

class Packed {
 public:
  // Empty: each array is filled when it is asked for.
  Packed() = default;
  // Throws std::runtime_error where the file cannot be read, is damaged, or is of another version, source or
  // instruction set.
  Packed(const std::string& path, const PackedKey& key);

  // The next array of `count` elements, in page-aligned memory. Where it is not in the file, `fill(T*)`
  // writes it over zeros. Throws std::length_error where no memory could be so large.
  template <class T, class Fill>
  const T* array(size_t count, Fill fill) {
    const size_t bytes = whole_pages(product({count, sizeof(T)}));
    if (file_.data()) return reinterpret_cast<const T*>(next(bytes));
    filled_.emplace_back();
    T* to = reinterpret_cast<T*>(filled_.back().get(bytes));
    fill(to);
    return to;
  }
  // Writes what was filled. Throws std::runtime_error where it cannot.
  void save(const std::string& path, const PackedKey& key) const;

 private:
  const unsigned char* next(size_t bytes);

  Mapping file_;
  size_t place_ = 0;
  std::vector<Buffer<char>> filled_;
};

// Of any bytes; a change of one word always changes it. Not against forgery.
class Checksum {
 public:
  void add(const void* data, size_t bytes);
  uint64_t value() const;

 private:
  static constexpr int LANES = 8;
  uint64_t lanes_[LANES] = {1, 2, 3, 4, 5, 6, 7, 8}, total_ = 0;
};
