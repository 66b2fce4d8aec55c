#include "synthesis.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>

#include "sound.h"

namespace {
constexpr float HALF_POWER = 0.70710678f;
constexpr long FEATURE_STRIDE = 544;       // 512 text features, pitch, energy, zeros
constexpr long BLOCK_STRIDE = 1120;        // 1024 of a block, 64 of the text, pitch, energy, zeros
constexpr size_t KEPT_BYTES = 200u << 20;  // sentences of usual length keep their buffers

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

float dot(const float* a, const float* b, int n) noexcept {  // n: a multiple of 16
  float part[16] = {};
  for (int c = 0; c < n; c += 16)
    for (int v = 0; v < 16; ++v) part[v] += a[c + v] * b[c + v];
  float sum = 0;
  for (const float p : part) sum += p;
  return sum;
}

// Token of every frame.
std::vector<int> expand(const Utterance& u) {
  if (u.frames < 1 || u.frames > MOST_FRAMES)
    throw std::invalid_argument(std::to_string(u.frames) + " frames are not 1 to " +
                                std::to_string(MOST_FRAMES));
  std::vector<int> out;
  out.reserve(u.frames);
  for (long i = 0; i < u.tokens; ++i) {
    const float d = u.durations[i];
    if (!(d >= 0 && d <= u.frames - static_cast<long>(out.size())))
      throw std::invalid_argument("durations do not sum up to the frames");
    out.insert(out.end(), static_cast<size_t>(d), static_cast<int>(i));
  }
  if (static_cast<long>(out.size()) != u.frames)
    throw std::invalid_argument("durations do not sum up to the frames");
  return out;
}

// Point i of a curve at half its rate: convolution of three taps, stride 2.
float halved(const Curve& curve, const std::vector<float>& points, long i) {
  float v = curve.down_bias;
  for (int k = 0; k < 3; ++k) {
    const long q = 2 * i + k - 1;
    if (q >= 0 && q < static_cast<long>(points.size())) v += curve.down[k] * points[q];
  }
  return v;
}
}  // namespace

Synthesis::Synthesis(const Weights& weights, Packed packed, const Choice& choice, int threads)
    : packed_(std::move(packed)), model_(weights, packed_, choice), runner_(choice, threads, model_.widest) {}

void Synthesis::speak(const Utterance& u, float* audio) {
  since_ = now();
  const std::vector<int> tokens = expand(u);
  set_style(u.style);
  const std::vector<float> pitch = predict(model_.pitch, u), energy = predict(model_.energy, u);
  decode(u, tokens, pitch, energy);
  lap(DECODER);
  const float* spectrum = source(u, pitch);
  lap(EXCITATION);
  const long rows = 120 * u.frames + 1;
  generator_stage(0, buffers_[DECODED].data(), 2 * u.frames, 20 * u.frames, spectrum);
  generator_stage(1, buffers_[SUM].data(), 20 * u.frames, rows, spectrum);
  float* out = floats(POOLED, rows * 32);
  runner_.scale(1.f / 3, 128);  // the mean of three blocks
  Pass post = Runner::leaky(model_.post, buffers_[SUM].data(), 128, rows, 0.01f, out, 32);
  post.src_half = runner_.half();
  runner_.convolve(post, Split::TIME);
  to_audio(runner_.pool(), model_, out, 32, rows, audio);
  lap(REST);
  release_if_large();
}

void Synthesis::set_style(const float* style) {
  Pool& pool = runner_.pool();
  pool.run([&](int i) noexcept {
    for (size_t k = i; k < model_.norms.size(); k += pool.threads()) {
      Norm& norm = *model_.norms[k];
      const float* half = style + (norm.predictor ? STYLE / 2 : 0);
      for (int r = 0; r < 2 * norm.channels; ++r)
        norm.gamma_beta[r] =
            dot(norm.weight + r * 128L, half, 128) + norm.bias[r] + (r < norm.channels ? 1.f : 0.f);
    }
  });
}

