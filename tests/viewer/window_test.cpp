// The program itself with its window, on a virtual display with software OpenGL.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <odemesh/sim/render/image.hpp>
#include <odemesh/sim/render/offscreen_context.hpp>
#include <string>

namespace {

namespace fs = std::filesystem;
using odemesh::sim::Image;

/// Xvfb on a display of its own, for as long as this lives.
class VirtualDisplay {
 public:
  VirtualDisplay() {
    int pipe_ends[2];
    if (pipe(pipe_ends) != 0) return;
    process_ = fork();
    if (process_ == 0) {
      close(pipe_ends[0]);
      const std::string fd = std::to_string(pipe_ends[1]);
      execlp("Xvfb", "Xvfb", "-displayfd", fd.c_str(), "-screen", "0", "800x600x24", "-nolisten", "tcp",
             static_cast<char*>(nullptr));
      _exit(127);
    }
    close(pipe_ends[1]);
    char c = 0;
    while (read(pipe_ends[0], &c, 1) == 1 && c != '\n') number_ += c;  // empty if Xvfb is not there
    close(pipe_ends[0]);
  }
  ~VirtualDisplay() {
    if (process_ <= 0) return;
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
  }
  VirtualDisplay(const VirtualDisplay&) = delete;
  VirtualDisplay& operator=(const VirtualDisplay&) = delete;

  [[nodiscard]] bool isThere() const { return !number_.empty(); }
  [[nodiscard]] std::string name() const { return ":" + number_; }

 private:
  pid_t process_ = -1;
  std::string number_;
};

struct Result {
  int exit_code;
  std::string output;  // stdout and stderr
};

Result shell(const std::string& command) {
  FILE* out = popen(("(" + command + ") 2>&1").c_str(), "r");
  Result result{-1, {}};
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, out)) result.output.append(buffer, n);
  const int status = pclose(out);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  return result;
}

const std::string kSandbox = std::string("\"") + ODEMESH_SANDBOX + "\" ";

// A folder of its own for each test, removed at the end.
class ProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              ("odemesh-window-" + std::string(info->name()) + "-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] Image image(const std::string& name) const { return odemesh::sim::loadPng(path(name)); }

 private:
  fs::path folder_;
};

TEST_F(ProgramTest, WithoutADisplayItSaysSoInALineAndRunsHeadless) {
  const Result result = shell("env -u DISPLAY -u WAYLAND_DISPLAY -u XDG_RUNTIME_DIR " + kSandbox +
                              "shape:box --steps 5 --ground plane");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(result.output.find("note: no window: "), 0U) << result.output;
  EXPECT_NE(result.output.find("running headless\n"), std::string::npos);
  EXPECT_NE(result.output.find("in 5 steps"), std::string::npos);
  const Result timed =
      shell("env -u DISPLAY -u WAYLAND_DISPLAY -u XDG_RUNTIME_DIR " + kSandbox + "shape:box --frames 3");
  EXPECT_EQ(timed.exit_code, 1);
  EXPECT_NE(timed.output.find("error: no window: "), std::string::npos) << timed.output;
}

TEST_F(ProgramTest, PlayingNeedsAWindowAndARecording) {
  EXPECT_EQ(shell(kSandbox + "--play /no/such/run.glb").exit_code, 2);
  std::ofstream(path("mesh.glb")) << "glTF";
  const Result result = shell(kSandbox + "--play \"" + path("mesh.glb") + "\"");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.output.find("mesh.glb"), std::string::npos) << result.output;
}

TEST_F(ProgramTest, ScenesAreListedAndUnknownOnesRefused) {
  const Result list = shell(kSandbox + "--scene list");
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_NE(list.output.find("stacks/5 "), std::string::npos);
  const Result unknown = shell(kSandbox + "--scene stacks/none --headless");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.output.find("'stacks/none'"), std::string::npos);
  EXPECT_NE(unknown.output.find("--scene list"), std::string::npos);
  for (const char* clash :
       {"--scene stacks/2 shape:box", "--scene stacks/2 --mu 1", "--scene stacks/2 --count 3",
        "shape:box --side-by-side --collider ode", "shape:box --size 10x10", "shape:box --size 300"})
    EXPECT_EQ(shell(kSandbox + clash + " --headless --steps 1").exit_code, 2) << clash;
}

