#include "viewer/script.hpp"

#include <cctype>
#include <fstream>
#include <odemesh/sim/input_error.hpp>
#include <sstream>
#include <utility>

namespace odemesh::viewer {
namespace {

[[noreturn]] void refuse(const std::string& problem) {
  throw sim::InputError(problem);
}

template <class T>
T take(std::istream& in, const char* what) {
  T value{};
  if (!(in >> value)) refuse(std::string("expected ") + what);
  return value;
}

Button takeButton(std::istream& in) {
  const auto name = take<std::string>(in, "left, right or middle");
  if (name == "left") return Button::kLeft;
  if (name == "right") return Button::kRight;
  if (name == "middle") return Button::kMiddle;
  refuse("'" + name + "' is not left, right or middle");
}

char takeKey(std::istream& in) {
  const auto name = take<std::string>(in, "a key");
  if (name == "space") return ' ';
  if (name.size() != 1) refuse("'" + name + "' is not a key; give one character, or space");
  return static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
}

std::string takeRest(std::istream& in) {
  std::string rest;
  std::getline(in >> std::ws, rest);
  if (rest.empty()) refuse("expected the name of a file");
  return rest;
}

}  // namespace

Script::Script(const std::string& file) : file_(file) {
  std::ifstream in(file);
  if (!in) throw sim::InputError("--script: '" + file + "' can't be read; give a text file of events");
  for (std::string line; std::getline(in, line);) lines_.push_back(line.substr(0, line.find('#')));
}

bool Script::playFrame(App& app) {
  while (frames_ == 0 && picture_.empty() && next_ < lines_.size()) {
    const std::string& line = lines_[next_++];
    try {
      play(line, app);
    } catch (const sim::InputError& error) {
      throw sim::InputError(file_ + ", line " + std::to_string(next_) + ": " + error.what());
    }
  }
  if (frames_ > 0) {
    --frames_;
    return true;
  }
  return !picture_.empty();
}

void Script::play(const std::string& line, App& app) {
  std::istringstream in(line);
  std::string event;
  if (!(in >> event)) return;
  if (event == "key") {
    app.pressKey(takeKey(in));
  } else if (event == "press") {
    const Button button = takeButton(in);
    const auto x = take<double>(in, "two numbers");
    app.pressButton(button, x, take<double>(in, "two numbers"));
  } else if (event == "release") {
    app.releaseButton(takeButton(in));
  } else if (event == "move") {
    const auto x = take<double>(in, "two numbers");
    app.moveCursor(x, take<double>(in, "two numbers"));
  } else if (event == "scroll") {
    app.scroll(take<double>(in, "a number of steps"));
  } else if (event == "drop") {
    const std::string files[] = {takeRest(in)};
    app.dropFiles(files);
  } else if (event == "frames") {
    frames_ = take<int>(in, "a number of frames");
  } else if (event == "picture") {
    picture_ = takeRest(in);
  } else {
    refuse("'" + event +
           "' is not an event; give key, press, move, release, scroll, drop, frames or picture");
  }
}

std::string Script::takePicture() {
  return std::exchange(picture_, {});
}

}  // namespace odemesh::viewer