// Pitch (Hertz) or energy, two points a frame.
std::vector<float> Synthesis::predict(const Curve& curve, const Utterance& u) {
  const long points = 2 * u.frames;
  const size_t block = u.frames * BLOCK_STRIDE + points * 256;
  float *wide = floats(DECODED, points * 512), *a = floats(BLOCK_A, block), *b = floats(BLOCK_B, block);
  adain(curve.block[0], u.shared, 512, u.frames, wide, 512);
  adain(curve.block[1], wide, 512, u.frames, a, 256);
  adain(curve.block[2], a, 256, points, b, 256);
  std::vector<float> out(points);
  for (long i = 0; i < points; ++i)
    out[i] = curve.projection_bias + dot(curve.projection.data(), b + i * 256, 256);
  return out;
}

// x -> (shortcut(x) + conv2(act(norm2(conv1(pool(act(norm1(x)))))))) / sqrt 2. `rows` doubles where a
// block pools.
void Synthesis::adain(const AdainBlock& block, const float* x, long stride, long rows, float* dst,
                      long dst_stride) {
  const int in = up(block.conv1.in, 32), out = block.conv1.out;
  const long rows_out = block.doubles() ? 2 * rows : rows;
  float *hidden = floats(HIDDEN, rows_out * out), *shortcut = floats(SHORTCUT, rows_out * out);
  const bool projected = block.shortcut.in != 0;
  if (projected) {
    runner_.scale(1, in);
    runner_.convolve(Runner::plain(block.shortcut, x, stride, rows, shortcut, out), Split::OUTPUTS);
    if (block.doubles())
      for (long i = rows_out - 1; i > 0; --i)
        std::memmove(shortcut + i * out, shortcut + i / 2 * out, out * sizeof(float));
  }
  Sums& sums = runner_.sums(1);
  runner_.gather(x, false, stride, rows, in, sums, [](long, long) noexcept {});
  runner_.normalise(block.norm1, sums, rows);
  Pass first = Runner::leaky(block.conv1, x, stride, rows, 0.2f, hidden, out);
  if (block.doubles()) {
    first = Runner::plain(block.conv1, pooled(block, x, stride, rows), in, rows_out, hidden, out);
    runner_.scale(1, in);
  }
  runner_.convolve(first, Split::OUTPUTS, &runner_.sums(0));
  runner_.normalise(block.norm2, runner_.sums(0), rows_out);
  Pass second = Runner::leaky(block.conv2, hidden, out, rows_out, 0.2f, dst, dst_stride);
  second.residual = projected ? shortcut : x;
  second.residual_stride = projected ? out : stride;
  second.out_scale = HALF_POWER;
  runner_.convolve(second, Split::OUTPUTS);
}

// Normalised and activated input at twice the rate: depthwise transposed convolution, kernel 3, stride 2.
const float* Synthesis::pooled(const AdainBlock& block, const float* x, long stride, long rows) {
  const int in = block.conv1.in, padded = up(in, 32), threads = runner_.pool().threads();
  const float *scale = runner_.current_scale(), *shift = runner_.current_shift(),
              *w = block.pool_weight.data(), *bias = block.pool_bias.data();
  float* out = floats(POOLED, 2 * rows * padded);
  auto value = [&](long i, int c) noexcept {
    const float v = x[i * stride + c] * scale[c] + shift[c];
    return v > 0 ? v : 0.2f * v;
  };
  runner_.pool().run([&](int t) noexcept {
    for (long i = rows * t / threads; i < rows * (t + 1) / threads; ++i) {
      float *even = out + 2 * i * padded, *odd = even + padded;
      const bool last = i + 1 == rows;
      for (int c = 0; c < in; ++c) {
        const float v = value(i, c), next = last ? 0 : value(i + 1, c);
        even[c] = w[3 * c + 1] * v + bias[c];
        odd[c] = w[3 * c + 2] * v + w[3 * c] * next + bias[c];
      }
      std::fill(even + in, even + padded, 0.f);
      std::fill(odd + in, odd + padded, 0.f);
    }
  });
  return out;
}