bool isDark(const Image& image, int x, int y) {
  const auto colour = image.at(x, y);
  return colour.r < 0.35F && colour.g < 0.35F && colour.b < 0.35F;
}

int darkPixels(const Image& image, int x0, int y0, int x1, int y1) {
  int count = 0;
  for (int y = y0; y < y1; ++y)
    for (int x = x0; x < x1; ++x) count += isDark(image, x, y) ? 1 : 0;
  return count;
}

/// Share of the pixels of two rectangles of the same size that differ by more than noise.
double difference(const Image& a, int ax, const Image& b, int bx, int y0, int width) {
  int count = 0;
  for (int y = y0; y < a.height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto p = a.at(ax + x, y);
      const auto q = b.at(bx + x, y);
      if (std::abs(p.r - q.r) + std::abs(p.g - q.g) + std::abs(p.b - q.b) > 0.1F) ++count;
    }
  return count / (double(width) * (a.height - y0));
}

TEST_F(ProgramTest, DrawsBothCollidersIntoAPictureWithoutAWindow) {
  if (!odemesh::sim::OffscreenContext::hasEgl()) GTEST_SKIP() << "no EGL here";
  const Result result =
      shell(kSandbox + "--scene stacks/5 --side-by-side --headless --seconds 0.5 --size 402x240 " +
            "--screenshot \"" + path("both.png") + "\"");
  ASSERT_EQ(result.exit_code, 0) << result.output;
  EXPECT_NE(result.output.find("collider odemesh"), std::string::npos);
  EXPECT_NE(result.output.find("collider ode\n"), std::string::npos);
  const Image both = image("both.png");
  ASSERT_EQ(both.width, 402);
  EXPECT_GT(difference(both, 0, both, 202, 40, 200), 0.03);
  if (ODEMESH_HAS_WINDOW) {  // the captions
    EXPECT_GT(darkPixels(both, 0, 0, 200, 30), 30);
    EXPECT_GT(darkPixels(both, 202, 0, 402, 30), 30);
  }
}

TEST_F(ProgramTest, ShowsWhatIsAskedForInAPictureWithoutAWindow) {
  if (!odemesh::sim::OffscreenContext::hasEgl()) GTEST_SKIP() << "no EGL here";
  const auto drawn = [&](const std::string& more) {
    const Result result =
        shell(kSandbox + "--scene stacks/2 --headless --steps 5 --size 320x200 --screenshot \"" +
              path("end.png") + "\" " + more);
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return image("end.png");
  };
  const Image plain = drawn("");
  for (const char* what : {"contacts", "intersections", "volumes", "wireframe", "no-shadows", "no-grid"})
    EXPECT_GT(difference(plain, 0, drawn(std::string("--show ") + what), 0, 0, 320), 0.001) << what;
}

class WindowTest : public ProgramTest {
 protected:
  void SetUp() override {
    if (!ODEMESH_HAS_WINDOW) GTEST_SKIP() << "built without a window";
    if (!display_.isThere()) GTEST_SKIP() << "no Xvfb here";
    ProgramTest::SetUp();
  }
  [[nodiscard]] std::string onDisplay() const {
    return "env -u WAYLAND_DISPLAY LIBGL_ALWAYS_SOFTWARE=1 DISPLAY=" + display_.name() + " ";
  }
  Result play(const std::string& scene, const std::string& script) {
    std::ofstream(path("script")) << script;
    return shell("cd \"" + path("") + "\" && " + onDisplay() + "timeout 100 " + kSandbox + scene +
                 " --script script");
  }

 private:
  VirtualDisplay display_;
};

