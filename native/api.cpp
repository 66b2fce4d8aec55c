#include "api.h"

#include <cstdio>
#include <exception>
#include <mutex>
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
  mutable std::mutex busy;
  Synthesis synthesis;
  Handle(const Weights& weights, const char* packed, const char* isa, int threads)
      : choice(choose(isa)),
        synthesis(weights, opened(packed, weights, choice, packed_fault), choice, threads) {}
};
Handle* of(void* handle) { return static_cast<Handle*>(handle); }
const Handle* of(const void* handle) { return static_cast<const Handle*>(handle); }

// Runs `act`. 0, or -1 where it throws, with what it says in `error`.
template <class Act>
int run(char* error, long size, Act act) {
  try {
    act();
    return 0;
  } catch (const std::exception& e) {
    if (error && size > 0) std::snprintf(error, static_cast<size_t>(size), "%s", e.what());
    return -1;
  }
}
}  // namespace

extern "C" {

const char* kokoro_available(void) {
  static const std::string& names = *new std::string(available());  // stays for threads that outlive exit()
  return names.c_str();
}

void* kokoro_open(const char* weights, const char* packed, const char* isa, int threads, char* error,
                  long size) {
  Handle* handle = nullptr;
  run(error, size, [&] {
    if (threads < 1 || threads > Shares::MOST)
      throw std::invalid_argument("threads: 1 to " + std::to_string(Shares::MOST));
    handle = new Handle(Weights(weights), packed, isa, threads);
  });
  return handle;
}

const char* kokoro_packed_fault(const void* handle) { return of(handle)->packed_fault.c_str(); }

int kokoro_pack(const char* weights, const char* isa, const char* path, char* error, long size) {
  return run(error, size, [&] {
    const Weights source(weights);
    const Choice choice = choose(isa);
    Packed packed;
    const Model model(source, packed, choice);
    packed.save(path, key_of(source, choice));
  });
}

const char* kokoro_isa(const void* handle) { return of(handle)->choice.name; }

int kokoro_speak(void* handle, long tokens, const float* features, const float* durations, long frames,
                 const float* shared, const float* style, long seed, const float* excitation, float* audio,
                 char* error, long size) {
  return run(error, size, [&] {
    if (!handle) throw std::invalid_argument("the voice is closed");
    Utterance u;
    u.tokens = tokens;
    u.features = features;
    u.durations = durations;
    u.frames = frames;
    u.shared = shared;
    u.style = style;
    u.seed = seed;
    u.excitation = excitation;
    const std::lock_guard<std::mutex> alone(of(handle)->busy);
    of(handle)->synthesis.speak(u, audio);
  });
}

void kokoro_times(void* handle, double seconds[4]) {
  const std::lock_guard<std::mutex> alone(of(handle)->busy);
  of(handle)->synthesis.take_times(seconds);
}

long kokoro_working_bytes(const void* handle) {
  const std::lock_guard<std::mutex> alone(of(handle)->busy);
  return static_cast<long>(of(handle)->synthesis.working_bytes());
}

void kokoro_close(void* handle) {
  if (handle) {
    const std::lock_guard<std::mutex> alone(of(handle)->busy);
  }
  delete of(handle);
}
}
