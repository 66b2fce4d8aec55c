#include "sound.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace {
constexpr double PI = 3.14159265358979323846;
constexpr int HARMONICS = 9;
constexpr float VOICED_HZ = 10;
// Amplitudes, of each harmonic.
constexpr float SINE = 0.1f, VOICED_NOISE = 0.003f, UNVOICED_NOISE = SINE / 3;

double window(int n) noexcept { return 0.5 - 0.5 * std::cos(2 * PI * n / WINDOW); }

bool voiced(const float* pitch, long n) noexcept { return pitch[n / SAMPLES_PER_CURVE_POINT] > VOICED_HZ; }

// Phases of the harmonics at the pitch's points: a running sum in float32, rounded like the export's.
std::vector<float> phases(const float* pitch, long points) {
  std::vector<float> out(points * HARMONICS);
  for (int h = 0; h < HARMONICS; ++h) {
    float turns = 0;
    for (long i = 0; i < points; ++i) {
      const float per_sample = pitch[i] * (h + 1) / 24000.f;
      turns += per_sample - std::floor(per_sample);
      out[i * HARMONICS + h] = turns * 2 * 3.1415927f * SAMPLES_PER_CURVE_POINT;
    }
  }
  return out;
}

// Number n of a series of normally distributed ones: each is found without those before it.
float normal(uint64_t seed, uint64_t n) noexcept {
  uint64_t x = seed * 0xd1342543de82ef95u + n / 2 * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  x ^= x >> 31;
  const double radius = std::sqrt(-2 * std::log(((x >> 32) + 1) * 0x1p-32));
  const double angle = (x & 0xffffffff) * 0x1p-31 * PI;
  return static_cast<float>(radius * (n % 2 ? std::sin(angle) : std::cos(angle)));
}

// The model adds noise to each harmonic before it weighs and sums them: one noise, with the weights' length.
float noise_gain(const Model& model) {
  float squares = 0;
  for (const float w : model.harmonics) squares += w * w;
  return std::sqrt(squares);
}

// Sample n of the source without its noise: phases interpolated between points (half-pixel centres).
float harmonics(const Model& model, const float* pitch, const std::vector<float>& phase, long points,
                long n) noexcept {
  const float place = (n + 0.5f) / SAMPLES_PER_CURVE_POINT - 0.5f;
  const float x = std::min(std::max(place, 0.f), static_cast<float>(points - 1));
  const long a = static_cast<long>(x), b = std::min(a + 1, points - 1);
  const float to_b = a == b ? 0.5f : x - a, to_a = a == b ? 0.5f : b - x;
  float v = model.harmonics_bias;
  if (voiced(pitch, n))
    for (int h = 0; h < HARMONICS; ++h)
      v += model.harmonics[h] * SINE *
           std::sin(to_a * phase[a * HARMONICS + h] + to_b * phase[b * HARMONICS + h]);
  return v;
}

struct Dft {
  float real[WINDOW][BINS], imaginary[WINDOW][BINS];
  Dft() {
    for (int n = 0; n < WINDOW; ++n)
      for (int k = 0; k < BINS; ++k) {
        const double angle = 2 * PI * k * n / WINDOW;
        real[n][k] = static_cast<float>(std::cos(angle) * window(n));
        imaginary[n][k] = static_cast<float>(-std::sin(angle) * window(n));
      }
  }
};

void analyse(const Dft& dft, const float* samples, float* row) noexcept {
  float real[BINS] = {}, imaginary[BINS] = {};
  for (int n = 0; n < WINDOW; ++n)
    for (int k = 0; k < BINS; ++k) {
      real[k] += samples[n] * dft.real[n][k];
      imaginary[k] += samples[n] * dft.imaginary[n][k];
    }
  imaginary[0] = imaginary[BINS - 1] = 0;  // exactly: the phase there is 0 or pi, not rounding noise
  for (int k = 0; k < BINS; ++k) {
    row[k] = std::sqrt(real[k] * real[k] + imaginary[k] * imaginary[k]);
    row[BINS + k] = std::atan2(imaginary[k], real[k]);
  }
}
}  // namespace

void excitation(Pool& pool, const Model& model, const float* pitch, long points, long seed, float* spectrum) {
  const long samples = points * SAMPLES_PER_CURVE_POINT, rows = samples / HOP + 1, half = WINDOW / 2;
  const int threads = pool.threads();
  const std::vector<float> phase = phases(pitch, points);
  std::vector<float> padded(samples + WINDOW);
  float* wave = padded.data() + half;
  const float gain = noise_gain(model);
  pool.run([&](int i) noexcept {
    for (long n = samples * i / threads; n < samples * (i + 1) / threads; ++n) {
      float v = harmonics(model, pitch, phase, points, n);
      if (seed >= 0)
        v += gain * (voiced(pitch, n) ? VOICED_NOISE : UNVOICED_NOISE) *
             normal(static_cast<uint64_t>(seed), static_cast<uint64_t>(n));
      wave[n] = std::tanh(v);
    }
  });
  for (long i = 1; i <= half; ++i) {  // reflection
    wave[-i] = wave[i];
    wave[samples - 1 + i] = wave[samples - 1 - i];
  }
  static const Dft dft;
  pool.run([&](int i) noexcept {
    for (long r = rows * i / threads; r < rows * (i + 1) / threads; ++r)
      analyse(dft, padded.data() + HOP * r, spectrum + r * 2 * BINS);
  });
}

void to_audio(Pool& pool, const Model& model, float* spectrum, long stride, long rows, float* audio) {
  const int threads = pool.threads();
  pool.run([&](int i) noexcept {
    for (long r = rows * i / threads; r < rows * (i + 1) / threads; ++r) {
      float* row = spectrum + r * stride;
      for (int k = 0; k < BINS; ++k) {
        const float magnitude = std::exp(row[k]), phase = std::sin(row[BINS + k]);
        row[k] = magnitude * std::cos(phase);
        row[BINS + k] = magnitude * std::sin(phase);
      }
    }
  });
  // Overlap-add: five samples from the four frames that reach them, divided by the sum of the squared windows
  // that reach them. The weights hold a quarter (hop / window length) of the inverse transform.
  float squares[WINDOW];
  for (int n = 0; n < WINDOW; ++n) squares[n] = static_cast<float>(window(n) * window(n));
  const float* basis = model.inverse_dft.data();
  const long steps = rows - 1;
  pool.run([&](int i) noexcept {
    for (long s = steps * i / threads; s < steps * (i + 1) / threads; ++s) {
      float value[HOP] = {}, weight[HOP] = {};
      for (int m = 0; m < WINDOW / HOP; ++m) {
        const long r = s + 2 - m;
        if (r < 0 || r >= rows) continue;
        const float* row = spectrum + r * stride;
        for (int e = 0; e < HOP; ++e) weight[e] += squares[HOP * m + e];
        for (int k = 0; k < 2 * BINS; ++k)
          for (int e = 0; e < HOP; ++e) value[e] += row[k] * basis[k * WINDOW + HOP * m + e];
      }
      for (int e = 0; e < HOP; ++e) audio[HOP * s + e] = 4 * value[e] / weight[e];
    }
  });
}
