#include "runner.h"

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

Runner::Runner(const Choice& choice, int threads, int widest)
    : kernels_(choice.kernels),
      products_(choice.products),
      pool_(threads),
      windows_(threads),
      scratch_(threads),
      scale_(widest),
      shift_(widest) {}

Pass Runner::plain(const Layer& layer, const void* src, long src_stride, long rows, void* dst,
                   long dst_stride) {
  Pass pass;
  pass.layer = &layer;
  pass.src = src;
  pass.src_stride = src_stride;
  pass.rows_in = pass.rows_out = rows;
  pass.dst = dst;
  pass.dst_stride = dst_stride;
  return pass;
}

Pass Runner::leaky(const Layer& layer, const void* src, long src_stride, long rows, float slope, void* dst,
                   long dst_stride) {
  Pass pass = plain(layer, src, src_stride, rows, dst, dst_stride);
  pass.activation = Activation::LEAKY;
  pass.slope = slope;
  return pass;
}

void Sums::prepare(long blocks, int channels) {
  blocks_ = blocks;
  channels_ = channels;
  const size_t count = static_cast<size_t>(blocks) * 2 * channels;
  std::memset(values_.get(count), 0, sizeof(double) * count);
}

double Sums::over_blocks(int place) const {
  double sum = 0;
  for (long b = 0; b < blocks_; ++b) sum += values_.data()[2 * b * channels_ + place];
  return sum;
}

int Runner::padded(int channels) const {
  const int all = up(channels, 32);
  if (all <= static_cast<int>(scale_.size())) return all;
  throw std::length_error(std::to_string(all) + " channels are more than the model's " +
                          std::to_string(scale_.size()));
}

void Runner::normalise(const Norm& norm, const Sums& sums, long rows) {
  const int all = padded(norm.channels);
  for (int c = 0; c < norm.channels; ++c) {
    const double s = sums.total(c), q = sums.squares(c);
    const double mean = s / rows, variance = std::max(0., q / rows - mean * mean);
    const double factor = norm.gamma_beta[c] / std::sqrt(variance + 1e-5);
    scale_[c] = static_cast<float>(factor);
    shift_[c] = static_cast<float>(norm.gamma_beta[norm.channels + c] - factor * mean);
  }
  for (int c = norm.channels; c < all; ++c) scale_[c] = shift_[c] = 0;
}

void Runner::scale(float value, int channels) {
  const int all = padded(channels);
  std::fill(scale_.begin(), scale_.begin() + all, value);
  std::fill(shift_.begin(), shift_.begin() + all, 0.f);
}

void Runner::convolve(Pass pass, Split split, Sums* sums) {
  pass.scale = scale_.data();
  pass.shift = shift_.data();
  split == Split::TIME ? by_time(pass, sums) : by_outputs(pass, sums);
}

// Threads take blocks of the time axis and slide a window over those that follow each other: the halo of one
// block is kept for the next. Where the blocks lie does not depend on the threads, so neither do the results.
void Runner::by_time(const Pass& pass, Sums* sums) {
  const Layer& layer = *pass.layer;
  const int halo = layer.halo(), panels = layer.out_padded / kernels_.panel, n = pool_.threads();
  const long size = kernels_.block_rows(layer), blocks = (pass.rows_out + size - 1) / size;
  const long row = static_cast<long>(layer.in_padded) * (kernels_.tiles ? 2 : 4);
  const long plane = (size + halo + 64) * row;
  for (int i = 0; i < n; ++i) {
    windows_[i].get(2 * plane + 4096);
    scratch_[i].get(kernels_.scratch_floats(layer, static_cast<int>(size)));
  }
  if (sums) sums->prepare(blocks, layer.out_padded);
  Shares shares(blocks, n);
  pool_.run([&](int i) noexcept {
    char* window = windows_[i].data();
    for (long b, before = -2; (b = shares.take(i)) >= 0; before = b) {
      const int rows = static_cast<int>(std::min(size, pass.rows_out - b * size));
      const int kept = b == before + 1 ? halo : 0;
      const long origin = b * size - layer.pad;
      for (const long half : {0L, plane}) {
        std::memmove(window + half, window + half + size * row, kept * row);
        if (!kernels_.tiles || layer.products == 1) break;
      }
      kernels_.activate(pass, origin + kept, origin + layer.whole(rows) + halo, window + kept * row, plane);
      kernels_.convolve(pass, window, plane, b * size, rows, 0, panels, sums ? sums->of(b) : nullptr,
                        scratch_[i].data());
    }
  });
}

// Few rows, many channels: threads take outputs, from one input that all of them prepare.
void Runner::by_outputs(const Pass& pass, Sums* sums) {
  const Layer& layer = *pass.layer;
  const int n = pool_.threads(), unit = kernels_.tiles ? 2 : 1;
  const long row = static_cast<long>(layer.in_padded) * (kernels_.tiles ? 2 : 4);
  const long rows = pass.rows_out + layer.halo(), plane = (rows + 64) * row;
  char* in = whole_.get(2 * plane + 4096);
  for (int i = 0; i < n; ++i)
    scratch_[i].get(kernels_.scratch_floats(layer, static_cast<int>(pass.rows_out)));
  if (sums) sums->prepare(1, layer.out_padded);
  pool_.run([&](int i) noexcept {
    const long begin = rows * i / n, end = rows * (i + 1) / n;
    kernels_.activate(pass, begin - layer.pad, end - layer.pad, in + begin * row, plane);
  });
  Shares units(layer.out_padded / kernels_.panel / unit, n);
  pool_.run([&](int i) noexcept {
    for (long u; (u = units.take(i)) >= 0;) {
      const int first = static_cast<int>(u) * unit;
      kernels_.convolve(pass, in, plane, 0, static_cast<int>(pass.rows_out), first, first + unit,
                        sums ? sums->of(0) : nullptr, scratch_[i].data());
    }
  });
}

size_t Runner::bytes() const {
  size_t total = whole_.bytes() + sums_[0].bytes() + sums_[1].bytes();
  for (const auto& b : windows_) total += b.bytes();
  for (const auto& b : scratch_) total += b.bytes();
  return total;
}

void Runner::release() {
  whole_.release();
  for (auto& b : windows_) b.release();
  for (auto& b : scratch_) b.release();
  for (auto& s : sums_) s.release();
}
