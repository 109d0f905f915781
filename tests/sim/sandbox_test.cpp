// Runs the program itself.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

struct Result {
  int exit_code;
  std::string output;  // stdout and stderr
};

Result run(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return {-1, "popen failed"};
  Result result{-1, {}};
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) result.output.append(buffer, n);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  return result;
}

Result sandbox(const std::string& arguments) {
  return run(std::string("\"") + ODEMESH_SANDBOX + "\" " + arguments);
}

// A folder of its own for each test, removed at the end.
class Sandbox : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        fs::temp_directory_path() / ("odemesh-" + std::string(info->name()) + "-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] std::string quoted(const std::string& name) const {
    std::ostringstream out;
    out << std::quoted(path(name));
    return out.str();
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  [[nodiscard]] std::string content(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  [[nodiscard]] std::vector<Json> readLines(const std::string& name) const {
    std::ifstream in(path(name));
    std::vector<Json> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
    return lines;
  }

 private:
  fs::path folder_;
};

void expectLacks(const std::string& text, const std::string& part) {
  EXPECT_EQ(text.find(part), std::string::npos) << text;
}

void expectHas(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

TEST_F(Sandbox, BadInputGivesExitCodeTwoAndNamesTheThing) {
  write("empty.stl", "");
  write("nan.obj", "v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n");
  write("range.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 7\n");
  write("flat.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n2 0 0\n3 0 1 2\n");
  write("readme.txt", "not a mesh\n");
  struct Case {
    std::string arguments;
    std::string named;
  };
  const std::vector<Case> cases = {
      {"", "FILES"},
      {quoted("missing.obj"), "missing.obj"},
      {quoted("empty.stl"), "empty.stl"},
      {quoted("nan.obj"), "nan.obj"},
      {quoted("range.obj"), "range.obj"},
      {quoted("flat.off"), "flat.off"},
      {quoted("readme.txt"), "readme.txt"},
      {quoted("."), "folder"},
      {"shape:dodo", "shape:icosphere"},
      {"shape:sphere:3", "whole number"},
      {"shape:sphere:1x1", "meridians"},
      {"shape:box:-1", "cuts"},
      {"shape:box:99999999999999", "whole number"},
      {"shape:box --count 0", "--count"},
      {"shape:box --count -3", "--count"},
      {"shape:box --count 1e9", "10000"},
      {"shape:box --count 2.5", "whole"},
      {"shape:box --count many", "'many'"},
      {"shape:box --drop -1", "--drop"},
      {"shape:box --drop nan", "--drop"},
      {"shape:box --steps 0", "--steps"},
      {"shape:box --steps -5", "--steps"},
      {"shape:box --steps 1e12", "--steps"},
      {"shape:box --seconds 0", "--seconds"},
      {"shape:box --seconds nan", "--seconds"},
      {"shape:box --seconds 1e6 --dt 1e-6", "--seconds"},
      {"shape:box --steps 5 --seconds 1", "--steps"},
      {"shape:box --dt 0", "--dt"},
      {"shape:box --dt -0.01", "--dt"},
      {"shape:box --dt 10", "--dt"},
      {"shape:box --dt 1/0", "--dt"},
      {"shape:box --seed -1", "--seed"},
      {"shape:box --scale 0", "--scale"},
      {"shape:box --spacing 0.5", "--spacing"},
      {"shape:box --density 0", "--density"},
      {"shape:box --mass 0", "--mass"},
      {"shape:box --mu -1", "--mu"},
      {"shape:box --restitution 2", "--restitution"},
      {"shape:box --max-contacts 0", "--max-contacts"},
      {"shape:box --max-contacts 70000", "--max-contacts"},
      {"shape:box --gravity inf", "--gravity"},
      {"shape:box --iterations 0", "--iterations"},
      {"shape:box --collider bullet", "odemesh"},
      {"shape:box --solver slow", "exact"},
      {"shape:box --up w", "--up"},
      {"shape:box --ground " + quoted("missing.stl"), "missing.stl"},
      {"shape:box --json " + quoted("no/such/folder.jsonl"), "folder that exists"},
      {"shape:box --screenshot", "name of a picture"},
      {"shape:box --json-every 0", "--json-every"},
      {"shape:box --json", "name of a file"},
      {"shape:box --ground", "--ground"},
      {"shape:box --video run.gif", ".mp4"},
      {"shape:box --fps 0", "--fps"},
      {"shape:box --show everything", "--show"},
      {"shape:box --bogus", "--bogus"},
      {"--check shape:box --scene stacks/5", "--check excludes --scene"},
      {"--scene ''", "name of a scene"},
      {"''", "name of a file"},
      {"shape:box --json ''", "name of a file"},
      {"--expect at-rest shape:box", "give FILES before it"},
      {"--show contacts shape:box", "give FILES before it"},
      {"shape:box --model-path " + quoted("missing"), "no folder"},
  };
  for (const Case& c : cases) {
    const Result result = sandbox(c.arguments + " --headless");
    EXPECT_EQ(result.exit_code, 2) << c.arguments << "\n" << result.output;
    expectHas(result.output, c.named);
  }
}

TEST_F(Sandbox, OptionsWithoutAnEffectAreRefused) {
  write("box.sdf", "<sdf version='1.6'/>");
  for (const std::string arguments : {"--settle 1", "--json-every 2", "--fps 20", "--size 320x200",
                                      "--show contacts", "--quality low", "--model-path /"}) {
    const Result result = sandbox("shape:box --steps 1 --headless " + arguments);
    EXPECT_EQ(result.exit_code, 2);
    expectHas(result.output, "has no effect");
  }
  for (const std::string arguments : {"--frames 3 --json run", "--script keys --expect at-rest"})
    expectHas(sandbox("shape:box --steps 1 " + arguments).output, "has no effect without the window");
  for (const std::string option : {"--mu 1", "--count 3", "--ground plane", "--dt 0.01"}) {
    const Result result = sandbox(quoted("box.sdf") + " --headless " + option);
    EXPECT_EQ(result.exit_code, 2);
    expectHas(result.output, "has no effect on a world");
  }
}

TEST_F(Sandbox, NamesTheOptionThatAMisspeltOneIsNear) {
  for (const auto& [wrong, right] :
       std::vector<std::pair<std::string, std::string>>{{"--conut 3", "--conut: did you mean --count?"},
                                                        {"--head", "--head: did you mean --headless?"},
                                                        {"--expct=x", "--expct: did you mean --expect?"},
                                                        {"-count", "-count: did you mean --count?"}}) {
    const Result result = sandbox("shape:box " + wrong);
    EXPECT_EQ(result.exit_code, 2);
    expectHas(result.output, right);
  }
  expectLacks(sandbox("shape:box --zzz").output, "did you mean");
}

TEST_F(Sandbox, HelpAndVersionExitWithZero) {
  const Result help = sandbox("--help");
  EXPECT_EQ(help.exit_code, 0);
  for (const char* option :
       {"--count", "--collider", "--json", "--headless", "--ground", "shape:sphere", "Exit codes"})
    expectHas(help.output, option);
  const Result version = sandbox("--version");
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.output.rfind("odemesh-sandbox ", 0), 0U);
}

TEST_F(Sandbox, TheManualPageHasEveryOptionAndIsSound) {
  const std::string manual = sandbox("--print-manual").output;
  for (const char* part : {".TH ODEMESH-SANDBOX 1", "\\-\\-collider", "\\-\\-video", "Exit codes", "FILES",
                           "Default: 1280x720."})
    expectHas(manual, part);
  expectLacks(manual, "print");
  write("sandbox.1", manual);
  if (run("man --version").exit_code != 0) return;
  const Result shown = run("MANWIDTH=100 man --warnings -l " + quoted("sandbox.1") + " | cat");
  expectHas(shown.output, "--side-by-side");
  expectLacks(shown.output, "warning");
}

TEST_F(Sandbox, BashCompletesOptionsAndValues) {
  write("completion", sandbox("--print-bash-completion").output);
  if (run("bash --version").exit_code != 0) GTEST_SKIP() << "no bash here";
  const auto completed = [&](const std::string& words) {
    write("try",
          "source \"$1\"\nshift\nCOMP_WORDS=(\"$@\")\nCOMP_CWORD=$(($# - 1))\n_odemesh_sandbox\n"
          "echo \"${COMPREPLY[@]}\"\n");
    return run("bash " + quoted("try") + " " + quoted("completion") + " \"" ODEMESH_SANDBOX "\" " + words)
        .output;
  };
  EXPECT_EQ(completed("--collider o"), "odemesh ode\n");
  EXPECT_EQ(completed("--side"), "--side-by-side\n");
  EXPECT_EQ(completed("--scene stacks/pyr"), "stacks/pyramid\n");
  expectHas(completed("--show no"), "no-shadows no-grid");
}

TEST_F(Sandbox, ReportsASummaryAndNoProgressIntoAPipe) {
  const Result result = sandbox("shape:box --steps 10 --collider ode --headless");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  for (const char* line : {"bodies", "triangles", "contacts", "depth", "RMS speed", "lowest point",
                           "ms collision", "state hash", "verdict", "over the last 0.04167 s"})
    expectHas(result.output, line);
  expectLacks(result.output, "\r");
  expectLacks(result.output, "viewer");
}

// A fixed fault: the text was about a box that nobody had asked for.
TEST_F(Sandbox, NamesTheFileThatIsTooLargeForAGround) {
  for (const char* size : {"1e6", "1e-8"}) {
    const std::string s = size;
    write("odd.obj",
          "v 0 0 0\nv " + s + " 0 0\nv 0 " + s + " 0\nv 0 0 " + s + "\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
    for (const char* ground : {"box", "bowl"}) {
      const Result result = sandbox(quoted("odd.obj") + " --headless --steps 1 --ground " + ground);
      EXPECT_EQ(result.exit_code, 2);
      for (const char* part : {"odd.obj", "across", "--scale", ground}) expectHas(result.output, part);
    }
  }
}

TEST_F(Sandbox, SaysThatThereIsNoWindowAndGoesOn) {
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  const Result result = sandbox("shape:box --steps 3 --collider ode");
  EXPECT_EQ(result.exit_code, 0);
  expectHas(result.output, "no window");
  expectHas(result.output, "verdict");
}

TEST_F(Sandbox, QuietPrintsNothing) {
  EXPECT_EQ(sandbox("shape:box --steps 3 --collider ode --headless --quiet").output, "");
}

TEST_F(Sandbox, WritesALineForEachStepAndASummary) {
  const Result result =
      sandbox("shape:box shape:sphere --count 3 --steps 50 --collider ode --headless --mu inf --json " +
              quoted("run"));
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const std::vector<Json> lines = readLines("run");
  ASSERT_EQ(lines.size(), 51U);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(lines[i]["type"], "step");
    EXPECT_EQ(lines[i]["step"], i + 1);
    for (const char* key : {"time", "kinetic_energy", "potential_energy", "contacts", "pairs",
                            "greatest_depth", "greatest_speed", "rms_speed", "collision_ms", "solver_ms"})
      EXPECT_TRUE(lines[i][key].is_number()) << key;
    EXPECT_EQ(lines[i]["hash"].get<std::string>().size(), 16U);
  }
  const Json& summary = lines.back();
  EXPECT_EQ(summary["type"], "summary");
  EXPECT_EQ(summary["bodies"], 3);
  EXPECT_EQ(summary["triangles"], 12 + 256 + 12);
  EXPECT_EQ(summary["hash"], lines[49]["hash"]);
  EXPECT_EQ(summary["options"]["collider"], "ode");
  EXPECT_EQ(summary["options"]["files"].size(), 2U);
  expectHas(result.output, summary["hash"].get<std::string>());
}

TEST_F(Sandbox, WritesEveryKthStep) {
  ASSERT_EQ(sandbox("shape:box --steps 50 --collider ode --headless --json-every 20 --json " + quoted("run"))
                .exit_code,
            0);
  const std::vector<Json> lines = readLines("run");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0]["step"], 20);
  EXPECT_EQ(lines[1]["step"], 40);
}

