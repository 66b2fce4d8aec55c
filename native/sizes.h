// Arithmetic on sizes that files or callers name: it throws std::length_error where it would wrap.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <stdexcept>

static_assert(sizeof(size_t) == 8 && sizeof(long) == 8,
              "offsets in files and rows of activations have 64 bits");

constexpr size_t PAGE = 4096;

inline size_t product(std::initializer_list<size_t> factors) {
  size_t all = 1;
  for (const size_t factor : factors)
    if (__builtin_mul_overflow(all, factor, &all)) throw std::length_error("a size is beyond all memory");
  return all;
}

// `bytes` in whole pages.
inline size_t whole_pages(size_t bytes) {
  size_t all = 0;
  if (__builtin_add_overflow(bytes, PAGE - 1, &all)) throw std::length_error("a size is beyond all memory");
  return all / PAGE * PAGE;
}
