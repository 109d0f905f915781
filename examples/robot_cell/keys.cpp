#include "robot_cell/keys.hpp"

#include <termios.h>
#include <unistd.h>

namespace robot_cell {

namespace {
termios saved{};
}

bool isTerminal() {
  return isatty(STDIN_FILENO) == 1;
}

RawKeys::RawKeys() {
  tcgetattr(STDIN_FILENO, &saved);
  termios raw = saved;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

RawKeys::~RawKeys() {
  tcsetattr(STDIN_FILENO, TCSANOW, &saved);
}

int RawKeys::next() {
  unsigned char key = 0;
  return read(STDIN_FILENO, &key, 1) == 1 ? key : -1;
}

}  // namespace robot_cell
