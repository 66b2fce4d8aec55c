// Runs convolutions on the thread pool: windows, normalisation and the sums between two layers.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "buffer.h"
#include "cpu.h"
#include "kernels.h"
#include "pool.h"

// One style-dependent normalisation: gamma and beta are linear in one half of the style vector.
struct Norm {
  int channels = 0;
  bool predictor = false;         // uses the half of the style that pitch and energy use
  const float* weight = nullptr;  // [2 * channels][128]
  std::vector<float> bias;        // [2 * channels]
  std::vector<float> gamma_beta;  // [2 * channels], of the current style
};

// Sums and sums of squares by channel over the rows of an activation, a pair for each block of rows: added up
// in the order of the blocks, they do not depend on the threads.
class Sums {
 public:
  void prepare(long blocks, int channels);  // zeros
  int channels() const { return channels_; }
  double* of(long block) noexcept { return values_.data() + 2 * block * channels_; }  // [2][channels]
  double total(int channel) const { return over_blocks(channel); }
  double squares(int channel) const { return over_blocks(channels_ + channel); }
  size_t bytes() const { return values_.bytes(); }
  void release() { values_.release(); }

 private:
  double over_blocks(int place) const;
  Buffer<double> values_;
  long blocks_ = 0;
  int channels_ = 0;
};

enum class Split { TIME, OUTPUTS };  // how threads share a convolution

class Runner {
 public:
  // `widest`: channels, padded, of the widest input that will be normalised or scaled.
  Runner(const Choice& choice, int threads, int widest);

  const Kernels& kernels() const { return kernels_; }
  Pool& pool() { return pool_; }
  // Activations between the convolutions of the generator are float16.
  bool half() const { return kernels_.tiles && products_ == 1; }
  int products() const { return products_; }

  // A pass without normalisation.
  static Pass plain(const Layer& layer, const void* src, long src_stride, long rows, void* dst,
                    long dst_stride);
  static Pass leaky(const Layer& layer, const void* src, long src_stride, long rows, float slope, void* dst,
                    long dst_stride);

  // Two of them exist.
  Sums& sums(int which) { return sums_[which]; }
  // Sums over `rows`; before a block of rows is summed, `make(begin, end)` may make them.
  template <class Make>
  void gather(const void* x, bool half, long stride, long rows, int channels, Sums& sums, Make make) {
    static_assert(std::is_nothrow_invocable_v<Make&, long, long>,
                  "rows are made on the pool, where nobody catches");
    constexpr long BLOCK = 256;
    const long blocks = (rows + BLOCK - 1) / BLOCK;
    sums.prepare(blocks, channels);
    Shares shares(blocks, pool_.threads());
    pool_.run([&](int i) noexcept {
      for (long b; (b = shares.take(i)) >= 0;) {
        const long begin = b * BLOCK, end = std::min(rows, begin + BLOCK);
        make(begin, end);
        kernels_.sum(x, half, stride, begin, end, channels, sums.of(b));
      }
    });
  }
  // Sets scale and shift of the next pass: instance normalisation over `rows` with the style's gamma and
  // beta. Throws std::length_error, as scale() does, where that is more channels than there is room for.
  void normalise(const Norm& norm, const Sums& sums, long rows);
  void scale(float value, int channels);
  const float* current_scale() const { return scale_.data(); }
  const float* current_shift() const { return shift_.data(); }

  // `sums`: of the outputs, where they are wanted.
  void convolve(Pass pass, Split split, Sums* sums = nullptr);

  size_t bytes() const;
  void release();

 private:
  int padded(int channels) const;
  void by_time(const Pass& pass, Sums* sums);
  void by_outputs(const Pass& pass, Sums* sums);

  Kernels kernels_;
  int products_;
  Pool pool_;
  std::vector<Buffer<char>> windows_;
  std::vector<Buffer<float>> scratch_;
  Buffer<char> whole_;
  Sums sums_[2];
  std::vector<float> scale_, shift_;
};