TEST_F(WindowTest, ShowsTheSceneAndItsContactsWhenTheyAreSwitchedOn) {
  const Result result =
      play("--scene stacks/2 --size 320x200",
           "key u\nframes 3\nkey space  # pause\npicture plain.png\nkey k\npicture contacts.png\n"
           "key k\npicture again.png\nkey u\nframes 2\npicture panels.png\n");
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const Image plain = image("plain.png");
  ASSERT_EQ(plain.width, 320);
  EXPECT_GT(difference(plain, 0, plain, 160, 0, 160), 0.1);  // not a plain background
  const double changed = difference(plain, 0, image("contacts.png"), 0, 0, 320);
  EXPECT_GT(changed, 0.001);
  EXPECT_LT(changed, 0.3);
  EXPECT_EQ(difference(plain, 0, image("again.png"), 0, 0, 320), 0);
  EXPECT_GT(difference(plain, 0, image("panels.png"), 0, 0, 320), 0.2);
}

TEST_F(WindowTest, SideBySideTheHalvesPartWhenTheStackFalls) {
  const Result result = play("--scene stacks/5 --side-by-side --size 322x200",
                             "key u\nkey space\npicture start.png\nkey space\nframes 40\npicture end.png\n");
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const Image start = image("start.png");
  const Image end = image("end.png");
  constexpr int kBelowCaptions = 45;
  EXPECT_LT(difference(start, 0, start, 162, kBelowCaptions, 160), 0.01);
  EXPECT_LT(difference(start, 0, end, 0, kBelowCaptions, 160), 0.02);      // stands
  EXPECT_GT(difference(start, 162, end, 162, kBelowCaptions, 160), 0.05);  // falls
}

TEST_F(WindowTest, ADroppedMeshAppearsAndABrokenOneIsSaidToBe) {
  std::ofstream(path("broken.stl")) << "solid";
  const Result result = play("--scene rest/box --size 480x320",
                             "key space\nframes 1\npicture before.png\ndrop broken.stl\npicture broken.png\n"
                             "drop " ODEMESH_EXAMPLE_MESHES "/spot.obj\nkey f\nkey u\npicture spot.png\n");
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const auto redText = [](const Image& image) {
    int count = 0;
    for (int y = image.height - 120; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x) {
        const auto c = image.at(x, y);
        count += c.r > 0.6F && c.g < 0.3F && c.b < 0.3F ? 1 : 0;
      }
    return count;
  };
  EXPECT_GT(redText(image("broken.png")), redText(image("before.png")) + 50);
  EXPECT_GT(difference(image("before.png"), 0, image("spot.png"), 0, 0, 480), 0.1);
}

// One frame is drawn before the picture, so that the bodies are where they were dropped.
TEST_F(WindowTest, ADroppedRecordingIsPlayedPausedAndWoundBack) {
  const Result recorded = shell("cd \"" + path("") + "\" && " + kSandbox +
                                "shape:box --count 3 --seconds 1 --headless --record run.glb");
  if (recorded.output.find("tinygltf") != std::string::npos) GTEST_SKIP() << recorded.output;
  ASSERT_EQ(recorded.exit_code, 0) << recorded.output;
  const Result result =
      play("--scene rest/box --size 320x200",
           "key u\nkey space\nframes 1\npicture scene.png\ndrop run.glb\npicture start.png\n"
           "key space\nframes 40\nkey space\npicture later.png\nframes 5\npicture paused.png\n"
           "key ,\npicture back.png\nkey .\nkey .\nkey .\nkey .\npicture end.png\n"
           "key r\npicture again.png\n");
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const auto changed = [&](const char* a, const char* b) {
    return difference(image(a), 0, image(b), 0, 45, 320);
  };
  EXPECT_GT(changed("scene.png", "start.png"), 0.05);
  EXPECT_GT(changed("start.png", "later.png"), 0.02);
  EXPECT_EQ(changed("later.png", "paused.png"), 0);
  EXPECT_GT(changed("later.png", "back.png"), 0.001);
  EXPECT_EQ(changed("start.png", "again.png"), 0);
  const Result played =
      play("--play run.glb --size 320x200", "key u\nkey space\nframes 1\npicture play.png\n");
  ASSERT_EQ(played.exit_code, 0) << played.output;
  EXPECT_EQ(changed("start.png", "play.png"), 0);
}

