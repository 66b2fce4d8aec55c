// Winograd's F(m, r): m outputs of a convolution of r taps by m + r - 1 products instead of m * r. Inputs and
// weights are evaluated at as many points, as polynomials are; the last point is infinity.
#pragma once

// Points in pairs of opposite sign after 0 halve the work of the transforms; small, and of few bits, they are
// exact.
constexpr double POINTS[] = {1, 2, .5, 4 / 3.};

struct Scheme {
  int outputs = 0, taps = 0;  // 0: none
  constexpr int points() const { return outputs + taps - 1; }
};

// The scheme of a convolution of `taps` taps: in one group, or in several that are added up.
constexpr Scheme scheme_of(int taps) {
  return taps == 3 ? Scheme{6, 3} : taps == 7 ? Scheme{4, 7} : Scheme{5, 6};
}

// Value w of r taps' transform is the sum of factor(w, k) * tap k. The points: 0, 1, -1, 2, -2 ..., infinity.
struct WeightTransform {
  Scheme scheme;
  double point(int w) const { return w == 0 ? 0 : w % 2 ? POINTS[w / 2] : -POINTS[w / 2 - 1]; }
  double factor(int w, int k) const {
    const int finite = scheme.points() - 1;
    if (w == finite) return k == scheme.taps - 1;
    double value = 1;
    for (int i = 0; i < k; ++i) value *= point(w);
    for (int q = 0; q < finite; ++q)
      if (q != w) value /= point(w) - point(q);
    return value;
  }
};

// The input's transform: polynomials whose coefficients are applied to N inputs.
template <int M, int R>
struct InputTransform {
  static constexpr int N = M + R - 1, PAIRS = (N - 2) / 2;
  static_assert(N % 2 == 0 && PAIRS <= static_cast<int>(sizeof POINTS / sizeof *POINTS),
                "points come in pairs");
  double all[N] = {};            // product of x^2 - p^2 over all pairs
  double others[PAIRS][N] = {};  // x times the product over the other pairs
  constexpr InputTransform() {
    multiply(all, PAIRS);
    for (int i = 0; i < PAIRS; ++i) multiply(others[i], i);
    for (int i = 0; i < PAIRS; ++i)
      for (int k = N - 1; k >= 0; --k) others[i][k] = k ? others[i][k - 1] : 0;
  }

 private:
  static constexpr void multiply(double* polynomial, int without) {
    polynomial[0] = 1;
    for (int i = 0; i < PAIRS; ++i) {
      if (i == without) continue;
      for (int k = N - 1; k >= 0; --k)
        polynomial[k] = (k > 1 ? polynomial[k - 2] : 0) - POINTS[i] * POINTS[i] * polynomial[k];
    }
  }
};
