// Which instruction sets this processor and system can run.
#pragma once

#include <string>

#include "kernels.h"

struct Choice {
  Kernels kernels;
  const char* name = nullptr;
  int products = 1;  // tiles: 1 or 3
};

// `isa`: auto (the fastest), amx (bfloat16), amx3 (tiles in three products, close to float32), avx512, avx2,
// base. Throws std::runtime_error where this machine or build has it not.
Choice choose(const std::string& isa);

// Names that choose() takes here, fastest first, separated by blanks.
std::string available();
