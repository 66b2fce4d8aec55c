#include "packed.h"

#include <cstdio>
#include <memory>

namespace {
// To be raised with every change of what is packed, or how.
constexpr uint32_t FORMAT = 1;
constexpr size_t HEADER = 4096, ISA = 16;

struct Header {
  char magic[4] = {'K', 'O', 'K', 'P'};
  uint32_t format = FORMAT;
  char isa[ISA] = {};
  uint64_t source = 0, bytes = 0, checksum = 0;
};
Header header_of(const PackedKey& key) {
  Header header;
  header.source = key.source;
  std::snprintf(header.isa, ISA, "%s", key.isa.c_str());
  return header;
}

constexpr uint64_t FACTOR = 0x9e3779b97f4a7c15u;  // odd, so that multiplying loses nothing
uint64_t mixed(uint64_t sum, uint64_t word) {
  const uint64_t x = (sum ^ word) * FACTOR;
  return x << 29 | x >> 35;
}
}  // namespace

void Checksum::add(const void* data, size_t bytes) {
  const unsigned char* p = static_cast<const unsigned char*>(data);
  constexpr size_t STEP = LANES * 8;
  total_ += bytes;
  for (; bytes >= STEP; bytes -= STEP, p += STEP)
    for (int k = 0; k < LANES; ++k) lanes_[k] = mixed(lanes_[k], read<uint64_t>(p + 8 * k));
  if (!bytes) return;
  unsigned char rest[STEP] = {};
  std::memcpy(rest, p, bytes);
  for (int k = 0; k < LANES; ++k) lanes_[k] = mixed(lanes_[k], read<uint64_t>(rest + 8 * k));
}

uint64_t Checksum::value() const {
  uint64_t sum = total_;
  for (const uint64_t lane : lanes_) sum = mixed(sum, lane);
  return sum;
}

Packed::Packed(const std::string& path, const PackedKey& key) : file_(path), place_(HEADER) {
  if (file_.bytes() < HEADER) throw std::runtime_error("it is cut short");
  const Header found = read<Header>(file_.data()), wanted = header_of(key);
  if (std::memcmp(found.magic, wanted.magic, sizeof found.magic) != 0)
    throw std::runtime_error("it holds no packed weights");
  if (found.format != wanted.format) throw std::runtime_error("it is of another version");
  if (std::memcmp(found.isa, wanted.isa, ISA) != 0)
    throw std::runtime_error("it is for another instruction set");
  if (found.source != wanted.source) throw std::runtime_error("it was made from other weights");
  if (found.bytes != file_.bytes() - HEADER) throw std::runtime_error("it is cut short");
  Checksum sum;
  sum.add(file_.data() + HEADER, found.bytes);
  if (sum.value() != found.checksum) throw std::runtime_error("it is damaged");
}

const unsigned char* Packed::next(size_t bytes) {
  if (bytes > file_.bytes() - place_)
    throw std::runtime_error("the packed weights hold fewer arrays than expected");
  place_ += bytes;
  return file_.data() + place_ - bytes;
}

void Packed::save(const std::string& path, const PackedKey& key) const {
  auto fail = [&] { throw std::runtime_error(path + ": " + std::strerror(errno)); };
  Header header = header_of(key);
  Checksum sum;
  for (const Buffer<char>& b : filled_) {
    sum.add(b.data(), b.bytes());
    header.bytes += b.bytes();
  }
  header.checksum = sum.value();
  char first[HEADER] = {};
  std::memcpy(first, &header, sizeof header);
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
  if (!file) fail();
  if (std::fwrite(first, 1, HEADER, file.get()) != HEADER) fail();
  for (const Buffer<char>& b : filled_)
    if (std::fwrite(b.data(), 1, b.bytes(), file.get()) != b.bytes()) fail();
  if (std::fclose(file.release()) != 0) fail();
}
