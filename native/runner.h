// Runs convolutions on the thread pool: windows, normalisation and the sums between two layers.
#pragma once

#include <vector>

#include "cpu.h"
#include "kernels.h"
#include "pool.h"

// One style-dependent normalisation: gamma and beta are linear in one half of the style vector.
struct Norm {
  int channels = 0;
  bool predictor = false;              // uses the half of the style that pitch and energy use
  std::vector<float> weight, bias;     // [2 * channels][128], [2 * channels]
  std::vector<float> gamma_beta;       // [2 * channels], of the current style
};

enum class Split { TIME, OUTPUTS };    // how threads share a convolution

class Runner {
 public:
  Runner(const Choice& choice, int threads);

  const Kernels& kernels() const { return kernels_; }
  Pool& pool() { return pool_; }
  // Activations between the convolutions of the generator are float16.
  bool half() const { return kernels_.tiles && products_ == 1; }
  int products() const { return products_; }

  // A pass without normalisation.
  static Pass plain(const Layer& layer, const void* src, long src_stride, long rows, void* dst, long dst_stride);
  static Pass leaky(const Layer& layer, const void* src, long src_stride, long rows, float slope, void* dst, long dst_stride);

  // Zeroed room for the sums of `channels` channels: [threads][2][channels]. Two of them exist.
  double* fresh_sums(int which, int channels);
  void gather(const void* x, bool half, long stride, long rows, int channels, double* sums);
  // Sets scale and shift of the next pass: instance normalisation over `rows` with the style's gamma and beta.
  void normalise(const Norm& norm, const double* sums, int stride, long rows);
  void scale(float value, int channels);
  const float* current_scale() const { return scale_.data(); }
  const float* current_shift() const { return shift_.data(); }

  void convolve(Pass pass, Split split);

  size_t bytes() const;
  void release();

 private:
  void by_time(const Pass& pass);
  void by_outputs(const Pass& pass);
  double* sums_of(const Pass& pass, int thread) const;

  Kernels kernels_;
  int products_;
  Pool pool_;
  std::vector<Buffer<char>> windows_;
  std::vector<Buffer<float>> scratch_;
  Buffer<char> whole_;
  Buffer<double> sums_[2];
  std::vector<float> scale_, shift_;
};
