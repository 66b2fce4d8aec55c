// Tile registers and bfloat16 conversion in software, so that native/tiles.inc runs on processors without AMX.
// Slow and exact: the hardware too sums products in float32 (and flushes denormals, which these sums do not meet).
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

// sum[m][n] += a[m][2k] * b[k][2n] + a[m][2k + 1] * b[k][2n + 1]
inline void multiply(int sum, int a, int b) {
  float wide[16][2][16];  // b by halves of pairs
  for (int k = 0; k < 16; ++k)
    for (int n = 0; n < 16; ++n)
      for (int half = 0; half < 2; ++half) {
        uint16_t x;
        std::memcpy(&x, tiles[b][k] + 4 * n + 2 * half, 2);
        wide[k][half][n] = from_bfloat(x);
      }
  for (int m = 0; m < 16; ++m) {
    float row[16];
    std::memcpy(row, tiles[sum][m], 64);
    for (int k = 0; k < 16; ++k)
      for (int half = 0; half < 2; ++half) {
        uint16_t x;
        std::memcpy(&x, tiles[a][m] + 4 * k + 2 * half, 2);
        const float factor = from_bfloat(x);
        for (int n = 0; n < 16; ++n) row[n] += factor * wide[k][half][n];
      }
    std::memcpy(tiles[sum][m], row, 64);
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