// Leaves [2 * frames][512] in DECODED.
void Synthesis::decode(const Utterance& u, const std::vector<int>& tokens, const std::vector<float>& pitch,
                       const std::vector<float>& energy) {
  float* text = floats(FEATURES, u.frames * FEATURE_STRIDE);
  float *a = buffers_[BLOCK_A].data(), *b = buffers_[BLOCK_B].data();
  for (long i = 0; i < u.frames; ++i) {
    float* row = text + i * FEATURE_STRIDE;
    for (int c = 0; c < 512; ++c) row[c] = u.features[c * u.tokens + tokens[i]];
    row[512] = halved(model_.pitch, pitch, i);
    row[513] = halved(model_.energy, energy, i);
    std::fill(row + 514, row + FEATURE_STRIDE, 0.f);
    for (float* block : {a + i * BLOCK_STRIDE, b + i * BLOCK_STRIDE}) {
      block[1088] = row[512];
      block[1089] = row[513];
      std::fill(block + 1090, block + BLOCK_STRIDE, 0.f);
    }
  }
  runner_.scale(1, FEATURE_STRIDE);
  for (float* block : {a, b}) {
    const Layer& residual = model_.asr_residual;
    float* to = block + 1024;
    runner_.convolve(Runner::plain(residual, text, FEATURE_STRIDE, u.frames, to, BLOCK_STRIDE),
                     Split::OUTPUTS);
  }
  adain(model_.decoder[0], text, FEATURE_STRIDE, u.frames, a, BLOCK_STRIDE);
  adain(model_.decoder[1], a, BLOCK_STRIDE, u.frames, b, BLOCK_STRIDE);
  adain(model_.decoder[2], b, BLOCK_STRIDE, u.frames, a, BLOCK_STRIDE);
  adain(model_.decoder[3], a, BLOCK_STRIDE, u.frames, b, BLOCK_STRIDE);
  adain(model_.decoder[4], b, BLOCK_STRIDE, u.frames, buffers_[DECODED].data(), 512);
}

// The excitation's spectrum [120 * frames + 1][22], with three rows of zeros before it and more behind.
const float* Synthesis::source(const Utterance& u, const std::vector<float>& pitch) {
  const long rows = 120 * u.frames + 1;
  constexpr long WIDTH = 2 * BINS;
  float *all = floats(SPECTRUM, (rows + 24) * WIDTH), *spectrum = all + 3 * WIDTH;
  std::fill(all, spectrum, 0.f);
  std::fill(spectrum + rows * WIDTH, spectrum + (rows + 21) * WIDTH, 0.f);
  if (u.excitation) {
    for (long r = 0; r < rows; ++r)
      for (int k = 0; k < WIDTH; ++k) spectrum[r * WIDTH + k] = u.excitation[k * rows + r];
  } else {
    excitation(runner_.pool(), model_, pitch.data(), static_cast<long>(pitch.size()), u.seed, spectrum);
  }
  return all;
}

// Three times: x += conv(snake(norm(conv(snake(norm(x))))).
void Synthesis::snake(const SnakeBlock& block, const void* x, const Sums& of_x, long rows, int channels,
                      void* out, bool accumulate) {
  void *middle = buffers_[TEMPORARY].data(), *current = buffers_[CURRENT].data();
  const void* in = x;
  for (int l = 0; l < 6; ++l) {
    const bool second = l % 2 == 1, final = l == 5;
    runner_.normalise(block.norm[l], l ? runner_.sums(0) : of_x, rows);
    const void* from = second ? middle : in;
    void* to = final ? out : second ? current : middle;
    Pass pass = Runner::plain(block.conv[l], from, channels, rows, to, channels);
    pass.activation = Activation::SNAKE;
    pass.alpha = block.alpha[l].data();
    pass.inverse_alpha = block.inverse_alpha[l].data();
    pass.src_half = pass.dst_half = runner_.half();
    if (second) pass.residual = in;
    pass.residual_stride = channels;
    pass.accumulate = final && accumulate;
    runner_.convolve(pass, Split::TIME, final ? nullptr : &runner_.sums(0));
    if (second) in = current;
  }
}

