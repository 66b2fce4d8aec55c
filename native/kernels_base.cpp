// The portable kernels: vectors of 4 floats, which are NEON on aarch64 and SSE2 on x86-64.
#include "kernels.h"

#pragma GCC diagnostic ignored "-Wpsabi"

namespace base {
#define LANES 4
#define ROWS 6
#define NAME "base"
#include "vector.inc"
#include "float.inc"
}  // namespace base