TEST_F(WindowTest, TimesFramesAndTellsWhatTheyTook) {
  const Result result = shell(onDisplay() + kSandbox + "shape:box --count 3 --size 320x200 --frames 12");
  ASSERT_EQ(result.exit_code, 0) << result.output;
  EXPECT_NE(result.output.find("12 frames of 320 x 200, low quality, by llvmpipe"), std::string::npos)
      << result.output;
  EXPECT_NE(result.output.find("\nwhole frame "), std::string::npos);
  EXPECT_NE(result.output.find("\nprocessor, all threads "), std::string::npos);
  const Result high = shell(onDisplay() + kSandbox + "shape:box --size 320x200 --quality high --frames 2");
  EXPECT_NE(high.output.find("high quality"), std::string::npos) << high.output;
}

// Columns of 31 pixels have no room for a name; those of 98 have for a short one.
TEST_F(ProgramTest, CaptionsKeepToTheirColumns) {
  if (!ODEMESH_HAS_WINDOW || !odemesh::sim::OffscreenContext::hasEgl()) GTEST_SKIP() << "no captions here";
  const auto drawn = [&](const std::string& size) {
    const Result result = shell(kSandbox + "--scene stacks/2 --side-by-side --headless --steps 1 --size " +
                                size + " --show no-shadows no-grid --screenshot \"" + path("s.png") + "\"");
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return image("s.png");
  };
  const Image narrow = drawn("198x100");
  EXPECT_GT(darkPixels(narrow, 0, 0, 98, 25), 20);
  EXPECT_GT(darkPixels(narrow, 125, 0, 175, 25), 10);  // in the middle of its column
  EXPECT_EQ(darkPixels(narrow, 100, 0, 120, 25), 0);   // and not from edge to edge
  EXPECT_EQ(darkPixels(drawn("64x64"), 0, 0, 31, 25), 0);
}

TEST_F(WindowTest, AScriptThatCantBePlayedIsNamedWithItsLine) {
  const Result result = play("--scene rest/box --size 100x100", "frames 1\nkey space\njump 3\n");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.output.find("script, line 3: 'jump'"), std::string::npos) << result.output;
  EXPECT_EQ(shell(onDisplay() + kSandbox + "shape:box --script /no/such/script").exit_code, 2);
}

TEST_F(WindowTest, ListensToRealKeysAndMouse) {
  if (shell("xdotool --version").exit_code != 0) GTEST_SKIP() << "no xdotool here";
  // Keys: the panels off, a picture, quit. The mouse: the wheel, which brings the box nearer.
  const std::string program =
      "timeout 100 " + kSandbox + "--scene rest/box --size 320x200 --screenshot last.png";
  const std::string user =
      "xdotool search --sync --onlyvisible --name '^odemesh$' windowfocus --sync && sleep 1 && "
      "xdotool mousemove 250 150 click 5 click 5 key u key p && "
      "until [ -s last.png ]; do sleep 0.1; done; sleep 0.5; "
      "cp last.png first.png && xdotool click --repeat 8 4 && xdotool key q";
  const Result result = shell("cd \"" + path("") + "\" && export LIBGL_ALWAYS_SOFTWARE=1; " + onDisplay() +
                              program + " & " + onDisplay() + "timeout 60 sh -c \"" + user + "\"; wait $!");
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const Image first = image("first.png");
  const Image last = image("last.png");
  EXPECT_EQ(darkPixels(first, 12, 30, 100, 60), 0);  // no panel's text
  EXPECT_GT(difference(first, 0, last, 0, 0, 320), 0.05);
}

}  // namespace