// Stage 0: 80 -> 800 rows a second, 256 channels; stage 1: 800 -> 4800, 128 channels. Leaves the sum of three
// residual blocks in SUM.
void Synthesis::generator_stage(int stage, const void* in, long rows_in, long rows, const float* spectrum) {
  const int channels = stage ? 128 : 256;
  const bool half = runner_.half();
  const size_t largest = std::max<size_t>(120 * (rows_in / (stage ? 20 : 2)) + 1, 0) * 128;
  char *x = activations(STAGE, largest), *from_source = activations(SOURCE, largest),
       *sum = activations(SUM, largest);
  activations(TEMPORARY, largest + 2560);
  activations(CURRENT, largest);
  runner_.scale(1, 288);
  Pass noise = stage ? Runner::plain(model_.noise[1], spectrum + 3 * 2 * BINS, 2 * BINS, rows, x, channels)
                     : Runner::plain(model_.noise[0], spectrum, 6 * 2 * BINS, rows, x, channels);
  noise.dst_half = half;
  runner_.convolve(noise, Split::TIME);
  runner_.gather(x, half, channels, rows, channels, runner_.sums(1), [](long, long) noexcept {});
  lap(REST);
  snake(model_.noise_block[stage], x, runner_.sums(1), rows, channels, from_source, false);
  lap(RESBLOCKS);
  upsampled(stage, in, rows_in, rows);
  lap(REST);
  for (int k = 0; k < 3; ++k)
    snake(model_.resblock[3 * stage + k], x, runner_.sums(1), rows, channels, sum, k > 0);
  lap(RESBLOCKS);
}

// STAGE = upsampled(in) + SOURCE, with its sums. The transposed convolution gives rows of `factor` *
// channels, of which the first factor / 2 rows are cut; the second stage has one more row in front, the
// reflection of row 1.
void Synthesis::upsampled(int stage, const void* in, long rows_in, long rows) {
  const int channels = stage ? 128 : 256, factor = stage ? 6 : 10;
  const bool half = runner_.half();
  const Kernels& kernels = runner_.kernels();
  char *x = reinterpret_cast<char*>(buffers_[STAGE].data()),
       *source = reinterpret_cast<char*>(buffers_[SOURCE].data()),
       *wide = reinterpret_cast<char*>(buffers_[TEMPORARY].data());
  runner_.scale(stage ? 1.f / 3 : 1.f, 512);
  Pass pass = Runner::leaky(model_.up[stage], in, stage ? 256 : 512, rows_in, 0.1f, wide, factor * channels);
  pass.rows_out = rows_in + 1;
  pass.src_half = half && stage;
  pass.dst_half = half;
  runner_.convolve(pass, stage ? Split::TIME : Split::OUTPUTS);
  const long row = static_cast<long>(channels) * (half ? 2 : 4);
  const char* first = wide + factor / 2 * row;
  if (stage) kernels.add(x, source, first + row, half, channels);
  runner_.gather(x, half, channels, rows, channels, runner_.sums(1), [&](long begin, long end) noexcept {
    const long from = std::max(begin, static_cast<long>(stage));
    kernels.add(x + from * row, source + from * row, first + (from - stage) * row, half,
                (end - from) * channels);
  });
}

void Synthesis::lap(Stage stage) {
  const double t = now();
  seconds_[stage] += t - since_;
  since_ = t;
}

void Synthesis::take_times(double* seconds) {
  std::copy(seconds_, seconds_ + STAGES, seconds);
  std::fill(seconds_, seconds_ + STAGES, 0.);
}

size_t Synthesis::working_bytes() const {
  return std::accumulate(buffers_, buffers_ + SLOTS, runner_.bytes(),
                         [](size_t n, const Buffer<float>& b) { return n + b.bytes(); });
}

void Synthesis::release_if_large() {
  if (working_bytes() <= KEPT_BYTES) return;
  for (auto& b : buffers_) b.release();
  runner_.release();
}
