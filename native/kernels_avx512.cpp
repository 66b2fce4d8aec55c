// AVX-512 F, DQ, BW, VL.
#include "kernels.h"

#if defined(KERNELS_AVX)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl"))), \
                             apply_to = function)
#else
#pragma GCC target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#endif
#pragma GCC diagnostic ignored "-Wpsabi"

namespace avx512 {
#define LANES 16
#define ROWS 10
#define NAME "avx512"
#include "vector.inc"
#include "float.inc"
}  // namespace avx512
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
