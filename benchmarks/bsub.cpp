// B-SUB as of 2013 by hand: one contact model (start), one tag per message, one lifetime, unlimited bandwidth, a buffer of
// ROOM messages that drops its oldest, interests that stay. `benchmarks/beside_cpp.py` writes what it reads and checks
// that it delivers, forwards and drops as much as hunet does.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <vector>

constexpr int M = 256, K = 3, WORDS = M / 64, INITIAL = 5;
constexpr double CYCLE = 256.0;

template <class T> std::vector<T> read(std::ifstream &in, size_t count) {
  std::vector<T> values(count);
  in.read(reinterpret_cast<char *>(values.data()), sizeof(T) * count);
  return values;
}

struct Counters {
  alignas(64) uint8_t at[M];
};

struct Node {
  Counters relay{};
  uint64_t genuine[WORDS]{}, answers = 0;
  int64_t tick = 0, first = 0;  // decayed so far; the first word of messages that may still be there
  int count = 0;
};

int main(int, char **arguments) {
  std::ifstream in(arguments[1], std::ios::binary);
  const auto sizes = read<int64_t>(in, 6);
  const int64_t nodes = sizes[0], contacts = sizes[1], messages = sizes[2], tags = sizes[3], room = sizes[4], repeats = sizes[5];
  const double ttl = read<double>(in, 1)[0];
  const auto a = read<uint32_t>(in, contacts), b = read<uint32_t>(in, contacts);
  const auto start = read<double>(in, contacts), created = read<double>(in, messages);
  const auto source = read<uint32_t>(in, messages), tag = read<uint32_t>(in, messages);
  const auto wants = read<uint8_t>(in, nodes * tags), table = read<uint8_t>(in, K * tags);

  int64_t live = 0;  // the most messages at a time
  for (int64_t m = 0, old = 0; m < messages; m++) {
    while (created[old] + ttl < created[m]) old++;
    live = std::max(live, m - old + 1);
  }
  int64_t ring = 1;
  while (ring < live / 64 + 2) ring *= 2;
  const int64_t last = ring - 1;

  double best_time = INFINITY;
  int64_t forwards = 0, delivered = 0, dropped = 0;
  for (int64_t repeat = 0; repeat < repeats; repeat++) {
    std::vector<Node> all(nodes);
    std::vector<uint64_t> held(nodes * ring), seen(nodes * ring), tagged(ring * tags);
    std::vector<float> best(nodes * ring * 64);
    for (int64_t n = 0; n < nodes; n++) {
      for (int64_t t = 0; t < tags; t++)
        if (wants[n * tags + t])
          for (int i = 0; i < K; i++) all[n].genuine[table[i * tags + t] / 64] |= 1ull << (table[i * tags + t] % 64);
      for (int64_t t = 0; t < tags; t++) {
        bool known = true;
        for (int i = 0; i < K; i++) known &= all[n].genuine[table[i * tags + t] / 64] >> (table[i * tags + t] % 64) & 1;
        all[n].answers |= uint64_t(known) << t;
      }
    }
    forwards = delivered = dropped = 0;
    int64_t born = 0, oldest = 0;
    const clock_t began = clock();

    auto forget = [&](uint32_t n) {  // what is over leaves
      Node &node = all[n];
      uint64_t *mine = &held[n * ring], *known = &seen[n * ring];
      const int64_t word = oldest >> 6;
      if (word - node.first > ring) node.first = word - ring;
      for (; node.first < word; node.first++) {
        node.count -= __builtin_popcountll(mine[node.first & last]);
        mine[node.first & last] = known[node.first & last] = 0;
      }
      const uint64_t over = mine[word & last] & ((1ull << (oldest & 63)) - 1);
      node.count -= __builtin_popcountll(over);
      mine[word & last] ^= over;
    };
    auto trim = [&](uint32_t n) {
      for (int64_t word = oldest >> 6; all[n].count > room; word++) {
        uint64_t &bits = held[n * ring + (word & last)];
        while (bits && all[n].count > room) bits &= bits - 1, all[n].count--, dropped++;
      }
    };
    auto keep = [&](uint32_t n, int64_t m) {
      const int64_t place = n * ring + ((m >> 6) & last);
      held[place] |= 1ull << (m & 63);
      seen[place] |= 1ull << (m & 63);
      best[place * 64 + (m & 63)] = 0.0f;
      all[n].count++;
    };
    auto publish = [&](double now) {
      for (; born < messages && created[born] <= now; born++) {
        while (created[oldest] + ttl < created[born]) oldest++;
        if (born % 64 == 0) std::fill_n(&tagged[(born / 64 & last) * tags], tags, 0);
        tagged[(born / 64 & last) * tags + tag[born]] |= 1ull << (born & 63);
        forget(source[born]);
        keep(source[born], born);
        trim(source[born]);
      }
    };
    auto age = [&](Node &node, double now) {
      const int64_t tick = int64_t(now / CYCLE);
      if (tick <= node.tick) return;
      const uint8_t lost = uint8_t(std::min<int64_t>(tick - node.tick, 255));
      for (int i = 0; i < M; i++) node.relay.at[i] = std::max(node.relay.at[i], lost) - lost;
      node.tick = tick;
    };
    auto hear = [&](Node &node, const uint64_t *genuine, const Counters &relay) {
      for (int w = 0; w < WORDS; w++)
        for (uint64_t bits = genuine[w]; bits; bits &= bits - 1) {
          uint8_t &counter = node.relay.at[w * 64 + __builtin_ctzll(bits)];
          counter += std::min<uint8_t>(INITIAL, 255 - counter);
        }
      for (int i = 0; i < M; i++) node.relay.at[i] = std::max(node.relay.at[i], relay.at[i]);
    };
    auto value = [&](const Counters &relay, int64_t t) {
      return std::min({relay.at[table[t]], relay.at[table[tags + t]], relay.at[table[2 * tags + t]]});
    };
    struct Choice {
      int64_t message;
      float score;
    };
    std::vector<Choice> chosen[2];
    std::vector<float> score(2 * tags);

    for (int64_t c = 0; c < contacts; c++) {
      const double now = start[c];
      publish(now);
      while (oldest < born && created[oldest] + ttl < now) oldest++;
      const uint32_t ends[2] = {a[c], b[c]};
      for (uint32_t n : ends) forget(n), age(all[n], now);
      const Counters told[2] = {all[ends[0]].relay, all[ends[1]].relay};
      uint64_t worth[2] = {0, 0};
      for (int side = 0; side < 2; side++)
        for (int64_t t = 0; t < tags; t++) {
          const float mine = value(told[side], t), theirs = value(told[1 - side], t);
          const bool wanted = all[ends[1 - side]].answers >> t & 1;
          const float found = wanted ? INFINITY : (theirs - mine) / std::max(mine, 1.0f);
          score[side * tags + t] = found;
          worth[side] |= uint64_t(found > 0.0f) << t;
        }
      for (int side = 0; side < 2; side++) {
        const uint32_t me = ends[side], peer = ends[1 - side];
        chosen[side].clear();
        if (!worth[side] || !all[me].count) continue;
        for (int64_t word = oldest >> 6; word <= (born - 1) >> 6; word++) {
          uint64_t bits = held[me * ring + (word & last)] & ~seen[peer * ring + (word & last)];
          if (!bits) continue;
          uint64_t asked = 0;
          for (uint64_t left = worth[side]; left; left &= left - 1) asked |= tagged[(word & last) * tags + __builtin_ctzll(left)];
          for (bits &= asked; bits; bits &= bits - 1) {
            const int64_t m = word * 64 + __builtin_ctzll(bits);
            const float found = score[side * tags + tag[m]];
            if (found > best[(me * ring + (word & last)) * 64 + (m & 63)]) chosen[side].push_back({m, found});
          }
        }
      }
      for (int side = 0; side < 2; side++) {
        const uint32_t me = ends[side], peer = ends[1 - side];
        for (const Choice &choice : chosen[side]) {
          keep(peer, choice.message);
          forwards++;
          delivered += wants[peer * tags + tag[choice.message]];
          if (choice.score != INFINITY)
            best[(me * ring + ((choice.message >> 6) & last)) * 64 + (choice.message & 63)] = choice.score;
        }
      }
      trim(ends[0]);
      trim(ends[1]);
      hear(all[ends[0]], all[ends[1]].genuine, told[1]);
      hear(all[ends[1]], all[ends[0]].genuine, told[0]);
    }
    publish(INFINITY);
    best_time = std::min(best_time, double(clock() - began) / CLOCKS_PER_SEC);
  }
  std::printf("%.17g %ld %ld %ld\n", best_time / contacts, long(forwards), long(delivered), long(dropped));
}
