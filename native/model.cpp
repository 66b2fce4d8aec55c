#include "model.h"

#include <algorithm>
#include <stdexcept>

namespace {

// A convolution's weights, [out][in][taps].
struct Source {
  std::vector<float> w;
  int out, in, taps;
  float at(int o, int c, int k) const { return w[(static_cast<size_t>(o) * in + c) * taps + k]; }
};

class Builder {
 public:
  Builder(const Weights& weights, Packed& packed, const Kernels& kernels, int products)
      : weights_(weights), packed_(packed), kernels_(kernels), products_(products) {}

  Source source(const std::string& name) const {
    return {weights_.values(name), weights_.size(name, 0), weights_.size(name, 1), weights_.size(name, 2)};
  }
  std::vector<float> values(const std::string& name) const { return weights_.values(name); }
  float value(const std::string& name) const { return weights_.values(name).at(0); }

  // `read()` gives the source; it is called only where the weights are not packed yet.
  template <class Read>
  Layer pack(int out, int in, int taps, Read read, const std::vector<float>& bias, int dilation, int pad, bool winograd, int products) const {
    Layer layer;
    layer.in = in;
    layer.in_padded = up(in, 32);
    layer.out = out;
    layer.out_padded = up(out, 32);
    layer.taps = taps;
    layer.dilation = dilation;
    layer.pad = pad;
    layer.products = products;
    layer.bias.assign(layer.out_padded, 0.f);
    std::copy(bias.begin(), bias.end(), layer.bias.begin());
    const size_t each = static_cast<size_t>(layer.out_padded) * layer.in_padded;
    if (kernels_.tiles) {
      const size_t count = each * taps;
      layer.high = packed_.array<uint16_t>(products > 1 ? 2 * count : count, [&](uint16_t* to) { pack_tiles(layer, read(), to, products > 1 ? to + count : nullptr); });
      if (products > 1) layer.low = layer.high + count;
    } else if (winograd) {
      layer.winograd = scheme_of(taps);
      layer.groups = (taps + layer.winograd.taps - 1) / layer.winograd.taps;
      layer.weights = packed_.array<float>(each * layer.winograd.points() * layer.groups, [&](float* to) { pack_winograd(layer, read(), to); });
    } else {
      layer.weights = packed_.array<float>(each * taps, [&](float* to) { pack_direct(layer, read(), to); });
    }
    return layer;
  }
  Layer pack(const std::string& name, const std::vector<float>& bias, int dilation, int pad, bool winograd, int products) const {
    return pack(weights_.size(name, 0), weights_.size(name, 1), weights_.size(name, 2), [&] { return source(name); }, bias, dilation, pad, winograd, products);
  }
  // "Same" convolution.
  Layer convolution(const std::string& name, int dilation, bool winograd, int products) const {
    return pack(name + ".w", values(name + ".b"), dilation, (weights_.size(name + ".w", 2) - 1) / 2 * dilation, winograd, products);
  }
  // Transposed convolution of kernel 2 * stride: two taps and stride * out outputs per input row. Tap 0 reads the
  // row before (kernel positions stride..), tap 1 the row itself.
  Layer transposed(const std::string& name, int stride) const {
    const int in = weights_.size(name + ".w", 0), out = weights_.size(name + ".w", 1);
    const std::vector<float> bias = values(name + ".b");
    std::vector<float> repeated;
    for (int r = 0; r < stride; ++r) repeated.insert(repeated.end(), bias.begin(), bias.end());
    auto read = [&] {
      const Source s = source(name + ".w");  // [in][out][2 * stride]
      Source flat{std::vector<float>(static_cast<size_t>(stride) * out * in * 2), stride * out, in, 2};
      for (int r = 0; r < stride; ++r)
        for (int o = 0; o < out; ++o)
          for (int c = 0; c < in; ++c)
            for (int k = 0; k < 2; ++k) flat.w[(static_cast<size_t>(r * out + o) * in + c) * 2 + k] = s.at(c, o, k ? r : r + stride);
      return flat;
    };
    return pack(stride * out, in, 2, read, repeated, 1, 1, false, 3);
  }
  // Convolution of stride 6 and kernel 12 as one tap over rows of 12 * 22 values.
  Layer strided(const std::string& name) const {
    const int out = weights_.size(name + ".w", 0), in = weights_.size(name + ".w", 1) * weights_.size(name + ".w", 2);
    auto read = [&] {
      const Source s = source(name + ".w");
      Source flat{std::vector<float>(s.w.size()), out, in, 1};
      for (int o = 0; o < s.out; ++o)
        for (int c = 0; c < s.in; ++c)
          for (int k = 0; k < s.taps; ++k) flat.w[static_cast<size_t>(o) * in + k * s.in + c] = s.at(o, c, k);
      return flat;
    };
    return pack(out, in, 1, read, values(name + ".b"), 1, 0, false, 3);
  }
  Norm norm(const std::string& name, bool predictor = false) const {
    Norm n;
    n.predictor = predictor;
    n.bias = values(name + ".b");
    if (static_cast<size_t>(weights_.size(name + ".w", 0)) != n.bias.size() || weights_.size(name + ".w", 1) != 128)
      throw std::runtime_error("a style layer has another shape than expected");
    n.weight = packed_.array<float>(n.bias.size() * 128, [&](float* to) {
      const std::vector<float> w = values(name + ".w");
      std::copy(w.begin(), w.end(), to);
    });
    n.channels = static_cast<int>(n.bias.size()) / 2;
    n.gamma_beta.resize(n.bias.size());
    return n;
  }
  void adain(AdainBlock& b, const std::string& name, bool predictor) const {
    const int products = predictor ? 3 : products_;  // pitch and energy are cheap: full precision
    b.conv1 = convolution(name + ".conv1", 1, false, products);
    b.conv2 = convolution(name + ".conv2", 1, false, products);
    if (weights_.has(name + ".conv1x1.w")) b.shortcut = pack(name + ".conv1x1.w", {}, 1, 0, false, products);
    if (weights_.has(name + ".pool.w")) {
      b.pool_weight = values(name + ".pool.w");
      b.pool_bias = values(name + ".pool.b");
    }
    b.norm1 = norm(name + ".norm1", predictor);
    b.norm2 = norm(name + ".norm2", predictor);
  }
  void snake(SnakeBlock& b, const std::string& name) const {
    const int dilations[3] = {1, 3, 5};
    for (int l = 0; l < 6; ++l) {
      const std::string part = std::to_string(l % 2 + 1) + "." + std::to_string(l / 2);
      b.conv[l] = convolution(name + ".convs" + part, l % 2 ? 1 : dilations[l / 2], true, products_);
      b.norm[l] = norm(name + ".adain" + part);
      for (const float a : values(name + ".alpha" + part)) {
        b.alpha[l].push_back(a * 0.318309886f);
        b.inverse_alpha[l].push_back(1 / a);
      }
    }
  }
  void curve(Curve& c, const std::string& name) const {
    for (int i = 0; i < 3; ++i) adain(c.block[i], name + "." + std::to_string(i), true);
    c.projection = values(name + "_proj.w");
    c.projection_bias = value(name + "_proj.b");
    c.down = values(name + "_conv.w");
    c.down_bias = value(name + "_conv.b");
    if (c.projection.size() != 256 || c.down.size() != 3) throw std::runtime_error(name + " has another shape than expected");
  }

