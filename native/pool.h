// A few threads that run one function together. They spin for a moment between two calls, then sleep.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

// The numbers 0 .. count - 1, shared out among threads: each takes its own part in order, then from the ends
// of others' parts.
class Shares {
 public:
  static constexpr int MOST = 64;  // threads
  Shares(long count, int threads) noexcept : threads_(threads) {
    for (int i = 0; i < threads; ++i)
      parts_[i].store(pair(count * i / threads, count * (i + 1) / threads), std::memory_order_relaxed);
  }
  // The next number for this thread, or -1: none is left.
  long take(int thread) noexcept {
    for (int k = 0; k < threads_; ++k) {
      std::atomic<uint64_t>& part = parts_[(thread + k) % threads_];
      for (uint64_t seen = part.load(); begin(seen) < end(seen);) {
        const long first = begin(seen), last = end(seen) - 1;
        const bool own = k == 0;
        const uint64_t rest = own ? pair(first + 1, last + 1) : pair(first, last);
        if (part.compare_exchange_weak(seen, rest)) return own ? first : last;
      }
    }
    return -1;
  }

 private:
  static uint64_t pair(uint64_t begin, uint64_t end) noexcept { return begin << 32 | end; }
  static long begin(uint64_t part) noexcept { return static_cast<long>(part >> 32); }
  static long end(uint64_t part) noexcept { return static_cast<long>(part & 0xffffffff); }

  const int threads_;
  std::atomic<uint64_t> parts_[MOST];
};

class Pool {
 public:
  // Throws std::system_error where the system gives no thread.
  explicit Pool(int threads) : threads_(threads) {
    try {
      for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
    } catch (...) {
      end();
      throw;
    }
  }
  ~Pool() { end(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int threads() const noexcept { return threads_; }

  // Calls f(0) here and f(1) ... f(threads - 1) on the workers; returns when all are done.
  template <class F>
  void run(F&& f) noexcept {
    static_assert(std::is_nothrow_invocable_v<F&, int>,
                  "a task of the pool must be noexcept: nobody catches there");
    call_ = [](void* p, int i) noexcept { (*static_cast<std::remove_reference_t<F>*>(p))(i); };
    argument_ = const_cast<void*>(static_cast<const void*>(&f));
    left_.store(threads_ - 1);
    turn_.fetch_add(1);
    if (asleep_.load()) {
      std::lock_guard<std::mutex> lock(mutex_);
      wake_.notify_all();
    }
    f(0);
    for (int spins = 0; left_.load(std::memory_order_acquire);) {
      relax();
      if (++spins > 20000) std::this_thread::yield();
    }
  }

 private:
  void end() noexcept {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
      turn_.fetch_add(1);
      wake_.notify_all();
    }
    for (auto& worker : workers_) worker.join();
  }
  static void relax() noexcept {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
  }
  void work(int i) noexcept {
    unsigned seen = 0;
    for (;;) {
      for (int spins = 0; turn_.load(std::memory_order_acquire) == seen && spins < 4000; ++spins) relax();
      if (turn_.load() == seen) {
        // `asleep_` is raised before `turn_` is read again, and run() advances `turn_` before it reads
        // `asleep_`: one of the two sees the other, so no wake-up is lost.
        std::unique_lock<std::mutex> lock(mutex_);
        ++asleep_;
        wake_.wait(lock, [&] { return turn_.load() != seen; });
        --asleep_;
      }
      seen = turn_.load();
      if (stop_) return;
      call_(argument_, i);
      left_.fetch_sub(1, std::memory_order_release);
    }
  }

  const int threads_;
  std::vector<std::thread> workers_;
  std::atomic<unsigned> turn_{0}, left_{0};
  std::atomic<int> asleep_{0};
  std::atomic<bool> stop_{false};
  void (*call_)(void*, int) noexcept = nullptr;
  void* argument_ = nullptr;
  std::mutex mutex_;
  std::condition_variable wake_;
};