TEST_F(Sandbox, EqualSeedsGiveEqualHashes) {
  const auto hash = [&](const std::string& extra) {
    const Result result =
        sandbox("shape:box --count 4 --steps 200 --headless " + extra + " --json " + quoted("run"));
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return readLines("run").back()["hash"].get<std::string>();
  };
  for (const std::string collider : {"--collider odemesh", "--collider ode"}) {
    const std::string first = hash(collider + " --seed 5");
    EXPECT_EQ(hash(collider + " --seed 5"), first);
    EXPECT_NE(hash(collider + " --seed 6"), first);
    EXPECT_EQ(hash(collider + " --seed 5 --threads 2"), first);
  }
}

TEST_F(Sandbox, ReportsWhatTheColliderCounted) {
  const std::string run =
      "shape:box --count 3 --seconds 4 --max-contacts 2 --headless --json " + quoted("run");
  const Result result = sandbox(run);
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const Json counters = readLines("run").back()["counters"];
  EXPECT_GT(counters["contacts_dropped"], 0);
  EXPECT_EQ(counters["bad_triangles"], 0);
  EXPECT_EQ(counters["errors"], 0);
  expectHas(result.output, "contacts beyond --max-contacts");
  ASSERT_EQ(sandbox(run + " --collider ode").exit_code, 0);
  EXPECT_TRUE(readLines("run").back()["counters"].is_null());
}