 private:
  void pack_tiles(const Layer& layer, const Source& s, uint16_t* high, uint16_t* low) const {
    for (int o = 0; o < s.out; ++o)
      for (int c = 0; c < s.in; ++c)
        for (int k = 0; k < s.taps; ++k) {
          const size_t tile = (static_cast<size_t>(o / 16) * (layer.in_padded / 32) + c / 32) * s.taps + k;
          const size_t at = (tile * 16 + c % 32 / 2) * 32 + o % 16 * 2 + c % 2;
          const float v = s.at(o, c, k);
          high[at] = to_bfloat(v);
          if (low) low[at] = to_bfloat(v - from_bfloat(high[at]));
        }
  }
  void pack_winograd(const Layer& layer, const Source& s, float* out) const {
    const Scheme scheme = layer.winograd;
    const WeightTransform transform{scheme};
    const int panel = kernels_.panel, points = scheme.points(), groups = layer.groups;
    for (int p = 0; p < points; ++p)
      for (int j = 0; j < groups; ++j) {
        const int first = j * scheme.taps, count = std::min(scheme.taps, s.taps - first);
        double factors[16];
        for (int k = 0; k < count; ++k) factors[k] = transform.factor(p, k);
        for (int o = 0; o < s.out; ++o)
          for (int c = 0; c < s.in; ++c) {
            double u = 0;
            for (int k = 0; k < count; ++k) u += factors[k] * s.at(o, c, first + k);
            out[(((static_cast<size_t>(o / panel) * points + p) * groups + j) * layer.in_padded + c) * panel + o % panel] = static_cast<float>(u);
          }
      }
  }
  void pack_direct(const Layer& layer, const Source& s, float* out) const {
    const int panel = kernels_.panel;
    for (int o = 0; o < s.out; ++o)
      for (int k = 0; k < s.taps; ++k)
        for (int c = 0; c < s.in; ++c)
          out[((static_cast<size_t>(o / panel) * s.taps + k) * layer.in_padded + c) * panel + o % panel] = s.at(o, c, k);
  }

  const Weights& weights_;
  Packed& packed_;
  const Kernels& kernels_;
  const int products_;
};

}  // namespace

Model::Model(const Weights& weights, Packed& packed, const Choice& choice) {
  const Builder build(weights, packed, choice.kernels, choice.products);
  build.curve(pitch, "F0");
  build.curve(energy, "N");
  const char* names[5] = {"encode", "decode.0", "decode.1", "decode.2", "decode.3"};
  for (int i = 0; i < 5; ++i) build.adain(decoder[i], names[i], false);
  asr_residual = build.convolution("asr_res", 1, false, 3);
  up[0] = build.transposed("ups.0", 10);
  up[1] = build.transposed("ups.1", 6);
  noise[0] = build.strided("noise_convs.0");
  noise[1] = build.convolution("noise_convs.1", 1, false, 3);
  post = build.convolution("conv_post", 1, false, 3);
  for (int i = 0; i < 6; ++i) build.snake(resblock[i], "resblocks." + std::to_string(i));
  for (int i = 0; i < 2; ++i) build.snake(noise_block[i], "noise_res." + std::to_string(i));
  harmonics = build.values("l_linear.w");
  harmonics_bias = build.value("l_linear.b");
  inverse_dft = build.values("istft");
  if (harmonics.size() != 9 || inverse_dft.size() != 22 * 20) throw std::runtime_error("the export's source module has another shape than expected");

  for (Curve* curve : {&pitch, &energy})
    for (AdainBlock& b : curve->block) norms.insert(norms.end(), {&b.norm1, &b.norm2});
  for (AdainBlock& b : decoder) norms.insert(norms.end(), {&b.norm1, &b.norm2});
  for (SnakeBlock& b : resblock)
    for (Norm& n : b.norm) norms.push_back(&n);
  for (SnakeBlock& b : noise_block)
    for (Norm& n : b.norm) norms.push_back(&n);
}
