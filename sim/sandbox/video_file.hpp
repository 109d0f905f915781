// Videos, made by the program ffmpeg.
#pragma once

#include <odemesh/sim/render/image.hpp>
#include <string>

#include "options.hpp"

namespace odemesh::sandbox {

/// Whether the program ffmpeg is on the path.
[[nodiscard]] bool hasFfmpeg();

/// Pipes pictures into ffmpeg, which packs them into a file in the format that its extension names.
class VideoFile {
 public:
  /// Throws InputError if the file can't be written or ffmpeg can't be started; the text says how to get it.
  VideoFile(std::string file, PictureSize size, int frames_per_second);
  /// Leaves an unfinished file behind unless `finish` has been called.
  ~VideoFile();
  VideoFile(const VideoFile&) = delete;
  VideoFile& operator=(const VideoFile&) = delete;

  /// Adds a frame, which has to be of the file's size. Throws InputError with what ffmpeg says if it has
  /// given up.
  void write(const sim::Image& frame);
  /// Waits for ffmpeg to complete the file. Throws like `write`.
  void finish();

 private:
  void start(PictureSize size, int frames_per_second);
  [[noreturn]] void refuse();
  int wait();  ///< exit code of ffmpeg

  std::string file_;
  int process_ = -1;
  int pipe_ = -1;  ///< a socket, as writing to a closed one need not raise a signal
  int log_ = -1;   ///< file that takes ffmpeg's messages
};

}  // namespace odemesh::sandbox