TEST_F(Sandbox, BodiesComeToRestOnEveryGround) {
  write("slab.off",
        "OFF\n8 6 0\n-9 -9 4\n9 -9 4\n9 9 4\n-9 9 4\n-9 -9 5\n9 -9 5\n9 9 5\n-9 9 5\n"
        "4 3 2 1 0\n4 4 5 6 7\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n");
  for (const std::string& ground :
       {std::string("plane"), std::string("box"), std::string("bowl"), quoted("slab.off")}) {
    const Result result =
        sandbox("shape:box --count 2 --seconds 6 --headless --ground " + ground + " --json " + quoted("run"));
    EXPECT_EQ(result.exit_code, 0) << ground << "\n" << result.output;
    const Json summary = readLines("run").back();
    EXPECT_EQ(summary["verdict"], "at rest") << ground << "\n" << result.output;
    const double level = ground == quoted("slab.off") ? 1 : 0;
    EXPECT_GT(summary["lowest_point"].get<double>(), level - 1e-2) << ground;
  }
}

// The default softness of ODE's constraints lets them sink in by hundreds of metres.
TEST_F(Sandbox, BodiesOfAKilometreRestOnTheGround) {
  const Result result =
      sandbox("shape:box --scale 1000 --drop 520 --dt 1/60 --seconds 20 --headless --json " + quoted("run"));
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const Json summary = readLines("run").back();
  EXPECT_GT(summary["contacts"].get<int>(), 0);
  EXPECT_GT(summary["lowest_point"].get<double>(), -1);
}

