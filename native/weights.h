// The weights file, mapped. radio/models/native_weights.py writes it and describes its format.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "mapping.h"

class Weights {
 public:
  // Throws std::runtime_error where the file cannot be read, is not of this format, or names anything outside
  // itself.
  explicit Weights(const std::string& path);

  // The file as it is.
  const Mapping& file() const { return file_; }
  bool has(const std::string& name) const { return entries_.count(name) != 0; }
  // Lengths of the axes, each at least 1. Throws std::runtime_error where the tensor is missing.
  std::vector<int> shape(const std::string& name) const;
  // The tensor as float32, dequantised. Throws std::runtime_error where it is missing.
  std::vector<float> values(const std::string& name) const;

 private:
  static constexpr uint32_t MOST_AXES = 4;
  struct Entry {
    uint32_t kind = 0, dimensions = 0, shape[MOST_AXES] = {};
    uint64_t data = 0, scale = 0, zero = 0;
    size_t elements = 0;  // the product of the shape
  };
  const Entry& entry(const std::string& name) const;
  void read_table();
  bool fits(Entry& entry) const;
  bool inside(uint64_t offset, size_t elements, size_t bytes_each) const;

  Mapping file_;
  std::map<std::string, Entry> entries_;
};
