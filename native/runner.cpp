#include "runner.h"

#include <cmath>
#include <cstring>

namespace {
constexpr int MOST_CHANNELS = 2560;
}

Runner::Runner(const Choice& choice, int threads)
    : kernels_(choice.kernels),
      products_(choice.products),
      pool_(threads),
      windows_(threads),
      scratch_(threads),
      scale_(MOST_CHANNELS),
      shift_(MOST_CHANNELS) {}

Pass Runner::plain(const Layer& layer, const void* src, long src_stride, long rows, void* dst, long dst_stride) {
  Pass pass;
  pass.layer = &layer;
  pass.src = src;
  pass.src_stride = src_stride;
  pass.rows_in = pass.rows_out = rows;
  pass.dst = dst;
  pass.dst_stride = dst_stride;
  return pass;
}

Pass Runner::leaky(const Layer& layer, const void* src, long src_stride, long rows, float slope, void* dst, long dst_stride) {
  Pass pass = plain(layer, src, src_stride, rows, dst, dst_stride);
  pass.activation = Activation::LEAKY;
  pass.slope = slope;
  return pass;
}

double* Runner::fresh_sums(int which, int channels) {
  double* sums = sums_[which].get(static_cast<size_t>(pool_.threads()) * 2 * MOST_CHANNELS);
  std::memset(sums, 0, sizeof(double) * pool_.threads() * 2 * channels);
  return sums;
}

void Runner::gather(const void* x, bool half, long stride, long rows, int channels, double* sums) {
  const int n = pool_.threads();
  pool_.run([&](int i) { kernels_.sum(x, half, stride, rows * i / n, rows * (i + 1) / n, channels, sums + 2L * i * channels); });
}

void Runner::normalise(const Norm& norm, const double* sums, int stride, long rows) {
  for (int c = 0; c < norm.channels; ++c) {
    double s = 0, q = 0;
    for (int i = 0; i < pool_.threads(); ++i) {
      s += sums[2L * i * stride + c];
      q += sums[(2L * i + 1) * stride + c];
    }
    const double mean = s / rows, variance = std::max(0., q / rows - mean * mean);
    const double factor = norm.gamma_beta[c] / std::sqrt(variance + 1e-5);
    scale_[c] = static_cast<float>(factor);
    shift_[c] = static_cast<float>(norm.gamma_beta[norm.channels + c] - factor * mean);
  }
  for (int c = norm.channels; c < up(norm.channels, 32); ++c) scale_[c] = shift_[c] = 0;
}

void Runner::scale(float value, int channels) {
  std::fill(scale_.begin(), scale_.begin() + up(channels, 32), value);
  std::fill(shift_.begin(), shift_.begin() + up(channels, 32), 0.f);
}

void Runner::convolve(Pass pass, Split split) {
  pass.scale = scale_.data();
  pass.shift = shift_.data();
  split == Split::TIME ? by_time(pass) : by_outputs(pass);
}

double* Runner::sums_of(const Pass& pass, int thread) const {
  return pass.sums ? pass.sums + 2L * thread * pass.layer->out_padded : nullptr;
}

// Each thread takes a share of the time axis and slides a window over it: the halo of one block is kept for the next.
void Runner::by_time(const Pass& pass) {
  const Layer& layer = *pass.layer;
  const int halo = layer.halo(), panels = layer.out_padded / kernels_.panel, block = kernels_.block_rows(layer), n = pool_.threads();
  const long row = static_cast<long>(layer.in_padded) * (kernels_.tiles ? 2 : 4), plane = (block + halo + 64) * row;
  for (int i = 0; i < n; ++i) {
    windows_[i].get(2 * plane + 4096);
    scratch_[i].get(kernels_.scratch_floats(layer, block));
  }
  // Shares are cut at multiples of 64 rows, not of a block: short inputs would be shared unevenly.
  auto cut = [&](int i) { return i == n ? pass.rows_out : std::min(pass.rows_out, (pass.rows_out * i / n + 32) / 64 * 64); };
  pool_.run([&](int i) {
    char* window = windows_[i].data();
    const long begin = cut(i), end = cut(i + 1);
    long have = begin - layer.pad;
    for (long b = begin; b < end; b += block) {
      const int rows = static_cast<int>(std::min<long>(block, end - b));
      const long origin = b - layer.pad, need = origin + rows + halo;
      kernels_.activate(pass, have, need, window + (have - origin) * row, plane);
      have = need;
      kernels_.convolve(pass, window, plane, b, rows, 0, panels, sums_of(pass, i), scratch_[i].data());
      if (rows < block) break;
      std::memmove(window, window + block * row, halo * row);
      if (kernels_.tiles && layer.products > 1) std::memmove(window + plane, window + plane + block * row, halo * row);
    }
  });
}

// Few rows, many channels: each thread makes its share of the outputs from one input that all of them prepare.
void Runner::by_outputs(const Pass& pass) {
  const Layer& layer = *pass.layer;
  const int n = pool_.threads(), unit = kernels_.tiles ? 2 : 1, units = layer.out_padded / kernels_.panel / unit;
  const long row = static_cast<long>(layer.in_padded) * (kernels_.tiles ? 2 : 4), rows = pass.rows_out + layer.halo(), plane = (rows + 64) * row;
  char* in = whole_.get(2 * plane + 4096);
  for (int i = 0; i < n; ++i) scratch_[i].get(kernels_.scratch_floats(layer, static_cast<int>(pass.rows_out)));
  pool_.run([&](int i) {
    const long begin = rows * i / n, end = rows * (i + 1) / n;
    kernels_.activate(pass, begin - layer.pad, end - layer.pad, in + begin * row, plane);
  });
  pool_.run([&](int i) {
    const int first = units * i / n * unit, last = units * (i + 1) / n * unit;
    kernels_.convolve(pass, in, plane, 0, static_cast<int>(pass.rows_out), first, last, sums_of(pass, i), scratch_[i].data());
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
}