TEST_F(Sandbox, StopsAtRest) {
  ASSERT_EQ(sandbox("shape:box --seconds 60 --ground plane --stop-at-rest --headless --json " + quoted("run"))
                .exit_code,
            0);
  const Json summary = readLines("run").back();
  EXPECT_TRUE(summary["at_rest"].get<bool>());
  EXPECT_LT(summary["time"].get<double>(), 30);
}

// Whether a picture can be drawn depends on the machine; the run does not.
TEST_F(Sandbox, ScreenshotIsWrittenOrItsLackIsSaid) {
  const Result result =
      sandbox("shape:box --ground plane --steps 5 --headless --screenshot " + quoted("end.png"));
  EXPECT_EQ(result.exit_code, 0) << result.output;
  if (result.output.find("no picture") == std::string::npos) {
    std::ifstream in(path("end.png"), std::ios::binary);
    std::string signature(4, ' ');
    in.read(signature.data(), 4);
    EXPECT_EQ(signature, "\x89PNG");
    expectHas(result.output, "end.png");
  } else {
    EXPECT_FALSE(fs::exists(path("end.png")));
  }
}

// Before the run, and without making the folder.
TEST_F(Sandbox, ResultsThatCannotBeWrittenAreRefused) {
  for (const std::string result : {"--json a", "--screenshot a.png", "--record a.glb", "--junit a.xml"}) {
    const std::string option = result.substr(0, result.find(' '));
    const std::string name = result.substr(result.find(' ') + 1);
    const Result refused = sandbox("shape:box --headless --steps 100000000 --expect at-rest " + option + " " +
                                   quoted("missing/" + name));
    EXPECT_EQ(refused.exit_code, 2) << refused.output;
    expectHas(refused.output, option + ": ");
    expectHas(refused.output, "folder that exists");
    EXPECT_FALSE(fs::exists(path("missing")));
  }
  EXPECT_EQ(sandbox("shape:box --headless --steps 5 --screenshot /dev/null/end.png").exit_code, 2);
  EXPECT_EQ(sandbox("absent.obj --headless --record " + quoted("a.glb")).exit_code, 2);
  EXPECT_FALSE(fs::exists(path("a.glb")));
}

