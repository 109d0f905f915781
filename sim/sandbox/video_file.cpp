#include "video_file.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <odemesh/sim/input_error.hpp>
#include <sstream>
#include <utility>
#include <vector>

extern char** environ;

namespace odemesh::sandbox {
namespace {

// A file without a name, gone with its descriptor.
int openTemporary() {
  std::string pattern = (std::filesystem::temp_directory_path() / "odemesh-XXXXXX").string();
  const int file = mkostemp(pattern.data(), O_CLOEXEC);
  if (file >= 0) unlink(pattern.c_str());
  return file;
}

std::string lastLineOf(int file) {
  std::string text(4096, '\0');
  const off_t size = lseek(file, 0, SEEK_END);
  const off_t from = std::max<off_t>(0, size - static_cast<off_t>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, pread(file, text.data(), text.size(), from))));
  const std::size_t end = text.find_last_not_of("\r\n");
  if (end == std::string::npos) return "it gives no reason";
  text.resize(end + 1);
  return text.substr(text.find_last_of("\r\n") + 1);
}

}  // namespace

bool hasFfmpeg() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access((std::filesystem::path(folder) / "ffmpeg").c_str(), X_OK) == 0) return true;
  return false;
}

VideoFile::VideoFile(std::string file, PictureSize size, int frames_per_second) : file_(std::move(file)) {
  if (!hasFfmpeg())
    throw sim::InputError(
        "--video: the program ffmpeg, which packs videos, is not installed; apt-get install ffmpeg, or use "
        "--record");
  start(size, frames_per_second);
}

VideoFile::~VideoFile() {
  if (pipe_ >= 0) close(pipe_);
  if (process_ > 0) wait();
  if (log_ >= 0) close(log_);
}

// yuv420p is what every player reads; it needs even sizes.
void VideoFile::start(PictureSize size, int frames_per_second) {
  const std::string picture = std::to_string(size.width) + "x" + std::to_string(size.height);
  const std::string rate = std::to_string(frames_per_second);
  std::vector<std::string> words = {"ffmpeg",
                                    "-y",
                                    "-loglevel",
                                    "error",
                                    "-f",
                                    "rawvideo",
                                    "-pixel_format",
                                    "rgba",
                                    "-video_size",
                                    picture,
                                    "-framerate",
                                    rate,
                                    "-i",
                                    "pipe:0",
                                    "-an",
                                    "-vf",
                                    "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white",
                                    "-pix_fmt",
                                    "yuv420p",
                                    "file:" + file_};
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  std::array<int, 2> ends{-1, -1};
  log_ = openTemporary();
  if (log_ < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw sim::InputError(std::string("--video: no pipe to ffmpeg (") + std::strerror(errno) +
                          "); use --record");
  pipe_ = ends[0];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, log_, STDERR_FILENO);
  const int error = posix_spawnp(&process_, "ffmpeg", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error == 0) return;
  process_ = -1;
  throw sim::InputError(std::string("--video: ffmpeg can't be started (") + std::strerror(error) +
                        "); use --record");
}

void VideoFile::write(const sim::Image& frame) {
  for (std::size_t sent = 0; sent < frame.rgba.size();) {
    const ssize_t n = send(pipe_, frame.rgba.data() + sent, frame.rgba.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) refuse();
    sent += static_cast<std::size_t>(n);
  }
}

void VideoFile::finish() {
  close(std::exchange(pipe_, -1));
  if (wait() != 0) refuse();
}

void VideoFile::refuse() {
  if (pipe_ >= 0) close(std::exchange(pipe_, -1));
  wait();
  throw sim::InputError("--video: ffmpeg can't write '" + file_ + "' (" + lastLineOf(log_) +
                        "); give a file such as run.mp4, and see if the disk is full");
}

int VideoFile::wait() {
  if (process_ <= 0) return -1;
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace odemesh::sandbox
