#include "cpu.h"

#include <stdexcept>
#include <vector>

#if defined(KERNELS_AVX)
#include <cpuid.h>
#if defined(KERNELS_AMX) && defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif
#endif

namespace {
struct Features {
  bool avx2 = false, avx512 = false, amx = false;
};

#if defined(KERNELS_EMULATED_TILES)
constexpr bool EMULATED_TILES = true;
#else
constexpr bool EMULATED_TILES = false;
#endif

#if defined(KERNELS_AVX)
bool bit(unsigned word, int n) { return word >> n & 1; }

// The registers whose contents the system saves.
unsigned saved_state() {
  unsigned low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

// Linux hands out tile registers only to processes that ask.
bool ask_for_tiles() {
#if defined(KERNELS_AMX) && defined(__linux__)
  const long ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18;
  return syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
#else
  return false;
#endif
}

Features detect() {
  Features f;
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !bit(c, 27) || !bit(c, 28)) return f;  // OSXSAVE, AVX
  const bool fma = bit(c, 12);
  const unsigned saved = saved_state();
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return f;
  f.avx2 = fma && bit(b, 5) && (saved & 0x6) == 0x6;
  f.avx512 = f.avx2 && bit(b, 16) && bit(b, 17) && bit(b, 30) && bit(b, 31) &&
             (saved & 0xe6) == 0xe6;  // F, DQ, BW, VL
  const bool tiles = bit(d, 22) && bit(d, 24) && (saved & 0x60000) == 0x60000;
  const bool bfloat = __get_cpuid_count(7, 1, &a, &b, &c, &d) && bit(a, 5);
  f.amx = f.avx512 && (EMULATED_TILES || (tiles && bfloat && ask_for_tiles()));
  return f;
}
#else
Features detect() { return {}; }
#endif

std::vector<Choice> choices() {
  const Features f = detect();
  std::vector<Choice> all;
  (void)f;
#if defined(KERNELS_AMX)
  if (f.amx) all.push_back({amx::kernels(), "amx", 1});
  if (f.amx) all.push_back({amx::kernels(), "amx3", 3});
#endif
#if defined(KERNELS_AVX)
  if (f.avx512) all.push_back({avx512::kernels(), "avx512", 1});
  if (f.avx2) all.push_back({avx2::kernels(), "avx2", 1});
#endif
  all.push_back({base::kernels(), "base", 1});
  return all;
}
}  // namespace

std::string available() {
  std::string names;
  for (const Choice& c : choices()) names += (names.empty() ? "" : " ") + std::string(c.name);
  return names;
}

Choice choose(const std::string& isa) {
  for (const Choice& c : choices())
    if (isa == "auto" || isa == c.name) return c;
  throw std::runtime_error("instruction set " + isa + " is not on this machine, which has: " + available());
}
