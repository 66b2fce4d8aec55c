// What an instruction set offers: the five functions of `Kernels`, and the data they work on.
//
// All activations are time-major, [rows][channels]; channels are padded to a multiple of 32. A convolution
// runs in two steps: `activate` reads rows of the input, applies normalisation and activation, and writes
// them as the convolution's input into a window (float32, or bfloat16 for tiles); `convolve` multiplies from
// that window (implicit GEMM, or Winograd), adds bias and residual, and gathers the sums that the next
// layer's instance normalisation needs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "winograd.h"

inline int up(int a, int b) noexcept { return (a + b - 1) / b * b; }

enum class Activation { NONE, LEAKY, SNAKE };

// One convolution's packed weights.
struct Layer {
  int in = 0, in_padded = 0, out = 0, out_padded = 0;
  int taps = 0, dilation = 1;
  int pad = 0;       // rows of zeros in front of the input
  Scheme winograd;   // none: direct
  int groups = 0;    // Winograd: the taps in groups of the scheme's
  int products = 1;  // tiles: 1 = bfloat16; 3 = high and low halves, close to float32
  std::vector<float> bias;
  // [out/panel][taps][in][panel]; Winograd: [out/panel][points][groups][in][panel].
  const float* weights = nullptr;
  // Tiles: [out/16][in/32][taps][16 pairs of inputs][16 outputs][2].
  const uint16_t *high = nullptr, *low = nullptr;

  // `rows` in whole Winograd tiles: all inputs of a tile have a share in the rounding of each of its outputs.
  int whole(int rows) const { return winograd.outputs ? up(rows, winograd.outputs * dilation) : rows; }
  // Input rows that one block of outputs reads beyond its own number.
  int halo() const { return (winograd.outputs ? winograd.taps * groups - 1 : taps - 1) * dilation; }
};

// One convolution to be run. Strides in elements.
struct Pass {
  const Layer* layer = nullptr;
  const void* src = nullptr;
  long src_stride = 0, rows_in = 0, rows_out = 0;
  Activation activation = Activation::NONE;
  float slope = 0;                                         // LEAKY
  const float *scale = nullptr, *shift = nullptr;          // per channel, before the activation
  const float *alpha = nullptr, *inverse_alpha = nullptr;  // SNAKE: alpha / pi, 1 / alpha
  void* dst = nullptr;
  long dst_stride = 0;
  const void* residual = nullptr;
  long residual_stride = 0;
  bool accumulate = false;                  // dst += ..., only with a residual
  float out_scale = 1;                      // of (convolution + residual), only with a residual
  bool src_half = false, dst_half = false;  // float16 instead of float32; `residual` is like `dst`
};

// None of them throws: they run on the pool.
struct Kernels {
  const char* name = nullptr;
  int panel = 0;       // outputs that are packed together
  bool tiles = false;  // convolution inputs in bfloat16
  // Input rows [begin, end) -> convolution input; rows outside the input are zero. `plane`: bytes from the
  // high to the low halves.
  void (*activate)(const Pass&, long begin, long end, char* out, long plane) noexcept = nullptr;
  // `rows` outputs from row `t` on, panels [first, last), from the window `in` whose first row is t - pad.
  void (*convolve)(const Pass&, const char* in, long plane, long t, int rows, int first, int last,
                   double* sums, float* scratch) noexcept = nullptr;
  // Adds the sums and the sums of squares of rows [begin, end).
  void (*sum)(const void* x, bool half, long stride, long begin, long end, int channels,
              double* sums) noexcept = nullptr;
  void (*add)(void* x, const void* a, const void* b, bool half, long count) noexcept = nullptr;  // x = a + b
  int (*block_rows)(const Layer&) noexcept = nullptr;  // outputs per window
  // What `convolve` needs for `rows` outputs.
  size_t (*scratch_floats)(const Layer&, int rows) noexcept = nullptr;
};

inline uint16_t to_bfloat(float f) noexcept {
  uint32_t u;
  std::memcpy(&u, &f, 4);
  return static_cast<uint16_t>((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
inline float from_bfloat(uint16_t h) noexcept {
  const uint32_t u = static_cast<uint32_t>(h) << 16;
  float f;
  std::memcpy(&f, &u, 4);
  return f;
}

// sin(pi z) / z as a polynomial in z^2 for |z| <= 1/2.
constexpr float SINE[6] = {3.141592654e+00f,  -5.167712765e+00f, 2.550163319e+00f,
                           -5.992521978e-01f, 8.205040174e-02f,  -7.028386293e-03f};

// GCC and clang compile the parts for newer instruction sets by pragma, the tiles GCC alone; other compilers
// get the portable part only.
#if defined(__x86_64__) && (defined(__clang__) || (defined(__GNUC__) && __GNUC__ >= 9))
#define KERNELS_AVX 1
#if !defined(__clang__) && __GNUC__ >= 12
#define KERNELS_AMX 1
#endif
#endif

namespace base {
Kernels kernels();
}
namespace avx2 {
Kernels kernels();
}
namespace avx512 {
Kernels kernels();
}
namespace amx {
Kernels kernels();
}
