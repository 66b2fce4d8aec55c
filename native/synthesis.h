// From text features to audio: pitch and energy, decoder, excitation, generator.
#pragma once

#include <vector>

#include "model.h"
#include "runner.h"

constexpr int STYLE = 256;               // first half: timbre; second half: prosody
constexpr long SAMPLES_PER_FRAME = 600;  // 25 ms at 24 kHz
constexpr long MOST_FRAMES = 1 << 20;    // seven hours: numbers of rows and their products fit their types

struct Utterance {
  long tokens = 0;
  const float* features = nullptr;    // [512][tokens]
  const float* durations = nullptr;   // [tokens], frames
  long frames = 0;                    // the sum of the durations
  const float* shared = nullptr;      // [frames][512]
  const float* style = nullptr;       // [256]
  long seed = -1;                     // of the excitation's noise; below 0 there is none
  const float* excitation = nullptr;  // [22][120 * frames + 1] instead of our own; for tests
};

enum Stage { DECODER, EXCITATION, RESBLOCKS, REST, STAGES };

class Synthesis {
 public:
  Synthesis(const Weights& weights, Packed packed, const Choice& choice, int threads);

  // Writes 600 * frames samples. Throws std::invalid_argument on contradicting or too great lengths,
  // std::bad_alloc.
  void speak(const Utterance& utterance, float* audio);

  // Seconds spent by stage since the last call of it.
  void take_times(double* seconds);
  size_t working_bytes() const;

 private:
  enum Slot {
    FEATURES,
    BLOCK_A,
    BLOCK_B,
    HIDDEN,
    SHORTCUT,
    POOLED,
    DECODED,
    SPECTRUM,
    STAGE,
    SOURCE,
    TEMPORARY,
    SUM,
    CURRENT,
    SLOTS
  };

  void set_style(const float* style);
  std::vector<float> predict(const Curve& curve, const Utterance& u);
  void adain(const AdainBlock& block, const float* x, long stride, long rows, float* dst, long dst_stride);
  const float* pooled(const AdainBlock& block, const float* x, long stride, long rows);
  void decode(const Utterance& u, const std::vector<int>& tokens, const std::vector<float>& pitch,
              const std::vector<float>& energy);
  const float* source(const Utterance& u, const std::vector<float>& pitch);
  void snake(const SnakeBlock& block, const void* x, const Sums& of_x, long rows, int channels, void* out,
             bool accumulate);
  void generator_stage(int stage, const void* in, long rows_in, long rows, const float* spectrum);
  void upsampled(int stage, const void* in, long rows_in, long rows);

  float* floats(Slot slot, size_t count) { return buffers_[slot].get(count + 64); }
  char* activations(Slot slot, size_t count) {
    return reinterpret_cast<char*>(buffers_[slot].get(runner_.half() ? count / 2 + 64 : count + 64));
  }
  void lap(Stage stage);
  void release_if_large();

  Packed packed_;
  Model model_;
  Runner runner_;
  Buffer<float> buffers_[SLOTS];
  double seconds_[STAGES] = {}, since_ = 0;
};