// A fixed bug: the mesh was replaced by the results.
TEST_F(Sandbox, ResultsDoNotReplaceWhatIsRead) {
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  write("keep.obj", obj);
  const std::string file = quoted("keep.obj"), brief = " --headless --quiet --seconds 0.1 ";
  for (const std::string& arguments :
       {file + brief + "--json " + file, file + brief + "--junit " + file + " --expect at-rest",
        "shape:box" + brief + "--json " + quoted("one") + " --junit " + quoted("./one") +
            " --expect at-rest"}) {
    const Result refused = sandbox(arguments);
    EXPECT_EQ(refused.exit_code, 2) << arguments;
    expectHas(refused.output, "give it a name of its own");
  }
  EXPECT_EQ(content("keep.obj"), obj);
  EXPECT_FALSE(fs::exists(path("one")));
}

// Upward gravity takes the body out of the world.
TEST_F(Sandbox, EscapeIsAFailedRun) {
  const Result result =
      sandbox("shape:box --gravity 1000 --seconds 20 --headless --collider ode --json " + quoted("run"));
  EXPECT_EQ(result.exit_code, 1) << result.output;
  expectHas(result.output, "failed: body 'shape:box #1' left the world's bounds");
  EXPECT_EQ(readLines("run").back()["verdict"], "failed");
}

// A sheet that faces up, beside which the second ground is missing: the body falls past it.
TEST_F(Sandbox, FallingPastTheGroundIsAFailedRun) {
  write("tile.off", "OFF\n4 1 0\n0 0 0\n0.02 0 0\n0.02 0.02 0\n0 0.02 0\n4 0 1 2 3\n");
  const Result result = sandbox("shape:box --seconds 20 --headless --ground " + quoted("tile.off"));
  EXPECT_EQ(result.exit_code, 1) << result.output;
}

TEST_F(Sandbox, OpenMeshesFallWithAWarning) {
  write("sheet.off", "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0.2\n0 1 0\n4 0 1 2 3\n");
  const Result result = sandbox(quoted("sheet.off") + " --steps 5 --headless");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  expectHas(result.output, "warning: ");
  expectHas(result.output, "sheet.off");
}

