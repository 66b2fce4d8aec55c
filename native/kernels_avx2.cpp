// AVX2 and FMA. The headers come before the pragma: what they define inline is shared with files that must run on
// any processor.
#include "kernels.h"

#if defined(KERNELS_AVX)
#pragma GCC target("avx2,fma")
#pragma GCC diagnostic ignored "-Wpsabi"

namespace avx2 {
#define LANES 8
#define ROWS 6
#define NAME "avx2"
#include "vector.inc"
#include "float.inc"
}  // namespace avx2
#endif
