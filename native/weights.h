// The weights file, mapped. radio/models/native_weights.py writes it and describes its format.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "mapping.h"

class Weights {
 public:
  // Throws std::runtime_error where the file cannot be read or is not of this format.
  explicit Weights(const std::string& path);

  // The file as it is.
  const Mapping& file() const { return file_; }
  bool has(const std::string& name) const { return entries_.count(name) != 0; }
  // Length of one axis. Throws std::runtime_error where the tensor or the axis is missing.
  int size(const std::string& name, int axis) const;
  // The tensor as float32, dequantised. Throws std::runtime_error where it is missing.
  std::vector<float> values(const std::string& name) const;

 private:
  struct Entry {
    uint32_t kind = 0, dimensions = 0, shape[4] = {};
    uint64_t data = 0, scale = 0, zero = 0;
  };
  const Entry& entry(const std::string& name) const;
  static size_t count(const Entry& entry);
  void read_table();
  void check(const std::string& name, const Entry& entry) const;

  Mapping file_;
  std::map<std::string, Entry> entries_;
};