TEST_F(Sandbox, ChecksAWorldAndWritesJunit) {
  const std::string world = std::string(ODEMESH_EXAMPLE_MESHES) + "/../worlds/gear_stack.sdf";
  const std::string check = "--check \"" + world + "\" --seconds 0.3 --expect max-depth=0.05 stands=0.3 ";
  const Result good = sandbox(check + "same-hash --junit " + quoted("good.xml"));
  if (good.output.find("libsdformat") != std::string::npos) GTEST_SKIP() << good.output;
  EXPECT_EQ(good.exit_code, 0) << good.output;
  expectHas(good.output, "passed same-hash");
  const Result bad = sandbox(check + "stays-inside=5,5,5,6,6,6 --junit " + quoted("bad.xml"));
  EXPECT_EQ(bad.exit_code, 1) << bad.output;
  std::ifstream file(path("bad.xml"));
  const std::string xml((std::istreambuf_iterator<char>(file)), {});
  expectHas(xml, "tests=\"3\"");
  expectHas(xml, "failures=\"1\"");
  expectHas(xml, "<failure message=\"the bodies were within");
  for (const std::string wrong :
       {"dance", "max-depth=deep", "stays-inside=1,2", "same-hash=xyz", "max-depth=-1"})
    EXPECT_EQ(sandbox("--check \"" + world + "\" --expect " + wrong).exit_code, 2) << wrong;
  // A fixed bug: with a scene, which has no --expect, the sandbox crashed.
  const Result alone = sandbox("--scene stacks/2 --headless --steps 2 --junit " + quoted("alone.xml"));
  EXPECT_EQ(alone.exit_code, 2) << alone.output;
  expectHas(alone.output, "--expect");
}

// A fixed fault: CI went on to read what had passed in an earlier run.
TEST_F(Sandbox, ARefusedRunReplacesTheJunitFileOfAnEarlierOne) {
  const std::string report = " --junit " + quoted("result.xml");
  for (const std::string refused :
       {"--check shape:box --expect at-rest --bogus", "--check absent.obj --expect at-rest",
        "--check shape:box --expect stands", "--expect at-rest", "shape:box --expect dance",
        "shape:box --expect at-rest --fps 3"}) {
    ASSERT_EQ(sandbox("shape:box --steps 2 --expect max-depth=1" + report).exit_code, 0);
    expectHas(content("result.xml"), "failures=\"0\"");
    EXPECT_EQ(sandbox(refused + report).exit_code, 2) << refused;
    expectHas(content("result.xml"), "errors=\"1\"");
    expectHas(content("result.xml"), "<error message=\"");
    expectLacks(content("result.xml"), "max-depth=1");
  }
  run("timeout 1 \"" ODEMESH_SANDBOX "\" shape:box --steps 1e9 --expect at-rest" + report);
  expectHas(content("result.xml"), "did not come to its end");
  write("notes.xml", "<notes/>");
  EXPECT_EQ(sandbox("absent.obj --expect at-rest --junit=" + quoted("notes.xml")).exit_code, 2);
  EXPECT_EQ(content("notes.xml"), "<notes/>");
  EXPECT_EQ(sandbox("absent.obj --expect at-rest --junit " + quoted("none.xml")).exit_code, 2);
  EXPECT_FALSE(fs::exists(path("none.xml")));
}

// A fixed fault: the parser of URDF, which libsdformat asks about broken SDF as well, came first with its
// own.
TEST_F(Sandbox, AFaultOfAWorldIsAllThatIsPrinted) {
  write("nameless.sdf",
        "<sdf version='1.6'><model name='m'><link><collision name='c'><geometry><sphere><radius>1</radius>"
        "</sphere></geometry></collision></link></model></sdf>");
  const Result result = sandbox(quoted("nameless.sdf") + " --headless");
  if (result.output.find("libsdformat") != std::string::npos) GTEST_SKIP() << result.output;
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output.rfind("error: ", 0), 0U) << result.output;
  expectLacks(result.output, "robot");
}

TEST_F(Sandbox, HeightsAreOverAGroundWhereThereIsOne) {
  expectHas(sandbox("shape:box --steps 1 --headless").output, " m over the ground\n");
  expectHas(sandbox("--scene stacks/2 --steps 1 --headless").output, " m over z = 0\n");
}

