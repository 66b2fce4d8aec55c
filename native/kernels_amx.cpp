// AMX: bfloat16 tiles with float32 sums, AVX-512 around them.
#include "kernels.h"

#if defined(KERNELS_AMX)
#include <immintrin.h>
#if defined(KERNELS_EMULATED_TILES)  // for tests on processors without tiles
#include "../tests/native/emulated_tiles.h"
#pragma GCC target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")
#else
#pragma GCC target( \
    "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,amx-tile,amx-bf16,prefer-vector-width=512")
#endif
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wignored-attributes"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // in the compiler's own intrinsics
#pragma GCC diagnostic ignored "-Wuninitialized"

namespace amx {
#define LANES 16
#define KERNELS_HALF
#include "vector.inc"
#include "tiles.inc"
}  // namespace amx
#endif
