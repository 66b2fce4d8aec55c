#include "model.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "sizes.h"

namespace {

// Outputs, inputs and taps of a convolution.
struct Shape {
  int out, in, taps;
};

// Its weights, [out][in][taps].
struct Source {
  std::vector<float> w;
  int out, in, taps;
  float at(int o, int c, int k) const { return w[(static_cast<size_t>(o) * in + c) * taps + k]; }
};

using Read = std::function<Source()>;

std::string written(const std::vector<int>& shape) {
  std::string text;
  for (const int n : shape) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text;
}

// Every tensor is asked for with its shape: the strides of the layers and the room for their activations
// follow from these numbers, never from the file.
class Builder {
 public:
  Builder(const Weights& weights, Packed& packed, const Kernels& kernels, int products)
      : weights_(weights), packed_(packed), kernels_(kernels), products_(products) {}

  // Channels of the widest input so far, padded.
  int widest() const { return widest_; }

  std::vector<float> values(const std::string& name, const std::vector<int>& shape) const {
    expect(name, shape);
    return weights_.values(name);
  }
  float value(const std::string& name) const { return values(name, {1})[0]; }

  // "Same" convolution.
  Layer convolution(const std::string& name, const Shape& shape, int dilation, bool winograd, int products) {
    const int pad = (shape.taps - 1) / 2 * dilation;
    return pack(shape, reader(name, shape), values(name + ".b", {shape.out}), dilation, pad, winograd,
                products);
  }
  // Transposed convolution of kernel 2 * stride: two taps and stride * out outputs per input row. Tap 0 reads
  // the row before (kernel positions stride..), tap 1 the row itself.
  Layer transposed(const std::string& name, int in, int out, int stride) {
    const std::vector<float> bias = values(name + ".b", {out});
    std::vector<float> repeated;
    for (int r = 0; r < stride; ++r) repeated.insert(repeated.end(), bias.begin(), bias.end());
    const auto read = [=, source = reader(name, {in, out, 2 * stride})] {
      const Source s = source();  // [in][out][2 * stride]
      Source flat{std::vector<float>(s.w.size()), stride * out, in, 2};
      for (int r = 0; r < stride; ++r)
        for (int o = 0; o < out; ++o)
          for (int c = 0; c < in; ++c)
            for (int k = 0; k < 2; ++k)
              flat.w[(static_cast<size_t>(r * out + o) * in + c) * 2 + k] = s.at(c, o, k ? r : r + stride);
      return flat;
    };
    return pack({stride * out, in, 2}, read, repeated, 1, 1, false, 3);
  }
  // Convolution whose stride is half its kernel, as one tap over rows of taps * in values.
  Layer strided(const std::string& name, const Shape& shape) {
    const int in = shape.in * shape.taps;
    const auto read = [=, source = reader(name, shape)] {
      const Source s = source();
      Source flat{std::vector<float>(s.w.size()), s.out, in, 1};
      for (int o = 0; o < s.out; ++o)
        for (int c = 0; c < s.in; ++c)
          for (int k = 0; k < s.taps; ++k) flat.w[static_cast<size_t>(o) * in + k * s.in + c] = s.at(o, c, k);
      return flat;
    };
    return pack({shape.out, in, 1}, read, values(name + ".b", {shape.out}), 1, 0, false, 3);
  }
  Norm norm(const std::string& name, int channels, bool predictor = false) {
    Norm n;
    n.predictor = predictor;
    n.channels = channels;
    n.bias = values(name + ".b", {2 * channels});
    n.gamma_beta.resize(n.bias.size());
    expect(name + ".w", {2 * channels, STYLE_HALF});
    n.weight = packed_.array<float>(n.bias.size() * STYLE_HALF, [&](float* to) {
      const std::vector<float> w = weights_.values(name + ".w");
      std::copy(w.begin(), w.end(), to);
    });
    return n;
  }
  // `doubles`: two rows out for each row in.
  void adain(AdainBlock& b, const std::string& name, int in, int out, bool doubles, bool predictor) {
    const int products = predictor ? 3 : products_;  // pitch and energy are cheap: full precision
    b.conv1 = convolution(name + ".conv1", {out, in, 3}, 1, false, products);
    b.conv2 = convolution(name + ".conv2", {out, out, 3}, 1, false, products);
    const Shape shortcut{out, in, 1};
    if (in != out)
      b.shortcut = pack(shortcut, reader(name + ".conv1x1", shortcut), {}, 1, 0, false, products);
    if (doubles) {
      b.pool_weight = values(name + ".pool.w", {in, 1, 3});
      b.pool_bias = values(name + ".pool.b", {in});
    }
    b.norm1 = norm(name + ".norm1", in, predictor);
    b.norm2 = norm(name + ".norm2", out, predictor);
  }
  void snake(SnakeBlock& b, const std::string& name, int channels, int taps) {
    const int dilations[3] = {1, 3, 5};
    for (int l = 0; l < 6; ++l) {
      const std::string part = std::to_string(l % 2 + 1) + "." + std::to_string(l / 2);
      const int dilation = l % 2 ? 1 : dilations[l / 2];
      b.conv[l] = convolution(name + ".convs" + part, {channels, channels, taps}, dilation, true, products_);
      b.norm[l] = norm(name + ".adain" + part, channels);
      for (const float a : values(name + ".alpha" + part, {channels})) {
        b.alpha[l].push_back(a * 0.318309886f);
        b.inverse_alpha[l].push_back(1 / a);
      }
    }
  }
  void curve(Curve& c, const std::string& name) {
    adain(c.block[0], name + ".0", 512, 512, false, true);
    adain(c.block[1], name + ".1", 512, 256, true, true);
    adain(c.block[2], name + ".2", 256, 256, false, true);
    c.projection = values(name + "_proj.w", {1, 256, 1});
    c.projection_bias = value(name + "_proj.b");
    c.down = values(name + "_conv.w", {1, 1, 3});
    c.down_bias = value(name + "_conv.b");
  }