TEST_F(Sandbox, AnExpectationKeepsTheOtherResults) {
  const std::string results = " --json " + quoted("run.jsonl") + " --screenshot " + quoted("end.png");
  const Result result = sandbox("shape:box --seconds 0.25 --expect max-depth=0.1 stands=0 " + results);
  EXPECT_EQ(result.exit_code, 1) << result.output;
  expectHas(result.output, "passed max-depth=0.1");
  expectHas(result.output, "FAILED stands=0");
  expectHas(result.output, "state hash");
  EXPECT_EQ(readLines("run.jsonl").size(), 61U);
  EXPECT_EQ(fs::exists(path("end.png")), result.output.find("no picture") == std::string::npos);
}

TEST_F(Sandbox, SideBySideBothWorldsGoInStep) {
  const Result result =
      sandbox("shape:box --ground plane --steps 30 --side-by-side --headless --json " + quoted("run"));
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const std::vector<Json> lines = readLines("run");
  ASSERT_EQ(lines.size(), 62U);
  for (std::size_t i = 0; i < 60; ++i) {
    EXPECT_EQ(lines[i]["step"], i / 2 + 1);
    EXPECT_EQ(lines[i]["collider"], i % 2 == 0 ? "odemesh" : "ode");
  }
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(lines[60 + i]["options"]["collider"], i == 0 ? "odemesh" : "ode");
    const std::string alone = i == 0 ? "odemesh" : "ode";
    ASSERT_EQ(sandbox("shape:box --ground plane --steps 30 --headless --collider " + alone + " --json " +
                      quoted(alone))
                  .exit_code,
              0);
    EXPECT_EQ(lines[60 + i]["hash"], readLines(alone).back()["hash"]);
  }
  EXPECT_EQ(sandbox("shape:box --side-by-side --record " + quoted("run.glb")).exit_code, 2);
}

// One second at 20 frames a second, both ends included; ffmpeg needs even sizes, the program does not.
TEST_F(Sandbox, FilmsARunIfThereIsFfmpeg) {
  const Result result = sandbox(
      "shape:box --ground plane --seconds 1 --side-by-side --size 161x90 --fps 20 --show contacts --video " +
      quoted("run.mp4"));
  if (result.output.find("ffmpeg") != std::string::npos) {
    EXPECT_EQ(result.exit_code, 2);
    expectHas(result.output, "apt-get install ffmpeg");
    GTEST_SKIP() << "no ffmpeg here";
  }
  ASSERT_EQ(result.exit_code, 0) << result.output;
  if (result.output.find("no video") != std::string::npos) GTEST_SKIP() << result.output;
  expectHas(result.output, "(21 frames)");
  if (run("ffprobe -version").exit_code != 0) GTEST_SKIP() << "no ffprobe here";
  const Result probe =
      run("ffprobe -v error -count_frames -show_entries "
          "stream=width,height,nb_read_frames,r_frame_rate -of json " +
          quoted("run.mp4"));
  const Json stream = Json::parse(probe.output)["streams"][0];
  EXPECT_EQ(stream["nb_read_frames"], "21");
  EXPECT_EQ(stream["r_frame_rate"], "20/1");
  EXPECT_EQ(stream["width"], 162);
  EXPECT_EQ(stream["height"], 90);
  EXPECT_EQ(sandbox("shape:box --steps 2 --video /no/such/folder/run.mp4").exit_code, 2);
}

TEST_F(Sandbox, WithoutFfmpegTheRemedyIsSaid) {
  const Result result =
      run("PATH=/nowhere \"" ODEMESH_SANDBOX "\" shape:box --steps 2 --video " + quoted("run.mp4"));
  if (result.output.find("no video") != std::string::npos) GTEST_SKIP() << result.output;
  EXPECT_EQ(result.exit_code, 2);
  expectHas(result.output, "apt-get install ffmpeg");
  EXPECT_FALSE(fs::exists(path("run.mp4")));
}

