// The most multiply-adds a second that this machine's registers do, by instruction set and number of threads.
// `bench/voice_peak.py` compiles and runs it: `peak THREADS` prints a line per instruction set; `peak schemes TAPS...`
// prints the voice's Winograd scheme of each number of taps, as "taps outputs group".
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>
#include <vector>

#include "../native/winograd.h"

#pragma GCC diagnostic ignored "-Wpsabi"

namespace {
constexpr int SUMS = 12;  // independent, so that latency does not count
constexpr long ROUNDS = 20'000'000;

volatile int seeds[SUMS] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

double processor_s() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}
double clock_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

template <class Vec>
inline __attribute__((always_inline)) float spin(long rounds) {
  Vec sum[SUMS], a = 1e-9f - Vec{}, b = .5f - Vec{};
  for (int k = 0; k < SUMS; ++k) sum[k] = static_cast<float>(seeds[k]) - Vec{};  // equal sums would be computed once
  for (long i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
    for (int k = 0; k < SUMS; ++k) sum[k] = sum[k] * a + b;
  }
  float all = 0;
  for (int k = 0; k < SUMS; ++k) all += sum[k][0];
  return all;
}
#if defined(__x86_64__)
typedef float Vec8 __attribute__((vector_size(32)));
typedef float Vec16 __attribute__((vector_size(64)));
__attribute__((target("avx512f,fma,prefer-vector-width=512"))) float avx512(long rounds) { return spin<Vec16>(rounds); }
__attribute__((target("avx2,fma"))) float avx2(long rounds) { return spin<Vec8>(rounds); }
#endif

void measure(const char* name, float (*loop)(long), int lanes, int threads) {
  std::vector<std::thread> others;
  const double cpu = processor_s(), begun = clock_s();
  volatile float kept;
  for (int i = 1; i < threads; ++i) others.emplace_back([&] { volatile float mine = loop(ROUNDS); (void)mine; });
  kept = loop(ROUNDS);
  for (auto& thread : others) thread.join();
  (void)kept;
  const double done = 1e-9 * ROUNDS * SUMS * lanes * threads;
  std::printf("%s %.1f %.1f\n", name, done / (clock_s() - begun), done / (processor_s() - cpu) * threads);
}

int print_schemes(int count, char** taps) {
  for (int i = 0; i < count; ++i) {
    const Scheme scheme = scheme_of(std::atoi(taps[i]));
    std::printf("%s %d %d\n", taps[i], scheme.outputs, scheme.taps);
  }
  return 0;
}
}  // namespace

int main(int count, char** given) {
  if (count > 1 && !std::strcmp(given[1], "schemes")) return print_schemes(count - 2, given + 2);
  if (count != 2) return std::fprintf(stderr, "peak THREADS, or peak schemes TAPS...\n"), 1;
#if defined(__x86_64__)
  const int threads = std::atoi(given[1]);
  if (__builtin_cpu_supports("avx512f")) measure("avx512", avx512, 16, threads);
  if (__builtin_cpu_supports("avx2")) measure("avx2", avx2, 8, threads);
#endif
}
