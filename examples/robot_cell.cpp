// robot_cell [--list-all] [part=amount ...]: Sinjur's robot cell. An arm whose moves are refused when a part
// would collide with another one, the table or one of two cylinders.
//
//   robot_cell joint1=30 joint2=-20 gripper=10     moves one after the other, degrees and millimetres
//   echo "joint2 -60" | robot_cell                 a move a line; also: all, first, where
//   robot_cell                                     keys on a terminal
//
// Ends with 1 if a move was refused and with 2 if one could not be understood.
#include <charconv>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

#include "robot_cell/arm.hpp"
#include "robot_cell/keys.hpp"

using namespace robot_cell;

namespace {

enum Outcome { kMoved = 0, kRefused = 1, kNotUnderstood = 2 };

/// A pair of keys a part: forwards and backwards.
constexpr std::string_view kForward = "qwertyu", kBackward = "asdfghj";

struct Session {
  RobotCell cell;
  Mode mode = Mode::kStopAtFirst;
};

[[nodiscard]] Outcome move(Session& session, std::size_t part, double amount) {
  const Drive& drive = kDrives[part];
  const std::optional<Refusal> refusal = session.cell.move(part, amount, session.mode);
  if (!refusal) {
    std::printf("%s is at %g %s\n", drive.name, session.cell.value(part), drive.unit);
    return kMoved;
  }
  if (refusal->collisions.empty()) {
    std::printf("%s %g refused: it goes from %g to %g %s\n", drive.name, amount, drive.least, drive.greatest,
                drive.unit);
    return kRefused;
  }
  std::printf("%s %g refused: at %g %s", drive.name, amount, refusal->at, drive.unit);
  const char* separator = " ";
  for (const Collision& c : refusal->collisions) {
    std::printf("%s%s would hit %s", separator, session.cell.objects()[c.first].name.c_str(),
                session.cell.objects()[c.second].name.c_str());
    separator = ", ";
  }
  std::printf("\n");
  return kRefused;
}

[[nodiscard]] Outcome move(Session& session, std::string_view name, std::string_view amount) {
  const std::optional<std::size_t> part = findPart(name);
  if (!part) {
    std::fprintf(stderr, "no part is named '%.*s': use", static_cast<int>(name.size()), name.data());
    for (const Drive& drive : kDrives) std::fprintf(stderr, " %s", drive.name);
    std::fprintf(stderr, "\n");
    return kNotUnderstood;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(amount.data(), amount.data() + amount.size(), value);
  if (error != std::errc() || end != amount.data() + amount.size() || !(value - value == 0)) {
    std::fprintf(stderr, "'%.*s' is no amount: give a number of %s\n", static_cast<int>(amount.size()),
                 amount.data(), kDrives[*part].unit);
    return kNotUnderstood;
  }
  return move(session, *part, value);
}

void printPlaces(const Session& session) {
  for (std::size_t part = 0; part < kDrives.size(); ++part)
    std::printf("%s %g %s\n", kDrives[part].name, session.cell.value(part), kDrives[part].unit);
}

[[nodiscard]] Outcome runLine(Session& session, const std::string& line) {
  std::istringstream words(line);
  std::string name, amount;
  if (!(words >> name)) return kMoved;
  if (name == "all" || name == "first") {
    session.mode = name == "all" ? Mode::kListAll : Mode::kStopAtFirst;
    return kMoved;
  }
  if (name == "where") {
    printPlaces(session);
    return kMoved;
  }
  words >> amount;
  return move(session, name, amount);
}

void runKeys(Session& session) {
  std::printf("forwards %s, backwards %s: joint1 joint2 joint3 pitch yaw roll gripper\n", kForward.data(),
              kBackward.data());
  std::printf("l: list all collisions or stop at the first, p: print where everything is, x: end\n");
  RawKeys keys;
  for (int key = keys.next(); key >= 0 && key != 'x'; key = keys.next()) {
    const auto c = static_cast<char>(key);
    if (const std::size_t part = kForward.find(c); part != std::string_view::npos)
      (void)move(session, part, 5);
    else if (const std::size_t back = kBackward.find(c); back != std::string_view::npos)
      (void)move(session, back, -5);
    else if (c == 'p')
      printPlaces(session);
    else if (c == 'l')
      session.mode = session.mode == Mode::kListAll ? Mode::kStopAtFirst : Mode::kListAll;
  }
}

[[nodiscard]] int run(int argc, char** argv) {
  Session session;
  int worst = kMoved;
  bool any = false;
  for (int k = 1; k < argc; ++k) {
    const std::string_view word = argv[k];
    if (word == "--list-all") {
      session.mode = Mode::kListAll;
      continue;
    }
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) {
      std::fprintf(stderr, "usage: robot_cell [--list-all] [part=amount ...]\n");
      return kNotUnderstood;
    }
    any = true;
    worst = std::max<int>(worst, move(session, word.substr(0, equals), word.substr(equals + 1)));
  }
  if (any) return worst;
  if (isTerminal()) {
    runKeys(session);
    return kMoved;
  }
  for (std::string line; std::getline(std::cin, line);) worst = std::max<int>(worst, runLine(session, line));
  return worst;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return kNotUnderstood;
  }
}
