// Blocks shared out among threads by native/pool.h: `shares ROUNDS` says what went wrong, or nothing.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "../../native/pool.h"

namespace {
int faults = 0;

void expect(bool held, const char* what, long count, int threads) {
  if (held) return;
  ++faults;
  std::printf("%s: %ld blocks, %d threads\n", what, count, threads);
}

struct Taken {
  explicit Taken(long count) : times(count) {}
  void take(long block) noexcept {
    if (block >= 0 && block < static_cast<long>(times.size())) times[block].fetch_add(1);
    else strange.store(true);
  }
  bool each_once() const {
    for (const auto& n : times)
      if (n.load() != 1) return false;
    return !strange.load();
  }
  std::vector<std::atomic<int>> times;
  std::atomic<bool> strange{false};
};

// All take at once, as fast as they can.
void race(Pool& pool, long count) {
  Shares shares(count, pool.threads());
  Taken taken(count);
  pool.run([&](int i) noexcept {
    for (long b; (b = shares.take(i)) >= 0;) taken.take(b);
  });
  expect(taken.each_once(), "not each block once", count, pool.threads());
}

// One thread holds its first block until the others have found nothing left.
void one_is_slow(Pool& pool, long count, int slow) {
  const int threads = pool.threads();
  Shares shares(count, threads);
  Taken taken(count);
  std::atomic<bool> holds{false};
  std::atomic<int> done{0};
  std::atomic<long> late{0};
  pool.run([&](int i) noexcept {
    if (i == slow) {
      taken.take(shares.take(i));
      holds.store(true);
      while (done.load() < threads - 1) std::this_thread::yield();
      while (shares.take(i) >= 0) late.fetch_add(1);
      return;
    }
    while (!holds.load()) std::this_thread::yield();
    for (long b; (b = shares.take(i)) >= 0;) taken.take(b);
    done.fetch_add(1);
  });
  expect(late.load() == 0, "blocks were left to the slow thread", count, threads);
  expect(taken.each_once(), "not each block once beside a slow thread", count, threads);
}

// A thread takes its own part in order, so that it can keep the halo of a block for the next.
void alone(long count, int threads) {
  Shares shares(count, threads);
  for (int i = 0; i < threads; ++i)
    for (long b = count * i / threads; b < count * (i + 1) / threads; ++b)
      expect(shares.take(i) == b, "not in order", count, threads);
  for (int i = 0; i < threads; ++i) expect(shares.take(i) == -1, "more than there are", count, threads);
}
}  // namespace

int main(int count, char** given) {
  const int rounds = count > 1 ? std::atoi(given[1]) : 1;
  for (const int threads : {1, 2, 3, 7, Shares::MOST}) {
    Pool pool(threads);
    for (const long blocks : {0L, 1L, 2L, 63L, 64L, 1000L}) {
      alone(blocks, threads);
      for (int r = 0; r < rounds; ++r) race(pool, blocks);
      if (blocks && threads > 1) one_is_slow(pool, blocks, 0), one_is_slow(pool, blocks, threads - 1);
    }
  }
  return faults ? 1 : 0;
}