 private:
  static constexpr int STYLE_HALF = 128;

  // Checked here, also where the tensor itself is never read, because it is packed already.
  void expect(const std::string& name, const std::vector<int>& shape) const {
    const std::vector<int> found = weights_.shape(name);
    if (found == shape) return;
    throw std::runtime_error(name + " in the weights file is " + written(found) + ", expected " +
                             written(shape));
  }
  // Reads the convolution `name`, [out][in][taps].
  Read reader(const std::string& name, const Shape& shape) const {
    expect(name + ".w", {shape.out, shape.in, shape.taps});
    return
        [this, name, shape] { return Source{weights_.values(name + ".w"), shape.out, shape.in, shape.taps}; };
  }
  // `read()` is called only where the weights are not packed yet.
  Layer pack(const Shape& shape, const Read& read, const std::vector<float>& bias, int dilation, int pad,
             bool winograd, int products) {
    Layer layer;
    layer.in = shape.in;
    layer.in_padded = up(shape.in, 32);
    layer.out = shape.out;
    layer.out_padded = up(shape.out, 32);
    layer.taps = shape.taps;
    layer.dilation = dilation;
    layer.pad = pad;
    layer.products = products;
    layer.bias.assign(layer.out_padded, 0.f);
    std::copy(bias.begin(), bias.end(), layer.bias.begin());
    widest_ = std::max(widest_, layer.in_padded);
    const size_t each = product({size_t(layer.out_padded), size_t(layer.in_padded)});
    if (kernels_.tiles) {
      const size_t count = product({each, size_t(shape.taps)});
      const bool with_low = products > 1;
      layer.high = packed_.array<uint16_t>(with_low ? 2 * count : count, [&](uint16_t* to) {
        pack_tiles(layer, read(), to, with_low ? to + count : nullptr);
      });
      if (with_low) layer.low = layer.high + count;
    } else if (winograd) {
      layer.winograd = scheme_of(shape.taps);
      layer.groups = (shape.taps + layer.winograd.taps - 1) / layer.winograd.taps;
      const size_t count = product({each, size_t(layer.winograd.points()), size_t(layer.groups)});
      layer.weights = packed_.array<float>(count, [&](float* to) { pack_winograd(layer, read(), to); });
    } else {
      const size_t count = product({each, size_t(shape.taps)});
      layer.weights = packed_.array<float>(count, [&](float* to) { pack_direct(layer, read(), to); });
    }
    return layer;
  }
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
            const size_t row =
                ((static_cast<size_t>(o / panel) * points + p) * groups + j) * layer.in_padded + c;
            out[row * panel + o % panel] = static_cast<float>(u);
          }
      }
  }
  void pack_direct(const Layer& layer, const Source& s, float* out) const {
    const int panel = kernels_.panel;
    for (int o = 0; o < s.out; ++o)
      for (int k = 0; k < s.taps; ++k)
        for (int c = 0; c < s.in; ++c)
          out[((static_cast<size_t>(o / panel) * s.taps + k) * layer.in_padded + c) * panel + o % panel] =
              s.at(o, c, k);
  }

  const Weights& weights_;
  Packed& packed_;
  const Kernels& kernels_;
  const int products_;
  int widest_ = 0;
};

}  // namespace

Model::Model(const Weights& weights, Packed& packed, const Choice& choice) {
  Builder build(weights, packed, choice.kernels, choice.products);
  build.curve(pitch, "F0");
  build.curve(energy, "N");
  build.adain(decoder[0], "encode", 514, 1024, false, false);
  build.adain(decoder[1], "decode.0", 1090, 1024, false, false);
  build.adain(decoder[2], "decode.1", 1090, 1024, false, false);
  build.adain(decoder[3], "decode.2", 1090, 1024, false, false);
  build.adain(decoder[4], "decode.3", 1090, 512, true, false);
  asr_residual = build.convolution("asr_res", {64, 512, 1}, 1, false, 3);
  up[0] = build.transposed("ups.0", 512, 256, 10);
  up[1] = build.transposed("ups.1", 256, 128, 6);
  noise[0] = build.strided("noise_convs.0", {256, 22, 12});
  noise[1] = build.convolution("noise_convs.1", {128, 22, 1}, 1, false, 3);
  post = build.convolution("conv_post", {22, 128, 7}, 1, false, 3);
  const int taps[3] = {3, 7, 11};
  for (int i = 0; i < 6; ++i)
    build.snake(resblock[i], "resblocks." + std::to_string(i), i < 3 ? 256 : 128, taps[i % 3]);
  build.snake(noise_block[0], "noise_res.0", 256, 7);
  build.snake(noise_block[1], "noise_res.1", 128, 11);
  harmonics = build.values("l_linear.w", {9});
  harmonics_bias = build.value("l_linear.b");
  inverse_dft = build.values("istft", {22, 20});
  widest = build.widest();

  for (Curve* curve : {&pitch, &energy})
    for (AdainBlock& b : curve->block) norms.insert(norms.end(), {&b.norm1, &b.norm2});
  for (AdainBlock& b : decoder) norms.insert(norms.end(), {&b.norm1, &b.norm2});
  for (SnakeBlock& b : resblock)
    for (Norm& n : b.norm) norms.push_back(&n);
  for (SnakeBlock& b : noise_block)
    for (Norm& n : b.norm) norms.push_back(&n);
}
