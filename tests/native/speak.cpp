// Speaks recorded inputs by the library alone, for processors on which no Python runs here:
//   speak WEIGHTS INPUTS AUDIO
// INPUTS: tokens and frames (2 x int32), then float32 features, durations, shared, style. AUDIO: float32.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "../../native/api.h"

namespace {
bool read(FILE* file, void* to, size_t size, size_t count) { return std::fread(to, size, count, file) == count; }

int fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  return 1;
}
}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return fail("speak WEIGHTS INPUTS AUDIO");
  char error[256] = "";
  FILE* in = std::fopen(arguments[2], "rb");
  int32_t sizes[2];
  if (!in || !read(in, sizes, 4, 2)) return fail("no inputs");
  const long tokens = sizes[0], frames = sizes[1];
  std::vector<float> features(512 * tokens), durations(tokens), shared(512 * frames), style(256), audio(600 * frames);
  for (std::vector<float>* part : {&features, &durations, &shared, &style})
    if (!read(in, part->data(), 4, part->size())) return fail("the inputs are cut short");
  std::fclose(in);

  void* handle = kokoro_open(arguments[1], nullptr, "base", 2, error, sizeof error);
  if (!handle) return fail(error);
  const int failed = kokoro_speak(handle, tokens, features.data(), durations.data(), frames, shared.data(), style.data(), 0,
                                  nullptr, audio.data(), error, sizeof error);
  std::puts(kokoro_available());
  kokoro_close(handle);
  if (failed) return fail(error);

  FILE* out = std::fopen(arguments[3], "wb");
  if (!out || std::fwrite(audio.data(), 4, audio.size(), out) != audio.size() || std::fclose(out)) return fail("no audio written");
  return 0;
}