// It falls by half its height first.
TEST_F(Sandbox, ExpectationsCanWaitUntilBodiesHaveSettled) {
  const std::string check = "shape:box --ground plane --seconds 3 --expect stands=0.01 max-depth=0.001 ";
  EXPECT_EQ(sandbox(check).exit_code, 1);
  const Result settled = sandbox(check + "at-rest --settle 2");
  EXPECT_EQ(settled.exit_code, 0) << settled.output;
  const Result never = sandbox(check + "--settle 3");
  EXPECT_EQ(never.exit_code, 2);
  expectHas(never.output, "--settle");
}

TEST_F(Sandbox, AReplayReproducesTheHashOfTheRecordedRun) {
  write("part.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const Result recorded =
      sandbox(quoted("part.obj") + " --count 3 --seconds 0.25 --headless --record " + quoted("run.glb"));
  if (recorded.output.find("tinygltf") != std::string::npos) GTEST_SKIP() << recorded.output;
  EXPECT_EQ(recorded.exit_code, 0) << recorded.output;
  expectHas(recorded.output, "(8 frames)");
  const Result same = sandbox("--replay " + quoted("run.glb"));
  EXPECT_EQ(same.exit_code, 0) << same.output;
  write("part.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const Result changed = sandbox("--replay " + quoted("run.glb"));
  EXPECT_EQ(changed.exit_code, 1) << changed.output;
  expectHas(changed.output, "has changed");
  EXPECT_EQ(sandbox("--replay " + quoted("part.obj")).exit_code, 2);
  for (const std::string option : {"--replay ", "--headless --screenshot p.png --play "})
    expectHas(sandbox(option + quoted("none.glb")).output, "none.glb: there is no such file");
  expectHas(sandbox("--replay " + quoted(".")).output, "is a folder; name a recording in it");
}

TEST_F(Sandbox, ARecordingIsDrawnWithoutAWindow) {
  const Result recorded =
      sandbox("shape:box --count 3 --seconds 0.5 --headless --record " + quoted("run.glb"));
  if (recorded.output.find("tinygltf") != std::string::npos) GTEST_SKIP() << recorded.output;
  const std::string play = "--play " + quoted("run.glb") + " --headless --size 160x90 ";
  const auto drawn = [&](const std::string& more, const std::string& file) {
    const Result result = sandbox(play + more + " --screenshot " + quoted(file));
    EXPECT_TRUE(result.exit_code == 0 || result.output.find("no picture") != std::string::npos)
        << result.output;
    return result.exit_code == 0 ? content(file) : std::string();
  };
  const std::string end = drawn("", "end.png");
  if (end.empty()) GTEST_SKIP() << "no OpenGL here";
  EXPECT_EQ(end.substr(1, 3), "PNG");
  EXPECT_EQ(drawn("--seconds 99", "late.png"), end);
  EXPECT_NE(drawn("--seconds 0.1", "early.png"), end);
  const Result film = sandbox(play + "--seconds 0.3 --fps 20 --video " + quoted("run.mp4"));
  if (film.output.find("ffmpeg") == std::string::npos) {
    EXPECT_EQ(film.exit_code, 0) << film.output;
    expectHas(film.output, "(7 frames)");
  }
  EXPECT_EQ(sandbox(play + "--screenshot end.jpg").exit_code, 2);
  EXPECT_EQ(sandbox("shape:box --steps 1 --record run.gltf").exit_code, 2);
  const Result nothing = sandbox("--play " + quoted("run.glb") + " --headless");
  EXPECT_EQ(nothing.exit_code, 2);
  expectHas(nothing.output, "--screenshot or --video");
  for (const char* useless :
       {"shape:box", "--count 3", "--json run.jsonl", "--collider ode", "--record again.glb"})
    EXPECT_EQ(sandbox(play + useless).exit_code, 2) << useless;
  EXPECT_EQ(sandbox("--replay " + quoted("run.glb") + " --video " + quoted("run.mp4")).exit_code, 2);
}

}  // namespace
