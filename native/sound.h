// The two ends of the generator: the harmonic excitation as a spectrum, and the spectrum that becomes audio.
// Frames of 20 samples, 5 apart, periodic Hann window, 11 bins.
#pragma once

#include <vector>

#include "model.h"
#include "pool.h"

constexpr int HOP = 5, WINDOW = 20, BINS = 11;
constexpr int SAMPLES_PER_CURVE_POINT = 300;  // pitch and energy: 80 points a second at 24 kHz

// Pitch [points] in Hertz -> magnitudes and phases [60 * points + 1][22] of nine sine waves and noise,
// summed. `seed`: of the noise; below 0 there is none.
void excitation(Pool& pool, const Model& model, const float* pitch, long points, long seed, float* spectrum);

// `spectrum` [rows][stride]: log magnitude in 0..10, phase before the sine in 11..21; used as scratch.
// -> audio [5 * (rows - 1)], as torch.istft with centred frames gives it.
void to_audio(Pool& pool, const Model& model, float* spectrum, long stride, long rows, float* audio);
