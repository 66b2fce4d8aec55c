// Tile registers and bfloat16 conversion in software, so that native/tiles.inc runs on processors without
// AMX. Slow and exact: the hardware too sums products in float32 (and flushes denormals, which these sums do
// not meet).
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "../../native/kernels.h"

namespace emulated {
inline thread_local uint8_t tiles[8][16][64];

inline void load(int tile, const void* from, long stride) {
  for (int r = 0; r < 16; ++r) std::memcpy(tiles[tile][r], static_cast<const char*>(from) + r * stride, 64);
}
inline void store(int tile, void* to, long stride) {
  for (int r = 0; r < 16; ++r) std::memcpy(static_cast<char*>(to) + r * stride, tiles[tile][r], 64);
}
inline void zero(int tile) { std::memset(tiles[tile], 0, sizeof tiles[tile]); }

// sum[m][n] += a[m][2k] * b[k][2n] + a[m][2k + 1] * b[k][2n + 1]; a bfloat16 is the high half of a float32.
__attribute__((target("avx512f"))) inline void multiply(int sum, int a, int b) {
  __m512 even[16], odd[16];
  for (int k = 0; k < 16; ++k) {
    const __m512i pairs = _mm512_loadu_si512(tiles[b][k]);
    even[k] = _mm512_castsi512_ps(_mm512_slli_epi32(pairs, 16));
    odd[k] = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_srli_epi32(pairs, 16), 16));
  }
  for (int m = 0; m < 16; ++m) {
    __m512 row = _mm512_loadu_ps(tiles[sum][m]);
    for (int k = 0; k < 16; ++k) {
      uint16_t pair[2];
      std::memcpy(pair, tiles[a][m] + 4 * k, 4);
      row = _mm512_fmadd_ps(_mm512_set1_ps(from_bfloat(pair[0])), even[k], row);
      row = _mm512_fmadd_ps(_mm512_set1_ps(from_bfloat(pair[1])), odd[k], row);
    }
    _mm512_storeu_ps(tiles[sum][m], row);
  }
}

// The low half of the result is of `low`, the high half of `high`, as the instruction has it.
__attribute__((target("avx512f"))) inline __m512i to_bfloats(__m512 high, __m512 low) {
  float in[32];
  uint16_t out[32];
  std::memcpy(in, &low, 64);
  std::memcpy(in + 16, &high, 64);
  for (int i = 0; i < 32; ++i) out[i] = to_bfloat(in[i]);
  __m512i result;
  std::memcpy(&result, out, 64);
  return result;
}
}  // namespace emulated

#undef _tile_zero
#undef _tile_loadd
#undef _tile_stored
#undef _tile_dpbf16ps
#define _tile_loadconfig(config) static_cast<void>(config)
#define _tile_zero(tile) emulated::zero(tile)
#define _tile_loadd(tile, from, stride) emulated::load(tile, from, stride)
#define _tile_stored(tile, to, stride) emulated::store(tile, to, stride)
#define _tile_dpbf16ps(sum, a, b) emulated::multiply(sum, a, b)
#define _mm512_cvtne2ps_pbh(high, low) emulated::to_bfloats(high, low)
