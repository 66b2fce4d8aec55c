#include "api.h"

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include "cpu.h"
#include "synthesis.h"
#include "weights.h"

namespace {
PackedKey key_of(const Weights& weights, const Choice& choice) {
  Checksum sum;
  sum.add(weights.file().data(), weights.file().bytes());
  return {choice.name, sum.value()};
}

Packed opened(const char* path, const Weights& weights, const Choice& choice, std::string& fault) {
  if (path) try {
      return Packed(path, key_of(weights, choice));
    } catch (const std::runtime_error& e) {
      fault = e.what();
    }
  return {};
}

struct Handle {
  Choice choice;
  std::string packed_fault;
  Synthesis synthesis;
  Handle(const Weights& weights, const char* packed, const char* isa, int threads)
      : choice(choose(isa)), synthesis(weights, opened(packed, weights, choice, packed_fault), choice, threads) {}
};
Handle* of(void* handle) { return static_cast<Handle*>(handle); }
const Handle* of(const void* handle) { return static_cast<const Handle*>(handle); }

void say(char* error, long size, const char* what) {
  if (error && size > 0) std::snprintf(error, static_cast<size_t>(size), "%s", what);
}
}  // namespace

extern "C" {

const char* kokoro_available(void) {
  static const std::string names = available();
  return names.c_str();
}

void* kokoro_open(const char* weights, const char* packed, const char* isa, int threads, char* error, long size) {
  try {
    if (threads < 1 || threads > 64) throw std::invalid_argument("threads: 1 to 64");
    return new Handle(Weights(weights), packed, isa, threads);
  } catch (const std::exception& e) {
    say(error, size, e.what());
    return nullptr;
  }
}

const char* kokoro_packed_fault(const void* handle) { return of(handle)->packed_fault.c_str(); }

int kokoro_pack(const char* weights, const char* isa, const char* path, char* error, long size) {
  try {
    const Weights source(weights);
    const Choice choice = choose(isa);
    Packed packed;
    const Model model(source, packed, choice);
    packed.save(path, key_of(source, choice));
    return 0;
  } catch (const std::exception& e) {
    say(error, size, e.what());
    return -1;
  }
}

const char* kokoro_isa(const void* handle) { return of(handle)->choice.name; }

int kokoro_speak(void* handle, long tokens, const float* features, const float* durations, long frames, const float* shared,
                 const float* style, long seed, const float* excitation, float* audio, char* error, long size) {
  try {
    Utterance u;
    u.tokens = tokens;
    u.features = features;
    u.durations = durations;
    u.frames = frames;
    u.shared = shared;
    u.style = style;
    u.seed = seed;
    u.excitation = excitation;
    of(handle)->synthesis.speak(u, audio);
    return 0;
  } catch (const std::exception& e) {
    say(error, size, e.what());
    return -1;
  }
}

void kokoro_times(void* handle, double seconds[4]) { of(handle)->synthesis.take_times(seconds); }
long kokoro_working_bytes(const void* handle) { return static_cast<long>(of(handle)->synthesis.working_bytes()); }
void kokoro_close(void* handle) { delete of(handle); }
}
