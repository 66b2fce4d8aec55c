// AVX2 and FMA. The headers come before the pragma: what they define inline is shared with files that must
// run on any processor.
#include "kernels.h"

#if defined(KERNELS_AVX)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC target("avx2,fma")
#endif
#pragma GCC diagnostic ignored "-Wpsabi"

namespace avx2 {
#define LANES 8
#define ROWS 6
#define NAME "avx2"
#include "vector.inc"
#include "float.inc"
}  // namespace avx2
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
