// The weights behind the front, packed for one instruction set.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cpu.h"
#include "kernels.h"
#include "packed.h"
#include "runner.h"
#include "weights.h"

// Residual block of the decoder and of the pitch and energy predictors.
struct AdainBlock {
  Layer conv1, conv2, shortcut;  // shortcut.in is 0 where it is the identity
  Norm norm1, norm2;
  std::vector<float> pool_weight, pool_bias;  // upsampling blocks: [in][3], [in]; else empty
  bool doubles() const { return !pool_weight.empty(); }
};

// Residual block of the generator: three pairs of dilated convolutions.
struct SnakeBlock {
  Layer conv[6];
  Norm norm[6];
  std::vector<float> alpha[6], inverse_alpha[6];  // alpha / pi, 1 / alpha
};

// A predicted curve (pitch or energy): blocks, projection, and the convolution that halves its rate for the
// decoder's sake.
struct Curve {
  AdainBlock block[3];
  std::vector<float> projection, down;  // [256], [3]
  float projection_bias = 0, down_bias = 0;
};

struct Model {
  // Packs what is not packed yet; throws std::runtime_error where a weight is missing or of another shape.
  // `packed` has to stay.
  Model(const Weights& weights, Packed& packed, const Choice& choice);
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  Curve pitch, energy;
  AdainBlock decoder[5];
  Layer asr_residual, up[2], noise[2], post;
  SnakeBlock resblock[6], noise_block[2];
  std::vector<float> harmonics;  // [9]
  float harmonics_bias = 0;
  std::vector<float> inverse_dft;  // [22][20]: real and imaginary parts of 11 bins -> 20 samples, windowed
  std::vector<Norm*> norms;        // all of the above
  int widest = 0;                  // channels of the widest input of a convolution, padded
};
