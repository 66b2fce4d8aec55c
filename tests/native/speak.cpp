// Speaks recorded inputs by the library alone, in a process without Python:
//   speak ISA WEIGHTS [INPUTS AUDIO]...
// INPUTS: tokens and frames (2 x int32), then float32 features, durations, shared, style. AUDIO: float32. It
// prints the instruction sets of this machine. Without inputs it opens the weights and closes them.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include "../../native/api.h"

namespace {
constexpr int THREADS = 2;

using File = std::unique_ptr<FILE, int (*)(FILE*)>;

bool read(FILE* file, void* to, size_t size, size_t count) {
  return std::fread(to, size, count, file) == count;
}

int fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  return 1;
}

// What went wrong; null if nothing did.
const char* speak(void* handle, const char* inputs, const char* sound) {
  static char error[256] = "";
  const File in(std::fopen(inputs, "rb"), std::fclose);
  int32_t sizes[2];
  if (!in || !read(in.get(), sizes, 4, 2)) return "no inputs";
  const long tokens = sizes[0], frames = sizes[1];
  std::vector<float> features(512 * tokens), durations(tokens), shared(512 * frames), style(256);
  for (std::vector<float>* part : {&features, &durations, &shared, &style})
    if (!read(in.get(), part->data(), 4, part->size())) return "the inputs are cut short";

  std::vector<float> audio(600 * frames);
  if (kokoro_speak(handle, tokens, features.data(), durations.data(), frames, shared.data(), style.data(), 0,
                   nullptr, audio.data(), error, sizeof error))
    return error;
  FILE* out = std::fopen(sound, "wb");
  if (!out || std::fwrite(audio.data(), 4, audio.size(), out) != audio.size() || std::fclose(out))
    return "no audio written";
  return nullptr;
}
}  // namespace

int main(int count, char** given) {
  if (count < 3 || count % 2 == 0) return fail("speak ISA WEIGHTS [INPUTS AUDIO]...");
  std::puts(kokoro_available());
  char error[256] = "";
  void* handle = kokoro_open(given[2], nullptr, given[1], THREADS, error, sizeof error);
  if (!handle) return fail(error);
  const char* fault = nullptr;
  for (int i = 3; i < count && !fault; i += 2) fault = speak(handle, given[i], given[i + 1]);
  kokoro_close(handle);
  return fault ? fail(fault) : 0;
}
